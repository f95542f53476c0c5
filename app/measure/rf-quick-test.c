#define G_LOG_DOMAIN "rf-quick-test"

#include "config.h"

#include "rf-quick-test.h"

#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-message.h"
#include "rf-recorder.h"
#include "rf-session-check.h"

/* what the load takes to get ready, and at its end; only to tell how long it will take */
#define GETTING_READY_S 25
#define ENDING_S 5
/* for what it has said when it has gone already */
#define GRACE_MS 1000

/* The parts of the load's work that it tells of (ruckelfrei-workload(1)), and what they are of the whole. */
static const struct {
    const char *name;
    double from;
    double to;
} phases[] = {{"prepare", 0, 0.15}, {"warm-up", 0.15, 0.22}, {"measure", 0.22, 1}};

struct _RfQuickTest {
    GObject parent_instance;
    RfClient *client;
    RfSysroot *sysroot;
    RfRecordings *recordings;
    RfRecorder *recorder;
    char *program;
    guint seconds;

    RfQuickTestState state;
    RfQuickTestSide side;
    gboolean cancelled;
    GSubprocess *process;
    GCancellable *reading; /* of its three streams */
    guint unfinished;      /* they and its end: what it said last is read after it has gone */
    guint grace;           /* source */
    double progress;
    gboolean whole; /* the load has run all its time */
    char *said;     /* why it has not, in its own words */
    char *result[RF_N_QUICK_TESTS];
    char *plan; /* of "before" */
    char *problem;
};

G_DEFINE_FINAL_TYPE (RfQuickTest, rf_quick_test, G_TYPE_OBJECT)

static guint changed_signal;

static void
changed (RfQuickTest *self)
{
    g_signal_emit (self, changed_signal, 0);
}

static void
set_problem (RfQuickTest *self, const char *words)
{
    g_free (self->problem);
    self->problem = g_strdup (words);
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

static void
end (RfQuickTest *self, const char *id)
{
    g_autoptr (GError) error = NULL;

    if (id != NULL && self->whole && !self->cancelled) {
        g_free (self->result[self->side]);
        self->result[self->side] = g_strdup (id);
    } else if (id != NULL && !rf_recordings_delete (self->recordings, id, TRUE, &error)) {
        g_debug ("'%s' stays: %s", id, error->message);
    }
    if (!self->cancelled && !self->whole && self->problem == NULL)
        set_problem (self, self->said != NULL ? self->said : _ ("The test ended before its time, so it says nothing."));
    g_clear_object (&self->process);
    self->state = RF_QUICK_TEST_IDLE;
    changed (self);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfQuickTest) self = RF_QUICK_TEST (data);
    g_autoptr (GError) error = NULL;
    g_autofree char *id = rf_recorder_stop_finish (RF_RECORDER (source), result, &error);

    if (error != NULL) {
        g_autofree char *words = rf_message_from_error (error);

        self->whole = FALSE;
        set_problem (self, words);
        id = g_strdup (rf_recorder_get_id (RF_RECORDER (source)));
    }
    end (self, id);
}

static void
stop_recording (RfQuickTest *self)
{
    self->state = RF_QUICK_TEST_ENDING;
    changed (self);
    rf_recorder_stop_async (self->recorder, stopped_cb, g_object_ref (self));
}

/* ---- the load --------------------------------------------------------------------------------------------------- */

/* A line of one of the three streams of the load. */
typedef void (*TakeLine) (RfQuickTest *self, const char *line);

typedef struct {
    RfQuickTest *test; /* a reference */
    GDataInputStream *stream;
    TakeLine take;
} Reader;

static void
reader_free (Reader *self)
{
    g_object_unref (self->test);
    g_object_unref (self->stream);
    g_free (self);
}

static void
finish_one (RfQuickTest *self)
{
    if (--self->unfinished > 0)
        return;
    g_clear_handle_id (&self->grace, g_source_remove);
    g_clear_object (&self->reading);
    stop_recording (self);
}

static void
line_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Reader *self = data;
    g_autofree char *line = g_data_input_stream_read_line_finish (self->stream, result, NULL, NULL);

    if (line == NULL) {
        finish_one (self->test);
        reader_free (self);
        return;
    }
    self->take (self->test, line);
    g_data_input_stream_read_line_async (self->stream, G_PRIORITY_DEFAULT, self->test->reading, line_cb, self);
}

static void
read_lines (RfQuickTest *self, GInputStream *from, TakeLine take)
{
    Reader *reader = g_new0 (Reader, 1);

    reader->test = g_object_ref (self);
    reader->stream = g_data_input_stream_new (from);
    reader->take = take;
    g_data_input_stream_read_line_async (reader->stream, G_PRIORITY_DEFAULT, self->reading, line_cb, reader);
}

