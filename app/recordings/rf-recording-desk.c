#define G_LOG_DOMAIN "rf-recording-desk"

#include "config.h"

#include "rf-recording-desk.h"

#include <glib/gi18n.h>

#include "rf-error.h"
#include "rf-live-recorder.h"
#include "rf-message.h"
#include "rf-monitor-marks.h"
#include "rf-recorder.h"
#include "rf-session-check.h"
#include "rf-tunable-text.h"

#define HZ 10

struct _RfRecordingDesk {
    GObject parent_instance;
    RfSysroot *sysroot;
    RfRecordings *recordings;
    RfRecorder *recorder;
    RfLiveRecorder *live;  /* while something is recorded */
    RfMonitorMarks *marks; /* likewise, with a helper */

    RfClient *client; /* from the wish to record until its end */
    RfRecorderOptions options;
    gboolean checking;
    gboolean starting; /* until it is known what became of it */
    GPtrArray *doubts; /* NULL: none; ends with NULL */
    GCancellable *cancellable; /* of the start */
    GDateTime *since;
    gint64 since_us;
    char *note;
    char *outcome;
};

G_DEFINE_FINAL_TYPE (RfRecordingDesk, rf_recording_desk, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    SIGNAL_ENDED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
changed (RfRecordingDesk *self)
{
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
say (char **words, char *text)
{
    g_free (*words);
    *words = text;
}

/* ---- while it runs ---------------------------------------------------------------------------------------------- */

static void
settings_changed_cb (RfMonitorMarks *marks, guint kind, RfRecordingDesk *self)
{
    const RfEvent event = {
        .time_ns = g_get_monotonic_time () * 1000,
        .kind = kind == RF_MARK_APPLIED ? RF_EVENT_APPLIED : RF_EVENT_TAKEN_BACK,
    };

    rf_recorder_add_event (self->recorder, &event);
}

static void
begin_beside (RfRecordingDesk *self)
{
    const RfLiveOptions options = RF_LIVE_OPTIONS (self->sysroot);

    self->live = rf_live_recorder_start (&options, self->recorder);
    if (self->client == NULL)
        return;
    self->marks = rf_monitor_marks_new (self->client, NULL);
    g_signal_connect_object (self->marks, "marked", G_CALLBACK (settings_changed_cb), self, 0);
}

static void
end_beside (RfRecordingDesk *self)
{
    g_clear_pointer (&self->live, rf_live_recorder_stop);
    g_clear_object (&self->marks);
}

static void
forget (RfRecordingDesk *self)
{
    g_clear_pointer (&self->doubts, g_ptr_array_unref);
    g_clear_object (&self->cancellable);
    g_clear_object (&self->client);
    g_clear_pointer (&self->since, g_date_time_unref);
    self->since_us = 0;
    say (&self->note, NULL);
}

static void
recorder_changed_cb (RfRecordingDesk *self)
{
    if (rf_recorder_get_state (self->recorder) == RF_RECORDER_RECORDING && self->since == NULL) {
        self->since = g_date_time_new_now_local ();
        self->since_us = g_get_monotonic_time ();
    }
    changed (self);
}

/* What the person who recorded should know of it. */
static char *
describe_end (RfRecordingDesk *self, const char *reason)
{
    const GError *failure = rf_recorder_get_failure (self->recorder);
    const gint64 lasted_s = rf_recording_desk_get_elapsed_s (self);
    g_autoptr (GString) out = g_string_new (NULL);
    g_autofree char *length = rf_format_duration ((double)lasted_s);

    if (rf_recorder_get_id (self->recorder) == NULL)
        g_string_append (out, _ ("Nothing was recorded."));
    else
        /* Translators: %s is a duration: "2 min" */
        g_string_append_printf (out, _ ("Recorded %s. The recording is in the list below."), length);
    if (failure != NULL) {
        g_autofree char *words = rf_session_message (failure);

        g_string_append_printf (out, " %s", words);
    } else if (!g_str_equal (reason, "stopped")) {
        g_autofree char *words = rf_session_end_text (reason);

        g_string_append_printf (out, " %s", words);
    }
    if (rf_recorder_get_id (self->recorder) != NULL && lasted_s < RF_SESSION_SHORT_S) {
        const RfSessionConditions lasted = {.wanted_s = MAX (1, lasted_s)};
        g_autofree char *words = rf_session_doubt_text (&lasted, RF_SESSION_DOUBT_SHORT);

        g_string_append_printf (out, " %s", words);
    }
    return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
recorder_ended_cb (RfRecorder *recorder, const char *reason, RfRecordingDesk *self)
{
    end_beside (self);
    say (&self->outcome, describe_end (self, reason));
    forget (self);
    changed (self);
    g_signal_emit (self, signals[SIGNAL_ENDED], 0);
}

/* ---- the start -------------------------------------------------------------------------------------------------- */

static void
started_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfRecordingDesk) self = RF_RECORDING_DESK (data);
    g_autoptr (GError) error = NULL;
    const GError *refusal = NULL;

    self->starting = FALSE;
    if (!rf_recorder_start_finish (RF_RECORDER (source), result, &error)) {
        forget (self);
        if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
            say (&self->outcome, g_error_matches (error, RF_ERROR, RF_ERROR_BUSY)
                                     ? g_strdup (_ ("Another recording is being made right now, perhaps by the quick test "
                                                    "or in a terminal. Please end it first."))
                                     : rf_session_message (error));
        changed (self);
        return;
    }
    /* it may have ended already: a drive that is full from the start */
    if (rf_recorder_get_state (self->recorder) == RF_RECORDER_IDLE)
        return;
    refusal = rf_recorder_get_refusal (self->recorder);
    if (refusal != NULL) {
        g_autofree char *why = rf_message_from_measurement_error (refusal);

        say (&self->note, g_strdup_printf (rf_recorder_is_measured (self->recorder)
                                               ? _ ("Recording without the kernel's events. %s")
                                               : _ ("Recording without the helper, four times a second and without the "
                                                    "kernel's events. %s"),
                                           why));
    }
    begin_beside (self);
    changed (self);
}

static void
start_recorder (RfRecordingDesk *self)
{
    g_clear_pointer (&self->doubts, g_ptr_array_unref);
    g_clear_object (&self->cancellable);
    self->cancellable = g_cancellable_new ();
    self->starting = TRUE;
    rf_recorder_start_async (self->recorder, self->client, &self->options, self->cancellable, started_cb,
                             g_object_ref (self));
}

static void
check_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    RfRecordingDesk *self = source;
    g_autoptr (GPtrArray) doubts = g_ptr_array_new_with_free_func (g_free);
    RfSessionConditions conditions;

    rf_session_conditions_read (&conditions, self->sysroot, self->recordings);
    conditions.hz = HZ;
    for (guint i = 0; i < RF_SESSION_N_DOUBTS; i++) {
        if (rf_session_check (&conditions, (RfSessionDoubt)i))
            g_ptr_array_add (doubts, rf_session_doubt_text (&conditions, (RfSessionDoubt)i));
    }
    rf_session_conditions_clear (&conditions);
    if (doubts->len > 0)
        g_ptr_array_add (doubts, NULL);
    g_task_return_pointer (task, g_steal_pointer (&doubts), (GDestroyNotify)g_ptr_array_unref);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    RfRecordingDesk *self = RF_RECORDING_DESK (source);
    g_autoptr (GPtrArray) doubts = g_task_propagate_pointer (G_TASK (result), NULL);

    /* given up, and perhaps begun anew, meanwhile */
    if (doubts == NULL)
        return;
    self->checking = FALSE;
    if (doubts->len == 0) {
        start_recorder (self);
        return;
    }
    self->doubts = g_steal_pointer (&doubts);
    changed (self);
}

