/* A recording while it is made: what is on disk when, and what of it a crash, a full disk or another recording costs. */
#define G_LOG_DOMAIN "test-recorder"
#include "config.h"

#include "rf-active.h"
#include "rf-error.h"
#include "rf-recorder.h"
#include "rf-table-file.h"
#include "rf-test-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER "time_ns,interval_s,free_bytes\n"
#define SECOND G_GINT64_CONSTANT (1000000000)
#define TOO_LONG_S 60

typedef struct {
    RfTestTree *tree;
    char *runtime;
    RfRecordings *recordings;
    RfRecorder *recorder;
    int samples; /* where the helper would write */
    int events;
    char *ended;
} Rig;

static void
ended_cb (RfRecorder *recorder, const char *reason, Rig *rig)
{
    g_free (rig->ended);
    rig->ended = g_strdup (reason);
}

static void
rig_make (Rig *rig, const char *folder)
{
    memset (rig, 0, sizeof *rig);
    rig->samples = rig->events = -1;
    rig->tree = rf_test_tree_new ("laptop-8g");
    rig->runtime = rf_test_tree_path (rig->tree, "run-user");
    g_assert_cmpint (g_mkdir_with_parents (rig->runtime, 0700), ==, 0);
    g_autofree char *path = rf_test_tree_path (rig->tree, folder);
    rig->recordings = rf_recordings_new (path);
    rig->recorder = rf_recorder_new (rig->recordings, rf_test_tree_sysroot (rig->tree), rig->runtime);
    g_signal_connect (rig->recorder, "ended", G_CALLBACK (ended_cb), rig);
    alarm (TOO_LONG_S);
}

static void
close_both (Rig *rig)
{
    if (rig->samples >= 0)
        close (rig->samples);
    if (rig->events >= 0)
        close (rig->events);
    rig->samples = rig->events = -1;
}

static void
rig_clear (Rig *rig)
{
    close_both (rig);
    g_assert_finalize_object (rig->recorder);
    rf_recordings_free (rig->recordings);
    rf_test_tree_free (rig->tree);
    g_free (rig->runtime);
    g_free (rig->ended);
    alarm (0);
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GAsyncResult **slot = data;
    *slot = g_object_ref (result);
}

static gboolean
start_streams (Rig *rig, const RfRecorderOptions *options, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    int samples[2], events[2];
    g_assert_cmpint (pipe (samples), ==, 0);
    g_assert_cmpint (pipe (events), ==, 0);
    rig->samples = samples[1];
    rig->events = events[1];
    rf_recorder_start_streams_async (rig->recorder, options, samples[0], events[0], result_cb, &result);
    while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
    return rf_recorder_start_finish (rig->recorder, result, error);
}

static gboolean
start_alone (Rig *rig, const RfRecorderOptions *options, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_recorder_start_async (rig->recorder, NULL, options, NULL, result_cb, &result);
    while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
    return rf_recorder_start_finish (rig->recorder, result, error);
}

static char *
stop (Rig *rig, GError **error)
{
    g_autoptr (GAsyncResult) result = NULL;
    rf_recorder_stop_async (rig->recorder, result_cb, &result);
    while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
    return rf_recorder_stop_finish (rig->recorder, result, error);
}

static void
say (int fd, const char *text)
{
    g_autoptr (GError) error = NULL;
    g_assert_true (rf_fd_write_all (fd, text, strlen (text), &error));
}

static void
wait_idle (Rig *rig)
{
    while (rf_recorder_get_state (rig->recorder) != RF_RECORDER_IDLE)
        g_main_context_iteration (NULL, TRUE);
}

static void
wait_marks (Rig *rig, guint marks)
{
    while (rf_recorder_get_marks (rig->recorder) < marks)
        g_main_context_iteration (NULL, TRUE);
}

static char *
file_text (Rig *rig, const char *file)
{
    g_autofree char *path = rf_recordings_path (rig->recordings, rf_recorder_get_id (rig->recorder));
    g_autofree char *name = g_build_filename (path, file, NULL);
    char *text = NULL;
    (void)g_file_get_contents (name, &text, NULL, NULL);
    return text != NULL ? text : g_strdup ("");
}

