#define G_LOG_DOMAIN "rf-gate"
#include "config.h"

#include "rf-gate.h"
#include "rf-error.h"
#include "rf-service.h"

#define REQUEST_KEY "rf-request"

static gboolean
fail_state (const RfRequest *request, const RfIndexEntry *entry, GError **error)
{
    if (entry == NULL)
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no record '%s'", request->id);
    else
        g_set_error (error, RF_ERROR, RF_ERROR_STATE, "the record '%s' is '%s'", request->id,
                     rf_record_state_nick (entry->state));
    return FALSE;
}

static gboolean
check_apply (RfGateContext *self, RfRequest *request, GError **error)
{
    rf_guard_sample_read (self->machine->kernel, &request->arrival);
    if (g_atomic_int_get (&self->on_trial)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_BUSY,
                             "another change is on trial: keep it or take it back first");
        return FALSE;
    }
    request->facts = rf_facts_read (self->machine->kernel);
    return rf_plan_validate (request->plan, request->facts, error);
}

/* Does the call make sense as things are now? Also finds what polkit's message says. */
static gboolean
check_sense (RfGateContext *self, const char *sender, RfRequest *request, RfIndexEntry **subject, GError **error)
{
    if (request->gate == RF_GATE_MEASURE)
        return rf_measurements_check (self->measurements, sender, request->uid, request->measure.trace, error);
    gboolean changes = request->gate == RF_GATE_CHANGE || request->gate == RF_GATE_REVERT;
    if (changes && g_atomic_int_get (&self->busy)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_BUSY, "another job is running");
        return FALSE;
    }
    if (request->plan != NULL)
        return check_apply (self, request, error);
    if (!changes)
        return TRUE;
    if (request->id == NULL) {
        *subject = rf_index_all (self->index);
        return TRUE;
    }
    *subject = rf_index_find (self->index, request->id);
    if (*subject == NULL)
        return fail_state (request, NULL, error);
    /* a single setting of a trial is never taken back; of a record that is back, only what was left alone */
    gboolean single = (*subject)->state == RF_RECORD_KEPT
                      || ((*subject)->state == RF_RECORD_REVERTED && request->force && (*subject)->revertible_forced);
    gboolean fits = request->gate == RF_GATE_CHANGE ? (*subject)->state == RF_RECORD_TRIAL
                    : request->tunable != NULL      ? single
                    : request->force                ? (*subject)->revertible_forced
                                                    : (*subject)->revertible;
    return fits || fail_state (request, *subject, error);
}

static gboolean
ask_polkit (RfGateContext *self, GDBusMethodInvocation *invocation, const RfRequest *request,
            const RfIndexEntry *subject, GError **error)
{
    GDBusConnection *bus = g_dbus_method_invocation_get_connection (invocation);
    const char *sender = g_dbus_method_invocation_get_sender (invocation);
    GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
    gboolean interactive
        = (g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION) != 0;
    g_autofree char *settings = NULL;
    const char *action = RF_ACTION_REVERT;
    guint count = 1;
    if (request->gate == RF_GATE_OPEN)
        return TRUE;
    if (request->plan != NULL) {
        gboolean storage = rf_plan_has_backend (request->plan, RF_BACKEND_QUEUE)
                           || rf_plan_has_backend (request->plan, RF_BACKEND_ZRAM);
        action = storage ? RF_ACTION_STORAGE : RF_ACTION_APPLY;
        count = rf_plan_length (request->plan);
        settings = rf_request_describe_plan (request->plan);
    } else if (request->gate == RF_GATE_MEASURE) {
        action = request->measure.trace ? RF_ACTION_TRACE : RF_ACTION_MEASURE;
        settings = g_strdup ("");
    } else if (subject == NULL) {
        /* what is neither open nor about a plan, a record or a measurement has no rule, and without a rule there is no
         * way in */
        g_set_error (error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED, "'%s' is not allowed", request->method);
        return FALSE;
    } else {
        if (request->gate == RF_GATE_CHANGE)
            action = subject->storage ? RF_ACTION_STORAGE : RF_ACTION_APPLY;
        count = subject->count;
        settings = g_strdup (request->gate == RF_GATE_CHANGE ? subject->settings : subject->settings_before);
    }
    if (request->tunable != NULL) {
        count = 1;
        g_free (settings);
        settings = g_strdup (request->tunable->id);
    }
    return rf_authority_check (self->authority, bus, sender, action, count, settings, interactive, error);
}

static gboolean
admit (RfGateContext *self, GDBusMethodInvocation *invocation, GError **error)
{
    const char *sender = g_dbus_method_invocation_get_sender (invocation);
    const char *method = g_dbus_method_invocation_get_method_name (invocation);
    guint32 uid = 0;
    if (sender == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED, "the call has no sender");
        return FALSE;
    }
    gboolean known = rf_caller_uid (g_dbus_method_invocation_get_connection (invocation), sender, &uid, error);
    RfCallSlot *slot = known ? rf_callers_enter (self->callers, sender, uid, error) : NULL;
    rf_callers_waited (self->callers, sender, TRUE);
    if (slot == NULL)
        return FALSE;
    g_object_set_data_full (G_OBJECT (invocation), "rf-slot", slot, (GDestroyNotify)rf_call_slot_free);
    g_object_set_data_full (G_OBJECT (invocation), "rf-lock", rf_idle_lock (self->idle, "call"),
                            (GDestroyNotify)rf_idle_unlock);
    g_autoptr (RfRequest) request
        = rf_request_parse (method, g_dbus_method_invocation_get_parameters (invocation), error);
    g_autoptr (RfIndexEntry) subject = NULL;
    if (request != NULL)
        request->uid = uid;
    if (request == NULL || !check_sense (self, sender, request, &subject, error)
        || !ask_polkit (self, invocation, request, subject, error))
        return FALSE;
    g_object_set_data_full (G_OBJECT (invocation), REQUEST_KEY, g_steal_pointer (&request),
                            (GDestroyNotify)rf_request_free);
    return TRUE;
}

