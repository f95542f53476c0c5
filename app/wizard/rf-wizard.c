#define G_LOG_DOMAIN "rf-wizard"
#include "config.h"

#include "rf-wizard.h"

#include "rf-clamp.h"
#include "rf-error.h"
#include "rf-fold.h"
#include "rf-message-bar.h"
#include "rf-message.h"
#include "rf-trial-notice.h"
#include "rf-tunable-text.h"
#include "rf-wizard-ask.h"
#include "rf-wizard-page.h"
#include "rf-wizard-progress.h"
#include "rf-wizard-result.h"
#include "rf-wizard-review.h"
#include "rf-wizard-states.h"
#include "rf-wizard-step.h"
#include "rf-wizard-steps.h"
#include "rf-wizard-trial.h"
#include "rf-wizard-welcome.h"

#include <glib/gi18n.h>

/* How soon to look again when the trial should be over and the helper is not yet done, or cannot be reached. */
#define LOOK_AGAIN_MS 1000

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

G_DEFINE_FINAL_TYPE (RfWizard, rf_wizard, GTK_TYPE_WIDGET)

static GParamSpec *stage_property;
static guint closed_signal;
static guint stayed_signal;

static void look_at_trial (RfWizard *self);

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

static void
go_to (RfWizard *self, RfWizardStage stage)
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

static void
close_now (RfWizard *self)
{
    self->closing = FALSE;
    g_signal_emit (self, closed_signal, 0);
}

/* The end of a trial. */

static void
set_record (RfWizard *self, RfRecord *record)
{
    g_clear_pointer (&self->record, rf_record_free);
    self->record = record;
}

static void
finish_trial (RfWizard *self, RfRecord *record)
{
    g_clear_handle_id (&self->look_again, g_source_remove);
    set_record (self, record);
    rf_message_bar_hide (self->bar);
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], FALSE);
    rf_trial_notice_end (self->notice, record);
    rf_wizard_result_set_record (RF_WIZARD_RESULT (self->pages[RF_STAGE_RESULT]), record);
    go_to (self, RF_STAGE_RESULT);
    if (self->closing)
        close_now (self);
}

static gboolean
look_again_cb (gpointer data)
{
    RfWizard *self = RF_WIZARD (data);
    self->look_again = 0;
    look_at_trial (self);
    return G_SOURCE_REMOVE;
}

static void
look_again_soon (RfWizard *self)
{
    if (self->look_again == 0)
        self->look_again = g_timeout_add (LOOK_AGAIN_MS, look_again_cb, self);
}

static RfRecord *
take_record (GPtrArray *records, const char *id)
{
    for (guint i = 0; i < records->len; i++) {
        RfRecord *record = g_ptr_array_index (records, i);
        if (g_str_equal (record->id, id))
            return g_ptr_array_steal_index (records, i);
    }
    return NULL;
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, &error);
    self->looking = FALSE;
    if (self->disposed || self->stage != RF_STAGE_TRIAL || rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL]))
        return;
    if (records == NULL) {
        rf_message_bar_show_error (self->bar, error);
        look_again_soon (self);
        return;
    }
    g_autoptr (RfRecord) record = take_record (records, self->record->id);
    if (record != NULL && (record->state == RF_RECORD_KEPT || record->state == RF_RECORD_REVERTED)) {
        finish_trial (self, g_steal_pointer (&record));
    } else if (record == NULL) {
        rf_message_bar_show (self->bar, RF_MESSAGE_WARNING,
                             _ ("The helper knows nothing of this trial any more. Please look at the Changes page."));
        rf_wizard_trial_stop (RF_WIZARD_TRIAL (self->pages[RF_STAGE_TRIAL]));
    } else if (rf_wizard_boottime () >= rf_client_get_trial_ends (self->client)) {
        look_again_soon (self); /* it is being taken back just now, or the helper is just being started */
    }
}

/* Signals are hints: what is true is asked for. */
static void
look_at_trial (RfWizard *self)
{
    if (self->stage != RF_STAGE_TRIAL || self->looking || self->record == NULL ||
        rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL]))
        return;
    self->looking = TRUE;
    rf_client_list_async (self->client, looked_cb, g_object_ref (self));
}

static void
trial_failed (RfWizard *self, const GError *error)
{
    if (self->closing)
        g_signal_emit (self, stayed_signal, 0);
    self->closing = FALSE;
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], FALSE);
    rf_message_bar_show_error (self->bar, error);
    look_at_trial (self);
}

