/* First page of the wizard: what will happen, what this machine is, which set of values to start from. */
#pragma once

#include "rf-quick-test.h"
#include "rf-wizard-model.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_WELCOME (rf_wizard_welcome_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardWelcome, rf_wizard_welcome, RF, WIZARD_WELCOME, RfWizardPage)

/** rf_wizard_welcome_new: @test: its first half is offered here; keeps a reference */
GtkWidget *rf_wizard_welcome_new (RfWizardModel *model, RfQuickTest *test);

G_END_DECLS
