#define G_LOG_DOMAIN "rf-wizard"
#include "config.h"

#include "rf-wizard-private.h"

#include "rf-clamp.h"
#include "rf-error.h"
#include "rf-fold.h"
#include "rf-message.h"
#include "rf-tunable-text.h"
#include "rf-wizard-progress.h"
#include "rf-wizard-result.h"
#include "rf-wizard-review.h"
#include "rf-wizard-step.h"
#include "rf-wizard-trial.h"
#include "rf-wizard-welcome.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (RfWizard, rf_wizard, GTK_TYPE_WIDGET)

static GParamSpec *stage_property;
static guint closed_signal;

static gboolean
before_apply (RfWizard *self)
{
    return self->stage <= RF_STAGE_REVIEW;
}

static char *
next_label (RfWizard *self)
{
    switch (self->stage) {
    case RF_STAGE_WELCOME:
    case RF_STAGE_STEP_1:
    case RF_STAGE_STEP_2:
    case RF_STAGE_STEP_3:
        /* TRANSLATORS: %s is the name of the next step */
        return g_strdup_printf (_ ("_Next: %s"), rf_group_title ((RfGroup) self->stage));
    case RF_STAGE_STEP_4:
        return g_strdup (_ ("_Next: Review"));
    case RF_STAGE_REVIEW:
        return g_strdup (_ ("_Apply"));
    default:
        return g_strdup (_ ("_Done"));
    }
}

static const char *
status_text (RfWizard *self)
{
    if (before_apply (self))
        return _ ("Nothing has been changed yet.");
    if (self->stage == RF_STAGE_PROGRESS)
        return _ ("Cancelling puts back what has been written so far.");
    return "";
}

/* All buttons, the steps on top and the words beside the buttons follow from the stage and the page, here only. */
static void
update_buttons (RfWizard *self)
{
    RfWizardPage *page = self->pages[self->stage];
    gboolean applying = rf_wizard_page_get_applying (page);
    gboolean step = self->stage >= RF_STAGE_STEP_1 && self->stage <= RF_STAGE_STEP_4;
    gboolean reverted = self->stage == RF_STAGE_RESULT && self->record != NULL &&
                        self->record->state == RF_RECORD_REVERTED;
    g_autofree char *label = next_label (self);

    gtk_widget_set_visible (self->steps_clamp, step || self->stage == RF_STAGE_REVIEW);
    if (step || self->stage == RF_STAGE_REVIEW)
        rf_wizard_steps_set_current (self->steps, self->stage - RF_STAGE_STEP_1);

    gtk_widget_set_visible (self->footer, self->stage != RF_STAGE_TRIAL);
    gtk_label_set_text (self->status, status_text (self));
    gtk_widget_set_visible (GTK_WIDGET (self->status), *status_text (self) != '\0');
    gtk_widget_set_visible (self->cancel, self->stage == RF_STAGE_PROGRESS);
    gtk_widget_set_sensitive (self->cancel, self->stage != RF_STAGE_PROGRESS || self->applying == NULL ||
                                                !g_cancellable_is_cancelled (self->applying));
    gtk_widget_set_visible (self->skip, step);
    gtk_widget_set_sensitive (self->skip, !applying);
    gtk_widget_set_visible (self->back, step || self->stage == RF_STAGE_REVIEW || reverted);
    gtk_button_set_label (GTK_BUTTON (self->back), reverted ? _ ("Start _again") : _ ("_Back"));
    gtk_widget_set_sensitive (self->back, !applying);
    gtk_widget_set_visible (self->next, self->stage != RF_STAGE_PROGRESS && self->stage != RF_STAGE_TRIAL);
    gtk_label_set_label (self->next_label, label);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->next), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    gtk_label_get_text (self->next_label), -1);
    gtk_widget_set_sensitive (self->next, rf_wizard_page_get_complete (page) && !applying);
}

void
rf_wizard_go_to (RfWizard *self, RfWizardStage stage)
{
    gboolean moved = stage != self->stage;
    if (moved)
        rf_wizard_page_leave (self->pages[self->stage]);
    self->stage = stage;
    rf_wizard_page_enter (self->pages[stage]);
    rf_wizard_states_update (self->states, self->record);
    gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->pages[stage]));
    update_buttons (self);
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        rf_wizard_page_focus (self->pages[stage]);
    if (moved)
        g_object_notify_by_pspec (G_OBJECT (self), stage_property);
}

void
rf_wizard_close_now (RfWizard *self)
{
    self->closing = FALSE;
    g_signal_emit (self, closed_signal, 0);
}

