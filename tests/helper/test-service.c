#define G_LOG_DOMAIN "test-service"
#include "config.h"

#include <string.h>

#include "rf-caller.h"
#include "rf-request.h"
#include "rf-service.h"
#include "rf-test-polkit.h"
#include "rf-test-program.h"
#include "rf-test-rig.h"

static GTestDBus *dbus;
static RfTestPolkit *polkit;

typedef struct {
    RfTestRig *rig;
    GDBusConnection *bus; /* of the helper */
    RfIdle *idle;
    RfService *service;
    GDBusConnection *caller;
    gboolean left; /* the idle timer has fired */
} Fixture;

typedef struct {
    GVariant *reply;
    GError *error;
    gboolean done;
} Call;

static GDBusConnection *
connect_bus (void)
{
    return rf_test_connect (g_test_dbus_get_bus_address (dbus));
}

static gboolean
left_cb (gpointer data)
{
    ((Fixture *)data)->left = TRUE;
    return G_SOURCE_REMOVE;
}

static gint arrived; /* atomic: calls that have reached the helper */

static GDBusMessage *
count_cb (GDBusConnection *bus, GDBusMessage *message, gboolean incoming, gpointer data)
{
    if (incoming && g_dbus_message_get_message_type (message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL)
        g_atomic_int_inc (&arrived);
    return message;
}

/* short times: polkit's silence is found out in 300 ms, a dialog may stay open for 600 ms */
static void
set_up (Fixture *self, gconstpointer data)
{
    g_autoptr (GError) error = NULL;
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    self->rig = rf_test_rig_new (data != NULL ? data : "laptop-8g");
    self->bus = connect_bus ();
    self->caller = connect_bus ();
    g_dbus_connection_add_filter (self->bus, count_cb, NULL, NULL);
    self->left = FALSE;
    self->idle = rf_idle_new (150, left_cb, self);
    self->service = rf_service_new (self->rig->machine, g_steal_pointer (&self->rig->journal),
                                    rf_authority_new (300, 600), self->idle);
    rf_service_export (self->service, self->bus, &error);
    g_assert_no_error (error);
}

/* One turn of a loop that waits for another thread, which gets its time; valgrind lets run one thread at a time. */
static void
take_turn (void)
{
    g_main_context_iteration (NULL, g_main_context_pending (NULL));
    g_usleep (200);
}

static void
wait_until (gboolean *flag)
{
    gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
    while (!*flag) {
        g_assert_cmpint (g_get_monotonic_time (), <, deadline);
        take_turn ();
    }
}

static gboolean
stopped_cb (gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
    gboolean stopped = FALSE;
    rf_service_stop (self->service, stopped_cb, &stopped);
    wait_until (&stopped);
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->service));
    g_dbus_connection_close_sync (self->caller, NULL, NULL);
    g_dbus_connection_close_sync (self->bus, NULL, NULL);
    /* calls that were answered a moment ago still hold the object */
    while (g_main_context_iteration (NULL, FALSE))
        continue;
    g_clear_object (&self->caller);
    g_clear_object (&self->bus);
    g_clear_object (&self->service);
    g_clear_pointer (&self->idle, rf_idle_unref);
    rf_test_rig_free (self->rig);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Call *call = data;
    call->reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &call->error);
    call->done = TRUE;
}

static void
start_from (Fixture *self, GDBusConnection *caller, const char *method, GVariant *parameters, GDBusCallFlags flags,
            Call *call)
{
    *call = (Call){0};
    g_dbus_connection_call (caller, g_dbus_connection_get_unique_name (self->bus), RF_SERVICE_PATH, RF_SERVICE_NAME,
                            method, parameters, NULL, flags, 20000, NULL, called_cb, call);
}

static Call
call_from (Fixture *self, GDBusConnection *caller, const char *method, GVariant *parameters)
{
    Call call;
    start_from (self, caller, method, parameters, G_DBUS_CALL_FLAGS_NONE, &call);
    wait_until (&call.done);
    return call;
}

static void
clear (Call *call)
{
    g_clear_pointer (&call->reply, g_variant_unref);
    g_clear_error (&call->error);
}

