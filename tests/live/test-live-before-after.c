/* Before and after, on the real kernel: the load of ruckelfrei-workload under the same scarcity with one set of
 * settings after another, each run recorded by the helper with tracing, and compared as people's recordings are. The
 * short form is the kernel's defaults against what is proposed for this machine, once each, and asks only for what must
 * hold. With RF_WEEKLY=yes it is a benchmark: also the sets of the case study, of other distributions and of TuneD,
 * three times each, in turns, as one table. Afterwards everything is as before, also when the test is killed. */
#define G_LOG_DOMAIN "test-live-before-after"
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rf-comparison.h"
#include "rf-recommendation.h"
#include "rf-session-machine.h"
#include "rf-test-growth.h"
#include "rf-test-live.h"
#include "rf-test-scarce.h"
#include "rf-test-taking.h"
#include "rf-work-result.h"

/* some sets reserve much, and the load refuses below 2 GiB */
#define LEFT 3600
#define SCARCE_S 45
#define RUNS_MAX 3
#define TRIES 3
#define ZRAM "swap.zram 2147483648 %s 100"

/* @sysctls: "name=value" of /proc/sys/vm, separated by blanks; NULL: what is proposed for this machine.
 * @zram: (nullable): the algorithm of a zram swap of 2 GiB. lz4 also where the set has zstd, which not every kernel
 * has. */
typedef struct {
    const char *name;
    const char *sysctls;
    const char *zram;
} Set;

static const Set sets[] = {
    {"kernel defaults", "", NULL},
    {"proposal", NULL, NULL},
    /* min_free_kbytes has the same share of the memory, 1.06 %, as 1 GiB in the case study; see set_min_free() */
    {"case study, step 1", "min_free_kbytes=* dirty_background_ratio=1 dirty_ratio=5 dirty_expire_centisecs=1500",
     NULL},
    {"case study, step 4",
     "min_free_kbytes=* dirty_background_ratio=1 dirty_ratio=5 dirty_expire_centisecs=1500 page-cluster=0 "
     "watermark_boost_factor=0 watermark_scale_factor=125 swappiness=1",
     "lz4"},
    /* CachyOS-Settings: 70-cachyos-settings.conf, 30-zram.rules, zram-generator.conf */
    {"CachyOS",
     "swappiness=150 vfs_cache_pressure=50 dirty_bytes=268435456 dirty_background_bytes=67108864 "
     "dirty_writeback_centisecs=1500 page-cluster=0",
     "lz4"},
    /* zram-generator-defaults: the kernel's algorithm, nothing else */
    {"Fedora", "", "lzo-rle"},
    /* ArchWiki: zram, "Optimizing swap on zram" */
    {"Arch", "swappiness=180 watermark_boost_factor=0 watermark_scale_factor=125 page-cluster=0", "lz4"},
    /* TuneD 2.20: profiles/latency-performance */
    {"TuneD latency-performance", "dirty_ratio=10 dirty_background_ratio=3 swappiness=10", NULL},
};

typedef struct {
    RfTestLive *live;
    RfTestProgram *program;
    char *folder;
    char *plan; /* of the load, the same for all */
    guint seconds;
    RfRecording *recordings[G_N_ELEMENTS (sets)][RUNS_MAX];
} Bench;

static void
own_session (gpointer data)
{
    setsid ();
}

/* In a session of its own, as the helper is in another one than people's programs: the kernel shares out the processors
 * by sessions (sched_autogroup_enabled). */
static char *
run_program (const char *const *argv)
{
    g_autofree char *out = NULL;
    g_autofree char *err = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (GSubprocessLauncher) launcher
        = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    g_subprocess_launcher_set_child_setup (launcher, own_session, NULL, NULL);
    g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, argv, &error);
    g_assert_no_error (error);
    g_subprocess_communicate_utf8 (process, NULL, NULL, &out, &err, &error);
    g_assert_no_error (error);
    if (!g_subprocess_get_successful (process))
        g_test_message ("%s%s", out, err);
    return g_steal_pointer (&out);
}

static RfWorkResult *
run_load (const Bench *self, const char *frames)
{
    g_autofree char *seconds = g_strdup_printf ("--seconds=%u", self->seconds);
    const char *const argv[] = {RF_TEST_WORKLOAD, "-q",   "--on-battery", seconds,    "--folder", self->folder,
                                "--frames",       frames, "--plan",       self->plan, NULL};
    g_autofree char *out = run_program (argv);
    RfWorkResult *result = rf_work_result_parse (out, strlen (out), NULL);
    g_assert_nonnull (result);
    return result;
}

