/* What the block devices are used for: mounted file systems and swap, each with the devices it lies on. Internal to the
 * facts. */
#pragma once

#include "rf-blocks.h"
#include "rf-mounts.h"

G_BEGIN_DECLS

/**
 * RfUse:
 * @type: "ext4", "swap"
 * @target: mount point, NULL for swap
 * @btrfs_uuid: NULL unless btrfs that sysfs shows
 * @devices: (element-type RfBlock): several for btrfs over several disks; empty for tmpfs and the like
 *
 * @type and @target belong to the mount.
 */
typedef struct {
    const char *type;
    const char *target;
    char *btrfs_uuid;
    GPtrArray *devices;
} RfUse;

typedef struct {
    RfSysroot *sysroot;
    const RfBlocks *blocks; /* not owned */
    GPtrArray *mounts;      /* of RfMount */
    GPtrArray *all;         /* of RfUse: mounts in their order, then swap */
} RfUses;

RfUses *rf_uses_new (RfSysroot *sysroot, const RfBlocks *blocks);
void rf_uses_free (RfUses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfUses, rf_uses_free)

void rf_use_free (RfUse *use);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfUse, rf_use_free)

/** rf_uses_of_mount: Returns: (transfer full): not added to the list. */
RfUse *rf_uses_of_mount (const RfUses *self, const RfMount *mount);

void rf_uses_add_swap (RfUses *self, const RfBlock *block);

/** rf_use_is_for_boot: whether @target (nullable) is read by the firmware and the boot loader only. */
gboolean rf_use_is_for_boot (const char *target);

/** rf_use_is_better_target: whether a person knows a device better by @a than by @b; NULL (swap) is the worst. */
gboolean rf_use_is_better_target (const char *a, const char *b);

G_END_DECLS
