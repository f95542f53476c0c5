/* The question when somebody leaves during a trial: keep, take back, or go on trying. */
#pragma once

#include "rf-question.h"

G_BEGIN_DECLS

/** RfWizardAnswer: what the callback gets */
typedef enum {
    RF_WIZARD_ANSWER_GO_ON, /* also when the question is closed */
    RF_WIZARD_ANSWER_REVERT,
    RF_WIZARD_ANSWER_KEEP,
} RfWizardAnswer;

/** rf_wizard_ask: @parent: (nullable); @callback is called exactly once, with an RfWizardAnswer */
void rf_wizard_ask (GtkWindow *parent, RfQuestionFunc callback, gpointer data);

G_END_DECLS
