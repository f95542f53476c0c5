/* The client against a made-up helper on a private bus: arguments, answers, errors, signals, and a helper that dies. */
#include "config.h"

#include "rf-helper1-generated.h"
#include "rf-client.h"
#include "rf-error.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define NAME "io.github.ruckelfrei.Helper1"
#define PATH "/io/github/ruckelfrei/Helper1"
#define RECORD_ID "20261130T140300Z-1a2b3c4d"

typedef struct {
    GDBusConnection *connection;
    RfHelper1 *skeleton;
    guint owner_id;
    gboolean owned;
    int answer;                     /* RF_ERROR code of every method, -1 for success */
    GDBusMethodInvocation *pending; /* an Apply that is left without answer */
    gboolean hold_apply;
    gboolean interactive;
    guint cancels;
    char *applied; /* plan as text */
    guint files;   /* that come with a measurement */
} Helper;

typedef struct {
    GTestDBus *bus;
    GDBusConnection *connection;
    RfClient *client;
    Helper helper;
    guint records_changed;
    guint progress;
    guint ended;
} Fixture;

typedef struct {
    gboolean done;
    gpointer value;
    GError *error;
} Answer;

#define ITERATE_UNTIL(condition)                                                                                      \
    G_STMT_START                                                                                                      \
    {                                                                                                                 \
        guint timer_ = g_timeout_add_seconds (20, too_long_cb, (gpointer) #condition);                                           \
        while (!(condition))                                                                                          \
            g_main_context_iteration (NULL, TRUE);                                                                    \
        g_source_remove (timer_);                                                                                     \
    }                                                                                                                 \
    G_STMT_END

static gboolean
too_long_cb (gpointer what)
{
    g_error ("waited too long for: %s", (const char *) what);
    return G_SOURCE_REMOVE;
}

static GVariant *
make_record (const char *state)
{
    GVariantBuilder record, entries;
    g_variant_builder_init (&entries, G_VARIANT_TYPE ("a(sssvvvs)"));
    g_variant_builder_add (&entries, "(sssvvvs)", "vm.swappiness", "", "", g_variant_new_int64 (60),
                           g_variant_new_int64 (10), g_variant_new_int64 (10), "applied");
    g_variant_builder_init (&record, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&record, "{sv}", "id", g_variant_new_string (RECORD_ID));
    g_variant_builder_add (&record, "{sv}", "state", g_variant_new_string (state));
    g_variant_builder_add (&record, "{sv}", "reason", g_variant_new_string ("none"));
    g_variant_builder_add (&record, "{sv}", "created", g_variant_new_int64 (1796047380));
    g_variant_builder_add (&record, "{sv}", "changed", g_variant_new_int64 (1796047381));
    g_variant_builder_add (&record, "{sv}", "kernel", g_variant_new_string ("6.1.0"));
    g_variant_builder_add (&record, "{sv}", "entries", g_variant_builder_end (&entries));
    return g_variant_builder_end (&record);
}

static gboolean
refuse (Helper *helper, GDBusMethodInvocation *invocation)
{
    if (helper->answer < 0)
        return FALSE;
    g_dbus_method_invocation_return_error (invocation, RF_ERROR, helper->answer, "detail of code %d", helper->answer);
    return TRUE;
}

static gboolean
apply_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, GVariant *plan, GVariant *options, Helper *helper)
{
    GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
    helper->interactive =
        (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
    g_autoptr (GVariant) both = g_variant_ref_sink (g_variant_new ("(@a(ssv)@a{sv})", plan, options));
    g_free (helper->applied);
    helper->applied = g_variant_print (both, FALSE);
    if (helper->hold_apply)
        helper->pending = g_object_ref (invocation);
    else if (!refuse (helper, invocation))
        rf_helper1_complete_apply (object, invocation, make_record ("trial"));
    return TRUE;
}

static gboolean
cancel_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, Helper *helper)
{
    helper->cancels++;
    rf_helper1_complete_cancel (object, invocation);
    if (helper->pending != NULL)
        g_dbus_method_invocation_return_error_literal (g_steal_pointer (&helper->pending), RF_ERROR,
                                                       RF_ERROR_CANCELLED, "by the caller");
    return TRUE;
}

