#define G_LOG_DOMAIN "rf-service"
#include "config.h"

#include "rf-service.h"
#include "rf-drift.h"
#include "rf-error.h"
#include "rf-gate.h"
#include "rf-guard.h"
#include "rf-job.h"
#include "rf-trial.h"

struct _RfService {
    RfHelper1Skeleton parent_instance;
    RfGateContext gate;
    RfJournal *journal;
    RfJob *job; /* NULL: none runs */
    RfIdleLock *job_lock;

    /* the one trial */
    RfTrial *trial;
    char *trial_id;
    RfIdleLock *trial_lock;
    RfGuard guard;
    RfSysroot *guarded; /* what the guard looks at once a second; its files stay open, until the trial ends */
    guint guard_timer;
    RfReason pending; /* why the trial has to go back as soon as the job is over */

    /* who has applied it: watched from the call to the end of the trial */
    guint owner_watch;
    gboolean owner_gone;

    GDBusConnection *bus;
    guint filter;

    gboolean stopping;
    GSourceFunc stopped;
    gpointer stopped_data;
};

static void rf_service_iface_init (RfHelper1Iface *iface);
static void start_rollback (RfService *self, RfReason reason);

G_DEFINE_FINAL_TYPE_WITH_CODE (RfService, rf_service, RF_TYPE_HELPER1_SKELETON,
                               G_IMPLEMENT_INTERFACE (RF_TYPE_HELPER1, rf_service_iface_init))

static void
progress_cb (const char *id, const char *step, guint done, guint total, gpointer data)
{
    rf_helper1_emit_progress (data, id, step, done, total);
}

static void
forget_owner (RfService *self)
{
    if (self->owner_watch != 0)
        g_bus_unwatch_name (self->owner_watch);
    self->owner_watch = 0;
    self->owner_gone = FALSE;
}

static void
owner_vanished_cb (GDBusConnection *bus, const char *name, gpointer data)
{
    RfService *self = data;
    self->owner_gone = TRUE;
    if (self->job != NULL && self->job->kind == RF_JOB_APPLY)
        rf_job_cancel (self->job);
    start_rollback (self, RF_REASON_CALLER_GONE);
}

static void
trial_expired_cb (gpointer data)
{
    start_rollback (data, RF_REASON_TIMEOUT);
}

static gboolean
guard_cb (gpointer data)
{
    RfService *self = data;
    RfGuardSample sample;
    rf_guard_sample_read (self->guarded, &sample);
    RfReason reason = rf_guard_feed (&self->guard, &sample);
    if (reason == RF_REASON_NONE)
        return G_SOURCE_CONTINUE;
    self->guard_timer = 0;
    start_rollback (self, reason);
    return G_SOURCE_REMOVE;
}

static gboolean
begin_trial (RfService *self, const char *id, guint32 seconds, GError **error)
{
    self->trial = rf_trial_new (seconds, trial_expired_cb, self, error);
    if (self->trial == NULL)
        return FALSE;
    self->trial_id = g_strdup (id);
    self->trial_lock = rf_idle_lock (self->gate.idle, "trial");
    self->guarded = rf_sysroot_new_keeping (self->gate.machine->kernel);
    self->guard_timer = g_timeout_add (RF_GUARD_INTERVAL_MS, guard_cb, self);
    g_atomic_int_set (&self->gate.on_trial, TRUE);
    rf_helper1_set_trial_id (RF_HELPER1 (self), id);
    rf_helper1_set_trial_ends (RF_HELPER1 (self), rf_trial_end (self->trial));
    return TRUE;
}

