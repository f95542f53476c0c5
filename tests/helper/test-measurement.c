/* Measurements over the bus: who may have how many, what ends them, and that they hold up nothing else. */
#define G_LOG_DOMAIN "test-measurement"
#include "config.h"

#include <gio/gunixfdlist.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "rf-event.h"
#include "rf-measurements.h"
#include "rf-request.h"
#include "rf-sample-line.h"
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
    gboolean left;
    char *ended; /* "ID REASON" of the last signal */
} Fixture;

typedef struct {
    GVariant *reply;
    GUnixFDList *files;
    GError *error;
    gboolean done;
} Call;

/* A measurement as its caller has it. */
typedef struct {
    char *id;
    int samples;
    int events;
} Running;

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

static void
ended_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
          GVariant *parameters, gpointer data)
{
    Fixture *self = data;
    const char *id = NULL, *reason = NULL;
    g_variant_get (parameters, "(&s&s)", &id, &reason);
    g_free (self->ended);
    self->ended = g_strdup_printf ("%s %s", id, reason);
}

static void
set_up (Fixture *self, gconstpointer data)
{
    g_autoptr (GError) error = NULL;
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    self->rig = rf_test_rig_new ("laptop-8g");
    self->bus = connect_bus ();
    self->caller = connect_bus ();
    self->idle = rf_idle_new (100, left_cb, self);
    self->service = rf_service_new (self->rig->machine, g_steal_pointer (&self->rig->journal),
                                    rf_authority_new (3000, 6000), self->idle);
    rf_service_export (self->service, self->bus, &error);
    g_assert_no_error (error);
    g_dbus_connection_signal_subscribe (self->caller, NULL, RF_SERVICE_NAME, "MeasurementEnded", NULL, NULL,
                                        G_DBUS_SIGNAL_FLAGS_NONE, ended_cb, self, NULL);
}

/* Runs the main loop until @condition holds; 20 s are more than enough. */
#define WAIT_UNTIL(condition)                                                                                          \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        gint64 deadline_ = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;                                              \
        while (!(condition)) {                                                                                         \
            g_assert_cmpint (g_get_monotonic_time (), <, deadline_);                                                   \
            g_main_context_iteration (NULL, g_main_context_pending (NULL));                                            \
            g_usleep (200);                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    G_STMT_END

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
    WAIT_UNTIL (stopped);
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->service));
    g_dbus_connection_close_sync (self->caller, NULL, NULL);
    g_dbus_connection_close_sync (self->bus, NULL, NULL);
    while (g_main_context_iteration (NULL, FALSE))
        continue;
    g_clear_object (&self->caller);
    g_clear_object (&self->bus);
    g_clear_object (&self->service);
    g_clear_pointer (&self->idle, rf_idle_unref);
    g_clear_pointer (&self->ended, g_free);
    rf_test_rig_free (self->rig);
}

static void
called_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Call *call = data;
    call->reply = g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (source), &call->files, result,
                                                                   &call->error);
    call->done = TRUE;
}

static Call
call_from (Fixture *self, GDBusConnection *caller, const char *method, const char *arguments)
{
    Call call = {0};
    g_dbus_connection_call_with_unix_fd_list (caller, g_dbus_connection_get_unique_name (self->bus), RF_SERVICE_PATH,
                                              RF_SERVICE_NAME, method, g_variant_new_parsed (arguments), NULL,
                                              G_DBUS_CALL_FLAGS_NONE, 20000, NULL, NULL, called_cb, &call);
    WAIT_UNTIL (call.done);
    return call;
}

static void
assert_refused (Fixture *self, GDBusConnection *caller, const char *method, const char *arguments, RfError code)
{
    Call call = call_from (self, caller, method, arguments);
    g_test_message ("%s %s", method, arguments);
    g_assert_null (call.reply);
    g_assert_error (call.error, RF_ERROR, (int)code);
    g_clear_error (&call.error);
}