static gboolean
keep_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, Helper *helper)
{
    g_assert_cmpstr (id, ==, RECORD_ID);
    if (!refuse (helper, invocation))
        rf_helper1_complete_keep (object, invocation, make_record ("kept"));
    return TRUE;
}

static gboolean
revert_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, gboolean force, Helper *helper)
{
    g_assert_true (force);
    if (!refuse (helper, invocation))
        rf_helper1_complete_revert (object, invocation, make_record ("reverted"));
    return TRUE;
}

static gboolean
extend_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, guint seconds, Helper *helper)
{
    g_assert_cmpuint (seconds, ==, 600);
    if (!refuse (helper, invocation))
        rf_helper1_complete_extend (object, invocation);
    return TRUE;
}

static gboolean
list_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, Helper *helper)
{
    GVariantBuilder records;
    g_variant_builder_init (&records, G_VARIANT_TYPE ("aa{sv}"));
    g_variant_builder_add_value (&records, make_record ("reverted"));
    g_variant_builder_add_value (&records, make_record ("kept"));
    if (!refuse (helper, invocation))
        rf_helper1_complete_list_records (object, invocation, g_variant_builder_end (&records));
    else
        g_variant_builder_clear (&records);
    return TRUE;
}

static gboolean
check_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, Helper *helper)
{
    GVariantBuilder drift;
    g_variant_builder_init (&drift, G_VARIANT_TYPE ("a(sssvs)"));
    g_variant_builder_add (&drift, "(sssvs)", RECORD_ID, "vm.swappiness", "", g_variant_new_int64 (60), "drifted");
    g_variant_builder_add (&drift, "(sssvs)", RECORD_ID, "block.scheduler", "nvme0n1",
                           g_variant_new_string ("absent"), "unreachable");
    g_variant_builder_add (&drift, "(sssvs)", RECORD_ID, "vm.from_the_future", "", g_variant_new_int64 (1), "as-kept");
    rf_helper1_complete_check (object, invocation, g_variant_builder_end (&drift));
    return TRUE;
}

/* Two pipes with one line each. @helper->answer also stands for answers that bring too little. */
static gboolean
start_measurement_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, GUnixFDList *fds, GVariant *options,
                      Helper *helper)
{
    if (refuse (helper, invocation))
        return TRUE;
    g_free (helper->applied);
    helper->applied = g_variant_print (options, FALSE);
    g_autoptr (GUnixFDList) list = g_unix_fd_list_new ();
    for (guint i = 0; i < helper->files; i++) {
        int ends[2];
        g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
        g_assert_cmpint (write (ends[1], i == 0 ? "samples" : "events", 6), ==, 6);
        g_unix_fd_list_append (list, ends[0], NULL);
        close (ends[0]);
        close (ends[1]);
    }
    rf_helper1_complete_start_measurement (object, invocation, list, "1a2b3c4d", g_variant_new_handle (0),
                                           g_variant_new_handle (1));
    return TRUE;
}

static gboolean
stop_measurement_cb (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, Helper *helper)
{
    g_assert_cmpstr (id, ==, "1a2b3c4d");
    if (!refuse (helper, invocation))
        rf_helper1_complete_stop_measurement (object, invocation);
    rf_helper1_emit_measurement_ended (object, id, "stopped");
    return TRUE;
}

static void
owned_cb (GDBusConnection *connection, const char *name, gpointer data)
{
    ((Helper *) data)->owned = TRUE;
}

static GDBusConnection *
connect_private (GTestDBus *bus)
{
    g_autoptr (GError) error = NULL;
    GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
        g_test_dbus_get_bus_address (bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
        &error);
    g_assert_no_error (error);
    g_dbus_connection_set_exit_on_close (connection, FALSE);
    return connection;
}