/* The call must be refused with @code. */
static void
assert_refused (Fixture *self, const char *method, GVariant *parameters, RfError code)
{
    Call call = call_from (self, self->caller, method, parameters);
    g_assert_null (call.reply);
    g_assert_error (call.error, RF_ERROR, (int)code);
    clear (&call);
}

static GVariant *
done (Fixture *self, const char *method, GVariant *parameters)
{
    Call call = call_from (self, self->caller, method, parameters);
    g_assert_no_error (call.error);
    return call.reply;
}

static GVariant *
apply_arguments (const char *lines, guint32 seconds)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    GVariantBuilder options;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    if (seconds != 0)
        g_variant_builder_add (&options, "{sv}", "trial-seconds", g_variant_new_uint32 (seconds));
    return g_variant_new ("(@a(ssv)a{sv})", rf_plan_to_variant (plan), &options);
}

static char *
id_of (GVariant *reply)
{
    g_autoptr (GVariant) record = g_variant_get_child_value (reply, 0);
    char *id = NULL;
    g_assert_true (g_variant_lookup (record, "id", "s", &id));
    return id;
}

static char *
apply (Fixture *self, const char *lines)
{
    g_autoptr (GVariant) reply = done (self, "Apply", apply_arguments (lines, 0));
    return id_of (reply);
}

/* Waits until the record has reached @state, and returns its reason. */
static char *
wait_for_state (Fixture *self, const char *id, const char *state)
{
    for (guint i = 0; i < 2000; i++) {
        g_autoptr (GVariant) reply = done (self, "ListRecords", NULL);
        g_autoptr (GVariant) records = g_variant_get_child_value (reply, 0);
        for (gsize j = 0; j < g_variant_n_children (records); j++) {
            g_autoptr (GVariant) record = g_variant_get_child_value (records, j);
            const char *found = NULL, *now = NULL;
            char *reason = NULL;
            g_variant_lookup (record, "id", "&s", &found);
            g_variant_lookup (record, "state", "&s", &now);
            if (g_str_equal (found, id) && g_str_equal (now, state)) {
                g_variant_lookup (record, "reason", "s", &reason);
                return reason;
            }
        }
        g_usleep (1000);
    }
    g_error ("record %s never became %s", id, state);
}

