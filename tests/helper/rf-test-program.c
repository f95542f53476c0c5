#define G_LOG_DOMAIN "rf-test-program"
#include "config.h"

#include "rf-test-program.h"

#include <signal.h>
#include <string.h>

#include "rf-service.h"
#include "rf-test-rig.h"

GDBusConnection *
rf_test_connect (const char *address)
{
    g_autoptr (GError) error = NULL;
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync (
        address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        NULL, &error);
    g_assert_no_error (error);
    g_dbus_connection_set_exit_on_close (bus, FALSE);
    return bus;
}

RfTestProgram *
rf_test_program_new (const char *kernel, const char *files)
{
    RfTestProgram *self = g_new0 (RfTestProgram, 1);
    self->kernel = g_strdup (kernel);
    self->files = g_strdup (files);
    self->dbus = g_test_dbus_new (G_TEST_DBUS_NONE);
    g_test_dbus_up (self->dbus);
    const char *address = g_test_dbus_get_bus_address (self->dbus);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", address, TRUE);
    self->polkit = rf_test_polkit_new (address);
    self->caller = rf_test_connect (address);
    return self;
}

void
rf_test_program_free (RfTestProgram *self)
{
    if (self->process != NULL)
        rf_test_program_end (self, SIGTERM);
    g_dbus_connection_close_sync (self->caller, NULL, NULL);
    g_clear_object (&self->caller);
    rf_test_polkit_free (self->polkit);
    g_test_dbus_stop (self->dbus);
    g_object_unref (self->dbus);
    g_free (self->kernel);
    g_free (self->files);
    g_free (self);
}

static GSubprocess *
spawn (RfTestProgram *self, const char *option, const char *second)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) argv = g_ptr_array_new ();
    g_ptr_array_add (argv, (char *)RF_TEST_HELPER);
    if (self->kernel != NULL) {
        g_ptr_array_add (argv, (char *)"--sysroot");
        g_ptr_array_add (argv, self->kernel);
    }
    g_ptr_array_add (argv, (char *)"--state");
    g_ptr_array_add (argv, self->files);
    if (option != NULL)
        g_ptr_array_add (argv, (char *)option);
    if (second != NULL)
        g_ptr_array_add (argv, (char *)second);
    g_ptr_array_add (argv, NULL);
    GSubprocess *process = g_subprocess_newv ((const char *const *)argv->pdata, G_SUBPROCESS_FLAGS_NONE, &error);
    g_assert_no_error (error);
    return process;
}

static gboolean
on_bus (RfTestProgram *self)
{
    gboolean answer = FALSE;
    g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
        self->caller, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        g_variant_new ("(s)", RF_SERVICE_NAME), G_VARIANT_TYPE ("(b)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
    g_assert_nonnull (reply);
    g_variant_get (reply, "(b)", &answer);
    return answer;
}

void
rf_test_program_start (RfTestProgram *self)
{
    self->process = spawn (self, NULL, NULL);
    for (guint i = 0; !on_bus (self); i++) {
        g_assert_cmpuint (i, <, 10000);
        g_usleep (2000);
    }
}

gboolean
rf_test_program_end (RfTestProgram *self, int number)
{
    g_subprocess_send_signal (self->process, number);
    g_subprocess_wait (self->process, NULL, NULL);
    gboolean ok = g_subprocess_get_successful (self->process);
    g_clear_object (&self->process);
    return ok;
}

int
rf_test_program_run (RfTestProgram *self, const char *option, const char *second)
{
    g_autoptr (GSubprocess) process = spawn (self, option, second);
    g_subprocess_wait (process, NULL, NULL);
    return g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
}

GVariant *
rf_test_program_call (RfTestProgram *self, const char *method, GVariant *parameters)
{
    g_autoptr (GError) error = NULL;
    GVariant *reply
        = g_dbus_connection_call_sync (self->caller, RF_SERVICE_NAME, RF_SERVICE_PATH, RF_SERVICE_NAME, method,
                                       parameters, NULL, G_DBUS_CALL_FLAGS_NONE, 120000, NULL, &error);
    g_assert_no_error (error);
    return reply;
}

char *
rf_test_program_apply (RfTestProgram *self, const char *lines, guint32 seconds)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    char *id = NULL;
    GVariantBuilder options;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&options, "{sv}", "trial-seconds", g_variant_new_uint32 (seconds));
    g_autoptr (GVariant) reply
        = rf_test_program_call (self, "Apply", g_variant_new ("(@a(ssv)a{sv})", rf_plan_to_variant (plan), &options));
    g_autoptr (GVariant) record = g_variant_get_child_value (reply, 0);
    g_assert_true (g_variant_lookup (record, "id", "s", &id));
    return id;
}

char *
rf_test_program_wait_reverted (RfTestProgram *self, const char *id, guint seconds)
{
    gint64 deadline = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
    while (g_get_monotonic_time () < deadline) {
        g_autoptr (GVariant) reply = rf_test_program_call (self, "ListRecords", NULL);
        g_autoptr (GVariant) records = g_variant_get_child_value (reply, 0);
        for (gsize i = 0; i < g_variant_n_children (records); i++) {
            g_autoptr (GVariant) record = g_variant_get_child_value (records, i);
            const char *found = "", *state = "";
            char *reason = NULL;
            g_variant_lookup (record, "id", "&s", &found);
            g_variant_lookup (record, "state", "&s", &state);
            if (g_str_equal (found, id) && g_str_equal (state, "reverted")
                && g_variant_lookup (record, "reason", "s", &reason))
                return reason;
        }
        g_usleep (20 * 1000);
    }
    g_error ("record %s did not go back", id);
}

guint64
rf_test_program_status (RfTestProgram *self, const char *field)
{
    g_autofree char *path = g_strdup_printf ("/proc/%s/status", g_subprocess_get_identifier (self->process));
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    const char *line = strstr (text, field);
    g_assert_nonnull (line);
    return g_ascii_strtoull (line + strlen (field), NULL, 10);
}
