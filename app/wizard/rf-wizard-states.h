/* What is not as it should be, on the pages of the guided tuning: at its start what can be known before, at the review what
 * stands in the way of a trial or has just gone wrong, at the trial and after it the lines for a system that keeps settings
 * in its own configuration. Shows only; what the buttons do is the wizard's. */
#pragma once

#include "rf-client.h"
#include "rf-state-bar.h"
#include "rf-wizard-model.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

typedef struct _RfWizardStates RfWizardStates;

/** RfWizardStatesFunc: the button of @info was pressed; what @info points to may go away in it */
typedef void (*RfWizardStatesFunc) (RfStateAction action, const RfStateInfo *info, gpointer data);

/** rf_wizard_states_new: puts its bars into the pages, which own them and must live as long as it is used */
RfWizardStates *rf_wizard_states_new (RfClient *client, RfSysroot *sysroot, RfWizardModel *model, RfWizardPage *welcome,
                                      RfWizardPage *memory, RfWizardPage *review, RfWizardPage *trial,
                                      RfWizardPage *result, RfWizardStatesFunc callback, gpointer data);
void rf_wizard_states_free (RfWizardStates *self);

/** rf_wizard_states_update: looks again; @record: (nullable): that is on trial or was */
void rf_wizard_states_update (RfWizardStates *self, const RfRecord *record);

/** rf_wizard_states_show_error: Returns: FALSE if there is nothing to do about @error: then the sentence is enough */
gboolean rf_wizard_states_show_error (RfWizardStates *self, const GError *error, const RfPlan *plan);

/** rf_wizard_states_warn: Returns: TRUE if something speaks against a trial now; it is shown, with "Try anyway" */
gboolean rf_wizard_states_warn (RfWizardStates *self);

/** rf_wizard_states_clear: what has gone wrong is no news any more */
void rf_wizard_states_clear (RfWizardStates *self);

G_END_DECLS
