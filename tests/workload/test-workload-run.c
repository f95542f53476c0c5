/* The load as whoever starts it meets it: a process with options, lines and an exit code. The sizes are tiny, the machine
 * that it asks about is made up; how long something takes is never judged. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gio/gio.h>

#include "rf-test-tree.h"
#include "rf-work-result.h"

#define PLAN                                                                                                           \
    "base=0,working=4,idle=4,ballast=0,set=4,kept=2,loaders=2,tiles=4,pool=8,cache=4,image=8,rate=10,surge=5,"         \
    "period-ms=200,hz=60,frame-kib=64,seed=42"

/* a made-up machine, and a folder for the files */
typedef struct {
    RfTestTree *tree;
    char *sysroot;
    char *folder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
    f->tree = rf_test_tree_new ("desktop-94g");
    f->sysroot = g_strconcat ("--sysroot=", rf_test_tree_root (f->tree), NULL);
    rf_test_tree_mkdir (f->tree, "files");
    f->folder = rf_test_tree_path (f->tree, "files");
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    rf_test_tree_free (f->tree);
    g_free (f->sysroot);
    g_free (f->folder);
}

static char **
arguments (Fixture *f, const char *const *more)
{
    GStrvBuilder *builder = g_strv_builder_new ();
    g_strv_builder_add_many (builder, RF_TEST_WORKLOAD, f->sysroot, "--any-folder", "--quiet", "--plan", PLAN, "--folder",
                             f->folder, NULL);
    g_strv_builder_addv (builder, (const char **)more);
    char **argv = g_strv_builder_end (builder);
    g_strv_builder_unref (builder);
    return argv;
}

static GSubprocess *
start (Fixture *f, const char *const *more, GSubprocessFlags flags)
{
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) argv = arguments (f, more);
    g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (flags);
    g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv (launcher, "G_SLICE", "always-malloc", TRUE);
    GSubprocess *process = g_subprocess_launcher_spawnv (launcher, (const char *const *)argv, &error);
    g_assert_no_error (error);
    return process;
}

/* Reads until @word stands there, at the most until the end. */
static void
wait_for (GSubprocess *process, const char *word, GString *seen)
{
    GInputStream *pipe = g_subprocess_get_stdout_pipe (process);
    char buffer[512];
    gssize n;
    while (strstr (seen->str, word) == NULL && (n = g_input_stream_read (pipe, buffer, sizeof buffer, NULL, NULL)) > 0)
        g_string_append_len (seen, buffer, n);
    g_assert_nonnull (strstr (seen->str, word));
}

static RfWorkResult *
finish (GSubprocess *process, GString *seen, int code)
{
    g_autoptr (GError) error = NULL;
    GInputStream *pipe = g_subprocess_get_stdout_pipe (process);
    char buffer[512];
    gssize n;
    while ((n = g_input_stream_read (pipe, buffer, sizeof buffer, NULL, NULL)) > 0)
        g_string_append_len (seen, buffer, n);
    g_subprocess_wait (process, NULL, &error);
    g_assert_no_error (error);
    g_test_message ("%s", seen->str);
    g_assert_true (g_subprocess_get_if_exited (process));
    g_assert_cmpint (g_subprocess_get_exit_status (process), ==, code);
    RfWorkResult *result = rf_work_result_parse (seen->str, seen->len, &error);
    g_assert_no_error (error);
    g_assert_true (rf_work_result_is_complete (result));
    return result;
}

static RfWorkResult *
run (Fixture *f, const char *const *more, int code)
{
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, more, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    return finish (process, seen, code);
}

static void
assert_nothing_left (Fixture *f)
{
    g_autofree char *left = rf_test_tree_dump (f->tree, "files");
    g_test_message ("left: %s", left);
    g_autoptr (GDir) folder = g_dir_open (f->folder, 0, NULL);
    g_assert_nonnull (folder);
    g_assert_null (g_dir_read_name (folder));
}

/* The table: a header, times that only grow, causes that are known; Returns: how many frames took longer than @over */
static guint
count_frames (const char *path, double over, guint *n)
{
    g_autofree char *text = NULL;
    gint64 last = 0;
    guint slow = 0;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    *n = 0;
    g_assert_cmpstr (lines[0], ==, "time_ns,frame_ms,cause");
    for (char **line = lines + 1; **line != '\0'; line++) {
        g_auto (GStrv) fields = g_strsplit (*line, ",", -1);
        g_assert_cmpuint (g_strv_length (fields), ==, 3);
        gint64 time = g_ascii_strtoll (fields[0], NULL, 10);
        double ms = g_ascii_strtod (fields[1], NULL);
        g_assert_cmpint (time, >, last);
        g_assert_cmpfloat (ms, >, 0);
        /* three decimals may round a frame of exactly 16.7 ms either way */
        if (fabs (ms - 16.7) > 0.001)
            g_assert_cmpint (ms > 16.7, ==, !g_str_equal (fields[2], "none"));
        last = time;
        slow += ms > over;
        ++*n;
    }
    return slow;
}

