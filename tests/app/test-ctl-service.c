/* The terminal client against a helper that the test plays itself, on a bus of its own. */
#include "config.h"

#include "rf-error.h"
#include "rf-helper1-generated.h"
#include "rf-record.h"
#include "rf-test-ctl.h"
#include "rf-test-tree.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RECORD_ID "20261130T140300Z-1a2b3c4d"

typedef enum {
    ACT_NOTHING,
    ACT_END_TRIAL,  /* the time is over, as soon as it was applied */
    ACT_INTERRUPT,  /* the person presses Ctrl+C */
    ACT_ANSWER_YES, /* at the terminal */
    ACT_ANSWER_NO,
} Act;

static GTestDBus *bus;
static GDBusConnection *connection;
static RfHelper1 *helper;
static RfTestTree *tree;

static struct {
    int refuse; /* RfError for Apply, Keep and Revert; -1: none */
    gboolean keep_fails_once;
    gboolean left_alone;
    Act act;
    RfRecord *record;
    GSubprocess *client;
    int terminal; /* our side */
    guint applied, kept, reverted, reverted_all, forced;
} mock;

static gboolean
refused (GDBusMethodInvocation *invocation)
{
    if (mock.refuse < 0)
        return FALSE;
    g_dbus_method_invocation_return_error (invocation, RF_ERROR, mock.refuse, "as the test wants it");
    return TRUE;
}

static void
set_state (RfRecordState state, RfReason reason, RfEntryState entry_state)
{
    mock.record->state = state;
    mock.record->reason = reason;
    for (guint i = 0; i < mock.record->entries->len; i++)
        ((RfRecordEntry *)g_ptr_array_index (mock.record->entries, i))->state = entry_state;
    rf_helper1_set_trial_id (helper, state == RF_RECORD_TRIAL ? mock.record->id : "");
}

static gboolean
act_cb (gpointer data)
{
    switch (mock.act) {
    case ACT_END_TRIAL:
        set_state (RF_RECORD_REVERTED, RF_REASON_TIMEOUT, RF_ENTRY_REVERTED);
        rf_helper1_emit_trial_ended (helper, mock.record->id, "timeout");
        break;
    case ACT_INTERRUPT:
        g_subprocess_send_signal (mock.client, SIGINT);
        break;
    case ACT_ANSWER_YES:
        g_assert_cmpint (write (mock.terminal, "y\n", 2), ==, 2);
        break;
    case ACT_ANSWER_NO:
        g_assert_cmpint (write (mock.terminal, "\n", 1), ==, 1);
        break;
    case ACT_NOTHING:
    default:
        break;
    }
    return G_SOURCE_REMOVE;
}

static gboolean
apply_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, GVariant *plan_variant, GVariant *options)
{
    g_autoptr (GError) error = NULL;
    struct timespec now;
    guint32 seconds = 0;
    if (refused (invocation))
        return TRUE;
    g_autoptr (RfPlan) plan = rf_plan_from_variant (plan_variant, &error);
    g_assert_no_error (error);
    g_assert_true (g_variant_lookup (options, "trial-seconds", "u", &seconds));
    g_clear_pointer (&mock.record, rf_record_free);
    mock.record = rf_record_new_from_plan (plan, RECORD_ID, 1796000000);
    mock.applied++;
    clock_gettime (CLOCK_BOOTTIME, &now);
    rf_helper1_set_trial_ends (helper, ((gint64)now.tv_sec + seconds) * G_USEC_PER_SEC);
    set_state (RF_RECORD_TRIAL, RF_REASON_NONE, RF_ENTRY_APPLIED);
    rf_helper1_complete_apply (object, invocation, rf_record_to_variant (mock.record));
    g_timeout_add (300, act_cb, NULL);
    return TRUE;
}

