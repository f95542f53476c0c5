#define G_LOG_DOMAIN "rf-evidence"
#include "config.h"

#include "rf-evidence.h"

#include "rf-live-card.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define WINDOW_S 300 /* what "lately" means, seconds */
#define MAX_DISKS 4  /* lines that can still be told apart in a small graph */

struct _RfEvidence {
    GtkWidget parent_instance;
    GtkWidget *card;
    RfSampler *sampler;
    RfFacts *facts;
    guint step;
    gulong sampled;
    char *drawn; /* names of the drives in the graph, NULL before the first */
};

G_DEFINE_FINAL_TYPE (RfEvidence, rf_evidence, GTK_TYPE_WIDGET)

static guint
window_samples (RfEvidence *self)
{
    return MAX (2u, WINDOW_S * 1000u / MAX (1u, rf_sampler_get_interval_ms (self->sampler)));
}

static double
newest (RfEvidence *self, RfColumn column)
{
    const RfSample *sample = rf_sampler_get_sample (self->sampler);
    return sample != NULL ? sample->value[column] : NAN;
}

/* How fast free memory fell at most, bytes per second; 0 if it never fell. */
static double
largest_fall (RfEvidence *self)
{
    RfSeries *series = rf_sampler_get_series (self->sampler, RF_COLUMN_FREE);
    guint n = MIN (rf_series_length (series), window_samples (self));
    guint second = MAX (1, 1000 / rf_sampler_get_interval_ms (self->sampler));
    double fall = 0;
    for (guint i = 0; i + second < n; i++) {
        double after = rf_series_get (series, i), before = rf_series_get (series, i + second);
        if (!isnan (after) && !isnan (before))
            fall = MAX (fall, before - after);
    }
    return fall * 1000.0 / (second * rf_sampler_get_interval_ms (self->sampler));
}

static char *
stalls_text (RfEvidence *self)
{
    const RfSample *sample = rf_sampler_get_sample (self->sampler);
    double covered = 0;
    double stalls = rf_sampler_sum (self->sampler, RF_COLUMN_ALLOCSTALLS, WINDOW_S, &covered);
    if (isnan (stalls) || covered < 1)
        return g_strdup (sample != NULL && sample->avail[RF_COLUMN_ALLOCSTALLS] != RF_AVAIL_OK
                                 && sample->avail[RF_COLUMN_ALLOCSTALLS] != RF_AVAIL_NO_BASELINE
                             ? rf_avail_text (sample->avail[RF_COLUMN_ALLOCSTALLS])
                             : _ ("measuring…"));
    gulong n = (gulong) (stalls + 0.5);
    g_autofree char *time = rf_format_duration (floor (covered + 0.5));
    /* TRANSLATORS: how often programs had to wait for memory; %2$s is a duration such as "5 min" */
    return g_strdup_printf (ngettext ("%1$lu wait in %2$s", "%1$lu waits in %2$s", n), n, time);
}

static void
update_memory (RfEvidence *self)
{
    RfGraph *graph = rf_live_card_get_graph (RF_LIVE_CARD (self->card));
    double min = newest (self, RF_COLUMN_WATERMARK_MIN), low = newest (self, RF_COLUMN_WATERMARK_LOW);
    g_autofree char *value = stalls_text (self);
    g_autofree char *fall = rf_format_bytes ((guint64) MAX (0, largest_fall (self)));
    g_autofree char *caption = NULL;
    rf_graph_set_threshold (graph, 0, RF_THRESHOLD_WARNING, low, _ ("clearing starts"));
    rf_graph_set_threshold (graph, 1, RF_THRESHOLD_DANGER, min, _ ("programs wait"));
    if (isnan (min) || isnan (low)) {
        caption = g_strdup_printf (_ ("Free memory. Largest fall: %s in one second."), fall);
    } else {
        g_autofree char *start = rf_format_bytes ((guint64) MAX (0, low - min));
        caption = g_strdup_printf (_ ("Free memory. Largest fall: %1$s in one second. Head start today: %2$s."), fall,
                                   start);
    }
    rf_live_card_set_text (RF_LIVE_CARD (self->card), value, caption);
}

static void
append_disk (RfEvidence *self, GString *text, const char *name)
{
    RfSeries *reads = rf_sampler_get_disk_series (self->sampler, name, RF_DISK_COLUMN_READ_LATENCY);
    RfSeries *writes = rf_sampler_get_disk_series (self->sampler, name, RF_DISK_COLUMN_WRITE_LATENCY);
    double read_min = 0, read_max = NAN, write_min = 0, write_max = NAN;
    if (reads == NULL || !rf_series_range (reads, window_samples (self), &read_min, &read_max))
        read_max = NAN;
    if (writes == NULL || !rf_series_range (writes, window_samples (self), &write_min, &write_max))
        write_max = NAN;
    if (text->len > 0)
        g_string_append_c (text, '\n');
    if (isnan (read_max) && isnan (write_max)) {
        g_string_append_printf (text, _ ("%s: idle."), name);
        return;
    }
    g_autofree char *read = isnan (read_max) ? g_strdup (_ ("idle")) : rf_format_ms (read_max);
    g_autofree char *write = isnan (write_max) ? g_strdup (_ ("idle")) : rf_format_ms (write_max);
    /* TRANSLATORS: %1$s is a drive; then the worst latencies of the last minutes */
    g_string_append_printf (text, _ ("%1$s: reading %2$s, writing %3$s at worst."), name, read, write);
}

