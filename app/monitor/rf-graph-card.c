#define G_LOG_DOMAIN "rf-graph-card"

#include "config.h"

#include "rf-graph-card.h"

#include <glib/gi18n.h>

#include "rf-columns.h"
#include "rf-fold.h"
#include "rf-graph-paint.h"
#include "rf-swatch.h"

/* between two descriptions for a screen reader: saying a number every second would drown everything else */
#define SUMMARY_EVERY_US (10 * G_USEC_PER_SEC)

struct _RfGraphCard {
    GtkWidget parent_instance;

    GtkWidget *box;
    GtkWidget *head;
    GtkLabel *title;
    GtkLabel *value;
    GtkStack *stack;
    GtkLabel *reason;
    GtkWidget *legend;
    GtkWidget *foot;
    GtkLabel *explanation;
    GtkWidget *buttons;
    GtkWidget *help_button;
    GtkWidget *open_button;

    RfGraph *graph;
    char *topic;
    gboolean large;
    gboolean small; /* no value: the title says it in words */
    GtkLabel *line_value[RF_GRAPH_MAX_LINES];
    char *line_label[RF_GRAPH_MAX_LINES];
    guint n_lines;
    gint64 next_summary; /* CLOCK_MONOTONIC, µs; 0: not refreshed yet */
};

G_DEFINE_FINAL_TYPE (RfGraphCard, rf_graph_card, GTK_TYPE_WIDGET)

static void
update_summary (RfGraphCard *self)
{
    g_autofree char *words = rf_graph_summary (self->graph);

    rf_graph_set_summary (self->graph, words);
}

/* "Full size" where there is such a thing: Enter on whatever has the focus in the card, or a double click. */
static gboolean
open_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
    RfGraphCard *self = RF_GRAPH_CARD (widget);

    return self->topic != NULL && !self->large && gtk_widget_activate_action (widget, "monitor.open", "s", self->topic);
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, RfGraphCard *self)
{
    if (n_press != 2 || self->topic == NULL)
        return;
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    if (self->large)
        gtk_widget_activate_action (GTK_WIDGET (self), "monitor.close", NULL);
    else
        gtk_widget_activate_action (GTK_WIDGET (self), "monitor.open", "s", self->topic);
}

static void
rf_graph_card_dispose (GObject *object)
{
    RfGraphCard *self = RF_GRAPH_CARD (object);

    for (guint i = 0; i < RF_GRAPH_MAX_LINES; i++)
        g_clear_pointer (&self->line_label[i], g_free);
    self->n_lines = 0;
    g_clear_pointer (&self->topic, g_free);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_graph_card_parent_class)->dispose (object);
}

static void
rf_graph_card_class_init (RfGraphCardClass *klass)
{
    static const guint enter_keys[] = {GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter};
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_graph_card_dispose;

    g_type_ensure (RF_TYPE_COLUMNS);
    g_type_ensure (RF_TYPE_FOLD);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-graph-card.ui");
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, box);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, head);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, title);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, value);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, stack);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, reason);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, legend);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, foot);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, explanation);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, buttons);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, help_button);
    gtk_widget_class_bind_template_child (widget_class, RfGraphCard, open_button);
    for (guint i = 0; i < G_N_ELEMENTS (enter_keys); i++)
        gtk_widget_class_add_binding (widget_class, enter_keys[i], 0, open_cb, NULL);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
rf_graph_card_init (RfGraphCard *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, self->title, NULL, -1);
}

GtkWidget *
rf_graph_card_new (const char *title, const char *explanation, RfMeasure measure)
{
    RfGraphCard *self = g_object_new (RF_TYPE_GRAPH_CARD, NULL);
    GtkGesture *click = gtk_gesture_click_new ();

    gtk_label_set_text (self->title, title);
    rf_graph_card_set_explanation (self, explanation);
    gtk_label_set_text (self->value, "…");
    self->graph = RF_GRAPH (rf_graph_new (title, measure));
    rf_graph_set_legend (self->graph, FALSE);
    gtk_widget_set_vexpand (GTK_WIDGET (self->graph), TRUE);
    gtk_stack_add_child (self->stack, GTK_WIDGET (self->graph));
    gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->graph));
    g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self->graph), GTK_EVENT_CONTROLLER (click));
    return GTK_WIDGET (self);
}

static void
name_button (GtkWidget *button, const char *name)
{
    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
rf_graph_card_set_topic (RfGraphCard *self, const char *topic, const char *title)
{
    /* Translators: a button; %s is the title of a graph */
    g_autofree char *open = g_strdup_printf (_ ("Full size: %s"), title);
    /* Translators: a button; %s is the title of a graph */
    g_autofree char *help = g_strdup_printf (_ ("Help: %s"), title);

    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    g_free (self->topic);
    self->topic = g_strdup (topic);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->open_button), "s", topic);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->open_button), "monitor.open");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->help_button), "s", topic);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->help_button), "win.show-help");
    name_button (self->open_button, open);
    name_button (self->help_button, help);
    gtk_widget_set_visible (self->buttons, TRUE);
    gtk_widget_set_visible (self->foot, TRUE);
}

void
rf_graph_card_set_large (RfGraphCard *self, gboolean large)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    self->large = large;
    gtk_widget_set_vexpand (GTK_WIDGET (self), large);
    gtk_widget_set_visible (self->open_button, !large);
}

