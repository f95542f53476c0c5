/* The metrics that come from samples.csv, frames.csv and memory.csv. */
#define G_LOG_DOMAIN "rf-metrics-samples"
#include "config.h"

#include "rf-metrics-private.h"

#include "rf-array.h"
#include "rf-sample.h"

#include <math.h>
#include <string.h>

typedef enum {
    OP_TOTAL,       /* value by time, summed */
    OP_MEAN,        /* value by time, through the time */
    OP_MAX,         /* of a level */
    OP_WORST_SECOND /* of a rate: greatest mean of a second, as ten looks a second would otherwise find ten times as much */
} Op;

/* A trailing second may be this much shorter: timers are not exact, and a look each second is a second. */
#define SECOND_S 0.95

/* a little longer than a sixtieth and a thirtieth of a second: a frame that came in time is none that was late */
#define FRAME_60HZ_MS 16.7
#define FRAME_30HZ_MS 33.4

/* what one column says, or several together */
typedef struct {
    RfMetric metric;
    Op op;
    RfColumn column;
    double scale;
} Simple;

static const Simple simple[] = {
    {RF_METRIC_RECLAIM_MAX, OP_WORST_SECOND, RF_COLUMN_DIRECT_RECLAIM, 1},
    {RF_METRIC_RECLAIM_TOTAL, OP_TOTAL, RF_COLUMN_DIRECT_RECLAIM, 1},
    {RF_METRIC_STALLS_TOTAL, OP_TOTAL, RF_COLUMN_ALLOCSTALLS, 1},
    {RF_METRIC_STALLS_MAX, OP_WORST_SECOND, RF_COLUMN_ALLOCSTALLS, 1},
    {RF_METRIC_DIRTY_MEAN, OP_MEAN, RF_COLUMN_DIRTY, 1},
    {RF_METRIC_DIRTY_MAX, OP_MAX, RF_COLUMN_DIRTY, 1},
    {RF_METRIC_PSI_MEMORY_SOME, OP_TOTAL, RF_COLUMN_PSI_MEMORY_SOME, 1000},
    {RF_METRIC_PSI_MEMORY_FULL, OP_TOTAL, RF_COLUMN_PSI_MEMORY_FULL, 1000},
    {RF_METRIC_PSI_IO_SOME, OP_TOTAL, RF_COLUMN_PSI_IO_SOME, 1000},
    {RF_METRIC_PSI_IO_FULL, OP_TOTAL, RF_COLUMN_PSI_IO_FULL, 1000},
    {RF_METRIC_PSI_CPU_SOME, OP_TOTAL, RF_COLUMN_PSI_CPU_SOME, 1000},
    {RF_METRIC_ZRAM_RATIO, OP_MEAN, RF_COLUMN_ZRAM_RATIO, 1},
    {RF_METRIC_TLB_SHOOTDOWNS, OP_TOTAL, RF_COLUMN_TLB_SHOOTDOWNS, 1},
};

/* Returns: (nullable): the values of @name in the range */
static const float *
column (const RfRows *rows, const char *name)
{
    guint number = rows->n > 0 ? rf_table_find (rows->table, name) : RF_TABLE_NONE;
    return number != RF_TABLE_NONE ? rf_table_values (rows->table, number) + rows->first : NULL;
}

static void
add_worst_second (RfCells *cells, const RfMetricsRun *run, const RfRows *rows, const float *values)
{
    double sum = 0, seconds = 0;
    for (gsize i = 0, tail = 0; i < rows->n; i++) {
        if (isnan (values[i])) { /* nothing is known of this second */
            tail = i + 1;
            sum = seconds = 0;
            continue;
        }
        sum += (double)values[i] * rows->dt[i];
        seconds += rows->dt[i];
        while (tail < i && seconds - rows->dt[tail] >= SECOND_S) {
            sum -= (double)values[tail] * rows->dt[tail];
            seconds -= rows->dt[tail++];
        }
        /* a single row that stands for the whole second says it exactly */
        if (seconds >= SECOND_S)
            rf_cells_add (cells, rf_metrics_cell (run, rows->times[i]), tail == i ? values[i] : fmax (0, sum / seconds), 1);
    }
}

