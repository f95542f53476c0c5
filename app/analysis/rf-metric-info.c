/* What each metric is called, in the program and in words. */
#define G_LOG_DOMAIN "rf-metric-info"
#include "config.h"

#include "rf-metrics.h"
#include "rf-tunable-text.h"

#include <math.h>

#include <glib/gi18n.h>

typedef struct {
    RfMetricInfo info;
    const char *title;
    const char *explanation;
} Entry;

#define COUNT RF_METRIC_UNIT_COUNT
#define MS RF_METRIC_UNIT_MS
#define BYTES RF_METRIC_UNIT_BYTES
#define NEITHER RF_BETTER_NEITHER
#define LOWER RF_BETTER_LOWER

static const Entry entries[] = {
    [RF_METRIC_RECLAIM_MAX]
    = {{"reclaim-max", RF_METRIC_UNIT_PAGES_PER_SECOND, LOWER, FALSE, FALSE},
       N_ ("Memory that programs had to clear themselves, worst second"),
       N_ ("Pages that programs freed themselves because the background clearing came too late, in the worst second.")},
    [RF_METRIC_RECLAIM_TOTAL]
    = {{"reclaim-total", RF_METRIC_UNIT_PAGES, LOWER, TRUE, FALSE},
       N_ ("Memory that programs had to clear themselves"),
       N_ ("While a program clears memory it does nothing else. Without memory pressure this is 0.")},
    [RF_METRIC_RECLAIM_WAIT]
    = {{"reclaim-wait", MS, LOWER, TRUE, TRUE},
       N_ ("Time that programs waited while clearing memory"),
       N_ ("The time itself, summed over all programs, from the kernel's events.")},
    [RF_METRIC_STALLS_TOTAL]
    = {{"stalls-total", COUNT, LOWER, TRUE, TRUE},
       N_ ("Programs waited for memory"),
       N_ ("How often a program asked for memory and had to clear some first. It is a number, not a duration.")},
    [RF_METRIC_STALLS_MAX]
    = {{"stalls-max", RF_METRIC_UNIT_PER_SECOND, LOWER, FALSE, FALSE},
       N_ ("Programs waited for memory, worst second"),
       N_ ("Stutter comes from many waits at once rather than from their number in an hour.")},
    [RF_METRIC_DIRTY_MEAN]
    = {{"dirty-mean", BYTES, LOWER, FALSE, FALSE},
       N_ ("Waiting to be written, mean"),
       N_ ("Data that programs have written and that is not on the drive yet.")},
    [RF_METRIC_DIRTY_MAX]
    = {{"dirty-max", BYTES, LOWER, FALSE, FALSE},
       N_ ("Waiting to be written, greatest"),
       N_ ("The more there is at once, the longer a drive is busy with nothing else.")},
    [RF_METRIC_WRITE_LATENCY_MEAN]
    = {{"write-latency-mean", MS, LOWER, FALSE, TRUE},
       N_ ("Write latency, mean"),
       N_ ("How long a drive takes for a write, from the request to its end.")},
    [RF_METRIC_WRITE_LATENCY_P99]
    = {{"write-latency-p99", MS, LOWER, FALSE, TRUE},
       N_ ("Write latency, one in a hundred is longer"),
       N_ ("What 99 of a hundred writes stay below.")},
    [RF_METRIC_WRITE_LATENCY_MAX]
    = {{"write-latency-max", MS, LOWER, FALSE, FALSE},
       N_ ("Write latency, worst case"),
       N_ ("The slowest single write. Only writes slower than the threshold of the recording are known one by one.")},
    [RF_METRIC_SWAP_CHURN]
    = {{"swap-churn", BYTES, LOWER, TRUE, FALSE},
       N_ ("Swapped out and in"),
       N_ ("Memory that was moved to the swap space and back.")},
    [RF_METRIC_SWAP_CHURN_DISK]
    = {{"swap-churn-disk", BYTES, LOWER, TRUE, FALSE},
       N_ ("Swapped out and in, on a drive"),
       N_ ("The slow part: each way waits for a drive.")},
    [RF_METRIC_SWAP_CHURN_ZRAM]
    = {{"swap-churn-zram", BYTES, NEITHER, TRUE, FALSE},
       N_ ("Swapped out and in, compressed in memory"),
       N_ ("The fast part: it costs processor time instead of waiting for a drive.")},
    [RF_METRIC_WRITE_VOLUME]
    = {{"write-volume", BYTES, LOWER, TRUE, FALSE},
       N_ ("Written to drives"),
       N_ ("All drives together, swap space included.")},
    [RF_METRIC_TILE_WORST]
    = {{"tile-worst", MS, LOWER, FALSE, TRUE},
       N_ ("Loading of scenery, worst tile"),
       N_ ("The longest load of a single tile.")},
    [RF_METRIC_TILE_LOAD]
    = {{"tile-load", MS, LOWER, FALSE, TRUE},
       N_ ("Loading of scenery, same tiles"),
       N_ ("Only tiles that both sides have loaded are compared, each with itself.")},
    [RF_METRIC_FRAMES_OVER_16]
    = {{"frames-over-16", COUNT, LOWER, TRUE, FALSE},
       N_ ("Frames over 16.7 ms"),
       N_ ("Frames that were too late for a 60 Hz screen.")},
    [RF_METRIC_FRAMES_OVER_33]
    = {{"frames-over-33", COUNT, LOWER, TRUE, TRUE},
       N_ ("Frames over 33 ms"),
       N_ ("Frames that stood for two refreshes or longer: the first that people notice.")},
    [RF_METRIC_FRAMES_OVER_100]
    = {{"frames-over-100", COUNT, LOWER, TRUE, TRUE},
       N_ ("Frames over 100 ms"),
       N_ ("Stutter that nobody misses.")},
    [RF_METRIC_FRAMES_OVER_1000]
    = {{"frames-over-1000", COUNT, LOWER, TRUE, TRUE},
       N_ ("Frames over 1 s"),
       N_ ("The picture stood still.")},
    [RF_METRIC_FRAME_P99]
    = {{"frame-p99", MS, LOWER, FALSE, TRUE},
       N_ ("Frame time, one in a hundred is longer"),
       N_ ("What 99 of a hundred frames stay below.")},
    [RF_METRIC_FRAME_MAX]
    = {{"frame-max", MS, LOWER, FALSE, FALSE},
       N_ ("Frame time, worst case"),
       N_ ("The longest frame of all.")},
    [RF_METRIC_FRAME_LOST]
    = {{"frame-lost", MS, LOWER, TRUE, TRUE},
       N_ ("Time lost in late frames"),
       N_ ("What all frames took beyond 16.7 ms, summed.")},
    [RF_METRIC_PSI_MEMORY_SOME]
    = {{"psi-memory-some", MS, LOWER, TRUE, FALSE},
       N_ ("Some program waited for memory"),
       N_ ("Time in which at least one program stood still for want of memory.")},
    [RF_METRIC_PSI_MEMORY_FULL]
    = {{"psi-memory-full", MS, LOWER, TRUE, TRUE},
       N_ ("All programs waited for memory"),
       N_ ("Time in which nothing at all went on for want of memory.")},
    [RF_METRIC_PSI_IO_SOME]
    = {{"psi-io-some", MS, LOWER, TRUE, FALSE},
       N_ ("Some program waited for a drive"),
       N_ ("Time in which at least one program stood still until a drive had answered.")},
    [RF_METRIC_PSI_IO_FULL]
    = {{"psi-io-full", MS, LOWER, TRUE, TRUE},
       N_ ("All programs waited for a drive"),
       N_ ("Time in which nothing at all went on until a drive had answered.")},
    [RF_METRIC_PSI_CPU_SOME]
    = {{"psi-cpu-some", MS, LOWER, TRUE, FALSE},
       N_ ("Some program waited for the processor"),
       N_ ("Time in which at least one program could have run, but no processor was free.")},
    [RF_METRIC_BURST_200MS]
    = {{"burst-0.2s", RF_METRIC_UNIT_RATIO, LOWER, FALSE, FALSE},
       N_ ("Greatest burst in 0.2 s against the head start"),
       N_ ("How far free memory fell at once, as a share of the distance between the thresholds low and min. If it is "
           "more than the whole of it, the background clearing cannot have been in time.")},
    [RF_METRIC_BURST_1S]
    = {{"burst-1s", RF_METRIC_UNIT_RATIO, LOWER, FALSE, FALSE},
       N_ ("Greatest burst in 1 s against the head start"),
       N_ ("The same over one second.")},
    [RF_METRIC_BURST_5S]
    = {{"burst-5s", RF_METRIC_UNIT_RATIO, LOWER, FALSE, FALSE},
       N_ ("Greatest burst in 5 s against the head start"),
       N_ ("The same over five seconds.")},
    [RF_METRIC_FALL_200MS]
    = {{"fall-0.2s", BYTES, NEITHER, FALSE, FALSE},
       N_ ("Greatest fall of free memory in 0.2 s"),
       N_ ("What programs took at once. It is the load's, not the settings'.")},
    [RF_METRIC_FALL_1S]
    = {{"fall-1s", BYTES, NEITHER, FALSE, FALSE},
       N_ ("Greatest fall of free memory in 1 s"),
       N_ ("The same over one second.")},
    [RF_METRIC_FALL_5S]
    = {{"fall-5s", BYTES, NEITHER, FALSE, FALSE},
       N_ ("Greatest fall of free memory in 5 s"),
       N_ ("The same over five seconds.")},
    [RF_METRIC_IOWAIT_HOUR]
    = {{"iowait-hour", RF_METRIC_UNIT_RATIO, LOWER, FALSE, FALSE},
       N_ ("Processor waiting for drives, by hour of the day"),
       N_ ("Shows what comes at a certain time of the day: a backup, an update, an index.")},
    [RF_METRIC_MEMORY_KIND]
    = {{"memory-kind", BYTES, NEITHER, FALSE, FALSE},
       N_ ("Memory by kind, mean"),
       N_ ("What the memory was used for.")},
    [RF_METRIC_ZRAM_RATIO]
    = {{"zram-ratio", RF_METRIC_UNIT_PLAIN, RF_BETTER_HIGHER, FALSE, FALSE},
       N_ ("Compression of swap in memory"),
       N_ ("What is stored for each byte of memory that it takes. Below 1.5 it hardly pays.")},
    [RF_METRIC_TLB_SHOOTDOWNS]
    = {{"tlb-shootdowns", COUNT, NEITHER, TRUE, FALSE},
       N_ ("TLB shootdowns"),
       N_ ("Processors that were told to forget addresses of memory. No setting here is known to change it.")},
    [RF_METRIC_OWN_STALL]
    = {{"own-stall", MS, NEITHER, FALSE, FALSE},
       N_ ("The measurement itself came late, worst case"),
       N_ ("If this is long the machine was so busy that even the measurement stood still.")},
};