static Running
start (Fixture *self, GDBusConnection *caller, const char *arguments)
{
    Running running;
    Call call = call_from (self, caller, "StartMeasurement", arguments);
    gint32 samples = -1, events = -1;
    g_assert_no_error (call.error);
    g_variant_get (call.reply, "(shh)", &running.id, &samples, &events);
    running.samples = g_unix_fd_list_get (call.files, samples, NULL);
    running.events = g_unix_fd_list_get (call.files, events, NULL);
    g_assert_cmpint (running.samples, >=, 0);
    g_assert_cmpint (running.events, >=, 0);
    g_variant_unref (call.reply);
    g_object_unref (call.files);
    return running;
}

static void
stop (Fixture *self, GDBusConnection *caller, const Running *running)
{
    g_autofree char *arguments = g_strdup_printf ("('%s',)", running->id);
    Call call = call_from (self, caller, "StopMeasurement", arguments);
    g_assert_no_error (call.error);
    g_variant_unref (call.reply);
}

/* Reads until the other side closes. Returns: (transfer full) */
static char *
read_to_end (int fd)
{
    GString *text = g_string_new (NULL);
    char block[4096];
    gssize got;
    do {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        /* the helper runs in this thread, too */
        WAIT_UNTIL (poll (&ready, 1, 0) > 0);
        got = read (fd, block, sizeof block);
        g_string_append_len (text, block, MAX (got, 0));
    } while (got > 0);
    return g_string_free (text, FALSE);
}

static void
forget (Running *running)
{
    if (running->samples >= 0)
        close (running->samples);
    if (running->events >= 0)
        close (running->events);
    g_clear_pointer (&running->id, g_free);
}

/* Waits for the signal of its end. */
static void
assert_ended (Fixture *self, const Running *running, const char *reason)
{
    g_autofree char *expected = g_strdup_printf ("%s %s", running->id, reason);
    WAIT_UNTIL (self->ended != NULL && g_str_has_prefix (self->ended, running->id));
    g_assert_cmpstr (self->ended, ==, expected);
}

static guint
count_samples (const char *text)
{
    guint n = 0;
    for (const char *p = text; p != NULL; p = strchr (p, '\n') != NULL ? strchr (p, '\n') + 1 : NULL)
        n += g_ascii_isdigit (*p) ? 1 : 0;
    return n;
}

static void
test_stop (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
    g_autofree char *question = rf_test_polkit_last (polkit);
    g_assert_cmpstr (question, ==, "system-bus-name io.github.ruckelfrei.measure [1] () silent");
    char first[16] = "";
    g_assert_cmpint (read (running.samples, first, 8), ==, 8); /* waits for the header, which comes at once */
    g_assert_cmpstr (first, ==, "time_ns,");
    stop (self, self->caller, &running);
    g_autofree char *samples = read_to_end (running.samples);
    g_autofree char *events = read_to_end (running.events);
    g_assert_cmpuint (count_samples (samples), >, 0);
    g_assert_nonnull (strstr (samples, "\n# end stopped\n# self-check samples traced "));
    g_assert_true (g_str_has_suffix (samples, "trusted\n"));
    g_assert_cmpstr (events, ==, RF_EVENT_HEADER "\n");
    assert_ended (self, &running, "stopped");
    /* over is over */
    g_autofree char *arguments = g_strdup_printf ("('%s',)", running.id);
    assert_refused (self, self->caller, "StopMeasurement", arguments, RF_ERROR_UNKNOWN);
    forget (&running);
}

/* Whoever has read to the end is not told that it still runs: a recorder that starts the next one then would go without. */
static void
test_next (Fixture *self, gconstpointer data)
{
    for (guint i = 0; i < 50; i++) {
        Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
        stop (self, self->caller, &running);
        g_autofree char *samples = read_to_end (running.samples);
        g_assert_nonnull (strstr (samples, "\n# end stopped\n"));
        forget (&running);
    }
}

