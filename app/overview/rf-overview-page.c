#define G_LOG_DOMAIN "rf-overview-page"

#include "config.h"

#include "rf-overview-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-clamp.h"
#include "rf-columns.h"
#include "rf-graph-card.h"
#include "rf-health.h"
#include "rf-machine-text.h"
#include "rf-monitor-cards.h"
#include "rf-pill.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

/* samples between two judgements: a sentence that changes every second cannot be read */
#define JUDGE_EVERY 5

typedef enum {
    AREA_MEMORY,
    AREA_DISKS,
    AREA_SWAP,
    N_AREAS,
} Area;

struct _RfOverviewPage {
    GtkWidget parent_instance;

    GtkWidget *scroller;
    GtkLabel *headline;
    GtkLabel *detail;
    GtkWidget *action_row;
    GtkButton *action;
    GtkWidget *cards;
    GtkListBox *list;
    RfRow *machine_row;

    RfGraphCard *card[N_AREAS];
    RfPill *pill[N_AREAS];

    RfSampler *sampler;
    RfFacts *facts;
    gulong sampled;
    guint samples;
    RfFinding shown;
};

G_DEFINE_FINAL_TYPE (RfOverviewPage, rf_overview_page, GTK_TYPE_WIDGET)

static RfPillKind
pill_kind (RfHealthLevel level)
{
    switch (level) {
    case RF_HEALTH_CALM:
        return RF_PILL_GOOD;
    case RF_HEALTH_NOTICE:
        return RF_PILL_WARNING;
    case RF_HEALTH_TROUBLE:
        return RF_PILL_DANGER;
    case RF_HEALTH_NONE:
    case RF_HEALTH_UNKNOWN:
        break;
    }
    return RF_PILL_NEUTRAL;
}

static void
show_area (RfOverviewPage *self, Area area, RfHealthLevel level, const char *word, char *text)
{
    rf_pill_set (self->pill[area], pill_kind (level), word);
    rf_graph_card_set_explanation (self->card[area], text);
    g_free (text);
}

/* One button: loud only where there is something to do. */
static void
update_action (RfOverviewPage *self, const RfHealth *health)
{
    GtkWidget *button = GTK_WIDGET (self->action);

    if (rf_health_needs_tuning (health)) {
        gtk_widget_add_css_class (button, "suggested-action");
        gtk_button_set_label (self->action, _ ("Fix it step by step"));
    } else {
        gtk_widget_remove_css_class (button, "suggested-action");
        gtk_button_set_label (self->action, _ ("Look at the settings anyway"));
    }
}

static void
judge (RfOverviewPage *self)
{
    RfHealthInput input;
    RfHealth health;
    g_autofree char *detail = NULL;

    rf_health_read (self->sampler, self->facts, &input);
    rf_health_judge (&input, &health);
    detail = rf_health_detail (&health, &input);
    gtk_label_set_text (self->headline, rf_health_headline (&health));
    gtk_label_set_text (self->detail, detail);
    update_action (self, &health);
    show_area (self, AREA_MEMORY, health.memory, rf_health_memory_word (&health),
               rf_health_memory_text (&health, &input));
    show_area (self, AREA_DISKS, health.disks, rf_health_disks_word (&health), rf_health_disks_text (&health, &input));
    show_area (self, AREA_SWAP, health.swap, rf_health_swap_word (&health), rf_health_swap_text (&health, &input));
    rf_graph_card_set_unavailable (self->card[AREA_SWAP], health.swap == RF_HEALTH_NONE ? "" : NULL);
    self->shown = health.finding;
}

static void
update_graphs (RfOverviewPage *self)
{
    const RfSample *sample = rf_sampler_get_sample (self->sampler);

    if (sample != NULL && sample->avail[RF_COLUMN_WATERMARK_MIN] == RF_AVAIL_OK)
        rf_graph_set_threshold (rf_graph_card_get_graph (self->card[AREA_MEMORY]), 0, RF_THRESHOLD_DANGER,
                                sample->value[RF_COLUMN_WATERMARK_MIN], _ ("programs wait"));
    rf_monitor_cards_follow_disks (self->card[AREA_DISKS], self->sampler, RF_DISK_COLUMN_LATENCY, FALSE);
    for (guint i = 0; i < N_AREAS; i++)
        rf_graph_card_refresh (self->card[i]);
}

