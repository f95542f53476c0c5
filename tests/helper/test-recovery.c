#define G_LOG_DOMAIN "test-recovery"
#include "config.h"

#include <errno.h>
#include <string.h>

#include "rf-test-rig.h"

#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define TRIAL_FILE "run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"
#define BTRFS "sys/fs/btrfs/6e0f7c1a-3b52-4d0f-8a53-94c9d7b3e111"
#define PLAN "vm.dirty bytes:268435456\nblock.scheduler@nvme0n1 mq-deadline\nvm.page-cluster 0\nvm.swappiness 100"

static void
recover (RfTestRig *rig, gboolean boot)
{
    g_autoptr (GError) error = NULL;
    rf_test_rig_reopen (rig);
    rf_recovery_run (rig->machine, rig->facts, rig->journal, boot, &error);
    g_assert_no_error (error);
}

static const RfRecord *
only_record (RfTestRig *rig)
{
    g_assert_cmpuint (rf_journal_records (rig->journal)->len, ==, 1);
    return g_ptr_array_index (rf_journal_records (rig->journal), 0);
}

/* The process dies with write number n of the apply: everything is as before. The undo that the applier would do is cut
 * off as well, since every later write fails, so the record on disk is what a crash would leave. */
static void
test_crash_in_apply (void)
{
    for (guint n = 1; n <= 4; n++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (RfPlan) plan = rf_test_plan (PLAN);
        RfRecord *record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, NULL);
        g_assert_true (rf_journal_add (rig->journal, record, NULL));
        g_autofree char *pending = rf_record_to_keyfile (record);
        g_autofree char *name = g_strdup_printf ("var/lib/ruckelfrei/journal/%s.record", record->id);
        rf_test_rig_crash_at (rig, n);
        g_assert_false (rf_applier_run (rig->machine, rig->facts, rig->journal, record, NULL, NULL));
        rf_test_rig_crash_at (rig, 0);
        rf_test_tree_set (rig->tree, name, pending);
        recover (rig, FALSE);
        g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
        g_assert_cmpint (only_record (rig)->reason, ==, RF_REASON_RECOVERY);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
    }
}

/* Whatever a drive says it is: what has been written is read again and taken back. */
static void
test_odd_identity (void)
{
    g_autofree char *endless = g_strnfill (300, 'e');
    const char *const names[] = {"nvme.8086-\", RUN+=\"/bin/sh", "two\nlines", "bell\a", "caf\xc3\xa9", "raw\xff\xfe",
                                 "back\\slash;semi=colon",       "[entry 0]",  endless,  " ",           "absent"};
    for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autofree char *line = g_strconcat (names[i], "\n", NULL);
        rf_test_tree_set (rig->tree, "sys/block/nvme0n1/wwid", line);
        rf_test_tree_set (rig->tree, "sys/block/nvme0n1/device/serial", line);
        rf_test_rig_reopen (rig);
        g_free (rig->before);
        rig->before = rf_test_rig_state (rig);
        rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
        recover (rig, FALSE);
        g_assert_true (rf_journal_check (rig->journal, NULL));
        g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
        rf_test_rig_assert_as_before (rig);
    }
}

static void
test_trial (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_apply (rig, PLAN);
    g_assert_true (rf_test_tree_exists (rig->tree, TRIAL_FILE));
    recover (rig, FALSE);
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
    rf_test_rig_assert_as_before (rig);
    g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
}

/* After a reboot the values are the system's own again, also one that happens to equal ours. */
static void
test_trial_and_reboot (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_tree_set (rig->tree, "proc/sys/vm/page-cluster", "3\n");
    rf_test_rig_reboot (rig);
    recover (rig, TRUE);
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", "3\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
}

/* Died while the files were being written: back to before, and no file is left. */
static void
test_keeping (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    g_assert_true (rf_journal_set_state (rig->journal, record, RF_RECORD_KEEPING, RF_REASON_NONE, NULL));
    g_assert_true (rf_persist_sync (rig->machine, rf_journal_records (rig->journal), FALSE, NULL));
    g_assert_true (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    /* even if the machine has booted with those files meanwhile */
    rf_test_rig_reboot (rig);
    recover (rig, TRUE);
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "60\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/dirty_ratio", "20\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/dirty_bytes", "0\n");
}

