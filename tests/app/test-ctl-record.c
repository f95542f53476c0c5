/* Recording in the terminal, as a person or a script does it: processes, signals, exit codes. */
#define G_LOG_DOMAIN "test-ctl-record"
#include "config.h"

#include "rf-recordings.h"
#include "rf-test-ctl.h"
#include "rf-test-tree.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define TOO_LONG_S 100
#define BOTH (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE)

static RfTestTree *home; /* of the user; emptied for each test */

static void
set_up (void)
{
    rf_test_tree_remove (home, "data");
    rf_test_tree_remove (home, "run");
    rf_test_tree_mkdir (home, "data");
    rf_test_tree_mkdir (home, "run");
    g_autofree char *run = rf_test_tree_path (home, "run");
    g_assert_cmpint (g_chmod (run, 0700), ==, 0);
    alarm (TOO_LONG_S);
}

static GPtrArray *
list (void)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = rf_test_tree_path (home, "data/ruckelfrei/sessions");
    g_autoptr (RfRecordings) recordings = rf_recordings_new (folder);
    GPtrArray *all = rf_recordings_list (recordings, &error);
    g_assert_no_error (error);
    return all;
}

static const RfRecordingSummary *
only (GPtrArray *all)
{
    g_assert_cmpuint (all->len, ==, 1);
    return all->pdata[0];
}

/* Until a recording is being written; the alarm ends what would never come. */
static void
wait_running (void)
{
    for (gboolean there = FALSE; !there; g_usleep (10000)) {
        g_autoptr (GPtrArray) all = list ();
        there = all->len > 0 && ((const RfRecordingSummary *)all->pdata[0])->running
                && ((const RfRecordingSummary *)all->pdata[0])->size_bytes > 3000;
    }
}

static RfTestRun *
run (const char *const *args)
{
    return rf_test_ctl_run (NULL, "laptop-8g", args);
}

static void
test_command (void)
{
    set_up ();
    g_autoptr (RfTestRun) ran = run ((const char *const[]) {"record", "--name", "Evening", "--", "sh", "-c",
                                                            "echo --json; exit 7", NULL});
    g_assert_cmpint (ran->code, ==, 7);
    g_assert_cmpstr (ran->out, ==, "--json\n");
    g_assert_nonnull (strstr (ran->err, "Recorded "));
    g_assert_nonnull (strstr (ran->err, "60 minutes"));
    g_autoptr (GPtrArray) all = list ();
    const RfRecordingSummary *summary = only (all);
    g_assert_cmpstr (summary->info->name, ==, "Evening");
    g_assert_cmpstr (summary->info->workload, ==, "sh");
    g_assert_cmpstr (summary->info->end_reason, ==, "stopped");
    g_assert_cmpstr (summary->info->source, ==, "window");

    g_autoptr (RfTestRun) killed
        = run ((const char *const[]) {"--json", "record", "--", "sh", "-c", "kill -TERM $$", NULL});
    g_assert_cmpint (killed->code, ==, 128 + SIGTERM);
    g_assert_nonnull (strstr (killed->out, "\"command_status\": 143"));
    g_autoptr (RfTestRun) missing = run ((const char *const[]) {"record", "--", "/nonexistent/program", NULL});
    g_assert_cmpint (missing->code, ==, 127);
    g_assert_nonnull (strstr (missing->err, "/nonexistent/program"));
}

static void
test_time (void)
{
    set_up ();
    g_autoptr (RfTestRun) ran = run ((const char *const[]) {"record", "--for=1", NULL});
    g_assert_cmpint (ran->code, ==, 0);
    g_assert_cmpstr (ran->out, ==, "");
    g_autoptr (GPtrArray) all = list ();
    g_assert_cmpstr (only (all)->info->end_reason, ==, "stopped");
}

static void
test_interrupt (void)
{
    static const int how[] = {SIGINT, SIGTERM, SIGHUP};
    for (gsize i = 0; i < G_N_ELEMENTS (how); i++) {
        set_up ();
        static const char *const args[] = {"record", NULL};
        g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
        g_autoptr (GSubprocess) process = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args, BOTH);
        wait_running ();
        /* another one while it runs */
        g_autoptr (RfTestRun) second = run (args);
        g_assert_cmpint (second->code, ==, 4);
        g_assert_nonnull (strstr (second->err, "being made"));
        g_autoptr (RfTestRun) marked = run ((const char *const[]) {"mark", "It", "stuttered", NULL});
        g_assert_cmpint (marked->code, ==, 0);
        g_autoptr (RfTestRun) deleted = run ((const char *const[]) {"recordings", "delete", "last", "--yes", NULL});
        g_assert_cmpint (deleted->code, ==, 4);
        g_subprocess_send_signal (process, how[i]);
        g_autoptr (RfTestRun) ran = rf_test_ctl_finish (process, args);
        g_assert_cmpint (ran->code, ==, 0);
        g_assert_nonnull (strstr (ran->err, "Marked: It stuttered"));
        g_autoptr (GPtrArray) all = list ();
        g_assert_cmpstr (only (all)->info->end_reason, ==, "stopped");
        g_assert_cmpuint (only (all)->info->marks->len, ==, 1);
    }
}

