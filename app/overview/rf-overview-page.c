#define G_LOG_DOMAIN "rf-overview-page"

#include "config.h"

#include "rf-overview-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-clamp.h"
#include "rf-columns.h"
#include "rf-graph-card.h"
#include "rf-health.h"
#include "rf-label.h"
#include "rf-machine-text.h"
#include "rf-message.h"
#include "rf-monitor-cards.h"
#include "rf-pill.h"
#include "rf-row.h"
#include "rf-state-bar.h"
#include "rf-tunable-text.h"
#include "rf-weak.h"

/* between two judgements: a sentence that changes every second cannot be read */
#define JUDGE_EVERY_US (5 * G_USEC_PER_SEC)

typedef enum {
    AREA_MEMORY,
    AREA_DISKS,
    AREA_SWAP,
    N_AREAS,
} Area;

struct _RfOverviewPage {
    GtkWidget parent_instance;

    GtkWidget *scroller;
    GtkBox *grave_states;
    GtkBox *states;
    GtkLabel *headline;
    GtkLabel *detail;
    GtkWidget *action_row;
    GtkButton *action;
    GtkWidget *cards;
    GtkListBox *list;
    RfRow *machine_row;
    RfRow *check_row;
    RfRow *changes_row;

    RfGraphCard *card[N_AREAS];
    RfPill *pill[N_AREAS];

    RfSampler *sampler;
    RfFacts *facts;
    RfClient *client;
    RfChecker *look;
    RfPill *look_pill;
    gulong sampled;
    guint begin_source;
    gint64 judged; /* CLOCK_MONOTONIC, µs */
    RfFinding shown;
    gboolean needs_tuning;
    gboolean asking; /* for the records, and whether to ask again afterwards */
    gboolean ask_again;
    GtkWidget *state_bar[RF_STATE_BATTERY]; /* a battery matters only before a trial */
    GPtrArray *records;                     /* of RfRecord; NULL before the first answer */
    GPtrArray *drift;                       /* of RfDrift, NULL if not asked for */
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
update_action (RfOverviewPage *self)
{
    GtkWidget *button = GTK_WIDGET (self->action);
    const gboolean on_trial = rf_client_get_trial_id (self->client) != NULL;

    if (on_trial || self->needs_tuning)
        gtk_widget_add_css_class (button, "suggested-action");
    else
        gtk_widget_remove_css_class (button, "suggested-action");
    if (on_trial)
        gtk_button_set_label (self->action, _ ("Go to the running trial"));
    else if (self->needs_tuning)
        gtk_button_set_label (self->action, _ ("Fix it step by step"));
    else
        gtk_button_set_label (self->action, _ ("Look at the settings anyway"));
    rf_label_let_wrap (gtk_button_get_child (self->action));
}

static void
show_records (RfOverviewPage *self, GPtrArray *records)
{
    g_autofree char *text = NULL;
    guint kept = 0;
    guint on_trial = 0;

    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = records->pdata[i];

        for (guint j = 0; j < record->entries->len; j++) {
            const RfRecordEntry *entry = record->entries->pdata[j];

            if (entry->state != RF_ENTRY_APPLIED)
                continue;
            kept += record->state == RF_RECORD_KEPT;
            on_trial += record->state == RF_RECORD_TRIAL;
        }
    }
    if (on_trial > 0)
        text = g_strdup_printf (ngettext ("%u setting is on trial until you keep it.",
                                          "%u settings are on trial until you keep them.", on_trial),
                                on_trial);
    else if (kept > 0)
        text = g_strdup_printf (
            ngettext ("%u setting is kept and can be taken back.", "%u settings are kept and can be taken back.", kept),
            kept);
    else
        text = g_strdup (_ ("None. The system runs with its own settings."));
    rf_row_set_subtitle (self->changes_row, text);
}

/* States. */

/* an empty box would leave a gap */
static void
show_if_filled (GtkBox *box)
{
    gboolean filled = FALSE;

    for (GtkWidget *w = gtk_widget_get_first_child (GTK_WIDGET (box)); w != NULL; w = gtk_widget_get_next_sibling (w))
        filled = filled || gtk_widget_get_visible (w);
    gtk_widget_set_visible (GTK_WIDGET (box), filled);
}

