#define G_LOG_DOMAIN "rf-recording-loader"

#include "config.h"

#include "rf-recording-loader.h"

typedef struct {
    char *folder[2];
} Job;

static void
job_free (gpointer data)
{
    Job *self = data;

    g_free (self->folder[0]);
    g_free (self->folder[1]);
    g_free (self);
}

static void
loaded_clear (gpointer data)
{
    RfLoaded *self = data;

    g_clear_pointer (&self->comparison, rf_comparison_free);
    for (guint i = 0; i < 2; i++) {
        g_clear_pointer (&self->recording[i], rf_recording_free);
        g_clear_pointer (&self->info[i], rf_session_info_free);
        g_clear_pointer (&self->state[i], rf_recording_state_free);
    }
}

RfLoaded *
rf_loaded_ref (RfLoaded *self)
{
    return g_atomic_rc_box_acquire (self);
}

void
rf_loaded_unref (RfLoaded *self)
{
    g_atomic_rc_box_release_full (self, loaded_clear);
}

gint64
rf_loaded_start (const RfLoaded *self, guint side)
{
    gint64 start = 0, end = 0;

    if (!rf_phases_range (&self->phases[side], self->recording[side], self->comparison->phase, &start, &end))
        rf_recording_span (self->recording[side], &start, &end);
    return start;
}

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    g_autoptr (RfLoaded) out = g_atomic_rc_box_new0 (RfLoaded);
    g_autoptr (GError) error = NULL;

    for (guint i = 0; i < 2 && job->folder[i] != NULL; i++) {
        out->recording[i] = rf_recording_load (job->folder[i], &out->state[i], &error);
        if (out->recording[i] == NULL) {
            g_task_return_error (task, g_steal_pointer (&error));
            return;
        }
        out->info[i] = rf_session_info_load (job->folder[i], NULL);
        rf_phases_find (out->recording[i], &out->phases[i]);
        if (g_task_return_error_if_cancelled (task))
            return;
    }
    if (out->recording[1] != NULL) {
        const RfRun before = {out->recording[0], &out->phases[0]};
        const RfRun after = {out->recording[1], &out->phases[1]};

        out->comparison = rf_comparison_new (&before, 1, &after, 1, NULL);
    }
    g_task_return_pointer (task, g_steal_pointer (&out), (GDestroyNotify)rf_loaded_unref);
}

void
rf_recording_loader_load_async (const char *before, const char *after, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
    Job *job = g_new0 (Job, 1);

    job->folder[0] = g_strdup (before);
    job->folder[1] = g_strdup (after);
    g_task_set_task_data (task, job, job_free);
    g_task_run_in_thread (task, load);
}

RfLoaded *
rf_recording_loader_load_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}
