#define G_LOG_DOMAIN "rf-layers"
#include "config.h"

#include "rf-facts-private.h"

#include <string.h>

#include "rf-mounts.h"
#include "rf-swaps.h"

/* A mounted file system (or a swap space) together with the devices it lies on. */
typedef struct {
    const char *type;   /* "ext4", "swap" */
    const char *target; /* NULL for swap */
    char *btrfs_uuid;
    GPtrArray *devices; /* of RfBlock, not owned; several for btrfs over several disks */
} Use;

typedef struct {
    RfSysroot *sysroot;
    const RfBlocks *blocks;
    GPtrArray *mounts;
    GPtrArray *uses; /* of Use */
    RfFacts *facts;
} Layers;

static void
use_free (gpointer data)
{
    Use *use = data;
    g_free (use->btrfs_uuid);
    g_ptr_array_unref (use->devices);
    g_free (use);
}

/* what the firmware and the boot loader read: no program waits for it */
static gboolean
is_for_boot (const char *target)
{
    return target != NULL
           && (g_str_equal (target, "/boot") || g_str_has_prefix (target, "/boot/") || g_str_equal (target, "/efi")
               || g_str_has_prefix (target, "/efi/"));
}

/* "/" before all, boot last, else the shorter one: "/home" tells more than "/home/anna/music" */
static gboolean
is_better_target (const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a != NULL;
    if (is_for_boot (a) != is_for_boot (b))
        return is_for_boot (b);
    return strlen (a) < strlen (b);
}

/* btrfs has an anonymous device number. The members are listed in sysfs, and what was given to mount is one of them;
 * an initrd-less boot gives "/dev/root", which is clear only if there is one btrfs. */
static char *
find_btrfs (const Layers *self, const char *source)
{
    const RfBlock *block = rf_blocks_find_path (self->blocks, source);
    g_auto (GStrv) folders = rf_sysroot_list (self->sysroot, "sys/fs/btrfs");
    const char *only = NULL;
    guint n = 0;
    for (char **folder = folders; *folder != NULL; folder++) {
        g_autofree char *devices = g_strdup_printf ("sys/fs/btrfs/%s/devices", *folder);
        if (!rf_sysroot_exists (self->sysroot, devices))
            continue;
        g_autofree char *member = block != NULL ? g_strdup_printf ("%s/%s", devices, block->name) : NULL;
        if (member != NULL && rf_sysroot_exists (self->sysroot, member))
            return g_strdup (*folder);
        only = *folder;
        n++;
    }
    return block == NULL && n == 1 ? g_strdup (only) : NULL;
}

static void
add_device (GPtrArray *devices, const RfBlock *block)
{
    if (block != NULL && !g_ptr_array_find (devices, block, NULL))
        g_ptr_array_add (devices, (gpointer)block);
}

static void
add_sources (const Layers *self, const char *source, GPtrArray *devices)
{
    /* bcachefs names its members with colons between */
    g_auto (GStrv) parts = g_strsplit (source, ":", -1);
    for (char **part = parts; *part != NULL; part++)
        add_device (devices, rf_blocks_find_path (self->blocks, *part));
}

static Use *
use_of_mount (const Layers *self, const RfMount *mount)
{
    Use *use = g_new0 (Use, 1);
    use->type = mount->type;
    use->target = mount->target;
    use->devices = g_ptr_array_new ();
    if (mount->major != 0)
        add_device (use->devices, rf_blocks_find_number (self->blocks, mount->major, mount->minor));
    if (g_str_equal (mount->type, "btrfs"))
        use->btrfs_uuid = find_btrfs (self, mount->source);
    if (use->btrfs_uuid != NULL) {
        g_autofree char *path = g_strdup_printf ("sys/fs/btrfs/%s/devices", use->btrfs_uuid);
        g_auto (GStrv) names = rf_sysroot_list (self->sysroot, path);
        for (char **name = names; *name != NULL; name++)
            add_device (use->devices, rf_blocks_find (self->blocks, *name));
    }
    if (use->devices->len == 0)
        add_sources (self, mount->source, use->devices);
    return use;
}

static gboolean
strv_contains (char **strings, const char *string)
{
    return g_strv_contains ((const char *const *)strings, string);
}

static void
strv_append (char ***strings, const char *string)
{
    guint n = g_strv_length (*strings);
    *strings = g_renew (char *, *strings, n + 2);
    (*strings)[n] = g_strdup (string);
    (*strings)[n + 1] = NULL;
}

static RfDisk *
find_disk (const Layers *self, const char *name)
{
    return (RfDisk *)rf_facts_find_disk (self->facts, name);
}

