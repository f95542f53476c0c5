/* Where one is in the wizard: four numbered steps and the review. Narrow windows show only the name of the current
 * one. Says the same to a screen reader. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_STEPS (rf_wizard_steps_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardSteps, rf_wizard_steps, RF, WIZARD_STEPS, GtkWidget)

/** rf_wizard_steps_set_current: @step: 0 to 3, 4 for the review */
void rf_wizard_steps_set_current (RfWizardSteps *self, guint step);

G_END_DECLS
