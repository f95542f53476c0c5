#define G_LOG_DOMAIN "rf-space"
#include "config.h"

#include "rf-space.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "rf-queue.h"
#include "rf-uses.h"

void
rf_space_free (RfSpace *self)
{
    g_free (self->target);
    g_free (self->type);
    g_free (self->trim_blocked);
    g_free (self->trim_layer);
    g_free (self);
}

static RfCounter
read_number (RfSysroot *sysroot, const char *path)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    return text != NULL ? rf_queue_parse_number (text, length) : RF_COUNTER_MISSING (avail);
}

/* images are always full */
static gboolean
is_image (const char *type)
{
    static const char *const types[] = {"squashfs", "iso9660", "udf", "erofs", "cramfs", NULL};
    return g_strv_contains (types, type);
}

static void
ask_kernel (RfSysroot *sysroot, const char *target, RfSpace *space)
{
    struct statvfs answer;
    space->size = space->available = RF_COUNTER_MISSING (RF_AVAIL_NO_FILE);
    if (!rf_sysroot_is_machine (sysroot))
        return;
    if (statvfs (target, &answer) != 0) {
        RfAvail why = errno == EACCES || errno == EPERM ? RF_AVAIL_DENIED : RF_AVAIL_MALFORMED;
        space->size = space->available = RF_COUNTER_MISSING (why);
    } else if (answer.f_blocks > 0) {
        space->size = RF_COUNTER ((guint64)answer.f_blocks * answer.f_frsize);
        space->available = RF_COUNTER ((guint64)answer.f_bavail * answer.f_frsize);
    }
}

/* fs/btrfs/sysfs.c: total_bytes and bytes_used of the block groups for metadata */
static void
read_metadata (RfSysroot *sysroot, const char *uuid, RfSpace *space)
{
    space->metadata_size = space->metadata_used = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD);
    if (uuid == NULL)
        return;
    g_autofree char *size = g_strdup_printf ("sys/fs/btrfs/%s/allocation/metadata/total_bytes", uuid);
    g_autofree char *used = g_strdup_printf ("sys/fs/btrfs/%s/allocation/metadata/bytes_used", uuid);
    space->metadata_size = read_number (sysroot, size);
    space->metadata_used = read_number (sysroot, used);
}

static char *
layer_name (const RfBlock *block)
{
    if (rf_block_is_encrypted (block))
        return g_strdup (block->dm_uuid != NULL && g_str_has_prefix (block->dm_uuid, "CRYPT-LUKS") ? "LUKS"
                                                                                                   : "dm-crypt");
    return g_strdup (block->dm_name != NULL ? block->dm_name : block->name);
}

/* From the drive upwards: the first layer with a limit of 0 ends what the drive would take. Partitions have no queue of
 * their own (Documentation/ABI/stable/sysfs-block, discard_max_bytes). */
static void
follow_trim (const RfUses *uses, const RfUse *use, RfSpace *space)
{
    g_autoptr (GPtrArray) below = rf_blocks_below (uses->blocks, use->devices->pdata[0]);
    gboolean at_drive = TRUE;
    space->trim = RF_COUNTER_MISSING (RF_AVAIL_NO_FILE);
    for (guint i = below->len; i > 0; i--) {
        const RfBlock *block = below->pdata[i - 1];
        if (!rf_block_is_whole (block) || block->hidden)
            continue;
        g_autofree char *path = g_strdup_printf ("sys/block/%s/queue/discard_max_bytes", block->name);
        RfCounter limit = read_number (uses->sysroot, path);
        if (at_drive || !rf_counter_ok (limit))
            space->trim = limit;
        if (!rf_counter_ok (limit) || (at_drive && limit.value == 0))
            return;
        if (limit.value == 0) {
            space->trim_blocked = layer_name (block);
            space->trim_layer = g_strdup (block->dm_name != NULL ? block->dm_name : block->name);
            return;
        }
        at_drive = FALSE;
    }
}

static RfSpace *
space_new (const RfUses *uses, const RfUse *use)
{
    RfSpace *space = g_new0 (RfSpace, 1);
    space->target = g_strdup (use->target);
    space->type = g_strdup (use->type);
    ask_kernel (uses->sysroot, use->target, space);
    read_metadata (uses->sysroot, use->btrfs_uuid, space);
    follow_trim (uses, use, space);
    return space;
}

/* Subvolumes and bind mounts are one file system: the one with the shortest way stands for all. */
static const RfUse *
find_same (GPtrArray *uses, const RfUse *use, guint *index)
{
    for (guint i = 0; i < uses->len; i++) {
        const RfUse *other = uses->pdata[i];
        if (other->devices->pdata[0] != use->devices->pdata[0])
            continue;
        *index = i;
        return other;
    }
    return NULL;
}

GPtrArray *
rf_spaces_read (RfSysroot *sysroot)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);
    GPtrArray *spaces = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_space_free);
    g_autoptr (RfBlocks) blocks = rf_blocks_new (sysroot);
    g_autoptr (RfUses) uses = rf_uses_new (sysroot, blocks);
    g_autoptr (GPtrArray) once = g_ptr_array_new ();
    for (guint i = 0; i < uses->mounts->len; i++) {
        const RfMount *mount = uses->mounts->pdata[i];
        RfUse *use = uses->all->pdata[i];
        guint at = 0;
        if (use->devices->len == 0 || mount->read_only || is_image (use->type) || rf_use_is_for_boot (use->target))
            continue;
        const RfUse *other = find_same (once, use, &at);
        if (other == NULL)
            g_ptr_array_add (once, use);
        else if (rf_use_is_better_target (use->target, other->target))
            once->pdata[at] = use;
    }
    for (guint i = 0; i < once->len; i++)
        g_ptr_array_add (spaces, space_new (uses, once->pdata[i]));
    return spaces;
}
