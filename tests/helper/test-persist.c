#define G_LOG_DOMAIN "test-persist"
#include "config.h"

#include <string.h>

#include "rf-test-rig.h"

#define HEADER                                                                                                         \
    "# Written by Ruckelfrei. Rewritten or removed when settings are kept or taken back; do not edit.\n"               \
    "# Take everything back: ruckelfreictl revert --all\n"
#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define UDEV_FILE "etc/udev/rules.d/99-zz-ruckelfrei.rules"
#define TRIAL_FILE "run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"

static RfRecord *
record (guint number, const char *lines, RfRecordState state)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    g_autofree char *id = g_strdup_printf ("20261130T140300Z-%08x", number);
    RfRecord *made = rf_record_new_from_plan (plan, id, 1);
    made->state = state;
    for (guint i = 0; i < made->entries->len; i++)
        ((RfRecordEntry *)g_ptr_array_index (made->entries, i))->state = RF_ENTRY_APPLIED;
    return made;
}

static void
set_stable_id (const RfRecord *made, const char *instance, const char *stable_id)
{
    for (guint i = 0; i < made->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (made->entries, i);
        if (g_str_equal (entry->instance, instance))
            entry->stable_id = g_strdup (stable_id);
    }
}

static GPtrArray *
records_new (void)
{
    return g_ptr_array_new_with_free_func ((GDestroyNotify)rf_record_free);
}

static void
test_sysctl (void)
{
    g_autoptr (GPtrArray) records = records_new ();
    g_auto (RfPersistTexts) texts = {{NULL}};
    g_ptr_array_add (records, record (1,
                                      "vm.swappiness 90\nvm.dirty bytes:268435456\nvm.dirty_background ratio:5\n"
                                      "net.ipv4.tcp_rmem 4096 131072 6291456",
                                      RF_RECORD_KEPT));
    g_ptr_array_add (records, record (2, "vm.page-cluster 0", RF_RECORD_REVERTED));
    g_ptr_array_add (records, record (3, "vm.swappiness 30", RF_RECORD_KEEPING));
    g_ptr_array_add (records, record (4, "vm.swappiness 10\nvm.watermark_scale_factor 100", RF_RECORD_TRIAL));
    rf_persist_render (records, FALSE, &texts);
    g_assert_cmpstr (texts.text[RF_PERSIST_SYSCTL], ==,
                     HEADER "vm.dirty_background_ratio = 5\nvm.dirty_bytes = 268435456\nvm.swappiness = 30\n"
                            "net.ipv4.tcp_rmem = 4096 131072 6291456\n");
    g_assert_null (texts.text[RF_PERSIST_UDEV]);
    g_assert_null (texts.text[RF_PERSIST_UDEV_TRIAL]);
    g_assert_null (texts.text[RF_PERSIST_ZRAM_GENERATOR]);
}

static void
test_udev (void)
{
    g_autoptr (GPtrArray) records = records_new ();
    g_auto (RfPersistTexts) texts = {{NULL}};
    RfRecord *kept = record (1,
                             "block.scheduler@nvme0n1 none\nblock.scheduler@nvme1n1 mq-deadline\n"
                             "block.read_ahead_kb@dm-0 512\nblock.read_ahead_kb@btrfs-1 1024",
                             RF_RECORD_KEPT);
    set_stable_id (kept, "nvme0n1", "eui.002538b971047a11");
    /* a name that would break out of the rule */
    set_stable_id (kept, "nvme1n1", "nvme.8086-\", RUN+=\"/bin/sh*[x]");
    set_stable_id (kept, "dm-0", "CRYPT-LUKS2-9c0e1f5a-root");
    set_stable_id (kept, "btrfs-1", "btrfs:6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111");
    g_ptr_array_add (records, kept);
    RfRecord *trial = record (2, "block.scheduler@nvme2n1 none\nblock.wbt_lat_usec@nvme3n1 0", RF_RECORD_TRIAL);
    set_stable_id (trial, "nvme2n1", "6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111");
    set_stable_id (trial, "nvme3n1", "diskseq:12");
    g_ptr_array_add (records, trial);
    rf_persist_render (records, FALSE, &texts);
    g_assert_cmpstr (texts.text[RF_PERSIST_UDEV], ==,
                     HEADER
                     "ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\"nvme*n*\", "
                     "ATTR{wwid}==\"eui.002538b971047a11\", TEST==\"queue/scheduler\", ATTR{queue/scheduler}=\"none\"\n"
                     "ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\"nvme*n*\", "
                     "ATTR{wwid}==\"nvme.8086-???RUN+???bin?sh??x?\", TEST==\"queue/scheduler\", "
                     "ATTR{queue/scheduler}=\"mq-deadline\"\n"
                     "ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", "
                     "ATTR{dm/uuid}==\"CRYPT-LUKS2-9c0e1f5a-root\", TEST==\"queue/read_ahead_kb\", "
                     "ATTR{queue/read_ahead_kb}=\"512\"\n");
    g_assert_cmpstr (texts.text[RF_PERSIST_UDEV_TRIAL], ==,
                     HEADER "ACTION!=\"remove\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", KERNEL==\"nvme*n*\", "
                            "ATTR{uuid}==\"6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111\", TEST==\"queue/scheduler\", "
                            "ATTR{queue/scheduler}=\"none\"\n");
}

