/* What the cards show and how they say it. */
#define G_LOG_DOMAIN "rf-monitor-cards"

#include "config.h"

#include "rf-monitor-cards-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-tunable-text.h"

static double
value_of (const RfSample *sample, RfColumn column)
{
    return sample->avail[column] == RF_AVAIL_OK ? sample->value[column] : NAN;
}

/* "none" is what a person says for zero; it has a context for each kind, because many languages inflect it */
static char *
count_words (double value)
{
    /* Translators: how many programs waited, or how many interruptions there were */
    return value == 0 ? g_strdup (C_ ("rate", "none")) : rf_format_per_s (value);
}

static char *
traffic_rate_words (double value)
{
    /* Translators: how much was read and written; the titles are "Drive throughput" and "Swap traffic" */
    return value == 0 ? g_strdup (C_ ("traffic", "none")) : rf_format_bytes_per_s (value);
}

static char *
stalls_words (RfSampler *sampler, const RfSample *sample)
{
    return count_words (value_of (sample, RF_COLUMN_ALLOCSTALLS));
}

static char *
free_words (RfSampler *sampler, const RfSample *sample)
{
    return rf_measure_format (RF_MEASURE_BYTES, value_of (sample, RF_COLUMN_FREE));
}

static char *
reclaim_words (RfSampler *sampler, const RfSample *sample)
{
    const double direct = value_of (sample, RF_COLUMN_DIRECT_RECLAIM);
    const double kswapd = value_of (sample, RF_COLUMN_KSWAPD);

    if (direct > 0)
        /* Translators: who clears memory at this moment; the card's title is "Clearing memory" */
        return g_strdup (C_ ("clearing memory", "by programs"));
    if (kswapd > 0)
        return g_strdup (C_ ("clearing memory", "in the background"));
    return g_strdup (C_ ("clearing memory", "none"));
}

static char *
pressure_words (RfSampler *sampler, const RfSample *sample)
{
    static const RfColumn columns[] = {RF_COLUMN_PSI_MEMORY_SOME, RF_COLUMN_PSI_IO_SOME, RF_COLUMN_PSI_CPU_SOME};
    double largest = NAN;

    for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        largest = fmax (largest, value_of (sample, columns[i]));
    return rf_measure_format (RF_MEASURE_RATIO, largest);
}

static char *
dirty_words (RfSampler *sampler, const RfSample *sample)
{
    return rf_measure_format (RF_MEASURE_BYTES,
                              value_of (sample, RF_COLUMN_DIRTY) + value_of (sample, RF_COLUMN_WRITEBACK));
}

static char *
latency_words (RfSampler *sampler, const RfSample *sample)
{
    double worst = NAN;

    for (guint i = 0; i < sample->disks->len; i++)
        worst = fmax (worst, rf_disk_sample_latency_ms (&g_array_index (sample->disks, RfDiskSample, i)));
    return isfinite (worst) ? rf_format_ms (worst) : g_strdup (_ ("no requests"));
}

static char *
traffic_words (RfSampler *sampler, const RfSample *sample)
{
    double sum = 0;

    for (guint i = 0; i < sample->disks->len; i++) {
        const RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, i);

        if (isfinite (disk->read_bytes_per_s))
            sum += disk->read_bytes_per_s;
        if (isfinite (disk->write_bytes_per_s))
            sum += disk->write_bytes_per_s;
    }
    return traffic_rate_words (sum);
}

static char *
swap_words (RfSampler *sampler, const RfSample *sample)
{
    const double ratio = value_of (sample, RF_COLUMN_ZRAM_RATIO);
    g_autofree char *rate
        = traffic_rate_words (value_of (sample, RF_COLUMN_SWAP_IN) + value_of (sample, RF_COLUMN_SWAP_OUT));

    if (!isfinite (ratio))
        return g_steal_pointer (&rate);
    /* Translators: swap traffic and how well compressed swap in memory compresses: "12 MB/s · zram 2.4 : 1" */
    return g_strdup_printf (_ ("%s · zram %.1f : 1"), rate, ratio);
}

static char *
cpu_words (RfSampler *sampler, const RfSample *sample)
{
    return rf_measure_format (RF_MEASURE_RATIO, value_of (sample, RF_COLUMN_CPU_BUSY));
}

static char *
tlb_words (RfSampler *sampler, const RfSample *sample)
{
    return count_words (value_of (sample, RF_COLUMN_TLB_SHOOTDOWNS));
}

static void
free_thresholds (RfGraph *graph, const RfSample *sample)
{
    /* Translators: words at a line in the graph; "low" and "min" are the kernel's names, keep them */
    rf_graph_set_threshold (graph, 0, RF_THRESHOLD_WARNING, value_of (sample, RF_COLUMN_WATERMARK_LOW),
                            _ ("low: kernel starts clearing"));
    rf_graph_set_threshold (graph, 1, RF_THRESHOLD_DANGER, value_of (sample, RF_COLUMN_WATERMARK_MIN),
                            _ ("min: programs wait"));
    rf_graph_set_band (graph, 1, RF_GRAPH_BAND_BELOW);
}

static void
dirty_thresholds (RfGraph *graph, const RfSample *sample)
{
    const double limit = value_of (sample, RF_COLUMN_DIRTY_LIMIT);

    rf_graph_set_threshold (graph, 0, RF_THRESHOLD_DANGER, limit, _ ("writers are slowed"));
    rf_graph_set_band (graph, 0, RF_GRAPH_BAND_ABOVE);
    rf_graph_set_threshold (graph, 1, RF_THRESHOLD_WARNING, value_of (sample, RF_COLUMN_DIRTY_BACKGROUND_LIMIT),
                            _ ("writing back starts"));
    if (limit > 0)
        rf_graph_set_floor (graph, limit);
}

