#define G_LOG_DOMAIN "rf-wizard-trial"
#include "config.h"

#include "rf-wizard-trial.h"

#include "rf-clamp.h"
#include "rf-columns.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-live-card.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <time.h>

#define TICK_MS 250
#define WINDOW_S 300
#define SPOKEN_STEP_S 10 /* a screen reader hears the time in steps of this */

struct _RfWizardTrial {
    RfWizardPage parent_instance;
    RfSampler *sampler;
    RfFacts *facts;
    GtkWidget *countdown;
    GtkWidget *bar;
    GtkWidget *buttons[3];
    GtkWidget *stalls;
    GtkWidget *dirty;
    GtkWidget *written;
    GtkWidget *written_list;
    GtkWidget *missed_list;
    gint64 ends;
    gint64 span; /* what the full bar stands for, µs */
    gint64 spoken_s;
    guint64 samples_at_start; /* pushed when it was applied; 0 if not known */
    guint tick;
    gulong sampled;
    gboolean over;
};

G_DEFINE_FINAL_TYPE (RfWizardTrial, rf_wizard_trial, RF_TYPE_WIZARD_PAGE)

enum {
    SIGNAL_REVERT,
    SIGNAL_EXTEND,
    SIGNAL_KEEP,
    SIGNAL_OVER,
    N_SIGNALS
};

static guint signals[N_SIGNALS];