/* Apply. */

static void
clear_messages (RfWizard *self)
{
    rf_message_bar_hide (self->bar);
    rf_wizard_states_clear (self->states);
}

static void
apply_failed (RfWizard *self, const GError *error)
{
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (self->model, NULL);
    gboolean dismissed = g_error_matches (error, RF_ERROR, RF_ERROR_DISMISSED);
    rf_wizard_go_to (self, RF_STAGE_REVIEW);
    if (rf_message_is_quiet (error) && !dismissed)
        rf_message_bar_show (self->bar, RF_MESSAGE_INFO, _ ("Cancelled. Everything is as it was before."));
    else if (!rf_wizard_states_show_error (self->states, error, plan))
        rf_message_bar_show_error (self->bar, error);
    if (self->closing)
        rf_wizard_close_now (self);
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_client_apply_finish (RF_CLIENT (source), result, &error);
    if (self->disposed) {
        /* nobody is there to keep it, and the helper takes it back when the program leaves */
        g_clear_pointer (&record, rf_record_free);
        return;
    }
    gboolean wanted_back = self->applying != NULL && g_cancellable_is_cancelled (self->applying);
    g_clear_object (&self->applying);
    if (record == NULL) {
        apply_failed (self, error);
        return;
    }
    rf_wizard_show_trial (self, record, TRUE);
    if (wanted_back) /* it was done before the cancelling arrived */
        rf_wizard_revert_trial (self);
}

static void
apply (RfWizard *self)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (self->model, &error);
    if (plan == NULL) {
        rf_message_bar_show_error (self->bar, error);
        return;
    }
    clear_messages (self);
    if (!self->warned && rf_wizard_states_warn (self->states)) {
        rf_wizard_go_to (self, RF_STAGE_REVIEW); /* to its beginning, where that stands */
        return;
    }
    self->applying = g_cancellable_new ();
    rf_wizard_go_to (self, RF_STAGE_PROGRESS);
    rf_client_apply_async (self->client, plan, RF_WIZARD_TRIAL_SECONDS, self->applying, applied_cb,
                           g_object_ref (self));
}

static void
leave_out (RfWizard *self, const RfStateInfo *info)
{
    for (guint i = 0; i < rf_wizard_model_n_rows (self->model); i++) {
        const RfRecommendation *advice = rf_wizard_model_get_row (self->model, i)->advice;
        if (advice->tunable == info->tunable && g_str_equal (advice->instance, info->instance))
            rf_wizard_model_select (self->model, i, FALSE);
    }
    clear_messages (self);
    rf_wizard_go_to (self, RF_STAGE_REVIEW);
}

static void
state_action (RfStateAction action, const RfStateInfo *info, gpointer data)
{
    RfWizard *self = RF_WIZARD (data);
    switch (action) {
    case RF_STATE_ACTION_LOOK_AGAIN:
        rf_client_look_again (self->client);
        break;
    case RF_STATE_ACTION_RESTART_HELPER:
        rf_client_restart_helper (self->client);
        break;
    case RF_STATE_ACTION_RESTART_PROGRAM:
        gtk_widget_activate_action (GTK_WIDGET (self), "app.restart", NULL);
        break;
    case RF_STATE_ACTION_ANYWAY:
        self->warned = TRUE;
        apply (self);
        break;
    case RF_STATE_ACTION_TRY_AGAIN:
        apply (self);
        break;
    case RF_STATE_ACTION_LEAVE_OUT:
        leave_out (self, info);
        break;
    case RF_STATE_ACTION_SHOW_CHANGES:
    case RF_STATE_ACTION_TAKE_BACK:
        gtk_widget_activate_action (GTK_WIDGET (self), "win.show-page", "s", "changes");
        break;
    case RF_STATE_ACTION_APPLY_AGAIN:
    case RF_STATE_ACTION_NONE:
    case RF_STATE_N_ACTIONS:
    default:
        g_return_if_reached ();
    }
}

static void
cancel_apply (RfWizard *self)
{
    rf_wizard_progress_set_cancelling (RF_WIZARD_PROGRESS (self->pages[RF_STAGE_PROGRESS]));
    if (self->applying != NULL)
        g_cancellable_cancel (self->applying);
    update_buttons (self);
}

/* Buttons. */

static void
cancel_cb (RfWizard *self)
{
    cancel_apply (self);
}

