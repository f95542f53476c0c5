/* The terminal client and the real helper, two processes on a bus of their own, on a machine that is a folder: from
 * apply to taken back, also when the client is killed and when there is no bus. */
#include "config.h"

#include "rf-record.h"
#include "rf-test-ctl.h"
#include "rf-test-polkit.h"
#include "rf-test-tree.h"

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DAMAGED "var/lib/ruckelfrei/journal/20200101T000000Z-00000000.record"
#define SWAPPINESS "proc/sys/vm/swappiness"
#define FILES "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define PATIENCE_S 30

static GTestDBus *bus;
static RfTestPolkit *polkit;
static RfTestTree *tree;
static GSubprocess *helper;

static void
start_helper (void)
{
    g_autoptr (GError) error = NULL;
    helper = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, RF_TEST_HELPER, "--sysroot", rf_test_tree_root (tree),
                               "--bus", g_test_dbus_get_bus_address (bus), NULL);
    g_assert_no_error (error);
    /* it is there when its name is */
    g_autoptr (GDBusConnection) connection = g_dbus_connection_new_for_address_sync (
        g_test_dbus_get_bus_address (bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
        &error);
    g_assert_no_error (error);
    for (gint64 start = g_get_monotonic_time (); TRUE; g_usleep (20000)) {
        gboolean owned = FALSE;
        g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
            g_variant_new ("(s)", "io.github.ruckelfrei.Helper1"), G_VARIANT_TYPE ("(b)"), G_DBUS_CALL_FLAGS_NONE, -1,
            NULL, &error);
        g_assert_no_error (error);
        g_variant_get (reply, "(b)", &owned);
        if (owned)
            break;
        g_assert_cmpint (g_get_monotonic_time () - start, <, PATIENCE_S * G_USEC_PER_SEC);
    }
    g_dbus_connection_close_sync (connection, NULL, NULL);
}

static void
stop_helper (void)
{
    g_subprocess_send_signal (helper, SIGTERM);
    g_subprocess_wait (helper, NULL, NULL);
    g_clear_object (&helper);
}

static gboolean
value_is (const char *path, const char *wanted)
{
    g_autofree char *now = rf_test_tree_get (tree, path);
    return g_strcmp0 (now, wanted) == 0;
}

static void
wait_for_value (const char *path, const char *wanted)
{
    gint64 start = g_get_monotonic_time ();
    while (!value_is (path, wanted)) {
        g_assert_cmpint (g_get_monotonic_time () - start, <, PATIENCE_S * G_USEC_PER_SEC);
        g_usleep (20000);
    }
}

static GSubprocess *
start (const char *const *args)
{
    return rf_test_ctl_start (g_test_dbus_get_bus_address (bus), rf_test_tree_root (tree), args,
                              G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
}

static RfTestRun *
run (const char *const *args)
{
    g_autoptr (GSubprocess) process = start (args);
    return rf_test_ctl_finish (process, args);
}

static const char *const apply[] = {"apply", "--yes", "vm.swappiness=50", NULL};

static void
interrupted (void)
{
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    g_autoptr (GSubprocess) process = start (apply);
    wait_for_value (SWAPPINESS, "50\n");
    g_subprocess_send_signal (process, SIGINT);
    g_autoptr (RfTestRun) result = rf_test_ctl_finish (process, apply);
    g_assert_cmpint (result->code, ==, 7);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    g_assert_false (rf_test_tree_exists (tree, FILES));
}

static void
killed (void)
{
    g_autoptr (GSubprocess) process = start (apply);
    wait_for_value (SWAPPINESS, "50\n");
    g_subprocess_force_exit (process);
    wait_for_value (SWAPPINESS, "60\n");
    g_subprocess_wait (process, NULL, NULL);
}

static void
denied (void)
{
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_DENY);
    g_autoptr (RfTestRun) result = run (apply);
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    g_assert_cmpint (result->code, ==, 3);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
}

/* Kept from a second terminal; the first one notices and leaves. */
static void
keep_it (void)
{
    const char *keep[] = {"keep", NULL};
    g_autoptr (GSubprocess) process = start (apply);
    wait_for_value (SWAPPINESS, "50\n");
    /* the value is there a moment before the record is on trial */
    for (gint64 begin = g_get_monotonic_time (); TRUE;) {
        g_autoptr (RfTestRun) kept = run (keep);
        if (kept->code == 0)
            break;
        g_assert_cmpint (g_get_monotonic_time () - begin, <, PATIENCE_S * G_USEC_PER_SEC);
    }
    g_autoptr (RfTestRun) result = rf_test_ctl_finish (process, apply);
    g_assert_cmpint (result->code, ==, 0);
    g_assert_nonnull (strstr (result->out, "Kept."));
    g_assert_true (value_is (SWAPPINESS, "50\n"));
    g_assert_true (rf_test_tree_exists (tree, FILES));
}