/* The helper's answer to keep or take back. @record: (transfer full) (nullable): NULL with @error */
static void
trial_decided (RfWizard *self, RfRecord *record, const GError *error)
{
    if (self->disposed)
        g_clear_pointer (&record, rf_record_free);
    else if (record != NULL)
        finish_trial (self, record);
    else
        trial_failed (self, error);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_client_keep_finish (RF_CLIENT (source), result, &error);
    trial_decided (self, record, error);
}

static void
reverted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_client_revert_finish (RF_CLIENT (source), result, &error);
    trial_decided (self, record, error);
}

static void
set_trial_ends (RfWizard *self, gint64 ends)
{
    rf_wizard_trial_set_ends (RF_WIZARD_TRIAL (self->pages[RF_STAGE_TRIAL]), ends);
    rf_trial_notice_set_ends (self->notice, ends);
}

static void
extended_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GError) error = NULL;
    gboolean done = rf_client_extend_finish (RF_CLIENT (source), result, &error);
    if (self->disposed)
        return;
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], FALSE);
    if (!done) {
        trial_failed (self, error);
        return;
    }
    rf_message_bar_hide (self->bar);
    set_trial_ends (self, rf_wizard_boottime () + RF_WIZARD_EXTEND_SECONDS * G_USEC_PER_SEC);
    if (self->closing) {
        self->closing = FALSE;
        rf_wizard_request_close (self);
    }
}

static void
keep (RfWizard *self)
{
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], TRUE);
    rf_client_keep_async (self->client, self->record->id, kept_cb, g_object_ref (self));
}

static void
revert (RfWizard *self)
{
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], TRUE);
    rf_client_revert_async (self->client, self->record->id, FALSE, reverted_cb, g_object_ref (self));
}

static void
extend (RfWizard *self)
{
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], TRUE);
    rf_client_extend_async (self->client, self->record->id, RF_WIZARD_EXTEND_SECONDS, extended_cb,
                            g_object_ref (self));
}

static void
trial_ends_cb (RfWizard *self)
{
    gint64 ends = rf_client_get_trial_ends (self->client);
    if (self->stage == RF_STAGE_TRIAL && ends > 0)
        set_trial_ends (self, ends);
}

static void
show_trial (RfWizard *self, RfRecord *record, gboolean just_applied)
{
    gint64 ends = rf_client_get_trial_ends (self->client);
    if (ends == 0 || just_applied) /* what the property says may still be of an older trial */
        ends = rf_wizard_boottime () + RF_WIZARD_TRIAL_SECONDS * G_USEC_PER_SEC;
    set_record (self, record);
    rf_message_bar_hide (self->bar);
    rf_wizard_trial_start (RF_WIZARD_TRIAL (self->pages[RF_STAGE_TRIAL]), record, ends, just_applied);
    rf_trial_notice_start (self->notice, record, ends);
    go_to (self, RF_STAGE_TRIAL);
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
    go_to (self, RF_STAGE_REVIEW);
    if (rf_message_is_quiet (error) && !dismissed)
        rf_message_bar_show (self->bar, RF_MESSAGE_INFO, _ ("Cancelled. Everything is as it was before."));
    else if (!rf_wizard_states_show_error (self->states, error, plan))
        rf_message_bar_show_error (self->bar, error);
    if (self->closing)
        close_now (self);
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
    show_trial (self, record, TRUE);
    if (wanted_back) /* it was done before the cancelling arrived */
        revert (self);
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
        go_to (self, RF_STAGE_REVIEW); /* to its beginning, where that stands */
        return;
    }
    self->applying = g_cancellable_new ();
    go_to (self, RF_STAGE_PROGRESS);
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
    go_to (self, RF_STAGE_REVIEW);
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
    go_to (self, (RfWizardStage) (self->stage + 1));
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
    go_to (self, self->stage == RF_STAGE_RESULT ? RF_STAGE_WELCOME : (RfWizardStage) (self->stage - 1));
}

static void
next_cb (RfWizard *self)
{
    if (self->stage == RF_STAGE_REVIEW)
        apply (self);
    else if (self->stage == RF_STAGE_RESULT)
        close_now (self);
    else
        move_on (self, FALSE);
}

static void
answer_cb (guint answer, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    self->asking = FALSE;
    if (self->disposed)
        return;
    if (answer == RF_WIZARD_ANSWER_GO_ON) {
        g_signal_emit (self, stayed_signal, 0);
        return;
    }
    if (self->stage != RF_STAGE_TRIAL) { /* it ended while the question was open */
        close_now (self);
        return;
    }
    self->closing = TRUE;
    if (answer == RF_WIZARD_ANSWER_KEEP)
        keep (self);
    else
        revert (self);
}