static void
test_whole (Fixture *f, gconstpointer data)
{
    g_autofree char *frames = rf_test_tree_path (f->tree, "frames.csv");
    const char *const args[] = {"--seconds=3", "--frames", frames, NULL};
    g_autoptr (RfWorkResult) result = run (f, args, 0);
    guint n;
    guint slow = count_frames (frames, 100, &n);
    g_assert_true (rf_work_result_is_whole (result));
    g_assert_cmpstr (rf_work_result_get (result, "plan"), ==, PLAN);
    g_assert_cmpfloat (rf_work_result_number (result, "frames"), ==, n);
    g_assert_cmpuint (n, >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "frames") + rf_work_result_number (result, "frames_skipped"), <=,
                       3 * 60 + 2 + rf_work_result_number (result, "measured_s") * 60);
    g_assert_cmpfloat (rf_work_result_number (result, "frames_over_100_ms"), ==, slow);
    g_assert_cmpfloat (rf_work_result_number (result, "frame_p50_ms"), >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "frame_p50_ms"), <=,
                       rf_work_result_number (result, "frame_max_ms"));
    g_assert_cmpfloat (rf_work_result_number (result, "bursts"), >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "burst_max_s"), >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "writer_mib_per_s"), >, 0);
    g_assert_cmpfloat (rf_work_result_number (result, "idle_round_max_ms"), >, 0);
    assert_nothing_left (f);
}

/* Both the words and the numbers of a run in German. */
static void
test_locale (Fixture *f, gconstpointer data)
{
    g_autofree char *frames = rf_test_tree_path (f->tree, "frames.csv");
    guint n;
    g_setenv ("LC_NUMERIC", "de_DE.UTF-8", TRUE);
    const char *const args[] = {"--seconds=1", "--frames", frames, NULL};
    g_autoptr (RfWorkResult) result = run (f, args, 0);
    g_unsetenv ("LC_NUMERIC");
    (void)count_frames (frames, 100, &n);
    g_assert_cmpfloat (rf_work_result_number (result, "frame_p50_ms"), >, 0);
}

static void
test_signal (Fixture *f, gconstpointer data)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP};
    const char *const args[] = {"--seconds=600", NULL};
    for (guint i = 0; i < G_N_ELEMENTS (signals); i++) {
        g_autoptr (GString) seen = g_string_new (NULL);
        g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
        wait_for (process, i == 0 ? "progress=prepare" : "progress=warm-up", seen);
        g_subprocess_send_signal (process, signals[i]);
        g_autoptr (RfWorkResult) result = finish (process, seen, 4);
        g_assert_cmpstr (rf_work_result_get (result, "ended"), ==, "signal");
        g_assert_false (rf_work_result_is_whole (result));
        assert_nothing_left (f);
    }
}

static void
test_twice (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    wait_for (process, "progress=prepare", seen);
    g_autoptr (RfWorkResult) second = run (f, args, 3);
    g_assert_cmpstr (rf_work_result_get (second, "refused"), ==, "running");
    g_subprocess_send_signal (process, SIGTERM);
    g_autoptr (RfWorkResult) first = finish (process, seen, 4);
}

static void
test_killed (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    wait_for (process, "progress=warm-up", seen);
    g_subprocess_force_exit (process);
    g_subprocess_wait (process, NULL, NULL);
    assert_nothing_left (f);
}

/* What is dangerous shows in the files of the kernel; here they change while it runs. */
static void
test_danger (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    wait_for (process, "progress=warm-up", seen);
    rf_test_tree_set (f->tree, "proc/meminfo", "MemTotal: 98618412 kB\nMemAvailable: 500000 kB\n");
    g_autoptr (RfWorkResult) result = finish (process, seen, 4);
    g_assert_cmpstr (rf_work_result_get (result, "ended"), ==, "memory");
    assert_nothing_left (f);
}

static void
test_unplugged (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    wait_for (process, "progress=warm-up", seen);
    rf_test_tree_apply (f->tree, "= sys/class/power_supply/BAT0/type Battery\n"
                                 "= sys/class/power_supply/BAT0/status Discharging\n");
    g_autoptr (RfWorkResult) result = finish (process, seen, 4);
    g_assert_cmpstr (rf_work_result_get (result, "ended"), ==, "battery");
}