static void
make_plan (Bench *self)
{
    g_autoptr (GError) error = NULL;
    const char *const argv[]
        = {RF_TEST_WORKLOAD, "-q", "--on-battery", "--plan-only", "--share=50", "--folder", self->folder, NULL};
    g_autofree char *out = run_program (argv);
    g_autoptr (RfWorkResult) result = rf_work_result_parse (out, strlen (out), &error);
    g_assert_no_error (error);
    self->plan = g_strdup (rf_work_result_get (result, "plan"));
    g_assert_nonnull (self->plan);
}

/* what the window would tick, of those that have to do with memory; computed under the kernel's defaults */
static char *
propose (const RfTestLive *live)
{
    RfSysroot *kernel = live->machine->kernel;
    g_autoptr (RfCurrentSet) current = rf_current_set_read (kernel, live->facts);
    g_autoptr (GPtrArray) rows = rf_recommend (live->facts, current, NULL, RF_PRESET_MACHINE);
    g_autoptr (GString) lines = g_string_new (NULL);
    for (guint i = 0; i < rows->len; i++) {
        const RfRecommendation *row = rows->pdata[i];
        if (row->verdict != RF_VERDICT_RECOMMENDED || row->tunable->group != RF_GROUP_MEMORY)
            continue;
        g_autofree char *value = rf_value_to_text (&row->proposed);
        g_string_append_printf (lines, "%s%s %s", lines->len > 0 ? "\n" : "", row->tunable->id, value);
    }
    g_assert_cmpuint (lines->len, >, 0);
    g_test_message ("proposed: %s", lines->str);
    return g_string_free (g_steal_pointer (&lines), FALSE);
}

/* Returns: (nullable): what is to be taken back as the helper does it */
static RfRecord *
apply (Bench *self, RfTestScarce *scarce, const Set *set)
{
    if (set->sysctls == NULL) {
        g_autofree char *plan = propose (self->live);
        return rf_test_live_apply (self->live, plan);
    }
    g_auto (GStrv) pairs = g_strsplit (set->sysctls, " ", -1);
    for (guint i = 0; pairs[i] != NULL; i++) {
        g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);
        g_autofree char *share = g_strdup_printf ("%" G_GUINT64_FORMAT, self->live->facts->ram_bytes / 1024 / 94);
        rf_test_scarce_set (scarce, pair[0], g_str_equal (pair[1], "*") ? share : pair[1]);
    }
    if (set->zram == NULL)
        return NULL;
    g_autofree char *plan = g_strdup_printf (ZRAM, set->zram);
    return rf_test_live_apply (self->live, plan);
}

/* the rows of @all from @start_ns to @end_ns */
static RfTable *
cut_table (const RfTable *all, gint64 start_ns, gint64 end_ns)
{
    RfTable *out = rf_table_new (rf_table_name (all));
    guint n = rf_table_n_columns (all);
    g_autofree float *row = g_new (float, n);
    for (guint i = 0; i < n; i++)
        rf_table_add_column (out, rf_table_column_name (all, i));
    for (gsize k = rf_table_seek (all, start_ns); k < rf_table_seek (all, end_ns); k++) {
        for (guint i = 0; i < n; i++)
            row[i] = rf_table_values (all, i)[k];
        g_assert_true (rf_table_append (out, rf_table_times (all)[k], row));
    }
    return out;
}

/* The recording while frames were measured: what came before is warm-up, and making memory scarce. */
static RfRecording *
cut (const RfRecording *all, RfTable *frames)
{
    RfRecording *out = rf_recording_new ();
    const gint64 *times = rf_table_times (frames);
    gint64 start_ns = times[0], end_ns = times[rf_table_n_rows (frames) - 1];
    rf_recording_add_table (out, cut_table (rf_recording_table (all, "samples"), start_ns, end_ns));
    rf_recording_add_table (out, frames);
    for (guint i = 0; i < all->events->len; i++) {
        const RfEvent *event = &g_array_index (all->events, RfEvent, i);
        if (event->time_ns >= start_ns && event->time_ns < end_ns)
            g_array_append_vals (out->events, event, 1);
    }
    for (guint i = 0; i < all->untrusted->len; i++)
        g_ptr_array_add (out->untrusted, g_strdup (all->untrusted->pdata[i]));
    rf_recording_set (&out->source, "helper");
    rf_recording_set (&out->workload, "quick-test");
    return out;
}

