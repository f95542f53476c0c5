#define G_LOG_DOMAIN "rf-authority"
#include "config.h"

#include "rf-authority.h"
#include "rf-error.h"

#include <polkit/polkit.h>

struct _RfAuthority {
    PolkitAuthority *polkit; /* NULL: there is none */
    GMutex mutex;            /* around the start of a check: the library counts its cancellation ids without a lock */
    guint silent_ms;
    guint dialog_ms;
    GQueue contexts; /* of checks that have ended; around them the mutex, too */
};

/* one check, on the stack of its thread */
typedef struct {
    GCancellable *cancellable;
    PolkitAuthorizationResult *result;
    GError *error;
    gboolean done;
    gboolean timed_out;
    gboolean caller_gone;
} Check;

RfAuthority *
rf_authority_new (guint silent_ms, guint dialog_ms)
{
    RfAuthority *self = g_new0 (RfAuthority, 1);
    g_autoptr (GError) error = NULL;
    g_mutex_init (&self->mutex);
    self->silent_ms = silent_ms;
    self->dialog_ms = dialog_ms;
    self->polkit = polkit_authority_get_sync (NULL, &error);
    if (self->polkit == NULL)
        g_debug ("no polkit: %s", error->message);
    return self;
}

void
rf_authority_free (RfAuthority *self)
{
    if (self == NULL)
        return;
    /* not released: the library hands out one object for the whole process and does not notice when it goes */
    g_queue_clear_full (&self->contexts, (GDestroyNotify)g_main_context_unref);
    g_mutex_clear (&self->mutex);
    g_free (self);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Check *check = data;
    check->result = polkit_authority_check_authorization_finish (POLKIT_AUTHORITY (source), result, &check->error);
    check->done = TRUE;
}

static gboolean
timeout_cb (gpointer data)
{
    Check *check = data;
    check->timed_out = TRUE;
    g_cancellable_cancel (check->cancellable);
    return G_SOURCE_REMOVE;
}

static void
owner_changed_cb (GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
                  GVariant *parameters, gpointer data)
{
    Check *check = data;
    const char *new_owner = NULL;
    g_variant_get (parameters, "(&s&s&s)", NULL, NULL, &new_owner);
    if (new_owner[0] != '\0')
        return;
    check->caller_gone = TRUE;
    g_cancellable_cancel (check->cancellable);
}

static gboolean
has_owner (GDBusConnection *bus, const char *name)
{
    g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        g_variant_new ("(s)", name), G_VARIANT_TYPE ("(b)"), G_DBUS_CALL_FLAGS_NONE, 5000, NULL, NULL);
    gboolean answer = FALSE;
    if (reply != NULL)
        g_variant_get (reply, "(b)", &answer);
    return answer;
}

static gboolean
judge (const Check *check, GDBusConnection *bus, const char *sender, GError **error)
{
    PolkitAuthorizationResult *result = check->result;
    if (check->caller_gone || !has_owner (bus, sender))
        g_set_error_literal (error, RF_ERROR, RF_ERROR_CALLER_GONE, "the caller has left the bus");
    else if (check->timed_out)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_AUTHORITY_GONE, "polkit did not answer in time");
    else if (result == NULL)
        g_set_error (error, RF_ERROR, RF_ERROR_AUTHORITY_GONE, "polkit cannot be asked: %s",
                     check->error != NULL ? check->error->message : "no answer");
    else if (polkit_authorization_result_get_is_authorized (result))
        return TRUE;
    else if (polkit_authorization_result_get_dismissed (result))
        g_set_error_literal (error, RF_ERROR, RF_ERROR_DISMISSED, "the password dialog was closed");
    else if (polkit_authorization_result_get_is_challenge (result))
        g_set_error_literal (error, RF_ERROR, RF_ERROR_NO_AGENT, "a password is needed, but nobody can be asked");
    else
        g_set_error_literal (error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED, "polkit refused");
    return FALSE;
}

/* A context is used again and again: polkit's library tells polkit of a check that was given up and leaves the answer to
 * that in it, and a context that is let go with it would never be freed. Whoever uses it next clears that away.
 * Returns: (transfer full) */
static GMainContext *
take_context (RfAuthority *self)
{
    g_mutex_lock (&self->mutex);
    GMainContext *context = g_queue_pop_head (&self->contexts);
    g_mutex_unlock (&self->mutex);
    return context != NULL ? context : g_main_context_new ();
}

static void
give_context (RfAuthority *self, GMainContext *context)
{
    g_mutex_lock (&self->mutex);
    g_queue_push_head (&self->contexts, context);
    g_mutex_unlock (&self->mutex);
}

/* Runs the check in a main context of its own, so that time, caller and answer are all heard in this thread. */
static void
run_check (RfAuthority *self, Check *check, GDBusConnection *bus, const char *sender, const char *action,
           PolkitDetails *details, gboolean interactive)
{
    GMainContext *context = take_context (self);
    g_main_context_push_thread_default (context);
    guint watch = g_dbus_connection_signal_subscribe (bus, "org.freedesktop.DBus", "org.freedesktop.DBus",
                                                      "NameOwnerChanged", "/org/freedesktop/DBus", sender,
                                                      G_DBUS_SIGNAL_FLAGS_NONE, owner_changed_cb, check, NULL);
    g_autoptr (GSource) timer = g_timeout_source_new (interactive ? self->dialog_ms : self->silent_ms);
    g_source_set_callback (timer, timeout_cb, check, NULL);
    g_source_attach (timer, context);
    g_autoptr (PolkitSubject) subject = polkit_system_bus_name_new (sender);
    PolkitCheckAuthorizationFlags flags
        = interactive ? POLKIT_CHECK_AUTHORIZATION_FLAGS_ALLOW_USER_INTERACTION : POLKIT_CHECK_AUTHORIZATION_FLAGS_NONE;
    g_mutex_lock (&self->mutex);
    polkit_authority_check_authorization (self->polkit, subject, action, details, flags, check->cancellable, checked_cb,
                                          check);
    g_mutex_unlock (&self->mutex);
    while (!check->done)
        g_main_context_iteration (context, TRUE);
    g_source_destroy (timer);
    g_dbus_connection_signal_unsubscribe (bus, watch);
    /* what is still queued for the subscription must not come after our stack is gone */
    while (g_main_context_iteration (context, FALSE))
        continue;
    g_main_context_pop_thread_default (context);
    give_context (self, context);
}

gboolean
rf_authority_check (RfAuthority *self, GDBusConnection *bus, const char *sender, const char *action, guint count,
                    const char *settings, gboolean interactive, GError **error)
{
    g_return_val_if_fail (self != NULL && sender != NULL && action != NULL && settings != NULL, FALSE);
    if (self->polkit == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_AUTHORITY_GONE, "there is no polkit on this system");
        return FALSE;
    }
    g_autoptr (PolkitDetails) details = polkit_details_new ();
    g_autofree char *number = g_strdup_printf ("%u", count);
    polkit_details_insert (details, "count", number);
    polkit_details_insert (details, "settings", settings);
    Check check = {.cancellable = g_cancellable_new ()};
    run_check (self, &check, bus, sender, action, details, interactive);
    gboolean allowed = judge (&check, bus, sender, error);
    g_clear_object (&check.result);
    g_clear_error (&check.error);
    g_clear_object (&check.cancellable);
    return allowed;
}