static void
helper_start (Fixture *fixture)
{
    Helper *helper = &fixture->helper;
    g_autoptr (GError) error = NULL;
    helper->connection = connect_private (fixture->bus);
    helper->answer = -1;
    helper->skeleton = rf_helper1_skeleton_new ();
    g_signal_connect (helper->skeleton, "handle-apply", G_CALLBACK (apply_cb), helper);
    g_signal_connect (helper->skeleton, "handle-cancel", G_CALLBACK (cancel_cb), helper);
    g_signal_connect (helper->skeleton, "handle-keep", G_CALLBACK (keep_cb), helper);
    g_signal_connect (helper->skeleton, "handle-revert", G_CALLBACK (revert_cb), helper);
    g_signal_connect (helper->skeleton, "handle-extend", G_CALLBACK (extend_cb), helper);
    g_signal_connect (helper->skeleton, "handle-list-records", G_CALLBACK (list_cb), helper);
    g_signal_connect (helper->skeleton, "handle-check", G_CALLBACK (check_cb), helper);
    g_signal_connect (helper->skeleton, "handle-start-measurement", G_CALLBACK (start_measurement_cb), helper);
    g_signal_connect (helper->skeleton, "handle-stop-measurement", G_CALLBACK (stop_measurement_cb), helper);
    helper->files = 2;
    g_assert_true (g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (helper->skeleton), helper->connection,
                                                     PATH, &error));
    helper->owned = FALSE;
    helper->owner_id = g_bus_own_name_on_connection (helper->connection, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, owned_cb,
                                                     NULL, helper, NULL);
    ITERATE_UNTIL (helper->owned);
}

/* As if it had crashed: the connection closes, nothing is answered. */
static void
helper_die (Fixture *fixture)
{
    Helper *helper = &fixture->helper;
    if (helper->connection == NULL)
        return;
    g_bus_unown_name (helper->owner_id);
    g_dbus_connection_close_sync (helper->connection, NULL, NULL);
    g_clear_object (&helper->pending);
    g_clear_object (&helper->skeleton);
    g_clear_object (&helper->connection);
    g_clear_pointer (&helper->applied, g_free);
    helper->hold_apply = FALSE;
}

static void
count_cb (RfClient *client, guint *counter)
{
    (*counter)++;
}

static void
progress_cb (RfClient *client, const char *id, const char *step, guint done, guint total, Fixture *fixture)
{
    g_assert_cmpstr (id, ==, RECORD_ID);
    g_assert_cmpstr (step, ==, "vm.swappiness");
    g_assert_cmpuint (done, ==, 1);
    g_assert_cmpuint (total, ==, 3);
    fixture->progress++;
}

static void
ended_cb (RfClient *client, const char *id, const char *reason, Fixture *fixture)
{
    g_assert_cmpstr (reason, ==, "timeout");
    fixture->ended++;
}

static void
set_up (Fixture *fixture, gconstpointer with_helper)
{
    fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (fixture->bus);
    if (with_helper != NULL)
        helper_start (fixture);
    fixture->connection = connect_private (fixture->bus);
    fixture->client = rf_client_new (fixture->connection);
    g_signal_connect (fixture->client, "records-changed", G_CALLBACK (count_cb), &fixture->records_changed);
    g_signal_connect (fixture->client, "progress", G_CALLBACK (progress_cb), fixture);
    g_signal_connect (fixture->client, "trial-ended", G_CALLBACK (ended_cb), fixture);
}

static gboolean
flag_cb (gpointer flag)
{
    *(gboolean *) flag = TRUE;
    return G_SOURCE_REMOVE;
}

/* Lets everything that is under way arrive. */
static void
settle (void)
{
    gboolean done = FALSE;
    g_timeout_add (50, flag_cb, &done);
    while (!done)
        g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer with_helper)
{
    helper_die (fixture);
    settle ();
    g_assert_finalize_object (fixture->client);
    g_dbus_connection_close_sync (fixture->connection, NULL, NULL);
    g_object_unref (fixture->connection);
    g_test_dbus_stop (fixture->bus);
    g_object_unref (fixture->bus);
}