/* every disk below a use learns its mount point */
static void
note_mount_points (const Layers *self)
{
    for (guint i = 0; i < self->uses->len; i++) {
        const Use *use = self->uses->pdata[i];
        for (guint k = 0; use->target != NULL && k < use->devices->len; k++) {
            g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, use->devices->pdata[k]);
            for (guint b = 0; b < below->len; b++) {
                RfDisk *disk = find_disk (self, ((const RfBlock *)below->pdata[b])->name);
                if (disk != NULL && !strv_contains (disk->mount_points, use->target))
                    strv_append (&disk->mount_points, use->target);
            }
        }
    }
}

/* Puts the way from @block down to @disk into @way, top first; FALSE if there is none. Stacks are a few layers deep;
 * the limit ends a loop that a broken sysfs could show. */
static gboolean
find_way (const Layers *self, const RfBlock *block, const char *disk, GPtrArray *way)
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
md_layer (const Layers *self, const RfBlock *block)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/md/level", block->name);
    g_autofree char *level = rf_sysroot_read_line (self->sysroot, path);
    if (level == NULL || !g_str_has_prefix (level, "raid"))
        return g_strdup_printf ("RAID %s", block->name);
    return g_strdup_printf ("RAID%s %s", level + strlen ("raid"), block->name);
}

static char *
layer_text (const Layers *self, const RfBlock *block)
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

