/* The guided tuning: welcome, four steps, review, apply, trial, result. Owns the model and the pages; talks to the helper
 * through RfClient. Nothing is applied before "Apply"; a trial that is running when the wizard opens is shown. */
#pragma once

#include "rf-client.h"
#include "rf-sampler.h"
#include "rf-wizard-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RF_WIZARD_TRIAL_SECONDS: length of a trial; "Give me 10 minutes" makes it longer */
#define RF_WIZARD_TRIAL_SECONDS 120
#define RF_WIZARD_EXTEND_SECONDS 600

typedef enum {
    RF_STAGE_WELCOME,
    RF_STAGE_STEP_1,
    RF_STAGE_STEP_2,
    RF_STAGE_STEP_3,
    RF_STAGE_STEP_4,
    RF_STAGE_REVIEW,
    RF_STAGE_PROGRESS,
    RF_STAGE_TRIAL,
    RF_STAGE_RESULT,
    RF_STAGE_N_STAGES,
} RfWizardStage;

#define RF_TYPE_WIZARD (rf_wizard_get_type ())
G_DECLARE_FINAL_TYPE (RfWizard, rf_wizard, RF, WIZARD, GtkWidget)

/**
 * RfWizard signals: "closed" (): the person is done with it; the owner hides it; "stayed" (): asked whether to leave the
 * trial, the person goes on with it. Property: "stage" (RfWizardStage as guint, read-only).
 */
GtkWidget *rf_wizard_new (RfClient *client, RfSampler *sampler, RfFacts *facts);

RfWizardStage rf_wizard_get_stage (RfWizard *self);
RfWizardModel *rf_wizard_get_model (RfWizard *self);

/**
 * rf_wizard_request_close:
 *
 * Before "Apply" and after the end "closed" comes at once. While applying, it is cancelled first. On trial the person
 * is asked whether to keep or to take back; "closed" comes when that is done, or never if they go on.
 */
void rf_wizard_request_close (RfWizard *self);

/** rf_wizard_propose: at the review with exactly the settings of @plan; nothing if a trial is running. What is not offered
 * on this machine is left out. */
void rf_wizard_propose (RfWizard *self, const RfPlan *plan);
/** rf_wizard_must_ask: whether closing now would end something: applying or a trial */
gboolean rf_wizard_must_ask (RfWizard *self);
/** rf_wizard_decide: as its buttons do it, from outside of the window. Returns: FALSE if the trial @id is not the one that
 * runs, or is being decided already; then nothing happens */
gboolean rf_wizard_decide (RfWizard *self, const char *id, gboolean keep_it);
/** rf_wizard_go_back: to the page before, where there is a button for it; nothing otherwise */
void rf_wizard_go_back (RfWizard *self);

G_END_DECLS
