#define G_LOG_DOMAIN "rf-client"
#include "config.h"

#include "rf-client.h"
#include "rf-client-private.h"

#include "rf-helper1-generated.h"
#include "rf-error.h"

#define HELPER_NAME "io.github.ruckelfrei.Helper1"
#define HELPER_PATH "/io/github/ruckelfrei/Helper1"
#define HELPER_INTERFACE "io.github.ruckelfrei.Helper1"
#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"

/* Typing a password and emptying a swap device take long; the default of 25 s would report a failure in between. */
#define CALL_TIMEOUT_MS (10 * 60 * 1000)

/* The helper leaves 30 s after the last call. */
#define RESTART_S 60

struct _RfClient {
    GObject parent_instance;

    GDBusConnection *connection;
    RfHelper1 *proxy;
    GError *connect_error;  /* the bus itself could not be reached */
    GCancellable *lifetime; /* cancelled when the client goes away */
    GQueue waiting;         /* of GTask: calls made before the proxy was there */

    guint name_watch;
    guint activatable_subscription;
    guint signal_subscription;
    guint properties_subscription;
    char *owner; /* unique name of the running helper, NULL if it does not run */
    gboolean activatable;
    gboolean known; /* the bus has answered */
    char *helper_version;
    guint restarting; /* source: until the helper has left, no call is made */

    char *trial_id;
    gint64 trial_ends;
};

G_DEFINE_FINAL_TYPE (RfClient, rf_client, G_TYPE_OBJECT)

enum {
    PROP_AVAILABLE = 1,
    PROP_TRIAL_ID,
    PROP_TRIAL_ENDS,
    PROP_HELPER_VERSION,
    PROP_RESTARTING,
    N_PROPS
};

enum {
    SIGNAL_RECORDS_CHANGED,
    SIGNAL_PROGRESS,
    SIGNAL_TRIAL_ENDED,
    SIGNAL_MEASUREMENT_ENDED,
    N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void read_properties (RfClient *self, gboolean may_start);

static void
set_trial (RfClient *self, const char *id, gint64 ends)
{
    if (id != NULL && *id == '\0')
        id = NULL;
    if (id == NULL)
        ends = 0;
    g_object_freeze_notify (G_OBJECT (self));
    if (g_strcmp0 (id, self->trial_id) != 0) {
        g_free (self->trial_id);
        self->trial_id = g_strdup (id);
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TRIAL_ID]);
    }
    if (ends != self->trial_ends) {
        self->trial_ends = ends;
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TRIAL_ENDS]);
    }
    g_object_thaw_notify (G_OBJECT (self));
}

static void
set_presence (RfClient *self, const char *owner, gboolean activatable)
{
    gboolean before = rf_client_get_available (self);
    if (self->owner != owner) {
        g_free (self->owner);
        self->owner = g_strdup (owner);
    }
    self->activatable = activatable;
    if (before != rf_client_get_available (self))
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

static void
set_version (RfClient *self, const char *version)
{
    if (version != NULL && *version == '\0')
        version = NULL;
    if (g_strcmp0 (version, self->helper_version) == 0)
        return;
    g_free (self->helper_version);
    self->helper_version = g_strdup (version);
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HELPER_VERSION]);
}

/* Calls. */

static void
client_call_free (gpointer data)
{
    RfClientCall *call = data;
    if (call->cancel_handler != 0)
        g_cancellable_disconnect (call->cancellable, call->cancel_handler);
    g_clear_object (&call->cancellable);
    g_clear_pointer (&call->parameters, g_variant_unref);
    g_free (call);
}

static gboolean
helper_is_lost (const GError *error)
{
    return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
           g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED);
}

static void
call_done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GTask) task = G_TASK (data);
    RfClient *self = g_task_get_source_object (task);
    RfClientCall *call = g_task_get_task_data (task);
    g_autoptr (GError) error = NULL;
    g_autoptr (GUnixFDList) files = NULL;
    g_autoptr (GVariant) reply
        = g_dbus_proxy_call_with_unix_fd_list_finish (G_DBUS_PROXY (source), &files, result, &error);

    /* The task must not answer by itself that it was cancelled: the helper may just have finished. */
    if (reply == NULL) {
        /* It stopped in the middle. Starting it again makes it bring everything back into order. */
        if (helper_is_lost (error) && self->connection != NULL && !g_dbus_connection_is_closed (self->connection))
            read_properties (self, TRUE);
        g_task_return_error (task, g_steal_pointer (&error));
        return;
    }
    gpointer parsed = call->parse (reply, files, &error);
    if (error != NULL)
        g_task_return_error (task, g_steal_pointer (&error));
    else
        g_task_return_pointer (task, parsed, call->free_result);
}

