/* Two real flights of others. The right answers are those of the README beside them, computed by other means. The data
 * are no part of the project: they lie in the folder shared/cases of a tree above the source, or where RF_FLIGHTS says.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "rf-import.h"
#include "rf-metrics.h"
#include "rf-phases.h"

#define MB 1e6
#define MIB 1048576.0

typedef struct {
    const char *name;
    gsize rows;
    double minutes;
    double stalls;
    guint reclaims;
    guint on_main;
    gint64 longest_us;
    int on_bpftrace; /* -1: not told */
    guint stall_rows;
    double steal;
    double dirty_mean, dirty_max;
    double free_least;
    double available_least, available_greatest;
    double fall, fall_at;
    gsize frames;
    guint slow_frames;
    guint n_gaps;
    double gaps[2];
    int utc_offset_h;
    double balanced_at; /* seconds: where the cache stops shrinking, by eye */
} Answers;

static const Answers answers[] = {
    {"Z",    7648, 130.4, 369,   369,   326, 9470,  -1,   5, 24998,       121.3,
     1927.5, 2503, 36343, 51511, 13529, 34,  33378, 1275, 2, {19.3, 1.2}, 1, 1500},
    {"AA", 4845, 82.5,  53297, 53284, 46723, 85465, 419, 19, 468707, 3.5,
     38.6, 2418, 33438, 43496, 3045,  2806,  22850, 755, 1,  {1.4},  1, 3600},
};

static char *
find_flights (void)
{
    const char *said = g_getenv ("RF_FLIGHTS");
    if (said != NULL && g_file_test (said, G_FILE_TEST_IS_DIR))
        return g_strdup (said);
    g_autofree char *up = g_strdup (RF_TEST_FIXTURES);
    for (guint i = 0; i < 5; i++) {
        g_autofree char *above = g_path_get_dirname (up);
        char *path = g_build_filename (above, "shared", "cases", "flight-recordings", NULL);
        if (g_file_test (path, G_FILE_TEST_IS_DIR))
            return path;
        g_free (path);
        g_free (up);
        up = g_steal_pointer (&above);
    }
    return NULL;
}

/* Returns: (transfer full): a folder with the files of the flight unpacked */
static char *
unpack (const char *flights, const char *name)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *from = g_build_filename (flights, name, NULL);
    char *to = g_dir_make_tmp ("rf-flight-XXXXXX", &error);
    g_assert_no_error (error);
    g_autoptr (GDir) dir = g_dir_open (from, 0, &error);
    g_assert_no_error (error);
    const char *file;
    guint n = 0;
    while ((file = g_dir_read_name (dir)) != NULL) {
        g_autofree char *packed = g_build_filename (from, file, NULL);
        g_autofree char *plain = g_build_filename (to, file, NULL);
        char *end = g_strrstr (plain, ".xz");
        const char *argv[] = {"xz", "-dc", packed, NULL};
        g_autoptr (GSubprocess) xz = NULL;
        g_autoptr (GBytes) bytes = NULL;
        if (end == NULL)
            continue;
        *end = '\0';
        xz = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
        g_assert_no_error (error);
        g_assert_true (g_subprocess_communicate (xz, NULL, NULL, &bytes, NULL, &error));
        g_assert_no_error (error);
        g_assert_true (g_subprocess_get_successful (xz));
        g_assert_true (
            g_file_set_contents (plain, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), &error));
        n++;
    }
    g_assert_cmpuint (n, ==, 8);
    return to;
}

static void
remove_folder (const char *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    const char *file;
    while ((file = g_dir_read_name (dir)) != NULL) {
        g_autofree char *name = g_build_filename (path, file, NULL);
        g_assert_cmpint (g_unlink (name), ==, 0);
    }
    g_assert_cmpint (g_rmdir (path), ==, 0);
}

static const float *
column (RfTable *table, const char *name)
{
    guint number = rf_table_find (table, name);
    g_assert_cmpuint (number, !=, RF_TABLE_NONE);
    return rf_table_values (table, number);
}

static void
assert_near (double value, double expected, double within)
{
    if (fabs (value - expected) > within)
        g_error ("%f is not %f within %f", value, expected, within);
}