static gboolean
keep_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id)
{
    if (refused (invocation))
        return TRUE;
    if (mock.keep_fails_once) {
        mock.keep_fails_once = FALSE;
        g_dbus_method_invocation_return_error (invocation, RF_ERROR, RF_ERROR_DISMISSED, "dismissed");
        g_timeout_add (300, act_cb, NULL);
        return TRUE;
    }
    g_assert_cmpstr (id, ==, mock.record->id);
    set_state (RF_RECORD_KEPT, RF_REASON_NONE, RF_ENTRY_APPLIED);
    mock.kept++;
    rf_helper1_complete_keep (object, invocation, rf_record_to_variant (mock.record));
    return TRUE;
}

static gboolean
revert_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, gboolean force)
{
    if (refused (invocation))
        return TRUE;
    g_assert_cmpstr (id, ==, mock.record->id);
    mock.forced += force ? 1 : 0;
    mock.reverted++;
    set_state (RF_RECORD_REVERTED, RF_REASON_USER, mock.left_alone && !force ? RF_ENTRY_LEFT_ALONE : RF_ENTRY_REVERTED);
    rf_helper1_complete_revert (object, invocation, rf_record_to_variant (mock.record));
    return TRUE;
}

static GVariant *
all_records (void)
{
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
    if (mock.record != NULL)
        g_variant_builder_add_value (&builder, rf_record_to_variant (mock.record));
    return g_variant_builder_end (&builder);
}

static gboolean
revert_all_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, gboolean force)
{
    if (refused (invocation))
        return TRUE;
    mock.reverted_all++;
    if (mock.record != NULL)
        set_state (RF_RECORD_REVERTED, RF_REASON_USER, RF_ENTRY_REVERTED);
    rf_helper1_complete_revert_all (object, invocation, all_records ());
    return TRUE;
}

static gboolean
list_cb (RfHelper1 *object, GDBusMethodInvocation *invocation)
{
    rf_helper1_complete_list_records (object, invocation, all_records ());
    return TRUE;
}

static gboolean
check_cb (RfHelper1 *object, GDBusMethodInvocation *invocation)
{
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sssvs)"));
    if (mock.record != NULL && mock.record->state == RF_RECORD_KEPT)
        g_variant_builder_add (&builder, "(sssvs)", mock.record->id, "vm.swappiness", "", g_variant_new_int64 (10),
                               "drifted");
    rf_helper1_complete_check (object, invocation, g_variant_builder_end (&builder));
    return TRUE;
}

static void
mock_reset (void)
{
    g_clear_pointer (&mock.record, rf_record_free);
    memset (&mock, 0, sizeof mock);
    mock.refuse = -1;
    mock.terminal = -1;
    rf_helper1_set_trial_id (helper, "");
}

static RfTestRun *
run (const char *const *args)
{
    g_autoptr (GSubprocess) process
        = rf_test_ctl_start (g_test_dbus_get_bus_address (bus), rf_test_tree_root (tree), args,
                             G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    mock.client = process;
    return rf_test_ctl_finish (process, args);
}

static void
refusals (void)
{
    static const struct {
        int error;
        int code;
    } table[] = {
        {RF_ERROR_FAILED, 1},    {RF_ERROR_REFUSED, 1},   {RF_ERROR_OUT_OF_RANGE, 2},   {RF_ERROR_NOT_AUTHORIZED, 3},
        {RF_ERROR_DISMISSED, 3}, {RF_ERROR_NO_AGENT, 3},  {RF_ERROR_AUTHORITY_GONE, 3}, {RF_ERROR_BUSY, 4},
        {RF_ERROR_CONFLICT, 5},  {RF_ERROR_CANCELLED, 7}, {RF_ERROR_JOURNAL, 1},
    };
    const char *text[] = {"apply", "--yes", "vm.swappiness=50", NULL};
    const char *json[] = {"apply", "--yes", "--json", "vm.swappiness=50", NULL};
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autofree char *code = g_strdup_printf ("\"code\": \"%s\"", rf_error_code_nick ((RfError)table[i].error));
        mock_reset ();
        mock.refuse = table[i].error;
        g_autoptr (RfTestRun) words = run (text);
        g_autoptr (RfTestRun) data = run (json);
        g_assert_cmpint (words->code, ==, table[i].code);
        g_assert_nonnull (strstr (words->err, "ruckelfreictl: "));
        g_assert_cmpint (data->code, ==, table[i].code);
        g_assert_nonnull (strstr (data->out, code));
        g_assert_null (strstr (data->out, "GDBus.Error"));
    }
}

