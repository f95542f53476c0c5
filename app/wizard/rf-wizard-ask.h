/* The question when somebody leaves during a trial: keep, take back, or go on trying. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    RF_WIZARD_ANSWER_GO_ON, /* also when the question is closed */
    RF_WIZARD_ANSWER_KEEP,
    RF_WIZARD_ANSWER_REVERT,
} RfWizardAnswer;

typedef void (*RfWizardAnswerFunc) (RfWizardAnswer answer, gpointer data);

/** rf_wizard_ask: shows a modal window; @callback is called exactly once */
void rf_wizard_ask (GtkWindow *parent, RfWizardAnswerFunc callback, gpointer data);

G_END_DECLS