static void
end_trial (RfService *self, RfReason reason)
{
    g_autofree char *id = g_steal_pointer (&self->trial_id);
    if (id == NULL)
        return;
    g_clear_pointer (&self->trial, rf_trial_free);
    if (self->guard_timer != 0)
        g_source_remove (self->guard_timer);
    self->guard_timer = 0;
    g_clear_object (&self->guarded);
    self->pending = RF_REASON_NONE;
    forget_owner (self);
    g_atomic_int_set (&self->gate.on_trial, FALSE);
    rf_helper1_set_trial_id (RF_HELPER1 (self), "");
    rf_helper1_set_trial_ends (RF_HELPER1 (self), 0);
    rf_helper1_emit_trial_ended (RF_HELPER1 (self), id, rf_reason_nick (reason));
    g_clear_pointer (&self->trial_lock, rf_idle_unlock);
}

static gboolean
stopped_cb (gpointer data)
{
    RfService *self = data;
    return self->stopped (self->stopped_data);
}

/* What the job has left: a trial that is none any more, or a reason to go back that came meanwhile. */
static void
settle (RfService *self)
{
    const RfRecord *record = self->trial_id != NULL ? rf_journal_find (self->journal, self->trial_id) : NULL;
    if (self->trial_id != NULL && (record == NULL || record->state != RF_RECORD_TRIAL))
        end_trial (self, record != NULL ? record->reason : RF_REASON_FAILED);
    if (self->trial_id != NULL && self->pending != RF_REASON_NONE)
        start_rollback (self, self->pending);
    if (self->stopping && self->job == NULL && self->stopped != NULL
        && rf_measurements_running (self->gate.measurements) == 0)
        g_idle_add (stopped_cb, self);
}

/* A measurement has ended. */
static void
measured_cb (gpointer data)
{
    RfService *self = data;
    if (self->stopping && self->job == NULL)
        settle (self);
}

static GVariant *
record_variant (const RfService *self, const char *id)
{
    const RfRecord *record = rf_journal_find (self->journal, id);
    return record != NULL ? rf_record_to_variant (record) : g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
}

static void
answer (RfService *self, const RfJob *job, const GError *error)
{
    GDBusMethodInvocation *invocation = job->invocation;
    const char *id = job->touched->len > 0 ? g_ptr_array_index (job->touched, 0) : "";
    if (invocation == NULL)
        return;
    if (error != NULL) {
        if (error->domain == RF_ERROR)
            g_dbus_method_invocation_return_gerror (invocation, error);
        else
            g_dbus_method_invocation_return_error (invocation, RF_ERROR, RF_ERROR_FAILED, "%s", error->message);
        return;
    }
    switch (job->kind) {
    case RF_JOB_REVERT_ALL: {
        GVariantBuilder builder;
        g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
        for (guint i = 0; i < job->touched->len; i++)
            g_variant_builder_add_value (&builder, record_variant (self, g_ptr_array_index (job->touched, i)));
        rf_helper1_complete_revert_all (RF_HELPER1 (self), invocation, g_variant_builder_end (&builder));
        break;
    }
    case RF_JOB_KEEP:
        rf_helper1_complete_keep (RF_HELPER1 (self), invocation, record_variant (self, id));
        break;
    case RF_JOB_REVERT:
        rf_helper1_complete_revert (RF_HELPER1 (self), invocation, record_variant (self, id));
        break;
    case RF_JOB_REVERT_ENTRY:
        rf_helper1_complete_revert_entry (RF_HELPER1 (self), invocation, record_variant (self, id));
        break;
    case RF_JOB_APPLY:
    default:
        rf_helper1_complete_apply (RF_HELPER1 (self), invocation, record_variant (self, id));
    }
}

