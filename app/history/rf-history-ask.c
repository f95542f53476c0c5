#define G_LOG_DOMAIN "rf-history-ask"
#include "config.h"

#include "rf-history-ask.h"

#include "rf-label.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

typedef struct {
    RfHistoryAskFunc callback;
    gpointer data;
    gboolean yes;
} Question;

static void
destroyed_cb (GtkWidget *window, gpointer data)
{
    g_autofree Question *question = data;
    question->callback (question->yes, question->data);
}

static void
yes_cb (GtkWidget *button, gpointer data)
{
    ((Question *) data)->yes = TRUE;
    gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (button)));
}

static void
no_cb (GtkWidget *button, gpointer data)
{
    gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (button)));
}

static GtkWidget *
new_button (GtkWidget *box, char *label, GCallback callback, gpointer data)
{
    GtkWidget *text = rf_label_new (label, NULL);
    GtkWidget *button = gtk_button_new ();
    gtk_label_set_xalign (GTK_LABEL (text), 0.5F);
    gtk_label_set_justify (GTK_LABEL (text), GTK_JUSTIFY_CENTER);
    gtk_button_set_child (GTK_BUTTON (button), text);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    g_signal_connect (button, "clicked", callback, data);
    gtk_box_append (GTK_BOX (box), button);
    g_free (label);
    return button;
}

void
rf_history_ask (GtkWindow *parent, const RfRecordEntry *entry, const RfValue *now, const RfFacts *facts,
                RfHistoryAskFunc callback, gpointer data)
{
    g_return_if_fail (entry != NULL && callback != NULL);
    Question *question = g_new0 (Question, 1);
    GtkWidget *window = gtk_window_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, facts);
    g_autofree char *before = rf_value_text (entry->tunable, &entry->before);
    g_autofree char *found = now != NULL ? rf_value_text (entry->tunable, now) : g_strdup (_ ("not known"));
    /* TRANSLATORS: %1$s and %2$s are values of a setting: "60", "256 MiB" */
    g_autofree char *words = g_strdup_printf (_ ("Somebody else has set it to %1$s. Before Ruckelfrei it was %2$s. Bringing "
                                                 "that back overwrites the other value now, though what sets it may do so "
                                                 "again."),
                                              found, before);
    question->callback = callback;
    question->data = data;
    gtk_window_set_title (GTK_WINDOW (window), _ ("Which value shall be used?"));
    gtk_window_set_modal (GTK_WINDOW (window), TRUE);
    gtk_window_set_transient_for (GTK_WINDOW (window), parent);
    gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
    gtk_window_set_resizable (GTK_WINDOW (window), FALSE);
    gtk_widget_add_css_class (window, "rf-window");
    gtk_widget_add_css_class (box, "rf-page");
    GtkWidget *text = rf_label_new (words, "rf-lead");
    gtk_label_set_max_width_chars (GTK_LABEL (text), 34);
    gtk_label_set_width_chars (GTK_LABEL (text), 34);
    GtkWidget *heading = rf_label_new (title, "rf-heading");
    gtk_label_set_max_width_chars (GTK_LABEL (heading), 34);
    gtk_box_append (GTK_BOX (box), heading);
    gtk_box_append (GTK_BOX (box), text);
    /* TRANSLATORS: %s is a value of a setting */
    GtkWidget *leave = new_button (box, g_strdup_printf (_ ("Leave it at %s"), found), G_CALLBACK (no_cb), question);
    GtkWidget *bring = new_button (box, g_strdup_printf (_ ("Bring back %s"), before), G_CALLBACK (yes_cb), question);
    gtk_widget_add_css_class (bring, "rf-quiet-danger");
    gtk_window_set_child (GTK_WINDOW (window), box);

    GtkEventController *keys = gtk_shortcut_controller_new ();
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
    gtk_widget_add_controller (window, keys);
    g_signal_connect (window, "destroy", G_CALLBACK (destroyed_cb), question);
    gtk_window_set_focus (GTK_WINDOW (window), leave);
    gtk_window_present (GTK_WINDOW (window));
}
