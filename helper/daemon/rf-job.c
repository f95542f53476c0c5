#define G_LOG_DOMAIN "rf-job"
#include "config.h"

#include "rf-job.h"
#include "rf-applier.h"
#include "rf-error.h"
#include "rf-keeper.h"
#include "rf-reverter.h"

typedef struct {
    RfJob *job;
    char *id;
    char *step;
    guint done;
    guint total;
} Progress;

RfJob *
rf_job_new (RfJobKind kind, RfMachine *machine, RfJournal *journal, RfRequest *request,
            GDBusMethodInvocation *invocation)
{
    RfJob *self = g_new0 (RfJob, 1);
    self->kind = kind;
    self->machine = rf_machine_ref (machine);
    self->journal = journal;
    self->request = request;
    self->invocation = invocation;
    self->reason = RF_REASON_USER;
    self->touched = g_ptr_array_new_with_free_func (g_free);
    self->cancellable = g_cancellable_new ();
    if (request != NULL) {
        self->record_id = g_strdup (request->id);
        self->force = request->force;
    }
    if (invocation != NULL)
        self->owner = g_strdup (g_dbus_method_invocation_get_sender (invocation));
    return self;
}

static void
job_free (RfJob *self)
{
    rf_machine_unref (self->machine);
    rf_request_free (self->request);
    g_free (self->owner);
    g_free (self->record_id);
    g_ptr_array_unref (self->touched);
    g_object_unref (self->cancellable);
    g_clear_error (&self->error);
    g_free (self);
}

static void
progress_free (gpointer data)
{
    Progress *progress = data;
    g_free (progress->id);
    g_free (progress->step);
    g_free (progress);
}

static gboolean
progress_in_main (gpointer data)
{
    Progress *progress = data;
    RfJob *job = progress->job;
    job->progress (progress->id, progress->step, progress->done, progress->total, job->data);
    return G_SOURCE_REMOVE;
}

static void
progress_cb (const char *step, guint done, guint total, gpointer data)
{
    RfJob *self = data;
    Progress *progress = g_new0 (Progress, 1);
    progress->job = self;
    progress->id = g_strdup (self->record_id != NULL ? self->record_id : "");
    progress->step = g_strdup (step);
    progress->done = done;
    progress->total = total;
    /* same priority as the end of the job, so that it cannot come after it */
    g_idle_add_full (G_PRIORITY_DEFAULT, progress_in_main, g_steal_pointer (&progress), progress_free);
    /* cppcheck-suppress memleak ; the source owns it, and cppcheck does not know */
}

static void
touch (RfJob *self, const RfRecord *record)
{
    g_ptr_array_add (self->touched, g_strdup (record->id));
}

/* A password dialog may have been open for minutes: a name must still mean the device that it meant when the question
 * was asked. */
static gboolean
check_devices (const RfRequest *request, const RfFacts *now, GError **error)
{
    for (guint i = 0; i < rf_plan_length (request->plan); i++) {
        const RfChange *change = rf_plan_get (request->plan, i);
        g_autofree char *asked = NULL;
        g_autofree char *found = NULL;
        if (rf_machine_find_stable_id (request->facts, change->tunable, change->instance, &asked)
            && rf_machine_find_stable_id (now, change->tunable, change->instance, &found)
            && g_strcmp0 (asked, found) == 0)
            continue;
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "'%s' is not the device any more that was asked about",
                     change->instance);
        return FALSE;
    }
    return TRUE;
}

/* only what the helper takes back by itself was asked for by nobody */
static gboolean
has_request (const RfJob *self, GError **error)
{
    if (self->request != NULL)
        return TRUE;
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "the job has no request");
    return FALSE;
}