/* "time_ns,frame_ms,cause": the last one is a word, which a table of numbers cannot have */
static RfTable *
read_frames (const char *path)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *text = NULL;
    g_file_get_contents (path, &text, NULL, &error);
    g_assert_no_error (error);
    g_unlink (path);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_assert_true (g_str_has_prefix (lines[0], "time_ns,frame_ms,"));
    RfTable *frames = rf_table_new ("frames");
    rf_table_add_column (frames, "frame_ms");
    for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", 3);
        float ms = (float)g_ascii_strtod (fields[1], NULL);
        g_assert_true (rf_table_append (frames, g_ascii_strtoll (fields[0], NULL, 10), &ms));
    }
    g_assert_cmpuint (rf_table_n_rows (frames), >, 10);
    return frames;
}

typedef enum {
    RUN_DONE,
    RUN_DISTURBED,  /* other programs took so much memory that the load stopped: try again */
    RUN_IMPOSSIBLE, /* here; the test is skipped */
} Run;

/* Stopped, or not begun, because others took the memory or the processors. */
static gboolean
was_disturbed (const RfWorkResult *result)
{
    static const char *const disturbed[] = {"memory", "pressure", "swap", "slow", NULL};
    const char *ended = rf_work_result_get (result, "ended");
    return ended == NULL || g_strv_contains (disturbed, ended);
}

static Run
run (Bench *self, guint number, guint repetition)
{
    const Set *set = &sets[number];
    RfSysroot *kernel = self->live->machine->kernel;
    g_autofree char *path = g_build_filename (self->folder, "frames.csv", NULL);
    RfTestTaking taking;
    RfTestTaken taken;
    /* before memory is scarce: its buffers would find none */
    if (!rf_test_taking_start (&taking, self->program, SCARCE_S + 120))
        return RUN_IMPOSSIBLE;
    RfTestScarce *scarce = rf_test_scarce_new (kernel, LEFT, SCARCE_S);
    if (scarce == NULL) {
        rf_test_taking_stop (&taking, &taken);
        rf_test_taken_clear (&taken);
        return RUN_IMPOSSIBLE;
    }
    if (self->plan == NULL)
        make_plan (self);
    guint left = rf_test_scarce_left (kernel);
    RfRecord *record = apply (self, scarce, set);
    g_autoptr (GHashTable) settings = rf_session_settings (kernel, self->live->facts);
    g_autoptr (RfWorkResult) result = run_load (self, path);
    rf_test_scarce_release (scarce);
    if (record != NULL)
        rf_test_live_revert (self->live, record);
    gboolean was_scarce = rf_test_scarce_end (scarce);
    rf_test_live_assert_as_before (self->live);
    rf_test_taking_stop (&taking, &taken);
    if (!was_scarce || was_disturbed (result)) {
        g_test_message ("disturbed: %s", !was_scarce ? "the guard has put an end to it"
                                         : rf_work_result_get (result, "ended") != NULL
                                             ? rf_work_result_get (result, "ended")
                                             : "refused");
        g_unlink (path);
        rf_test_taken_clear (&taken);
        return RUN_DISTURBED;
    }
    g_test_message ("%s, run %u, %u MiB left: %.0f stalls, frames over 33 ms %s, longest %s ms", set->name,
                    repetition + 1, left, rf_work_result_number (result, "kernel_allocstall"),
                    rf_work_result_get (result, "frames_over_33_ms"), rf_work_result_get (result, "frame_max_ms"));
    g_assert_true (rf_work_result_is_whole (result));
    rf_test_taken_check (&taken);
    RfRecording *recording = cut (taken.recording, read_frames (path));
    recording->settings_start = g_hash_table_ref (settings);
    recording->settings_end = g_hash_table_ref (settings);
    rf_recording_set (&recording->kernel, self->live->facts->kernel_release);
    self->recordings[number][repetition] = recording;
    rf_test_taken_clear (&taken);
    return RUN_DONE;
}

static Run
run_patiently (Bench *self, guint number, guint repetition)
{
    Run how = RUN_DISTURBED;
    for (guint i = 0; i < TRIES && how == RUN_DISTURBED; i++)
        how = run (self, number, repetition);
    if (how == RUN_DISTURBED)
        g_test_skip ("too much else is going on here");
    return how;
}

static void
print_row (const RfComparisonRow *row)
{
    const RfMetricInfo *info = rf_metric_info (row->metric);
    if (!info->felt && row->metric != RF_METRIC_STALLS_TOTAL && row->metric != RF_METRIC_DIRTY_MEAN
        && row->metric != RF_METRIC_WRITE_VOLUME)
        return;
    g_autofree char *title = rf_comparison_row_title (row);
    g_autofree char *before = rf_metric_value_text (row->metric, row->before, row->per_hour);
    g_autofree char *after = rf_metric_value_text (row->metric, row->after, row->per_hour);
    g_autofree char *change = rf_comparison_row_change (row);
    g_autofree char *certainty = rf_comparison_row_certainty (row);
    g_autofree char *verdict = rf_comparison_row_verdict (row);
    g_test_message ("| %s | %s | %s | %s | %s | %s |", title, before, after, change, certainty, verdict);
}