static void
job_done_cb (RfJob *job, const GError *error, gpointer data)
{
    RfService *self = data;
    g_autoptr (GError) trial_error = NULL;
    self->job = NULL;
    g_atomic_int_set (&self->gate.busy, FALSE);
    if (error != NULL)
        g_info ("a job failed: %s", error->message);
    if (job->kind == RF_JOB_APPLY && error != NULL)
        forget_owner (self);
    if (job->kind == RF_JOB_APPLY && error == NULL
        && !begin_trial (self, job->record_id, job->request->seconds, &trial_error)) {
        /* without a countdown there is no trial; the next start takes it back if this cannot */
        self->trial_id = g_strdup (job->record_id);
        self->pending = RF_REASON_FAILED;
    }
    rf_index_update (self->gate.index, self->journal, self->gate.machine->boot_id);
    rf_helper1_set_busy (RF_HELPER1 (self), FALSE);
    answer (self, job, error != NULL ? error : trial_error);
    if (job->touched->len > 0)
        rf_helper1_emit_records_changed (RF_HELPER1 (self));
    if (self->trial_id != NULL && (self->owner_gone || self->stopping) && self->pending == RF_REASON_NONE)
        self->pending = self->stopping ? RF_REASON_RECOVERY : RF_REASON_CALLER_GONE;
    settle (self);
    /* last: the service stays as long as it settles */
    if (self->job == NULL)
        g_clear_pointer (&self->job_lock, rf_idle_unlock);
}

static void
start_job (RfService *self, RfJob *job)
{
    self->job = job;
    g_atomic_int_set (&self->gate.busy, TRUE);
    if (self->job_lock == NULL)
        self->job_lock = rf_idle_lock (self->gate.idle, "job");
    rf_helper1_set_busy (RF_HELPER1 (self), TRUE);
    rf_job_start (job, progress_cb, job_done_cb, self);
}

/* Takes the trial back, now or right after the job that runs. The first reason counts. */
static void
start_rollback (RfService *self, RfReason reason)
{
    if (self->trial_id == NULL)
        return;
    if (self->pending == RF_REASON_NONE)
        self->pending = reason;
    if (self->job != NULL)
        return;
    RfJob *job = rf_job_new (RF_JOB_REVERT, self->gate.machine, self->journal, NULL, NULL);
    job->record_id = g_strdup (self->trial_id);
    job->reason = self->pending;
    self->pending = RF_REASON_NONE;
    start_job (self, job);
}

/* The gate has looked already, but time has passed since: a dialog was open. */
static gboolean
begin (RfService *self, RfJobKind kind, GDBusMethodInvocation *invocation)
{
    g_autoptr (RfRequest) request = rf_gate_take_request (invocation);
    if (request == NULL) {
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_NOT_AUTHORIZED,
                                                       "the call was not admitted");
        return TRUE;
    }
    if (self->job != NULL || self->stopping || (kind == RF_JOB_APPLY && self->trial_id != NULL)) {
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_BUSY, "another job is running");
        return TRUE;
    }
    if (kind == RF_JOB_KEEP && g_strcmp0 (self->trial_id, request->id) != 0) {
        g_dbus_method_invocation_return_error (invocation, RF_ERROR, RF_ERROR_STATE, "the record '%s' is not on trial",
                                               request->id);
        return TRUE;
    }
    if (kind == RF_JOB_APPLY) {
        RfGuardSample before;
        rf_guard_sample_read (self->gate.machine->kernel, &before);
        rf_guard_init (&self->guard, &request->arrival, &before);
        forget_owner (self);
        self->owner_watch = g_bus_watch_name_on_connection (
            g_dbus_method_invocation_get_connection (invocation), g_dbus_method_invocation_get_sender (invocation),
            G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, owner_vanished_cb, self, NULL);
    }
    start_job (self, rf_job_new (kind, self->gate.machine, self->journal, g_steal_pointer (&request), invocation));
    return TRUE;
}

static gboolean
handle_apply (RfHelper1 *object, GDBusMethodInvocation *invocation, GVariant *plan, GVariant *options)
{
    return begin (RF_SERVICE (object), RF_JOB_APPLY, invocation);
}

static gboolean
handle_keep (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id)
{
    return begin (RF_SERVICE (object), RF_JOB_KEEP, invocation);
}

static gboolean
handle_revert (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, gboolean force)
{
    return begin (RF_SERVICE (object), RF_JOB_REVERT, invocation);
}

