#define G_LOG_DOMAIN "rf-blocks"
#include "config.h"

#include "rf-blocks.h"

#include <string.h>

#include "rf-text.h"

static void
block_free (gpointer data)
{
    RfBlock *block = data;
    g_free (block->name);
    g_free (block->disk);
    g_ptr_array_unref (block->below);
    g_free (block->dm_name);
    g_free (block->dm_uuid);
    g_free (block);
}

static char *
read_line (RfSysroot *sysroot, const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    return rf_sysroot_read_line (sysroot, path);
}

static const char *
skip_digits (const char *text)
{
    while (g_ascii_isdigit (*text))
        text++;
    return text;
}

gboolean
rf_blocks_nvme_path (const char *name, char **head)
{
    if (!g_str_has_prefix (name, "nvme"))
        return FALSE;
    const char *subsystem_end = skip_digits (name + 4);
    if (subsystem_end == name + 4 || *subsystem_end != 'c')
        return FALSE;
    const char *controller_end = skip_digits (subsystem_end + 1);
    if (controller_end == subsystem_end + 1 || *controller_end != 'n')
        return FALSE;
    const char *end = skip_digits (controller_end + 1);
    if (end == controller_end + 1 || *end != '\0')
        return FALSE;
    if (head != NULL)
        *head = g_strdup_printf ("%.*s%s", (int)(subsystem_end - name), name, controller_end);
    return TRUE;
}

static RfBlock *
add_block (RfBlocks *self, const char *folder, const char *name, const char *disk)
{
    RfBlock *block = g_new0 (RfBlock, 1);
    block->name = g_strdup (name);
    block->disk = g_strdup (disk);
    block->below = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *dev = read_line (self->sysroot, folder, "dev");
    g_autofree char *hidden = read_line (self->sysroot, folder, "hidden");
    guint64 major, minor;
    g_auto (GStrv) parts = g_strsplit (dev != NULL ? dev : "", ":", 3);
    if (g_strv_length (parts) == 2 && rf_text_to_uint64 (parts[0], &major) && rf_text_to_uint64 (parts[1], &minor)) {
        block->major = (guint)major;
        block->minor = (guint)minor;
        block->has_number = TRUE;
    }
    block->hidden = g_strcmp0 (hidden, "1") == 0;
    g_ptr_array_add (self->all, block);
    g_hash_table_insert (self->by_name, block->name, block);
    return block;
}

static void
add_partitions (RfBlocks *self, const char *folder, const char *disk)
{
    g_auto (GStrv) entries = rf_sysroot_list (self->sysroot, folder);
    for (char **entry = entries; *entry != NULL; entry++) {
        if (!g_str_has_prefix (*entry, disk))
            continue;
        g_autofree char *sub = g_build_filename (folder, *entry, NULL);
        g_autofree char *number = g_build_filename (sub, "partition", NULL);
        if (!rf_sysroot_exists (self->sysroot, number))
            continue;
        RfBlock *partition = add_block (self, sub, *entry, disk);
        g_ptr_array_add (partition->below, g_strdup (disk));
    }
}

static void
add_disk (RfBlocks *self, const char *name)
{
    g_autofree char *folder = g_build_filename ("sys/block", name, NULL);
    g_autofree char *slaves_path = g_build_filename (folder, "slaves", NULL);
    RfBlock *block = add_block (self, folder, name, name);
    block->dm_name = read_line (self->sysroot, folder, "dm/name");
    block->dm_uuid = read_line (self->sysroot, folder, "dm/uuid");
    g_auto (GStrv) slaves = rf_sysroot_list (self->sysroot, slaves_path);
    for (char **slave = slaves; *slave != NULL; slave++)
        g_ptr_array_add (block->below, g_strdup (*slave));
    add_partitions (self, folder, name);
}

/* sysfs says nothing that leads from a head to its paths on kernels before 6.15: the names do. */
static void
connect_multipath (RfBlocks *self)
{
    for (guint i = 0; i < self->all->len; i++) {
        const RfBlock *path = self->all->pdata[i];
        g_autofree char *head_name = NULL;
        if (!rf_blocks_nvme_path (path->name, &head_name))
            continue;
        RfBlock *head = g_hash_table_lookup (self->by_name, head_name);
        if (head != NULL)
            g_ptr_array_add (head->below, g_strdup (path->name));
    }
}