static void
check_samples (const RfRecording *recording, const Answers *right)
{
    RfTable *samples = rf_recording_table (recording, "samples");
    RfTable *memory = rf_recording_table (recording, "memory");
    g_assert_nonnull (samples);
    gsize n = rf_table_n_rows (samples);
    const gint64 *times = rf_table_times (samples);
    const float *stalls = column (samples, "allocstalls_per_s"), *interval = column (samples, "interval_s");
    const float *dirty = column (samples, "dirty_bytes"), *available = column (memory, "available_bytes");
    double sum = 0, steal = 0, dirty_sum = 0, dirty_max = 0, least = INFINITY, greatest = 0;
    guint stall_rows = 0;
    g_assert_cmpuint (n, ==, right->rows);
    assert_near ((double)(times[n - 1] - times[0]) / 60e9, right->minutes, 0.05);
    g_assert_true (isnan (interval[0]));
    for (gsize i = 0; i < n; i++) {
        sum += i > 0 ? (double)stalls[i] * (double)interval[i] : 0;
        steal = MAX (steal, (double)column (samples, "direct_reclaim_pages_per_s")[i]);
        dirty_sum += (double)dirty[i];
        dirty_max = MAX (dirty_max, (double)dirty[i]);
        if (!(stalls[i] > 0))
            continue;
        stall_rows++;
        /* the least in the interval and until the next look at memory */
        double low = INFINITY;
        for (gsize at = rf_table_seek (memory, times[i] - 1000000000);
             at < rf_table_n_rows (memory) && rf_table_times (memory)[at] <= times[i] + 300000000; at++)
            low = MIN (low, (double)available[at]);
        least = MIN (least, low);
        greatest = MAX (greatest, low);
    }
    assert_near (sum, right->stalls, 0.5);
    g_assert_cmpuint (stall_rows, ==, right->stall_rows);
    assert_near (steal, right->steal, 0.5);
    assert_near (dirty_sum / (double)n / MB, right->dirty_mean, 0.05);
    assert_near (dirty_max / MB, right->dirty_max, 0.05);
    assert_near (least / MIB, right->available_least, 0.5);
    assert_near (greatest / MIB, right->available_greatest, 0.5);
}

static void
check_memory (const RfRecording *recording, const Answers *right)
{
    RfTable *memory = rf_recording_table (recording, "memory");
    const float *free_bytes = column (memory, "free_bytes");
    const gint64 *times = rf_table_times (memory);
    double least = INFINITY, fall = 0;
    gsize n = rf_table_n_rows (memory), start = 0;
    /* five steps of 0.2 s, each of which may take a few milliseconds more */
    for (gsize i = 0; i < n; i++) {
        least = MIN (least, (double)free_bytes[i]);
        for (gsize at = i + 1; at < n && times[at] - times[i] <= 1050000000; at++)
            if ((double)free_bytes[i] - (double)free_bytes[at] > fall) {
                fall = (double)free_bytes[i] - (double)free_bytes[at];
                start = i;
            }
    }
    assert_near (least / MIB, right->free_least, 0.5);
    assert_near (fall / MIB, right->fall, 0.5);
    assert_near ((double)times[start] / 1e9, right->fall_at, 2);
}

static void
check_events (const RfRecording *recording, const Answers *right)
{
    guint reclaims = 0, on_main = 0, on_bpftrace = 0, io = 0, tiles = 0;
    gint64 longest = 0, before = G_MININT64;
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        g_assert_cmpint (event->time_ns, >=, before);
        before = event->time_ns;
        io += event->kind == RF_EVENT_IO ? 1 : 0;
        tiles += event->kind == RF_EVENT_TILE ? 1 : 0;
        if (event->kind != RF_EVENT_RECLAIM)
            continue;
        reclaims++;
        on_bpftrace += g_str_equal (event->process, "bpftrace") ? 1 : 0;
        if (g_str_equal (event->process, "Main Thread")) {
            on_main++;
            longest = MAX (longest, event->duration_ns);
        }
        g_assert_cmpint (event->pid, >, 0);
    }
    g_assert_cmpuint (reclaims, ==, right->reclaims);
    g_assert_cmpuint (on_main, ==, right->on_main);
    g_assert_cmpint (longest, ==, right->longest_us * 1000);
    if (right->on_bpftrace >= 0)
        g_assert_cmpuint (on_bpftrace, ==, (guint)right->on_bpftrace);
    else
        g_assert_cmpuint (on_bpftrace, <, 10);
    g_assert_cmpuint (io, >, 400);
    g_assert_cmpuint (tiles, >, 300);
}

/* Each stall that the trace saw lies in a sample that counted one, or right beside: so the offset to UTC is right */
static void
check_clock (const RfRecording *recording)
{
    RfTable *samples = rf_recording_table (recording, "samples");
    const float *stalls = column (samples, "allocstalls_per_s");
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        gboolean found = FALSE;
        if (event->kind != RF_EVENT_RECLAIM)
            continue;
        for (gsize at = rf_table_seek (samples, event->time_ns - 2000000000);
             at < rf_table_n_rows (samples) && rf_table_times (samples)[at] <= event->time_ns + 4000000000; at++)
            found = found || stalls[at] > 0;
        g_assert_true (found);
    }
}

