#define G_LOG_DOMAIN "rf-layers"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>

#include "rf-swaps.h"
#include "rf-uses.h"

static gboolean
strv_contains (char **strings, const char *string)
{
    return g_strv_contains ((const char *const *)strings, string);
}

/* Mount points may have any bytes; here they are for a person to read. */
static void
strv_append (char ***strings, const char *string)
{
    guint n = g_strv_length (*strings);
    *strings = g_renew (char *, *strings, n + 2);
    (*strings)[n] = g_utf8_make_valid (string, -1);
    (*strings)[n + 1] = NULL;
}

static RfDisk *
find_disk (RfFacts *facts, const char *name)
{
    return (RfDisk *)rf_facts_find_disk (facts, name);
}

/* every disk below a use learns its mount point */
static void
note_mount_points (const RfUses *self, RfFacts *facts)
{
    for (guint i = 0; i < self->all->len; i++) {
        const RfUse *use = self->all->pdata[i];
        for (guint k = 0; use->target != NULL && k < use->devices->len; k++) {
            g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, use->devices->pdata[k]);
            for (guint b = 0; b < below->len; b++) {
                RfDisk *disk = find_disk (facts, ((const RfBlock *)below->pdata[b])->name);
                if (disk != NULL && !strv_contains (disk->mount_points, use->target))
                    strv_append (&disk->mount_points, use->target);
            }
        }
    }
}

/* Puts the way from @block down to @disk into @way, top first; FALSE if there is none. Stacks are a few layers deep;
 * the limit ends a loop that a broken sysfs could show. */
static gboolean
find_way (const RfUses *self, const RfBlock *block, const char *disk, GPtrArray *way)
{
    if (way->len > 16)
        return FALSE;
    if (g_str_equal (block->name, disk))
        return TRUE;
    g_ptr_array_add (way, (gpointer)block);
    for (guint i = 0; i < block->below->len; i++) {
        const RfBlock *next = rf_blocks_find (self->blocks, block->below->pdata[i]);
        if (next != NULL && find_way (self, next, disk, way))
            return TRUE;
    }
    g_ptr_array_set_size (way, (gint)way->len - 1);
    return FALSE;
}

static char *
dm_layer (const RfBlock *block)
{
    static const struct {
        const char *prefix;
        const char *text;
    } table[] = {
        {"CRYPT-LUKS", "LUKS"},
        {"CRYPT-PLAIN-", "dm-crypt"},
        {"CRYPT-TCRYPT-", "VeraCrypt"},
        {"CRYPT-BITLK-", "BitLocker"},
        {"CRYPT-VERITY-", "dm-verity"},
        {"CRYPT-INTEGRITY-", "dm-integrity"},
        {"CRYPT-SUBDEV-", "dm-integrity"},
        {"CRYPT-", "dm-crypt"},
    };
    const char *uuid = block->dm_uuid != NULL ? block->dm_uuid : "";
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (g_str_has_prefix (uuid, table[i].prefix))
            return g_strdup (table[i].text);
    const char *what = g_str_has_prefix (uuid, "LVM-") ? "LVM" : g_str_has_prefix (uuid, "mpath-") ? "multipath" : "dm";
    return g_strdup_printf ("%s %s", what, block->dm_name != NULL ? block->dm_name : block->name);
}

static char *
md_layer (const RfUses *self, const RfBlock *block)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/md/level", block->name);
    g_autofree char *level = rf_sysroot_read_line (self->sysroot, path);
    if (level == NULL || !g_str_has_prefix (level, "raid"))
        return g_strdup_printf ("RAID %s", block->name);
    return g_strdup_printf ("RAID%s %s", level + strlen ("raid"), block->name);
}

static char *
layer_text (const RfUses *self, const RfBlock *block)
{
    if (!rf_block_is_whole (block))
        return g_strdup_printf ("partition %s", block->name);
    if (block->dm_name != NULL || block->dm_uuid != NULL)
        return dm_layer (block);
    if (g_str_has_prefix (block->name, "md"))
        return md_layer (self, block);
    if (g_str_has_prefix (block->name, "nvme"))
        return g_strdup_printf ("multipath %s", block->name);
    return g_strdup (block->name);
}

static gboolean
is_lvm (const RfBlock *block)
{
    return block->dm_uuid != NULL && g_str_has_prefix (block->dm_uuid, "LVM-");
}