/* of the stack that matters most on @disk, see is_better_target() */
static void
note_layers (const Layers *self, RfDisk *disk)
{
    const Use *best = NULL;
    g_autoptr (GPtrArray) best_way = NULL;
    for (guint i = 0; i < self->uses->len; i++) {
        const Use *use = self->uses->pdata[i];
        for (guint k = 0; k < use->devices->len; k++) {
            g_autoptr (GPtrArray) way = g_ptr_array_new ();
            if ((best == NULL || is_better_target (use->target, best->target))
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

/* Only NVMe: other disks are not touched, so their stacks are not either. */
static gboolean
lies_on_nvme (const Layers *self, const Use *use)
{
    for (guint i = 0; i < use->devices->len; i++) {
        g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, use->devices->pdata[i]);
        for (guint k = 0; k < below->len; k++) {
            const RfBlock *block = below->pdata[k];
            const RfDisk *disk = block->below->len == 0 ? find_disk (self, block->name) : NULL;
            if (block->below->len == 0 && (disk == NULL || !rf_disk_is_tunable (disk)))
                return FALSE;
        }
    }
    return use->devices->len > 0;
}

static void
readahead_free (gpointer data)
{
    RfReadahead *readahead = data;
    g_free (readahead->instance);
    g_free (readahead->path);
    g_free (readahead->stable_id);
    g_free (readahead->label);
    g_free (readahead);
}

static RfReadahead *
readahead_of_disk (const Layers *self, const char *name)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/queue/read_ahead_kb", name);
    if (!rf_sysroot_exists (self->sysroot, path))
        return NULL;
    const RfDisk *disk = find_disk (self, name);
    RfReadahead *readahead = g_new0 (RfReadahead, 1);
    readahead->instance = g_strdup (name);
    readahead->path = g_steal_pointer (&path);
    readahead->stable_id = g_strdup (disk != NULL ? disk->stable_id : NULL);
    return readahead;
}

/* btrfs reads through a bdi of its own (4 MiB by default), whatever the disk says; visible in sysfs since 5.9 */
static RfReadahead *
readahead_of_use (const Layers *self, const Use *use)
{
    if (use->btrfs_uuid == NULL)
        return readahead_of_disk (self, ((const RfBlock *)use->devices->pdata[0])->disk);
    g_autofree char *link_path = g_strdup_printf ("sys/fs/btrfs/%s/bdi", use->btrfs_uuid);
    g_autofree char *link = rf_sysroot_readlink (self->sysroot, link_path);
    g_autofree char *path = g_strdup_printf ("%s/read_ahead_kb", link_path);
    if (link == NULL || !rf_sysroot_exists (self->sysroot, path))
        return NULL;
    RfReadahead *readahead = g_new0 (RfReadahead, 1);
    readahead->instance = g_path_get_basename (link);
    readahead->path = g_steal_pointer (&path);
    readahead->stable_id = g_strdup_printf ("btrfs:%s", use->btrfs_uuid);
    return readahead;
}

/* the use by which a person knows @instance best, so far */
static void
add_readahead (const Layers *self, const Use *use, GHashTable *targets)
{
    RfReadahead *readahead = readahead_of_use (self, use);
    if (readahead == NULL)
        return;
    RfReadahead *known = (RfReadahead *)rf_facts_find_readahead (self->facts, readahead->instance);
    if (known != NULL && !is_better_target (use->target, g_hash_table_lookup (targets, known->instance))) {
        readahead_free (readahead);
        return;
    }
    if (known == NULL)
        g_ptr_array_add (self->facts->readahead, readahead);
    else
        readahead_free (readahead);
    known = known != NULL ? known : readahead;
    known->rules = TRUE;
    g_free (known->label);
    known->label = g_strdup_printf ("%s on %s", use->type, use->target);
    g_hash_table_insert (targets, known->instance, (gpointer)use->target);
}

static void
read_readahead (const Layers *self)
{
    g_autoptr (GHashTable) targets = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < self->uses->len; i++) {
        const Use *use = self->uses->pdata[i];
        if (use->target != NULL && !is_for_boot (use->target) && lies_on_nvme (self, use))
            add_readahead (self, use, targets);
    }
    for (guint i = 0; i < self->facts->disks->len; i++) {
        const RfDisk *disk = self->facts->disks->pdata[i];
        gboolean used = FALSE;
        for (char **target = disk->mount_points; *target != NULL; target++)
            used |= !is_for_boot (*target);
        if (disk->kind != RF_DISK_NVME || !rf_disk_is_tunable (disk) || !used
            || rf_facts_find_readahead (self->facts, disk->name) != NULL)
            continue;
        RfReadahead *below = readahead_of_disk (self, disk->name);
        if (below == NULL)
            continue;
        guint n = g_strv_length (disk->layers);
        below->label = g_strdup_printf ("%s below %s", disk->name, n > 0 ? disk->layers[n - 1] : "a file system");
        g_ptr_array_add (self->facts->readahead, below);
    }
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
block_of_swap (const Layers *self, const RfSwapDevice *swap)
{
    if (swap->kind == RF_SWAP_PARTITION || swap->kind == RF_SWAP_ZRAM)
        return rf_blocks_find_path (self->blocks, swap->path);
    const RfMount *mount = swap->kind == RF_SWAP_FILE ? rf_mounts_find (self->mounts, swap->path) : NULL;
    if (mount == NULL)
        return NULL;
    Use *use = use_of_mount (self, mount);
    const RfBlock *block = use->devices->len > 0 ? use->devices->pdata[0] : NULL;
    use_free (use);
    return block;
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
add_swap (const Layers *self, const RfSwapEntry *entry)
{
    RfSwapDevice *swap = g_new0 (RfSwapDevice, 1);
    swap->path = g_strdup (entry->path);
    swap->kind = kind_of_swap (entry);
    swap->size_bytes = entry->size_bytes;
    swap->priority = entry->priority;
    g_ptr_array_add (self->facts->swaps, swap);
    const RfBlock *block = block_of_swap (self, swap);
    if (block == NULL)
        return;
    if (swap->kind != RF_SWAP_FILE) {
        Use *use = g_new0 (Use, 1);
        use->type = "swap";
        use->devices = g_ptr_array_new ();
        add_device (use->devices, block);
        g_ptr_array_add (self->uses, use);
    }
    if (swap->kind == RF_SWAP_ZRAM)
        return;
    g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, block);
    for (guint i = 0; i < below->len; i++)
        swap->encrypted |= rf_block_is_encrypted (below->pdata[i]);
    swap->disk = g_strdup (rf_blocks_bottom (self->blocks, block)->name);
    const RfDisk *disk = find_disk (self, swap->disk);
    for (char **target = disk != NULL ? disk->mount_points : NULL; target != NULL && *target != NULL; target++)
        swap->on_data_disk |= !is_for_boot (*target);
}

void
rf_layers_read (RfSysroot *sysroot, const RfBlocks *blocks, RfFacts *facts)
{
    g_autoptr (GPtrArray) mounts = rf_mounts_read (sysroot);
    g_autoptr (GPtrArray) uses = g_ptr_array_new_with_free_func (use_free);
    Layers self = {.sysroot = sysroot, .blocks = blocks, .mounts = mounts, .uses = uses, .facts = facts};
    for (guint i = 0; i < mounts->len; i++)
        g_ptr_array_add (uses, use_of_mount (&self, mounts->pdata[i]));
    facts->swaps = g_ptr_array_new_with_free_func (swap_free);
    facts->readahead = g_ptr_array_new_with_free_func (readahead_free);
    note_mount_points (&self);
    g_auto (RfSwaps) swaps = {0};
    rf_swaps_read (sysroot, &swaps);
    for (guint i = 0; i < swaps.entries->len; i++)
        add_swap (&self, swaps.entries->pdata[i]);
    for (guint i = 0; i < facts->disks->len; i++)
        note_layers (&self, facts->disks->pdata[i]);
    read_readahead (&self);
}
