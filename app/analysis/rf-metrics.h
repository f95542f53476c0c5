/* The numbers by which recordings are judged: the case study's and those of the other documents. Each is computed over
 * [start, end) of one recording; what cannot be told is not available, with the reason, and never 0. Pure, no GTK. */
#pragma once

#include "rf-cells.h"
#include "rf-recording.h"

G_BEGIN_DECLS

/* in the order of the tables that people see */
typedef enum {
    RF_METRIC_RECLAIM_MAX,        /* pages/s that programs had to clear themselves, worst second */
    RF_METRIC_RECLAIM_TOTAL,      /* pages */
    RF_METRIC_RECLAIM_WAIT,       /* ms that programs waited in it, from events */
    RF_METRIC_STALLS_TOTAL,       /* allocation stalls */
    RF_METRIC_STALLS_MAX,         /* 1/s, worst second */
    RF_METRIC_DIRTY_MEAN,         /* bytes */
    RF_METRIC_DIRTY_MAX,
    RF_METRIC_WRITE_LATENCY_MEAN, /* ms, subject = disk */
    RF_METRIC_WRITE_LATENCY_P99,  /* from io-histogram events */
    RF_METRIC_WRITE_LATENCY_MAX,
    RF_METRIC_SWAP_CHURN,         /* bytes, in and out */
    RF_METRIC_SWAP_CHURN_DISK,
    RF_METRIC_SWAP_CHURN_ZRAM,
    RF_METRIC_WRITE_VOLUME,       /* bytes, all disks */
    RF_METRIC_TILE_WORST,         /* ms */
    RF_METRIC_TILE_LOAD,          /* ms, subject = tile: mean of its loads */
    RF_METRIC_FRAMES_OVER_16,     /* frames longer than 16.7 ms */
    RF_METRIC_FRAMES_OVER_33,
    RF_METRIC_FRAMES_OVER_100,
    RF_METRIC_FRAMES_OVER_1000,
    RF_METRIC_FRAME_P99,          /* ms */
    RF_METRIC_FRAME_MAX,
    RF_METRIC_FRAME_LOST,         /* ms beyond 16.7 ms, summed */
    RF_METRIC_PSI_MEMORY_SOME,    /* ms */
    RF_METRIC_PSI_MEMORY_FULL,
    RF_METRIC_PSI_IO_SOME,
    RF_METRIC_PSI_IO_FULL,
    RF_METRIC_PSI_CPU_SOME,
    RF_METRIC_BURST_200MS,        /* greatest fall of free memory in 0.2 s against the distance from low to min */
    RF_METRIC_BURST_1S,
    RF_METRIC_BURST_5S,
    RF_METRIC_FALL_200MS,         /* the same in bytes */
    RF_METRIC_FALL_1S,
    RF_METRIC_FALL_5S,
    RF_METRIC_IOWAIT_HOUR,        /* ratio, subject = hour of day, local time: "07" */
    RF_METRIC_MEMORY_KIND,        /* bytes, subject = column of memory.csv or samples.csv: mean */
    RF_METRIC_ZRAM_RATIO,
    RF_METRIC_TLB_SHOOTDOWNS,
    RF_METRIC_OWN_STALL,          /* ms that the measurement itself came late, at worst */
    RF_N_METRICS,
} RfMetric;

typedef enum {
    RF_METRIC_UNIT_COUNT,
    RF_METRIC_UNIT_PER_SECOND,
    RF_METRIC_UNIT_PAGES,
    RF_METRIC_UNIT_PAGES_PER_SECOND,
    RF_METRIC_UNIT_BYTES,
    RF_METRIC_UNIT_MS,
    RF_METRIC_UNIT_RATIO, /* 0..1, shown as per cent */
    RF_METRIC_UNIT_PLAIN, /* a factor */
} RfMetricUnit;

typedef enum {
    RF_BETTER_NEITHER,
    RF_BETTER_LOWER,
    RF_BETTER_HIGHER,
} RfBetter;

/**
 * RfMetricInfo:
 * @id: never translated: "allocstalls-total"
 * @total: a sum over the time: two of them are compared per hour
 * @felt: what people notice; the main verdict of a comparison comes from these
 */
typedef struct {
    const char *id;
    RfMetricUnit unit;
    RfBetter better;
    gboolean total;
    gboolean felt;
} RfMetricInfo;

/** RfMissing: why there is no value */
typedef enum {
    RF_MISSING_NOT,
    RF_MISSING_TABLE,     /* nothing of the kind was recorded */
    RF_MISSING_VALUES,    /* the kernel or the source did not offer it */
    RF_MISSING_TRACE,     /* recorded without tracing */
    RF_MISSING_RARE,      /* sampled too rarely */
    RF_MISSING_EVENTS,    /* none happened */
    RF_MISSING_MIXED,     /* disk and zram cannot be told apart */
    RF_MISSING_CLOCK,     /* no wall clock */
    RF_N_MISSING,
} RfMissing;

/**
 * RfMetricValue:
 * @subject: disk, tile, hour or column; "" if the metric is one number
 * @value: NAN if @missing says why
 * @cells: (nullable): the same second by second, for the bootstrap; NULL where it has no time of its own (tiles)
 */
typedef struct {
    RfMetric metric;
    char *subject;
    double value;
    RfMissing missing;
    RfCells *cells;
} RfMetricValue;

/**
 * rf_metrics_compute: all metrics over [@start_ns, @end_ns).
 *
 * Returns: (transfer full) (element-type RfMetricValue): in the order of RfMetric, then by subject; each metric is there at
 * least once
 */
GPtrArray *rf_metrics_compute (const RfRecording *recording, gint64 start_ns, gint64 end_ns);
/** rf_metrics_find: Returns: (transfer none) (nullable) */
const RfMetricValue *rf_metrics_find (const GPtrArray *values, RfMetric metric, const char *subject);

const RfMetricInfo *rf_metric_info (RfMetric metric);
gboolean rf_metric_from_id (const char *id, RfMetric *metric);
/** rf_metric_title: Returns: (transfer none): translated: "Programs waited for memory" */
const char *rf_metric_title (RfMetric metric);
/** rf_metric_explanation: Returns: (transfer none): translated, one or two sentences */
const char *rf_metric_explanation (RfMetric metric);
/** rf_missing_text: Returns: (transfer none): translated: "recorded without tracing" */
const char *rf_missing_text (RfMissing missing);
/** rf_metric_value_text: Returns: (transfer full): @value with its unit in the user's locale; "not available" for NAN.
 * @per_hour: it is a total for each hour */
char *rf_metric_value_text (RfMetric metric, double value, gboolean per_hour);

G_END_DECLS
