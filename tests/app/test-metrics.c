/* Metrics on recordings small enough to reckon by hand; what is missing is not available, with the reason. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-metrics.h"

#define S G_GINT64_CONSTANT (1000000000)

static RfTable *
samples_of (RfRecording *recording, const char *const *names)
{
    RfTable *table = rf_recording_add_table (recording, rf_table_new ("samples"));
    for (; *names != NULL; names++)
        rf_table_add_column (table, *names);
    return table;
}

static void
add_event (RfRecording *recording, RfEventKind kind, gint64 time_ns, gint64 duration_ns, const char *subject, double amount)
{
    RfEvent event = {.kind = kind, .time_ns = time_ns, .duration_ns = duration_ns, .amount = amount};
    g_strlcpy (event.subject, subject, sizeof event.subject);
    g_array_append_val (recording->events, event);
}

static double
value_of (GPtrArray *values, RfMetric metric, const char *subject)
{
    const RfMetricValue *value = rf_metrics_find (values, metric, subject);
    g_assert_nonnull (value);
    g_assert_cmpint (value->missing, ==, RF_MISSING_NOT);
    return value->value;
}

static RfMissing
missing_of (GPtrArray *values, RfMetric metric)
{
    const RfMetricValue *value = rf_metrics_find (values, metric, "");
    g_assert_nonnull (value);
    g_assert_true (isnan (value->value));
    return value->missing;
}

static void
test_info (void)
{
    for (guint i = 0; i < RF_N_METRICS; i++) {
        RfMetric metric = RF_N_METRICS;
        g_assert_true (rf_metric_from_id (rf_metric_info (i)->id, &metric));
        g_assert_cmpuint (metric, ==, i);
        g_assert_cmpuint (strlen (rf_metric_title (i)), >, 0);
        g_assert_cmpuint (strlen (rf_metric_explanation (i)), >, 0);
    }
    g_assert_false (rf_metric_from_id ("nothing", &(RfMetric){0}));
    for (guint i = RF_MISSING_NOT + 1; i < RF_N_MISSING; i++)
        g_assert_cmpuint (strlen (rf_missing_text (i)), >, 0);
    g_autofree char *none = rf_metric_value_text (RF_METRIC_DIRTY_MEAN, NAN, FALSE);
    g_autofree char *bytes = rf_metric_value_text (RF_METRIC_WRITE_VOLUME, 1536.0 * 1048576, TRUE);
    g_assert_cmpstr (none, ==, "not available");
    g_assert_cmpstr (bytes, ==, "1.5 GiB /h");
}

static void
test_empty (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 10 * S);
    for (guint i = 0; i < RF_N_METRICS; i++)
        g_assert_cmpint (missing_of (values, i), !=, RF_MISSING_NOT);
    g_assert_cmpint (missing_of (values, RF_METRIC_STALLS_TOTAL), ==, RF_MISSING_TABLE);
    g_assert_cmpint (missing_of (values, RF_METRIC_RECLAIM_WAIT), ==, RF_MISSING_TRACE);
    g_assert_cmpint (missing_of (values, RF_METRIC_TILE_LOAD), ==, RF_MISSING_EVENTS);
    g_autoptr (GPtrArray) nothing = rf_metrics_compute (recording, 5 * S, 5 * S);
    g_assert_cmpint (missing_of (nothing, RF_METRIC_DIRTY_MAX), ==, RF_MISSING_TABLE);
}

static void
test_samples (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (recording, (const char *const[]){"interval_s", "allocstalls_per_s", "dirty_bytes",
                                                                  "psi_memory_full_ratio", "late_us", NULL});
    rf_table_append (table, 1 * S, (float[]){1, 100, 10, 0.5, 20});
    rf_table_append (table, 2 * S, (float[]){1, NAN, 30, 0, 4000});
    rf_table_append (table, 4 * S, (float[]){2, 10, 50, 0.25, 0});
    rf_table_append (table, 5 * S, (float[]){1, 1e6, 1e9, 1, 0}); /* outside */
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 5 * S);
    g_assert_cmpfloat (value_of (values, RF_METRIC_STALLS_TOTAL, ""), ==, 120);
    g_assert_cmpfloat (value_of (values, RF_METRIC_STALLS_MAX, ""), ==, 100);
    g_assert_cmpfloat (value_of (values, RF_METRIC_DIRTY_MEAN, ""), ==, 35); /* by time: 10, 30, 50, 50 */
    g_assert_cmpfloat (value_of (values, RF_METRIC_DIRTY_MAX, ""), ==, 50);
    g_assert_cmpfloat (value_of (values, RF_METRIC_PSI_MEMORY_FULL, ""), ==, 1000);
    g_assert_cmpfloat (value_of (values, RF_METRIC_OWN_STALL, ""), ==, 4);
    g_assert_cmpint (missing_of (values, RF_METRIC_PSI_IO_FULL), ==, RF_MISSING_VALUES);
    g_assert_cmpint (missing_of (values, RF_METRIC_SWAP_CHURN), ==, RF_MISSING_VALUES);
    /* what the bootstrap draws from says the same, and knows nothing of the second second */
    const RfCells *cells = rf_metrics_find (values, RF_METRIC_STALLS_TOTAL, "")->cells;
    g_assert_cmpfloat (rf_cells_value (cells), ==, 40);
    g_assert_cmpfloat (cells->den[2], ==, 0);
}