/* A trial that nobody answers goes back, and the reason is read from the record. */
static void
trial_runs_out (void)
{
    const char *args[] = {"apply", "--yes", "vm.swappiness=50", NULL};
    mock_reset ();
    mock.act = ACT_END_TRIAL;
    g_autoptr (RfTestRun) result = run (args);
    g_assert_cmpint (result->code, ==, 7);
    g_assert_cmpuint (mock.applied, ==, 1);
    g_assert_cmpuint (mock.kept, ==, 0);
    g_assert_nonnull (strstr (result->out, "The time was over."));
}

static void
interrupt (void)
{
    const char *args[] = {"apply", "--yes", "--keep", "vm.swappiness=50", NULL};
    mock_reset ();
    mock.act = ACT_INTERRUPT;
    g_autoptr (RfTestRun) result = run (args);
    g_assert_cmpint (result->code, ==, 7);
    g_assert_cmpuint (mock.reverted, ==, 1);
    g_assert_cmpuint (mock.kept, ==, 0);
    g_assert_nonnull (strstr (result->out, "Everything is as it was before."));
}

/* --keep waits until shortly before the end of the shortest trial. */
static void
keep_at_the_end (void)
{
    const char *args[] = {"apply", "--yes", "--keep", "--trial=15", "--json", "vm.dirty=5%", NULL};
    mock_reset ();
    gint64 start = g_get_monotonic_time ();
    g_autoptr (RfTestRun) result = run (args);
    g_assert_cmpint (g_get_monotonic_time () - start, >, 11 * G_USEC_PER_SEC);
    g_assert_cmpint (result->code, ==, 0);
    g_assert_cmpuint (mock.kept, ==, 1);
    g_assert_nonnull (strstr (result->out, "\"kept\": true"));
    g_assert_nonnull (strstr (result->out, "\"mode\": \"ratio\""));
}

/* A person at a terminal: stdin and stderr are one. */
static RfTestRun *
run_at_terminal (const char *const *args)
{
    int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
    g_assert_cmpint (master, >=, 0);
    g_assert_cmpint (grantpt (master), ==, 0);
    g_assert_cmpint (unlockpt (master), ==, 0);
    g_autoptr (GError) error = NULL;
    g_autofree char *sysroot = g_strconcat ("--sysroot=", rf_test_tree_root (tree), NULL);
    g_autoptr (GPtrArray) argv = g_ptr_array_new ();
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv (launcher, "DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
    g_subprocess_launcher_take_stdin_fd (launcher, open (ptsname (master), O_RDWR | O_NOCTTY | O_CLOEXEC));
    g_subprocess_launcher_take_stderr_fd (launcher, open (ptsname (master), O_RDWR | O_NOCTTY | O_CLOEXEC));
    g_ptr_array_add (argv, (gpointer)RF_TEST_CTL);
    g_ptr_array_add (argv, sysroot);
    for (gsize i = 0; args[i] != NULL; i++)
        g_ptr_array_add (argv, (gpointer)args[i]);
    g_ptr_array_add (argv, NULL);
    mock.terminal = master;
    g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, (const char *const *)argv->pdata, &error);
    g_assert_no_error (error);
    g_object_unref (g_steal_pointer (&launcher)); /* it holds the other side of the terminal */
    mock.client = process;
    RfTestRun *result = rf_test_ctl_finish (process, args);
    close (master);
    return result;
}

