/* What is computed from frames and from wake-ups. Pure, thread-safe, no allocation but where said. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfWorkCause: what a slow frame spent most of its time with; the words are in rf_work_cause_nick()
 * @RF_WORK_CAUSE_NONE: the frame was in time
 * @RF_WORK_CAUSE_LATE: woken late although a processor was free
 * @RF_WORK_CAUSE_CPU: waited for a processor, or computed
 * @RF_WORK_CAUSE_FAULT: touching its own memory, which had to come back from swap
 * @RF_WORK_CAUSE_ALLOC: getting new memory
 * @RF_WORK_CAUSE_READ: reading a file
 * @RF_WORK_CAUSE_WRITE: writing a file
 */
typedef enum {
    RF_WORK_CAUSE_NONE,
    RF_WORK_CAUSE_LATE,
    RF_WORK_CAUSE_CPU,
    RF_WORK_CAUSE_FAULT,
    RF_WORK_CAUSE_ALLOC,
    RF_WORK_CAUSE_READ,
    RF_WORK_CAUSE_WRITE,
    RF_WORK_N_CAUSES,
} RfWorkCause;

/** rf_work_cause_nick: Returns: (transfer none): "none", "late", "cpu", "fault", "alloc", "read", "write" */
const char *rf_work_cause_nick (RfWorkCause cause);

/** RF_WORK_SLOW_MS: a frame that takes longer was missed at 60 Hz */
#define RF_WORK_SLOW_MS 16.7

/**
 * RfWorkFrame: one frame
 * @time_ns: when it was due, CLOCK_MONOTONIC
 * @ms: from then until it was done
 */
typedef struct {
    gint64 time_ns;
    float ms;
    guint8 cause; /* RfWorkCause */
} RfWorkFrame;

/**
 * rf_work_cause_of:
 * @ms: of the whole frame
 * @phase: ms by cause; NONE is not looked at
 * @queued_ms: how long the thread waited for a processor in all, NAN if the kernel does not tell
 */
RfWorkCause rf_work_cause_of (double ms, const double phase[RF_WORK_N_CAUSES], double queued_ms);

/** RfWorkSummary: of @n values; without values all but @n are NAN */
typedef struct {
    gsize n;
    double p50;
    double p95;
    double p99;
    double max;
    double mean;
} RfWorkSummary;

/** rf_work_summarise: @values: sorted in place; no NAN among them */
RfWorkSummary rf_work_summarise (float *values, gsize n);

/**
 * rf_work_percentile:
 * @sorted: ascending
 * @share: 0 to 1
 *
 * Returns: the smallest value that is not exceeded by at least @share of all (nearest rank), NAN if there is none
 */
double rf_work_percentile (const float *sorted, gsize n, double share);

/** RfWorkFrames: @lost_ms: what slow frames took above RF_WORK_SLOW_MS, summed */
typedef struct {
    RfWorkSummary time;
    gsize over_16;
    gsize over_33;
    gsize over_100;
    gsize over_1000;
    double lost_ms;
    gsize by_cause[RF_WORK_N_CAUSES];
} RfWorkFrames;

/** rf_work_summarise_frames: allocates as much as the times of all frames take */
RfWorkFrames rf_work_summarise_frames (const RfWorkFrame *frames, gsize n);

/** RF_WORK_HIST_EDGES: upper edges of a histogram of delays, µs; one more bucket holds the rest */
#define RF_WORK_HIST_N 17
extern const guint rf_work_hist_edges_us[RF_WORK_HIST_N];

typedef struct {
    guint64 count[RF_WORK_HIST_N + 1];
} RfWorkHist;

/** rf_work_hist: @values_us: of which a value equal to an edge belongs below it */
RfWorkHist rf_work_hist (const float *values_us, gsize n);
/** rf_work_hist_to_text: Returns: (transfer full): "10:0,20:17,…,inf:0" */
char *rf_work_hist_to_text (const RfWorkHist *hist);

G_END_DECLS