static void
move_on (RfWizard *self, gboolean skipped)
{
    clear_messages (self);
    if (self->stage >= RF_STAGE_STEP_1 && self->stage <= RF_STAGE_STEP_4)
        rf_wizard_model_set_skipped (self->model, self->stage - RF_STAGE_STEP_1, skipped);
    rf_wizard_go_to (self, (RfWizardStage) (self->stage + 1));
}

static void
skip_cb (RfWizard *self)
{
    move_on (self, TRUE);
}

static void
back_cb (RfWizard *self)
{
    clear_messages (self);
    rf_wizard_go_to (self, self->stage == RF_STAGE_RESULT ? RF_STAGE_WELCOME : (RfWizardStage) (self->stage - 1));
}

static void
next_cb (RfWizard *self)
{
    if (self->stage == RF_STAGE_REVIEW)
        apply (self);
    else if (self->stage == RF_STAGE_RESULT)
        rf_wizard_close_now (self);
    else
        move_on (self, FALSE);
}

void
rf_wizard_request_close (RfWizard *self)
{
    g_return_if_fail (RF_IS_WIZARD (self));
    switch (self->stage) {
    case RF_STAGE_PROGRESS:
        self->closing = TRUE;
        cancel_apply (self);
        break;
    case RF_STAGE_TRIAL:
        rf_wizard_leave_trial (self);
        break;
    default:
        rf_wizard_close_now (self);
    }
}

static void
rf_wizard_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    g_value_set_uint (value, RF_WIZARD (object)->stage);
}

/* Held over all pages, so that the graphs of the trial show what was before it without a gap. */
static void
rf_wizard_map (GtkWidget *widget)
{
    rf_sampler_hold (RF_WIZARD (widget)->sampler);
    GTK_WIDGET_CLASS (rf_wizard_parent_class)->map (widget);
}

static void
rf_wizard_unmap (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (rf_wizard_parent_class)->unmap (widget);
    rf_sampler_release (RF_WIZARD (widget)->sampler);
}

static void
rf_wizard_dispose (GObject *object)
{
    RfWizard *self = RF_WIZARD (object);
    self->disposed = TRUE;
    g_clear_handle_id (&self->look_again, g_source_remove);
    if (self->client != NULL)
        g_signal_handlers_disconnect_by_data (self->client, self);
    gtk_widget_dispose_template (GTK_WIDGET (self), RF_TYPE_WIZARD);
    g_clear_pointer (&self->states, rf_wizard_states_free);
    g_clear_object (&self->client);
    g_clear_object (&self->sampler);
    g_clear_object (&self->model);
    if (self->test != NULL)
        rf_quick_test_cancel (self->test);
    g_clear_object (&self->test);
    g_clear_object (&self->notice);
    g_clear_object (&self->applying);
    g_clear_pointer (&self->record, rf_record_free);
    G_OBJECT_CLASS (rf_wizard_parent_class)->dispose (object);
}

static void
rf_wizard_class_init (RfWizardClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    object_class->get_property = rf_wizard_get_property;
    object_class->dispose = rf_wizard_dispose;
    widget_class->map = rf_wizard_map;
    widget_class->unmap = rf_wizard_unmap;
    stage_property = g_param_spec_uint ("stage", NULL, NULL, 0, RF_STAGE_N_STAGES - 1, 0,
                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_property (object_class, 1, stage_property);
    closed_signal = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
    g_signal_new ("stayed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_FOLD);
    g_type_ensure (RF_TYPE_MESSAGE_BAR);
    g_type_ensure (RF_TYPE_WIZARD_STEPS);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/io/github/ruckelfrei/Ruckelfrei/rf-wizard.ui");
    gtk_widget_class_bind_template_child (widget_class, RfWizard, steps_clamp);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, steps);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, bar_clamp);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, bar);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, stack);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, footer);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, status);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, cancel);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, skip);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, back);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, next);
    gtk_widget_class_bind_template_child (widget_class, RfWizard, next_label);
    gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
    gtk_widget_class_bind_template_callback (widget_class, skip_cb);
    gtk_widget_class_bind_template_callback (widget_class, back_cb);
    gtk_widget_class_bind_template_callback (widget_class, next_cb);
}

static void
rf_wizard_init (RfWizard *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
}

static void
helper_changed_cb (RfWizard *self)
{
    rf_wizard_states_update (self->states, self->record);
}

static void
available_cb (RfWizard *self)
{
    helper_changed_cb (self);
    if (self->stage == RF_STAGE_TRIAL)
        rf_wizard_look_at_trial (self);
}