/* Asks the helper to stop the running job of this caller; fire and forget. */
static void
cancelled_cb (GCancellable *cancellable, gpointer data)
{
    RfClient *self = RF_CLIENT (data);
    /* Nothing to cancel in a helper that does not run; never start one for this. */
    if (self->owner != NULL)
        g_dbus_connection_call (self->connection, self->owner, HELPER_PATH, HELPER_INTERFACE, "Cancel", NULL, NULL,
                                G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
}

static void
start_call (RfClient *self, GTask *task)
{
    RfClientCall *call = g_task_get_task_data (task);
    if (call->cancellable != NULL && g_cancellable_is_cancelled (call->cancellable)) {
        g_task_return_new_error (task, RF_ERROR, RF_ERROR_CANCELLED, "cancelled before it was sent");
        return;
    }
    if (call->cancellable != NULL)
        call->cancel_handler = g_cancellable_connect (call->cancellable, G_CALLBACK (cancelled_cb), self, NULL);
    g_dbus_proxy_call_with_unix_fd_list (G_DBUS_PROXY (self->proxy), call->method, call->parameters,
                                         G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION, CALL_TIMEOUT_MS, NULL, NULL,
                                         call_done_cb, g_object_ref (task));
}

void
rf_client_call (RfClient *self, const char *method, GVariant *parameters, RfClientParse parse,
                GDestroyNotify free_result, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (RF_IS_CLIENT (self));
    RfClientCall *call = g_new0 (RfClientCall, 1);
    call->method = method;
    call->parameters = g_variant_ref_sink (parameters);
    call->parse = parse;
    call->free_result = free_result;
    call->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;

    GTask *task = g_task_new (self, NULL, callback, data);
    g_task_set_source_tag (task, rf_client_call);
    g_task_set_task_data (task, call, client_call_free);
    if (self->proxy != NULL && self->restarting == 0) {
        start_call (self, task);
        g_object_unref (task);
    } else if (self->connect_error != NULL) {
        g_task_return_error (task, g_error_copy (self->connect_error));
        g_object_unref (task);
    } else {
        g_queue_push_tail (&self->waiting, task);
    }
}

static void
start_waiting (RfClient *self)
{
    GTask *task = NULL;
    while (self->proxy != NULL && self->restarting == 0 && (task = g_queue_pop_head (&self->waiting)) != NULL) {
        start_call (self, task);
        g_object_unref (task);
    }
}

gpointer
rf_client_call_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    g_return_val_if_fail (g_task_is_valid (result, self), NULL);
    return g_task_propagate_pointer (G_TASK (result), error);
}

/* State of the helper, always by a method call. */

static void
properties_read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfClient) self = RF_CLIENT (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
    if (reply == NULL) {
        g_debug ("properties of the helper: %s", error->message);
        return;
    }
    g_autoptr (GVariant) dict = g_variant_get_child_value (reply, 0);
    const char *id = "", *version = NULL;
    gint64 ends = 0;
    g_variant_lookup (dict, "Version", "&s", &version);
    set_version (self, version);
    g_variant_lookup (dict, "TrialId", "&s", &id);
    g_variant_lookup (dict, "TrialEnds", "x", &ends);
    set_trial (self, id, ends);
}

static void
read_properties (RfClient *self, gboolean may_start)
{
    if (self->connection == NULL || (self->owner == NULL && !may_start))
        return;
    const char *destination = may_start || self->owner == NULL ? HELPER_NAME : self->owner;
    GDBusCallFlags flags = may_start ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START;
    g_dbus_connection_call (self->connection, destination, HELPER_PATH, PROPERTIES_INTERFACE, "GetAll",
                            g_variant_new ("(s)", HELPER_INTERFACE), G_VARIANT_TYPE ("(a{sv})"), flags, -1,
                            self->lifetime, properties_read_cb, g_object_ref (self));
}