static void
test_stdin (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", "--end-with-stdin", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDIN_PIPE);
    wait_for (process, "progress=warm-up", seen);
    g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
    g_autoptr (RfWorkResult) result = finish (process, seen, 4);
    g_assert_cmpstr (rf_work_result_get (result, "ended"), ==, "stdin");
}

/* Somebody between us and the load, who dies. The load becomes our child then, so that its end can be waited for. */
static void
test_parent (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_auto (GStrv) argv = arguments (f, args);
    int out[2], status = 0;
    g_autoptr (GString) seen = g_string_new (NULL);
    g_assert_cmpint (prctl (PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL), ==, 0);
    g_assert_cmpint (pipe (out), ==, 0);
    pid_t between = fork ();
    if (between == 0) {
        pid_t load = fork ();
        if (load == 0) {
            dup2 (out[1], STDOUT_FILENO);
            close (out[0]);
            execv (argv[0], argv);
            _exit (127);
        }
        pause ();
        _exit (0);
    }
    close (out[1]);
    char buffer[512];
    gssize n;
    gboolean killed = FALSE;
    while ((n = read (out[0], buffer, sizeof buffer)) > 0) {
        g_string_append_len (seen, buffer, n);
        if (!killed && strstr (seen->str, "progress=warm-up") != NULL) {
            kill (between, SIGKILL);
            killed = TRUE;
        }
    }
    close (out[0]);
    g_assert_true (killed);
    g_assert_cmpint (waitpid (between, &status, 0), ==, between);
    pid_t load = waitpid (-1, &status, 0);
    g_assert_cmpint (load, >, 0);
    g_assert_true (WIFEXITED (status));
    g_assert_cmpint (WEXITSTATUS (status), ==, 4);
    prctl (PR_SET_CHILD_SUBREAPER, 0UL, 0UL, 0UL, 0UL);
    g_assert_nonnull (strstr (seen->str, "ended=parent\nend=complete\n"));
    assert_nothing_left (f);
}

/* The reader of its lines goes away. */
static void
test_nobody_listens (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    wait_for (process, "progress=warm-up", seen);
    g_input_stream_close (g_subprocess_get_stdout_pipe (process), NULL, NULL);
    g_subprocess_wait (process, NULL, NULL);
    g_assert_true (g_subprocess_get_if_exited (process));
    g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 4);
}

static void
test_first_victim (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--seconds=600", NULL};
    g_autoptr (GString) seen = g_string_new (NULL);
    g_autofree char *text = NULL;
    g_autoptr (GSubprocess) process = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_PIPE);
    wait_for (process, "progress=warm-up", seen);
    g_autofree char *path = g_strdup_printf ("/proc/%s/oom_score_adj", g_subprocess_get_identifier (process));
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_assert_cmpstr (text, ==, "1000\n");
    g_subprocess_send_signal (process, SIGTERM);
    g_autoptr (RfWorkResult) result = finish (process, seen, 4);
}

static void
test_refuses (Fixture *f, gconstpointer data)
{
    static const struct {
        const char *tree;
        const char *refusal;
    } rows[] = {
        {"= proc/meminfo MemAvailable: 2000000 kB\n", "memory"},
        {"= proc/meminfo MemTotal: 2000000 kB\n", "unknown"},
        {"=- proc/meminfo\n", "unknown"},
        {"= sys/class/power_supply/BAT0/type Battery\n= sys/class/power_supply/BAT0/status Discharging\n", "battery"},
        {"= proc/self/cgroup 0::/\n= sys/fs/cgroup/memory.max 10000000\n", "container"},
        {"= proc/pressure/memory full avg10=30.00 avg60=0.00 avg300=0.00 total=0\n", "pressure"},
    };
    const char *const args[] = {"--seconds=600", NULL};
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        tear_down (f, NULL);
        set_up (f, NULL);
        rf_test_tree_apply (f->tree, rows[i].tree);
        g_autoptr (RfWorkResult) result = run (f, args, 3);
        g_assert_cmpstr (rf_work_result_get (result, "refused"), ==, rows[i].refusal);
        assert_nothing_left (f);
    }
}

static void
test_on_battery (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--plan-only", "--on-battery", NULL};
    rf_test_tree_apply (f->tree, "= sys/class/power_supply/BAT0/type Battery\n"
                                 "= sys/class/power_supply/BAT0/status Discharging\n");
    g_autoptr (RfWorkResult) result = run (f, args, 0);
    g_assert_cmpstr (rf_work_result_get (result, "plan"), ==, PLAN);
    g_assert_null (rf_work_result_get (result, "ended"));
}

