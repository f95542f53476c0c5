#define G_LOG_DOMAIN "rf-readahead"
#include "config.h"

#include "rf-facts-private.h"

/* Only NVMe: other disks are not touched, so their stacks are not either. */
static gboolean
lies_on_nvme (const RfUses *self, const RfFacts *facts, const RfUse *use)
{
    for (guint i = 0; i < use->devices->len; i++) {
        g_autoptr (GPtrArray) below = rf_blocks_below (self->blocks, use->devices->pdata[i]);
        for (guint k = 0; k < below->len; k++) {
            const RfBlock *block = below->pdata[k];
            const RfDisk *disk = block->below->len == 0 ? rf_facts_find_disk (facts, block->name) : NULL;
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
readahead_of_disk (RfSysroot *sysroot, const RfFacts *facts, const char *name)
{
    g_autofree char *path = g_strdup_printf ("sys/block/%s/queue/read_ahead_kb", name);
    if (!rf_sysroot_exists (sysroot, path))
        return NULL;
    const RfDisk *disk = rf_facts_find_disk (facts, name);
    RfReadahead *readahead = g_new0 (RfReadahead, 1);
    readahead->instance = g_strdup (name);
    readahead->path = g_steal_pointer (&path);
    readahead->stable_id = g_strdup (disk != NULL ? disk->stable_id : NULL);
    return readahead;
}

/* btrfs reads through a bdi of its own (4 MiB by default), whatever the disk says; visible in sysfs since 5.9 */
static RfReadahead *
readahead_of_use (const RfUses *self, const RfFacts *facts, const RfUse *use)
{
    if (use->btrfs_uuid == NULL)
        return readahead_of_disk (self->sysroot, facts, ((const RfBlock *)use->devices->pdata[0])->disk);
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
add_readahead (const RfUses *self, RfFacts *facts, const RfUse *use, GHashTable *targets)
{
    RfReadahead *readahead = readahead_of_use (self, facts, use);
    if (readahead == NULL)
        return;
    RfReadahead *known = (RfReadahead *)rf_facts_find_readahead (facts, readahead->instance);
    if (known != NULL && !rf_use_is_better_target (use->target, g_hash_table_lookup (targets, known->instance))) {
        readahead_free (readahead);
        return;
    }
    if (known == NULL)
        g_ptr_array_add (facts->readahead, readahead);
    else
        readahead_free (readahead);
    known = known != NULL ? known : readahead;
    known->rules = TRUE;
    g_free (known->label);
    g_autofree char *target = g_utf8_make_valid (use->target, -1);
    known->label = g_strdup_printf ("%s on %s", use->type, target);
    g_hash_table_insert (targets, known->instance, (gpointer)use->target);
}

void
rf_readahead_read (const RfUses *self, RfFacts *facts)
{
    facts->readahead = g_ptr_array_new_with_free_func (readahead_free);
    g_autoptr (GHashTable) targets = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < self->all->len; i++) {
        const RfUse *use = self->all->pdata[i];
        if (use->target != NULL && !rf_use_is_for_boot (use->target) && lies_on_nvme (self, facts, use))
            add_readahead (self, facts, use, targets);
    }
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = facts->disks->pdata[i];
        gboolean used = FALSE;
        for (char **target = disk->mount_points; *target != NULL; target++)
            used |= !rf_use_is_for_boot (*target);
        if (disk->kind != RF_DISK_NVME || !rf_disk_is_tunable (disk) || !used
            || rf_facts_find_readahead (facts, disk->name) != NULL)
            continue;
        RfReadahead *below = readahead_of_disk (self->sysroot, facts, disk->name);
        if (below == NULL)
            continue;
        guint n = g_strv_length (disk->layers);
        below->label = g_strdup_printf ("%s below %s", disk->name, n > 0 ? disk->layers[n - 1] : "a file system");
        g_ptr_array_add (facts->readahead, below);
    }
}
