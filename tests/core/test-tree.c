#include "config.h"

#include "rf-test-tree.h"

/* the library that other tests stand on */
static void
building (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autofree char *root = g_strdup (rf_test_tree_root (tree));
    rf_test_tree_apply (tree, "# comment\n\n== a/b c\none\n\ntwo\n\n=@ sys/x\n= ./y 1 2\n=> link -> sys/x\n=/ empty\n"
                              "= gone 1\n=- gone\n== bad\n!errno EINVAL\n== nothing\n");
    g_autofree char *dump = rf_test_tree_dump (tree, "");
    g_assert_cmpstr (dump, ==,
                     "== a/b c\none\n\ntwo\n== bad\n!errno EINVAL\n=/ empty\n=> link -> sys/x\n== nothing\n"
                     "== sys/x/y\n1 2\n");
    rf_test_tree_set (tree, "link/y", "3\n");
    g_autofree char *through = rf_test_tree_get (tree, "sys/x/y");
    g_assert_cmpstr (through, ==, "3\n");
    g_autofree char *part = rf_test_tree_dump (tree, "sys");
    g_assert_cmpstr (part, ==, "== sys/x/y\n3\n");
    RfAvail avail;
    g_assert_null (rf_sysroot_read_avail (rf_test_tree_sysroot (tree), "bad", NULL, &avail));
    g_assert_cmpint (avail, ==, RF_AVAIL_MALFORMED);
    rf_test_tree_remove (tree, "sys");
    g_assert_false (rf_test_tree_exists (tree, "sys/x/y"));
    g_assert_true (rf_test_tree_exists (tree, "link"));
    g_clear_pointer (&tree, rf_test_tree_free);
    g_assert_false (g_file_test (root, G_FILE_TEST_EXISTS));
}

/* what every machine must bring, so that no test reads the machine it runs on by a gap in the fixture */
static void
machines (void)
{
    static const char *const names[]
        = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath", "container"};
    static const char *const files[] = {
        "proc/meminfo",
        "proc/zoneinfo",
        "proc/vmstat",
        "proc/swaps",
        "proc/diskstats",
        "proc/stat",
        "proc/loadavg",
        "proc/interrupts",
        "proc/pressure/memory",
        "proc/pressure/io",
        "proc/pressure/cpu",
        "proc/self/mountinfo",
        "proc/cmdline",
        "proc/version",
        "proc/sys/kernel/osrelease",
        "proc/sys/kernel/random/boot_id",
        "proc/sys/vm/swappiness",
        "proc/sys/vm/dirty_background_bytes",
        "proc/sys/net/ipv4/tcp_rmem",
        "etc/os-release",
        "etc/sysctl.d",
        "var/lib",
        "run",
        "sys/fs/btrfs",
    };
    for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (names[i]);
        g_test_message ("%s", names[i]);
        for (gsize k = 0; k < G_N_ELEMENTS (files); k++)
            g_assert_true (rf_test_tree_exists (tree, files[k]));
        g_auto (GStrv) disks = rf_sysroot_list (rf_test_tree_sysroot (tree), "sys/block");
        g_assert_cmpuint (g_strv_length (disks), >, 0);
        for (char **disk = disks; *disk != NULL; disk++) {
            g_autofree char *size = g_strdup_printf ("sys/block/%s/size", *disk);
            g_assert_true (rf_sysroot_exists (rf_test_tree_sysroot (tree), size));
        }
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/lib/tree/building", building);
    g_test_add_func ("/lib/tree/machines", machines);
    return g_test_run ();
}