static const RfMonitorCard cards[] = {
    {
        .id = "stalls",
        .group = RF_MONITOR_GROUP_MEMORY,
        .title = N_ ("Programs waiting for memory"),
        .explanation = N_ ("Each count is a program that was held up while the kernel cleared memory. None is what you "
                           "want."),
        .measure = RF_MEASURE_PER_SECOND,
        .floor = 20,
        .n_lines = 1,
        .column = {RF_COLUMN_ALLOCSTALLS},
        .words = stalls_words,
    },
    {
        .id = "free",
        .group = RF_MONITOR_GROUP_MEMORY,
        .title = N_ ("Free memory"),
        .explanation = N_ ("When the line touches “min”, programs wait, however much memory is “available”."),
        .measure = RF_MEASURE_BYTES,
        .floor = 256.0 * 1024 * 1024,
        .n_lines = 1,
        .column = {RF_COLUMN_FREE},
        .words = free_words,
        .thresholds = free_thresholds,
    },
    {
        .id = "reclaim",
        .group = RF_MONITOR_GROUP_MEMORY,
        .title = N_ ("Clearing memory"),
        .explanation
        = N_ ("Background clearing is harmless. Programs that clear memory themselves stand still meanwhile."),
        .measure = RF_MEASURE_PAGES_PER_SECOND,
        .floor = 2000,
        .n_lines = 2,
        .column = {RF_COLUMN_KSWAPD, RF_COLUMN_DIRECT_RECLAIM},
        .label = {N_ ("in the background"), N_ ("by programs")},
        .words = reclaim_words,
    },
    {
        .id = "pressure",
        .group = RF_MONITOR_GROUP_MEMORY,
        .title = N_ ("Pressure"),
        .explanation = N_ ("The share of time in which at least one program waited for memory, for a drive or for a "
                           "processor."),
        .measure = RF_MEASURE_RATIO,
        .floor = 0.2,
        .n_lines = 3,
        .column = {RF_COLUMN_PSI_MEMORY_SOME, RF_COLUMN_PSI_IO_SOME, RF_COLUMN_PSI_CPU_SOME},
        .label = {N_ ("memory"), N_ ("drives"), N_ ("processor")},
        .words = pressure_words,
    },
    {
        .id = "dirty",
        .group = RF_MONITOR_GROUP_DRIVES,
        .title = N_ ("Waiting to be written"),
        .explanation
        = N_ ("What programs have written and no drive has yet. At the upper line every program that writes "
              "is slowed."),
        .measure = RF_MEASURE_BYTES,
        .floor = 64.0 * 1024 * 1024,
        .n_lines = 2,
        .column = {RF_COLUMN_DIRTY, RF_COLUMN_WRITEBACK},
        .label = {N_ ("waiting"), N_ ("on its way")},
        .words = dirty_words,
        .thresholds = dirty_thresholds,
    },
    {
        .id = "latency",
        .group = RF_MONITOR_GROUP_DRIVES,
        .title = N_ ("Drive latency"),
        .explanation
        = N_ ("How long a drive takes for one request, on average. A gap means that nothing was asked of it."),
        .measure = RF_MEASURE_PLAIN,
        .format = rf_format_ms,
        .floor = 20,
        .disk_column = RF_DISK_COLUMN_LATENCY,
        .words = latency_words,
    },
    {
        .id = "throughput",
        .group = RF_MONITOR_GROUP_DRIVES,
        .title = N_ ("Drive throughput"),
        .explanation = N_ ("Read and written together. High throughput alone is no stutter; together with high latency "
                           "it is."),
        .measure = RF_MEASURE_BYTES_PER_SECOND,
        .floor = 50e6,
        .disk_column = RF_DISK_COLUMN_TRAFFIC,
        .words = traffic_words,
    },
    {
        .id = "swap",
        .group = RF_MONITOR_GROUP_DRIVES,
        .needs_swap = TRUE,
        .title = N_ ("Swap traffic"),
        .explanation
        = N_ ("Memory that is swapped out and soon fetched back again is felt as stutter; out alone is not."),
        .measure = RF_MEASURE_BYTES_PER_SECOND,
        .floor = 5e6,
        .n_lines = 2,
        .column = {RF_COLUMN_SWAP_IN, RF_COLUMN_SWAP_OUT},
        .label = {N_ ("in"), N_ ("out")},
        .words = swap_words,
    },
    {
        .id = "cpu",
        .group = RF_MONITOR_GROUP_CPU,
        .title = N_ ("Processor"),
        .explanation = N_ ("“Waiting for drives” is idle time with a request under way; “taken” is what other virtual "
                           "machines had."),
        .measure = RF_MEASURE_RATIO,
        .floor = 1,
        .n_lines = 3,
        .column = {RF_COLUMN_CPU_BUSY, RF_COLUMN_CPU_IOWAIT, RF_COLUMN_CPU_STEAL},
        .label = {N_ ("busy"), N_ ("waiting for drives"), N_ ("taken")},
        .words = cpu_words,
    },
    {
        .id = "tlb",
        .group = RF_MONITOR_GROUP_CPU,
        .title = N_ ("TLB shootdowns"),
        .explanation = N_ ("How often one processor interrupted another because memory was moved or unmapped. Clearing "
                           "memory raises it."),
        .measure = RF_MEASURE_PER_SECOND,
        .floor = 2000,
        .n_lines = 1,
        .column = {RF_COLUMN_TLB_SHOOTDOWNS},
        .words = tlb_words,
    },
};

const RfMonitorCard *
rf_monitor_table (guint *n)
{
    *n = G_N_ELEMENTS (cards);
    return cards;
}