/* ten looks a second: the worst second is one, not the worst tenth of it */
static void
test_worst_second (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (recording, (const char *const[]){"allocstalls_per_s", NULL});
    for (guint i = 0; i < 40; i++)
        rf_table_append (table, i * S / 10, (float[]){i == 20 ? 1000 : 0});
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 4 * S);
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_STALLS_MAX, ""), 100, 0.01);
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_STALLS_TOTAL, ""), 100, 0.01);
}

static void
test_falls (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (
        recording, (const char *const[]){"free_bytes", "watermark_min_bytes", "watermark_low_bytes", NULL});
    static const float bytes[] = {1000, 990, 700, 800, 500, 490, 480, 100};
    for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
        rf_table_append (table, (i < 7 ? i : 60) * S / 10, (float[]){bytes[i], 100, 200});
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 10 * S);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FALL_200MS, ""), ==, 310); /* 800 → 490 */
    g_assert_cmpfloat (value_of (values, RF_METRIC_FALL_1S, ""), ==, 520);    /* 1000 → 480; the last is after a hole */
    g_assert_cmpfloat (value_of (values, RF_METRIC_BURST_200MS, ""), ==, 3.1);

    g_autoptr (RfRecording) rare = rf_recording_new ();
    table = samples_of (rare, (const char *const[]){"free_bytes", NULL});
    for (guint i = 0; i < 5; i++)
        rf_table_append (table, i * S, (float[]){100 - i});
    g_autoptr (GPtrArray) few = rf_metrics_compute (rare, 0, 10 * S);
    g_assert_cmpint (missing_of (few, RF_METRIC_FALL_200MS), ==, RF_MISSING_RARE);
    g_assert_cmpfloat (value_of (few, RF_METRIC_FALL_1S, ""), ==, 1);
    g_assert_cmpint (missing_of (few, RF_METRIC_BURST_1S), ==, RF_MISSING_VALUES);
}

static GPtrArray *
swapped (float in, float zram)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (recording, (const char *const[]){"interval_s", "swap_in_bytes_per_s",
                                                                  "swap_out_bytes_per_s", "zram_ratio", NULL});
    rf_table_append (table, S, (float[]){1, in, 2 * in, zram});
    return rf_metrics_compute (recording, 0, 2 * S);
}