static void
sampled_cb (RfSampler *sampler, RfOverviewPage *self)
{
    /* "having a look" gives way as soon as it can; after that a sentence stays long enough to be read */
    if (++self->samples % JUDGE_EVERY == 0 || self->shown == RF_FINDING_LOOKING)
        judge (self);
    update_graphs (self);
}

static void
add_card (RfOverviewPage *self, Area area, const char *title, RfMeasure measure, double floor)
{
    GtkWidget *card = rf_graph_card_new (title, NULL, measure);
    GtkWidget *pill = rf_pill_new (RF_PILL_NEUTRAL, "…");

    rf_graph_card_set_suffix (RF_GRAPH_CARD (card), pill);
    rf_graph_card_set_words_first (RF_GRAPH_CARD (card));
    rf_graph_set_floor (rf_graph_card_get_graph (RF_GRAPH_CARD (card)), floor);
    rf_columns_append (RF_COLUMNS (self->cards), card);
    self->card[area] = RF_GRAPH_CARD (card);
    self->pill[area] = RF_PILL (pill);
}

static void
add_cards (RfOverviewPage *self)
{
    add_card (self, AREA_MEMORY, C_ ("overview", "Memory"), RF_MEASURE_BYTES, 256.0 * 1024 * 1024);
    rf_graph_card_add_line (self->card[AREA_MEMORY], rf_sampler_get_series (self->sampler, RF_COLUMN_FREE), NULL);

    add_card (self, AREA_DISKS, C_ ("overview", "Drives"), RF_MEASURE_PLAIN, 20);
    rf_graph_set_format (rf_graph_card_get_graph (self->card[AREA_DISKS]), rf_format_ms);

    add_card (self, AREA_SWAP, C_ ("overview", "Swap"), RF_MEASURE_BYTES_PER_SECOND, 5e6);
    rf_graph_card_add_line (self->card[AREA_SWAP], rf_sampler_get_series (self->sampler, RF_COLUMN_SWAP_IN), NULL);
    rf_graph_card_add_line (self->card[AREA_SWAP], rf_sampler_get_series (self->sampler, RF_COLUMN_SWAP_OUT), NULL);
}

static void
rf_overview_page_map (GtkWidget *widget)
{
    RfOverviewPage *self = RF_OVERVIEW_PAGE (widget);

    GTK_WIDGET_CLASS (rf_overview_page_parent_class)->map (widget);
    self->sampled = g_signal_connect (self->sampler, "sampled", G_CALLBACK (sampled_cb), self);
    rf_sampler_hold (self->sampler);
    judge (self);
    update_graphs (self);
}

static void
rf_overview_page_unmap (GtkWidget *widget)
{
    RfOverviewPage *self = RF_OVERVIEW_PAGE (widget);

    g_clear_signal_handler (&self->sampled, self->sampler);
    rf_sampler_release (self->sampler);
    GTK_WIDGET_CLASS (rf_overview_page_parent_class)->unmap (widget);
}

static void
rf_overview_page_dispose (GObject *object)
{
    RfOverviewPage *self = RF_OVERVIEW_PAGE (object);

    g_clear_pointer (&self->scroller, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_overview_page_parent_class)->dispose (object);
    g_clear_object (&self->sampler);
    g_clear_pointer (&self->facts, rf_facts_unref);
}

static void
rf_overview_page_class_init (RfOverviewPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_overview_page_dispose;
    widget_class->map = rf_overview_page_map;
    widget_class->unmap = rf_overview_page_unmap;

    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_COLUMNS);
    g_type_ensure (RF_TYPE_ROW);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-overview-page.ui");
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, scroller);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, headline);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, detail);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, action_row);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, action);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, cards);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, list);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, machine_row);
}

static void
rf_overview_page_init (RfOverviewPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->shown = RF_FINDING_LOOKING;
}

GtkWidget *
rf_overview_page_new (RfSampler *sampler, RfFacts *facts)
{
    RfOverviewPage *self = NULL;
    g_autofree char *machine = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);
    g_return_val_if_fail (facts != NULL, NULL);

    self = g_object_new (RF_TYPE_OVERVIEW_PAGE, NULL);
    self->sampler = g_object_ref (sampler);
    self->facts = rf_facts_ref (facts);
    add_cards (self);
    machine = rf_machine_text_summary (facts);
    rf_row_set_subtitle (self->machine_row, machine);
    return GTK_WIDGET (self);
}