static void
test_trial_keep_revert (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100\nvm.dirty bytes:268435456");
    g_autofree char *question = rf_test_polkit_last (polkit);
    g_assert_cmpstr (question, ==,
                     "system-bus-name io.github.ruckelfrei.apply [2] (vm.dirty = bytes:268435456, "
                     "vm.swappiness = 100) silent");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "100\n");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/dirty_bytes", "268435456\n");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/dirty_ratio", "0\n");
    g_assert_cmpstr (rf_helper1_get_trial_id (RF_HELPER1 (self->service)), ==, id);
    g_assert_cmpint (rf_helper1_get_trial_ends (RF_HELPER1 (self->service)), >, 0);
    g_assert_false (rf_test_tree_exists (self->rig->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf"));

    g_autoptr (GVariant) kept = done (self, "Keep", g_variant_new ("(s)", id));
    g_assert_true (rf_test_tree_exists (self->rig->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf"));
    g_assert_cmpstr (rf_helper1_get_trial_id (RF_HELPER1 (self->service)), ==, "");

    g_autoptr (GVariant) drift = done (self, "Check", NULL);
    g_autofree char *rows = g_variant_print (drift, FALSE);
    g_assert_nonnull (strstr (rows, "'vm.swappiness', '', <int64 100>, 'as-kept'"));

    g_autoptr (GVariant) back = done (self, "RevertAll", g_variant_new ("(b)", FALSE));
    rf_test_rig_assert_as_before (self->rig);
    g_assert_false (rf_test_tree_exists (self->rig->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf"));
}

/* What polkit can say, and what the caller gets to hear. */
static void
test_polkit_answers (Fixture *self, gconstpointer data)
{
    static const struct {
        RfTestPolkitMode mode;
        RfError code;
    } rows[] = {
        {RF_TEST_POLKIT_DENY, RF_ERROR_NOT_AUTHORIZED},   {RF_TEST_POLKIT_DISMISS, RF_ERROR_DISMISSED},
        {RF_TEST_POLKIT_CHALLENGE, RF_ERROR_NO_AGENT},    {RF_TEST_POLKIT_ERROR, RF_ERROR_AUTHORITY_GONE},
        {RF_TEST_POLKIT_SILENT, RF_ERROR_AUTHORITY_GONE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        rf_test_polkit_set (polkit, rows[i].mode);
        assert_refused (self, "Apply", apply_arguments ("vm.swappiness 100", 0), rows[i].code);
        assert_refused (self, "RevertAll", g_variant_new ("(b)", TRUE), rows[i].code);
    }
    rf_test_rig_assert_as_before (self->rig);
    g_autofree char *journal = rf_test_tree_dump (self->rig->tree, "var/lib/ruckelfrei/journal");
    g_assert_null (strstr (journal, ".record"));
    /* reading needs nobody's leave */
    g_autoptr (GVariant) records = done (self, "ListRecords", NULL);
    g_autoptr (GVariant) drift = done (self, "Check", NULL);
}

static void
test_polkit_gone (Fixture *self, gconstpointer data)
{
    rf_test_polkit_present (polkit, FALSE);
    assert_refused (self, "Apply", apply_arguments ("vm.swappiness 100", 0), RF_ERROR_AUTHORITY_GONE);
    rf_test_polkit_present (polkit, TRUE);
    rf_test_rig_assert_as_before (self->rig);
    g_autofree char *id = apply (self, "vm.swappiness 100");
}

/* A dialog is only possible if the caller's message says so. */
static void
test_interaction (Fixture *self, gconstpointer data)
{
    Call call;
    start_from (self, self->caller, "Apply", apply_arguments ("block.scheduler@nvme0n1 mq-deadline", 0),
                G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION, &call);
    wait_until (&call.done);
    g_assert_no_error (call.error);
    g_autofree char *question = rf_test_polkit_last (polkit);
    g_assert_cmpstr (question, ==,
                     "system-bus-name io.github.ruckelfrei.storage [1] (block.scheduler (nvme0n1) = mq-deadline) "
                     "interactive");
    g_autofree char *id = id_of (call.reply);
    clear (&call);
    g_autoptr (GVariant) extended = done (self, "Extend", g_variant_new ("(su)", id, 100));
    g_autofree char *extend = rf_test_polkit_last (polkit);
    g_assert_true (g_str_has_prefix (extend, "system-bus-name io.github.ruckelfrei.storage [1]"));
    g_autoptr (GVariant) back = done (self, "Revert", g_variant_new ("(sb)", id, FALSE));
    g_autofree char *revert = rf_test_polkit_last (polkit);
    g_assert_cmpstr (revert, ==,
                     "system-bus-name io.github.ruckelfrei.revert [1] (block.scheduler (nvme0n1) = none) silent");
}

/* While polkit thinks, the caller leaves: nothing may happen, whatever polkit says then. */
static void
test_caller_vanishes_in_dialog (Fixture *self, gconstpointer data)
{
    Call call;
    guint asked = rf_test_polkit_asked (polkit);
    g_autoptr (GDBusConnection) caller = connect_bus ();
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_SILENT);
    start_from (self, caller, "Apply", apply_arguments ("vm.swappiness 100", 0),
                G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION, &call);
    while (rf_test_polkit_asked (polkit) == asked) {
        g_assert_false (call.done);
        take_turn ();
    }
    g_dbus_connection_close_sync (caller, NULL, NULL);
    wait_until (&call.done);
    clear (&call);
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    /* the helper is free for others, and the lock of that call is gone */
    g_autofree char *id = apply (self, "vm.page-cluster 0");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
}

static void
test_caller_vanishes_in_trial (Fixture *self, gconstpointer data)
{
    g_autoptr (GDBusConnection) caller = connect_bus ();
    Call call = call_from (self, caller, "Apply", apply_arguments ("vm.swappiness 100", 0));
    g_assert_no_error (call.error);
    g_autofree char *id = id_of (call.reply);
    clear (&call);
    g_dbus_connection_close_sync (caller, NULL, NULL);
    g_autofree char *reason = wait_for_state (self, id, "reverted");
    g_assert_cmpstr (reason, ==, "caller-gone");
    rf_test_rig_assert_as_before (self->rig);
}

/* One that has kept may leave. */
static void
test_caller_leaves_after_keep (Fixture *self, gconstpointer data)
{
    g_autoptr (GDBusConnection) caller = connect_bus ();
    Call call = call_from (self, caller, "Apply", apply_arguments ("vm.swappiness 100", 0));
    g_autofree char *id = id_of (call.reply);
    clear (&call);
    call = call_from (self, caller, "Keep", g_variant_new ("(s)", id));
    g_assert_no_error (call.error);
    clear (&call);
    g_dbus_connection_close_sync (caller, NULL, NULL);
    wait_until (&self->left);
    g_autofree char *reason = wait_for_state (self, id, "kept");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "100\n");
}

/* Somebody else's trial: every method that could end, lengthen or keep it asks for its own action, and a refusal leaves
 * everything as it is. */
static void
test_foreign_trial (Fixture *self, gconstpointer data)
{
    static const struct {
        const char *method;
        const char *action;
    } rows[] = {
        {"Keep", "storage"},     {"Extend", "storage"},     {"Revert", "revert"},
        {"RevertAll", "revert"}, {"RevertEntry", "revert"},
    };
    g_autoptr (GDBusConnection) other = connect_bus ();
    g_autofree char *id = apply (self, "block.scheduler@nvme0n1 mq-deadline");
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        const char *method = rows[i].method;
        g_autofree char *start = g_strdup_printf ("system-bus-name io.github.ruckelfrei.%s [1] ", rows[i].action);
        if (g_str_equal (method, "RevertEntry")) {
            rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
            g_autoptr (GVariant) kept = done (self, "Keep", g_variant_new ("(s)", id));
        }
        rf_test_polkit_set (polkit, RF_TEST_POLKIT_DENY);
        GVariant *parameters = g_str_equal (method, "Keep")     ? g_variant_new ("(s)", id)
                               : g_str_equal (method, "Extend") ? g_variant_new ("(su)", id, 1800)
                               : g_str_equal (method, "Revert") ? g_variant_new ("(sb)", id, TRUE)
                               : g_str_equal (method, "RevertEntry")
                                   ? g_variant_new ("(sssb)", id, "block.scheduler", "nvme0n1", TRUE)
                                   : g_variant_new ("(b)", TRUE);
        gint64 ends = rf_helper1_get_trial_ends (RF_HELPER1 (self->service));
        Call call = call_from (self, other, method, parameters);
        g_autofree char *question = rf_test_polkit_last (polkit);
        g_assert_error (call.error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED);
        clear (&call);
        g_test_message ("%s: %s", method, question);
        g_assert_true (g_str_has_prefix (question, start));
        g_assert_cmpint (rf_helper1_get_trial_ends (RF_HELPER1 (self->service)), ==, ends);
        rf_test_rig_assert_file (self->rig, "sys/block/nvme0n1/queue/scheduler", "none [mq-deadline]\n");
    }
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    g_dbus_connection_close_sync (other, NULL, NULL);
}

/* The disk fills up during a trial: it ends by itself all the same, and the helper comes to rest. */
static void
test_journal_lost_in_trial (Fixture *self, gconstpointer data)
{
    g_autoptr (GDBusConnection) caller = connect_bus ();
    Call call = call_from (self, caller, "Apply", apply_arguments ("vm.swappiness 100", 0));
    g_assert_no_error (call.error);
    clear (&call);
    rf_test_tree_remove (self->rig->tree, "var/lib/ruckelfrei/journal");
    g_dbus_connection_close_sync (caller, NULL, NULL);
    wait_until (&self->left);
    rf_test_rig_assert_as_before (self->rig);
    g_assert_cmpstr (rf_helper1_get_trial_id (RF_HELPER1 (self->service)), ==, "");
}

/* Whoever sends without waiting for answers fills neither the memory nor the threads, and others are still heard. */
static void
test_flood (Fixture *self, gconstpointer data)
{
    static const struct {
        const char *interface;
        const char *method;
    } rows[] = {{RF_SERVICE_NAME, "ListRecords"}, {"org.freedesktop.DBus.Properties", "GetAll"}};
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (GDBusConnection) flooder = connect_bus ();
        enum { N = 4 * RF_CALLER_MAX_WAITING };
        Call calls[N] = {{0}};
        guint refused = 0;
        g_atomic_int_set (&arrived, 0);
        for (guint j = 0; j < N; j++)
            g_dbus_connection_call (flooder, g_dbus_connection_get_unique_name (self->bus), RF_SERVICE_PATH,
                                    rows[i].interface, rows[i].method,
                                    i == 0 ? NULL : g_variant_new ("(s)", RF_SERVICE_NAME), NULL,
                                    G_DBUS_CALL_FLAGS_NONE, 20000, NULL, called_cb, &calls[j]);
        /* all have come in before the main thread looks at the first */
        while (g_atomic_int_get (&arrived) < N)
            g_usleep (200);
        for (guint j = 0; j < N; j++) {
            wait_until (&calls[j].done);
            refused += g_error_matches (calls[j].error, RF_ERROR, RF_ERROR_LIMIT);
            clear (&calls[j]);
        }
        g_assert_cmpuint (refused, >=, N - RF_CALLER_MAX_WAITING);
        g_assert_cmpuint (refused, <, N);
        g_dbus_connection_close_sync (flooder, NULL, NULL);
        g_autoptr (GVariant) records = done (self, "ListRecords", NULL);
    }
    g_autofree char *long_word = g_strnfill (RF_CALLER_MAX_BYTES, 'x');
    assert_refused (self, "Keep", g_variant_new ("(s)", long_word), RF_ERROR_LIMIT);
    g_autofree char *id = apply (self, "vm.swappiness 100");
}

static void
test_busy (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100");
    guint asked = rf_test_polkit_asked (polkit);
    assert_refused (self, "Apply", apply_arguments ("vm.page-cluster 0", 0), RF_ERROR_BUSY);
    /* nobody was asked for a password for nothing */
    g_assert_cmpuint (rf_test_polkit_asked (polkit), ==, asked);
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/page-cluster", "3\n");
}

/* More than four open calls of one caller are refused, and the helper recovers. */
static void
test_limit (Fixture *self, gconstpointer data)
{
    Call calls[7];
    guint refused = 0, gone = 0;
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_SILENT);
    for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        start_from (self, self->caller, "RevertAll", g_variant_new ("(b)", FALSE), G_DBUS_CALL_FLAGS_NONE, &calls[i]);
    for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
        wait_until (&calls[i].done);
        refused += g_error_matches (calls[i].error, RF_ERROR, RF_ERROR_LIMIT);
        gone += g_error_matches (calls[i].error, RF_ERROR, RF_ERROR_AUTHORITY_GONE);
        clear (&calls[i]);
    }
    g_assert_cmpuint (refused, ==, 3);
    g_assert_cmpuint (gone, ==, 4);
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    g_autofree char *id = apply (self, "vm.swappiness 100");
}

