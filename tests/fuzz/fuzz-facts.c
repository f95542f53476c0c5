/* A whole machine from outside: what /proc, /sys and the configuration of others can say about drives, swap and their
 * owners. The input is a list of files: a byte that says which one, its content up to the next byte 0. */
#include "rf-fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "rf-catalogue.h"
#include "rf-current.h"
#include "rf-facts.h"

static const char *const files[] = {
    "proc/meminfo",
    "proc/swaps",
    "proc/self/mountinfo",
    "proc/cmdline",
    "proc/version",
    "proc/sys/kernel/osrelease",
    "proc/sys/vm/swappiness",
    "proc/sys/vm/dirty_ratio",
    "proc/sys/vm/dirty_bytes",
    "proc/sys/net/ipv4/tcp_rmem",
    "sys/block/nvme0n1/wwid",
    "sys/block/nvme0n1/uuid",
    "sys/block/nvme0n1/dev",
    "sys/block/nvme0n1/diskseq",
    "sys/block/nvme0n1/size",
    "sys/block/nvme0n1/device/model",
    "sys/block/nvme0n1/device/serial",
    "sys/block/nvme0n1/queue/scheduler",
    "sys/block/nvme0n1/queue/rotational",
    "sys/block/nvme0n1/queue/zoned",
    "sys/block/nvme0n1/queue/wbt_lat_usec",
    "sys/block/nvme0n1/queue/read_ahead_kb",
    "sys/block/dm-0/dm/uuid",
    "sys/block/dm-0/dm/name",
    "sys/block/dm-0/dev",
    "sys/block/md0/md/level",
    "sys/block/md0/md/uuid",
    "sys/block/zram0/disksize",
    "sys/block/zram0/initstate",
    "sys/block/zram0/comp_algorithm",
    "sys/kernel/mm/lru_gen/enabled",
    "sys/kernel/mm/transparent_hugepage/enabled",
    "sys/class/dmi/id/sys_vendor",
    "sys/hypervisor/type",
    "run/ruckelfrei/zram",
    "etc/systemd/zram-generator.conf",
    "etc/systemd/zram-generator.conf.d/50-x.conf",
    "usr/lib/systemd/system-generators/zram-generator",
    "etc/systemd/swap.conf",
    "etc/systemd/system/multi-user.target.wants/systemd-swap.service",
    "etc/udev/rules.d/50-x.rules",
    "usr/lib/modules/6/modules.dep",
};

static char *root;

static void
remove_root (void)
{
    const char *const argv[] = {"rm", "-rf", root, NULL};
    g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

static void
set_up (void)
{
    root = g_dir_make_tmp ("rf-fuzz-facts-XXXXXX", NULL);
    g_assert_nonnull (root);
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *path = g_build_filename (root, files[i], NULL);
        g_autofree char *folder = g_path_get_dirname (path);
        g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    }
    g_autofree char *holders = g_build_filename (root, "sys/block/nvme0n1/holders/dm-0", NULL);
    g_autofree char *slaves = g_build_filename (root, "sys/block/dm-0/slaves/nvme0n1", NULL);
    g_mkdir_with_parents (holders, 0700);
    g_mkdir_with_parents (slaves, 0700);
    atexit (remove_root);
}

static void
write_files (const char *data, gsize size)
{
    for (gsize at = 0; at < size;) {
        const char *end = memchr (data + at + 1, '\0', size - at - 1);
        gsize next = end != NULL ? (gsize)(end - data) : size;
        g_autofree char *path = g_build_filename (root, files[(guchar)data[at] % G_N_ELEMENTS (files)], NULL);
        FILE *file = fopen (path, "we");
        g_assert_nonnull (file);
        fwrite (data + at + 1, 1, next - at - 1, file);
        fclose (file);
        at = next + 1;
    }
}

static void
check (RfSysroot *sysroot, const RfFacts *facts)
{
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = g_ptr_array_index (facts->disks, i);
        g_assert_true (rf_facts_find_disk (facts, disk->name) == disk);
        /* it becomes part of a udev rule and of a record */
        for (const char *p = disk->stable_id; p != NULL && *p != '\0'; p++)
            g_assert_true (g_ascii_isprint (*p));
        g_assert_true (disk->model == NULL || g_utf8_validate (disk->model, -1, NULL));
        for (char **layer = disk->layers; layer != NULL && *layer != NULL; layer++)
            g_assert_true (g_utf8_validate (*layer, -1, NULL));
    }
    gsize n = 0;
    const RfTunable *tunables = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&tunables[i], facts);
        for (char **instance = instances; *instance != NULL; instance++) {
            g_autoptr (GError) error = NULL;
            RfValue value;
            gboolean ok = rf_current_read (sysroot, facts, &tunables[i], *instance, &value, &error);
            g_assert_true (ok == (error == NULL));
            g_auto (GStrv) choices = rf_current_choices (sysroot, &tunables[i], *instance);
        }
    }
}

RF_FUZZ (data, size)
{
    if (root == NULL)
        set_up ();
    write_files (data, MIN (size, 16384));
    g_autoptr (RfSysroot) sysroot = rf_sysroot_new (root);
    g_autoptr (RfFacts) facts = rf_facts_read (sysroot);
    check (sysroot, facts);
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *path = g_build_filename (root, files[i], NULL);
        g_unlink (path);
    }
}
