/* The trial: that it runs, how it is decided, and that it is over, whoever has ended it. */
#define G_LOG_DOMAIN "rf-wizard"
#include "config.h"

#include "rf-wizard-private.h"

#include "rf-wizard-ask.h"
#include "rf-wizard-result.h"
#include "rf-wizard-trial.h"

#include <glib/gi18n.h>

/* How soon to look again when the trial should be over and the helper is not yet done, or cannot be reached. */
#define LOOK_AGAIN_MS 1000

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
    rf_wizard_go_to (self, RF_STAGE_RESULT);
    if (self->closing)
        rf_wizard_close_now (self);
}

static gboolean
look_again_cb (gpointer data)
{
    RfWizard *self = RF_WIZARD (data);
    self->look_again = 0;
    rf_wizard_look_at_trial (self);
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
void
rf_wizard_look_at_trial (RfWizard *self)
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
        g_signal_emit_by_name (self, "stayed");
    self->closing = FALSE;
    rf_wizard_page_set_applying (self->pages[RF_STAGE_TRIAL], FALSE);
    rf_message_bar_show_error (self->bar, error);
    rf_wizard_look_at_trial (self);
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

void
rf_wizard_revert_trial (RfWizard *self)
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

void
rf_wizard_show_trial (RfWizard *self, RfRecord *record, gboolean just_applied)
{
    gint64 ends = rf_client_get_trial_ends (self->client);
    if (ends == 0 || just_applied) /* what the property says may still be of an older trial */
        ends = rf_wizard_boottime () + RF_WIZARD_TRIAL_SECONDS * G_USEC_PER_SEC;
    set_record (self, record);
    rf_message_bar_hide (self->bar);
    rf_wizard_trial_start (RF_WIZARD_TRIAL (self->pages[RF_STAGE_TRIAL]), record, ends, just_applied);
    rf_trial_notice_start (self->notice, record, ends);
    rf_wizard_go_to (self, RF_STAGE_TRIAL);
}

/* Leaving it. */

static void
answer_cb (guint answer, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    self->asking = FALSE;
    if (self->disposed)
        return;
    if (answer == RF_WIZARD_ANSWER_GO_ON) {
        g_signal_emit_by_name (self, "stayed");
        return;
    }
    if (self->stage != RF_STAGE_TRIAL) { /* it ended while the question was open */
        rf_wizard_close_now (self);
        return;
    }
    self->closing = TRUE;
    if (rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL]))
        return; /* decided elsewhere while the question was open: from a notification */
    if (answer == RF_WIZARD_ANSWER_KEEP)
        keep (self);
    else
        rf_wizard_revert_trial (self);
}

void
rf_wizard_leave_trial (RfWizard *self)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    if (rf_wizard_page_get_applying (self->pages[RF_STAGE_TRIAL])) {
        self->closing = TRUE; /* it is being decided just now */
    } else if (!self->asking) {
        self->asking = TRUE;
        rf_wizard_ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, answer_cb, g_object_ref (self));
    }
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
        rf_wizard_revert_trial (self);
    return TRUE;
}

/* A trial that is running when the wizard opens. */

static void
found_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizard) self = RF_WIZARD (data);
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, NULL);
    if (self->disposed || records == NULL || self->stage != RF_STAGE_WELCOME)
        return;
    const char *id = rf_client_get_trial_id (self->client);
    if (id == NULL)
        return;
    RfRecord *record = take_record (records, id);
    if (record != NULL)
        rf_wizard_show_trial (self, record, FALSE);
}

static void
trial_id_cb (RfWizard *self)
{
    if (rf_client_get_trial_id (self->client) != NULL && self->stage == RF_STAGE_WELCOME)
        rf_client_list_async (self->client, found_cb, g_object_ref (self));
}

void
rf_wizard_follow_trial (RfWizard *self)
{
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "keep", G_CALLBACK (keep), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "revert", G_CALLBACK (rf_wizard_revert_trial), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "extend", G_CALLBACK (extend), self);
    g_signal_connect_swapped (self->pages[RF_STAGE_TRIAL], "over", G_CALLBACK (rf_wizard_look_at_trial), self);
    g_signal_connect_swapped (self->client, "trial-ended", G_CALLBACK (rf_wizard_look_at_trial), self);
    g_signal_connect_swapped (self->client, "records-changed", G_CALLBACK (rf_wizard_look_at_trial), self);
    g_signal_connect_swapped (self->client, "notify::trial-ends", G_CALLBACK (trial_ends_cb), self);
    g_signal_connect_swapped (self->client, "notify::trial-id", G_CALLBACK (trial_id_cb), self);
    trial_id_cb (self);
}