/* Every argument of every method, wrong in every way we know: refused, and polkit is not asked. */
static void
test_malformed (Fixture *self, gconstpointer data)
{
    static const struct {
        const char *method;
        const char *arguments;
        RfError code;
    } rows[] = {
        {"Apply", "(@a(ssv) [], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('vm.nonsense', '', <int64 1>)], @a{sv} {})", RF_ERROR_UNKNOWN},
        {"Apply", "([('../../etc/passwd', '', <int64 1>)], @a{sv} {})", RF_ERROR_UNKNOWN},
        {"Apply", "([('vm.swappiness', 'nvme0n1', <int64 1>)], @a{sv} {})", RF_ERROR_UNKNOWN},
        {"Apply", "([('vm.swappiness', '', <'100'>)], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('vm.swappiness', '', <int32 100>)], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('vm.swappiness', '', <int64 100000>)], @a{sv} {})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.swappiness', '', <int64 -1>)], @a{sv} {})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.swappiness', '', <int64 1>), ('vm.swappiness', '', <int64 2>)], @a{sv} {})",
         RF_ERROR_INVALID},
        {"Apply", "([('vm.dirty', '', <('bytes', int64 0)>)], @a{sv} {})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.dirty', '', <('percent', int64 10)>)], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('block.scheduler', 'sda', <'none'>)], @a{sv} {})", RF_ERROR_UNKNOWN},
        {"Apply", "([('block.scheduler', '../sda', <'none'>)], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('block.scheduler', 'nvme0n1', <'none; reboot'>)], @a{sv} {})", RF_ERROR_INVALID},
        {"Apply", "([('swap.zram', '', <(int64 1, 'lz4', int64 100)>)], @a{sv} {})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.swappiness', '', <int64 100>)], {'trial-seconds': <uint32 14>})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.swappiness', '', <int64 100>)], {'trial-seconds': <uint32 1801>})", RF_ERROR_OUT_OF_RANGE},
        {"Apply", "([('vm.swappiness', '', <int64 100>)], {'trial-seconds': <'60'>})", RF_ERROR_INVALID},
        {"Apply", "([('vm.swappiness', '', <int64 100>)], {'keep': <true>})", RF_ERROR_INVALID},
        {"Extend", "('', uint32 60)", RF_ERROR_INVALID},
        {"Extend", "('20261130T140300Z-0000000a', uint32 60)", RF_ERROR_UNKNOWN},
        {"Extend", "('20261130T140300Z-0000000a', uint32 5)", RF_ERROR_OUT_OF_RANGE},
        {"Keep", "('../../../etc/shadow',)", RF_ERROR_INVALID},
        {"Keep", "('20261130T140300Z-0000000a',)", RF_ERROR_UNKNOWN},
        {"Revert", "('..', false)", RF_ERROR_INVALID},
        {"Revert", "('20261130T140300Z-0000000a', true)", RF_ERROR_UNKNOWN},
        {"RevertEntry", "('x', 'vm.swappiness', '', false)", RF_ERROR_INVALID},
        {"RevertEntry", "('20261130T140300Z-0000000a', 'vm.nonsense', '', false)", RF_ERROR_UNKNOWN},
        {"RevertEntry", "('20261130T140300Z-0000000a', 'block.scheduler', 'a\\nb', false)", RF_ERROR_INVALID},
        {"RevertEntry", "('20261130T140300Z-0000000a', 'vm.swappiness', '', false)", RF_ERROR_UNKNOWN},
        {"Cancel", "()", RF_ERROR_STATE},
    };
    guint asked = rf_test_polkit_asked (polkit);
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (GError) error = NULL;
        GVariant *arguments = g_variant_parse (NULL, rows[i].arguments, NULL, NULL, &error);
        g_assert_no_error (error);
        g_test_message ("%s %s", rows[i].method, rows[i].arguments);
        Call call = call_from (self, self->caller, rows[i].method, arguments);
        g_variant_unref (arguments);
        g_assert_error (call.error, RF_ERROR, (int)rows[i].code);
        clear (&call);
    }
    g_assert_cmpuint (rf_test_polkit_asked (polkit), ==, asked);
    rf_test_rig_assert_as_before (self->rig);
}

