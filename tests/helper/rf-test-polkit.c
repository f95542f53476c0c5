#define G_LOG_DOMAIN "rf-test-polkit"
#include "config.h"

#include "rf-test-polkit.h"

struct _RfTestPolkit {
    GMutex mutex;
    GCond cond;
    GThread *thread;
    GMainContext *context;
    GMainLoop *loop;
    char *address;
    GDBusConnection *bus;
    RfTestPolkitMode mode;
    guint asked;
    char *last;
};

static const char interface_xml[]
    = "<node><interface name='org.freedesktop.PolicyKit1.Authority'>"
      "<method name='CheckAuthorization'><arg type='(sa{sv})' direction='in'/><arg type='s' direction='in'/>"
      "<arg type='a{ss}' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
      "<arg type='(bba{ss})' direction='out'/></method>"
      "<method name='CancelCheckAuthorization'><arg type='s' direction='in'/></method>"
      "<signal name='Changed'/></interface></node>";

static void
answer (RfTestPolkit *self, GDBusMethodInvocation *invocation)
{
    GVariantBuilder details;
    g_variant_builder_init (&details, G_VARIANT_TYPE ("a{ss}"));
    if (self->mode == RF_TEST_POLKIT_DISMISS)
        g_variant_builder_add (&details, "{ss}", "polkit.dismissed", "true");
    if (self->mode == RF_TEST_POLKIT_SILENT) {
        g_variant_builder_clear (&details);
        g_object_unref (invocation);
    } else if (self->mode == RF_TEST_POLKIT_ERROR) {
        g_variant_builder_clear (&details);
        g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.PolicyKit1.Error.Failed", "broken");
    } else {
        g_dbus_method_invocation_return_value (invocation,
                                               g_variant_new ("((bba{ss}))", self->mode == RF_TEST_POLKIT_ALLOW,
                                                              self->mode == RF_TEST_POLKIT_CHALLENGE, &details));
    }
}

static void
method_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *method,
           GVariant *parameters, GDBusMethodInvocation *invocation, gpointer data)
{
    RfTestPolkit *self = data;
    if (g_str_equal (method, "CancelCheckAuthorization")) {
        g_dbus_method_invocation_return_value (invocation, NULL);
        return;
    }
    const char *kind, *action, *count = "", *settings = "";
    guint32 flags;
    g_autoptr (GVariant) details = NULL;
    g_variant_get (parameters, "((&sa{sv})&s@a{ss}u&s)", &kind, NULL, &action, &details, &flags, NULL);
    g_variant_lookup (details, "count", "&s", &count);
    g_variant_lookup (details, "settings", "&s", &settings);
    g_mutex_lock (&self->mutex);
    g_free (self->last);
    self->last = g_strdup_printf ("%s %s [%s] (%s) %s", kind, action, count, settings,
                                  (flags & 1) != 0 ? "interactive" : "silent");
    self->asked++;
    answer (self, invocation);
    g_mutex_unlock (&self->mutex);
}

static void
request_name (RfTestPolkit *self, gboolean present)
{
    g_autoptr (GError) error = NULL;
    GVariant *arguments = present ? g_variant_new ("(su)", "org.freedesktop.PolicyKit1", 4)
                                  : g_variant_new ("(s)", "org.freedesktop.PolicyKit1");
    g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
        self->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        present ? "RequestName" : "ReleaseName", arguments, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    g_assert_no_error (error);
}

static gpointer
polkit_thread (gpointer data)
{
    RfTestPolkit *self = data;
    g_autoptr (GError) error = NULL;
    g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interface_xml, NULL);
    const GDBusInterfaceVTable vtable = {.method_call = method_cb};
    g_main_context_push_thread_default (self->context);
    self->bus = g_dbus_connection_new_for_address_sync (
        self->address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
        NULL, NULL, &error);
    g_assert_no_error (error);
    g_dbus_connection_register_object (self->bus, "/org/freedesktop/PolicyKit1/Authority", node->interfaces[0], &vtable,
                                       self, NULL, &error);
    g_assert_no_error (error);
    request_name (self, TRUE);
    g_mutex_lock (&self->mutex);
    self->loop = g_main_loop_new (self->context, FALSE);
    g_cond_signal (&self->cond);
    g_mutex_unlock (&self->mutex);
    g_main_loop_run (self->loop);
    g_dbus_connection_close_sync (self->bus, NULL, NULL);
    g_clear_object (&self->bus);
    g_main_context_pop_thread_default (self->context);
    return NULL;
}

RfTestPolkit *
rf_test_polkit_new (const char *bus_address)
{
    RfTestPolkit *self = g_new0 (RfTestPolkit, 1);
    g_mutex_init (&self->mutex);
    g_cond_init (&self->cond);
    self->address = g_strdup (bus_address);
    self->context = g_main_context_new ();
    self->last = g_strdup ("");
    self->thread = g_thread_new ("mock-polkit", polkit_thread, self);
    g_mutex_lock (&self->mutex);
    while (self->loop == NULL)
        g_cond_wait (&self->cond, &self->mutex);
    g_mutex_unlock (&self->mutex);
    return self;
}

static gboolean
quit_cb (gpointer data)
{
    g_main_loop_quit (data);
    return G_SOURCE_REMOVE;
}

void
rf_test_polkit_free (RfTestPolkit *self)
{
    /* from inside, so that it cannot come before the loop runs */
    g_main_context_invoke (self->context, quit_cb, self->loop);
    g_thread_join (self->thread);
    g_main_loop_unref (self->loop);
    g_main_context_unref (self->context);
    g_mutex_clear (&self->mutex);
    g_cond_clear (&self->cond);
    g_free (self->address);
    g_free (self->last);
    g_free (self);
}

void
rf_test_polkit_set (RfTestPolkit *self, RfTestPolkitMode mode)
{
    g_mutex_lock (&self->mutex);
    self->mode = mode;
    g_mutex_unlock (&self->mutex);
}

void
rf_test_polkit_present (RfTestPolkit *self, gboolean present)
{
    request_name (self, present);
}

guint
rf_test_polkit_asked (RfTestPolkit *self)
{
    g_mutex_lock (&self->mutex);
    guint asked = self->asked;
    g_mutex_unlock (&self->mutex);
    return asked;
}

char *
rf_test_polkit_last (RfTestPolkit *self)
{
    g_mutex_lock (&self->mutex);
    char *last = g_strdup (self->last);
    g_mutex_unlock (&self->mutex);
    return last;
}