static guint
count_files (void)
{
    g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
    guint n = 0;
    while (g_dir_read_name (folder) != NULL)
        n++;
    return n;
}

/* polkit is told of each check that is given up; what it says to that must not stay behind with a file open each time */
static void
test_given_up (Fixture *self, gconstpointer data)
{
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_SILENT);
    assert_refused (self, self->caller, "StartMeasurement", "(@a{sv} {},)", RF_ERROR_AUTHORITY_GONE);
    guint before = count_files ();
    for (guint i = 0; i < 6; i++)
        assert_refused (self, self->caller, "StartMeasurement", "(@a{sv} {},)", RF_ERROR_AUTHORITY_GONE);
    g_assert_cmpuint (count_files (), <, before + 3);
}

static void
test_limit (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'limit-seconds': <uint32 1>},)");
    g_autofree char *samples = read_to_end (running.samples);
    g_assert_nonnull (strstr (samples, "\n# end limit\n"));
    g_assert_cmpuint (count_samples (samples), <=, 10);
    assert_ended (self, &running, "limit");
    forget (&running);
}

static void
test_reader_gone (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
    close (running.samples);
    running.samples = -1;
    assert_ended (self, &running, "reader-gone");
    forget (&running);
}

static void
test_caller_leaves (Fixture *self, gconstpointer data)
{
    g_autoptr (GDBusConnection) caller = connect_bus ();
    Running running = start (self, caller, "(@a{sv} {},)");
    g_dbus_connection_close_sync (caller, NULL, NULL);
    assert_ended (self, &running, "caller-left");
    g_autofree char *samples = read_to_end (running.samples);
    g_assert_nonnull (strstr (samples, "\n# end caller-left\n"));
    forget (&running);
}

