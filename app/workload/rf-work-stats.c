#define G_LOG_DOMAIN "rf-work-stats"
#include "config.h"

#include "rf-work-stats.h"

#include "rf-array.h"

#include <math.h>
#include <stdlib.h>

const guint rf_work_hist_edges_us[RF_WORK_HIST_N] = {
    10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000,
};

const char *
rf_work_cause_nick (RfWorkCause cause)
{
    static const char *const nicks[RF_WORK_N_CAUSES] = {"none", "late", "cpu", "fault", "alloc", "read", "write"};
    g_return_val_if_fail ((guint)cause < RF_WORK_N_CAUSES, "none");
    return nicks[cause];
}

RfWorkCause
rf_work_cause_of (double ms, const double phase[RF_WORK_N_CAUSES], double queued_ms)
{
    RfWorkCause cause = RF_WORK_CAUSE_LATE;
    if (ms <= RF_WORK_SLOW_MS)
        return RF_WORK_CAUSE_NONE;
    /* waiting for a processor happens inside the phases, so it has to be looked at first; NAN compares as FALSE */
    if (queued_ms > ms / 2)
        return RF_WORK_CAUSE_CPU;
    for (RfWorkCause i = RF_WORK_CAUSE_CPU; i < RF_WORK_N_CAUSES; i++)
        if (phase[i] > phase[cause])
            cause = i;
    return cause;
}

static int
compare (gconstpointer a, gconstpointer b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double
rf_work_percentile (const float *sorted, gsize n, double share)
{
    if (n == 0)
        return NAN;
    double rank = ceil (share * (double)n);
    gsize i = rank < 1 ? 0 : (gsize)rank - 1;
    return (double)sorted[MIN (i, n - 1)];
}

RfWorkSummary
rf_work_summarise (float *values, gsize n)
{
    RfWorkSummary summary = {n, NAN, NAN, NAN, NAN, NAN};
    double sum = 0;
    if (n == 0)
        return summary;
    qsort (values, n, sizeof *values, compare);
    for (gsize i = 0; i < n; i++)
        sum += (double)values[i];
    summary.p50 = rf_work_percentile (values, n, 0.50);
    summary.p95 = rf_work_percentile (values, n, 0.95);
    summary.p99 = rf_work_percentile (values, n, 0.99);
    summary.max = (double)values[n - 1];
    summary.mean = sum / (double)n;
    return summary;
}

RfWorkFrames
rf_work_summarise_frames (const RfWorkFrame *frames, gsize n)
{
    RfWorkFrames result = {0};
    g_autofree float *ms = rf_new0 (float, MAX (n, 1));
    for (gsize i = 0; i < n; i++) {
        double d = (double)frames[i].ms;
        ms[i] = frames[i].ms;
        result.over_16 += d > RF_WORK_SLOW_MS;
        result.over_33 += d > 33;
        result.over_100 += d > 100;
        result.over_1000 += d > 1000;
        result.lost_ms += MAX (0, d - RF_WORK_SLOW_MS);
        result.by_cause[frames[i].cause < RF_WORK_N_CAUSES ? frames[i].cause : RF_WORK_CAUSE_NONE]++;
    }
    result.time = rf_work_summarise (ms, n);
    return result;
}

RfWorkHist
rf_work_hist (const float *values_us, gsize n)
{
    RfWorkHist hist = {0};
    for (gsize i = 0; i < n; i++) {
        guint bucket = 0;
        while (bucket < RF_WORK_HIST_N && values_us[i] > (float)rf_work_hist_edges_us[bucket])
            bucket++;
        hist.count[bucket]++;
    }
    return hist;
}

char *
rf_work_hist_to_text (const RfWorkHist *hist)
{
    GString *text = g_string_new (NULL);
    for (guint i = 0; i < RF_WORK_HIST_N; i++)
        g_string_append_printf (text, "%u:%" G_GUINT64_FORMAT ",", rf_work_hist_edges_us[i], hist->count[i]);
    g_string_append_printf (text, "inf:%" G_GUINT64_FORMAT, hist->count[RF_WORK_HIST_N]);
    return g_string_free (text, FALSE);
}