/* Returns: NULL if nothing is known */
static RfCells *
make_cells (const RfMetricsRun *run, const RfRows *rows, const float *values, Op op, double scale)
{
    gboolean is_max = op == OP_MAX || op == OP_WORST_SECOND;
    g_autoptr (RfCells) cells = rf_cells_new (is_max ? RF_CELLS_MAX : RF_CELLS_SUM, run->start_ns, run->end_ns);
    gboolean known = FALSE;
    for (gsize i = 0; i < rows->n; i++) {
        if (isnan (values[i]))
            continue;
        known |= op == OP_MAX || rows->dt[i] > 0;
        if (op == OP_WORST_SECOND)
            continue;
        double weight = op == OP_MAX ? 1 : rows->dt[i];
        double num = op == OP_MAX ? values[i] : (double)values[i] * weight * scale;
        rf_cells_add (cells, rf_metrics_cell (run, rows->times[i]), num, weight);
    }
    if (op == OP_WORST_SECOND)
        add_worst_second (cells, run, rows, values);
    return known ? g_steal_pointer (&cells) : NULL;
}

static double
sum (const RfCells *cells)
{
    double total = 0;
    for (guint i = 0; i < cells->n; i++)
        total += cells->num[i];
    return total;
}

static void
add_values (RfMetricsRun *run, RfMetric metric, const char *subject, const float *values, Op op, double scale)
{
    RfCells *cells = values != NULL ? make_cells (run, &run->samples, values, op, scale) : NULL;
    double value = cells == NULL ? NAN : op == OP_TOTAL ? sum (cells) : rf_cells_value (cells);
    if (!isnan (value)) {
        rf_metrics_add (run, metric, subject, value, cells);
        return;
    }
    g_clear_pointer (&cells, rf_cells_free);
    rf_metrics_missing (run, metric, run->samples.n == 0 ? RF_MISSING_TABLE : RF_MISSING_VALUES);
}

/* Returns: (nullable) (transfer full): the sum of two columns, or of all whose names end in @suffix; NAN only where none is known */
static float *
sum_columns (const RfRows *rows, const char *first, const char *second, const char *suffix)
{
    float *all = NULL;
    for (guint c = 0; rows->n > 0 && c < rf_table_n_columns (rows->table); c++) {
        const char *name = rf_table_column_name (rows->table, c);
        if (suffix != NULL ? !g_str_has_suffix (name, suffix) : !g_str_equal (name, first) && !g_str_equal (name, second))
            continue;
        const float *values = rf_table_values (rows->table, c) + rows->first;
        if (all == NULL) {
            all = g_memdup2 (values, rows->n * sizeof *values);
            continue;
        }
        for (gsize i = 0; i < rows->n; i++)
            if (!isnan (values[i]))
                all[i] = isnan (all[i]) ? values[i] : all[i] + values[i];
    }
    return all;
}

/* The kernel counts swapped pages for all swap together. With nothing in zram all of it was the disk's. */
static void
add_swap (RfMetricsRun *run)
{
    g_autofree float *both = sum_columns (&run->samples, rf_column_info (RF_COLUMN_SWAP_IN)->name,
                                          rf_column_info (RF_COLUMN_SWAP_OUT)->name, NULL);
    const float *ratio = column (&run->samples, rf_column_info (RF_COLUMN_ZRAM_RATIO)->name);
    gboolean in_zram = FALSE, any = FALSE;
    for (gsize i = 0; both != NULL && i < run->samples.n; i++) {
        in_zram |= ratio != NULL && !isnan (ratio[i]);
        any |= both[i] > 0;
    }
    add_values (run, RF_METRIC_SWAP_CHURN, "", both, OP_TOTAL, 1);
    if (both == NULL || !any) {
        add_values (run, RF_METRIC_SWAP_CHURN_DISK, "", both, OP_TOTAL, 1);
        add_values (run, RF_METRIC_SWAP_CHURN_ZRAM, "", both, OP_TOTAL, 1);
    } else if (in_zram || ratio == NULL) {
        rf_metrics_missing (run, RF_METRIC_SWAP_CHURN_DISK, RF_MISSING_MIXED);
        rf_metrics_missing (run, RF_METRIC_SWAP_CHURN_ZRAM, RF_MISSING_MIXED);
    } else {
        add_values (run, RF_METRIC_SWAP_CHURN_DISK, "", both, OP_TOTAL, 1);
        rf_metrics_missing (run, RF_METRIC_SWAP_CHURN_ZRAM, RF_MISSING_EVENTS);
    }
}

