/* The trial: how long it still runs, three buttons, two live graphs with the moment of change, what was written and what
 * was not. Decides nothing and calls nobody; the wizard does. */
#pragma once

#include "rf-record.h"
#include "rf-sampler.h"
#include "rf-wizard-page.h"

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_TRIAL (rf_wizard_trial_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardTrial, rf_wizard_trial, RF, WIZARD_TRIAL, RfWizardPage)

/** RfWizardTrial signals: "keep" (), "extend" (), "revert" (): the buttons; "over" (): the countdown reached zero */
GtkWidget *rf_wizard_trial_new (RfSampler *sampler, RfFacts *facts);
/**
 * rf_wizard_trial_start:
 * @record: what is on trial; copied from
 * @ends: CLOCK_BOOTTIME, µs
 * @just_applied: mark the moment in the graphs
 */
void rf_wizard_trial_start (RfWizardTrial *self, const RfRecord *record, gint64 ends, gboolean just_applied);
/** rf_wizard_trial_set_ends: the helper says another end; the bar starts anew if it is later than before */
void rf_wizard_trial_set_ends (RfWizardTrial *self, gint64 ends);
/** rf_wizard_trial_stop: the countdown stands still, the buttons are off */
void rf_wizard_trial_stop (RfWizardTrial *self);

/** rf_wizard_boottime: Returns: CLOCK_BOOTTIME in µs, the clock of the trial: it goes on while the machine sleeps */
gint64 rf_wizard_boottime (void);

G_END_DECLS