gint64
rf_wizard_boottime (void)
{
    struct timespec now;
    clock_gettime (CLOCK_BOOTTIME, &now);
    return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* "0:47", "10:00" */
static char *
countdown_text (gint64 remaining_us)
{
    gint64 seconds = (MAX (0, remaining_us) + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
    /* TRANSLATORS: minutes and seconds of a countdown */
    return g_strdup_printf (_ ("%1$d:%2$02d"), (int) (seconds / 60), (int) (seconds % 60));
}

/* The label changes every second; its spoken name only every ten, else a screen reader would never stop. */
static void
speak (RfWizardTrial *self, gint64 seconds)
{
    gint64 rounded = (seconds + SPOKEN_STEP_S - 1) / SPOKEN_STEP_S * SPOKEN_STEP_S;
    if (rounded == self->spoken_s)
        return;
    self->spoken_s = rounded;
    g_autofree char *time = rf_format_duration ((double) rounded);
    g_autofree char *text = rounded > 0 ? g_strdup_printf (_ ("%s left"), time) : g_strdup (_ ("The time is over"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->countdown), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static gboolean
tick_cb (gpointer data)
{
    RfWizardTrial *self = RF_WIZARD_TRIAL (data);
    gint64 remaining = MAX (0, self->ends - rf_wizard_boottime ());
    g_autofree char *text = countdown_text (remaining);
    gtk_label_set_text (GTK_LABEL (self->countdown), text);
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar),
                                   self->span > 0 ? CLAMP ((double) remaining / (double) self->span, 0, 1) : 0);
    speak (self, (remaining + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC);
    if (remaining == 0 && !self->over) {
        self->over = TRUE;
        rf_wizard_page_set_lead (RF_WIZARD_PAGE (self), _ ("The time is over. The settings are being taken back."));
        g_signal_emit (self, signals[SIGNAL_OVER], 0);
    }
    return G_SOURCE_CONTINUE;
}

static char *
rate_text (double count, double seconds)
{
    if (seconds < 1)
        return g_strdup (_ ("not measured yet"));
    if (count < 0.5)
        return g_strdup (C_ ("programs waiting", "none"));
    double per_minute = count * 60 / seconds;
    if (per_minute < 1)
        return g_strdup (_ ("less than one a minute"));
    return g_strdup_printf (_ ("%.0f a minute"), per_minute);
}

static void
update_graphs (RfWizardTrial *self)
{
    RfSeries *series = rf_sampler_get_series (self->sampler, RF_COLUMN_ALLOCSTALLS);
    const RfSample *sample = rf_sampler_get_sample (self->sampler);
    double now = rf_series_get (series, 0);
    double dirty = sample != NULL ? sample->value[RF_COLUMN_DIRTY] : NAN;
    gboolean waiting = sample == NULL || sample->avail[RF_COLUMN_ALLOCSTALLS] == RF_AVAIL_NO_BASELINE;
    g_autofree char *now_text =
        waiting ? g_strdup (_ ("measuring…")) : rf_measure_format (RF_MEASURE_PER_SECOND, now);
    g_autofree char *dirty_text = rf_measure_format (RF_MEASURE_BYTES, dirty);
    g_autofree char *caption = NULL;
    if (self->samples_at_start > 0) {
        guint64 total = rf_series_total (series);
        guint since = (guint) MIN (total - MIN (total, self->samples_at_start), G_MAXUINT / 2);
        guint length = (guint) MIN (total, G_MAXUINT / 2);
        guint window = WINDOW_S * 1000u / MAX (1u, rf_sampler_get_interval_ms (self->sampler));
        double s_before = 0, s_since = 0;
        double since_sum = rf_sampler_sum_between (self->sampler, RF_COLUMN_ALLOCSTALLS, 0, MIN (since, length), &s_since);
        double before_sum = rf_sampler_sum_between (self->sampler, RF_COLUMN_ALLOCSTALLS, MIN (since, length),
                                                    MIN (since + window, length), &s_before);
        g_autofree char *before_text = rate_text (before_sum, s_before);
        g_autofree char *since_text = rate_text (since_sum, s_since);
        /* TRANSLATORS: how often programs waited for memory before and since the change, such as "43 a minute" */
        caption = g_strdup_printf (_ ("Before: %1$s. Since: %2$s."), before_text, since_text);
    }
    rf_live_card_set_text (RF_LIVE_CARD (self->stalls), now_text, caption);
    rf_live_card_set_text (RF_LIVE_CARD (self->dirty), dirty_text,
                            _ ("A few minutes are too short for a verdict. What you notice in daily use counts."));
    rf_graph_refresh (rf_live_card_get_graph (RF_LIVE_CARD (self->stalls)));
    rf_graph_refresh (rf_live_card_get_graph (RF_LIVE_CARD (self->dirty)));
}

static void
rf_wizard_trial_map (GtkWidget *widget)
{
    RfWizardTrial *self = RF_WIZARD_TRIAL (widget);
    GTK_WIDGET_CLASS (rf_wizard_trial_parent_class)->map (widget);
    rf_sampler_hold (self->sampler);
    self->sampled = g_signal_connect_swapped (self->sampler, "sampled", G_CALLBACK (update_graphs), self);
    update_graphs (self);
}

static void
rf_wizard_trial_unmap (GtkWidget *widget)
{
    RfWizardTrial *self = RF_WIZARD_TRIAL (widget);
    g_clear_signal_handler (&self->sampled, self->sampler);
    rf_sampler_release (self->sampler);
    GTK_WIDGET_CLASS (rf_wizard_trial_parent_class)->unmap (widget);
}

static void
rf_wizard_trial_leave (RfWizardPage *page)
{
    rf_wizard_trial_stop (RF_WIZARD_TRIAL (page));
}

static void
applying_cb (RfWizardTrial *self)
{
    gboolean usable = !rf_wizard_page_get_applying (RF_WIZARD_PAGE (self)) && self->tick != 0;
    for (guint i = 0; i < G_N_ELEMENTS (self->buttons); i++)
        gtk_widget_set_sensitive (self->buttons[i], usable);
}

static void
rf_wizard_trial_dispose (GObject *object)
{
    RfWizardTrial *self = RF_WIZARD_TRIAL (object);
    g_clear_handle_id (&self->tick, g_source_remove);
    /* unparents, which unmaps and needs the sampler */
    G_OBJECT_CLASS (rf_wizard_trial_parent_class)->dispose (object);
    g_clear_object (&self->sampler);
    g_clear_pointer (&self->facts, rf_facts_unref);
}

static void
rf_wizard_trial_class_init (RfWizardTrialClass *klass)
{
    static const char *const names[N_SIGNALS] = {"revert", "extend", "keep", "over"};
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_trial_dispose;
    widget_class->map = rf_wizard_trial_map;
    widget_class->unmap = rf_wizard_trial_unmap;
    RF_WIZARD_PAGE_CLASS (klass)->leave = rf_wizard_trial_leave;
    for (guint i = 0; i < N_SIGNALS; i++)
        signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
button_cb (GtkWidget *button, RfWizardTrial *self)
{
    for (guint i = 0; i < G_N_ELEMENTS (self->buttons); i++)
        if (button == self->buttons[i])
            g_signal_emit (self, signals[i], 0);
}

static void
add_top (RfWizardTrial *self)
{
    const char *labels[] = {_ ("Take everything back"), _ ("Give me 10 minutes"), _ ("Keep these settings")};
    const char *classes[] = {"rf-quiet-danger", NULL, "suggested-action"};
    self->countdown = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_TIMER, NULL);
    gtk_widget_add_css_class (self->countdown, "rf-countdown");
    rf_wizard_page_set_above (RF_WIZARD_PAGE (self), self->countdown);
    self->bar = gtk_progress_bar_new ();
    gtk_widget_add_css_class (self->bar, "rf-progress");
    gtk_widget_set_size_request (self->bar, 200, -1);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Time left of the trial"), -1);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), rf_clamp_new (520, self->bar));
    GtkWidget *fold = rf_fold_new (0, 12);
    gtk_widget_set_halign (fold, GTK_ALIGN_CENTER);
    for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
        self->buttons[i] = gtk_button_new_with_label (labels[i]);
        rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->buttons[i])));
        gtk_widget_add_css_class (self->buttons[i], "rf-pill-button");
        if (classes[i] != NULL)
            gtk_widget_add_css_class (self->buttons[i], classes[i]);
        g_signal_connect (self->buttons[i], "clicked", G_CALLBACK (button_cb), self);
        rf_fold_append (RF_FOLD (fold), self->buttons[i]);
    }
    rf_wizard_page_append (RF_WIZARD_PAGE (self), fold);
}