static void
test_swap (void)
{
    g_autoptr (GPtrArray) disk = swapped (10, NAN);
    g_autoptr (GPtrArray) mixed = swapped (10, 3);
    g_autoptr (GPtrArray) idle = swapped (0, 3);
    g_assert_cmpfloat (value_of (disk, RF_METRIC_SWAP_CHURN, ""), ==, 30);
    g_assert_cmpfloat (value_of (disk, RF_METRIC_SWAP_CHURN_DISK, ""), ==, 30);
    g_assert_cmpint (missing_of (disk, RF_METRIC_SWAP_CHURN_ZRAM), ==, RF_MISSING_EVENTS);
    g_assert_cmpfloat (value_of (mixed, RF_METRIC_SWAP_CHURN, ""), ==, 30);
    g_assert_cmpint (missing_of (mixed, RF_METRIC_SWAP_CHURN_DISK), ==, RF_MISSING_MIXED);
    g_assert_cmpint (missing_of (mixed, RF_METRIC_SWAP_CHURN_ZRAM), ==, RF_MISSING_MIXED);
    g_assert_cmpfloat (value_of (idle, RF_METRIC_SWAP_CHURN_DISK, ""), ==, 0);
    g_assert_cmpfloat (value_of (mixed, RF_METRIC_ZRAM_RATIO, ""), ==, 3);
}

static void
test_disks (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (
        recording, (const char *const[]){"interval_s", "sda.write_iops", "sda.write_latency_ms", "sda.write_bytes_per_s",
                                         "sdb.write_iops", "sdb.write_latency_ms", "sdb.write_bytes_per_s", NULL});
    rf_table_append (table, 1 * S, (float[]){1, 10, 2, 100, 0, NAN, NAN});
    rf_table_append (table, 2 * S, (float[]){1, 30, 6, 100, 1, 8, 5});
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 3 * S);
    g_assert_cmpfloat (value_of (values, RF_METRIC_WRITE_LATENCY_MEAN, "sda"), ==, 5); /* by requests */
    g_assert_cmpfloat (value_of (values, RF_METRIC_WRITE_LATENCY_MEAN, "sdb"), ==, 8);
    g_assert_cmpfloat (value_of (values, RF_METRIC_WRITE_VOLUME, ""), ==, 205);
}

static void
test_events (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    add_event (recording, RF_EVENT_IO_HISTOGRAM, 0, 1000000, "sda write", 1000); /* before the range */
    add_event (recording, RF_EVENT_RECLAIM, 1 * S, 3000000, "order 0", 32);
    add_event (recording, RF_EVENT_RECLAIM, 2 * S, 4000000, "order 2", 32);
    add_event (recording, RF_EVENT_IO, 2 * S, 12000000, "sda write", 4096);
    add_event (recording, RF_EVENT_IO, 2 * S, 99000000, "sda read", 4096);
    add_event (recording, RF_EVENT_TILE, 2 * S, 22000000, "-39+143.dsf", 0);
    add_event (recording, RF_EVENT_TILE, 3 * S, 44000000, "-39+143.dsf", 0);
    add_event (recording, RF_EVENT_IO_HISTOGRAM, 4 * S, 1000000, "sda write", 1098);
    add_event (recording, RF_EVENT_IO_HISTOGRAM, 4 * S, 16000000, "sda write", 2);
    add_event (recording, RF_EVENT_IO_HISTOGRAM, 4 * S, 2000000, "no blank", 2);
    add_event (recording, RF_EVENT_RECLAIM, 9 * S, 400000000, "order 2", 32);
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 1 * S, 5 * S);
    g_assert_cmpfloat (value_of (values, RF_METRIC_RECLAIM_WAIT, ""), ==, 7);
    g_assert_cmpfloat (value_of (values, RF_METRIC_WRITE_LATENCY_MAX, "sda"), ==, 12);
    /* 98 of 100 below 1 ms, 2 between 1 and 16 */
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_WRITE_LATENCY_P99, "sda"), 7.6, 0.1);
    g_assert_cmpfloat (value_of (values, RF_METRIC_TILE_WORST, ""), ==, 44);
    g_assert_cmpfloat (value_of (values, RF_METRIC_TILE_LOAD, "-39+143.dsf"), ==, 33);
}