/* nobody reads what is said (record … 2>&1 | head): the recording goes on and ends as it would have, and the command's code
 * is told */
static void
test_unheard (void)
{
    set_up ();
    static const char *const args[] = {"record", "--", "sh", "-c", "while [ ! -e \"$XDG_DATA_HOME/go\" ]; do sleep 0.02; done; exit 6",
                                       NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (GSubprocess) process = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args, G_SUBPROCESS_FLAGS_STDERR_PIPE);
    wait_running ();
    g_assert_true (g_input_stream_close (g_subprocess_get_stderr_pipe (process), NULL, NULL));
    g_autoptr (RfTestRun) marked = run ((const char *const[]) {"mark", "unheard", NULL});
    g_assert_cmpint (marked->code, ==, 0);
    rf_test_tree_set (home, "data/go", "");
    g_assert_true (g_subprocess_wait (process, NULL, NULL));
    g_assert_true (g_subprocess_get_if_exited (process));
    g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 6);
    g_autoptr (GPtrArray) all = list ();
    g_assert_cmpstr (only (all)->info->end_reason, ==, "stopped");
    g_assert_cmpuint (only (all)->info->marks->len, ==, 1);

    /* what the command inherits is as it was */
    g_autoptr (RfTestRun) inherited = run ((const char *const[]) {"record", "--", "sh", "-c", "kill -PIPE $$", NULL});
    g_assert_cmpint (inherited->code, ==, 128 + SIGPIPE);
}

static void
test_pre_roll (void)
{
    set_up ();
    static const char *const args[] = {"record", "--pre-roll", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (GSubprocess) process = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args, BOTH);
    for (gboolean marked = FALSE; !marked;) {
        g_autoptr (RfTestRun) ran = run ((const char *const[]) {"mark", NULL});
        marked = ran->code == 0;
        if (!marked)
            g_assert_nonnull (strstr (ran->err, "No recording is being made."));
    }
    wait_running ();
    g_subprocess_send_signal (process, SIGINT);
    g_autoptr (RfTestRun) ran = rf_test_ctl_finish (process, args);
    g_assert_cmpint (ran->code, ==, 0);
    g_autoptr (GPtrArray) all = list ();
    g_assert_cmpuint (only (all)->info->marks->len, ==, 1);

    /* and what nobody wanted leaves nothing */
    set_up ();
    g_autoptr (RfTestRun) unwanted = run ((const char *const[]) {"record", "--pre-roll", "--for=1s", NULL});
    g_assert_cmpint (unwanted->code, ==, 0);
    g_assert_nonnull (strstr (unwanted->err, "Nothing was recorded."));
    g_assert_false (rf_test_tree_exists (home, "data/ruckelfrei/sessions"));
}

/* ended by force: it loads, it is said that it was cut off, and what it had at the last second is there */
static void
test_killed (void)
{
    set_up ();
    static const char *const args[] = {"record", NULL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (GSubprocess) process
        = rf_test_ctl_start (NULL, rf_test_tree_root (tree), args, G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    wait_running ();
    g_subprocess_force_exit (process);
    gint64 killed_ns = g_get_monotonic_time () * 1000;
    g_subprocess_wait (process, NULL, NULL);
    g_autoptr (GPtrArray) all = list ();
    g_autofree char *path = g_build_filename (rf_test_tree_root (home), "data/ruckelfrei/sessions", only (all)->id, NULL);
    g_assert_false (only (all)->running);
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = rf_recording_load (path, &state, NULL);
    g_assert_nonnull (recording);
    g_assert_false (state->ended);
    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), >, 0);
    gint64 last_ns = rf_table_times (samples)[rf_table_n_rows (samples) - 1];
    /* for who reads the log: a busy machine may make it more */
    g_test_message ("lost: %.3f s", (double)(killed_ns - last_ns) / 1e9);
    g_autoptr (RfTestRun) shown = run ((const char *const[]) {"recordings", "show", "last", NULL});
    g_assert_cmpint (shown->code, ==, 0);
    g_assert_nonnull (strstr (shown->out, "cut off"));
}

