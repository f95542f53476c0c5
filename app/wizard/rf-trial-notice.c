#define G_LOG_DOMAIN "rf-trial-notice"
#include "config.h"

#include "rf-trial-notice.h"

#include "rf-tunable-text.h"
#include "rf-wizard-trial.h"

#include <glib/gi18n.h>

#define NOTIFICATION_ID "trial"

struct _RfTrialNotice {
    GObject parent_instance;
    char *id; /* of the running trial; NULL: none runs */
    guint settings;
    gint64 ends;
    RfRecord *ended; /* NULL as long as it runs */
    RfNotice told;
    guint tick;
};

G_DEFINE_FINAL_TYPE (RfTrialNotice, rf_trial_notice, G_TYPE_OBJECT)

RfNotice
rf_trial_notice_decide (gint64 remaining_us, const RfRecord *ended, gboolean seen)
{
    if (seen)
        return RF_NOTICE_NONE;
    if (ended == NULL)
        return remaining_us > 0 && remaining_us <= RF_TRIAL_NOTICE_SECONDS * G_USEC_PER_SEC ? RF_NOTICE_ENDING
                                                                                             : RF_NOTICE_NONE;
    if (ended->state != RF_RECORD_REVERTED)
        return RF_NOTICE_NONE;
    switch (ended->reason) {
    case RF_REASON_TIMEOUT:
    case RF_REASON_CALLER_GONE:
    case RF_REASON_GUARD_STALLS:
    case RF_REASON_GUARD_PRESSURE:
    case RF_REASON_GUARD_OOM:
    case RF_REASON_RECOVERY:
        return RF_NOTICE_WENT_BACK;
    case RF_REASON_NONE:
    case RF_REASON_USER:
    case RF_REASON_FAILED:
    case RF_REASON_CANCELLED:
        break;
    }
    return RF_NOTICE_NONE;
}

char *
rf_trial_notice_ending_text (guint settings, gint64 remaining_us)
{
    const gint64 seconds = (remaining_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
    g_autofree char *time = rf_format_duration ((double) seconds);
    return g_strdup_printf (
        /* TRANSLATORS: the second is a time such as "20 s" */
        ngettext ("%1$u setting goes back to what it was before in %2$s, unless you keep it.",
                  "%1$u settings go back to what they were before in %2$s, unless you keep them.", settings),
        settings, time);
}

static gboolean
is_all_back (const RfRecord *record)
{
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state != RF_ENTRY_REVERTED && entry->state != RF_ENTRY_PLANNED)
            return FALSE;
    }
    return TRUE;
}

char *
rf_trial_notice_went_back_text (const RfRecord *ended)
{
    const char *rest = is_all_back (ended) ? _ ("Everything is as it was before.")
                                           : _ ("Not everything could go back. Please look at the Changes page.");
    return g_strconcat (rf_reason_text (ended->reason), " ", rest, NULL);
}

/* A window that is hidden or minimised can still count as active. */
static gboolean
has_focus (GtkWindow *window)
{
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
    return gtk_window_is_active (window) && gtk_widget_get_mapped (GTK_WIDGET (window)) && surface != NULL
           && !(gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) & GDK_TOPLEVEL_STATE_MINIMIZED);
}

static gboolean
is_seen (void)
{
    GListModel *windows = gtk_window_get_toplevels ();
    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
        if (has_focus (window))
            return TRUE;
    }
    return FALSE;
}

static GNotification *
notification_new (const char *title, const char *body)
{
    g_autoptr (GIcon) icon = g_themed_icon_new (RF_APP_ID);
    GNotification *notification = g_notification_new (title);
    g_notification_set_body (notification, body);
    g_notification_set_icon (notification, icon);
    g_notification_set_default_action (notification, "app.show-window");
    return notification;
}

