#define G_LOG_DOMAIN "rf-monitor-cards"

#include "config.h"

#include "rf-monitor-cards-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-graph-paint.h"
#include "rf-tunable-text.h"

guint
rf_monitor_cards_count (void)
{
    guint n = 0;

    rf_monitor_table (&n);
    return n;
}

const RfMonitorCard *
rf_monitor_cards_get (guint index)
{
    guint n = 0;
    const RfMonitorCard *table = rf_monitor_table (&n);

    g_return_val_if_fail (index < n, NULL);

    return &table[index];
}

const RfMonitorCard *
rf_monitor_cards_find (const char *id)
{
    guint n = 0;
    const RfMonitorCard *table = rf_monitor_table (&n);

    for (guint i = 0; i < n; i++) {
        if (g_strcmp0 (table[i].id, id) == 0)
            return &table[i];
    }
    return NULL;
}

const char **
rf_monitor_cards_ids (void)
{
    guint n = 0;
    const RfMonitorCard *table = rf_monitor_table (&n);
    const char **ids = g_new0 (const char *, n + 1);

    for (guint i = 0; i < n; i++)
        ids[i] = table[i].id;
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