static gboolean
handle_revert_entry (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, const char *tunable,
                     const char *instance, gboolean force)
{
    return begin (RF_SERVICE (object), RF_JOB_REVERT_ENTRY, invocation);
}

static gboolean
handle_revert_all (RfHelper1 *object, GDBusMethodInvocation *invocation, gboolean force)
{
    return begin (RF_SERVICE (object), RF_JOB_REVERT_ALL, invocation);
}

static gboolean
handle_extend (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id, guint seconds)
{
    RfService *self = RF_SERVICE (object);
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRequest) request = rf_gate_take_request (invocation);
    if (request == NULL || self->trial == NULL || !g_str_equal (self->trial_id, request->id)
        || self->pending != RF_REASON_NONE)
        g_set_error (&error, RF_ERROR, RF_ERROR_STATE, "the record is not on trial");
    else
        rf_trial_extend (self->trial, request->seconds, &error);
    if (error != NULL) {
        g_dbus_method_invocation_return_gerror (invocation, error);
        return TRUE;
    }
    rf_helper1_set_trial_ends (object, rf_trial_end (self->trial));
    rf_helper1_complete_extend (object, invocation);
    return TRUE;
}

static gboolean
handle_list_records (RfHelper1 *object, GDBusMethodInvocation *invocation)
{
    g_autoptr (GVariant) records = rf_index_records (RF_SERVICE (object)->gate.index);
    rf_helper1_complete_list_records (object, invocation, records);
    return TRUE;
}

static gboolean
handle_check (RfHelper1 *object, GDBusMethodInvocation *invocation)
{
    RfService *self = RF_SERVICE (object);
    if (self->job != NULL) {
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_BUSY, "a job is running");
        return TRUE;
    }
    g_autoptr (RfFacts) facts = rf_facts_read (self->gate.machine->kernel);
    g_autoptr (GVariant) drift = rf_drift_check (self->gate.machine, facts, self->journal);
    rf_helper1_complete_check (object, invocation, drift);
    return TRUE;
}

static gboolean
handle_cancel (RfHelper1 *object, GDBusMethodInvocation *invocation)
{
    RfService *self = RF_SERVICE (object);
    const char *sender = g_dbus_method_invocation_get_sender (invocation);
    if (self->job == NULL || g_strcmp0 (self->job->owner, sender) != 0) {
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_STATE,
                                                       "no job of this caller is running");
        return TRUE;
    }
    rf_job_cancel (self->job);
    rf_helper1_complete_cancel (object, invocation);
    return TRUE;
}

static gboolean
handle_start_measurement (RfHelper1 *object, GDBusMethodInvocation *invocation, GUnixFDList *fds, GVariant *options)
{
    RfService *self = RF_SERVICE (object);
    g_autoptr (RfRequest) request = rf_gate_take_request (invocation);
    if (request == NULL || self->stopping)
        g_dbus_method_invocation_return_error_literal (invocation, RF_ERROR, RF_ERROR_BUSY, "the helper ends");
    else
        rf_measurements_start (self->gate.measurements, invocation, request->uid, &request->measure);
    return TRUE;
}

static gboolean
handle_stop_measurement (RfHelper1 *object, GDBusMethodInvocation *invocation, const char *id)
{
    RfService *self = RF_SERVICE (object);
    const char *sender = g_dbus_method_invocation_get_sender (invocation);
    g_autoptr (GError) error = NULL;
    if (rf_measurements_stop (self->gate.measurements, sender, id, &error))
        rf_helper1_complete_stop_measurement (object, invocation);
    else
        g_dbus_method_invocation_return_gerror (invocation, error);
    return TRUE;
}

static gboolean
rf_service_authorize_method (GDBusInterfaceSkeleton *skeleton, GDBusMethodInvocation *invocation)
{
    return rf_gate_admit (&RF_SERVICE (skeleton)->gate, invocation);
}