static void
show_states (RfOverviewPage *self)
{
    RfStateInput input = {.records = self->records, .drift = self->drift};

    rf_state_look (&input, self->client, rf_sampler_get_sysroot (self->sampler), self->facts);
    for (guint i = 0; i < G_N_ELEMENTS (self->state_bar); i++) {
        RfStateInfo *info = rf_state_get ((RfState)i, &input);

        /* what is changed is changed on the page for it */
        if (info != NULL
            && (info->action == RF_STATE_ACTION_TAKE_BACK || info->action == RF_STATE_ACTION_APPLY_AGAIN))
            info->action = RF_STATE_ACTION_SHOW_CHANGES;
        rf_state_bar_show (RF_STATE_BAR (self->state_bar[i]), info);
    }
    show_if_filled (self->grave_states);
    show_if_filled (self->states);
}

static void ask_for_records (RfOverviewPage *self);

static void
state_action_cb (RfStateBar *bar, guint action, RfOverviewPage *self)
{
    switch ((RfStateAction)action) {
    case RF_STATE_ACTION_LOOK_AGAIN:
        rf_client_look_again (self->client);
        ask_for_records (self);
        break;
    case RF_STATE_ACTION_RESTART_HELPER:
        rf_client_restart_helper (self->client);
        break;
    case RF_STATE_ACTION_RESTART_PROGRAM:
        gtk_widget_activate_action (GTK_WIDGET (self), "app.restart", NULL);
        break;
    case RF_STATE_ACTION_SHOW_CHANGES:
        gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "changes");
        break;
    default:
        g_return_if_reached ();
    }
}

static void
add_state_bars (RfOverviewPage *self)
{
    for (guint i = 0; i < G_N_ELEMENTS (self->state_bar); i++) {
        /* what keeps one from doing anything comes first, what is good to know below the cards */
        gboolean first = i <= RF_STATE_READ_ONLY || i == RF_STATE_KERNEL_DRIFT;

        self->state_bar[i] = rf_state_bar_new ();
        g_signal_connect (self->state_bar[i], "action", G_CALLBACK (state_action_cb), self);
        gtk_box_append (first ? self->grave_states : self->states, self->state_bar[i]);
    }
}

/* Whether values are as kept is asked for only where another kernel runs: every question keeps the helper busy. */
static gboolean
kernel_has_changed (RfOverviewPage *self)
{
    for (guint i = 0; i < self->records->len; i++) {
        const RfRecord *record = self->records->pdata[i];

        if (record->state == RF_RECORD_KEPT && g_strcmp0 (record->kernel_release, self->facts->kernel_release) != 0)
            return TRUE;
    }
    return FALSE;
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfOverviewPage) self = rf_weak_take (data);
    g_autoptr (GPtrArray) drift = rf_client_check_finish (RF_CLIENT (source), result, NULL);

    if (self == NULL || self->scroller == NULL)
        return;
    g_clear_pointer (&self->drift, g_ptr_array_unref);
    self->drift = g_steal_pointer (&drift);
    show_states (self);
}

static void
keep_records (RfOverviewPage *self, GPtrArray *records)
{
    g_clear_pointer (&self->records, g_ptr_array_unref);
    g_clear_pointer (&self->drift, g_ptr_array_unref);
    self->records = g_ptr_array_ref (records);
    show_states (self);
    if (kernel_has_changed (self))
        rf_client_check_async (self->client, checked_cb, rf_weak_new (self));
}

static void
records_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfOverviewPage) self = rf_weak_take (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, &error);

    /* the page may have been closed meanwhile: then there is no row any more */
    if (self == NULL || self->scroller == NULL)
        return;
    self->asking = FALSE;
    if (records != NULL) {
        show_records (self, records);
        keep_records (self, records);
    } else if (!rf_message_is_quiet (error)) {
        g_autofree char *message = rf_message_from_error (error);

        rf_row_set_subtitle (self->changes_row, message);
    }
    if (self->ask_again)
        ask_for_records (self);
}