static void
rf_wizard_trial_init (RfWizardTrial *self)
{
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    rf_wizard_page_set_centered (page);
    add_top (self);
    GtkWidget *columns = rf_columns_new (320, 2, 14);
    self->stalls = rf_live_card_new (_ ("Programs waiting for memory"), RF_MEASURE_PER_SECOND, "rf-value");
    self->dirty = rf_live_card_new (_ ("Waiting to be written"), RF_MEASURE_BYTES, "rf-value");
    rf_columns_append (RF_COLUMNS (columns), self->stalls);
    rf_columns_append (RF_COLUMNS (columns), self->dirty);
    rf_wizard_page_append (page, columns);
    self->missed_list = rf_boxed_list_new (_ ("What was not written"));
    rf_wizard_page_append (page, self->missed_list);
    self->written = gtk_expander_new (NULL);
    self->written_list = rf_boxed_list_new (_ ("What was written"));
    gtk_widget_set_margin_top (self->written_list, 8);
    gtk_expander_set_child (GTK_EXPANDER (self->written), self->written_list);
    rf_wizard_page_append (page, self->written);
    g_signal_connect (self, "notify::applying", G_CALLBACK (applying_cb), NULL);
}

GtkWidget *
rf_wizard_trial_new (RfSampler *sampler, RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_SAMPLER (sampler) && facts != NULL, NULL);
    RfWizardTrial *self = g_object_new (RF_TYPE_WIZARD_TRIAL, NULL);
    self->sampler = g_object_ref (sampler);
    self->facts = rf_facts_ref (facts);
    guint window = WINDOW_S * 1000u / MAX (1u, rf_sampler_get_interval_ms (sampler));
    RfGraph *stalls = rf_live_card_get_graph (RF_LIVE_CARD (self->stalls));
    RfGraph *dirty = rf_live_card_get_graph (RF_LIVE_CARD (self->dirty));
    rf_graph_set_span (stalls, window);
    rf_graph_set_span (dirty, window);
    rf_graph_set_floor (stalls, 5);
    rf_graph_set_floor (dirty, 16.0 * 1024 * 1024);
    rf_graph_add_line (stalls, rf_sampler_get_series (sampler, RF_COLUMN_ALLOCSTALLS), NULL);
    rf_graph_add_line (dirty, rf_sampler_get_series (sampler, RF_COLUMN_DIRTY), NULL);
    return GTK_WIDGET (self);
}