RfBlocks *
rf_blocks_new (RfSysroot *sysroot)
{
    RfBlocks *self = g_new0 (RfBlocks, 1);
    self->sysroot = g_object_ref (sysroot);
    self->all = g_ptr_array_new_with_free_func (block_free);
    self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
    g_auto (GStrv) names = rf_sysroot_list (sysroot, "sys/block");
    for (char **name = names; *name != NULL; name++)
        add_disk (self, *name);
    connect_multipath (self);
    return self;
}

void
rf_blocks_free (RfBlocks *self)
{
    g_hash_table_unref (self->by_name);
    g_ptr_array_unref (self->all);
    g_object_unref (self->sysroot);
    g_free (self);
}

const RfBlock *
rf_blocks_find (const RfBlocks *self, const char *name)
{
    return g_hash_table_lookup (self->by_name, name);
}

const RfBlock *
rf_blocks_find_number (const RfBlocks *self, guint major, guint minor)
{
    for (guint i = 0; i < self->all->len; i++) {
        const RfBlock *block = self->all->pdata[i];
        if (block->has_number && block->major == major && block->minor == minor)
            return block;
    }
    return NULL;
}

static const RfBlock *
find_dm_name (const RfBlocks *self, const char *name)
{
    for (guint i = 0; i < self->all->len; i++) {
        const RfBlock *block = self->all->pdata[i];
        if (g_strcmp0 (block->dm_name, name) == 0)
            return block;
    }
    return NULL;
}

const RfBlock *
rf_blocks_find_path (const RfBlocks *self, const char *path)
{
    if (!g_str_has_prefix (path, "/dev/"))
        return NULL;
    const char *name = path + strlen ("/dev/");
    if (g_str_has_prefix (name, "mapper/")) {
        const RfBlock *mapped = find_dm_name (self, name + strlen ("mapper/"));
        if (mapped != NULL)
            return mapped;
    }
    /* the kernel writes "!" for "/" in names like cciss!c0d0 */
    g_autofree char *kernel_name = g_strdelimit (g_strdup (name), "/", '!');
    const RfBlock *direct = rf_blocks_find (self, kernel_name);
    if (direct != NULL)
        return direct;
    g_autofree char *target = rf_sysroot_readlink (self->sysroot, path + 1);
    g_autofree char *base = target != NULL ? g_path_get_basename (target) : NULL;
    return base != NULL ? rf_blocks_find (self, base) : NULL;
}

GPtrArray *
rf_blocks_below (const RfBlocks *self, const RfBlock *block)
{
    GPtrArray *found = g_ptr_array_new ();
    g_ptr_array_add (found, (gpointer)block);
    for (guint i = 0; i < found->len; i++) {
        const RfBlock *at = found->pdata[i];
        for (guint k = 0; k < at->below->len; k++) {
            const RfBlock *next = rf_blocks_find (self, at->below->pdata[k]);
            if (next != NULL && !g_ptr_array_find (found, next, NULL))
                g_ptr_array_add (found, (gpointer)next);
        }
    }
    return found;
}

const RfBlock *
rf_blocks_bottom (const RfBlocks *self, const RfBlock *block)
{
    g_autoptr (GPtrArray) below = rf_blocks_below (self, block);
    for (guint i = 0; i < below->len; i++) {
        const RfBlock *at = below->pdata[i];
        const RfBlock *next = at->below->len > 0 ? rf_blocks_find (self, at->below->pdata[0]) : NULL;
        if (next == NULL || rf_blocks_nvme_path (next->name, NULL))
            return at;
    }
    return block;
}

gboolean
rf_block_is_whole (const RfBlock *block)
{
    return g_str_equal (block->name, block->disk);
}

gboolean
rf_block_is_encrypted (const RfBlock *block)
{
    return block->dm_uuid != NULL && g_str_has_prefix (block->dm_uuid, "CRYPT-")
           && !g_str_has_prefix (block->dm_uuid, "CRYPT-VERITY-")
           && !g_str_has_prefix (block->dm_uuid, "CRYPT-INTEGRITY-")
           && !g_str_has_prefix (block->dm_uuid, "CRYPT-SUBDEV-");
}