/* The drives themselves: what is stacked on them (encryption, LVM, RAID) would only show the same again. */
static char **
real_disks (RfEvidence *self)
{
    g_auto (GStrv) all = rf_sampler_get_disks (self->sampler);
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    for (guint i = 0; all[i] != NULL; i++) {
        const RfDisk *disk = rf_facts_find_disk (self->facts, all[i]);
        if (disk == NULL || (disk->kind != RF_DISK_DM && disk->kind != RF_DISK_MD))
            g_strv_builder_add (builder, all[i]);
    }
    return g_strv_builder_end (builder);
}

static void
update_disks (RfEvidence *self)
{
    RfGraph *graph = rf_live_card_get_graph (RF_LIVE_CARD (self->card));
    g_auto (GStrv) disks = real_disks (self);
    guint n = MIN (g_strv_length (disks), MAX_DISKS);
    g_autofree char *names = g_strjoinv ("\n", disks);
    g_autoptr (GString) caption = g_string_new (NULL);
    double worst = 0;
    /* by their names: one drive may have come for another */
    gboolean others = g_strcmp0 (self->drawn, names) != 0;
    if (others)
        rf_graph_remove_lines (graph);
    for (guint i = 0; i < n; i++) {
        RfSeries *series = rf_sampler_get_disk_series (self->sampler, disks[i], RF_DISK_COLUMN_WRITE_LATENCY);
        if (others && series != NULL)
            rf_graph_add_line (graph, series, disks[i]);
        double now = series != NULL ? rf_series_get (series, 0) : NAN;
        worst = isnan (now) ? worst : MAX (worst, now);
        append_disk (self, caption, disks[i]);
    }
    g_free (self->drawn);
    self->drawn = g_steal_pointer (&names);
    if (n == 0)
        g_string_append (caption, _ ("No drive has been seen yet."));
    g_autofree char *latency = rf_format_ms (worst);
    /* TRANSLATORS: mean time a write takes at the moment; %s such as "1.9 ms" */
    g_autofree char *value = worst > 0 ? g_strdup_printf (_ ("writing takes %s"), latency) : g_strdup (_ ("no writing"));
    rf_live_card_set_text (RF_LIVE_CARD (self->card), value, caption->str);
}

static char *
swap_place (const RfSwapDevice *swap)
{
    switch (swap->kind) {
    case RF_SWAP_ZRAM:
        return g_strdup (_ ("Compressed swap in memory (zram)."));
    case RF_SWAP_DELETED:
        return g_strdup (_ ("A swap file that has been deleted."));
    case RF_SWAP_FILE:
    case RF_SWAP_PARTITION:
    default:
        if (swap->disk == NULL)
            return g_strdup (_ ("Swap on a drive."));
        return g_strdup_printf (swap->on_data_disk ? _ ("Swap on %s, the drive that also holds your data.")
                                                   : _ ("Swap on %s, a drive of its own."),
                                swap->disk);
    }
}

static void
update_swap (RfEvidence *self)
{
    RfGraph *graph = rf_live_card_get_graph (RF_LIVE_CARD (self->card));
    g_autoptr (GString) caption = g_string_new (NULL);
    guint64 total = 0;
    for (guint i = 0; i < self->facts->swaps->len; i++) {
        const RfSwapDevice *swap = g_ptr_array_index (self->facts->swaps, i);
        g_autofree char *place = swap_place (swap);
        total += swap->size_bytes;
        g_string_append_printf (caption, "%s%s", caption->len > 0 ? "\n" : "", place);
    }
    /* an empty graph with an axis of one byte would only puzzle */
    gtk_widget_set_visible (GTK_WIDGET (graph), total > 0);
    if (total == 0) {
        rf_live_card_set_text (RF_LIVE_CARD (self->card), _ ("no swap"), _ ("This system has no swap."));
        return;
    }
    double used = newest (self, RF_COLUMN_SWAP_USED);
    g_autofree char *size = rf_format_bytes (total);
    g_autofree char *value = NULL;
    if (isnan (used)) {
        value = g_strdup (_ ("measuring…"));
    } else {
        g_autofree char *amount = rf_format_bytes ((guint64) used);
        value = g_strdup_printf (_ ("%1$s of %2$s used"), amount, size);
    }
    rf_graph_set_floor (graph, (double) total);
    rf_live_card_set_text (RF_LIVE_CARD (self->card), value, caption->str);
}