/* the first set against another one */
static void
compare (const Bench *self, guint number, guint repetitions)
{
    RfRun before[RUNS_MAX] = {0}, after[RUNS_MAX] = {0};
    for (guint i = 0; i < repetitions; i++) {
        before[i].recording = self->recordings[0][i];
        after[i].recording = self->recordings[number][i];
    }
    g_autoptr (RfComparison) comparison = rf_comparison_new (before, repetitions, after, repetitions, NULL);
    g_autofree char *sentence = rf_comparison_sentence (comparison);
    g_autofree char *warning = rf_comparison_warning (comparison);
    g_test_message ("%s", "");
    g_test_message ("%s against %s: %s %s", sets[number].name, sets[0].name, sentence, warning != NULL ? warning : "");
    g_test_message ("| | before | after | change | 95 %% | |");
    g_test_message ("|---|---|---|---|---|---|");
    for (guint i = 0; i < comparison->rows->len; i++)
        print_row (comparison->rows->pdata[i]);
    for (guint i = 0; i < comparison->unlike->len; i++) {
        g_autofree char *text = rf_unlike_text (comparison->unlike->pdata[i]);
        g_test_message ("%s", text);
    }
    /* whatever it is, it is one, and nothing but the settings differed */
    g_assert_cmpuint (comparison->unlike->len, ==, 0);
    g_assert_cmpuint (comparison->rows->len, >=, RF_N_METRICS / 2);
}

static void
test_sets (void)
{
    Bench bench = {.seconds = rf_test_rounds (8, 14)};
    const guint n_sets = rf_test_rounds (2, G_N_ELEMENTS (sets)), repetitions = rf_test_rounds (1, RUNS_MAX);
    gboolean ran = TRUE;
    if (rf_test_live_needs_root ())
        return;
    bench.live = rf_test_live_new ();
    g_autofree char *files = g_dir_make_tmp ("ruckelfrei-XXXXXX", NULL);
    bench.folder = g_strdup ("/var/tmp/rf-test-load-XXXXXX");
    g_assert_nonnull (g_mkdtemp (bench.folder));
    bench.program = rf_test_program_new (NULL, files);
    rf_test_program_start (bench.program);
    for (guint r = 0; r < repetitions && ran; r++)
        for (guint i = 0; i < n_sets && ran; i++)
            ran = run_patiently (&bench, i, r) == RUN_DONE;
    for (guint i = 1; i < n_sets && ran && !g_test_failed (); i++)
        compare (&bench, i, repetitions);
    for (guint i = 0; i < n_sets; i++)
        for (guint r = 0; r < repetitions; r++)
            g_clear_pointer (&bench.recordings[i][r], rf_recording_free);
    g_assert_true (rf_test_program_end (bench.program, SIGTERM));
    rf_test_program_free (bench.program);
    g_assert_cmpint (g_rmdir (bench.folder), ==, 0);
    g_free (bench.folder);
    g_free (bench.plan);
    rf_test_live_free (bench.live);
}

/* What has made memory scarce is killed: everything comes back without it. */
static void
test_killed (void)
{
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    RfSysroot *kernel = live->machine->kernel;
    int status = 0, ready[2];
    char word = 0;
    g_assert_cmpint (pipe (ready), ==, 0);
    pid_t child = fork ();
    if (child == 0) {
        RfTestScarce *scarce = rf_test_scarce_new (kernel, 6000, SCARCE_S);
        if (scarce != NULL) {
            rf_test_scarce_set (scarce, "dirty_bytes", "268435456");
            rf_test_scarce_set (scarce, "min_free_kbytes", "131072");
        }
        _exit (scarce == NULL || write (ready[1], "", 1) != 1 || pause () != 0);
    }
    close (ready[1]);
    if (read (ready[0], &word, 1) != 1) {
        waitpid (child, &status, 0);
        g_test_skip ("memory cannot be made scarce here");
        close (ready[0]);
        return;
    }
    close (ready[0]);
    g_autofree char *changed = rf_test_live_settings (kernel);
    kill (child, SIGKILL);
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpstr (changed, !=, live->before);
    for (guint i = 0; i < 200; i++) {
        g_autofree char *now = rf_test_live_settings (kernel);
        if (g_str_equal (now, live->before))
            break;
        g_usleep (100 * 1000);
    }
    rf_test_live_assert_as_before (live);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/before-after/killed", test_killed);
    g_test_add_func ("/live/before-after/sets", test_sets);
    return g_test_run ();
}