/* Only while the page is seen: asking may start the helper. */
static void
ask_for_records (RfOverviewPage *self)
{
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    self->ask_again = self->asking;
    if (self->asking)
        return;
    self->asking = TRUE;
    rf_client_list_async (self->client, records_cb, rf_weak_new (self));
}

static void
client_changed_cb (RfOverviewPage *self)
{
    update_action (self);
    show_states (self);
    ask_for_records (self);
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, RfOverviewPage *self)
{
    if ((gpointer)row == (gpointer)self->check_row)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "check");
    else if ((gpointer)row == (gpointer)self->changes_row)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "changes");
}

static void
judge (RfOverviewPage *self)
{
    RfHealthInput input;
    RfHealth health;
    g_autofree char *detail = NULL;
    g_autofree char *instead = NULL;

    rf_health_read (self->sampler, self->facts, &input);
    rf_health_judge (&input, &health);
    detail = rf_health_detail (&health, &input);
    gtk_label_set_text (self->headline, rf_health_headline (&health));
    instead = rf_health_instead (&health, &input, self->facts);
    if (instead != NULL) {
        g_autofree char *both = g_strdup_printf ("%s\n%s", detail, instead);

        gtk_label_set_text (self->detail, both);
    } else {
        gtk_label_set_text (self->detail, detail);
    }
    self->needs_tuning = rf_health_needs_tuning (&health, &input, self->facts);
    update_action (self);
    show_area (self, AREA_MEMORY, health.memory, rf_health_memory_word (&health),
               rf_health_memory_text (&health, &input));
    show_area (self, AREA_DISKS, health.disks, rf_health_disks_word (&health), rf_health_disks_text (&health, &input));
    show_area (self, AREA_SWAP, health.swap, rf_health_swap_word (&health), rf_health_swap_text (&health, &input));
    rf_graph_card_set_unavailable (self->card[AREA_SWAP], health.swap == RF_HEALTH_NONE ? "" : NULL);
    self->shown = health.finding;
    self->judged = g_get_monotonic_time ();
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
    if (rf_sampler_get_sample (sampler)->monotonic_us - self->judged >= JUDGE_EVERY_US
        || self->shown == RF_FINDING_LOOKING)
        judge (self);
    update_graphs (self);
}

static void
add_card (RfOverviewPage *self, Area area, const char *title, RfMeasure measure, double floor)
{
    GtkWidget *card = rf_graph_card_new (title, NULL, measure);
    GtkWidget *pill = rf_pill_new (RF_PILL_NEUTRAL, "…");
    RfGraph *graph = rf_graph_card_get_graph (RF_GRAPH_CARD (card));

    rf_graph_card_set_suffix (RF_GRAPH_CARD (card), pill);
    rf_graph_card_set_words_first (RF_GRAPH_CARD (card));
    rf_graph_set_floor (graph, floor);
    /* what the sentence is about */
    rf_graph_set_span (graph, RF_HEALTH_PERIOD * 1000 / rf_sampler_get_interval_ms (self->sampler));
    rf_graph_set_marks (graph, rf_sampler_get_marks (self->sampler));
    rf_columns_append (RF_COLUMNS (self->cards), card);
    self->card[area] = RF_GRAPH_CARD (card);
    self->pill[area] = RF_PILL (pill);
}

static void
add_cards (RfOverviewPage *self)
{
    add_card (self, AREA_MEMORY, C_ ("overview", "Memory"), RF_MEASURE_BYTES, 256.0 * 1024 * 1024);
    rf_graph_card_add_line (self->card[AREA_MEMORY], rf_sampler_get_series (self->sampler, RF_COLUMN_FREE), NULL);
    rf_graph_set_band (rf_graph_card_get_graph (self->card[AREA_MEMORY]), 0, RF_GRAPH_BAND_BELOW);

    add_card (self, AREA_DISKS, C_ ("overview", "Drives"), RF_MEASURE_PLAIN, 20);
    rf_graph_set_format (rf_graph_card_get_graph (self->card[AREA_DISKS]), rf_format_ms);

    add_card (self, AREA_SWAP, C_ ("overview", "Swap"), RF_MEASURE_BYTES_PER_SECOND, 5e6);
    rf_graph_card_add_line (self->card[AREA_SWAP], rf_sampler_get_series (self->sampler, RF_COLUMN_SWAP_IN), NULL);
    rf_graph_card_add_line (self->card[AREA_SWAP], rf_sampler_get_series (self->sampler, RF_COLUMN_SWAP_OUT), NULL);
}