static void
update_traffic (RfEvidence *self)
{
    double covered = 0;
    double in = rf_sampler_sum (self->sampler, RF_COLUMN_SWAP_IN, WINDOW_S, &covered);
    double out = rf_sampler_sum (self->sampler, RF_COLUMN_SWAP_OUT, WINDOW_S, NULL);
    if (isnan (in) || isnan (out) || covered < 1) {
        rf_live_card_set_text (RF_LIVE_CARD (self->card), _ ("measuring…"), NULL);
        return;
    }
    g_autofree char *in_text = rf_format_bytes ((guint64) in);
    g_autofree char *out_text = rf_format_bytes ((guint64) out);
    g_autofree char *time = rf_format_duration (floor (covered + 0.5));
    g_autofree char *caption = g_strdup_printf (
        _ ("In the last %1$s, %2$s were swapped out and %3$s fetched back. Fetching back is what programs wait for."),
        time, out_text, in_text);
    rf_live_card_set_text (RF_LIVE_CARD (self->card),
                            in + out > 0 ? _ ("swap is in use") : _ ("no swap traffic"), caption);
}

static void
update (RfEvidence *self)
{
    switch (self->step) {
    case 0:
        update_memory (self);
        break;
    case 1:
        update_disks (self);
        break;
    case 2:
        update_swap (self);
        break;
    default:
        update_traffic (self);
    }
    rf_graph_refresh (rf_live_card_get_graph (RF_LIVE_CARD (self->card)));
}

static void
rf_evidence_map (GtkWidget *widget)
{
    RfEvidence *self = RF_EVIDENCE (widget);
    GTK_WIDGET_CLASS (rf_evidence_parent_class)->map (widget);
    rf_sampler_hold (self->sampler);
    self->sampled = g_signal_connect_swapped (self->sampler, "sampled", G_CALLBACK (update), self);
    update (self);
}

static void
rf_evidence_unmap (GtkWidget *widget)
{
    RfEvidence *self = RF_EVIDENCE (widget);
    g_clear_signal_handler (&self->sampled, self->sampler);
    rf_sampler_release (self->sampler);
    GTK_WIDGET_CLASS (rf_evidence_parent_class)->unmap (widget);
}

static void
rf_evidence_dispose (GObject *object)
{
    RfEvidence *self = RF_EVIDENCE (object);
    g_clear_pointer (&self->card, gtk_widget_unparent);
    g_clear_object (&self->sampler);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_clear_pointer (&self->drawn, g_free);
    G_OBJECT_CLASS (rf_evidence_parent_class)->dispose (object);
}

static void
rf_evidence_class_init (RfEvidenceClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_evidence_dispose;
    widget_class->map = rf_evidence_map;
    widget_class->unmap = rf_evidence_unmap;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
rf_evidence_init (RfEvidence *self)
{
}

GtkWidget *
rf_evidence_new (RfSampler *sampler, RfFacts *facts, guint step)
{
    static const RfMeasure measures[] = {RF_MEASURE_BYTES, RF_MEASURE_PLAIN, RF_MEASURE_BYTES,
                                         RF_MEASURE_BYTES_PER_SECOND};
    g_return_val_if_fail (RF_IS_SAMPLER (sampler) && facts != NULL && step < G_N_ELEMENTS (measures), NULL);
    RfEvidence *self = g_object_new (RF_TYPE_EVIDENCE, NULL);
    self->sampler = g_object_ref (sampler);
    self->facts = rf_facts_ref (facts);
    self->step = step;
    self->card = rf_live_card_new (_ ("Here, now"), measures[step], "rf-caption");
    gtk_widget_set_parent (self->card, GTK_WIDGET (self));
    RfGraph *graph = rf_live_card_get_graph (RF_LIVE_CARD (self->card));
    rf_graph_set_span (graph, window_samples (self));
    if (step == 0)
        rf_graph_add_line (graph, rf_sampler_get_series (sampler, RF_COLUMN_FREE), NULL);
    else if (step == 2)
        rf_graph_add_line (graph, rf_sampler_get_series (sampler, RF_COLUMN_SWAP_USED), NULL);
    else if (step == 3) {
        rf_graph_add_line (graph, rf_sampler_get_series (sampler, RF_COLUMN_SWAP_OUT), _ ("swapped out"));
        rf_graph_add_line (graph, rf_sampler_get_series (sampler, RF_COLUMN_SWAP_IN), _ ("fetched back"));
        rf_graph_set_floor (graph, 1e6);
    } else {
        rf_graph_set_format (graph, rf_format_ms);
        rf_graph_set_floor (graph, 5);
    }
    return GTK_WIDGET (self);
}