/* Until the file has @text in it; the alarm ends what would never come. */
static void
wait_file (Rig *rig, const char *file, const char *text)
{
    while (TRUE) {
        g_autofree char *now = file_text (rig, file);
        if (strstr (now, text) != NULL)
            return;
        g_main_context_iteration (NULL, FALSE);
        g_usleep (10000);
    }
}

static RfRecording *
load (Rig *rig, RfRecordingState **state)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = rf_recordings_path (rig->recordings, rf_recorder_get_id (rig->recorder));
    RfRecording *recording = rf_recording_load (path, state, &error);
    g_assert_no_error (error);
    return recording;
}

static void
test_streams (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    RfRecorderOptions options = {.name = "Evening", .workload = "sleep", .hz = 20, .trace = TRUE};
    g_assert_true (start_streams (&rig, &options, &error));
    g_assert_no_error (error);
    g_assert_cmpint (rf_recorder_get_state (rig.recorder), ==, RF_RECORDER_RECORDING);
    /* lines come in pieces, and a mark comes between two of them */
    say (rig.samples, HEADER "# anchor 1000000000 1796061600000000\n1000000000,0,1\n11000");
    say (rig.events, RF_EVENT_HEADER "\n1000000500,reclaim,2500000,1");
    wait_file (&rig, "samples.csv", "1000000000,0,1\n");
    rf_recorder_mark (rig.recorder, "It stuttered, \"badly\"\n");
    wait_marks (&rig, 1);
    say (rig.events, "0,11,game,order 0,32\n");
    say (rig.samples, "00000,0.1,2\n# gap 1100000000 2000000000 backlog\n2000000000,0.9,3\n");
    RfEvent tile = {.time_ns = 1500000000, .kind = RF_EVENT_TILE, .amount = NAN, .subject = "+47+008"};
    rf_recorder_add_event (rig.recorder, &tile);
    static const char *const columns[] = {"utilisation", "memory_used_bytes", NULL};
    rf_recorder_add_row (rig.recorder, "gpu", columns, 1000000000, (double[]) {0.5, NAN});
    rf_recorder_add_row (rig.recorder, "gpu", columns, 2000000000, (double[]) {1, 1e9});
    say (rig.samples, "# end limit\n# self-check reclaim traced 3 counted 9 differs\n# self-check bytes traced 9 counted 9 agrees\n"
                      "# self-check verdict not-trusted\n");
    wait_file (&rig, "gpu.csv", "2000000000,1,1000000000\n");
    close_both (&rig);
    wait_idle (&rig);
    g_assert_cmpstr (rig.ended, ==, "limit");
    g_assert_null (rf_recorder_get_failure (rig.recorder));

    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (&rig, &state);
    g_assert_null (rf_recording_state_text (state));
    g_assert_cmpstr (recording->name, ==, "Evening");
    g_assert_cmpstr (recording->source, ==, "helper");
    g_assert_cmpuint (recording->untrusted->len, ==, 1);
    g_assert_cmpstr (recording->untrusted->pdata[0], ==, "reclaim: 3 of 9");
    g_assert_cmpint (recording->anchor_monotonic_ns, ==, SECOND);
    g_assert_cmpint (recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796061600000000));
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), ==, 3);
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "gpu")), ==, 2);
    g_assert_cmpuint (recording->gaps->len, ==, 1);
    g_assert_cmpuint (recording->events->len, ==, 3);
    const RfEvent *reclaim = &g_array_index (recording->events, RfEvent, 0);
    const RfEvent *mark = &g_array_index (recording->events, RfEvent, 2);
    g_assert_cmpstr (reclaim->process, ==, "game");
    g_assert_cmpint (mark->kind, ==, RF_EVENT_MARK);
    g_assert_cmpstr (mark->subject, ==, "It stuttered, \"badly\"");
    g_assert_cmpstr (g_hash_table_lookup (recording->settings_end, "vm.swappiness"), ==, "60");
    /* by a clock that goes on evenly, although the anchor's is years away from that of this machine */
    g_autofree char *path = rf_recordings_path (rig.recordings, rf_recorder_get_id (rig.recorder));
    g_autoptr (RfSessionInfo) info = rf_session_info_load (path, NULL);
    g_assert_cmpint (info->ended_us, >=, info->created_us);
    g_assert_cmpint (info->ended_us - info->created_us, <=, TOO_LONG_S * G_USEC_PER_SEC);
    g_assert_true (info->traced);
    g_assert_cmpuint (info->hz, ==, 20);
    g_assert_nonnull (g_hash_table_lookup (info->machine, "drive-1"));
    rig_clear (&rig);
}