G_STATIC_ASSERT (G_N_ELEMENTS (entries) == RF_N_METRICS);

const RfMetricInfo *
rf_metric_info (RfMetric metric)
{
    g_return_val_if_fail ((guint)metric < RF_N_METRICS, NULL);
    return &entries[metric].info;
}

gboolean
rf_metric_from_id (const char *id, RfMetric *metric)
{
    for (guint i = 0; i < RF_N_METRICS; i++)
        if (g_str_equal (entries[i].info.id, id)) {
            *metric = i;
            return TRUE;
        }
    return FALSE;
}

const char *
rf_metric_title (RfMetric metric)
{
    g_return_val_if_fail ((guint)metric < RF_N_METRICS, NULL);
    return _ (entries[metric].title);
}

const char *
rf_metric_explanation (RfMetric metric)
{
    g_return_val_if_fail ((guint)metric < RF_N_METRICS, NULL);
    return _ (entries[metric].explanation);
}

const char *
rf_missing_text (RfMissing missing)
{
    switch (missing) {
    case RF_MISSING_TABLE:
        return _ ("not recorded");
    case RF_MISSING_VALUES:
        return _ ("not offered by this kernel or source");
    case RF_MISSING_TRACE:
        return _ ("recorded without tracing");
    case RF_MISSING_RARE:
        return _ ("recorded too rarely");
    case RF_MISSING_EVENTS:
        return _ ("there was none");
    case RF_MISSING_MIXED:
        return _ ("drive and zram cannot be told apart");
    case RF_MISSING_CLOCK:
        return _ ("recorded without the time of the day");
    case RF_MISSING_NOT:
    case RF_N_MISSING:
    default:
        return "";
    }
}

