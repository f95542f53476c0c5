/* What the two files of the wizard share: rf-wizard.c turns the pages and applies, rf-wizard-deciding.c has the trial. */
#pragma once

#include "rf-wizard.h"

#include "rf-message-bar.h"
#include "rf-quick-test.h"
#include "rf-trial-notice.h"
#include "rf-wizard-page.h"
#include "rf-wizard-states.h"
#include "rf-wizard-steps.h"

struct _RfWizard {
    GtkWidget parent_instance;

    GtkWidget *steps_clamp;
    RfWizardSteps *steps;
    GtkWidget *bar_clamp;
    RfMessageBar *bar;
    GtkStack *stack;
    GtkWidget *footer;
    GtkLabel *status;
    GtkWidget *cancel;
    GtkWidget *skip;
    GtkWidget *back;
    GtkWidget *next;
    GtkLabel *next_label;

    RfClient *client;
    RfSampler *sampler;
    RfWizardModel *model;
    RfQuickTest *test;
    RfTrialNotice *notice;
    RfWizardPage *pages[RF_STAGE_N_STAGES];
    RfWizardStates *states;
    RfWizardStage stage;
    gboolean warned;        /* and wants to try all the same */
    GCancellable *applying; /* of the running Apply */
    RfRecord *record;       /* on trial, or how it ended */
    guint look_again;
    gboolean looking;       /* ListRecords is under way */
    gboolean asking;        /* the question of rf-wizard-ask is open */
    gboolean closing;       /* "closed" as soon as what runs has ended */
    gboolean disposed;
};

/** rf_wizard_go_to: shows the page of @stage and what belongs to it */
void rf_wizard_go_to (RfWizard *self, RfWizardStage stage);
/** rf_wizard_close_now: "closed" */
void rf_wizard_close_now (RfWizard *self);

/** rf_wizard_follow_trial: connects to all that tells of a trial, and shows one that is running; once, at the end of the
 * construction */
void rf_wizard_follow_trial (RfWizard *self);
/** rf_wizard_show_trial: @record: (transfer full); @just_applied: by this window, just now */
void rf_wizard_show_trial (RfWizard *self, RfRecord *record, gboolean just_applied);
/** rf_wizard_look_at_trial: asks the helper whether it is over; signals are hints only */
void rf_wizard_look_at_trial (RfWizard *self);
/** rf_wizard_revert_trial: takes it back, and shows that when it is done */
void rf_wizard_revert_trial (RfWizard *self);
/** rf_wizard_leave_trial: asks what shall become of it; "closed" or "stayed" follows */
void rf_wizard_leave_trial (RfWizard *self);
