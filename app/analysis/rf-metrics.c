#define G_LOG_DOMAIN "rf-metrics"
#include "config.h"

#include "rf-metrics-private.h"

#include <math.h>
#include <stdlib.h>

static void
value_free (gpointer data)
{
    RfMetricValue *self = data;
    g_free (self->subject);
    g_clear_pointer (&self->cells, rf_cells_free);
    g_free (self);
}

guint
rf_metrics_cell (const RfMetricsRun *run, gint64 time_ns)
{
    return (guint)((time_ns - run->start_ns) / RF_CELL_NS);
}

void
rf_metrics_add (RfMetricsRun *run, RfMetric metric, const char *subject, double value, RfCells *cells)
{
    RfMetricValue *self = g_new0 (RfMetricValue, 1);
    self->metric = metric;
    self->subject = g_strdup (subject);
    self->value = value;
    self->cells = cells;
    g_ptr_array_add (run->values, self);
}

void
rf_metrics_missing (RfMetricsRun *run, RfMetric metric, RfMissing missing)
{
    rf_metrics_add (run, metric, "", NAN, NULL);
    ((RfMetricValue *)run->values->pdata[run->values->len - 1])->missing = missing;
}

static int
compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* the usual distance of two rows, from up to a thousand pairs spread over all */
static double
median_distance (const gint64 *times, gsize n)
{
    double distance[1000];
    gsize pairs = MIN (n > 0 ? n - 1 : 0, G_N_ELEMENTS (distance));
    for (gsize i = 0; i < pairs; i++) {
        gsize at = i * (n - 1) / pairs;
        distance[i] = (double)(times[at + 1] - times[at]) / 1e9;
    }
    if (pairs == 0)
        return NAN;
    qsort (distance, pairs, sizeof *distance, compare_doubles);
    return distance[pairs / 2];
}

/* A row stands for the time since the row before: what the recording says, else the distance, but at most @longest_s, as
 * nothing is known of a hole. */
static void
rows_init (RfRows *self, const RfMetricsRun *run, const char *name, double longest)
{
    self->table = rf_recording_table (run->recording, name);
    if (self->table == NULL)
        return;
    self->first = rf_table_seek (self->table, run->start_ns);
    self->n = rf_table_seek (self->table, run->end_ns) - self->first;
    self->dt = g_new (double, self->n);
    if (self->n == 0)
        return;
    guint column = rf_table_find (self->table, "interval_s");
    const float *interval = column != RF_TABLE_NONE ? rf_table_values (self->table, column) + self->first : NULL;
    self->times = rf_table_times (self->table) + self->first;
    self->median_s = median_distance (self->times, self->n);
    double most = longest > 0 ? longest : 5 * self->median_s;
    for (gsize i = 0; i < self->n; i++) {
        double distance = i > 0 || self->first > 0 ? (double)(self->times[i] - self->times[(gssize)i - 1]) / 1e9
                                                   : self->median_s;
        if (interval != NULL && isfinite (interval[i]) && interval[i] >= 0)
            self->dt[i] = interval[i];
        else
            self->dt[i] = isfinite (distance) ? fmin (distance, most) : 0;
    }
}

static gint
compare_values (gconstpointer a, gconstpointer b)
{
    const RfMetricValue *x = *(RfMetricValue *const *)a, *y = *(RfMetricValue *const *)b;
    if (x->metric != y->metric)
        return x->metric < y->metric ? -1 : 1;
    return g_strcmp0 (x->subject, y->subject);
}

GPtrArray *
rf_metrics_compute (const RfRecording *recording, gint64 start_ns, gint64 end_ns)
{
    RfMetricsRun run = {.recording = recording, .start_ns = start_ns, .end_ns = MAX (start_ns, end_ns)};
    run.values = g_ptr_array_new_with_free_func (value_free);
    rows_init (&run.samples, &run, "samples", 0);
    rows_init (&run.frames, &run, "frames", 60);
    rows_init (&run.memory, &run, "memory", 0);
    rf_metrics_samples (&run);
    rf_metrics_frames (&run);
    rf_metrics_events (&run);
    g_free (run.samples.dt);
    g_free (run.frames.dt);
    g_free (run.memory.dt);
    g_ptr_array_sort (run.values, compare_values);
    return run.values;
}

const RfMetricValue *
rf_metrics_find (const GPtrArray *values, RfMetric metric, const char *subject)
{
    for (guint i = 0; i < values->len; i++) {
        const RfMetricValue *value = values->pdata[i];
        if (value->metric == metric && g_str_equal (value->subject, subject))
            return value;
    }
    return NULL;
}