static void
test_limits (Fixture *self, gconstpointer data)
{
    GDBusConnection *callers[RF_MEASUREMENTS_MAX + 1];
    Running running[RF_MEASUREMENTS_MAX];
    for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
        callers[i] = connect_bus ();
    for (guint i = 0; i < G_N_ELEMENTS (running); i++) {
        /* whose they are: uid 0 may have all, others one less; the test may run as either */
        if (getuid () != 0 && i == RF_MEASUREMENTS_MAX_PER_USER) {
            running[i] = (Running){NULL, -1, -1};
            continue;
        }
        running[i] = start (self, callers[i], "(@a{sv} {},)");
    }
    guint asked = rf_test_polkit_asked (polkit);
    assert_refused (self, callers[0], "StartMeasurement", "(@a{sv} {},)", RF_ERROR_LIMIT);
    assert_refused (self, callers[RF_MEASUREMENTS_MAX], "StartMeasurement", "(@a{sv} {},)", RF_ERROR_LIMIT);
    /* nobody was asked for a password for nothing */
    g_assert_cmpuint (rf_test_polkit_asked (polkit), ==, asked);
    /* another one's cannot be stopped */
    g_autofree char *arguments = g_strdup_printf ("('%s',)", running[1].id);
    assert_refused (self, callers[0], "StopMeasurement", arguments, RF_ERROR_UNKNOWN);
    stop (self, callers[0], &running[0]);
    g_free (read_to_end (running[0].samples));
    assert_ended (self, &running[0], "stopped");
    forget (&running[0]);
    running[0] = start (self, callers[0], "(@a{sv} {},)");
    for (guint i = 0; i < G_N_ELEMENTS (callers); i++) {
        g_dbus_connection_close_sync (callers[i], NULL, NULL);
        g_object_unref (callers[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS (running); i++)
        forget (&running[i]);
}

static void
test_fair (void)
{
    static const struct {
        RfMeasurementsCount count;
        guint32 uid;
        gboolean trace, room;
    } rows[] = {
        {{0, 0, 0, 0}, 1000, TRUE, TRUE},  {{1, 1, 1, 0}, 1000, FALSE, FALSE}, {{2, 2, 0, 1}, 1000, FALSE, TRUE},
        {{2, 2, 0, 1}, 1000, TRUE, FALSE}, {{2, 2, 0, 1}, 0, TRUE, FALSE},     {{3, 3, 0, 0}, 1000, FALSE, FALSE},
        {{3, 2, 0, 0}, 1000, FALSE, TRUE}, {{3, 3, 0, 0}, 0, FALSE, TRUE},     {{4, 0, 0, 0}, 1000, FALSE, FALSE},
        {{4, 0, 0, 0}, 0, FALSE, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        g_assert_cmpint (rf_measurements_refusal (&rows[i].count, rows[i].uid, rows[i].trace) == NULL, ==,
                         rows[i].room);
}

static void
test_malformed (Fixture *self, gconstpointer data)
{
    static const struct {
        const char *method;
        const char *arguments;
        RfError code;
    } rows[] = {
        {"StartMeasurement", "({'hz': <uint32 0>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'hz': <uint32 51>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'hz': <10>},)", RF_ERROR_INVALID},
        {"StartMeasurement", "({'limit-seconds': <uint32 0>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'limit-seconds': <uint32 86401>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'slow-io-us': <uint32 99>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'slow-io-us': <uint32 1000001>},)", RF_ERROR_OUT_OF_RANGE},
        {"StartMeasurement", "({'trace': <uint32 1>},)", RF_ERROR_INVALID},
        {"StartMeasurement", "({'trace': <false>, 'file': <'/etc/passwd'>},)", RF_ERROR_INVALID},
        {"StartMeasurement", "({'': <true>},)", RF_ERROR_INVALID},
        {"StopMeasurement", "('',)", RF_ERROR_INVALID},
        {"StopMeasurement", "('../../../',)", RF_ERROR_INVALID},
        {"StopMeasurement", "('1A2B3C4D',)", RF_ERROR_INVALID},
        {"StopMeasurement", "('1a2b3c4d0',)", RF_ERROR_INVALID},
        {"StopMeasurement", "('1a2b3c4d',)", RF_ERROR_UNKNOWN},
    };
    guint asked = rf_test_polkit_asked (polkit);
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        assert_refused (self, self->caller, rows[i].method, rows[i].arguments, rows[i].code);
    /* the same option twice, which the text form cannot say */
    GVariantBuilder options;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    for (guint i = 0; i < 2; i++)
        g_variant_builder_add (&options, "{sv}", "hz", g_variant_new_uint32 (10));
    g_autoptr (GVariant) twice = g_variant_ref_sink (g_variant_new ("(a{sv})", &options));
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_request_parse ("StartMeasurement", twice, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_assert_cmpuint (rf_test_polkit_asked (polkit), ==, asked);
}

static void
test_polkit (Fixture *self, gconstpointer data)
{
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_DENY);
    assert_refused (self, self->caller, "StartMeasurement", "(@a{sv} {},)", RF_ERROR_NOT_AUTHORIZED);
    assert_refused (self, self->caller, "StartMeasurement", "({'trace': <true>},)", RF_ERROR_NOT_AUTHORIZED);
    g_autofree char *question = rf_test_polkit_last (polkit);
    g_assert_cmpstr (question, ==, "system-bus-name io.github.ruckelfrei.trace [1] () silent");
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_SILENT);
    assert_refused (self, self->caller, "StartMeasurement", "(@a{sv} {},)", RF_ERROR_AUTHORITY_GONE);
    rf_test_polkit_set (polkit, RF_TEST_POLKIT_ALLOW);
    /* a refused one takes no place */
    Running running = start (self, self->caller, "(@a{sv} {},)");
    forget (&running);
}

/* Where there is no tracefs the call says so, and the same without trace works. */
static void
test_no_tracefs (Fixture *self, gconstpointer data)
{
    assert_refused (self, self->caller, "StartMeasurement", "({'trace': <true>},)", RF_ERROR_UNAVAILABLE);
    WAIT_UNTIL (self->left); /* nothing is left of it that would keep the helper */
    Running running = start (self, self->caller, "(@a{sv} {},)");
    g_assert_null (self->ended);
    forget (&running);
}

/* A change goes its way while one measures, and does not end it; nor does the end of one end the other. */
static void
test_beside_a_change (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
    g_assert_false (rf_helper1_get_busy (RF_HELPER1 (self->service)));
    Call apply = call_from (self, self->caller, "Apply", "([('vm.swappiness', '', <int64 100>)], @a{sv} {})");
    g_assert_no_error (apply.error);
    rf_test_rig_assert_file (self->rig, "proc/sys/vm/swappiness", "100\n");
    Call back = call_from (self, self->caller, "RevertAll", "(false,)");
    g_assert_no_error (back.error);
    g_variant_unref (apply.reply);
    g_variant_unref (back.reply);
    rf_test_rig_assert_as_before (self->rig);
    g_assert_null (self->ended);
    stop (self, self->caller, &running);
    g_autofree char *samples = read_to_end (running.samples);
    g_assert_nonnull (strstr (samples, "\n# end stopped\n"));
    forget (&running);
}

static void
test_idle (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
    /* three times as long as the helper would stay */
    for (gint64 until = g_get_monotonic_time () + 300 * 1000; g_get_monotonic_time () < until; g_usleep (500))
        g_main_context_iteration (NULL, FALSE);
    g_assert_false (self->left);
    stop (self, self->caller, &running);
    g_free (read_to_end (running.samples));
    WAIT_UNTIL (self->left);
    forget (&running);
}

/* The helper is told to end: so does the measurement, and at once, although nobody reads. */
static void
test_helper_ends (Fixture *self, gconstpointer data)
{
    Running running = start (self, self->caller, "({'hz': <uint32 50>},)");
    gboolean stopped = FALSE;
    rf_service_stop (self->service, stopped_cb, &stopped);
    rf_service_stop (self->service, stopped_cb, &stopped);
    WAIT_UNTIL (stopped);
    g_autofree char *samples = read_to_end (running.samples);
    g_assert_nonnull (strstr (samples, "\n# end failed\n"));
    forget (&running);
    g_clear_pointer (&self->ended, g_free);
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->service));
    g_dbus_connection_close_sync (self->caller, NULL, NULL);
    g_dbus_connection_close_sync (self->bus, NULL, NULL);
    while (g_main_context_iteration (NULL, FALSE))
        continue;
    g_clear_object (&self->caller);
    g_clear_object (&self->bus);
    g_clear_object (&self->service);
    g_clear_pointer (&self->idle, rf_idle_unref);
    rf_test_rig_free (self->rig);
}

static void
nothing (Fixture *self, gconstpointer data)
{
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    dbus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (dbus);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (dbus), TRUE);
    polkit = rf_test_polkit_new (g_test_dbus_get_bus_address (dbus));
#define TEST(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
    TEST ("/helper/measurement/stop", test_stop);
    TEST ("/helper/measurement/next", test_next);
    TEST ("/helper/measurement/limit", test_limit);
    TEST ("/helper/measurement/reader-gone", test_reader_gone);
    TEST ("/helper/measurement/caller-leaves", test_caller_leaves);
    TEST ("/helper/measurement/limits", test_limits);
    g_test_add_func ("/helper/measurement/fair", test_fair);
    TEST ("/helper/measurement/malformed", test_malformed);
    TEST ("/helper/measurement/polkit", test_polkit);
    TEST ("/helper/measurement/given-up", test_given_up);
    TEST ("/helper/measurement/no-tracefs", test_no_tracefs);
    TEST ("/helper/measurement/beside-a-change", test_beside_a_change);
    TEST ("/helper/measurement/idle", test_idle);
    g_test_add ("/helper/measurement/helper-ends", Fixture, NULL, set_up, test_helper_ends, nothing);
    int code = g_test_run ();
    rf_test_polkit_free (polkit);
    g_test_dbus_stop (dbus);
    g_object_unref (dbus);
    return code;
}