/* nothing that says whose machine it is */
static void
test_private (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    rf_test_tree_set (rig.tree, "etc/hostname", "machine-of-somebody\n");
    rf_test_tree_set (rig.tree, "proc/sys/kernel/hostname", "machine-of-somebody\n");
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_autofree char *id = stop (&rig, &error);
    g_assert_no_error (error);
    g_autofree char *text = file_text (&rig, "session.ini");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (rig.tree));
    guint checked = 0;
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = facts->disks->pdata[i];
        if (disk->stable_id == NULL)
            continue;
        g_assert_null (strstr (text, disk->stable_id));
        checked++;
    }
    g_assert_cmpuint (checked, >, 0);
    g_assert_null (strstr (text, "machine-of-somebody"));
    rig_clear (&rig);
}

/* without a helper: by our own look */
static void
test_alone (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {.hz = 10, .trace = TRUE}, &error));
    g_assert_no_error (error);
    wait_file (&rig, "samples.csv", "\n");
    g_autoptr (GPtrArray) list = rf_recordings_list (rig.recordings, &error);
    g_assert_true (((const RfRecordingSummary *)list->pdata[0])->running);
    g_autofree char *id = stop (&rig, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (id, ==, rf_recorder_get_id (rig.recorder));
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (&rig, &state);
    g_assert_true (state->ended);
    g_assert_cmpstr (recording->source, ==, "window");
    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), >, 0);
    guint column = rf_table_find (samples, "free_bytes");
    g_assert_cmpfloat (rf_table_values (samples, column)[0], >, 0);
    g_autofree char *path = rf_recordings_path (rig.recordings, id);
    g_autoptr (RfSessionInfo) info = rf_session_info_load (path, NULL);
    g_assert_cmpuint (info->hz, ==, 4);
    g_assert_false (info->traced);
    rig_clear (&rig);
}

/* A header longer than what is read as a line would make the whole recording unreadable. */
static void
test_many_disks (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < 2000; i++) {
        g_autofree char *folder = g_strdup_printf ("sys/block/nvme%un1", i);
        rf_test_tree_mkdir (rig.tree, folder);
        g_string_append_printf (text, " 259 %u nvme%un1 9 0 9 9 9 0 9 9 0 9 9 0 0 0 0 0 0\n", i, i);
    }
    rf_test_tree_set (rig.tree, "proc/diskstats", text->str);
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {.hz = 10}, &error));
    g_assert_no_error (error);
    wait_file (&rig, "samples.csv", "\n");
    g_autofree char *id = stop (&rig, &error);
    g_assert_no_error (error);
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (&rig, &state);
    g_assert_cmpuint (state->missing->len, ==, 0);
    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_find (samples, "nvme0n1.read_iops"), !=, RF_TABLE_NONE);
    rig_clear (&rig);
}

static void
say_seconds (int fd, guint from, guint to)
{
    g_autoptr (GString) text = g_string_new (from == 1 ? HEADER : NULL);
    for (guint i = from; i < to; i++)
        g_string_append_printf (text, "%" G_GINT64_FORMAT ",1,%u\n", i * SECOND, i);
    say (fd, text->str);
}

