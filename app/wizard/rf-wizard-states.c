#define G_LOG_DOMAIN "rf-wizard-states"
#include "config.h"

#include "rf-wizard-states.h"

#include "rf-snippet.h"

/* what is shown at the start; the rest has its place elsewhere */
static const RfState first[] = {RF_STATE_HELPER_MISSING, RF_STATE_HELPER_OLDER, RF_STATE_PROGRAM_OLDER,
                                RF_STATE_HALF_APPLIED,   RF_STATE_CONTAINER,    RF_STATE_READ_ONLY,
                                RF_STATE_IMMUTABLE,      RF_STATE_OSTREE};

struct _RfWizardStates {
    RfClient *client;
    RfSysroot *sysroot;
    RfWizardModel *model;
    GtkWidget *welcome[G_N_ELEMENTS (first)];
    GtkWidget *psi;
    GtkWidget *problem; /* at the review: what stands in the way */
    GtkWidget *plan;    /* … and what the plan means on this system */
    GtkWidget *trial;
    GtkWidget *result;
    RfWizardStatesFunc callback;
    gpointer data;
};

static void
action_cb (RfStateBar *bar, guint action, RfWizardStates *self)
{
    self->callback ((RfStateAction)action, rf_state_bar_get_info (bar), self->data);
}

static GtkWidget *
new_bar (RfWizardStates *self)
{
    GtkWidget *bar = rf_state_bar_new ();
    g_signal_connect (bar, "action", G_CALLBACK (action_cb), self);
    return bar;
}

RfWizardStates *
rf_wizard_states_new (RfClient *client, RfSysroot *sysroot, RfWizardModel *model, RfWizardPage *welcome,
                      RfWizardPage *memory, RfWizardPage *review, RfWizardPage *trial, RfWizardPage *result,
                      RfWizardStatesFunc callback, gpointer data)
{
    RfWizardStates *self = g_new0 (RfWizardStates, 1);
    self->client = g_object_ref (client);
    self->sysroot = g_object_ref (sysroot);
    self->model = g_object_ref (model);
    self->callback = callback;
    self->data = data;
    /* the last one that is put above stands on top */
    for (guint i = G_N_ELEMENTS (first); i-- > 0;)
        rf_wizard_page_set_above (welcome, self->welcome[i] = new_bar (self));
    rf_wizard_page_append (memory, self->psi = new_bar (self));
    rf_wizard_page_set_above (review, self->problem = new_bar (self));
    rf_wizard_page_append (review, self->plan = new_bar (self));
    rf_wizard_page_append (trial, self->trial = new_bar (self));
    rf_wizard_page_append (result, self->result = new_bar (self));
    return self;
}

void
rf_wizard_states_free (RfWizardStates *self)
{
    g_object_unref (self->client);
    g_object_unref (self->sysroot);
    g_object_unref (self->model);
    g_free (self);
}

static RfStateInput
look (RfWizardStates *self)
{
    RfStateInput input = {0};
    rf_state_look (&input, self->client, self->sysroot, rf_wizard_model_get_facts (self->model));
    return input;
}

static void
show (GtkWidget *bar, RfState state, const RfStateInput *input)
{
    rf_state_bar_show (RF_STATE_BAR (bar), rf_state_get (state, input));
}

void
rf_wizard_states_update (RfWizardStates *self, const RfRecord *record)
{
    RfStateInput input = look (self);
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (self->model, NULL);
    g_autoptr (RfPlan) tried = record != NULL ? rf_snippet_plan_of_record (record) : NULL;
    for (guint i = 0; i < G_N_ELEMENTS (first); i++)
        show (self->welcome[i], first[i], &input);
    show (self->psi, RF_STATE_NO_PSI, &input);
    input.plan = plan;
    show (self->plan, RF_STATE_IMMUTABLE, &input);
    /* after the trial nothing is applied any more: then the lines stay that were shown in it */
    if (tried == NULL)
        return;
    input.plan = tried;
    show (self->trial, RF_STATE_IMMUTABLE, &input);
    show (self->result, RF_STATE_IMMUTABLE, &input);
}

gboolean
rf_wizard_states_show_error (RfWizardStates *self, const GError *error, const RfPlan *plan)
{
    g_autoptr (RfStateInfo) info = rf_state_from_error (error, plan);
    if (info == NULL || !info->grave)
        return FALSE;
    rf_state_bar_show (RF_STATE_BAR (self->problem), g_steal_pointer (&info));
    return TRUE;
}

gboolean
rf_wizard_states_warn (RfWizardStates *self)
{
    RfStateInput input = look (self);
    show (self->problem, RF_STATE_BATTERY, &input);
    return rf_state_bar_get_info (RF_STATE_BAR (self->problem)) != NULL;
}

void
rf_wizard_states_clear (RfWizardStates *self)
{
    rf_state_bar_show (RF_STATE_BAR (self->problem), NULL);
}