static void
helper_signal_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                  const char *signal, GVariant *parameters, gpointer data)
{
    RfClient *self = RF_CLIENT (data);
    if (g_strcmp0 (sender, self->owner) != 0)
        return;
    if (g_str_equal (signal, "Progress") && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssuu)"))) {
        const char *id = NULL, *step = NULL;
        guint done = 0, total = 0;
        g_variant_get (parameters, "(&s&suu)", &id, &step, &done, &total);
        g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, id, step, done, total);
    } else if (g_str_equal (signal, "TrialEnded") && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ss)"))) {
        const char *id = NULL, *reason = NULL;
        g_variant_get (parameters, "(&s&s)", &id, &reason);
        read_properties (self, FALSE);
        g_signal_emit (self, signals[SIGNAL_TRIAL_ENDED], 0, id, reason);
    } else if (g_str_equal (signal, "MeasurementEnded") && g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ss)"))) {
        const char *id = NULL, *reason = NULL;
        g_variant_get (parameters, "(&s&s)", &id, &reason);
        g_signal_emit (self, signals[SIGNAL_MEASUREMENT_ENDED], 0, id, reason);
    } else if (g_str_equal (signal, "RecordsChanged")) {
        read_properties (self, FALSE);
        g_signal_emit (self, signals[SIGNAL_RECORDS_CHANGED], 0);
    }
}

static void
properties_changed_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                       const char *signal, GVariant *parameters, gpointer data)
{
    RfClient *self = RF_CLIENT (data);
    if (g_strcmp0 (sender, self->owner) == 0)
        read_properties (self, FALSE);
}

static void
unsubscribe_helper (RfClient *self)
{
    if (self->signal_subscription != 0)
        g_dbus_connection_signal_unsubscribe (self->connection, self->signal_subscription);
    if (self->properties_subscription != 0)
        g_dbus_connection_signal_unsubscribe (self->connection, self->properties_subscription);
    self->signal_subscription = 0;
    self->properties_subscription = 0;
}

static void
name_appeared_cb (GDBusConnection *connection, const char *name, const char *owner, gpointer data)
{
    RfClient *self = RF_CLIENT (data);
    unsubscribe_helper (self);
    set_presence (self, owner, self->activatable);
    /* By the unique name: nobody else can pretend to be the helper. */
    self->signal_subscription =
        g_dbus_connection_signal_subscribe (connection, owner, HELPER_INTERFACE, NULL, HELPER_PATH, NULL,
                                            G_DBUS_SIGNAL_FLAGS_NONE, helper_signal_cb, self, NULL);
    self->properties_subscription = g_dbus_connection_signal_subscribe (
        connection, owner, PROPERTIES_INTERFACE, "PropertiesChanged", HELPER_PATH, HELPER_INTERFACE,
        G_DBUS_SIGNAL_FLAGS_NONE, properties_changed_cb, self, NULL);
    read_properties (self, FALSE);
    g_signal_emit (self, signals[SIGNAL_RECORDS_CHANGED], 0);
}

static void
end_restarting (RfClient *self, gboolean start)
{
    if (self->restarting == 0)
        return;
    g_clear_handle_id (&self->restarting, g_source_remove);
    if (start)
        read_properties (self, TRUE);
    start_waiting (self);
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESTARTING]);
}

static gboolean
restart_timeout_cb (gpointer data)
{
    end_restarting (RF_CLIENT (data), FALSE);
    return G_SOURCE_REMOVE;
}

static void
name_vanished_cb (GDBusConnection *connection, const char *name, gpointer data)
{
    RfClient *self = RF_CLIENT (data);
    gboolean had_trial = self->trial_id != NULL;
    if (connection == NULL)
        self->signal_subscription = self->properties_subscription = 0;
    else
        unsubscribe_helper (self);
    set_presence (self, NULL, connection != NULL && self->activatable);
    set_trial (self, NULL, 0);
    set_version (self, NULL);
    if (self->restarting != 0 && connection != NULL)
        end_restarting (self, TRUE);
    /* A helper leaves by itself only when it has nothing to do, and then nothing has changed: telling it would only
     * start it again. With a trial it was ended from outside, and only a new one can take the trial back. */
    if (had_trial && connection != NULL) {
        g_signal_emit (self, signals[SIGNAL_RECORDS_CHANGED], 0);
        read_properties (self, TRUE);
    }
}

