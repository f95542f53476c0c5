/* While the helper writes: how far it is. Cancelling is the wizard's. */
#pragma once

#include "rf-client.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_PROGRESS (rf_wizard_progress_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardProgress, rf_wizard_progress, RF, WIZARD_PROGRESS, RfWizardPage)

GtkWidget *rf_wizard_progress_new (RfClient *client);
/** rf_wizard_progress_set_cancelling: the helper has been asked to stop and is still busy */
void rf_wizard_progress_set_cancelling (RfWizardProgress *self);

G_END_DECLS