static void
test_kept (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    g_autofree char *state = rf_test_rig_state (rig);
    g_autofree char *etc = rf_test_tree_dump (rig->tree, "etc");
    recover (rig, TRUE);
    g_autofree char *state_now = rf_test_rig_state (rig);
    g_autofree char *etc_now = rf_test_tree_dump (rig->tree, "etc");
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_KEPT);
    g_assert_true (g_str_equal (state_now, state));
    g_assert_cmpstr (etc_now, ==, etc);
    /* what the administrator has removed is not brought back unasked */
    rf_test_tree_remove (rig->tree, SYSCTL_FILE);
    recover (rig, TRUE);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
}

/* Died in the middle of going back: it is finished, with its own reason. */
static void
test_reverting (void)
{
    for (guint n = 1; n <= 4; n++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        RfRecord *record = rf_test_rig_apply (rig, PLAN);
        rf_test_rig_keep (rig, record);
        rf_test_rig_crash_at (rig, n);
        g_assert_false (
            rf_reverter_run (rig->machine, rig->facts, rig->journal, record, FALSE, RF_REASON_USER, NULL, NULL));
        rf_test_rig_crash_at (rig, 0);
        recover (rig, FALSE);
        g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
        g_assert_cmpint (only_record (rig)->reason, ==, RF_REASON_USER);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    }
}

/* Died between "kept" and marking the older record: the next start does it. */
static void
test_supersede (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *first = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, first);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 30"));
    ((RfRecordEntry *)g_ptr_array_index (first->entries, 0))->state = RF_ENTRY_APPLIED;
    g_assert_true (rf_journal_set_state (rig->journal, first, RF_RECORD_KEPT, RF_REASON_NONE, NULL));
    recover (rig, FALSE);
    first = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_assert_entry (first, 0, RF_ENTRY_SUPERSEDED);
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 1));
    rf_test_rig_assert_as_before (rig);
}

/* What udev cannot bring back, the boot unit does: the read-ahead of btrfs. */
static void
test_boot_btrfs (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.read_ahead_kb@btrfs-1 1024"));
    rf_test_tree_set (rig->tree, "sys/devices/virtual/bdi/btrfs-1/read_ahead_kb", "4096\n");
    rf_test_rig_reboot (rig);
    recover (rig, FALSE);
    rf_test_rig_assert_file (rig, "sys/devices/virtual/bdi/btrfs-1/read_ahead_kb", "4096\n");
    recover (rig, TRUE);
    rf_test_rig_assert_file (rig, "sys/devices/virtual/bdi/btrfs-1/read_ahead_kb", "1024\n");
}

/* The next boot counts it as another number: it is found all the same, at boot and on the way back. */
static void
test_boot_btrfs_renumbered (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.read_ahead_kb@btrfs-1 1024"));
    rf_test_tree_remove (rig->tree, "sys/devices/virtual/bdi/btrfs-1");
    rf_test_tree_remove (rig->tree, BTRFS "/bdi");
    rf_test_tree_set (rig->tree, "sys/devices/virtual/bdi/btrfs-2/read_ahead_kb", "4096\n");
    rf_test_tree_symlink (rig->tree, BTRFS "/bdi", "../../../devices/virtual/bdi/btrfs-2");
    rf_test_rig_reboot (rig);
    recover (rig, TRUE);
    rf_test_rig_assert_file (rig, "sys/devices/virtual/bdi/btrfs-2/read_ahead_kb", "1024\n");
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    rf_test_rig_assert_file (rig, "sys/devices/virtual/bdi/btrfs-2/read_ahead_kb", "4096\n");
}