static void
apply_done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Answer *answer = data;
    answer->value = rf_client_apply_finish (RF_CLIENT (source), result, &answer->error);
    answer->done = TRUE;
}

static RfPlan *
make_plan (void)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue value = rf_value_int (10);
    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &value);
    return rf_plan_builder_finish (builder, NULL);
}

static Answer
apply (Fixture *fixture, GCancellable *cancellable)
{
    Answer answer = {FALSE, NULL, NULL};
    g_autoptr (RfPlan) plan = make_plan ();
    rf_client_apply_async (fixture->client, plan, 60, cancellable, apply_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    return answer;
}

static void
measurement_started_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Answer *answer = data;
    answer->value = rf_client_start_measurement_finish (RF_CLIENT (source), result, &answer->error);
    answer->done = TRUE;
}

static void
measurement_stopped_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Answer *answer = data;
    answer->value = GINT_TO_POINTER (rf_client_stop_measurement_finish (RF_CLIENT (source), result, &answer->error));
    answer->done = TRUE;
}

static void
measurement_ended_cb (RfClient *client, const char *id, const char *reason, guint *counter)
{
    g_assert_cmpstr (id, ==, "1a2b3c4d");
    g_assert_cmpstr (reason, ==, "stopped");
    (*counter)++;
}

static Answer
start_measurement (Fixture *fixture, const RfMeasurementOptions *options)
{
    Answer answer = {FALSE, NULL, NULL};
    rf_client_start_measurement_async (fixture->client, options, measurement_started_cb, &answer);
    ITERATE_UNTIL (answer.done);
    return answer;
}

static void
assert_reads (int fd, const char *text)
{
    char found[8] = "";
    g_assert_cmpint (read (fd, found, 6), ==, 6);
    g_assert_cmpstr (found, ==, text);
    g_assert_cmpint (read (fd, found, 6), ==, 0);
    g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, !=, 0);
}

static void
test_measurement (Fixture *fixture, gconstpointer data)
{
    guint ended = 0;
    g_signal_connect (fixture->client, "measurement-ended", G_CALLBACK (measurement_ended_cb), &ended);
    Answer answer = start_measurement (fixture, &(RfMeasurementOptions){.hz = 20, .trace = TRUE});
    g_assert_no_error (answer.error);
    g_autoptr (RfMeasurementFiles) files = answer.value;
    g_assert_cmpstr (fixture->helper.applied, ==, "{'hz': <uint32 20>, 'trace': <true>}");
    g_assert_cmpstr (files->id, ==, "1a2b3c4d");
    assert_reads (files->samples, "sample");
    assert_reads (files->events, "events");
    Answer stopped = {FALSE, NULL, NULL};
    rf_client_stop_measurement_async (fixture->client, files->id, measurement_stopped_cb, &stopped);
    ITERATE_UNTIL (stopped.done && ended == 1);
    g_assert_no_error (stopped.error);
    g_assert_nonnull (stopped.value);
}

static void
test_measurement_refused (Fixture *fixture, gconstpointer data)
{
    fixture->helper.answer = RF_ERROR_UNAVAILABLE;
    Answer answer = start_measurement (fixture, &(RfMeasurementOptions){.trace = TRUE});
    g_assert_null (answer.value);
    g_assert_error (answer.error, RF_ERROR, RF_ERROR_UNAVAILABLE);
    g_clear_error (&answer.error);
    /* numbers of files that did not come */
    fixture->helper.answer = -1;
    for (fixture->helper.files = 0; fixture->helper.files < 2; fixture->helper.files++) {
        answer = start_measurement (fixture, &(RfMeasurementOptions){0});
        g_assert_null (answer.value);
        g_assert_error (answer.error, RF_ERROR, RF_ERROR_INVALID);
        g_assert_cmpstr (fixture->helper.applied, ==, "{}");
        g_clear_error (&answer.error);
    }
}