static void
kept_and_reverted (void)
{
    const char *status[] = {"status", NULL};
    const char *all[] = {"revert", "--all", NULL};
    const char *force[] = {"revert", "--all", "--force", NULL};
    keep_it ();
    g_autoptr (RfTestRun) now = run (status);
    g_assert_nonnull (strstr (now->out, "as kept"));
    g_autoptr (RfTestRun) back = run (all);
    g_assert_cmpint (back->code, ==, 0);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    g_assert_false (rf_test_tree_exists (tree, FILES));

    /* somebody else changes the value: left alone and said, unless forced */
    keep_it ();
    rf_test_tree_set (tree, SWAPPINESS, "70\n");
    g_autoptr (RfTestRun) drifted = run (status);
    g_assert_nonnull (strstr (drifted->out, "drifted"));
    g_autoptr (RfTestRun) left = run (all);
    g_assert_cmpint (left->code, ==, 5);
    g_assert_true (value_is (SWAPPINESS, "70\n"));
    /* what it says to type works */
    const char *advice = strstr (left->out, "ruckelfreictl revert ");
    g_assert_nonnull (advice);
    g_auto (GStrv) words = g_strsplit_set (advice, " \n", 5);
    const char *named[] = {"revert", words[2], "--force", NULL};
    g_assert_cmpstr (words[3], ==, "--force");
    g_autoptr (RfTestRun) anyway = run (named);
    g_assert_cmpint (anyway->code, ==, 0);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    keep_it ();
    rf_test_tree_set (tree, SWAPPINESS, "70\n");
    g_autoptr (RfTestRun) forced = run (force);
    g_assert_cmpint (forced->code, ==, 0);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
}

/* A record that cannot be read stays; what can be read is taken back, and both is said. */
static void
unreadable_record (void)
{
    const char *all[] = {"revert", "--all", NULL};
    const char *force[] = {"revert", "--all", "--force", NULL};
    keep_it ();
    stop_helper ();
    rf_test_tree_set (tree, DAMAGED, "this is no record\n");
    start_helper ();
    g_autoptr (RfTestRun) partly = run (all);
    g_assert_cmpint (partly->code, ==, 1);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    g_assert_true (rf_test_tree_exists (tree, DAMAGED));
    g_assert_nonnull (strstr (partly->out, "All that the readable notes tell of is taken back."));
    g_assert_nonnull (strstr (partly->out, "cannot be read"));
    g_assert_nonnull (strstr (partly->out, "ruckelfreictl revert --all --force"));
    g_assert_null (strstr (partly->out, "nothing is changed"));
    g_assert_null (strstr (partly->err, "nothing is changed"));
    g_autoptr (RfTestRun) forced = run (force);
    g_assert_cmpint (forced->code, ==, 0);
    g_assert_false (rf_test_tree_exists (tree, DAMAGED));
}

/* A rescue shell: no bus, no helper running, only its program. */
static void
without_bus (void)
{
    if (geteuid () != 0) {
        g_test_skip ("the helper is started directly by root only");
        return;
    }
    keep_it ();
    stop_helper ();
    g_autofree char *folder = g_dir_make_tmp ("rf-helper-XXXXXX", NULL);
    g_autofree char *script = g_build_filename (folder, "helper", NULL);
    g_autofree char *option = g_strconcat ("--helper=", script, NULL);
    g_autofree char *text
        = g_strdup_printf ("#!/bin/sh\nexec '%s' --sysroot '%s' \"$@\"\n", RF_TEST_HELPER, rf_test_tree_root (tree));
    const char *args[] = {option, "revert", "--all", NULL};
    g_assert_true (g_file_set_contents_full (script, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0700, NULL));
    g_autoptr (RfTestRun) result = rf_test_ctl_run (NULL, NULL, args);
    g_assert_cmpint (result->code, ==, 0);
    g_assert_true (value_is (SWAPPINESS, "60\n"));
    g_assert_false (rf_test_tree_exists (tree, FILES));
    g_assert_cmpint (unlink (script), ==, 0);
    g_assert_cmpint (rmdir (folder), ==, 0);
    start_helper ();
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (bus);
    polkit = rf_test_polkit_new (g_test_dbus_get_bus_address (bus));
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
    tree = rf_test_tree_new ("laptop-8g");
    start_helper ();
    g_test_add_func ("/ctl-helper/interrupted", interrupted);
    g_test_add_func ("/ctl-helper/killed", killed);
    g_test_add_func ("/ctl-helper/denied", denied);
    g_test_add_func ("/ctl-helper/kept-and-reverted", kept_and_reverted);
    g_test_add_func ("/ctl-helper/unreadable-record", unreadable_record);
    g_test_add_func ("/ctl-helper/without-bus", without_bus);
    int code = g_test_run ();
    stop_helper ();
    rf_test_polkit_free (polkit);
    g_clear_pointer (&tree, rf_test_tree_free);
    g_test_dbus_stop (bus);
    g_object_unref (bus);
    return code;
}
