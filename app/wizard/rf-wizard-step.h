/* One step of the wizard: the problem in plain words, what this machine shows, and the settings of the step. */
#pragma once

#include "rf-sampler.h"
#include "rf-wizard-model.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_STEP (rf_wizard_step_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardStep, rf_wizard_step, RF, WIZARD_STEP, RfWizardPage)

/** rf_wizard_step_new: @step: 0 to RF_WIZARD_N_STEPS - 1 */
GtkWidget *rf_wizard_step_new (RfWizardModel *model, RfSampler *sampler, guint step);

G_END_DECLS
