#define G_LOG_DOMAIN "rf-question"
#include "config.h"

#include "rf-question.h"

#include "rf-label.h"

/* characters in a line; the window takes its width from it */
#define WIDTH 34

typedef struct {
    RfQuestionFunc callback;
    gpointer data;
    GtkWidget *answers;
    guint n_answers;
    guint answer;
} Question;

static Question *
get (GtkWindow *window)
{
    return g_object_get_data (G_OBJECT (window), "rf-question");
}

static void
destroyed_cb (GtkWindow *window)
{
    Question *question = get (window);
    RfQuestionFunc callback = question->callback;
    question->callback = NULL; /* a window can be destroyed twice */
    if (callback != NULL)
        callback (question->answer, question->data);
}

static void
answer_cb (GtkWidget *button, gpointer answer)
{
    GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (button));
    get (window)->answer = GPOINTER_TO_UINT (answer);
    gtk_window_destroy (window);
}

GtkWindow *
rf_question_new (GtkWindow *parent, const char *title, const char *heading, const char *text, RfQuestionFunc callback,
                 gpointer data)
{
    g_return_val_if_fail (callback != NULL, NULL);
    GtkWindow *window = GTK_WINDOW (gtk_window_new ());
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    GtkWidget *words[] = {rf_label_new (heading, "rf-title"), rf_label_new (text, "rf-lead")};
    Question *question = g_new0 (Question, 1);
    question->callback = callback;
    question->data = data;
    question->answers = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    g_object_set_data_full (G_OBJECT (window), "rf-question", question, g_free);
    gtk_window_set_title (window, title);
    gtk_window_set_modal (window, TRUE);
    gtk_window_set_transient_for (window, parent);
    gtk_window_set_destroy_with_parent (window, TRUE);
    gtk_window_set_resizable (window, FALSE);
    gtk_widget_add_css_class (GTK_WIDGET (window), "rf-window");
    gtk_widget_add_css_class (box, "rf-page");
    for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
        gtk_label_set_max_width_chars (GTK_LABEL (words[i]), WIDTH);
        gtk_box_append (GTK_BOX (box), words[i]);
    }
    gtk_label_set_width_chars (GTK_LABEL (words[1]), WIDTH);
    gtk_box_append (GTK_BOX (box), question->answers);
    gtk_window_set_child (window, box);
    gtk_accessible_update_property (GTK_ACCESSIBLE (window), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);

    GtkEventController *keys = gtk_shortcut_controller_new ();
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (keys),
        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
    gtk_widget_add_controller (GTK_WIDGET (window), keys);
    g_signal_connect (window, "destroy", G_CALLBACK (destroyed_cb), NULL);
    return window;
}

void
rf_question_add_answer (GtkWindow *question, const char *label, gboolean mnemonic, const char *css_class)
{
    g_return_if_fail (GTK_IS_WINDOW (question) && label != NULL);
    Question *self = get (question);
    GtkWidget *button = mnemonic ? gtk_button_new_with_mnemonic (label) : gtk_button_new_with_label (label);
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (button)));
    if (css_class != NULL)
        gtk_widget_add_css_class (button, css_class);
    g_signal_connect (button, "clicked", G_CALLBACK (answer_cb), GUINT_TO_POINTER (self->n_answers));
    gtk_box_append (GTK_BOX (self->answers), button);
    if (self->n_answers++ == 0)
        gtk_window_set_focus (question, button);
}

static void
activated_cb (GtkWindow *window)
{
    get (window)->answer = 1;
    gtk_window_destroy (window);
}

void
rf_question_add_content (GtkWindow *question, GtkWidget *widget)
{
    g_return_if_fail (GTK_IS_WINDOW (question) && GTK_IS_WIDGET (widget));
    GtkWidget *box = gtk_window_get_child (question);
    gtk_box_insert_child_after (GTK_BOX (box), widget, gtk_widget_get_prev_sibling (get (question)->answers));
    if (GTK_IS_ENTRY (widget))
        g_signal_connect_swapped (widget, "activate", G_CALLBACK (activated_cb), question);
    gtk_window_set_focus (question, widget);
}