/* two minutes are kept, nothing is written; a mark ends that */
static void
test_pre_roll (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    g_assert_true (start_streams (&rig, &(RfRecorderOptions) {.pre_roll = TRUE}, &error));
    g_assert_no_error (error);
    g_assert_cmpint (rf_recorder_get_state (rig.recorder), ==, RF_RECORDER_PRE_ROLL);
    say (rig.events, RF_EVENT_HEADER "\n5000000000,io,7000000,,,old,sda read,1\n290000000000,io,7000000,,,new,sda read,1\n");
    say_seconds (rig.samples, 1, 301);
    /* the pipes are empty when the recorder has taken all of it */
    for (int left = 1; left > 0; g_usleep (10000)) {
        int more = 0;
        g_assert_cmpint (ioctl (rig.samples, FIONREAD, &left), ==, 0);
        g_assert_cmpint (ioctl (rig.events, FIONREAD, &more), ==, 0);
        left += more;
    }
    g_assert_false (rf_test_tree_exists (rig.tree, "sessions"));
    /* the mark comes through the socket, as from another program */
    g_assert_true (rf_active_send_mark (rig.runtime, g_get_monotonic_time () * 1000, "now", &error));
    g_assert_no_error (error);
    wait_marks (&rig, 1);
    g_assert_cmpint (rf_recorder_get_state (rig.recorder), ==, RF_RECORDER_RECORDING);
    say_seconds (rig.samples, 301, 311);
    say (rig.samples, "# end stopped\n");
    wait_file (&rig, "samples.csv", "\n310000000000,");
    close_both (&rig);
    wait_idle (&rig);
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (&rig, &state);
    g_assert_null (rf_recording_state_text (state));
    const RfTable *samples = rf_recording_table (recording, "samples");
    gint64 first = rf_table_times (samples)[0];
    g_assert_cmpint (rf_table_times (samples)[rf_table_n_rows (samples) - 1], ==, 310 * SECOND);
    g_assert_cmpuint (rf_table_n_rows (samples), ==, 310 - first / SECOND + 1);
    g_assert_cmpint (first, >=, 180 * SECOND);
    guint marks = 0;
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        g_assert_cmpstr (event->process, !=, "old");
        marks += event->kind == RF_EVENT_MARK;
    }
    g_assert_cmpuint (marks, ==, 1);
    rig_clear (&rig);
}

/* stopped before anything was worth it: nothing is left */
static void
test_pre_roll_dropped (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {.pre_roll = TRUE}, &error));
    g_assert_null (stop (&rig, &error));
    g_assert_no_error (error);
    g_assert_false (rf_test_tree_exists (rig.tree, "sessions"));
    rig_clear (&rig);
}