/* That there is none is news, too: until now it was only not known. */
static void
set_known (RfClient *self)
{
    if (self->known)
        return;
    self->known = TRUE;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AVAILABLE]);
}

static void
activatable_read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfClient) self = RF_CLIENT (data);
    g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
    if (reply == NULL)
        return;
    g_autofree const char **names = NULL;
    g_variant_get (reply, "(^a&s)", &names);
    set_known (self);
    set_presence (self, self->owner, g_strv_contains (names, HELPER_NAME));
}

static void
read_activatable (RfClient *self)
{
    g_dbus_connection_call (self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                            "ListActivatableNames", NULL, G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE, -1,
                            self->lifetime, activatable_read_cb, g_object_ref (self));
}

static void
activatable_changed_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                        const char *signal, GVariant *parameters, gpointer data)
{
    read_activatable (RF_CLIENT (data));
}

/* Connecting. */

static void
connect_failed (RfClient *self, GError *error)
{
    g_clear_error (&self->connect_error);
    self->connect_error = error;
    GTask *task = NULL;
    while ((task = g_queue_pop_head (&self->waiting)) != NULL) {
        g_task_return_error (task, g_error_copy (error));
        g_object_unref (task);
    }
    set_known (self);
}

static void
proxy_ready_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfClient) self = RF_CLIENT (data);
    GError *error = NULL;
    self->proxy = rf_helper1_proxy_new_finish (result, &error);
    if (self->proxy == NULL) {
        connect_failed (self, error);
        return;
    }
    start_waiting (self);
}

static void
use_connection (RfClient *self, GDBusConnection *connection)
{
    self->connection = g_object_ref (connection);
    /* Losing the bus must not end the program: the person still sees the graphs and why nothing can be changed. */
    g_dbus_connection_set_exit_on_close (connection, FALSE);
    self->name_watch = g_bus_watch_name_on_connection (connection, HELPER_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                       name_appeared_cb, name_vanished_cb, self, NULL);
    self->activatable_subscription = g_dbus_connection_signal_subscribe (
        connection, "org.freedesktop.DBus", "org.freedesktop.DBus", "ActivatableServicesChanged",
        "/org/freedesktop/DBus", NULL, G_DBUS_SIGNAL_FLAGS_NONE, activatable_changed_cb, self, NULL);
    read_activatable (self);
    rf_helper1_proxy_new (connection,
                          G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS |
                              G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START_AT_CONSTRUCTION,
                          HELPER_NAME, HELPER_PATH, self->lifetime, proxy_ready_cb, g_object_ref (self));
}

static void
bus_ready_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfClient) self = RF_CLIENT (data);
    GError *error = NULL;
    g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, &error);
    if (connection == NULL)
        connect_failed (self, error);
    else
        use_connection (self, connection);
}

