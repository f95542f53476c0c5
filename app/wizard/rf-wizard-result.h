/* How the trial ended and what to do next, in honest words. */
#pragma once

#include "rf-quick-test.h"
#include "rf-record.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_RESULT (rf_wizard_result_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardResult, rf_wizard_result, RF, WIZARD_RESULT, RfWizardPage)

/** rf_wizard_result_new: @test: its second half is offered here when settings are kept, and then what they have brought;
 * @folder: (nullable): of the recordings, as the test has it; keeps a reference */
GtkWidget *rf_wizard_result_new (RfFacts *facts, RfQuickTest *test, const char *folder);
/** rf_wizard_result_set_record: @record: kept or taken back; only read */
void rf_wizard_result_set_record (RfWizardResult *self, const RfRecord *record);

G_END_DECLS