static void
check_frames (const RfRecording *recording, const Answers *right)
{
    RfTable *frames = rf_recording_table (recording, "frames");
    const float *ms = column (frames, "frame_ms");
    const gint64 *times = rf_table_times (frames);
    guint slow = 0, gaps = 0;
    g_assert_cmpuint (rf_table_n_rows (frames), ==, right->frames);
    for (gsize i = 0; i < rf_table_n_rows (frames); i++) {
        slow += ms[i] > 40 ? 1 : 0;
        g_assert_cmpfloat (ms[i], <=, 50.25f);
        if (i > 0 && times[i] - times[i - 1] > 1000000000) {
            g_assert_cmpuint (gaps, <, right->n_gaps);
            assert_near ((double)(times[i] - times[i - 1]) / 1e9, right->gaps[gaps], 0.05);
            gaps++;
        }
    }
    g_assert_cmpuint (slow, ==, right->slow_frames);
    g_assert_cmpuint (gaps, ==, right->n_gaps);
}

static void
check_gpu (const RfRecording *recording)
{
    RfTable *gpu = rf_recording_table (recording, "gpu");
    const float *state = column (gpu, "performance_state"), *rate = column (gpu, "pcie_tx_bytes_per_s");
    for (gsize i = 0; i < rf_table_n_rows (gpu); i++) {
        g_assert_true (state[i] >= 0 && state[i] <= 8);
        g_assert_true (isnan (rate[i]));
    }
    g_assert_cmpfloat (column (gpu, "vram_total_bytes")[0], ==, 24564.0f * 1048576);
}

static double
metric (const GPtrArray *values, RfMetric which)
{
    const RfMetricValue *value = rf_metrics_find (values, which, "");
    g_assert_nonnull (value);
    return value->value;
}

/* The numbers of a comparison are the same as those that were reckoned row by row, and all three phases are there. */
static void
check_analysis (const RfRecording *recording, const Answers *right)
{
    RfPhases phases;
    gint64 start_ns, end_ns;
    rf_phases_find (recording, &phases);
    for (guint i = 0; i < RF_N_PHASES; i++)
        g_assert_true (phases.found[i]);
    assert_near ((double)phases.start_ns[RF_PHASE_EQUILIBRIUM] / 1e9, right->balanced_at, 180);
    g_assert_true (rf_phases_range (&phases, recording, RF_PHASE_WHOLE, &start_ns, &end_ns));
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, start_ns, end_ns);
    assert_near (metric (values, RF_METRIC_STALLS_TOTAL), right->stalls, 0.5);
    assert_near (metric (values, RF_METRIC_RECLAIM_MAX), right->steal, 0.5);
    assert_near (metric (values, RF_METRIC_DIRTY_MEAN) / MB, right->dirty_mean, 1); /* by time */
    assert_near (metric (values, RF_METRIC_DIRTY_MAX) / MB, right->dirty_max, 0.05);
    assert_near (metric (values, RF_METRIC_FALL_1S) / MIB, right->fall, 0.5);
    g_assert_cmpfloat (metric (values, RF_METRIC_RECLAIM_WAIT), >, (double)right->longest_us / 1000);
    g_assert_true (isnan (metric (values, RF_METRIC_PSI_MEMORY_FULL)));
}

static gboolean
says (const RfImport *import, const char *part)
{
    for (guint i = 0; i < import->warnings->len; i++)
        if (strstr (import->warnings->pdata[i], part) != NULL)
            return TRUE;
    return FALSE;
}

static void
test_flight (gconstpointer data)
{
    const Answers *right = data;
    g_autofree char *flights = find_flights ();
    g_autoptr (GError) error = NULL;
    if (flights == NULL) {
        if (g_strcmp0 (g_getenv ("CI"), "true") == 0)
            g_test_fail_printf ("the recorded flights are gone");
        else
            g_test_skip ("the recorded flights are not here");
        return;
    }
    g_autofree char *folder = unpack (flights, right->name);
    g_assert_cmpint (rf_import_detect (folder), ==, RF_IMPORT_FLIGHT);
    g_autoptr (RfImport) import = rf_import_path (folder, NULL, &error);
    remove_folder (folder);
    g_assert_no_error (error);
    g_assert_cmpstr (import->recording->source, ==, "import:flight");
    check_samples (import->recording, right);
    check_memory (import->recording, right);
    check_events (import->recording, right);
    check_clock (import->recording);
    check_frames (import->recording, right);
    check_gpu (import->recording);
    check_analysis (import->recording, right);
    /* no PSI is no zero */
    g_assert_null (rf_recording_table (import->recording, "psi"));
    g_autofree char *utc = g_strdup_printf ("UTC%+d:00", right->utc_offset_h);
    g_assert_true (says (import, utc));
    g_assert_true (says (import, "no PSI"));
    g_assert_true (says (import, "last four columns"));
    g_assert_true (says (import, "50.25 ms"));
    g_assert_false (says (import, "not understood"));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (answers); i++) {
        g_autofree char *path = g_strconcat ("/import/flight/", answers[i].name, NULL);
        g_test_add_data_func (path, &answers[i], test_flight);
    }
    return g_test_run ();
}