/* of the stack that matters most on @disk, see rf_use_is_better_target() */
static void
note_layers (const RfUses *self, RfDisk *disk)
{
    const RfUse *best = NULL;
    g_autoptr (GPtrArray) best_way = NULL;
    for (guint i = 0; i < self->all->len; i++) {
        const RfUse *use = self->all->pdata[i];
        for (guint k = 0; k < use->devices->len; k++) {
            g_autoptr (GPtrArray) way = g_ptr_array_new ();
            if ((best == NULL || rf_use_is_better_target (use->target, best->target))
                && find_way (self, use->devices->pdata[k], disk->name, way)) {
                best = use;
                g_clear_pointer (&best_way, g_ptr_array_unref);
                best_way = g_steal_pointer (&way);
            }
        }
    }
    if (best == NULL)
        return;
    for (guint i = best_way->len; i > 0; i--) {
        const RfBlock *block = best_way->pdata[i - 1];
        /* the inner parts of a mirrored or thin volume say nothing to a person */
        if (is_lvm (block) && i > 1 && is_lvm (best_way->pdata[i - 2]))
            continue;
        g_autofree char *text = layer_text (self, block);
        strv_append (&disk->layers, text);
    }
    strv_append (&disk->layers, best->type);
}

static void
swap_free (gpointer data)
{
    RfSwapDevice *swap = data;
    g_free (swap->path);
    g_free (swap->disk);
    g_free (swap);
}

static const RfBlock *
block_of_swap (const RfUses *self, const RfSwapDevice *swap)
{
    if (swap->kind == RF_SWAP_PARTITION || swap->kind == RF_SWAP_ZRAM)
        return rf_blocks_find_path (self->blocks, swap->path);
    const RfMount *mount = swap->kind == RF_SWAP_FILE ? rf_mounts_find (self->mounts, swap->path) : NULL;
    if (mount == NULL)
        return NULL;
    g_autoptr (RfUse) use = rf_uses_of_mount (self, mount);
    return use->devices->len > 0 ? use->devices->pdata[0] : NULL;
}

static RfSwapKind
kind_of_swap (const RfSwapEntry *entry)
{
    if (entry->deleted)
        return RF_SWAP_DELETED;
    if (entry->is_file)
        return RF_SWAP_FILE;
    return g_str_has_prefix (entry->path, "/dev/zram") ? RF_SWAP_ZRAM : RF_SWAP_PARTITION;
}

static void
add_swap (RfUses *self, RfFacts *facts, const RfSwapEntry *entry)
{
    RfSwapDevice *swap = g_new0 (RfSwapDevice, 1);
    swap->path = g_strdup (entry->path);
    swap->kind = kind_of_swap (entry);
    swap->size_bytes = entry->size_bytes;
    swap->priority = entry->priority;
    g_ptr_array_add (facts->swaps, swap);
    const RfBlock *block = block_of_swap (self, swap);
    if (block == NULL)
        return;
    if (swap->kind != RF_SWAP_FILE)
        rf_uses_add_swap (self, block);
    if (swap->kind == RF_SWAP_ZRAM)
        return;
    g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, block);
    for (guint i = 0; i < below->len; i++)
        swap->encrypted |= rf_block_is_encrypted (below->pdata[i]);
    swap->disk = g_strdup (rf_blocks_bottom (self->blocks, block)->name);
    const RfDisk *disk = find_disk (facts, swap->disk);
    for (char **target = disk != NULL ? disk->mount_points : NULL; target != NULL && *target != NULL; target++)
        swap->on_data_disk |= !rf_use_is_for_boot (*target);
}

void
rf_layers_read (RfSysroot *sysroot, const RfBlocks *blocks, RfFacts *facts)
{
    g_autoptr (RfUses) uses = rf_uses_new (sysroot, blocks);
    g_auto (RfSwaps) swaps = {0};
    note_mount_points (uses, facts);
    rf_swaps_read (sysroot, &swaps);
    facts->swaps = g_ptr_array_new_with_free_func (swap_free);
    for (guint i = 0; i < swaps.entries->len; i++)
        add_swap (uses, facts, swaps.entries->pdata[i]);
    for (guint i = 0; i < facts->disks->len; i++)
        note_layers (uses, facts->disks->pdata[i]);
    rf_readahead_read (uses, facts);
}