static void
answers (void)
{
    static const struct {
        Act act;
        int code;
        guint kept, reverted;
    } table[] = {
        {ACT_ANSWER_YES, 0, 1, 0},
        {ACT_ANSWER_NO, 7, 0, 1},
    };
    const char *args[] = {"apply", "--yes", "vm.swappiness=50", NULL};
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        mock_reset ();
        mock.act = table[i].act;
        g_autoptr (RfTestRun) result = run_at_terminal (args);
        g_assert_cmpint (result->code, ==, table[i].code);
        g_assert_cmpuint (mock.kept, ==, table[i].kept);
        g_assert_cmpuint (mock.reverted, ==, table[i].reverted);
    }
    /* a password that was not entered leaves the trial running: the second yes keeps it */
    mock_reset ();
    mock.act = ACT_ANSWER_YES;
    mock.keep_fails_once = TRUE;
    g_autoptr (RfTestRun) again = run_at_terminal (args);
    g_assert_cmpint (again->code, ==, 0);
    g_assert_cmpuint (mock.kept, ==, 1);
}

static void
confirm_first (void)
{
    const char *args[] = {"apply", "vm.swappiness=50", NULL};
    mock_reset ();
    g_timeout_add (500, act_cb, NULL);
    mock.act = ACT_ANSWER_NO;
    g_autoptr (RfTestRun) result = run_at_terminal (args);
    g_assert_cmpint (result->code, ==, 7);
    g_assert_cmpuint (mock.applied, ==, 0);
    g_assert_nonnull (strstr (result->out, "Nothing has been changed."));
}

static void
kept_and_taken_back (void)
{
    const char *apply[] = {"apply", "--yes", "vm.swappiness=50", NULL};
    const char *status[] = {"status", NULL};
    const char *status_json[] = {"status", "--json", NULL};
    const char *records[] = {"records", NULL};
    const char *revert[] = {"revert", RECORD_ID, NULL};
    const char *force[] = {"revert", "--force", RECORD_ID, NULL};
    const char *all[] = {"revert", "--all", NULL};
    mock_reset ();
    g_autoptr (RfTestRun) nothing = run (records);
    g_assert_cmpint (nothing->code, ==, 0);
    g_assert_nonnull (strstr (nothing->out, "not changed anything"));
    g_autoptr (RfTestRun) none = run (status);
    g_assert_nonnull (strstr (none->out, "Nothing of Ruckelfrei is in force."));

    mock.act = ACT_END_TRIAL;
    g_autoptr (RfTestRun) applied = run (apply);
    g_assert_cmpint (applied->code, ==, 7);
    set_state (RF_RECORD_KEPT, RF_REASON_NONE, RF_ENTRY_APPLIED);
    g_autoptr (RfTestRun) now = run (status);
    g_assert_cmpint (now->code, ==, 0);
    g_assert_nonnull (strstr (now->out, "vm.swappiness: 10 (drifted"));
    g_autoptr (RfTestRun) now_json = run (status_json);
    g_assert_nonnull (strstr (now_json->out, "\"verdict\": \"drifted\""));
    g_assert_nonnull (strstr (now_json->out, "\"trial\": null"));
    g_assert_nonnull (strstr (now_json->out, "\"states\": []"));
    /* the same as on the Changes page: another helper, another kernel, a change that stopped half-way */
    rf_helper1_set_version (helper, "99.0");
    g_free (mock.record->kernel_release);
    mock.record->kernel_release = g_strdup ("4.19.0-1");
    g_autoptr (RfTestRun) later = run (status);
    g_assert_nonnull (strstr (later->out, "This program is older than the helper"));
    g_assert_nonnull (strstr (later->out, "the kernel has changed from 4.19.0-1"));
    mock.record->state = RF_RECORD_REVERTING;
    g_autoptr (RfTestRun) half = run (status_json);
    g_assert_nonnull (strstr (half->out, "\"program-older\",\n    \"half-applied\"\n"));
    mock.record->state = RF_RECORD_KEPT;
    rf_helper1_set_version (helper, PACKAGE_VERSION);
    g_autoptr (RfTestRun) list = run (records);
    g_assert_nonnull (strstr (list->out, RECORD_ID));

    mock.left_alone = TRUE;
    g_autoptr (RfTestRun) left = run (revert);
    g_assert_cmpint (left->code, ==, 5);
    g_assert_nonnull (strstr (left->out, "--force"));
    g_autoptr (RfTestRun) forced = run (force);
    g_assert_cmpint (forced->code, ==, 0);
    g_assert_cmpuint (mock.forced, ==, 1);
    g_autoptr (RfTestRun) everything = run (all);
    g_assert_cmpint (everything->code, ==, 0);
    g_assert_cmpuint (mock.reverted_all, ==, 1);
}