static void
take_progress (RfQuickTest *self, const char *words)
{
    g_auto (GStrv) parts = g_strsplit (words, " ", 2);

    for (guint i = 0; i < G_N_ELEMENTS (phases) && parts[0] != NULL && parts[1] != NULL; i++) {
        const double done = g_ascii_strtod (parts[1], NULL);

        if (g_str_equal (parts[0], phases[i].name) && done >= 0 && done <= 1)
            self->progress = MAX (self->progress, phases[i].from + (phases[i].to - phases[i].from) * done);
    }
    changed (self);
}

static void
take_result (RfQuickTest *self, const char *line)
{
    if (g_str_has_prefix (line, "progress="))
        take_progress (self, line + strlen ("progress="));
    else if (g_str_has_prefix (line, "plan=") && self->side == RF_QUICK_TEST_BEFORE) {
        g_free (self->plan);
        self->plan = g_strdup (line + strlen ("plan="));
    } else if (g_str_equal (line, "ended=time"))
        self->whole = TRUE;
}

/* "time_ns,frame_ms,cause": the time and the number go into the recording. */
static void
take_frame (RfQuickTest *self, const char *line)
{
    static const char *const columns[] = {"frame_ms", NULL};
    char *after = NULL;
    const gint64 time_ns = g_ascii_strtoll (line, &after, 10);
    double ms;

    if (time_ns <= 0 || *after != ',')
        return;
    ms = g_ascii_strtod (after + 1, NULL);
    if (isfinite (ms) && ms >= 0)
        rf_recorder_add_row (self->recorder, "frames", columns, time_ns, &ms);
}

/* What it says to people: the last is why it does not go on. */
static void
take_words (RfQuickTest *self, const char *line)
{
    if (*line == '\0')
        return;
    g_free (self->said);
    self->said = g_utf8_make_valid (line, -1);
}

static gboolean
grace_cb (gpointer data)
{
    RfQuickTest *self = RF_QUICK_TEST (data);

    self->grace = 0;
    g_cancellable_cancel (self->reading);
    return G_SOURCE_REMOVE;
}

/* Whoever it has left behind may hold its streams open for ever. */
static void
exited_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfQuickTest) self = RF_QUICK_TEST (data);

    g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
    self->grace = g_timeout_add_full (G_PRIORITY_DEFAULT, GRACE_MS, grace_cb, g_object_ref (self), g_object_unref);
    finish_one (self);
}

static gboolean
start_load (RfQuickTest *self, GError **error)
{
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
        G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
    g_autofree char *seconds = g_strdup_printf ("%u", self->seconds);
    g_autoptr (GInputStream) frames = NULL;
    int pipe[2];

    if (!g_unix_open_pipe (pipe, FD_CLOEXEC, error))
        return FALSE;
    frames = g_unix_input_stream_new (pipe[0], TRUE);
    g_subprocess_launcher_take_fd (launcher, pipe[1], 3);
    g_ptr_array_add (arguments, self->program);
    g_ptr_array_add (arguments, (gpointer) "--end-with-stdin");
    g_ptr_array_add (arguments, (gpointer) "--seconds");
    g_ptr_array_add (arguments, seconds);
    g_ptr_array_add (arguments, (gpointer) "--frames");
    g_ptr_array_add (arguments, (gpointer) "/dev/fd/3");
    if (self->side == RF_QUICK_TEST_AFTER) {
        g_ptr_array_add (arguments, (gpointer) "--plan");
        g_ptr_array_add (arguments, self->plan);
    }
    g_ptr_array_add (arguments, NULL);
    self->process = g_subprocess_launcher_spawnv (launcher, (const char *const *)arguments->pdata, error);
    if (self->process == NULL)
        return FALSE;
    self->reading = g_cancellable_new ();
    self->unfinished = 4;
    read_lines (self, g_subprocess_get_stdout_pipe (self->process), take_result);
    read_lines (self, g_subprocess_get_stderr_pipe (self->process), take_words);
    read_lines (self, frames, take_frame);
    g_subprocess_wait_async (self->process, NULL, exited_cb, g_object_ref (self));
    return TRUE;
}

/* ---- beginning -------------------------------------------------------------------------------------------------- */

static void
recording_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfQuickTest) self = RF_QUICK_TEST (data);
    g_autoptr (GError) error = NULL;

    if (!rf_recorder_start_finish (self->recorder, result, &error)) {
        g_autofree char *words = rf_session_message (error);

        set_problem (self, g_error_matches (error, RF_ERROR, RF_ERROR_BUSY) ? _ (
                               "Another recording is being made right now. Please end it first: both together would "
                               "measure each other.")
                                                                            : words);
        end (self, NULL);
        return;
    }
    if (self->cancelled) {
        stop_recording (self);
        return;
    }
    if (!start_load (self, &error)) {
        set_problem (self,
                     _ ("The program that makes the load could not be started. Please install the package anew."));
        g_debug ("the load: %s", error->message);
        stop_recording (self);
        return;
    }
    self->state = RF_QUICK_TEST_RUNNING;
    changed (self);
}

