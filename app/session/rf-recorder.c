#define G_LOG_DOMAIN "rf-recorder"
#include "config.h"

#include "rf-active.h"
#include "rf-archive.h"
#include "rf-csv.h"
#include "rf-error.h"
#include "rf-recorder-job.h"
#include "rf-recorder.h"

#include <string.h>
#include <unistd.h>

#define HZ 10
#define OWN_HZ 4
#define LIMIT_S 86400
#define PATIENCE_MS 5000 /* for what the helper still has to say when it is asked to stop */

struct _RfRecorder {
    GObject parent_instance;
    const RfRecordings *recordings;
    RfSysroot *sysroot;
    char *runtime;
    RfRecorderState state;
    RfRecorderJob *job;
    RfClient *client;  /* of the measurement that runs */
    char *measurement; /* its id */
    GTask *starting;
    GTask *stopping;
    char *id;
    guint marks;
    gint64 started_us;
    GError *refusal;
    GError *failure;
};

G_DEFINE_FINAL_TYPE (RfRecorder, rf_recorder, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    SIGNAL_MARKED,
    SIGNAL_ENDED,
    N_SIGNALS,
};
static guint signals[N_SIGNALS];

/* What the task of a start keeps. */
typedef struct {
    RfRecorderOptions options;
    RfActive *active;
} Start;

static void
start_free (gpointer data)
{
    Start *self = data;
    g_free ((char *)self->options.name);
    g_free ((char *)self->options.workload);
    g_clear_pointer (&self->active, rf_active_free);
    g_free (self);
}

static void
set_state (RfRecorder *self, RfRecorderState state)
{
    if (self->state == state)
        return;
    self->state = state;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* A notice on its way from the thread of the job to the main one. */
typedef struct {
    RfRecorder *self;
    RfRecorderNotice notice;
    char *text;
    GError *error;
} Notice;

static void
notice_free (gpointer data)
{
    Notice *notice = data;
    g_free (notice->text);
    g_clear_error (&notice->error);
    g_object_unref (notice->self);
    g_free (notice);
}

static void
started (RfRecorder *self, const GError *error)
{
    g_autoptr (GTask) task = g_steal_pointer (&self->starting);
    if (task == NULL)
        return;
    if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
    else
        g_task_return_boolean (task, TRUE);
}

static void
leave_helper (RfRecorder *self)
{
    g_clear_pointer (&self->measurement, g_free);
    g_clear_object (&self->client);
}

static void
over (RfRecorder *self, const Notice *notice)
{
    g_clear_pointer (&self->job, rf_recorder_job_free);
    g_clear_error (&self->failure);
    self->failure = notice->error != NULL ? g_error_copy (notice->error) : NULL;
    leave_helper (self);
    gboolean in_start = self->starting != NULL;
    self->state = RF_RECORDER_IDLE;
    started (self, notice->error);
    g_autoptr (GTask) task = g_steal_pointer (&self->stopping);
    if (task != NULL && self->failure != NULL)
        g_task_return_error (task, g_error_copy (self->failure));
    else if (task != NULL)
        g_task_return_pointer (task, g_strdup (self->id), g_free);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
    if (!in_start)
        g_signal_emit (self, signals[SIGNAL_ENDED], 0, notice->text);
}

static gboolean
notice_idle_cb (gpointer data)
{
    Notice *notice = data;
    RfRecorder *self = notice->self;
    switch (notice->notice) {
    case RF_RECORDER_NOTICE_ARMED:
        self->state = RF_RECORDER_PRE_ROLL;
        started (self, NULL);
        g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
        break;
    case RF_RECORDER_NOTICE_WRITING:
        g_free (self->id);
        self->id = g_strdup (notice->text);
        if (self->state != RF_RECORDER_STOPPING)
            self->state = RF_RECORDER_RECORDING;
        started (self, NULL);
        g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
        break;
    case RF_RECORDER_NOTICE_MARKED:
        self->marks++;
        g_signal_emit (self, signals[SIGNAL_MARKED], 0, notice->text);
        g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
        break;
    case RF_RECORDER_NOTICE_OVER:
    default:
        over (self, notice);
    }
    return G_SOURCE_REMOVE;
}

static void
notice_cb (RfRecorderNotice kind, const char *text, const GError *error, gpointer data)
{
    Notice *notice = g_new0 (Notice, 1);
    notice->self = g_object_ref (data);
    notice->notice = kind;
    notice->text = g_strdup (text);
    notice->error = error != NULL ? g_error_copy (error) : NULL;
    g_idle_add_full (G_PRIORITY_DEFAULT, notice_idle_cb, notice, notice_free);
    /* cppcheck-suppress memleak ; the source owns it, and cppcheck does not know */
}

static void
start_job (RfRecorder *self, int samples, int events)
{
    Start *start = g_task_get_task_data (self->starting);
    RfSessionInfo *info = rf_session_info_new ();
    rf_recording_set (&info->name, start->options.name != NULL ? start->options.name : "");
    rf_recording_set (&info->workload, start->options.workload != NULL ? start->options.workload : "");
    rf_recording_set (&info->source, samples >= 0 ? "helper" : "window");
    rf_recording_set (&info->program, "ruckelfrei " PACKAGE_VERSION);
    info->hz = samples < 0 ? OWN_HZ : start->options.hz != 0 ? start->options.hz : HZ;
    info->traced = samples >= 0 && start->options.trace;
    RfRecorderJobConfig config = {
        .recordings = self->recordings,
        .sysroot = self->sysroot,
        .active = g_steal_pointer (&start->active),
        .info = info,
        .samples = samples,
        .events = events,
        .pre_roll = start->options.pre_roll,
        .notice = notice_cb,
        .data = self,
    };
    self->started_us = g_get_monotonic_time ();
    self->job = rf_recorder_job_new (&config);
}

static void measuring_cb (GObject *source, GAsyncResult *result, gpointer data);

static void
measure (RfRecorder *self, const RfRecorderOptions *options)
{
    RfMeasurementOptions measurement = {
        .hz = options->hz,
        .limit_seconds = options->limit_s != 0 ? options->limit_s : LIMIT_S,
        .trace = options->trace,
    };
    rf_client_start_measurement_async (self->client, &measurement, measuring_cb, g_object_ref (self));
}

/* Whether the same without the kernel's events may work: they are not there, or nobody has entered the password. */
static gboolean
is_about_trace (const GError *error)
{
    return error->domain == RF_ERROR
           && (error->code == RF_ERROR_UNAVAILABLE || error->code == RF_ERROR_NOT_AUTHORIZED
               || error->code == RF_ERROR_DISMISSED || error->code == RF_ERROR_NO_AGENT);
}

/* A helper that is missing or refuses does not keep anybody from recording. Nor does one that comes too late, or never: it
 * was given up, and what it has begun ends when nobody reads. */
static void
measuring_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfRecorder) self = data;
    g_autoptr (GError) error = NULL;
    g_autoptr (RfMeasurementFiles) files
        = rf_client_start_measurement_finish (RF_CLIENT (source), result, &error);
    if (self->starting == NULL)
        return;
    if (g_task_return_error_if_cancelled (self->starting)) {
        Start *start = g_task_get_task_data (self->starting);
        g_clear_pointer (&start->active, rf_active_free);
        g_clear_object (&self->starting);
        leave_helper (self);
        set_state (self, RF_RECORDER_IDLE);
        return;
    }
    if (files == NULL) {
        RfRecorderOptions *options = &((Start *)g_task_get_task_data (self->starting))->options;
        gboolean again = options->trace && is_about_trace (error);
        g_clear_error (&self->refusal);
        self->refusal = g_steal_pointer (&error);
        if (again) {
            options->trace = FALSE;
            measure (self, options);
            return;
        }
        leave_helper (self);
        start_job (self, -1, -1);
        return;
    }
    self->measurement = g_strdup (files->id);
    int samples = files->samples, events = files->events;
    files->samples = files->events = -1;
    start_job (self, samples, events);
}