static void
rf_client_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfClient *self = RF_CLIENT (object);
    switch (id) {
    case PROP_AVAILABLE:
        g_value_set_boolean (value, rf_client_get_available (self));
        break;
    case PROP_TRIAL_ID:
        g_value_set_string (value, self->trial_id);
        break;
    case PROP_TRIAL_ENDS:
        g_value_set_int64 (value, self->trial_ends);
        break;
    case PROP_HELPER_VERSION:
        g_value_set_string (value, self->helper_version);
        break;
    case PROP_RESTARTING:
        g_value_set_boolean (value, self->restarting != 0);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_client_dispose (GObject *object)
{
    RfClient *self = RF_CLIENT (object);
    if (self->lifetime != NULL)
        g_cancellable_cancel (self->lifetime);
    g_clear_handle_id (&self->restarting, g_source_remove);
    if (self->name_watch != 0)
        g_bus_unwatch_name (self->name_watch);
    self->name_watch = 0;
    if (self->connection != NULL) {
        unsubscribe_helper (self);
        if (self->activatable_subscription != 0)
            g_dbus_connection_signal_unsubscribe (self->connection, self->activatable_subscription);
        self->activatable_subscription = 0;
    }
    g_clear_object (&self->proxy);
    g_clear_object (&self->connection);
    g_clear_object (&self->lifetime);
    G_OBJECT_CLASS (rf_client_parent_class)->dispose (object);
}

static void
rf_client_finalize (GObject *object)
{
    RfClient *self = RF_CLIENT (object);
    g_clear_error (&self->connect_error);
    g_free (self->owner);
    g_free (self->trial_id);
    g_free (self->helper_version);
    G_OBJECT_CLASS (rf_client_parent_class)->finalize (object);
}

static void
rf_client_class_init (RfClientClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    object_class->get_property = rf_client_get_property;
    object_class->dispose = rf_client_dispose;
    object_class->finalize = rf_client_finalize;

    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    properties[PROP_AVAILABLE] = g_param_spec_boolean ("available", NULL, NULL, FALSE, flags);
    properties[PROP_TRIAL_ID] = g_param_spec_string ("trial-id", NULL, NULL, NULL, flags);
    properties[PROP_TRIAL_ENDS] = g_param_spec_int64 ("trial-ends", NULL, NULL, 0, G_MAXINT64, 0, flags);
    properties[PROP_HELPER_VERSION] = g_param_spec_string ("helper-version", NULL, NULL, NULL, flags);
    properties[PROP_RESTARTING] = g_param_spec_boolean ("restarting", NULL, NULL, FALSE, flags);
    g_object_class_install_properties (object_class, N_PROPS, properties);

    signals[SIGNAL_RECORDS_CHANGED] = g_signal_new ("records-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_PROGRESS] = g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                             NULL, G_TYPE_NONE, 4, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_UINT,
                                             G_TYPE_UINT);
    signals[SIGNAL_TRIAL_ENDED] = g_signal_new ("trial-ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
    signals[SIGNAL_MEASUREMENT_ENDED] =
        g_signal_new ("measurement-ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                      2, G_TYPE_STRING, G_TYPE_STRING);
    /* Registers the error names, so that answers arrive in our own domain. */
    g_type_ensure (G_TYPE_DBUS_CONNECTION);
    (void) rf_error_quark ();
}

static void
rf_client_init (RfClient *self)
{
    g_queue_init (&self->waiting);
    self->lifetime = g_cancellable_new ();
}

RfClient *
rf_client_new (GDBusConnection *connection)
{
    g_return_val_if_fail (connection == NULL || G_IS_DBUS_CONNECTION (connection), NULL);
    RfClient *self = g_object_new (RF_TYPE_CLIENT, NULL);
    if (connection != NULL)
        use_connection (self, connection);
    else
        g_bus_get (G_BUS_TYPE_SYSTEM, self->lifetime, bus_ready_cb, g_object_ref (self));
    return self;
}

gboolean
rf_client_get_available (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), FALSE);
    return self->owner != NULL || self->activatable;
}

const char *
rf_client_get_trial_id (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), NULL);
    return self->trial_id;
}

gint64
rf_client_get_trial_ends (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), 0);
    return self->trial_ends;
}

const char *
rf_client_get_helper_version (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), NULL);
    return self->helper_version;
}

gboolean
rf_client_is_known (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), FALSE);
    return self->known;
}

const GError *
rf_client_get_bus_error (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), NULL);
    return self->connect_error;
}

void
rf_client_look_again (RfClient *self)
{
    g_return_if_fail (RF_IS_CLIENT (self));
    if (self->connection != NULL)
        read_activatable (self);
}

void
rf_client_restart_helper (RfClient *self)
{
    g_return_if_fail (RF_IS_CLIENT (self));
    if (self->restarting != 0 || self->owner == NULL)
        return;
    self->restarting = g_timeout_add_seconds (RESTART_S, restart_timeout_cb, self);
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESTARTING]);
}

gboolean
rf_client_is_restarting (RfClient *self)
{
    g_return_val_if_fail (RF_IS_CLIENT (self), FALSE);
    return self->restarting != 0;
}

void
rf_client_cancel (RfClient *self)
{
    g_return_if_fail (RF_IS_CLIENT (self));
    cancelled_cb (NULL, self);
}