/* keep without a name takes the record that is on trial; without a trial there is nothing to keep. */
static void
keep_from_elsewhere (void)
{
    const char *keep[] = {"keep", NULL};
    mock_reset ();
    g_autoptr (RfTestRun) nothing = run (keep);
    g_assert_cmpint (nothing->code, ==, 1);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue value = rf_value_int (50);
    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &value);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, NULL);
    mock.record = rf_record_new_from_plan (plan, RECORD_ID, 1796000000);
    set_state (RF_RECORD_TRIAL, RF_REASON_NONE, RF_ENTRY_APPLIED);
    g_autoptr (RfTestRun) kept = run (keep);
    g_assert_cmpint (kept->code, ==, 0);
    g_assert_cmpuint (mock.kept, ==, 1);
}

static void
start_helper (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) reply = NULL;
    bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (bus);
    connection = g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (bus),
                                                         G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT
                                                             | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                         NULL, NULL, &error);
    g_assert_no_error (error);
    helper = rf_helper1_skeleton_new ();
    g_signal_connect (helper, "handle-apply", G_CALLBACK (apply_cb), NULL);
    g_signal_connect (helper, "handle-keep", G_CALLBACK (keep_cb), NULL);
    g_signal_connect (helper, "handle-revert", G_CALLBACK (revert_cb), NULL);
    g_signal_connect (helper, "handle-revert-all", G_CALLBACK (revert_all_cb), NULL);
    g_signal_connect (helper, "handle-list-records", G_CALLBACK (list_cb), NULL);
    g_signal_connect (helper, "handle-check", G_CALLBACK (check_cb), NULL);
    g_assert_true (g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (helper), connection,
                                                     "/io/github/ruckelfrei/Helper1", &error));
    reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                         "org.freedesktop.DBus", "RequestName",
                                         g_variant_new ("(su)", "io.github.ruckelfrei.Helper1", 0),
                                         G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    g_assert_no_error (error);
    tree = rf_test_tree_new ("laptop-8g");
}

int
main (int argc, char **argv)
{
    setlocale (LC_ALL, "C.UTF-8");
    g_test_init (&argc, &argv, NULL);
    start_helper ();
    g_test_add_func ("/ctl-service/refusals", refusals);
    g_test_add_func ("/ctl-service/trial-runs-out", trial_runs_out);
    g_test_add_func ("/ctl-service/interrupt", interrupt);
    g_test_add_func ("/ctl-service/keep-at-the-end", keep_at_the_end);
    g_test_add_func ("/ctl-service/answers", answers);
    g_test_add_func ("/ctl-service/confirm-first", confirm_first);
    g_test_add_func ("/ctl-service/kept-and-taken-back", kept_and_taken_back);
    g_test_add_func ("/ctl-service/keep-from-elsewhere", keep_from_elsewhere);
    int code = g_test_run ();
    mock_reset ();
    g_clear_pointer (&tree, rf_test_tree_free);
    g_clear_object (&helper);
    g_clear_object (&connection);
    g_test_dbus_down (bus);
    g_clear_object (&bus);
    return code;
}
