/* A question in a window of its own, which stands still until it is answered: a heading, words, and the answers as buttons
 * below each other. Closing it is an answer, too. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RfQuestionFunc: called exactly once, when the question closes, also if it does so because its parent is closed */
typedef void (*RfQuestionFunc) (guint answer, gpointer data);

/**
 * rf_question_new:
 * @parent: (nullable)
 * @title, @heading, @text: translated, no markup
 *
 * Returns: (transfer none): to be given answers and presented; it owns itself as every window does
 */
GtkWindow *rf_question_new (GtkWindow *parent, const char *title, const char *heading, const char *text,
                            RfQuestionFunc callback, gpointer data);
/**
 * rf_question_add_answer:
 * @label: translated, with a mnemonic if @mnemonic; without for what may contain anything, as names of the kernel do
 * @css_class: (nullable)
 *
 * Answers are counted from 0; the first one is the safe one: it has the focus, and is what closing the question means.
 */
void rf_question_add_answer (GtkWindow *question, const char *label, gboolean mnemonic, const char *css_class);
/** rf_question_add_content: @widget: (transfer floating): stands between words and answers; what was typed is the
 * asker's to look at. Pressing Enter in it is the second answer */
void rf_question_add_content (GtkWindow *question, GtkWidget *widget);

G_END_DECLS