static void
test_frames (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *frames = rf_recording_add_table (recording, rf_table_new ("frames"));
    gint64 at = 0;
    rf_table_add_column (frames, "frame_ms");
    for (guint i = 0; i < 200; i++) {
        float ms = i == 50 ? 1200 : i == 60 ? 120 : i == 70 ? 40 : i == 80 ? 20 : 16;
        at += (gint64)(ms * 1e6f);
        rf_table_append (frames, at, &ms);
    }
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 60 * S);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAMES_OVER_16, ""), ==, 4);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAMES_OVER_33, ""), ==, 3);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAMES_OVER_100, ""), ==, 2);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAMES_OVER_1000, ""), ==, 1);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAME_P99, ""), ==, 40);
    g_assert_cmpfloat (value_of (values, RF_METRIC_FRAME_MAX, ""), ==, 1200);
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_FRAME_LOST, ""), 1380 - 4 * 16.7, 0.01);
}

static void
test_hours (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    RfTable *table = samples_of (recording, (const char *const[]){"interval_s", "cpu_iowait_ratio", NULL});
    RfTable *memory = rf_recording_add_table (recording, rf_table_new ("memory"));
    rf_table_add_column (memory, "cached_bytes");
    rf_table_add_column (memory, "load");
    for (guint i = 0; i < 7200; i++)
        rf_table_append (table, i * S, (float[]){1, i < 3600 ? 0.5 : 0.25});
    rf_table_append (memory, S, (float[]){100, 1});
    rf_table_append (memory, 2 * S, (float[]){300, 1});
    g_autoptr (GPtrArray) without = rf_metrics_compute (recording, 0, 7200 * S);
    g_assert_cmpint (missing_of (without, RF_METRIC_IOWAIT_HOUR), ==, RF_MISSING_CLOCK);
    recording->anchor_wall_us = 23 * 3600 * G_GINT64_CONSTANT (1000000);
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, 0, 7200 * S);
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_IOWAIT_HOUR, "23"), 0.5, 1e-6);
    g_assert_cmpfloat_with_epsilon (value_of (values, RF_METRIC_IOWAIT_HOUR, "00"), 0.25, 1e-6);
    g_assert_cmpfloat (value_of (values, RF_METRIC_MEMORY_KIND, "cached_bytes"), ==, 200);
    g_assert_null (rf_metrics_find (values, RF_METRIC_MEMORY_KIND, "load"));
}

static void
test_cells (void)
{
    RfPoint points[] = {{0, 5, 1}, {0, 1, 1}, {0, 4, 1}, {0, 2, 1}, {0, 3, 6}};
    g_assert_cmpfloat (rf_quantile (points, 5, 0.5), ==, 3);
    g_assert_cmpfloat (rf_quantile (points, 5, 0.95), ==, 5);
    g_assert_cmpfloat (rf_quantile (points, 5, 0.1), ==, 1);
    g_assert_true (isnan (rf_quantile (points, 0, 0.5)));
    g_autoptr (RfCells) cells = rf_cells_new (RF_CELLS_SUM, 0, 10 * S);
    for (guint i = 0; i < 10; i++)
        rf_cells_add (cells, i, i, i == 4 ? 0 : 1);
    g_autoptr (GArray) blocks = rf_cells_blocks (cells, 4);
    g_assert_cmpuint (blocks->len, ==, 3); /* 4, 4 and half of one */
    g_assert_cmpfloat (g_array_index (blocks, RfBlock, 1).num, ==, 5 + 6 + 7);
    g_assert_cmpfloat (g_array_index (blocks, RfBlock, 1).den, ==, 3);
}

int
main (int argc, char **argv)
{
    g_setenv ("TZ", "UTC", TRUE);
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/metrics/info", test_info);
    g_test_add_func ("/app/metrics/empty", test_empty);
    g_test_add_func ("/app/metrics/samples", test_samples);
    g_test_add_func ("/app/metrics/worst-second", test_worst_second);
    g_test_add_func ("/app/metrics/falls", test_falls);
    g_test_add_func ("/app/metrics/swap", test_swap);
    g_test_add_func ("/app/metrics/disks", test_disks);
    g_test_add_func ("/app/metrics/events", test_events);
    g_test_add_func ("/app/metrics/frames", test_frames);
    g_test_add_func ("/app/metrics/hours", test_hours);
    g_test_add_func ("/app/metrics/cells", test_cells);
    return g_test_run ();
}