static void
test_too_many_changes (Fixture *self, gconstpointer data)
{
    GVariantBuilder plan;
    g_variant_builder_init (&plan, G_VARIANT_TYPE ("a(ssv)"));
    for (guint i = 0; i < 65; i++) {
        g_autofree char *instance = g_strdup_printf ("nvme%un1", i);
        g_variant_builder_add (&plan, "(ssv)", "block.scheduler", instance, g_variant_new_string ("none"));
    }
    assert_refused (self, "Apply", g_variant_new ("(a(ssv)@a{sv})", &plan, g_variant_new ("a{sv}", NULL)),
                    RF_ERROR_LIMIT);
}

/* Whatever the interface offers is in the table, and no property can be written. */
static void
test_default_deny (Fixture *self, gconstpointer data)
{
    GDBusInterfaceInfo *info = rf_helper1_interface_info ();
    guint n = 0;
    for (; info->methods[n] != NULL; n++)
        g_assert_cmpint (rf_request_gate (info->methods[n]->name), !=, RF_GATE_CLOSED);
    g_assert_cmpuint (n, ==, 11);
    g_assert_cmpint (rf_request_gate ("WriteFile"), ==, RF_GATE_CLOSED);
    g_assert_cmpint (rf_request_gate (""), ==, RF_GATE_CLOSED);
    for (guint i = 0; info->properties[i] != NULL; i++)
        g_assert_cmpint (info->properties[i]->flags, ==, G_DBUS_PROPERTY_INFO_FLAGS_READABLE);
    Call call;
    call = (Call){0};
    g_dbus_connection_call (self->caller, g_dbus_connection_get_unique_name (self->bus), RF_SERVICE_PATH,
                            "org.freedesktop.DBus.Properties", "Set",
                            g_variant_new ("(ssv)", RF_SERVICE_NAME, "Busy", g_variant_new_boolean (TRUE)), NULL,
                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, called_cb, &call);
    wait_until (&call.done);
    g_assert_nonnull (call.error);
    clear (&call);
}