static void
test_not_installed (Fixture *fixture, gconstpointer data)
{
    settle ();
    g_assert_false (rf_client_get_available (fixture->client));
    Answer answer = apply (fixture, NULL);
    g_assert_null (answer.value);
    g_assert_error (answer.error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN);
    g_clear_error (&answer.error);
    helper_start (fixture);
    ITERATE_UNTIL (rf_client_get_available (fixture->client));
    g_assert_cmpuint (fixture->records_changed, >=, 1);
}

static void
test_apply (Fixture *fixture, gconstpointer data)
{
    /* the call is made before the connection is ready, and waits for it */
    Answer answer = apply (fixture, NULL);
    g_assert_no_error (answer.error);
    g_autoptr (RfRecord) record = answer.value;
    g_assert_cmpstr (record->id, ==, RECORD_ID);
    g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
    g_assert_cmpuint (record->entries->len, ==, 1);
    g_assert_true (fixture->helper.interactive);
    g_assert_cmpstr (fixture->helper.applied, ==,
                     "([('vm.swappiness', '', <int64 10>)], {'trial-seconds': <uint32 60>})");
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
    for (int code = 0; code < RF_ERROR_N_CODES; code++) {
        fixture->helper.answer = code;
        Answer answer = apply (fixture, NULL);
        g_assert_null (answer.value);
        g_assert_error (answer.error, RF_ERROR, code);
        g_clear_error (&answer.error);
    }
}

static void
test_vanish (Fixture *fixture, gconstpointer data)
{
    Answer answer = {FALSE, NULL, NULL};
    g_autoptr (RfPlan) plan = make_plan ();
    ITERATE_UNTIL (fixture->records_changed == 1);
    fixture->helper.hold_apply = TRUE;
    rf_client_apply_async (fixture->client, plan, 60, NULL, apply_done_cb, &answer);
    ITERATE_UNTIL (fixture->helper.pending != NULL);
    helper_die (fixture);
    ITERATE_UNTIL (answer.done);
    g_assert_null (answer.value);
    g_assert_error (answer.error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY);
    g_clear_error (&answer.error);
    ITERATE_UNTIL (!rf_client_get_available (fixture->client));
    guint before = fixture->records_changed;
    helper_start (fixture);
    ITERATE_UNTIL (fixture->records_changed > before);
    g_assert_true (rf_client_get_available (fixture->client));
    answer = apply (fixture, NULL);
    g_assert_no_error (answer.error);
    rf_record_free (answer.value);
}

static gboolean
cancel_later_cb (gpointer data)
{
    Fixture *fixture = data;
    if (fixture->helper.pending == NULL)
        return G_SOURCE_CONTINUE;
    g_cancellable_cancel (g_object_get_data (G_OBJECT (fixture->client), "cancellable"));
    return G_SOURCE_REMOVE;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    ITERATE_UNTIL (fixture->records_changed == 1);
    fixture->helper.hold_apply = TRUE;
    g_object_set_data (G_OBJECT (fixture->client), "cancellable", cancellable);
    g_timeout_add (5, cancel_later_cb, fixture);
    Answer answer = apply (fixture, cancellable);
    g_assert_error (answer.error, RF_ERROR, RF_ERROR_CANCELLED);
    g_clear_error (&answer.error);
    g_assert_cmpuint (fixture->helper.cancels, ==, 1);
    /* cancelled before it was sent: the helper hears nothing of it */
    fixture->helper.hold_apply = FALSE;
    g_clear_pointer (&fixture->helper.applied, g_free);
    answer = apply (fixture, cancellable);
    g_assert_error (answer.error, RF_ERROR, RF_ERROR_CANCELLED);
    g_clear_error (&answer.error);
    g_assert_null (fixture->helper.applied);
}