/* What to rule out first: how many things, and the first two. The page itself says the rest. */
static void
show_look (RfOverviewPage *self)
{
    GPtrArray *results = NULL;
    g_autofree char *summary = NULL;
    g_autofree char *count = NULL;
    guint n = 0;

    if (self->scroller == NULL) /* closed meanwhile */
        return;
    results = rf_checker_get_results (self->look);
    if (results == NULL) {
        rf_row_set_subtitle (self->check_row, _ ("Looking…"));
        return;
    }
    n = rf_check_count (results, RF_CHECK_LOOK);
    summary = rf_check_summary (results);
    count = g_strdup_printf ("%u", n);
    rf_row_set_subtitle (self->check_row, summary);
    if (n > 0)
        rf_pill_set (self->look_pill, RF_PILL_WARNING, count);
    else
        rf_pill_set (self->look_pill, RF_PILL_GOOD, C_ ("check", "fine"));
}

static gboolean
begin_cb (gpointer data)
{
    RfOverviewPage *self = RF_OVERVIEW_PAGE (data);

    self->begin_source = 0;
    ask_for_records (self);
    if (rf_checker_get_results (self->look) == NULL)
        rf_checker_start (self->look);
    return G_SOURCE_REMOVE;
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
    show_states (self);
    /* what fills the page later anyway does not keep its first frame waiting */
    self->begin_source = g_idle_add_full (G_PRIORITY_LOW, begin_cb, self, NULL);
}

static void
rf_overview_page_unmap (GtkWidget *widget)
{
    RfOverviewPage *self = RF_OVERVIEW_PAGE (widget);

    g_clear_handle_id (&self->begin_source, g_source_remove);
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
    g_clear_object (&self->look);
    g_clear_object (&self->sampler);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_clear_object (&self->client);
    g_clear_pointer (&self->records, g_ptr_array_unref);
    g_clear_pointer (&self->drift, g_ptr_array_unref);
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
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, grave_states);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, states);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, headline);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, detail);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, action_row);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, action);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, cards);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, list);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, machine_row);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, check_row);
    gtk_widget_class_bind_template_child (widget_class, RfOverviewPage, changes_row);
}

static void
rf_overview_page_init (RfOverviewPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->shown = RF_FINDING_LOOKING;
    g_signal_connect (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
}

GtkWidget *
rf_overview_page_new (RfSampler *sampler, RfFacts *facts, RfClient *client, RfChecker *look)
{
    RfOverviewPage *self = NULL;
    g_autofree char *machine = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);
    g_return_val_if_fail (facts != NULL, NULL);
    g_return_val_if_fail (RF_IS_CLIENT (client), NULL);
    g_return_val_if_fail (RF_IS_CHECKER (look), NULL);

    self = g_object_new (RF_TYPE_OVERVIEW_PAGE, NULL);
    self->sampler = g_object_ref (sampler);
    self->facts = rf_facts_ref (facts);
    self->client = g_object_ref (client);
    self->look = g_object_ref (look);
    self->look_pill = RF_PILL (rf_pill_new (RF_PILL_NEUTRAL, ""));
    rf_row_add_suffix (self->check_row, GTK_WIDGET (self->look_pill));
    g_signal_connect_object (look, "changed", G_CALLBACK (show_look), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (client, "records-changed", G_CALLBACK (client_changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (client, "notify::trial-id", G_CALLBACK (client_changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (client, "notify::available", G_CALLBACK (client_changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (client, "notify::helper-version", G_CALLBACK (show_states), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (client, "notify::restarting", G_CALLBACK (show_states), self, G_CONNECT_SWAPPED);
    add_state_bars (self);
    add_cards (self);
    machine = rf_machine_text_summary (facts);
    rf_row_set_subtitle (self->machine_row, machine);
    show_look (self);
    return GTK_WIDGET (self);
}