/* Returns: FALSE if it cannot be started; the task has its answer then */
static gboolean
prepare (RfRecorder *self, const RfRecorderOptions *options, GCancellable *cancellable, GAsyncReadyCallback callback,
         gpointer data)
{
    g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);
    g_autoptr (GError) error = NULL;
    if (self->state != RF_RECORDER_IDLE) {
        g_task_return_new_error (task, RF_ERROR, RF_ERROR_BUSY, "a recording is being made");
        return FALSE;
    }
    RfActive *active = rf_active_claim (self->runtime, &error);
    if (active == NULL) {
        g_task_return_error (task, g_steal_pointer (&error));
        return FALSE;
    }
    Start *start = g_new0 (Start, 1);
    start->options = *options;
    start->options.name = g_strdup (options->name);
    start->options.workload = g_strdup (options->workload);
    start->active = active;
    g_task_set_task_data (task, start, start_free);
    g_clear_pointer (&self->id, g_free);
    g_clear_error (&self->refusal);
    g_clear_error (&self->failure);
    self->marks = 0;
    self->starting = g_steal_pointer (&task);
    set_state (self, RF_RECORDER_STARTING);
    return TRUE;
}

void
rf_recorder_start_streams_async (RfRecorder *self, const RfRecorderOptions *options, int samples, int events,
                                 GAsyncReadyCallback callback, gpointer data)
{
    if (prepare (self, options, NULL, callback, data))
        start_job (self, samples, events);
    else {
        if (samples >= 0)
            close (samples);
        if (events >= 0)
            close (events);
    }
}

void
rf_recorder_start_async (RfRecorder *self, RfClient *client, const RfRecorderOptions *options,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
    if (!prepare (self, options, cancellable, callback, data))
        return;
    if (client == NULL) {
        start_job (self, -1, -1);
        return;
    }
    self->client = g_object_ref (client);
    measure (self, options);
}

