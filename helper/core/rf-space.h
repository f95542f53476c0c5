/* How full the file systems of this machine's own drives are, and whether TRIM gets through to the drive below them.
 * Asks the kernel (statvfs) only for file systems on block devices, never for the network's; thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfSpace: one file system on drives of this machine, each once, without what the boot loader reads.
 * @target: where it is mounted, the shortest way
 * @type: "ext4"
 * @size: bytes; NO_FILE in a tree of files that stands for a machine: nobody can be asked there
 * @available: bytes that a person can still write
 * @metadata_size: and @metadata_used: bytes, of btrfs only (sysfs: fs/btrfs/UUID/allocation/metadata); NO_FIELD else
 * @trim_blocked: (nullable): the layer that lets no TRIM through although the drive takes it: "LUKS", "LVM vg-root"
 * @trim_layer: (nullable): its name below /dev/mapper, else its kernel name
 * @trim: bytes that one TRIM may have at most at the drive (queue/discard_max_bytes), 0: the drive has no TRIM
 */
typedef struct {
    char *target;
    char *type;
    RfCounter size;
    RfCounter available;
    RfCounter metadata_size;
    RfCounter metadata_used;
    RfCounter trim;
    char *trim_blocked;
    char *trim_layer;
} RfSpace;

void rf_space_free (RfSpace *self);

/** rf_spaces_read: Returns: (transfer full) (element-type RfSpace): takes as long as the file systems take to answer */
GPtrArray *rf_spaces_read (RfSysroot *sysroot);

G_END_DECLS