void
rf_wizard_request_close (RfWizard *self)
{
    g_return_if_fail (RF_IS_WIZARD (self));
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    switch (self->stage) {
    case RF_STAGE_PROGRESS:
        self->closing = TRUE;
        cancel_apply (self);
        break;
    case RF_STAGE_TRIAL:
        if (rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL])) {
            self->closing = TRUE; /* it is being decided just now */
        } else if (!self->asking) {
            self->asking = TRUE;
            rf_wizard_ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, answer_cb, g_object_ref (self));
        }
        break;
    default:
        close_now (self);
    }
}

/* A trial that is running when the wizard opens. */

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, NULL);
    const char *id = rf_client_get_trial_id (self->client);
    if (self->disposed || records == NULL || id == NULL || self->stage != RF_STAGE_WELCOME)
        return;
    RfRecord *record = take_record (records, id);
    if (record != NULL)
        show_trial (self, record, FALSE);
}

static void
trial_id_cb (RfWizard *self)
{
    if (rf_client_get_trial_id (self->client) != NULL && self->stage == RF_STAGE_WELCOME)
        rf_client_list_async (self->client, found_cb, g_object_ref (self));
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
    stayed_signal = g_signal_new ("stayed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
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
        look_at_trial (self);
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

    self->pages[RF_STAGE_WELCOME] = RF_WIZARD_PAGE (rf_wizard_welcome_new (self->model));
    for (guint i = 0; i < RF_WIZARD_N_STEPS; i++)
        self->pages[RF_STAGE_STEP_1 + i] = RF_WIZARD_PAGE (rf_wizard_step_new (self->model, sampler, i));
    self->pages[RF_STAGE_REVIEW] = RF_WIZARD_PAGE (rf_wizard_review_new (self->model, RF_WIZARD_TRIAL_SECONDS));
    self->pages[RF_STAGE_PROGRESS] = RF_WIZARD_PAGE (rf_wizard_progress_new (client));
    self->pages[RF_STAGE_TRIAL] = RF_WIZARD_PAGE (rf_wizard_trial_new (sampler, facts));
    self->pages[RF_STAGE_RESULT] = RF_WIZARD_PAGE (rf_wizard_result_new (facts));
    for (guint i = 0; i < RF_STAGE_N_STAGES; i++) {
        gtk_stack_add_child (self->stack, GTK_WIDGET (self->pages[i]));
        g_signal_connect_swapped (self->pages[i], "notify::complete", G_CALLBACK (update_buttons), self);
        g_signal_connect_swapped (self->pages[i], "notify::applying", G_CALLBACK (update_buttons), self);
    }
    self->states = rf_wizard_states_new (client, rf_sampler_get_sysroot (sampler), self->model,
                                         self->pages[RF_STAGE_WELCOME], self->pages[RF_STAGE_STEP_1],
                                         self->pages[RF_STAGE_REVIEW], self->pages[RF_STAGE_TRIAL],
                                         self->pages[RF_STAGE_RESULT], state_action, self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "keep", G_CALLBACK (keep), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "revert", G_CALLBACK (revert), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "extend", G_CALLBACK (extend), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "over", G_CALLBACK (look_at_trial), self);
    g_signal_connect_swapped (client, "trial-ended", G_CALLBACK (look_at_trial), self);
    g_signal_connect_swapped (client, "records-changed", G_CALLBACK (look_at_trial), self);
    g_signal_connect_swapped (client, "notify::available", G_CALLBACK (available_cb), self);
    g_signal_connect_swapped (client, "notify::helper-version", G_CALLBACK (helper_changed_cb), self);
    g_signal_connect_swapped (client, "notify::restarting", G_CALLBACK (helper_changed_cb), self);
    g_signal_connect_swapped (client, "notify::trial-ends", G_CALLBACK (trial_ends_cb), self);
    g_signal_connect_swapped (client, "notify::trial-id", G_CALLBACK (trial_id_cb), self);
    go_to (self, RF_STAGE_WELCOME);
    trial_id_cb (self);
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
    go_to (self, RF_STAGE_REVIEW);
}

gboolean
rf_wizard_decide (RfWizard *self, const char *id, gboolean keep_it)
{
    g_return_val_if_fail (RF_IS_WIZARD (self) && id != NULL, FALSE);
    if (self->stage != RF_STAGE_TRIAL || self->record == NULL || !g_str_equal (self->record->id, id) ||
        rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL]))
        return FALSE;
    if (keep_it)
        keep (self);
    else
        revert (self);
    return TRUE;
}
