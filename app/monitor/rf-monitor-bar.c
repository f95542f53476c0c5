#define G_LOG_DOMAIN "rf-monitor-bar"

#include "config.h"

#include "rf-monitor-bar.h"

#include <glib/gi18n.h>

#include "rf-columns.h"
#include "rf-fold.h"

struct _RfMonitorBar {
    GtkWidget parent_instance;
    GtkWidget *fold;
    GtkLabel *range_title;
    GtkToggleButton *pause_button;
    GtkWidget *ranges;
    RfMonitorChoice *choice;
    RfTimeline *timeline;
    RfSampler *sampler;
};

G_DEFINE_FINAL_TYPE (RfMonitorBar, rf_monitor_bar, GTK_TYPE_WIDGET)

char *
rf_monitor_bar_range (RfMonitorChoice *choice)
{
    const guint minutes = rf_monitor_choice_get_minutes (choice);

    return g_strdup_printf (ngettext ("Last minute", "Last %u minutes", minutes), minutes);
}

GDateTime *
rf_monitor_bar_end (RfTimeline *timeline, RfSampler *sampler)
{
    const guint64 stopped = rf_timeline_get_end (timeline);
    const guint64 end = stopped > 0 ? stopped : rf_series_total (rf_sampler_get_series (sampler, 0));
    const gint64 us = rf_sampler_get_time (sampler, MAX (end, 1) - 1);
    g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);

    return g_date_time_to_local (utc);
}

static void
update_title (RfMonitorBar *self)
{
    g_autofree char *title = NULL;

    if (rf_timeline_get_end (self->timeline) > 0) {
        g_autoptr (GDateTime) end = rf_monitor_bar_end (self->timeline, self->sampler);
        g_autofree char *time = g_date_time_format (end, "%X");

        /* Translators: %s is a time of day */
        title = g_strdup_printf (_ ("Paused at %s"), time);
        gtk_widget_add_css_class (GTK_WIDGET (self->range_title), "warning");
    } else {
        title = rf_monitor_bar_range (self->choice);
        gtk_widget_remove_css_class (GTK_WIDGET (self->range_title), "warning");
    }
    gtk_label_set_text (self->range_title, title);
}

static void
update (RfMonitorBar *self)
{
    GtkWidget *button = gtk_widget_get_first_child (self->ranges);
    guint n_ranges = 0;
    const guint *ranges = rf_monitor_choice_ranges (&n_ranges);

    for (guint i = 0; i < n_ranges; i++, button = gtk_widget_get_next_sibling (button)) {
        if (ranges[i] == rf_monitor_choice_get_minutes (self->choice))
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    }
    gtk_toggle_button_set_active (self->pause_button, rf_timeline_get_end (self->timeline) > 0);
    update_title (self);
}

static void
pause_toggled_cb (RfMonitorBar *self)
{
    if (gtk_toggle_button_get_active (self->pause_button) != (rf_timeline_get_end (self->timeline) > 0))
        gtk_widget_activate_action (GTK_WIDGET (self), "monitor.pause", NULL);
}

static void
range_toggled_cb (GtkToggleButton *button, RfMonitorBar *self)
{
    if (gtk_toggle_button_get_active (button))
        rf_monitor_choice_set_minutes (self->choice,
                                       GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "rf-minutes")));
}

static void
add_ranges (RfMonitorBar *self)
{
    GtkToggleButton *first = NULL;
    guint n_ranges = 0;
    const guint *ranges = rf_monitor_choice_ranges (&n_ranges);

    for (guint i = 0; i < n_ranges; i++) {
        /* Translators: a button: the graphs show so many minutes */
        g_autofree char *label = g_strdup_printf (_ ("%u min"), ranges[i]);
        GtkWidget *button = gtk_toggle_button_new_with_label (label);

        g_object_set_data (G_OBJECT (button), "rf-minutes", GUINT_TO_POINTER (ranges[i]));
        if (first == NULL)
            first = GTK_TOGGLE_BUTTON (button);
        else
            gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), first);
        g_signal_connect (button, "toggled", G_CALLBACK (range_toggled_cb), self);
        rf_columns_append (RF_COLUMNS (self->ranges), button);
    }
}

static void
rf_monitor_bar_dispose (GObject *object)
{
    RfMonitorBar *self = RF_MONITOR_BAR (object);

    g_clear_pointer (&self->fold, gtk_widget_unparent);
    g_clear_object (&self->choice);
    g_clear_object (&self->timeline);
    g_clear_object (&self->sampler);
    G_OBJECT_CLASS (rf_monitor_bar_parent_class)->dispose (object);
}

static void
rf_monitor_bar_class_init (RfMonitorBarClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_monitor_bar_dispose;
    g_type_ensure (RF_TYPE_COLUMNS);
    g_type_ensure (RF_TYPE_FOLD);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-monitor-bar.ui");
    gtk_widget_class_bind_template_child (widget_class, RfMonitorBar, fold);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorBar, range_title);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorBar, pause_button);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorBar, ranges);
}

static void
rf_monitor_bar_init (RfMonitorBar *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    g_signal_connect_object (self->pause_button, "toggled", G_CALLBACK (pause_toggled_cb), self, G_CONNECT_SWAPPED);
}

GtkWidget *
rf_monitor_bar_new (RfMonitorChoice *choice, RfTimeline *timeline, RfSampler *sampler)
{
    RfMonitorBar *self = NULL;

    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (choice), NULL);
    g_return_val_if_fail (RF_IS_TIMELINE (timeline), NULL);
    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);

    self = g_object_new (RF_TYPE_MONITOR_BAR, NULL);
    self->choice = g_object_ref (choice);
    self->timeline = g_object_ref (timeline);
    self->sampler = g_object_ref (sampler);
    add_ranges (self);
    update (self);
    g_signal_connect_object (choice, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (timeline, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    return GTK_WIDGET (self);
}
