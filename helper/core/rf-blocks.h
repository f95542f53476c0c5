/* The block devices of the machine as a graph: partitions, and what is stacked on what. Internal to the facts; built
 * once from /sys/block, then read only. Numbers of a mount and device paths are found in it. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfBlock:
 * @name: "nvme0n1", "nvme0n1p3", "dm-0"
 * @disk: name of the whole device a partition belongs to; equals @name for a whole device
 * @below: (element-type utf8): names of what lies directly below: the disk of a partition, the slaves of a dm or md
 *   device, the hidden paths of a multipath head
 * @dm_name: and @dm_uuid: NULL unless device-mapper
 * @has_number: hidden devices have no "dev" file
 */
typedef struct {
    char *name;
    char *disk;
    GPtrArray *below;
    char *dm_name;
    char *dm_uuid;
    guint major;
    guint minor;
    gboolean has_number;
    gboolean hidden;
} RfBlock;

typedef struct {
    RfSysroot *sysroot;
    GPtrArray *all;      /* of RfBlock, whole devices sorted by name, each before its partitions */
    GHashTable *by_name; /* name → RfBlock, not owned */
} RfBlocks;

RfBlocks *rf_blocks_new (RfSysroot *sysroot);
void rf_blocks_free (RfBlocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfBlocks, rf_blocks_free)

const RfBlock *rf_blocks_find (const RfBlocks *self, const char *name);
const RfBlock *rf_blocks_find_number (const RfBlocks *self, guint major, guint minor);

/** rf_blocks_find_path: a "/dev/…" path as mount or swapon got it: a node, "/dev/mapper/NAME", a link below /dev. */
const RfBlock *rf_blocks_find_path (const RfBlocks *self, const char *path);

/**
 * rf_blocks_below:
 *
 * Returns: (transfer container) (element-type RfBlock): @block and everything below it, each once, nearest first
 */
GPtrArray *rf_blocks_below (const RfBlocks *self, const RfBlock *block);

/** rf_blocks_bottom: Returns: (transfer none): the disk at the bottom, the first one where there are several; a
 * multipath head counts as bottom, not its hidden paths. */
const RfBlock *rf_blocks_bottom (const RfBlocks *self, const RfBlock *block);

gboolean rf_block_is_whole (const RfBlock *block);

/** rf_block_is_encrypted: a dm-crypt layer; verity and integrity are not. */
gboolean rf_block_is_encrypted (const RfBlock *block);

/** rf_blocks_nvme_path: whether @name is a hidden path ("nvme0c1n2"); @head: (out) (optional): its head ("nvme0n2"). */
gboolean rf_blocks_nvme_path (const char *name, char **head);

G_END_DECLS
