/* How the trial ended and what to do next, in honest words. */
#pragma once

#include "rf-record.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_RESULT (rf_wizard_result_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardResult, rf_wizard_result, RF, WIZARD_RESULT, RfWizardPage)

GtkWidget *rf_wizard_result_new (RfFacts *facts);
/** rf_wizard_result_set_record: @record: kept or taken back; only read */
void rf_wizard_result_set_record (RfWizardResult *self, const RfRecord *record);

G_END_DECLS
