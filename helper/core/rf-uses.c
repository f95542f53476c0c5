#define G_LOG_DOMAIN "rf-uses"
#include "config.h"

#include "rf-uses.h"

#include <string.h>

void
rf_use_free (RfUse *use)
{
    g_free (use->btrfs_uuid);
    g_ptr_array_unref (use->devices);
    g_free (use);
}

/* what the firmware and the boot loader read: no program waits for it */
gboolean
rf_use_is_for_boot (const char *target)
{
    return target != NULL
           && (g_str_equal (target, "/boot") || g_str_has_prefix (target, "/boot/") || g_str_equal (target, "/efi")
               || g_str_has_prefix (target, "/efi/"));
}

/* "/" before all, boot last, else the shorter one: "/home" tells more than "/home/anna/music" */
gboolean
rf_use_is_better_target (const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a != NULL;
    if (rf_use_is_for_boot (a) != rf_use_is_for_boot (b))
        return rf_use_is_for_boot (b);
    return strlen (a) < strlen (b);
}

/* btrfs has an anonymous device number. The members are listed in sysfs, and what was given to mount is one of them;
 * an initrd-less boot gives "/dev/root", which is clear only if there is one btrfs. */
static char *
find_btrfs (const RfUses *self, const char *source)
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
add_sources (const RfUses *self, const char *source, GPtrArray *devices)
{
    /* bcachefs names its members with colons between */
    g_auto (GStrv) parts = g_strsplit (source, ":", -1);
    for (char **part = parts; *part != NULL; part++)
        add_device (devices, rf_blocks_find_path (self->blocks, *part));
}

RfUse *
rf_uses_of_mount (const RfUses *self, const RfMount *mount)
{
    RfUse *use = g_new0 (RfUse, 1);
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

RfUses *
rf_uses_new (RfSysroot *sysroot, const RfBlocks *blocks)
{
    RfUses *self = g_new0 (RfUses, 1);
    self->sysroot = g_object_ref (sysroot);
    self->blocks = blocks;
    self->mounts = rf_mounts_read (sysroot);
    self->all = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_use_free);
    for (guint i = 0; i < self->mounts->len; i++)
        g_ptr_array_add (self->all, rf_uses_of_mount (self, self->mounts->pdata[i]));
    return self;
}

void
rf_uses_free (RfUses *self)
{
    g_ptr_array_unref (self->all);
    g_ptr_array_unref (self->mounts);
    g_object_unref (self->sysroot);
    g_free (self);
}

void
rf_uses_add_swap (RfUses *self, const RfBlock *block)
{
    RfUse *use = g_new0 (RfUse, 1);
    use->type = "swap";
    use->devices = g_ptr_array_new ();
    add_device (use->devices, block);
    g_ptr_array_add (self->all, use);
}