void
rf_recording_desk_start (RfRecordingDesk *self, RfClient *client, gboolean trace, gboolean pre_roll)
{
    g_autoptr (GTask) task = NULL;

    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    if (rf_recording_desk_get_state (self) != RF_DESK_IDLE)
        return;
    forget (self);
    say (&self->outcome, NULL);
    g_set_object (&self->client, client);
    self->options = (RfRecorderOptions){.hz = HZ, .trace = trace, .pre_roll = pre_roll};
    self->checking = TRUE;
    self->cancellable = g_cancellable_new ();
    task = g_task_new (self, self->cancellable, checked_cb, NULL);
    g_task_run_in_thread (task, check_thread);
    changed (self);
}

void
rf_recording_desk_start_anyway (RfRecordingDesk *self)
{
    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    if (rf_recording_desk_get_state (self) == RF_DESK_DOUBTING)
        start_recorder (self);
}

void
rf_recording_desk_cancel (RfRecordingDesk *self)
{
    RfDeskState state;

    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    state = rf_recording_desk_get_state (self);
    if (state == RF_DESK_STARTING)
        g_cancellable_cancel (self->cancellable);
    if (state != RF_DESK_CHECKING && state != RF_DESK_DOUBTING)
        return;
    g_cancellable_cancel (self->cancellable);
    self->checking = FALSE;
    forget (self);
    changed (self);
}