static gboolean
apply (RfJob *self, const RfFacts *facts, const RfControl *control, GError **error)
{
    if (!has_request (self, error) || !check_devices (self->request, facts, error))
        return FALSE;
    g_autoptr (RfRecord) record = rf_applier_prepare (self->machine, facts, self->journal, self->request->plan, error);
    if (record == NULL || !rf_journal_add (self->journal, record, error))
        return FALSE;
    RfRecord *added = g_steal_pointer (&record);
    self->record_id = g_strdup (added->id);
    touch (self, added);
    return rf_applier_run (self->machine, facts, self->journal, added, control, error);
}

static gboolean
find_entry (const RfRecord *record, const RfRequest *request, guint *index, GError **error)
{
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->tunable == request->tunable && g_str_equal (entry->instance, request->instance)) {
            *index = i;
            return TRUE;
        }
    }
    g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "the record '%s' has no such setting", record->id);
    return FALSE;
}

static gboolean
work_on_record (RfJob *self, const RfFacts *facts, const RfControl *control, GError **error)
{
    RfRecord *record = rf_journal_find (self->journal, self->record_id);
    guint index = 0;
    if (record == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no record '%s'", self->record_id);
        return FALSE;
    }
    touch (self, record);
    if (self->kind == RF_JOB_KEEP)
        return rf_keeper_run (self->machine, facts, self->journal, record, error);
    if (self->kind == RF_JOB_REVERT_ENTRY)
        return has_request (self, error) && find_entry (record, self->request, &index, error)
               && rf_reverter_run_entry (self->machine, facts, self->journal, record, index, self->force, control,
                                         error);
    return rf_reverter_allowed (record, self->force, self->machine->boot_id, error)
           && rf_reverter_run (self->machine, facts, self->journal, record, self->force, self->reason, control, error);
}

static gboolean
revert_all (RfJob *self, const RfFacts *facts, const RfControl *control, GError **error)
{
    g_autoptr (GPtrArray) touched = NULL;
    gboolean ok = rf_reverter_run_all (self->machine, facts, self->journal, self->force, self->reason, control,
                                       &touched, error);
    for (guint i = 0; i < touched->len; i++)
        touch (self, g_ptr_array_index (touched, i));
    return ok;
}

static gboolean
done_in_main (gpointer data)
{
    RfJob *self = data;
    if (self->thread != NULL)
        g_thread_join (self->thread);
    self->done (self, self->error, self->data);
    job_free (self);
    return G_SOURCE_REMOVE;
}

static gpointer
job_thread (gpointer data)
{
    RfJob *self = data;
    RfControl control = {self->cancellable, progress_cb, self};
    g_autoptr (RfFacts) facts = rf_facts_read (self->machine->kernel);
    switch (self->kind) {
    case RF_JOB_APPLY:
        apply (self, facts, &control, &self->error);
        break;
    case RF_JOB_REVERT_ALL:
        revert_all (self, facts, &control, &self->error);
        break;
    case RF_JOB_KEEP:
    case RF_JOB_REVERT:
    case RF_JOB_REVERT_ENTRY:
    default:
        work_on_record (self, facts, &control, &self->error);
    }
    g_idle_add_full (G_PRIORITY_DEFAULT, done_in_main, self, NULL);
    return NULL;
}

void
rf_job_start (RfJob *self, RfJobProgressFunc progress, RfJobDoneFunc done, gpointer data)
{
    self->progress = progress;
    self->done = done;
    self->data = data;
    self->thread = g_thread_try_new ("rf-job", job_thread, self, NULL);
    /* no thread to be had (a limit, no memory): going back must be possible all the same, if only at the price that
     * nobody is answered meanwhile; a change need not be begun then */
    if (self->thread != NULL)
        return;
    if (self->kind == RF_JOB_APPLY || self->kind == RF_JOB_KEEP) {
        g_set_error_literal (&self->error, RF_ERROR, RF_ERROR_FAILED, "no thread can be started now");
        g_idle_add_full (G_PRIORITY_DEFAULT, done_in_main, self, NULL);
    } else {
        job_thread (self);
    }
}

void
rf_job_cancel (RfJob *self)
{
    g_cancellable_cancel (self->cancellable);
}