static void
test_signals (Fixture *fixture, gconstpointer data)
{
    ITERATE_UNTIL (fixture->records_changed == 1);
    rf_helper1_emit_progress (fixture->helper.skeleton, RECORD_ID, "vm.swappiness", 1, 3);
    ITERATE_UNTIL (fixture->progress == 1);
    rf_helper1_emit_trial_ended (fixture->helper.skeleton, RECORD_ID, "timeout");
    ITERATE_UNTIL (fixture->ended == 1);
    rf_helper1_emit_records_changed (fixture->helper.skeleton);
    ITERATE_UNTIL (fixture->records_changed == 2);

    /* somebody else says the same, to everybody and straight to us */
    g_autoptr (GDBusConnection) stranger = connect_private (fixture->bus);
    const char *to[] = {NULL, g_dbus_connection_get_unique_name (fixture->connection)};
    for (guint i = 0; i < G_N_ELEMENTS (to); i++) {
        g_dbus_connection_emit_signal (stranger, to[i], PATH, NAME, "RecordsChanged", NULL, NULL);
        g_dbus_connection_emit_signal (stranger, to[i], PATH, NAME, "TrialEnded",
                                       g_variant_new ("(ss)", RECORD_ID, "timeout"), NULL);
    }
    g_dbus_connection_flush_sync (stranger, NULL, NULL);
    settle ();
    /* the true one comes last, so the others have arrived */
    rf_helper1_emit_records_changed (fixture->helper.skeleton);
    ITERATE_UNTIL (fixture->records_changed >= 3);
    g_assert_cmpuint (fixture->records_changed, ==, 3);
    g_assert_cmpuint (fixture->ended, ==, 1);
    g_dbus_connection_close_sync (stranger, NULL, NULL);
}

/* While an Apply waits for its answer somebody else tells of its progress, of another owner of the name and of a trial:
 * nothing of it is believed. (Forged answers are kept away by the system bus: tests/hostile/attack.py.) */
static void
test_stranger (Fixture *fixture, gconstpointer data)
{
    const char *to = g_dbus_connection_get_unique_name (fixture->connection);
    g_autoptr (GDBusConnection) stranger = connect_private (fixture->bus);
    g_autoptr (RfPlan) plan = make_plan ();
    Answer answer = {FALSE, NULL, NULL};
    ITERATE_UNTIL (fixture->records_changed == 1);
    fixture->helper.hold_apply = TRUE;
    rf_client_apply_async (fixture->client, plan, 60, NULL, apply_done_cb, &answer);
    ITERATE_UNTIL (fixture->helper.pending != NULL);
    const char *name = g_dbus_connection_get_unique_name (stranger);
    g_dbus_connection_emit_signal (stranger, to, PATH, NAME, "Progress",
                                   g_variant_new ("(ssuu)", RECORD_ID, "vm.swappiness", 1, 3), NULL);
    g_dbus_connection_emit_signal (stranger, to, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                                   g_variant_new ("(sss)", NAME, "", name), NULL);
    GVariantBuilder changed;
    g_variant_builder_init (&changed, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&changed, "{sv}", "TrialId", g_variant_new_string ("made-up"));
    g_dbus_connection_emit_signal (stranger, to, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                   g_variant_new ("(sa{sv}@as)", NAME, &changed, g_variant_new_strv (NULL, 0)), NULL);
    g_dbus_connection_flush_sync (stranger, NULL, NULL);
    settle ();
    /* the true one comes last, so the others have arrived */
    rf_helper1_emit_records_changed (fixture->helper.skeleton);
    ITERATE_UNTIL (fixture->records_changed >= 2);
    g_assert_false (answer.done);
    g_assert_cmpuint (fixture->progress, ==, 0);
    g_assert_null (rf_client_get_trial_id (fixture->client));
    g_assert_cmpuint (fixture->records_changed, ==, 2);
    rf_helper1_complete_apply (fixture->helper.skeleton, g_steal_pointer (&fixture->helper.pending),
                               make_record ("trial"));
    ITERATE_UNTIL (answer.done);
    g_assert_no_error (answer.error);
    g_assert_cmpint (((RfRecord *)answer.value)->state, ==, RF_RECORD_TRIAL);
    rf_record_free (answer.value);
    g_dbus_connection_close_sync (stranger, NULL, NULL);
}