static void
test_usage (Fixture *f, gconstpointer data)
{
    static const char *const rows[][3] = {
        {"--seconds=0"},       {"--seconds=3601"},          {"--seconds=x"},       {"--share=19"}, {"--share=81"},
        {"--period-us=10"},    {"--plan=hz=60"},            {"--plan="},           {"--fifo"},     {"--series=x"},
        {"--latency", "--frames=x"}, {"--latency", "--period-us=250", "--seconds=600"}, {"word"}, {"--nonsense"},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        const char *const args[] = {rows[i][0], rows[i][1], rows[i][1] != NULL ? rows[i][2] : NULL, NULL};
        g_autoptr (GSubprocess) process
            = start (f, args, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
        g_test_message ("%s", rows[i][0]);
        g_subprocess_wait (process, NULL, NULL);
        g_assert_true (g_subprocess_get_if_exited (process));
        g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
    }
}

/* A table that is there already may be somebody's recording. */
static void
test_overwrites_nothing (Fixture *f, gconstpointer data)
{
    g_autofree char *frames = rf_test_tree_path (f->tree, "frames.csv");
    const char *const args[] = {"--seconds=1", "--frames", frames, NULL};
    rf_test_tree_set (f->tree, "frames.csv", "precious\n");
    g_autoptr (RfWorkResult) result = run (f, args, 1);
    g_autofree char *text = rf_test_tree_get (f->tree, "frames.csv");
    g_assert_cmpstr (text, ==, "precious\n");
    assert_nothing_left (f);
}

static void
test_missing_folder (Fixture *f, gconstpointer data)
{
    const char *const args[] = {"--folder=/nonexistent/folder", NULL};
    g_autoptr (RfWorkResult) result = run (f, args, 1);
    g_assert_null (rf_work_result_get (result, "ended"));
}

static void
test_latency (Fixture *f, gconstpointer data)
{
    static const char *const loads[] = {"none", "memory", "proc", "write", "copy", "read"};
    g_autofree char *series = rf_test_tree_path (f->tree, "series.csv");
    g_autofree char *text = NULL;
    guint lines = 0, wakeups = 0;
    const char *const args[] = {"--latency", "--seconds=1", "--period-us=5000", "--series", series, NULL};
    g_autoptr (RfWorkResult) result = run (f, args, 0);
    g_assert_true (rf_work_result_is_whole (result));
    for (guint i = 0; i < G_N_ELEMENTS (loads); i++) {
        g_autofree char *count = g_strdup_printf ("load.%s.wakeups", loads[i]);
        g_autofree char *longest = g_strdup_printf ("load.%s.wake_max_us", loads[i]);
        g_autofree char *written = g_strdup_printf ("load.%s.write_p50_us", loads[i]);
        g_autofree char *rate = g_strdup_printf ("load.%s.mib_per_s", loads[i]);
        g_autofree char *hist = g_strdup_printf ("load.%s.wake_hist_us", loads[i]);
        wakeups += (guint)rf_work_result_number (result, count);
        g_assert_cmpfloat (rf_work_result_number (result, count), >, 0);
        g_assert_cmpfloat (rf_work_result_number (result, longest), >, 0);
        g_assert_cmpfloat (rf_work_result_number (result, written), >, 0);
        g_assert_nonnull (rf_work_result_get (result, hist));
        if (i == 0)
            g_assert_true (isnan (rf_work_result_number (result, rate)));
        else
            g_assert_cmpfloat (rf_work_result_number (result, rate), >, 0);
    }
    g_assert_true (g_file_get_contents (series, &text, NULL, NULL));
    for (const char *p = text; (p = strchr (p, '\n')) != NULL; p++)
        lines++;
    g_assert_cmpuint (lines, ==, wakeups + 1);
    assert_nothing_left (f);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/workload-run/" name, Fixture, NULL, set_up, function, tear_down)
    ADD ("whole", test_whole);
    ADD ("locale", test_locale);
    ADD ("signal", test_signal);
    ADD ("twice", test_twice);
    ADD ("killed", test_killed);
    ADD ("danger", test_danger);
    ADD ("unplugged", test_unplugged);
    ADD ("stdin", test_stdin);
    ADD ("parent", test_parent);
    ADD ("nobody-listens", test_nobody_listens);
    ADD ("first-victim", test_first_victim);
    ADD ("refuses", test_refuses);
    ADD ("on-battery", test_on_battery);
    ADD ("usage", test_usage);
    ADD ("overwrites-nothing", test_overwrites_nothing);
    ADD ("missing-folder", test_missing_folder);
    ADD ("latency", test_latency);
    return g_test_run ();
}
