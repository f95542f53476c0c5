#define G_LOG_DOMAIN "rf-live-card"
#include "config.h"

#include "rf-live-card.h"

#include "rf-fold.h"
#include "rf-label.h"


#include <glib/gi18n.h>

#define SPOKEN_EVERY_US (10 * G_USEC_PER_SEC)

struct _RfLiveCard {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkWidget *value;
    GtkWidget *graph;
    GtkWidget *caption;
    gint64 spoken_at;
};

G_DEFINE_FINAL_TYPE (RfLiveCard, rf_live_card, GTK_TYPE_WIDGET)

static void
rf_live_card_dispose (GObject *object)
{
    g_clear_pointer (&RF_LIVE_CARD (object)->box, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_live_card_parent_class)->dispose (object);
}

static void
rf_live_card_class_init (RfLiveCardClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_live_card_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
rf_live_card_init (RfLiveCard *self)
{
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    gtk_widget_add_css_class (GTK_WIDGET (self), "rf-card");
}

/* Words that change must not make the card wider and narrower beside other words. */
static void
limit_natural_width (GtkWidget *label, int chars)
{
    gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_WORD);
    gtk_label_set_max_width_chars (GTK_LABEL (label), chars);
}

GtkWidget *
rf_live_card_new (const char *title, RfMeasure measure, const char *value_class)
{
    RfLiveCard *self = g_object_new (RF_TYPE_LIVE_CARD, NULL);
    GtkWidget *top = rf_fold_new (0, 12);
    GtkWidget *heading = rf_label_new (title, "rf-heading");
    gtk_widget_set_hexpand (heading, TRUE);
    self->value = rf_label_new (NULL, value_class);
    gtk_widget_add_css_class (self->value, "rf-numeric");
    limit_natural_width (self->value, 22);
    rf_fold_append (RF_FOLD (top), heading);
    rf_fold_append (RF_FOLD (top), self->value);
    self->graph = rf_graph_new (title, measure);
    gtk_widget_set_vexpand (self->graph, TRUE);
    self->caption = rf_label_new (NULL, "rf-caption");
    gtk_widget_add_css_class (self->caption, "rf-numeric");
    limit_natural_width (self->caption, 46);
    gtk_box_append (GTK_BOX (self->box), top);
    gtk_box_append (GTK_BOX (self->box), self->graph);
    gtk_box_append (GTK_BOX (self->box), self->caption);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, heading, NULL, -1);
    return GTK_WIDGET (self);
}

RfGraph *
rf_live_card_get_graph (RfLiveCard *self)
{
    g_return_val_if_fail (RF_IS_LIVE_CARD (self), NULL);
    return RF_GRAPH (self->graph);
}

void
rf_live_card_set_text (RfLiveCard *self, const char *value, const char *caption)
{
    g_return_if_fail (RF_IS_LIVE_CARD (self));
    gtk_label_set_text (GTK_LABEL (self->value), value != NULL ? value : "");
    gtk_label_set_text (GTK_LABEL (self->caption), caption != NULL ? caption : "");
    gtk_widget_set_visible (self->caption, caption != NULL && *caption != '\0');
    gint64 now = g_get_monotonic_time ();
    if (self->spoken_at != 0 && now - self->spoken_at < SPOKEN_EVERY_US)
        return;
    self->spoken_at = now;
    /* TRANSLATORS: %1$s is a value such as "3 waits in 5 min", %2$s a sentence about it; spoken by a screen reader */
    g_autofree char *spoken =
        g_strdup_printf (_ ("%1$s. %2$s"), value != NULL ? value : "", caption != NULL ? caption : "");
    rf_graph_set_summary (RF_GRAPH (self->graph), spoken);
}