gboolean
rf_recorder_start_finish (RfRecorder *self, GAsyncResult *result, GError **error)
{
    return g_task_propagate_boolean (G_TASK (result), error);
}

void
rf_recorder_write (RfRecorder *self)
{
    if (self->job != NULL)
        rf_recorder_job_write (self->job);
}

void
rf_recorder_mark (RfRecorder *self, const char *text)
{
    if (self->job != NULL)
        rf_recorder_job_mark (self->job, g_get_monotonic_time () * 1000, text);
}

void
rf_recorder_add_event (RfRecorder *self, const RfEvent *event)
{
    if (self->job != NULL)
        rf_recorder_job_event (self->job, event);
}

void
rf_recorder_add_row (RfRecorder *self, const char *table, const char *const *columns, gint64 time_ns,
                     const double *values)
{
    g_autofree char *file = g_strconcat (table, ".csv", NULL);
    g_return_if_fail (rf_archive_is_member (file) && !g_str_equal (table, "samples") && !g_str_equal (table, "events"));
    if (self->job == NULL)
        return;
    g_autoptr (GString) header = g_string_new ("time_ns");
    g_autoptr (GString) line = g_string_new (NULL);
    g_string_append_printf (line, "%" G_GINT64_FORMAT, time_ns);
    for (gsize i = 0; columns[i] != NULL; i++) {
        g_string_append_c (header, ',');
        rf_csv_append_text (header, columns[i]);
        g_string_append_c (line, ',');
        rf_csv_append_number (line, values[i]);
    }
    g_string_append_c (header, '\n');
    g_string_append_c (line, '\n');
    rf_recorder_job_row (self->job, table, header->str, line->str);
}

void
rf_recorder_stop_async (RfRecorder *self, GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);
    if (self->job == NULL || self->stopping != NULL) {
        if (self->failure != NULL)
            g_task_return_error (task, g_error_copy (self->failure));
        else
            g_task_return_pointer (task, g_strdup (self->id), g_free);
        return;
    }
    self->stopping = g_steal_pointer (&task);
    /* the pipes end when the helper has said its last; should it not, the recording ends all the same */
    if (self->measurement != NULL)
        rf_client_stop_measurement_async (self->client, self->measurement, NULL, NULL);
    rf_recorder_job_stop (self->job, "stopped", self->measurement != NULL ? PATIENCE_MS : 0);
    set_state (self, RF_RECORDER_STOPPING);
}

char *
rf_recorder_stop_finish (RfRecorder *self, GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}

void
rf_recorder_hurry (RfRecorder *self)
{
    if (self->job != NULL && self->stopping != NULL)
        rf_recorder_job_stop (self->job, "stopped", 0);
}

RfRecorderState
rf_recorder_get_state (RfRecorder *self)
{
    return self->state;
}

const char *
rf_recorder_get_id (RfRecorder *self)
{
    return self->id;
}

gint64
rf_recorder_get_started_us (RfRecorder *self)
{
    return self->started_us;
}

guint
rf_recorder_get_marks (RfRecorder *self)
{
    return self->marks;
}

const GError *
rf_recorder_get_refusal (RfRecorder *self)
{
    return self->refusal;
}

gboolean
rf_recorder_is_measured (RfRecorder *self)
{
    return self->measurement != NULL;
}

const GError *
rf_recorder_get_failure (RfRecorder *self)
{
    return self->failure;
}

/* Whoever drops a recorder that runs ends the recording well. */
static void
rf_recorder_dispose (GObject *object)
{
    RfRecorder *self = RF_RECORDER (object);
    if (self->job != NULL)
        rf_recorder_job_stop (self->job, "stopped", 0);
    g_clear_pointer (&self->job, rf_recorder_job_free);
    leave_helper (self);
    G_OBJECT_CLASS (rf_recorder_parent_class)->dispose (object);
}

static void
rf_recorder_finalize (GObject *object)
{
    RfRecorder *self = RF_RECORDER (object);
    g_clear_object (&self->starting);
    g_clear_object (&self->stopping);
    g_object_unref (self->sysroot);
    g_free (self->runtime);
    g_free (self->id);
    g_clear_error (&self->refusal);
    g_clear_error (&self->failure);
    G_OBJECT_CLASS (rf_recorder_parent_class)->finalize (object);
}

static void
rf_recorder_class_init (RfRecorderClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GType type = G_TYPE_FROM_CLASS (klass);
    object_class->dispose = rf_recorder_dispose;
    object_class->finalize = rf_recorder_finalize;
    signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_MARKED]
        = g_signal_new ("marked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[SIGNAL_ENDED]
        = g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
rf_recorder_init (RfRecorder *self)
{
}

RfRecorder *
rf_recorder_new (const RfRecordings *recordings, RfSysroot *sysroot, const char *runtime)
{
    RfRecorder *self = g_object_new (RF_TYPE_RECORDER, NULL);
    self->recordings = recordings;
    self->sysroot = g_object_ref (sysroot);
    self->runtime = g_strdup (runtime);
    return self;
}