static void
fill_lists (RfWizardTrial *self, const RfRecord *record)
{
    GtkWidget *lists[] = {self->written_list, self->missed_list};
    guint written = 0, missed = 0;
    for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
        rf_boxed_list_clear (lists[i]);
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, self->facts);
        if (entry->state == RF_ENTRY_APPLIED) {
            g_autofree char *change = rf_setting_change_text (entry->tunable, &entry->before, &entry->ours);
            gtk_list_box_append (GTK_LIST_BOX (self->written_list), rf_row_new (title, change));
            written++;
        } else {
            GtkWidget *item = rf_row_new (title, rf_entry_state_text (entry->state));
            rf_row_add_prefix (RF_ROW (item), gtk_image_new_from_icon_name ("dialog-warning-symbolic"));
            gtk_list_box_append (GTK_LIST_BOX (self->missed_list), item);
            missed++;
        }
    }
    g_autofree char *label = g_strdup_printf (
        ngettext ("%u setting written and read back", "%u settings written and read back", written), written);
    gtk_expander_set_label (GTK_EXPANDER (self->written), label);
    rf_label_let_wrap (gtk_expander_get_label_widget (GTK_EXPANDER (self->written)));
    gtk_widget_set_visible (self->written, written > 0);
    gtk_widget_set_visible (self->missed_list, missed > 0);

    g_autofree char *lead = g_strdup_printf (
        ngettext ("%u setting is active now, until you keep it. If you do nothing, everything goes back by itself. "
                  "Ruckelfrei watches memory meanwhile and takes the change back at once if programs start to wait "
                  "more than before.",
                  "%u settings are active now, until you keep them. If you do nothing, everything goes back by itself. "
                  "Ruckelfrei watches memory meanwhile and takes the changes back at once if programs start to wait "
                  "more than before.",
                  written),
        written);
    rf_wizard_page_set_lead (RF_WIZARD_PAGE (self), lead);
}

void
rf_wizard_trial_start (RfWizardTrial *self, const RfRecord *record, gint64 ends, gboolean just_applied)
{
    g_return_if_fail (RF_IS_WIZARD_TRIAL (self) && record != NULL);
    rf_wizard_page_set_title (RF_WIZARD_PAGE (self), _ ("Try it out"));
    fill_lists (self, record);
    self->ends = ends;
    self->span = MAX (G_USEC_PER_SEC, ends - rf_wizard_boottime ());
    self->over = FALSE;
    self->spoken_s = -1;
    self->samples_at_start = 0;
    if (just_applied) {
        self->samples_at_start = rf_series_total (rf_sampler_get_series (self->sampler, RF_COLUMN_ALLOCSTALLS));
        /* TRANSLATORS: mark in a graph at the moment of the change */
        rf_graph_mark (rf_live_card_get_graph (RF_LIVE_CARD (self->stalls)), _ ("applied"));
        rf_graph_mark (rf_live_card_get_graph (RF_LIVE_CARD (self->dirty)), _ ("applied"));
    }
    if (self->tick == 0)
        self->tick = g_timeout_add (TICK_MS, tick_cb, self);
    rf_wizard_page_set_applying (RF_WIZARD_PAGE (self), FALSE);
    applying_cb (self);
    tick_cb (self);
}

void
rf_wizard_trial_set_ends (RfWizardTrial *self, gint64 ends)
{
    g_return_if_fail (RF_IS_WIZARD_TRIAL (self));
    if (ends == self->ends || self->tick == 0)
        return;
    /* a second more or less is the way of the answer, not another end */
    if (ends > self->ends + G_USEC_PER_SEC) {
        self->span = MAX (G_USEC_PER_SEC, ends - rf_wizard_boottime ());
        self->over = FALSE;
    }
    self->ends = ends;
    tick_cb (self);
}

void
rf_wizard_trial_stop (RfWizardTrial *self)
{
    g_return_if_fail (RF_IS_WIZARD_TRIAL (self));
    g_clear_handle_id (&self->tick, g_source_remove);
    applying_cb (self);
}