void
rf_graph_card_set_small (RfGraphCard *self)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    self->small = TRUE;
    rf_graph_card_set_explanation (self, NULL);
    gtk_widget_set_visible (GTK_WIDGET (self->value), FALSE);
    /* a long title wraps beside the buttons */
    g_object_set (self->head, "fold-width", 1, NULL);
    gtk_widget_add_css_class (GTK_WIDGET (self), "rf-compact");
    if (gtk_widget_get_parent (self->buttons) != self->foot)
        return;
    g_object_ref (self->buttons);
    gtk_widget_unparent (self->buttons);
    gtk_widget_set_valign (self->buttons, GTK_ALIGN_CENTER);
    rf_fold_append (RF_FOLD (self->head), self->buttons);
    g_object_unref (self->buttons);
    gtk_widget_set_visible (self->foot, FALSE);
}

void
rf_graph_card_set_title (RfGraphCard *self, const char *title, const char *css_class)
{
    static const char *const classes[] = {"good", "warning", "danger"};

    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    gtk_label_set_text (self->title, title);
    for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
        gtk_widget_remove_css_class (GTK_WIDGET (self->title), classes[i]);
    if (css_class != NULL)
        gtk_widget_add_css_class (GTK_WIDGET (self->title), css_class);
}

RfGraph *
rf_graph_card_get_graph (RfGraphCard *self)
{
    g_return_val_if_fail (RF_IS_GRAPH_CARD (self), NULL);

    return self->graph;
}

void
rf_graph_card_set_value (RfGraphCard *self, const char *text)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    gtk_label_set_text (self->value, text);
    gtk_widget_set_visible (GTK_WIDGET (self->value), *text != '\0' && !self->small);
}

void
rf_graph_card_set_suffix (RfGraphCard *self, GtkWidget *widget)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    rf_graph_card_set_value (self, "");
    gtk_widget_set_halign (widget, GTK_ALIGN_START);
    rf_fold_append (RF_FOLD (self->head), widget);
}

void
rf_graph_card_set_words_first (RfGraphCard *self)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    gtk_box_reorder_child_after (GTK_BOX (self->box), self->foot, self->head);
}

void
rf_graph_card_set_explanation (RfGraphCard *self, const char *explanation)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    gtk_label_set_text (self->explanation, explanation != NULL ? explanation : "");
    gtk_widget_set_visible (GTK_WIDGET (self->explanation), explanation != NULL);
    gtk_widget_set_visible (self->foot, explanation != NULL || self->topic != NULL);
}

void
rf_graph_card_add_line (RfGraphCard *self, RfSeries *series, const char *label)
{
    GtkWidget *entry = NULL;
    GtkWidget *words = NULL;

    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    if (self->n_lines == RF_GRAPH_MAX_LINES)
        return;
    rf_graph_add_line (self->graph, series, label);
    if (label != NULL) {
        entry = rf_fold_new (RF_FOLD_NEVER, 6);
        words = gtk_label_new (label);
        gtk_label_set_xalign (GTK_LABEL (words), 0);
        gtk_label_set_wrap (GTK_LABEL (words), TRUE);
        gtk_widget_add_css_class (words, "rf-legend");
        rf_fold_append (RF_FOLD (entry), rf_swatch_new (self->n_lines));
        rf_fold_append (RF_FOLD (entry), words);
        rf_columns_append (RF_COLUMNS (self->legend), entry);
        gtk_widget_set_visible (self->legend, TRUE);
        self->line_value[self->n_lines] = GTK_LABEL (words);
        self->line_label[self->n_lines] = g_strdup (label);
    }
    self->n_lines++;
}

void
rf_graph_card_clear_lines (RfGraphCard *self)
{
    GtkWidget *entry = NULL;

    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    rf_graph_remove_lines (self->graph);
    while ((entry = gtk_widget_get_first_child (self->legend)) != NULL)
        gtk_widget_unparent (entry);
    for (guint i = 0; i < RF_GRAPH_MAX_LINES; i++) {
        self->line_value[i] = NULL;
        g_clear_pointer (&self->line_label[i], g_free);
    }
    gtk_widget_set_visible (self->legend, FALSE);
    self->n_lines = 0;
}

void
rf_graph_card_set_line_value (RfGraphCard *self, guint index, const char *text)
{
    g_autofree char *words = NULL;

    g_return_if_fail (RF_IS_GRAPH_CARD (self));
    g_return_if_fail (index < self->n_lines);

    if (self->line_value[index] == NULL)
        return;
    /* Translators: an entry of a graph's legend: name and current value, "nvme0n1 1.9 ms" */
    words = g_strdup_printf (C_ ("legend", "%s %s"), self->line_label[index], text);
    gtk_label_set_text (self->line_value[index], words);
}

void
rf_graph_card_set_unavailable (RfGraphCard *self, const char *reason)
{
    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    if (reason != NULL) {
        gtk_label_set_text (self->reason, reason);
        rf_graph_card_set_value (self, "");
    }
    gtk_widget_set_visible (GTK_WIDGET (self->stack), reason == NULL || *reason != '\0');
    gtk_widget_set_visible (self->legend, reason == NULL && gtk_widget_get_first_child (self->legend) != NULL);
    gtk_stack_set_visible_child (self->stack, reason != NULL ? GTK_WIDGET (self->reason) : GTK_WIDGET (self->graph));
}

void
rf_graph_card_refresh (RfGraphCard *self)
{
    const gint64 now = g_get_monotonic_time ();

    g_return_if_fail (RF_IS_GRAPH_CARD (self));

    /* at the first refresh there is nothing to tell yet */
    if (self->next_summary == 0) {
        self->next_summary = now;
    } else if (now >= self->next_summary) {
        update_summary (self);
        self->next_summary = now + SUMMARY_EVERY_US;
    }
    rf_graph_refresh (self->graph);
}
