/* What the files of rf-metrics share. */
#pragma once

#include "rf-metrics.h"

G_BEGIN_DECLS

/** RfRows: the rows of a table within the range. @dt: seconds that each stands for; @median_s: usual distance */
typedef struct {
    const RfTable *table;
    gsize first, n;
    const gint64 *times; /* of @first */
    double *dt;
    double median_s;
} RfRows;

typedef struct {
    const RfRecording *recording;
    gint64 start_ns, end_ns;
    RfRows samples, frames, memory;
    GPtrArray *values;
} RfMetricsRun;

guint rf_metrics_cell (const RfMetricsRun *run, gint64 time_ns);
/** rf_metrics_add: @cells: (transfer full) (nullable) */
void rf_metrics_add (RfMetricsRun *run, RfMetric metric, const char *subject, double value, RfCells *cells);
void rf_metrics_missing (RfMetricsRun *run, RfMetric metric, RfMissing missing);

void rf_metrics_samples (RfMetricsRun *run);
void rf_metrics_frames (RfMetricsRun *run);
void rf_metrics_events (RfMetricsRun *run);

G_END_DECLS
