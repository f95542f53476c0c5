#define G_LOG_DOMAIN "rf-monitor-cards"

#include "config.h"

#include "rf-monitor-cards.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-graph-paint.h"
#include "rf-tunable-text.h"

#define MAX_CARD_LINES 3

typedef char *(*RfValueWords) (RfSampler *sampler, const RfSample *sample);

struct _RfMonitorCard {
    const char *id;
    RfMonitorGroup group;
    const char *title;
    const char *explanation;
    RfMeasure measure;
    char *(*format) (double value); /* where the measure has no unit */
    double floor;                   /* the axis reaches at least so far, so that calm looks calm */
    guint n_lines;
    RfColumn column[MAX_CARD_LINES];
    const char *label[MAX_CARD_LINES]; /* NULL: no legend */
    RfValueWords words;
    gboolean needs_swap;
    RfDiskColumn disk_column; /* only where n_lines is 0: one line a disk */
    void (*thresholds) (RfGraph *graph, const RfSample *sample);
};

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

guint
rf_monitor_cards_count (void)
{
    return G_N_ELEMENTS (cards);
}

const RfMonitorCard *
rf_monitor_cards_get (guint index)
{
    g_return_val_if_fail (index < G_N_ELEMENTS (cards), NULL);

    return &cards[index];
}

const RfMonitorCard *
rf_monitor_cards_find (const char *id)
{
    for (guint i = 0; i < G_N_ELEMENTS (cards); i++) {
        if (g_strcmp0 (cards[i].id, id) == 0)
            return &cards[i];
    }
    return NULL;
}

const char **
rf_monitor_cards_ids (void)
{
    const char **ids = g_new0 (const char *, G_N_ELEMENTS (cards) + 1);

    for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
        ids[i] = cards[i].id;
    return ids;
}

const char *
rf_monitor_card_id (const RfMonitorCard *card)
{
    return card->id;
}

const char *
rf_monitor_card_title (const RfMonitorCard *card)
{
    return _ (card->title);
}

RfMonitorGroup
rf_monitor_card_group (const RfMonitorCard *card)
{
    return card->group;
}

const char *
rf_monitor_group_title (RfMonitorGroup group)
{
    switch (group) {
    case RF_MONITOR_GROUP_MEMORY:
        return _ ("Memory");
    case RF_MONITOR_GROUP_DRIVES:
        return _ ("Drives and swap");
    case RF_MONITOR_GROUP_CPU:
        return _ ("Processor");
    case RF_N_MONITOR_GROUPS:
        break;
    }
    g_return_val_if_reached ("");
}

GtkWidget *
rf_monitor_card_create (const RfMonitorCard *card, RfSampler *sampler)
{
    GtkWidget *widget = rf_graph_card_new (_ (card->title), _ (card->explanation), card->measure);

    rf_graph_set_floor (rf_graph_card_get_graph (RF_GRAPH_CARD (widget)), card->floor);
    rf_graph_set_format (rf_graph_card_get_graph (RF_GRAPH_CARD (widget)), card->format);
    for (guint i = 0; i < card->n_lines; i++)
        rf_graph_card_add_line (RF_GRAPH_CARD (widget), rf_sampler_get_series (sampler, card->column[i]),
                                card->label[i] != NULL ? _ (card->label[i]) : NULL);
    gtk_widget_set_name (widget, card->id);
    rf_graph_card_set_topic (RF_GRAPH_CARD (widget), card->id, _ (card->title));
    return widget;
}

/* The first reason that is not just "the first second". */
static RfAvail
worst_avail (const RfMonitorCard *card, const RfSample *sample, gboolean *all_missing)
{
    RfAvail why = RF_AVAIL_OK;

    *all_missing = TRUE;
    for (guint i = 0; i < card->n_lines; i++) {
        const RfAvail avail = sample->avail[card->column[i]];

        if (avail == RF_AVAIL_OK || avail == RF_AVAIL_NO_BASELINE)
            *all_missing = FALSE;
        else if (why == RF_AVAIL_OK)
            why = avail;
    }
    return why;
}

static void
update_columns (const RfMonitorCard *card, RfGraphCard *widget, const RfSample *sample)
{
    for (guint i = 0; i < card->n_lines; i++) {
        const RfAvail avail = sample->avail[card->column[i]];
        g_autofree char *text = NULL;

        if (card->label[i] == NULL)
            continue;
        if (avail == RF_AVAIL_OK)
            text = rf_measure_format (card->measure, sample->value[card->column[i]]);
        else
            text = g_strdup (avail == RF_AVAIL_NO_BASELINE ? "…" : rf_avail_text (avail));
        rf_graph_card_set_line_value (widget, i, text);
    }
}