static void
tell (RfTrialNotice *self, RfNotice what, gint64 remaining)
{
    GApplication *app = g_application_get_default ();
    g_autoptr (GNotification) notification = NULL;
    if (what == RF_NOTICE_ENDING) {
        g_autofree char *body = rf_trial_notice_ending_text (self->settings, remaining);
        notification = notification_new (_ ("The trial is about to end"), body);
        g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
        /* with the id, so that a notification that was left lying does not decide about another trial */
        g_notification_add_button_with_target (notification, C_ ("notification", "Keep"), "app.keep-trial", "s", self->id);
        g_notification_add_button_with_target (notification, C_ ("notification", "Take back"), "app.revert-trial", "s",
                                               self->id);
        g_notification_add_button (notification, C_ ("notification", "Show"), "app.show-window");
    } else {
        g_autofree char *body = rf_trial_notice_went_back_text (self->ended);
        notification = notification_new (_ ("The settings went back"), body);
        g_notification_add_button (notification, C_ ("notification", "Show"), "app.show-window");
    }
    g_application_send_notification (app, NOTIFICATION_ID, notification);
}

/* Returns: (transfer none) (nullable): who can tell anything at all */
static GApplication *
registered_application (void)
{
    GApplication *app = g_application_get_default ();

    return app != NULL && g_application_get_is_registered (app) ? app : NULL;
}

static void
update (RfTrialNotice *self)
{
    GApplication *app = registered_application ();
    gint64 remaining = self->ends - rf_wizard_boottime ();
    RfNotice wanted = RF_NOTICE_NONE;
    if (self->id != NULL || self->ended != NULL)
        wanted = rf_trial_notice_decide (remaining, self->ended, is_seen ());
    /* what was told stays until somebody looks, also when the last second is over */
    if (wanted == self->told || (self->told == RF_NOTICE_ENDING && self->ended == NULL && remaining <= 0 && !is_seen ()))
        return;
    self->told = wanted;
    if (app == NULL)
        return;
    if (wanted == RF_NOTICE_NONE)
        g_application_withdraw_notification (app, NOTIFICATION_ID);
    else
        tell (self, wanted, remaining);
}

static gboolean
tick_cb (gpointer data)
{
    RfTrialNotice *self = RF_TRIAL_NOTICE (data);
    update (self);
    /* after the end only until somebody has looked */
    if (self->id == NULL && self->told == RF_NOTICE_NONE) {
        self->tick = 0;
        return G_SOURCE_REMOVE;
    }
    return G_SOURCE_CONTINUE;
}

void
rf_trial_notice_start (RfTrialNotice *self, const RfRecord *record, gint64 ends)
{
    g_return_if_fail (RF_IS_TRIAL_NOTICE (self) && record != NULL);
    g_free (self->id);
    self->id = g_strdup (record->id);
    self->settings = record->entries->len;
    g_clear_pointer (&self->ended, rf_record_free);
    if (self->tick == 0)
        self->tick = g_timeout_add_seconds (1, tick_cb, self);
    rf_trial_notice_set_ends (self, ends);
}

void
rf_trial_notice_set_ends (RfTrialNotice *self, gint64 ends)
{
    g_return_if_fail (RF_IS_TRIAL_NOTICE (self));
    self->ends = ends;
    update (self);
}

void
rf_trial_notice_end (RfTrialNotice *self, const RfRecord *record)
{
    g_return_if_fail (RF_IS_TRIAL_NOTICE (self) && record != NULL);
    g_autoptr (GVariant) variant = g_variant_ref_sink (rf_record_to_variant (record));
    g_clear_pointer (&self->id, g_free);
    g_clear_pointer (&self->ended, rf_record_free);
    self->ended = rf_record_from_variant (variant, NULL);
    update (self);
}

static void
rf_trial_notice_dispose (GObject *object)
{
    RfTrialNotice *self = RF_TRIAL_NOTICE (object);
    g_clear_handle_id (&self->tick, g_source_remove);
    g_clear_pointer (&self->id, g_free);
    g_clear_pointer (&self->ended, rf_record_free);
    update (self);
    G_OBJECT_CLASS (rf_trial_notice_parent_class)->dispose (object);
}

static void
rf_trial_notice_class_init (RfTrialNoticeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_trial_notice_dispose;
}

static void
rf_trial_notice_init (RfTrialNotice *self)
{
}

RfTrialNotice *
rf_trial_notice_new (void)
{
    return g_object_new (RF_TYPE_TRIAL_NOTICE, NULL);
}
