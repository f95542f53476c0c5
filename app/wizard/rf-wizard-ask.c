#define G_LOG_DOMAIN "rf-wizard-ask"
#include "config.h"

#include "rf-wizard-ask.h"

#include "rf-label.h"


#include <glib/gi18n.h>

typedef struct {
    RfWizardAnswerFunc callback;
    gpointer data;
    RfWizardAnswer answer;
} Question;

static void
destroyed_cb (GtkWidget *window, gpointer data)
{
    g_autofree Question *question = data;
    question->callback (question->answer, question->data);
}

static void
answer_cb (GtkWidget *button, gpointer data)
{
    Question *question = data;
    question->answer = (RfWizardAnswer) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "answer"));
    gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (button)));
}

static GtkWidget *
add_button (GtkWidget *box, Question *question, const char *label, RfWizardAnswer answer, const char *css_class)
{
    GtkWidget *button = gtk_button_new_with_mnemonic (label);
    if (css_class != NULL)
        gtk_widget_add_css_class (button, css_class);
    g_object_set_data (G_OBJECT (button), "answer", GINT_TO_POINTER (answer));
    g_signal_connect (button, "clicked", G_CALLBACK (answer_cb), question);
    gtk_box_append (GTK_BOX (box), button);
    return button;
}

void
rf_wizard_ask (GtkWindow *parent, RfWizardAnswerFunc callback, gpointer data)
{
    Question *question = g_new0 (Question, 1);
    GtkWidget *window = gtk_window_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    question->callback = callback;
    question->data = data;

    gtk_window_set_title (GTK_WINDOW (window), _ ("Keep these settings?"));
    gtk_window_set_modal (GTK_WINDOW (window), TRUE);
    gtk_window_set_transient_for (GTK_WINDOW (window), parent);
    gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
    gtk_window_set_resizable (GTK_WINDOW (window), FALSE);
    gtk_widget_add_css_class (window, "rf-window");
    gtk_widget_add_css_class (box, "rf-page");
    GtkWidget *text = rf_label_new (_ ("The trial is still running. If you close now without deciding, everything is "
                                          "taken back."),
                                       "rf-lead");
    gtk_label_set_max_width_chars (GTK_LABEL (text), 34);
    gtk_label_set_width_chars (GTK_LABEL (text), 34);
    gtk_box_append (GTK_BOX (box), rf_label_new (_ ("Keep these settings?"), "rf-title"));
    gtk_box_append (GTK_BOX (box), text);
    GtkWidget *go_on = add_button (buttons, question, _ ("_Go on trying"), RF_WIZARD_ANSWER_GO_ON, NULL);
    add_button (buttons, question, _ ("_Take everything back"), RF_WIZARD_ANSWER_REVERT, "rf-quiet-danger");
    add_button (buttons, question, _ ("_Keep"), RF_WIZARD_ANSWER_KEEP, "suggested-action");
    gtk_box_append (GTK_BOX (box), buttons);
    gtk_window_set_child (GTK_WINDOW (window), box);
    gtk_accessible_update_property (GTK_ACCESSIBLE (window), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Keep these settings?"),
                                    -1);

    GtkEventController *keys = gtk_shortcut_controller_new ();
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
    gtk_widget_add_controller (window, keys);
    g_signal_connect (window, "destroy", G_CALLBACK (destroyed_cb), question);
    gtk_window_set_focus (GTK_WINDOW (window), go_on);
    gtk_window_present (GTK_WINDOW (window));
}