typedef struct {
    RfCallers *callers;
    char *sender;
} Waiting;

static void
waiting_free (gpointer data)
{
    Waiting *waiting = data;
    rf_callers_unref (waiting->callers);
    g_free (waiting->sender);
    g_free (waiting);
}

static gboolean
waited_cb (gpointer data)
{
    Waiting *waiting = data;
    rf_callers_waited (waiting->callers, waiting->sender, FALSE);
    return G_SOURCE_REMOVE;
}

static void
refuse (GDBusConnection *bus, GDBusMessage *message)
{
    g_autoptr (GError) error = g_error_new_literal (RF_ERROR, RF_ERROR_LIMIT,
                                                    "too many calls are open, or this one is too long or brings files");
    g_autofree char *name = g_dbus_error_encode_gerror (error);
    if ((g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED) != 0)
        return;
    g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_error_literal (message, name, error->message);
    g_dbus_connection_send_message (bus, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
}

/* Does what has come in fit? Otherwise it has been refused as far as there is room for a refusal. */
static gboolean
take_in (RfCallers *callers, GDBusConnection *bus, GDBusMessage *message)
{
    const char *sender = g_dbus_message_get_sender (message);
    GVariant *body = g_dbus_message_get_body (message);
    /* exactly what will reach rf_gate_admit() */
    gboolean call = g_strcmp0 (g_dbus_message_get_path (message), RF_SERVICE_PATH) == 0
                    && g_strcmp0 (g_dbus_message_get_interface (message), RF_SERVICE_NAME) == 0
                    && rf_request_known (g_dbus_message_get_member (message), g_dbus_message_get_signature (message));
    RfCallerRoom room = RF_CALLER_ROOM;
    if ((g_dbus_message_get_flags (message) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED) == 0)
        room = rf_callers_owe (callers, sender, g_dbus_message_get_serial (message), call);
    else if (!call)
        room = RF_CALLER_DROP; /* GIO would answer all the same, and nothing but a method does anything */
    if (room == RF_CALLER_DROP)
        return FALSE;
    /* no method takes a file; those that a message brings stay open as long as the message waits */
    if (room == RF_CALLER_REFUSE || (body != NULL && g_variant_get_size (body) > RF_CALLER_MAX_BYTES)
        || g_dbus_message_get_unix_fd_list (message) != NULL || !rf_callers_wait (callers, sender, call)) {
        refuse (bus, message);
        return FALSE;
    }
    if (!call) {
        /* the main thread answers these in the order in which they come, so behind them its turn is over */
        Waiting *waiting = g_new0 (Waiting, 1);
        waiting->callers = rf_callers_ref (callers);
        waiting->sender = g_strdup (sender);
        g_idle_add_full (G_PRIORITY_DEFAULT, waited_cb, g_steal_pointer (&waiting), waiting_free);
        /* cppcheck-suppress memleak ; the source owns it, and cppcheck does not know */
    }
    return TRUE;
}

/* In the thread that reads from the bus and writes to it. */
static GDBusMessage *
filter_cb (GDBusConnection *bus, GDBusMessage *message, gboolean incoming, gpointer data)
{
    RfCallers *callers = data;
    GDBusMessageType type = g_dbus_message_get_message_type (message);
    if (incoming && type == G_DBUS_MESSAGE_TYPE_METHOD_CALL && g_dbus_message_get_sender (message) != NULL
        && !take_in (callers, bus, message)) {
        g_object_unref (message);
        return NULL;
    }
    const char *receiver = g_dbus_message_get_destination (message);
    if (!incoming && receiver != NULL
        && (type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || type == G_DBUS_MESSAGE_TYPE_ERROR))
        rf_callers_paid (callers, receiver, g_dbus_message_get_reply_serial (message));
    return message;
}

guint
rf_gate_watch (RfGateContext *self, GDBusConnection *bus)
{
    return g_dbus_connection_add_filter (bus, filter_cb, rf_callers_ref (self->callers),
                                         (GDestroyNotify)rf_callers_unref);
}

gboolean
rf_gate_admit (RfGateContext *self, GDBusMethodInvocation *invocation)
{
    g_autoptr (GError) error = NULL;
    if (admit (self, invocation, &error))
        return TRUE;
    g_dbus_method_invocation_return_gerror (invocation, error);
    return FALSE;
}

RfRequest *
rf_gate_take_request (GDBusMethodInvocation *invocation)
{
    return g_object_steal_data (G_OBJECT (invocation), REQUEST_KEY);
}