static void
test_recordings (void)
{
    set_up ();
    g_autoptr (RfTestRun) none = run ((const char *const[]) {"recordings", NULL});
    g_assert_cmpint (none->code, ==, 0);
    g_assert_nonnull (strstr (none->out, "no recording yet"));
    g_autoptr (RfTestRun) ran = run ((const char *const[]) {"record", "--name", "One", "--", "true", NULL});
    g_assert_cmpint (ran->code, ==, 0);
    g_autoptr (RfTestRun) renamed = run ((const char *const[]) {"recordings", "rename", "One", "Two", NULL});
    g_assert_cmpint (renamed->code, ==, 0);
    g_autofree char *file = rf_test_tree_path (home, "two.tar.gz");
    g_autoptr (RfTestRun) exported = run ((const char *const[]) {"recordings", "export", "Two", file, NULL});
    g_assert_cmpint (exported->code, ==, 0);
    g_autoptr (RfTestRun) deleted = run ((const char *const[]) {"recordings", "delete", "--yes", "Two", NULL});
    g_assert_cmpint (deleted->code, ==, 0);
    g_autoptr (RfTestRun) imported = run ((const char *const[]) {"--json", "recordings", "import", file, NULL});
    g_assert_cmpint (imported->code, ==, 0);
    g_autoptr (GPtrArray) all = list ();
    g_assert_cmpstr (only (all)->info->name, ==, "Two");
    g_assert_nonnull (strstr (imported->out, only (all)->id));
    g_autoptr (RfTestRun) json = run ((const char *const[]) {"--json", "recordings", "list", NULL});
    g_assert_nonnull (strstr (json->out, "\"name\": \"Two\""));
    g_assert_nonnull (strstr (json->out, "\"end_reason\": \"stopped\""));
    g_autoptr (RfTestRun) shown = run ((const char *const[]) {"recordings", "show", "Two", NULL});
    g_assert_nonnull (strstr (shown->out, "samples.csv"));
    g_assert_nonnull (strstr (shown->out, "without the helper"));
    /* with itself it is not compared, under whatever name */
    g_autoptr (RfTestRun) itself = run ((const char *const[]) {"--json", "compare", "Two", only (all)->id, NULL});
    g_assert_cmpint (itself->code, ==, 0);
    g_assert_nonnull (strstr (itself->out, "\"reason\": \"same-recording\""));
    /* settings of another day: this machine has the same */
    g_autoptr (RfTestRun) like
        = run ((const char *const[]) {"record", "--compare-with", "Two", "--for=1", NULL});
    g_assert_cmpint (like->code, ==, 0);
    g_assert_null (strstr (like->err, "Settings differ"));
}

static void
test_wrong (void)
{
    set_up ();
    static const struct {
        const char *args[6];
        int code;
    } cases[] = {
        {{"record", "--for", "0"}, 2},        {{"record", "--for", "5x"}, 2},       {{"record", "--for", "25h"}, 2},
        {{"record", "--for", ""}, 2},         {{"record", "--hz", "51"}, 2},        {{"record", "--hz=-1"}, 2},
        {{"record", "--compare-with=x"}, 2},  {{"recordings", "burn"}, 2},          {{"recordings", "show"}, 2},
        {{"recordings", "show", "x"}, 2},     {{"recordings", "show", "x", "y"}, 2}, {{"recordings", "rename", "x"}, 2},
        {{"recordings", "delete", "../.."}, 2}, {{"mark", "x"}, 1},                 {{"recordings", "import", "/nonexistent"}, 1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestRun) ran = run (cases[i].args);
        g_test_message ("%s: %d, %s", ran->command, ran->code, ran->err);
        g_assert_cmpint (ran->code, ==, cases[i].code);
        g_assert_true (g_str_has_prefix (ran->err, "ruckelfreictl: "));
        g_assert_cmpstr (ran->out, ==, "");
    }
    /* whoever compares hears of recordings, not of settings and the helper */
    g_autoptr (RfTestRun) compared = run ((const char *const[]) {"compare", "x", "y", NULL});
    g_assert_cmpint (compared->code, ==, 2);
    g_assert_nonnull (strstr (compared->err, "There is no such recording"));
    /* the folder of the recordings is a file */
    rf_test_tree_set (home, "data/ruckelfrei/sessions", "mine");
    g_autoptr (RfTestRun) blocked = run ((const char *const[]) {"record", "--for=1", NULL});
    g_assert_cmpint (blocked->code, ==, 1);
    g_autofree char *kept = rf_test_tree_get (home, "data/ruckelfrei/sessions");
    g_assert_cmpstr (kept, ==, "mine");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    home = rf_test_tree_new (NULL);
    g_autofree char *data = rf_test_tree_path (home, "data");
    g_autofree char *runtime = rf_test_tree_path (home, "run");
    g_setenv ("XDG_DATA_HOME", data, TRUE);
    g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
    g_test_add_func ("/app/ctl-record/command", test_command);
    g_test_add_func ("/app/ctl-record/time", test_time);
    g_test_add_func ("/app/ctl-record/interrupt", test_interrupt);
    g_test_add_func ("/app/ctl-record/unheard", test_unheard);
    g_test_add_func ("/app/ctl-record/pre-roll", test_pre_roll);
    g_test_add_func ("/app/ctl-record/killed", test_killed);
    g_test_add_func ("/app/ctl-record/recordings", test_recordings);
    g_test_add_func ("/app/ctl-record/wrong", test_wrong);
    int result = g_test_run ();
    rf_test_tree_free (home);
    return result;
}