static void
test_busy (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "sessions");
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_assert_false (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    RfRecorder *first = rig.recorder;
    rig.recorder = rf_recorder_new (rig.recordings, rf_test_tree_sysroot (rig.tree), rig.runtime);
    g_assert_false (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    g_assert_finalize_object (rig.recorder);
    rig.recorder = first;
    g_autofree char *id = stop (&rig, &error);
    g_assert_no_error (error);
    /* and it can be done again */
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_autofree char *next = stop (&rig, &error);
    g_assert_cmpstr (id, !=, next);
    rig_clear (&rig);
}

static void
test_unwritable (void)
{
    Rig rig;
    g_autoptr (GError) error = NULL;
    rig_make (&rig, "proc/vmstat/sessions");
    g_assert_false (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_assert_true (error != NULL && error->domain == RF_ERROR);
    g_assert_nonnull (strstr (error->message, "sessions"));
    g_assert_cmpint (rf_recorder_get_state (rig.recorder), ==, RF_RECORDER_IDLE);
    rig_clear (&rig);
}

/* the end of the helper without a word, and a stream that is none */
static void
test_helper_gone (void)
{
    static const struct {
        const char *samples;
        const char *reason;
        guint rows;
    } cases[] = {{HEADER "1,0,1\n2,0.1,", "helper-gone", 1}, {"", "helper-gone", 0}, {NULL, "damaged", 0}};
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        Rig rig;
        g_autoptr (GError) error = NULL;
        rig_make (&rig, "sessions");
        g_assert_true (start_streams (&rig, &(RfRecorderOptions) {0}, &error));
        if (cases[i].samples != NULL)
            say (rig.samples, cases[i].samples);
        else {
            (void)signal (SIGPIPE, SIG_IGN);
            g_autofree char *endless = g_strnfill (300 * 1024, 'x');
            (void)rf_fd_write_all (rig.samples, endless, 300 * 1024, NULL);
        }
        close_both (&rig);
        wait_idle (&rig);
        g_assert_cmpstr (rig.ended, ==, cases[i].reason);
        g_autoptr (RfRecordingState) state = NULL;
        g_autoptr (RfRecording) recording = load (&rig, &state);
        const RfTable *samples = rf_recording_table (recording, "samples");
        g_assert_cmpuint (samples != NULL ? rf_table_n_rows (samples) : 0, ==, cases[i].rows);
        rig_clear (&rig);
    }
}

/* the disk is full: what was written is whole, and the recording says why it ended */
static void
test_full (void)
{
    if (g_test_subprocess ()) {
        Rig rig;
        g_autoptr (GError) error = NULL;
        struct rlimit limit = {.rlim_cur = 20000, .rlim_max = 20000};
        rig_make (&rig, "sessions");
        g_assert_true (start_streams (&rig, &(RfRecorderOptions) {0}, &error));
        (void)signal (SIGXFSZ, SIG_IGN);
        g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
        say_seconds (rig.samples, 1, 2000);
        wait_idle (&rig);
        g_assert_cmpstr (rig.ended, ==, "disk-full");
        g_assert_error ((GError *)rf_recorder_get_failure (rig.recorder), RF_ERROR, RF_ERROR_LIMIT);
        g_assert_null (stop (&rig, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_LIMIT);
        g_autoptr (RfRecordingState) state = NULL;
        g_autoptr (RfRecording) recording = load (&rig, &state);
        g_assert_true (state->ended && !state->torn);
        g_autofree char *text = file_text (&rig, "samples.csv");
        g_assert_cmpint (text[strlen (text) - 1], ==, '\n');
        g_assert_cmpuint (strlen (text), >, 19950);
        g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), >, 500);
        rig_clear (&rig);
        return;
    }
    g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
    g_test_trap_assert_passed ();
}