void
rf_quick_test_start (RfQuickTest *self, RfQuickTestSide side)
{
    RfRecorderOptions options = {.workload = "quick-test"};

    g_return_if_fail (RF_IS_QUICK_TEST (self));
    g_return_if_fail (side < RF_N_QUICK_TESTS);

    if (self->state != RF_QUICK_TEST_IDLE || (side == RF_QUICK_TEST_AFTER && self->plan == NULL))
        return;
    self->side = side;
    self->cancelled = self->whole = FALSE;
    self->progress = 0;
    g_clear_pointer (&self->said, g_free);
    g_clear_pointer (&self->problem, g_free);
    self->state = RF_QUICK_TEST_STARTING;
    options.name = side == RF_QUICK_TEST_BEFORE ? _ ("Quick test, before") : _ ("Quick test, after");
    changed (self);
    rf_recorder_start_async (self->recorder, self->client, &options, NULL, recording_cb, g_object_ref (self));
}

void
rf_quick_test_cancel (RfQuickTest *self)
{
    g_return_if_fail (RF_IS_QUICK_TEST (self));

    if (self->state == RF_QUICK_TEST_IDLE)
        return;
    self->cancelled = TRUE;
    if (self->process != NULL)
        g_subprocess_send_signal (self->process, SIGTERM);
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

RfQuickTestState
rf_quick_test_get_state (RfQuickTest *self)
{
    g_return_val_if_fail (RF_IS_QUICK_TEST (self), RF_QUICK_TEST_IDLE);

    return self->state;
}

RfQuickTestSide
rf_quick_test_get_running (RfQuickTest *self)
{
    g_return_val_if_fail (RF_IS_QUICK_TEST (self), RF_QUICK_TEST_BEFORE);

    return self->side;
}

double
rf_quick_test_get_progress (RfQuickTest *self, guint *remaining_s)
{
    g_return_val_if_fail (RF_IS_QUICK_TEST (self), 0);

    *remaining_s = (guint)((1 - self->progress) * (self->seconds + GETTING_READY_S) + ENDING_S);
    return self->progress;
}

const char *
rf_quick_test_get_result (RfQuickTest *self, RfQuickTestSide side)
{
    g_return_val_if_fail (RF_IS_QUICK_TEST (self) && side < RF_N_QUICK_TESTS, NULL);

    return self->result[side];
}

const char *
rf_quick_test_get_problem (RfQuickTest *self)
{
    g_return_val_if_fail (RF_IS_QUICK_TEST (self), NULL);

    return self->problem;
}

static void
rf_quick_test_dispose (GObject *object)
{
    RfQuickTest *self = RF_QUICK_TEST (object);

    rf_quick_test_cancel (self);
    g_clear_object (&self->client);
    g_clear_object (&self->sysroot);
    g_clear_object (&self->recorder);
    g_clear_object (&self->process);
    G_OBJECT_CLASS (rf_quick_test_parent_class)->dispose (object);
}

static void
rf_quick_test_finalize (GObject *object)
{
    RfQuickTest *self = RF_QUICK_TEST (object);

    g_clear_pointer (&self->recordings, rf_recordings_free);
    for (guint i = 0; i < RF_N_QUICK_TESTS; i++)
        g_free (self->result[i]);
    g_free (self->program);
    g_free (self->said);
    g_free (self->plan);
    g_free (self->problem);
    G_OBJECT_CLASS (rf_quick_test_parent_class)->finalize (object);
}

static void
rf_quick_test_class_init (RfQuickTestClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_quick_test_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_quick_test_finalize;
    changed_signal
        = g_signal_new ("changed", RF_TYPE_QUICK_TEST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_quick_test_init (RfQuickTest *self)
{
    self->program = g_strdup (RF_WORKLOAD);
    self->seconds = RF_QUICK_TEST_SECONDS;
}

RfQuickTest *
rf_quick_test_new (RfClient *client, RfSysroot *sysroot, const char *folder)
{
    RfQuickTest *self = NULL;

    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);

    self = g_object_new (RF_TYPE_QUICK_TEST, NULL);
    g_set_object (&self->client, client);
    self->sysroot = g_object_ref (sysroot);
    self->recordings = rf_recordings_new (folder);
    self->recorder = rf_recorder_new (self->recordings, sysroot, NULL);
    return self;
}

void
rf_quick_test_set_program (RfQuickTest *self, const char *program, guint seconds)
{
    g_return_if_fail (RF_IS_QUICK_TEST (self));

    g_free (self->program);
    self->program = g_strdup (program);
    self->seconds = seconds;
}
