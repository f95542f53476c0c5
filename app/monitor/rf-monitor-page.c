#define G_LOG_DOMAIN "rf-monitor-page"

#include "config.h"

#include "rf-monitor-page.h"

#include <glib/gi18n.h>

#include "rf-clamp.h"
#include "rf-columns.h"
#include "rf-label.h"
#include "rf-monitor-cards.h"

#define COLUMN_WIDTH 320

struct _RfMonitorPage {
    GtkWidget parent_instance;

    GtkWidget *scroller;
    GtkBox *groups;
    GtkLabel *range_title;
    RfColumns *ranges;

    RfSampler *sampler;
    gulong sampled;
    GPtrArray *cards; /* of RfGraphCard, in the order of the table; owned by the widget tree */
};

G_DEFINE_FINAL_TYPE (RfMonitorPage, rf_monitor_page, GTK_TYPE_WIDGET)

static const guint minutes[] = {1, 5, 15, 60};
#define DEFAULT_RANGE 1

static void
update_cards (RfMonitorPage *self)
{
    for (guint i = 0; i < self->cards->len; i++)
        rf_monitor_card_update (rf_monitor_cards_get (i), self->cards->pdata[i], self->sampler);
}

static void
sampled_cb (RfSampler *sampler, RfMonitorPage *self)
{
    update_cards (self);
}

static void
set_range (RfMonitorPage *self, guint range)
{
    const guint samples = minutes[range] * 60 * 1000 / rf_sampler_get_interval_ms (self->sampler);
    g_autofree char *title = NULL;

    title = g_strdup_printf (ngettext ("Last minute", "Last %u minutes", minutes[range]), minutes[range]);
    gtk_label_set_text (self->range_title, title);
    for (guint i = 0; i < self->cards->len; i++)
        rf_graph_set_span (rf_graph_card_get_graph (self->cards->pdata[i]), samples);
}

static void
range_toggled_cb (GtkToggleButton *button, RfMonitorPage *self)
{
    if (gtk_toggle_button_get_active (button))
        set_range (self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "rf-range")));
}

static void
add_ranges (RfMonitorPage *self)
{
    GtkToggleButton *first = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (minutes); i++) {
        /* Translators: a button: the graphs show so many minutes */
        g_autofree char *label = g_strdup_printf (_ ("%u min"), minutes[i]);
        GtkWidget *button = gtk_toggle_button_new_with_label (label);

        g_object_set_data (G_OBJECT (button), "rf-range", GUINT_TO_POINTER (i));
        if (first == NULL)
            first = GTK_TOGGLE_BUTTON (button);
        else
            gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), first);
        g_signal_connect (button, "toggled", G_CALLBACK (range_toggled_cb), self);
        rf_columns_append (self->ranges, button);
        if (i == DEFAULT_RANGE)
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    }
}

static void
add_groups (RfMonitorPage *self)
{
    for (guint group = 0; group < RF_N_MONITOR_GROUPS; group++) {
        GtkWidget *heading = rf_label_new (rf_monitor_group_title (group), "rf-group-title");
        GtkWidget *columns = rf_columns_new (COLUMN_WIDTH, 2, 16);

        gtk_box_append (self->groups, heading);
        gtk_box_append (self->groups, columns);
        for (guint i = 0; i < rf_monitor_cards_count (); i++) {
            const RfMonitorCard *card = rf_monitor_cards_get (i);

            if (rf_monitor_card_group (card) == group)
                rf_columns_append (RF_COLUMNS (columns), self->cards->pdata[i]);
        }
    }
}

static void
rf_monitor_page_map (GtkWidget *widget)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);

    GTK_WIDGET_CLASS (rf_monitor_page_parent_class)->map (widget);
    self->sampled = g_signal_connect (self->sampler, "sampled", G_CALLBACK (sampled_cb), self);
    rf_sampler_hold (self->sampler);
    update_cards (self);
}

static void
rf_monitor_page_unmap (GtkWidget *widget)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);

    g_clear_signal_handler (&self->sampled, self->sampler);
    rf_sampler_release (self->sampler);
    GTK_WIDGET_CLASS (rf_monitor_page_parent_class)->unmap (widget);
}

static void
rf_monitor_page_dispose (GObject *object)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (object);

    g_clear_pointer (&self->scroller, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_monitor_page_parent_class)->dispose (object);
    g_clear_pointer (&self->cards, g_ptr_array_unref);
    g_clear_object (&self->sampler);
}

static void
rf_monitor_page_class_init (RfMonitorPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_monitor_page_dispose;
    widget_class->map = rf_monitor_page_map;
    widget_class->unmap = rf_monitor_page_unmap;

    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_COLUMNS);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-monitor-page.ui");
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, scroller);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, groups);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, range_title);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, ranges);
}

static void
rf_monitor_page_init (RfMonitorPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->cards = g_ptr_array_new ();
}

GtkWidget *
rf_monitor_page_new (RfSampler *sampler)
{
    RfMonitorPage *self = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);

    self = g_object_new (RF_TYPE_MONITOR_PAGE, NULL);
    self->sampler = g_object_ref (sampler);
    for (guint i = 0; i < rf_monitor_cards_count (); i++)
        g_ptr_array_add (self->cards, rf_monitor_card_create (rf_monitor_cards_get (i), sampler));
    add_groups (self);
    add_ranges (self);
    return GTK_WIDGET (self);
}

void
rf_monitor_page_zoom_in (RfMonitorPage *self)
{
    GtkWidget *first = NULL;

    g_return_if_fail (RF_IS_MONITOR_PAGE (self));

    first = gtk_widget_get_first_child (GTK_WIDGET (self->ranges));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (first), TRUE);
}