/* each disk's mean, by the number of its requests */
static void
add_write_latency (RfMetricsRun *run)
{
    const RfRows *rows = &run->samples;
    guint found = 0;
    for (guint c = 0; rows->n > 0 && c < rf_table_n_columns (rows->table); c++) {
        const char *name = rf_table_column_name (rows->table, c);
        if (!g_str_has_suffix (name, ".write_latency_ms"))
            continue;
        g_autofree char *disk = g_strndup (name, strlen (name) - strlen (".write_latency_ms"));
        g_autofree char *iops_name = g_strconcat (disk, ".write_iops", NULL);
        const float *latency = rf_table_values (rows->table, c) + rows->first;
        const float *iops = column (rows, iops_name);
        g_autoptr (RfCells) cells = rf_cells_new (RF_CELLS_SUM, run->start_ns, run->end_ns);
        for (gsize i = 0; i < rows->n; i++) {
            double requests = iops != NULL ? iops[i] * rows->dt[i] : rows->dt[i];
            if (!isnan (latency[i]) && requests > 0)
                rf_cells_add (cells, rf_metrics_cell (run, rows->times[i]), latency[i] * requests, requests);
        }
        double mean = rf_cells_value (cells);
        if (isnan (mean))
            continue; /* nothing was written to it */
        rf_metrics_add (run, RF_METRIC_WRITE_LATENCY_MEAN, disk, mean, g_steal_pointer (&cells));
        found++;
    }
    if (found == 0)
        rf_metrics_missing (run, RF_METRIC_WRITE_LATENCY_MEAN, rows->n == 0 ? RF_MISSING_TABLE : RF_MISSING_VALUES);
}

/* Where free memory was looked at most often; the thresholds are only in samples.csv. */
static const RfRows *
rows_of_free (const RfMetricsRun *run)
{
    const char *name = rf_column_info (RF_COLUMN_FREE)->name;
    if (column (&run->memory, name) == NULL
        || column (&run->samples, rf_column_info (RF_COLUMN_WATERMARK_LOW)->name) != NULL)
        return &run->samples;
    gboolean finer = column (&run->samples, name) == NULL || run->memory.median_s < run->samples.median_s;
    return finer ? &run->memory : &run->samples;
}

/* The greatest fall of free memory within @window_s, at each row: the greatest of the window's values is kept at the front of
 * a queue of falling values. */
static void
add_fall (RfMetricsRun *run, RfMetric fall_metric, RfMetric burst_metric, double window_s)
{
    const RfRows *rows = rows_of_free (run);
    const float *bytes = column (rows, rf_column_info (RF_COLUMN_FREE)->name);
    const float *min = column (rows, rf_column_info (RF_COLUMN_WATERMARK_MIN)->name);
    const float *low = column (rows, rf_column_info (RF_COLUMN_WATERMARK_LOW)->name);
    gint64 window = (gint64)(window_s * 1.1e9); /* timers are not exact */
    if (bytes == NULL || !(rows->median_s * 1e9 <= (double)window)) {
        RfMissing why = rows->n == 0 ? RF_MISSING_TABLE : bytes == NULL ? RF_MISSING_VALUES : RF_MISSING_RARE;
        rf_metrics_missing (run, fall_metric, why);
        rf_metrics_missing (run, burst_metric, why);
        return;
    }
    g_autoptr (RfCells) falls = rf_cells_new (RF_CELLS_MAX, run->start_ns, run->end_ns);
    g_autoptr (RfCells) bursts = rf_cells_new (RF_CELLS_MAX, run->start_ns, run->end_ns);
    g_autofree gsize *queue = rf_new0 (gsize, rows->n);
    for (gsize i = 0, head = 0, tail = 0; i < rows->n; i++) {
        if (isnan (bytes[i]))
            continue;
        while (tail > head && bytes[queue[tail - 1]] <= bytes[i])
            tail--;
        queue[tail++] = i;
        while (rows->times[queue[head]] < rows->times[i] - window)
            head++;
        double fall = (double)bytes[queue[head]] - bytes[i];
        guint cell = rf_metrics_cell (run, rows->times[i]);
        rf_cells_add (falls, cell, fall, 1);
        if (min != NULL && low != NULL && low[i] > min[i])
            rf_cells_add (bursts, cell, fall / ((double)low[i] - min[i]), 1);
    }
    double fall = rf_cells_value (falls), burst = rf_cells_value (bursts);
    if (isnan (fall))
        rf_metrics_missing (run, fall_metric, RF_MISSING_VALUES);
    else
        rf_metrics_add (run, fall_metric, "", fall, g_steal_pointer (&falls));
    if (isnan (burst))
        rf_metrics_missing (run, burst_metric, RF_MISSING_VALUES);
    else
        rf_metrics_add (run, burst_metric, "", burst, g_steal_pointer (&bursts));
}