void
rf_recording_desk_mark (RfRecordingDesk *self)
{
    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    rf_recorder_mark (self->recorder, "");
}

void
rf_recording_desk_write (RfRecordingDesk *self)
{
    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    rf_recorder_write (self->recorder);
}

void
rf_recording_desk_stop (RfRecordingDesk *self)
{
    RfDeskState state;

    g_return_if_fail (RF_IS_RECORDING_DESK (self));

    state = rf_recording_desk_get_state (self);
    if (state == RF_DESK_STOPPING) {
        rf_recorder_hurry (self->recorder);
    } else if (state < RF_DESK_PRE_ROLL) {
        rf_recording_desk_cancel (self);
    } else {
        end_beside (self);
        rf_recorder_stop_async (self->recorder, NULL, NULL);
    }
}

/* ---- what is told ----------------------------------------------------------------------------------------------- */

const char *
rf_recording_desk_get_folder (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return rf_recordings_folder (self->recordings);
}

RfDeskState
rf_recording_desk_get_state (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), RF_DESK_IDLE);

    if (self->checking)
        return RF_DESK_CHECKING;
    if (self->doubts != NULL)
        return RF_DESK_DOUBTING;
    switch (rf_recorder_get_state (self->recorder)) {
    case RF_RECORDER_STARTING:
        return RF_DESK_STARTING;
    case RF_RECORDER_PRE_ROLL:
        return RF_DESK_PRE_ROLL;
    case RF_RECORDER_RECORDING:
        return RF_DESK_RECORDING;
    case RF_RECORDER_STOPPING:
        return RF_DESK_STOPPING;
    case RF_RECORDER_IDLE:
    default:
        return self->starting ? RF_DESK_STARTING : RF_DESK_IDLE;
    }
}

gboolean
rf_recording_desk_is_running (RfRecordingDesk *self)
{
    return rf_recording_desk_get_state (self) >= RF_DESK_STARTING;
}

gint64
rf_recording_desk_get_elapsed_s (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), 0);

    return self->since_us != 0 ? (g_get_monotonic_time () - self->since_us) / G_USEC_PER_SEC : 0;
}

GDateTime *
rf_recording_desk_get_since (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return self->since;
}

guint
rf_recording_desk_get_marks (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), 0);

    return rf_recorder_get_marks (self->recorder);
}

const char *
rf_recording_desk_get_id (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return rf_recorder_get_id (self->recorder);
}

const char *const *
rf_recording_desk_get_doubts (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return self->doubts != NULL ? (const char *const *)self->doubts->pdata : NULL;
}

const char *
rf_recording_desk_get_note (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return self->note;
}

const char *
rf_recording_desk_get_outcome (RfRecordingDesk *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_DESK (self), NULL);

    return self->outcome;
}

static void
rf_recording_desk_dispose (GObject *object)
{
    RfRecordingDesk *self = RF_RECORDING_DESK (object);

    if (self->recorder != NULL)
        g_signal_handlers_disconnect_by_data (self->recorder, self);
    end_beside (self);
    forget (self);
    /* it ends a recording that runs well */
    g_clear_object (&self->recorder);
    G_OBJECT_CLASS (rf_recording_desk_parent_class)->dispose (object);
}

static void
rf_recording_desk_finalize (GObject *object)
{
    RfRecordingDesk *self = RF_RECORDING_DESK (object);

    g_clear_pointer (&self->recordings, rf_recordings_free);
    g_clear_object (&self->sysroot);
    g_free (self->outcome);
    G_OBJECT_CLASS (rf_recording_desk_parent_class)->finalize (object);
}

static void
rf_recording_desk_class_init (RfRecordingDeskClass *klass)
{
    GType type = G_TYPE_FROM_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_recording_desk_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_recording_desk_finalize;
    signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_ENDED] = g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_recording_desk_init (RfRecordingDesk *self)
{
}

RfRecordingDesk *
rf_recording_desk_new (RfSysroot *sysroot, const char *folder, const char *runtime)
{
    RfRecordingDesk *self = g_object_new (RF_TYPE_RECORDING_DESK, NULL);

    self->sysroot = g_object_ref (sysroot);
    self->recordings = rf_recordings_new (folder);
    self->recorder = rf_recorder_new (self->recordings, sysroot, runtime);
    g_signal_connect_swapped (self->recorder, "changed", G_CALLBACK (recorder_changed_cb), self);
    g_signal_connect (self->recorder, "ended", G_CALLBACK (recorder_ended_cb), self);
    return self;
}
