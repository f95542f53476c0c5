#define G_LOG_DOMAIN "test-program"
#include "config.h"

#include <signal.h>
#include <string.h>

#include "rf-test-program.h"
#include "rf-test-rig.h"

#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"

/* How long from the call to the answer, and how much memory the helper takes. */
static void
test_numbers (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    rf_test_program_start (program);
    gint64 start = g_get_monotonic_time ();
    g_autofree char *id = rf_test_program_apply (program, "vm.page-cluster 0\nvm.swappiness 100", 60);
    gint64 took = g_get_monotonic_time () - start;
    g_test_message ("apply took %.1f ms, resident %" G_GUINT64_FORMAT " KiB", (double)took / 1000.0,
                    rf_test_program_status (program, "VmRSS:"));
    g_assert_cmpint (took, <, 10 * G_USEC_PER_SEC);
    g_assert_cmpuint (rf_test_program_status (program, "VmRSS:"), <, 64 * 1024);
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
    /* an orderly stop in the middle of a trial takes it back before leaving */
    g_assert_true (rf_test_program_end (program, SIGTERM));
    rf_test_rig_assert_as_before (rig);
}

/* Killed in the middle of a trial: the next start takes it back, before it answers. */
static void
test_killed (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    rf_test_program_start (program);
    g_autofree char *id = rf_test_program_apply (program, "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 100", 60);
    g_assert_false (rf_test_program_end (program, SIGKILL));
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
    rf_test_program_start (program);
    rf_test_rig_assert_as_before (rig);
    g_autofree char *reason = rf_test_program_wait_reverted (program, id, 20);
    g_assert_cmpstr (reason, ==, "recovery");
}

/* From a rescue shell: no bus, no polkit, no display. */
static void
test_rescue (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    rf_test_tree_set (rig->tree, "proc/sys/vm/swappiness", "77\n");
    g_unsetenv ("DBUS_SYSTEM_BUS_ADDRESS");
    /* told apart from "everything is as before" */
    g_assert_cmpint (rf_test_program_run (program, "--revert-all", NULL), ==, 5);
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", "3\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "77\n");
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    /* nothing to do is fine, too */
    g_assert_cmpint (rf_test_program_run (program, "--revert-all", NULL), ==, 0);
    rf_test_rig_reopen (rig);
    RfRecord *again = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, again);
    rf_test_tree_set (rig->tree, "proc/sys/vm/swappiness", "88\n");
    g_assert_cmpint (rf_test_program_run (program, "--revert-all", "--force"), ==, 0);
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "77\n");
}

static void
test_options (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    g_assert_cmpint (rf_test_program_run (program, "--version", NULL), ==, 0);
    g_assert_cmpint (rf_test_program_run (program, "--recover", NULL), ==, 0);
    g_assert_cmpint (rf_test_program_run (program, "--nonsense", NULL), ==, 2);
    rf_test_rig_assert_as_before (rig);
}

/* The installed program has none of the switches that redirect its writes. */
static void
test_installed (void)
{
    static const char *const switches[] = {"--sysroot", "--state", "--bus"};
    for (gsize i = 0; i < G_N_ELEMENTS (switches); i++) {
        g_autoptr (GSubprocess) process = g_subprocess_new (
            G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, RF_INSTALLED_HELPER, switches[i], "/nowhere", "--version", NULL);
        g_subprocess_wait (process, NULL, NULL);
        g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
    }
}

/* udev has read our rule before we take it away, and follows it when we have begun. */
static gpointer
late_udev (gpointer data)
{
    RfTestRig *rig = data;
    g_usleep (3 * G_USEC_PER_SEC);
    rf_test_tree_set (rig->tree, "sys/block/nvme0n1/queue/scheduler", "none [mq-deadline] kyber\n");
    rf_test_tree_remove (rig->tree, "run/udev/queue");
    return NULL;
}

/* The power went while a change was being taken back, or one setting of it; at the next boot the recovery waits for
 * udev. */
static void
test_late_udev (gconstpointer data)
{
    gboolean one_setting = GPOINTER_TO_INT (data);
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
    rf_test_rig_keep (rig, record);
    if (one_setting)
        ((RfRecordEntry *)g_ptr_array_index (record->entries, 0))->state = RF_ENTRY_PLANNED;
    g_assert_true (rf_journal_set_state (rig->journal, record, one_setting ? RF_RECORD_KEPT : RF_RECORD_REVERTING,
                                         RF_REASON_USER, NULL));
    rf_test_rig_reboot (rig);
    rf_test_tree_set (rig->tree, "sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline kyber\n");
    rf_test_tree_set (rig->tree, "run/udev/queue", "");
    GThread *udev = g_thread_new ("udev", late_udev, rig);
    g_assert_cmpint (rf_test_program_run (program, "--recover", NULL), ==, 0);
    g_thread_join (udev);
    rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline kyber\n");
    rf_test_rig_reopen (rig);
    record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/program/numbers", test_numbers);
    g_test_add_func ("/helper/program/killed", test_killed);
    g_test_add_func ("/helper/program/rescue", test_rescue);
    g_test_add_data_func ("/helper/program/late-udev", GINT_TO_POINTER (FALSE), test_late_udev);
    g_test_add_data_func ("/helper/program/late-udev-one-setting", GINT_TO_POINTER (TRUE), test_late_udev);
    g_test_add_func ("/helper/program/options", test_options);
    g_test_add_func ("/helper/program/installed", test_installed);
    return g_test_run ();
}