static int
hour_at (const RfRecording *recording, gint64 time_ns)
{
    g_autoptr (GDateTime) local = g_date_time_new_from_unix_local (rf_recording_wall_us (recording, time_ns) / 1000000);
    return local != NULL ? g_date_time_get_hour (local) : 0;
}

static void
add_iowait (RfMetricsRun *run)
{
    const RfRows *rows = &run->samples;
    const float *values = column (rows, rf_column_info (RF_COLUMN_CPU_IOWAIT)->name);
    double num[24] = {0}, den[24] = {0};
    gint64 last = G_MININT64;
    int hour = 0;
    guint found = 0;
    if (run->recording->anchor_wall_us == 0 && values != NULL) {
        rf_metrics_missing (run, RF_METRIC_IOWAIT_HOUR, RF_MISSING_CLOCK);
        return;
    }
    for (gsize i = 0; values != NULL && i < rows->n; i++) {
        /* zones change at quarters of an hour at most; asking for each row would cost more than all the rest */
        gint64 quarter = rf_recording_wall_us (run->recording, rows->times[i]) / (900 * G_GINT64_CONSTANT (1000000));
        if (quarter != last)
            hour = hour_at (run->recording, rows->times[i]);
        last = quarter;
        if (isnan (values[i]))
            continue;
        num[hour] += values[i] * rows->dt[i];
        den[hour] += rows->dt[i];
    }
    for (guint i = 0; i < 24; i++) {
        char subject[8];
        if (den[i] <= 0)
            continue;
        g_snprintf (subject, sizeof subject, "%02u", i);
        rf_metrics_add (run, RF_METRIC_IOWAIT_HOUR, subject, num[i] / den[i], NULL);
        found++;
    }
    if (found == 0)
        rf_metrics_missing (run, RF_METRIC_IOWAIT_HOUR, rows->n == 0 ? RF_MISSING_TABLE : RF_MISSING_VALUES);
}

/* means of the columns in bytes: of memory.csv, or of what samples.csv has */
static void
add_memory_kinds (RfMetricsRun *run)
{
    static const RfColumn kinds[] = {RF_COLUMN_FREE, RF_COLUMN_AVAILABLE, RF_COLUMN_SWAP_USED};
    const RfTable *table = rf_recording_table (run->recording, "memory");
    gboolean own = table != NULL && rf_table_n_rows (table) > 0;
    guint found = 0;
    if (!own)
        table = run->samples.table;
    gsize first = table != NULL ? rf_table_seek (table, run->start_ns) : 0;
    gsize last = table != NULL ? rf_table_seek (table, run->end_ns) : 0;
    for (guint c = 0; first < last && c < rf_table_n_columns (table); c++) {
        const char *name = rf_table_column_name (table, c);
        gboolean wanted = own && g_str_has_suffix (name, "_bytes");
        for (guint k = 0; !own && k < G_N_ELEMENTS (kinds); k++)
            wanted |= g_str_equal (name, rf_column_info (kinds[k])->name);
        if (!wanted)
            continue;
        const float *values = rf_table_values (table, c);
        double total = 0;
        gsize known = 0;
        for (gsize i = first; i < last; i++)
            if (!isnan (values[i])) {
                total += values[i];
                known++;
            }
        if (known == 0)
            continue;
        rf_metrics_add (run, RF_METRIC_MEMORY_KIND, name, total / (double)known, NULL);
        found++;
    }
    if (found == 0)
        rf_metrics_missing (run, RF_METRIC_MEMORY_KIND, first < last ? RF_MISSING_VALUES : RF_MISSING_TABLE);
}

