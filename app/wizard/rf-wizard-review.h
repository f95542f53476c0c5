/* Everything that "Apply" will do, and where it is written. Changes nothing. */
#pragma once

#include "rf-wizard-model.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_REVIEW (rf_wizard_review_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardReview, rf_wizard_review, RF, WIZARD_REVIEW, RfWizardPage)

GtkWidget *rf_wizard_review_new (RfWizardModel *model, guint trial_seconds);

G_END_DECLS