GtkWidget *
rf_wizard_new (RfClient *client, RfSampler *sampler, RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_CLIENT (client) && RF_IS_SAMPLER (sampler) && facts != NULL, NULL);
    RfWizard *self = g_object_new (RF_TYPE_WIZARD, NULL);
    self->client = g_object_ref (client);
    self->sampler = g_object_ref (sampler);
    self->notice = rf_trial_notice_new ();
    self->model = rf_wizard_model_new (rf_sampler_get_sysroot (sampler), facts);

    self->test = rf_quick_test_new (client, rf_sampler_get_sysroot (sampler), NULL);

    self->pages[RF_STAGE_WELCOME] = RF_WIZARD_PAGE (rf_wizard_welcome_new (self->model, self->test));
    for (guint i = 0; i < RF_WIZARD_N_STEPS; i++)
        self->pages[RF_STAGE_STEP_1 + i] = RF_WIZARD_PAGE (rf_wizard_step_new (self->model, sampler, i));
    self->pages[RF_STAGE_REVIEW] = RF_WIZARD_PAGE (rf_wizard_review_new (self->model, RF_WIZARD_TRIAL_SECONDS));
    self->pages[RF_STAGE_PROGRESS] = RF_WIZARD_PAGE (rf_wizard_progress_new (client));
    self->pages[RF_STAGE_TRIAL] = RF_WIZARD_PAGE (rf_wizard_trial_new (sampler, facts));
    self->pages[RF_STAGE_RESULT] = RF_WIZARD_PAGE (rf_wizard_result_new (facts, self->test, NULL));
    for (guint i = 0; i < RF_STAGE_N_STAGES; i++) {
        gtk_stack_add_child (self->stack, GTK_WIDGET (self->pages[i]));
        g_signal_connect_swapped (self->pages[i], "notify::complete", G_CALLBACK (update_buttons), self);
        g_signal_connect_swapped (self->pages[i], "notify::applying", G_CALLBACK (update_buttons), self);
    }
    self->states = rf_wizard_states_new (client, rf_sampler_get_sysroot (sampler), self->model,
                                         self->pages[RF_STAGE_WELCOME], self->pages[RF_STAGE_STEP_1],
                                         self->pages[RF_STAGE_REVIEW], self->pages[RF_STAGE_TRIAL],
                                         self->pages[RF_STAGE_RESULT], state_action, self);
    g_signal_connect_swapped (client, "notify::available", G_CALLBACK (available_cb), self);
    g_signal_connect_swapped (client, "notify::helper-version", G_CALLBACK (helper_changed_cb), self);
    g_signal_connect_swapped (client, "notify::restarting", G_CALLBACK (helper_changed_cb), self);
    rf_wizard_go_to (self, RF_STAGE_WELCOME);
    rf_wizard_follow_trial (self);
    return GTK_WIDGET (self);
}

RfWizardStage
rf_wizard_get_stage (RfWizard *self)
{
    g_return_val_if_fail (RF_IS_WIZARD (self), RF_STAGE_WELCOME);
    return self->stage;
}

RfWizardModel *
rf_wizard_get_model (RfWizard *self)
{
    g_return_val_if_fail (RF_IS_WIZARD (self), NULL);
    return self->model;
}

gboolean
rf_wizard_must_ask (RfWizard *self)
{
    g_return_val_if_fail (RF_IS_WIZARD (self), FALSE);
    return self->stage == RF_STAGE_PROGRESS || self->stage == RF_STAGE_TRIAL;
}

void
rf_wizard_go_back (RfWizard *self)
{
    g_return_if_fail (RF_IS_WIZARD (self));
    if (self->stage >= RF_STAGE_STEP_1 && self->stage <= RF_STAGE_REVIEW)
        back_cb (self);
}

void
rf_wizard_propose (RfWizard *self, const RfPlan *plan)
{
    g_return_if_fail (RF_IS_WIZARD (self) && plan != NULL);
    if (self->stage != RF_STAGE_WELCOME || rf_client_get_trial_id (self->client) != NULL)
        return;
    for (guint i = 0; i < rf_wizard_model_n_rows (self->model); i++) {
        const RfRecommendation *advice = rf_wizard_model_get_row (self->model, i)->advice;
        rf_wizard_model_select (self->model, i, FALSE);
        for (guint k = 0; k < rf_plan_length (plan); k++) {
            const RfChange *change = rf_plan_get (plan, k);
            if (change->tunable == advice->tunable && g_str_equal (change->instance, advice->instance) &&
                rf_wizard_model_set_value (self->model, i, &change->value, NULL))
                rf_wizard_model_select (self->model, i, TRUE);
        }
    }
    rf_wizard_go_to (self, RF_STAGE_REVIEW);
}