static char *
number_text (double value)
{
    int digits = fabs (value) >= 100 || value == round (value) ? 0 : fabs (value) >= 10 ? 1 : 2;
    return g_strdup_printf ("%'.*f", digits, value);
}

static char *
unit_text (RfMetricUnit unit, double value)
{
    g_autofree char *number = number_text (value);
    switch (unit) {
    case RF_METRIC_UNIT_PER_SECOND:
        return rf_format_per_s (value);
    case RF_METRIC_UNIT_PAGES:
        /* TRANSLATORS: memory pages */
        return g_strdup_printf (_ ("%s pages"), number);
    case RF_METRIC_UNIT_PAGES_PER_SECOND:
        return rf_measure_format (RF_MEASURE_PAGES_PER_SECOND, value);
    case RF_METRIC_UNIT_BYTES:
        return rf_format_bytes (value > 0 ? (guint64)value : 0);
    case RF_METRIC_UNIT_MS:
        return rf_format_ms (value);
    case RF_METRIC_UNIT_RATIO:
        return rf_format_percent (value);
    case RF_METRIC_UNIT_COUNT:
    case RF_METRIC_UNIT_PLAIN:
    default:
        return g_steal_pointer (&number);
    }
}

char *
rf_metric_value_text (RfMetric metric, double value, gboolean per_hour)
{
    g_return_val_if_fail ((guint)metric < RF_N_METRICS, NULL);
    if (!isfinite (value))
        return g_strdup (_ ("not available"));
    g_autofree char *text = unit_text (entries[metric].info.unit, value);
    /* TRANSLATORS: so much in each hour: "12 /h", "1.4 GiB /h" */
    return per_hour ? g_strdup_printf (_ ("%s /h"), text) : g_steal_pointer (&text);
}