static void
test_trial (Fixture *fixture, gconstpointer data)
{
    ITERATE_UNTIL (fixture->records_changed == 1);
    g_assert_null (rf_client_get_trial_id (fixture->client));
    rf_helper1_set_trial_id (fixture->helper.skeleton, RECORD_ID);
    rf_helper1_set_trial_ends (fixture->helper.skeleton, 123456789);
    ITERATE_UNTIL (rf_client_get_trial_id (fixture->client) != NULL);
    g_assert_cmpstr (rf_client_get_trial_id (fixture->client), ==, RECORD_ID);
    ITERATE_UNTIL (rf_client_get_trial_ends (fixture->client) == 123456789);
    helper_die (fixture);
    ITERATE_UNTIL (rf_client_get_trial_id (fixture->client) == NULL);
    g_assert_cmpint (rf_client_get_trial_ends (fixture->client), ==, 0);
}

static void list_into (Fixture *fixture, Answer *answer);

/* After an update: no call reaches the old helper any more, so that it leaves, and then they go to the new one. */
static void
test_restart (Fixture *fixture, gconstpointer data)
{
    Answer answer = {FALSE, NULL, NULL};
    ITERATE_UNTIL (rf_client_is_known (fixture->client));
    ITERATE_UNTIL (fixture->records_changed == 1);
    rf_helper1_set_version (fixture->helper.skeleton, "0.0.1");
    ITERATE_UNTIL (g_strcmp0 (rf_client_get_helper_version (fixture->client), "0.0.1") == 0);
    g_assert_false (rf_client_is_restarting (fixture->client));
    rf_client_restart_helper (fixture->client);
    g_assert_true (rf_client_is_restarting (fixture->client));
    list_into (fixture, &answer);
    settle ();
    g_assert_false (answer.done);
    helper_die (fixture);
    /* on this bus nothing starts another one, so the call ends; on the system's it would be answered by the new helper */
    ITERATE_UNTIL (answer.done);
    g_assert_error (answer.error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN);
    g_clear_error (&answer.error);
    g_assert_false (rf_client_is_restarting (fixture->client));
    g_assert_null (rf_client_get_helper_version (fixture->client));
    rf_client_restart_helper (fixture->client); /* none runs: there is nothing to wait for */
    g_assert_false (rf_client_is_restarting (fixture->client));
    helper_start (fixture);
    rf_helper1_set_version (fixture->helper.skeleton, "0.0.2");
    ITERATE_UNTIL (g_strcmp0 (rf_client_get_helper_version (fixture->client), "0.0.2") == 0);
    list_into (fixture, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_no_error (answer.error);
    g_ptr_array_unref (answer.value);
}

typedef gpointer (*Finish) (RfClient *client, GAsyncResult *result, GError **error);
static Finish finish;

static void
any_done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Answer *answer = data;
    answer->value = finish (RF_CLIENT (source), result, &answer->error);
    answer->done = TRUE;
}

static void
list_into (Fixture *fixture, Answer *answer)
{
    *answer = (Answer){FALSE, NULL, NULL};
    finish = (Finish) rf_client_list_finish;
    rf_client_list_async (fixture->client, any_done_cb, answer);
}

static void
extend_done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Answer *answer = data;
    answer->value = GINT_TO_POINTER (rf_client_extend_finish (RF_CLIENT (source), result, &answer->error));
    answer->done = TRUE;
}