static char *
disk_words (const RfMonitorCard *card, double value)
{
    if (card->disk_column == RF_DISK_COLUMN_LATENCY)
        return isfinite (value) ? rf_format_ms (value) : g_strdup ("–");
    return rf_measure_format (card->measure, value);
}

guint
rf_monitor_cards_follow_disks (RfGraphCard *widget, RfSampler *sampler, RfDiskColumn column, gboolean legend)
{
    g_auto (GStrv) disks = rf_sampler_get_disks (sampler);
    const guint n_disks = MIN (g_strv_length (disks), RF_GRAPH_MAX_LINES);
    g_autofree char *names = g_strjoinv ("\n", disks);

    if (g_strcmp0 (g_object_get_data (G_OBJECT (widget), "rf-disks"), names) != 0) {
        rf_graph_card_clear_lines (widget);
        for (guint i = 0; i < n_disks; i++)
            rf_graph_card_add_line (widget, rf_sampler_get_disk_series (sampler, disks[i], column),
                                    legend ? disks[i] : NULL);
        g_object_set_data_full (G_OBJECT (widget), "rf-disks", g_steal_pointer (&names), g_free);
    }
    return n_disks;
}

static void
update_disks (const RfMonitorCard *card, RfGraphCard *widget, RfSampler *sampler)
{
    const guint n_disks = rf_monitor_cards_follow_disks (widget, sampler, card->disk_column, TRUE);
    g_auto (GStrv) disks = rf_sampler_get_disks (sampler);

    for (guint i = 0; i < n_disks; i++) {
        RfSeries *series = rf_sampler_get_disk_series (sampler, disks[i], card->disk_column);
        g_autofree char *text = disk_words (card, rf_series_get (series, 0));

        rf_graph_card_set_line_value (widget, i, text);
    }
}

void
rf_monitor_card_add_columns (const RfMonitorCard *card, RfSampler *sampler, GArray *columns)
{
    g_auto (GStrv) disks = rf_sampler_get_disks (sampler);

    for (guint i = 0; i < card->n_lines; i++)
        rf_series_columns_add (columns, rf_column_info (card->column[i])->name,
                               rf_sampler_get_series (sampler, card->column[i]));
    for (guint i = 0; card->n_lines == 0 && disks[i] != NULL; i++) {
        g_autofree char *name = g_strconcat (
            disks[i], card->disk_column == RF_DISK_COLUMN_LATENCY ? "_latency_ms" : "_bytes_per_s", NULL);

        rf_series_columns_add (columns, name, rf_sampler_get_disk_series (sampler, disks[i], card->disk_column));
    }
}

void
rf_monitor_card_update (const RfMonitorCard *card, RfGraphCard *widget, RfSampler *sampler)
{
    const RfSample *sample = rf_sampler_get_sample (sampler);
    const RfSnapshot *snapshot = rf_sampler_get_snapshot (sampler);
    gboolean all_missing = FALSE;
    RfAvail why = RF_AVAIL_OK;
    g_autofree char *words = NULL;

    if (sample == NULL)
        return;
    if (card->n_lines > 0) {
        why = worst_avail (card, sample, &all_missing);
        update_columns (card, widget, sample);
    } else {
        update_disks (card, widget, sampler);
        all_missing = sample->disks->len == 0;
        why = RF_AVAIL_NO_DEVICE;
    }
    if (card->needs_swap && rf_counter_ok (snapshot->meminfo.swap_total) && snapshot->meminfo.swap_total.value == 0) {
        rf_graph_card_set_unavailable (widget, _ ("There is no swap on this computer."));
    } else if (all_missing) {
        rf_graph_card_set_unavailable (widget, rf_avail_text (why));
    } else {
        rf_graph_card_set_unavailable (widget, NULL);
        words = sample->interval_s > 0 || card->measure == RF_MEASURE_BYTES ? card->words (sampler, sample)
                                                                            : g_strdup ("…");
        rf_graph_card_set_value (widget, words);
        if (card->thresholds != NULL)
            card->thresholds (rf_graph_card_get_graph (widget), sample);
    }
    rf_graph_card_refresh (widget);
}