/* ended by force in the middle: what had reached the file is there, and the folder is not thought to be running */
static void
test_killed (void)
{
    Rig rig;
    rig_make (&rig, "sessions");
    int samples[2], events[2], told[2];
    g_assert_cmpint (pipe (samples), ==, 0);
    g_assert_cmpint (pipe (events), ==, 0);
    g_assert_cmpint (pipe (told), ==, 0);
    pid_t child = fork ();
    g_assert_cmpint (child, >=, 0);
    if (child == 0) {
        g_autoptr (GAsyncResult) result = NULL;
        close (samples[1]);
        close (events[1]);
        rf_recorder_start_streams_async (rig.recorder, &(RfRecorderOptions) {0}, samples[0], events[0], result_cb, &result);
        while (rf_recorder_get_id (rig.recorder) == NULL)
            g_main_context_iteration (NULL, TRUE);
        say (told[1], rf_recorder_get_id (rig.recorder));
        while (TRUE)
            g_main_context_iteration (NULL, TRUE);
    }
    close (samples[0]);
    close (events[0]);
    char id[64] = "";
    g_assert_cmpint ((int)read (told[0], id, sizeof id - 1), >, 0);
    g_autofree char *file = g_strconcat ("sessions/", id, "/samples.csv", NULL);
    say_seconds (samples[1], 1, 100);
    for (gboolean there = FALSE; !there; g_usleep (10000)) {
        g_autofree char *text = rf_test_tree_get (rig.tree, file);
        there = text != NULL && strstr (text, "\n99000000000,") != NULL;
    }
    g_assert_true (rf_active_send_mark (rig.runtime, 1, "x", NULL));
    g_assert_cmpint (kill (child, SIGKILL), ==, 0);
    g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
    g_autofree char *path = rf_recordings_path (rig.recordings, id);
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = rf_recording_load (path, &state, NULL);
    g_assert_nonnull (recording);
    g_assert_false (state->ended);
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), ==, 99);
    g_autoptr (GPtrArray) list = rf_recordings_list (rig.recordings, NULL);
    g_assert_false (((const RfRecordingSummary *)list->pdata[0])->running);
    g_assert_cmpint (((const RfRecordingSummary *)list->pdata[0])->duration_us, ==, 98 * G_USEC_PER_SEC);
    /* the next one is not kept from beginning, and nobody is told that his mark was taken */
    g_autoptr (GError) error = NULL;
    g_assert_false (rf_active_send_mark (rig.runtime, 1, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
    g_clear_error (&error);
    g_assert_true (start_alone (&rig, &(RfRecorderOptions) {0}, &error));
    g_autofree char *next = stop (&rig, &error);
    g_assert_no_error (error);
    close (samples[1]);
    close (events[1]);
    close (told[0]);
    close (told[1]);
    rig_clear (&rig);
}

/* what lies where the running recording is found */
static void
test_active (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_mkdir (tree, "run");
    rf_test_tree_mkdir (tree, "other");
    g_autofree char *runtime = rf_test_tree_path (tree, "run");
    g_autofree char *folder = rf_test_tree_path (tree, "run/ruckelfrei");
    g_assert_false (rf_active_send_mark (runtime, 1, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
    g_clear_error (&error);

    rf_test_tree_symlink (tree, "run/ruckelfrei", "../other");
    g_assert_null (rf_active_claim (runtime, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    g_clear_error (&error);
    g_assert_false (rf_active_send_mark (runtime, 1, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    g_clear_error (&error);
    rf_test_tree_remove (tree, "run/ruckelfrei");

    rf_test_tree_mkdir (tree, "run/ruckelfrei");
    g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
    g_assert_null (rf_active_claim (runtime, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    g_clear_error (&error);
    g_assert_cmpint (g_chmod (folder, 0700), ==, 0);

    rf_test_tree_symlink (tree, "run/ruckelfrei/recording.lock", "../../other/made");
    g_assert_null (rf_active_claim (runtime, &error));
    g_clear_error (&error);
    g_assert_false (rf_test_tree_exists (tree, "other/made"));
    rf_test_tree_remove (tree, "run/ruckelfrei/recording.lock");
    rf_test_tree_set (tree, "run/ruckelfrei/recording", "a file");
    g_assert_false (rf_active_send_mark (runtime, 1, "x", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    g_clear_error (&error);

    g_autoptr (RfActive) active = rf_active_claim (runtime, &error);
    g_assert_no_error (error);
    gint64 now = g_get_monotonic_time () * 1000, said = 0;
    g_assert_null (rf_active_receive (active, &said));
    g_assert_true (rf_active_send_mark (runtime, now, "a\nb", &error));
    g_assert_true (rf_active_send_mark (runtime, G_MAXINT64, "", &error));
    g_assert_no_error (error);
    g_autofree char *first = rf_active_receive (active, &said);
    g_assert_cmpstr (first, ==, "a b");
    g_assert_cmpint (said, ==, now);
    g_autofree char *second = rf_active_receive (active, &said);
    g_assert_cmpstr (second, ==, "");
    g_assert_cmpint (said, <=, g_get_monotonic_time () * 1000);
    g_assert_cmpint (said, >=, now);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/recorder/streams", test_streams);
    g_test_add_func ("/app/recorder/private", test_private);
    g_test_add_func ("/app/recorder/alone", test_alone);
    g_test_add_func ("/app/recorder/many-disks", test_many_disks);
    g_test_add_func ("/app/recorder/pre-roll", test_pre_roll);
    g_test_add_func ("/app/recorder/pre-roll-dropped", test_pre_roll_dropped);
    g_test_add_func ("/app/recorder/busy", test_busy);
    g_test_add_func ("/app/recorder/unwritable", test_unwritable);
    g_test_add_func ("/app/recorder/helper-gone", test_helper_gone);
    g_test_add_func ("/app/recorder/full", test_full);
    g_test_add_func ("/app/recorder/killed", test_killed);
    g_test_add_func ("/app/recorder/active", test_active);
    return g_test_run ();
}