void
rf_metrics_samples (RfMetricsRun *run)
{
    const RfRows *rows = &run->samples;
    for (gsize i = 0; i < G_N_ELEMENTS (simple); i++)
        add_values (run, simple[i].metric, "", column (rows, rf_column_info (simple[i].column)->name), simple[i].op,
                    simple[i].scale);
    g_autofree float *written = sum_columns (rows, NULL, NULL, ".write_bytes_per_s");
    add_values (run, RF_METRIC_WRITE_VOLUME, "", written, OP_TOTAL, 1);
    add_swap (run);
    add_write_latency (run);
    add_fall (run, RF_METRIC_FALL_200MS, RF_METRIC_BURST_200MS, 0.2);
    add_fall (run, RF_METRIC_FALL_1S, RF_METRIC_BURST_1S, 1);
    add_fall (run, RF_METRIC_FALL_5S, RF_METRIC_BURST_5S, 5);
    add_iowait (run);
    add_memory_kinds (run);

    const float *late = column (rows, "late_us");
    g_autofree float *late_ms = late != NULL ? rf_new0 (float, rows->n) : NULL;
    for (gsize i = 0; late != NULL && i < rows->n; i++)
        late_ms[i] = late[i] / 1000;
    add_values (run, RF_METRIC_OWN_STALL, "", late_ms, OP_MAX, 1);
}

/* Frames that are longer than the limit, for each second that frames were recorded. */
static void
add_frames_over (RfMetricsRun *run, RfMetric metric, const float *ms, double limit)
{
    const RfRows *rows = &run->frames;
    RfCells *cells = rf_cells_new (RF_CELLS_SUM, run->start_ns, run->end_ns);
    for (gsize i = 0; i < rows->n; i++)
        if (!isnan (ms[i]))
            rf_cells_add (cells, rf_metrics_cell (run, rows->times[i]), ms[i] > limit, rows->dt[i]);
    rf_metrics_add (run, metric, "", sum (cells), cells);
}

void
rf_metrics_frames (RfMetricsRun *run)
{
    const RfRows *rows = &run->frames;
    const float *ms = column (rows, "frame_ms");
    gboolean known = FALSE;
    for (gsize i = 0; ms != NULL && i < rows->n && !known; i++)
        known = !isnan (ms[i]);
    if (!known) {
        for (RfMetric metric = RF_METRIC_FRAMES_OVER_16; metric <= RF_METRIC_FRAME_LOST; metric++)
            rf_metrics_missing (run, metric, rows->n == 0 ? RF_MISSING_TABLE : RF_MISSING_VALUES);
        return;
    }
    add_frames_over (run, RF_METRIC_FRAMES_OVER_16, ms, FRAME_60HZ_MS);
    add_frames_over (run, RF_METRIC_FRAMES_OVER_33, ms, FRAME_30HZ_MS);
    add_frames_over (run, RF_METRIC_FRAMES_OVER_100, ms, 100);
    add_frames_over (run, RF_METRIC_FRAMES_OVER_1000, ms, 1000);
    RfCells *p99 = rf_cells_new (RF_CELLS_QUANTILE, run->start_ns, run->end_ns);
    RfCells *greatest = rf_cells_new (RF_CELLS_MAX, run->start_ns, run->end_ns);
    RfCells *lost = rf_cells_new (RF_CELLS_SUM, run->start_ns, run->end_ns);
    for (gsize i = 0; i < rows->n; i++) {
        guint cell = rf_metrics_cell (run, rows->times[i]);
        if (isnan (ms[i]))
            continue;
        rf_cells_add (p99, cell, ms[i], 1);
        rf_cells_add (greatest, cell, ms[i], 1);
        rf_cells_add (lost, cell, fmax (0, ms[i] - FRAME_60HZ_MS), rows->dt[i]);
    }
    rf_metrics_add (run, RF_METRIC_FRAME_P99, "", rf_cells_value (p99), p99);
    rf_metrics_add (run, RF_METRIC_FRAME_MAX, "", rf_cells_value (greatest), greatest);
    rf_metrics_add (run, RF_METRIC_FRAME_LOST, "", sum (lost), lost);
}