static void
test_zram (void)
{
    g_autoptr (GPtrArray) records = records_new ();
    g_auto (RfPersistTexts) with = {{NULL}};
    g_auto (RfPersistTexts) without = {{NULL}};
    g_ptr_array_add (records, record (1, "swap.zram 4294967296 lz4 100", RF_RECORD_KEPT));
    rf_persist_render (records, TRUE, &with);
    g_assert_cmpstr (with.text[RF_PERSIST_ZRAM_GENERATOR], ==,
                     HEADER "[zram0]\nzram-size = 4096\ncompression-algorithm = lz4\nswap-priority = 100\n");
    rf_persist_render (records, FALSE, &without);
    for (guint i = 0; i < RF_N_PERSIST; i++)
        g_assert_null (without.text[i]);
    const RfRecord *kept = g_ptr_array_index (records, 0);
    g_assert_true (rf_persist_needs_boot (g_ptr_array_index (kept->entries, 0), FALSE));
    g_assert_false (rf_persist_needs_boot (g_ptr_array_index (kept->entries, 0), TRUE));
}

/* A file of that name that is not ours: put away, and there again afterwards. */
static void
test_foreign_file (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_set (rig->tree, SYSCTL_FILE, "# mine\nvm.swappiness = 42\n");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    rf_test_rig_assert_file (rig, SYSCTL_FILE, HEADER "vm.swappiness = 100\n");
    /* writing again must not take our own text for theirs */
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.page-cluster 0"));
    rf_test_rig_assert_file (rig, SYSCTL_FILE, HEADER "vm.page-cluster = 0\nvm.swappiness = 100\n");
    g_autoptr (GPtrArray) touched = NULL;
    g_assert_true (
        rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL, &touched, NULL));
    rf_test_rig_assert_file (rig, SYSCTL_FILE, "# mine\nvm.swappiness = 42\n");
}

/* Somebody replaced our file by their own meanwhile: it stays theirs. */
static void
test_replaced_file (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    rf_test_tree_set (rig->tree, SYSCTL_FILE, "# theirs now\n");
    rf_test_rig_revert (rig, kept);
    rf_test_rig_assert_file (rig, SYSCTL_FILE, "# theirs now\n");
}

/* A link at our place (an immutable system's store, or an attack) is not written through. */
static void
test_link (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_tree_set (rig->tree, "store/file", "not ours\n");
    rf_test_tree_mkdir (rig->tree, "etc/sysctl.d");
    rf_test_tree_symlink (rig->tree, SYSCTL_FILE, "../../store/file");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.swappiness 100");
    g_assert_false (rf_keeper_run (rig->machine, rig->facts, rig->journal, kept, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
    rf_test_rig_assert_file (rig, "store/file", "not ours\n");
    g_assert_cmpint (kept->state, ==, RF_RECORD_TRIAL);
}

/* Ours was replaced by a link: that is how it shall be from now on. What lay there before us does not come back when the
 * link is gone. */
static void
test_replaced_by_link (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_set (rig->tree, SYSCTL_FILE, "vm.swappiness = 30\n");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0");
    rf_test_rig_keep (rig, kept);
    rf_test_tree_remove (rig->tree, SYSCTL_FILE);
    rf_test_tree_symlink (rig->tree, SYSCTL_FILE, "/dev/null");
    rf_test_rig_revert (rig, kept);
    rf_test_tree_remove (rig->tree, SYSCTL_FILE);
    RfRecord *later = rf_test_rig_apply (rig, "vm.page-cluster 0");
    rf_test_rig_revert (rig, later);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
}

/* A disk without an identity can be tried, but not kept. */
static void
test_no_identity (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_tree_remove (rig->tree, "sys/block/nvme0n1/wwid");
    rf_test_tree_remove (rig->tree, "sys/block/nvme0n1/device/serial");
    rf_test_rig_reopen (rig);
    RfRecord *tried = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
    const RfRecordEntry *entry = g_ptr_array_index (tried->entries, 0);
    g_assert_cmpstr (entry->stable_id, ==, "diskseq:9");
    g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
    g_assert_false (rf_keeper_run (rig->machine, rig->facts, rig->journal, tried, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
    g_assert_cmpint (tried->state, ==, RF_RECORD_TRIAL);
}

static guint reloads;

static gboolean
counting_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    g_autofree char *line = g_strjoinv (" ", (char **)argv);
    /* never anything else: a trigger would stall the desktop's input (snapd#3937) */
    g_assert_cmpstr (line, ==, "udevadm control --reload");
    reloads++;
    return TRUE;
}

static void
test_udev_reload (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rig->ops.run = counting_run;
    rf_test_tree_set (rig->tree, "run/udev/control", "");
    RfRecord *tried = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
    g_assert_cmpuint (reloads, ==, 1);
    rf_test_rig_keep (rig, tried);
    g_assert_cmpuint (reloads, ==, 2);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 100"));
    g_assert_cmpuint (reloads, ==, 2);
    rf_test_rig_revert (rig, tried);
    g_assert_cmpuint (reloads, ==, 3);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/persist/sysctl", test_sysctl);
    g_test_add_func ("/helper/persist/udev", test_udev);
    g_test_add_func ("/helper/persist/zram", test_zram);
    g_test_add_func ("/helper/persist/foreign-file", test_foreign_file);
    g_test_add_func ("/helper/persist/replaced-file", test_replaced_file);
    g_test_add_func ("/helper/persist/link", test_link);
    g_test_add_func ("/helper/persist/replaced-by-link", test_replaced_by_link);
    g_test_add_func ("/helper/persist/no-identity", test_no_identity);
    g_test_add_func ("/helper/persist/udev-reload", test_udev_reload);
    return g_test_run ();
}