static void
rf_service_dispose (GObject *object)
{
    RfService *self = RF_SERVICE (object);
    g_clear_pointer (&self->trial, rf_trial_free);
    g_clear_pointer (&self->gate.measurements, rf_measurements_free);
    if (self->guard_timer != 0)
        g_source_remove (self->guard_timer);
    self->guard_timer = 0;
    g_clear_object (&self->guarded);
    forget_owner (self);
    if (self->bus != NULL)
        g_dbus_connection_remove_filter (self->bus, self->filter);
    g_clear_object (&self->bus);
    g_clear_pointer (&self->trial_lock, rf_idle_unlock);
    g_clear_pointer (&self->job_lock, rf_idle_unlock);
    G_OBJECT_CLASS (rf_service_parent_class)->dispose (object);
}

static void
rf_service_finalize (GObject *object)
{
    RfService *self = RF_SERVICE (object);
    g_free (self->trial_id);
    rf_journal_free (self->journal);
    rf_index_free (self->gate.index);
    rf_callers_unref (self->gate.callers);
    rf_authority_free (self->gate.authority);
    rf_idle_unref (self->gate.idle);
    rf_machine_unref (self->gate.machine);
    G_OBJECT_CLASS (rf_service_parent_class)->finalize (object);
}

static void
rf_service_class_init (RfServiceClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    object_class->dispose = rf_service_dispose;
    object_class->finalize = rf_service_finalize;
    /* GIO calls it in a thread of its own and runs the handler in the main thread afterwards */
    G_DBUS_INTERFACE_SKELETON_CLASS (klass)->g_authorize_method = rf_service_authorize_method;
}

static void
rf_service_iface_init (RfHelper1Iface *iface)
{
    iface->handle_apply = handle_apply;
    iface->handle_extend = handle_extend;
    iface->handle_keep = handle_keep;
    iface->handle_revert = handle_revert;
    iface->handle_revert_entry = handle_revert_entry;
    iface->handle_revert_all = handle_revert_all;
    iface->handle_list_records = handle_list_records;
    iface->handle_check = handle_check;
    iface->handle_cancel = handle_cancel;
    iface->handle_start_measurement = handle_start_measurement;
    iface->handle_stop_measurement = handle_stop_measurement;
}

static void
rf_service_init (RfService *self)
{
}

RfService *
rf_service_new (RfMachine *machine, RfJournal *journal, RfAuthority *authority, RfIdle *idle)
{
    RfService *self = g_object_new (RF_TYPE_SERVICE, NULL);
    self->gate = (RfGateContext){
        .machine = rf_machine_ref (machine),
        .index = rf_index_new (),
        .callers = rf_callers_new (),
        .authority = authority,
        .idle = rf_idle_ref (idle),
    };
    self->gate.measurements = rf_measurements_new (RF_HELPER1 (self), machine->kernel, idle, measured_cb, self);
    self->journal = journal;
    rf_index_update (self->gate.index, journal, machine->boot_id);
    rf_helper1_set_version (RF_HELPER1 (self), PACKAGE_VERSION);
    rf_helper1_set_protocol_version (RF_HELPER1 (self), RF_SERVICE_PROTOCOL);
    rf_helper1_set_trial_id (RF_HELPER1 (self), "");
    return self;
}

gboolean
rf_service_export (RfService *self, GDBusConnection *bus, GError **error)
{
    g_return_val_if_fail (self->bus == NULL, FALSE);
    /* first the limits, then the object */
    self->bus = g_object_ref (bus);
    self->filter = rf_gate_watch (&self->gate, bus);
    return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self), bus, RF_SERVICE_PATH, error);
}

void
rf_service_stop (RfService *self, GSourceFunc stopped, gpointer data)
{
    if (self->stopping)
        return;
    self->stopping = TRUE;
    self->stopped = stopped;
    self->stopped_data = data;
    if (self->job != NULL)
        rf_job_cancel (self->job);
    rf_measurements_stop_all (self->gate.measurements);
    start_rollback (self, RF_REASON_RECOVERY);
    if (self->job == NULL)
        settle (self);
}