static void
test_other_methods (Fixture *fixture, gconstpointer data)
{
    Answer answer = {FALSE, NULL, NULL};
    finish = (Finish) rf_client_keep_finish;
    rf_client_keep_async (fixture->client, RECORD_ID, any_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_no_error (answer.error);
    g_assert_cmpint (((RfRecord *) answer.value)->state, ==, RF_RECORD_KEPT);
    rf_record_free (answer.value);

    answer = (Answer){FALSE, NULL, NULL};
    finish = (Finish) rf_client_revert_finish;
    rf_client_revert_async (fixture->client, RECORD_ID, TRUE, any_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_cmpint (((RfRecord *) answer.value)->state, ==, RF_RECORD_REVERTED);
    rf_record_free (answer.value);

    answer = (Answer){FALSE, NULL, NULL};
    rf_client_extend_async (fixture->client, RECORD_ID, 600, extend_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_true (GPOINTER_TO_INT (answer.value));

    answer = (Answer){FALSE, NULL, NULL};
    finish = (Finish) rf_client_list_finish;
    rf_client_list_async (fixture->client, any_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_cmpuint (((GPtrArray *) answer.value)->len, ==, 2);
    g_ptr_array_unref (answer.value);

    answer = (Answer){FALSE, NULL, NULL};
    finish = (Finish) rf_client_check_finish;
    rf_client_check_async (fixture->client, any_done_cb, &answer);
    ITERATE_UNTIL (answer.done);
    g_assert_no_error (answer.error);
    GPtrArray *drift = answer.value;
    g_assert_cmpuint (drift->len, ==, 2); /* what a newer helper knows is left out */
    const RfDrift *row = g_ptr_array_index (drift, 0);
    g_assert_cmpstr (row->tunable->id, ==, "vm.swappiness");
    g_assert_cmpint (row->now.n[0], ==, 60);
    g_assert_cmpstr (row->verdict, ==, "drifted");
    row = g_ptr_array_index (drift, 1);
    g_assert_cmpstr (row->instance, ==, "nvme0n1");
    g_assert_cmpint (row->now.kind, ==, RF_VALUE_ABSENT);
    g_ptr_array_unref (drift);
}

/* Installed but broken: the bus tries to start it and it ends at once. */
static void
test_activation (void)
{
    g_autoptr (GError) error = NULL;
    Fixture fixture = {NULL};
    g_autofree char *dir = g_dir_make_tmp ("rf-client-XXXXXX", &error);
    g_assert_no_error (error);
    g_autofree char *file = g_build_filename (dir, NAME ".service", NULL);
    g_assert_true (g_file_set_contents (file, "[D-BUS Service]\nName=" NAME "\nExec=/bin/false\n", -1, &error));
    fixture.bus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_add_service_dir (fixture.bus, dir);
    g_test_dbus_up (fixture.bus);
    fixture.connection = connect_private (fixture.bus);
    fixture.client = rf_client_new (fixture.connection);
    ITERATE_UNTIL (rf_client_get_available (fixture.client));
    Answer answer = apply (&fixture, NULL);
    g_assert_null (answer.value);
    g_assert_error (answer.error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_EXITED);
    g_clear_error (&answer.error);
    tear_down (&fixture, NULL);
    g_unlink (file);
    g_rmdir (dir);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
#define ADD(name, with_helper, func)                                                                                  \
    g_test_add ("/client/" name, Fixture, GINT_TO_POINTER (with_helper), set_up, func, tear_down)
    ADD ("not-installed", FALSE, test_not_installed);
    ADD ("apply", TRUE, test_apply);
    ADD ("errors", TRUE, test_errors);
    ADD ("vanish", TRUE, test_vanish);
    ADD ("cancel", TRUE, test_cancel);
    ADD ("signals", TRUE, test_signals);
    ADD ("stranger", TRUE, test_stranger);
    ADD ("trial", TRUE, test_trial);
    ADD ("restart", TRUE, test_restart);
    ADD ("other-methods", TRUE, test_other_methods);
    ADD ("measurement", TRUE, test_measurement);
    ADD ("measurement-refused", TRUE, test_measurement_refused);
    g_test_add_func ("/client/activation", test_activation);
    return g_test_run ();
}
