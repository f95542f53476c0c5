#define G_LOG_DOMAIN "rf-wizard-ask"
#include "config.h"

#include "rf-wizard-ask.h"

#include "rf-question.h"

#include <glib/gi18n.h>

void
rf_wizard_ask (GtkWindow *parent, RfQuestionFunc callback, gpointer data)
{
    GtkWindow *question
        = rf_question_new (parent, _ ("Keep these settings?"), _ ("Keep these settings?"),
                           _ ("The trial is still running. If you close now without deciding, everything is "
                              "taken back."),
                           callback, data);
    /* in the order of RfWizardAnswer */
    rf_question_add_answer (question, _ ("_Go on trying"), TRUE, NULL);
    rf_question_add_answer (question, _ ("_Take everything back"), TRUE, "rf-quiet-danger");
    rf_question_add_answer (question, _ ("_Keep"), TRUE, "suggested-action");
    gtk_window_present (question);
}