/* Died while one entry of a kept record was going back: what a file still holds, a record still has. */
static void
test_entry (void)
{
    for (guint step = 0; step < 3; step++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
        rf_test_rig_keep (rig, kept);
        if (step == 0)
            rf_test_rig_fail_write (rig, "vm/swappiness", EIO);
        else if (step == 1)
            rf_test_tree_set (rig->tree, "etc/sysctl.d/.99-zz-ruckelfrei.conf.tmp/in/the/way", "");
        else
            rf_test_tree_remove (rig->tree, "var/lib/ruckelfrei/journal");
        g_assert_false (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 1, FALSE, NULL, NULL));
        rf_test_rig_assert_entry (kept, 1, RF_ENTRY_APPLIED);
        g_autofree char *file = rf_test_tree_get (rig->tree, SYSCTL_FILE);
        g_assert_nonnull (strstr (file, "vm.swappiness = 100\n"));
        rf_test_rig_fail_write (rig, NULL, 0);
        rf_test_tree_remove (rig->tree, "etc/sysctl.d/.99-zz-ruckelfrei.conf.tmp");
        if (step == 2)
            continue;
        g_assert_true (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 1, FALSE, NULL, NULL));
        rf_test_rig_revert (rig, kept);
        rf_test_rig_assert_as_before (rig);
    }
}

/* Two settings of a record wait to be taken back by themselves: when the first is back the second still waits. */
static void
test_two_entries (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    for (guint i = 0; i < 2; i++)
        ((RfRecordEntry *)g_ptr_array_index (kept->entries, i))->state = RF_ENTRY_PLANNED;
    g_assert_true (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 0, FALSE, NULL, NULL));
    rf_test_rig_reopen (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
    rf_test_rig_assert_as_before (rig);
}

static guint lines_at_write;
static RfTestRig *watched;

static int
looking_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *file = rf_test_tree_get (watched->tree, SYSCTL_FILE);
    lines_at_write += file != NULL && strstr (file, "swappiness") != NULL;
    return rf_ops_fixture ()->write_value (self, kernel, relative, text);
}

/* The file loses its line before the value goes back and before the record says so. */
static void
test_entry_order (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    watched = rig;
    lines_at_write = 0;
    rig->ops.write_value = looking_write;
    g_assert_true (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 1, FALSE, NULL, NULL));
    g_assert_cmpuint (lines_at_write, ==, 0);
}

/* Killed in the middle of writing a file below /etc: nothing of it stays. */
static void
test_left_over (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, "vm.swappiness 100");
    g_assert_true (rf_journal_set_state (rig->journal, record, RF_RECORD_KEEPING, RF_REASON_NONE, NULL));
    rf_test_tree_set (rig->tree, "etc/sysctl.d/.99-zz-ruckelfrei.conf.tmp", "# Written by Ruck");
    recover (rig, FALSE);
    g_assert_false (rf_test_tree_exists (rig->tree, "etc/sysctl.d/.99-zz-ruckelfrei.conf.tmp"));
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTED);
}

/* Out of two records one cannot be taken back now: the other one is, and the error is told. */
static void
test_goes_on (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_reopen (rig);
    rf_test_rig_fail_write (rig, "vm/swappiness", EROFS);
    g_assert_false (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_READ_ONLY);
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", "3\n");
    g_assert_cmpint (only_record (rig)->state, ==, RF_RECORD_REVERTING);
    rf_test_rig_fail_write (rig, NULL, 0);
    recover (rig, FALSE);
    rf_test_rig_assert_as_before (rig);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/recovery/crash-in-apply", test_crash_in_apply);
    g_test_add_func ("/helper/recovery/odd-identity", test_odd_identity);
    g_test_add_func ("/helper/recovery/trial", test_trial);
    g_test_add_func ("/helper/recovery/trial-and-reboot", test_trial_and_reboot);
    g_test_add_func ("/helper/recovery/keeping", test_keeping);
    g_test_add_func ("/helper/recovery/kept", test_kept);
    g_test_add_func ("/helper/recovery/reverting", test_reverting);
    g_test_add_func ("/helper/recovery/supersede", test_supersede);
    g_test_add_func ("/helper/recovery/boot-btrfs", test_boot_btrfs);
    g_test_add_func ("/helper/recovery/boot-btrfs-renumbered", test_boot_btrfs_renumbered);
    g_test_add_func ("/helper/recovery/entry", test_entry);
    g_test_add_func ("/helper/recovery/two-entries", test_two_entries);
    g_test_add_func ("/helper/recovery/entry-order", test_entry_order);
    g_test_add_func ("/helper/recovery/left-over", test_left_over);
    g_test_add_func ("/helper/recovery/goes-on", test_goes_on);
    return g_test_run ();
}