static void
test_revert_entry (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100\nvm.page-cluster 0");
    g_autoptr (GVariant) kept = done (self, "Keep", g_variant_new ("(s)", id));
    g_autoptr (GVariant) one = done (self, "RevertEntry", g_variant_new ("(sssb)", id, "vm.swappiness", "", FALSE));
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/page-cluster", "0\n");
    g_autofree char *text = rf_test_tree_get (self->rig->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf");
    g_assert_null (strstr (text, "swappiness"));
    g_assert_nonnull (strstr (text, "vm.page-cluster = 0\n"));
    assert_refused (self, "RevertEntry", g_variant_new ("(sssb)", id, "vm.swappiness", "", FALSE), RF_ERROR_STATE);
    g_autoptr (GVariant) other = done (self, "RevertEntry", g_variant_new ("(sssb)", id, "vm.page-cluster", "", FALSE));
    g_autofree char *reason = wait_for_state (self, id, "reverted");
    rf_test_rig_assert_as_before (self->rig);
    g_assert_false (rf_test_tree_exists (self->rig->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf"));
}

/* "Take everything back", then "Take back anyway" for what was left alone: the record counts as taken back by then. */
static void
test_revert_entry_left_alone (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100\nvm.page-cluster 0");
    g_autoptr (GVariant) kept = done (self, "Keep", g_variant_new ("(s)", id));
    GVariant *entry = g_variant_new ("(sssb)", id, "vm.swappiness", "", TRUE);
    g_variant_ref_sink (entry);
    rf_test_tree_set (self->rig->tree, "proc/sys/vm/swappiness", "150\n");
    g_autoptr (GVariant) all = done (self, "RevertAll", g_variant_new ("(b)", FALSE));
    g_autofree char *reason = wait_for_state (self, id, "reverted");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "150\n");
    assert_refused (self, "RevertEntry", g_variant_new ("(sssb)", id, "vm.swappiness", "", FALSE), RF_ERROR_STATE);
    assert_refused (self, "RevertEntry", g_variant_new ("(sssb)", id, "vm.page-cluster", "", TRUE), RF_ERROR_STATE);
    g_autoptr (GVariant) forced = done (self, "RevertEntry", entry);
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
    assert_refused (self, "RevertEntry", entry, RF_ERROR_STATE);
    rf_test_rig_assert_as_before (self->rig);
    g_variant_unref (entry);
}

/* The helper leaves when nobody needs it, and not before. */
static void
test_idle (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100");
    gint64 until = g_get_monotonic_time () + 500 * 1000;
    while (g_get_monotonic_time () < until)
        take_turn ();
    g_assert_false (self->left);
    g_autoptr (GVariant) back = done (self, "Revert", g_variant_new ("(sb)", id, FALSE));
    wait_until (&self->left);
}

/* The pressure guard: three OOM kills right after the change. */
static void
test_guard (Fixture *self, gconstpointer data)
{
    g_autofree char *id = apply (self, "vm.swappiness 100");
    g_autofree char *vmstat = rf_test_tree_get (self->rig->tree, "proc/vmstat");
    g_auto (GStrv) parts = g_strsplit (vmstat, "oom_kill 0\n", 2);
    g_assert_nonnull (parts[1]);
    g_autofree char *killed = g_strconcat (parts[0], "oom_kill 3\n", parts[1], NULL);
    rf_test_tree_set (self->rig->tree, "proc/vmstat", killed);
    g_autofree char *reason = wait_for_state (self, id, "reverted");
    g_assert_cmpstr (reason, ==, "guard-oom");
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
}

static gint making; /* atomic: 1: mkswap runs, 2: it may end */

static gboolean
slow_run (const RfOps *ops, RfSysroot *kernel, const char *const *argv, GError **error)
{
    g_atomic_int_set (&making, 1);
    while (g_atomic_int_get (&making) != 2)
        g_usleep (1000);
    return TRUE;
}

static void
start_slow_swap (Fixture *self, GDBusConnection *caller, Call *call)
{
    self->rig->ops.run = slow_run;
    g_atomic_int_set (&making, 0);
    start_from (self, caller, "Apply", apply_arguments ("swap.zram 1073741824 lz4 100\nvm.swappiness 100", 0),
                G_DBUS_CALL_FLAGS_NONE, call);
    while (g_atomic_int_get (&making) != 1) {
        g_assert_no_error (call->error);
        g_assert_false (call->done);
        take_turn ();
    }
}

/* The own job can be cancelled, somebody else's cannot; while it runs everything else that changes is "busy". */
static void
test_cancel (Fixture *self, gconstpointer data)
{
    Call call;
    g_autoptr (GDBusConnection) other = connect_bus ();
    start_slow_swap (self, self->caller, &call);
    g_assert_true (rf_helper1_get_busy (RF_HELPER1 (self->service)));
    Call foreign = call_from (self, other, "Cancel", NULL);
    g_assert_error (foreign.error, RF_ERROR, RF_ERROR_STATE);
    clear (&foreign);
    assert_refused (self, "RevertAll", g_variant_new ("(b)", FALSE), RF_ERROR_BUSY);
    assert_refused (self, "Check", NULL, RF_ERROR_BUSY);
    g_autoptr (GVariant) records = done (self, "ListRecords", NULL);
    g_autoptr (GVariant) cancelled = done (self, "Cancel", NULL);
    g_atomic_int_set (&making, 2);
    wait_until (&call.done);
    g_assert_error (call.error, RF_ERROR, RF_ERROR_CANCELLED);
    clear (&call);
    g_assert_false (rf_test_tree_exists (self->rig->tree, "sys/block/zram0"));
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
    g_dbus_connection_close_sync (other, NULL, NULL);
}

/* The caller leaves while its swap is being made: the job ends and leaves nothing. */
static void
test_caller_vanishes_in_job (Fixture *self, gconstpointer data)
{
    Call call;
    g_autoptr (GDBusConnection) caller = connect_bus ();
    start_slow_swap (self, caller, &call);
    g_dbus_connection_close_sync (caller, NULL, NULL);
    wait_until (&call.done);
    clear (&call);
    g_atomic_int_set (&making, 2);
    wait_until (&self->left);
    g_assert_false (rf_test_tree_exists (self->rig->tree, "sys/block/zram0"));
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "60\n");
    g_autofree char *id = apply (self, "vm.page-cluster 0");
}

#define TEST(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    dbus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (dbus);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (dbus), TRUE);
    polkit = rf_test_polkit_new (g_test_dbus_get_bus_address (dbus));
    TEST ("/helper/service/trial-keep-revert", test_trial_keep_revert);
    TEST ("/helper/service/polkit-answers", test_polkit_answers);
    TEST ("/helper/service/polkit-gone", test_polkit_gone);
    TEST ("/helper/service/interaction", test_interaction);
    TEST ("/helper/service/caller-vanishes-in-dialog", test_caller_vanishes_in_dialog);
    TEST ("/helper/service/caller-vanishes-in-trial", test_caller_vanishes_in_trial);
    TEST ("/helper/service/caller-leaves-after-keep", test_caller_leaves_after_keep);
    TEST ("/helper/service/busy", test_busy);
    TEST ("/helper/service/cancel", test_cancel);
    TEST ("/helper/service/caller-vanishes-in-job", test_caller_vanishes_in_job);
    TEST ("/helper/service/limit", test_limit);
    TEST ("/helper/service/foreign-trial", test_foreign_trial);
    TEST ("/helper/service/journal-lost-in-trial", test_journal_lost_in_trial);
    TEST ("/helper/service/flood", test_flood);
    TEST ("/helper/service/malformed", test_malformed);
    TEST ("/helper/service/too-many-changes", test_too_many_changes);
    TEST ("/helper/service/default-deny", test_default_deny);
    TEST ("/helper/service/revert-entry", test_revert_entry);
    TEST ("/helper/service/revert-entry-left-alone", test_revert_entry_left_alone);
    TEST ("/helper/service/idle", test_idle);
    TEST ("/helper/service/guard", test_guard);
    int code = g_test_run ();
    rf_test_polkit_free (polkit);
    g_test_dbus_stop (dbus);
    g_object_unref (dbus);
    return code;
}
