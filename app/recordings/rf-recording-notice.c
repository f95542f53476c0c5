#define G_LOG_DOMAIN "rf-recording-notice"

#include "config.h"

#include "rf-recording-notice.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>

#define NOTIFICATION_ID "recording"

typedef enum {
    TOLD_NOTHING,
    TOLD_RUNNING,
    TOLD_READY,
} Told;

struct _RfRecordingNotice {
    GObject parent_instance;
    RfRecordingDesk *desk;
    GApplication *held; /* a reference while it is */
    Told told;
    guint told_marks;
    gint64 ready_us; /* when a recording ended that nobody has seen yet; 0: none */
    guint tick;
};

G_DEFINE_FINAL_TYPE (RfRecordingNotice, rf_recording_notice, G_TYPE_OBJECT)

/* A window that is minimised or on another workspace is enough: it can be found again. */
static gboolean
has_window (void)
{
    GListModel *windows = gtk_window_get_toplevels ();

    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

        if (gtk_widget_get_mapped (window))
            return TRUE;
    }
    return FALSE;
}

static void
tell (RfRecordingNotice *self, Told what)
{
    g_autoptr (GNotification) notification = NULL;
    g_autoptr (GIcon) icon = g_themed_icon_new (RF_APP_ID);
    g_autofree char *title = NULL;
    g_autofree char *body = NULL;
    g_autofree char *page = NULL;

    if (what == TOLD_RUNNING) {
        const guint marks = rf_recording_desk_get_marks (self->desk);
        GDateTime *since = rf_recording_desk_get_since (self->desk);
        g_autofree char *time = since != NULL ? g_date_time_format (since, "%H:%M") : NULL;

        /* Translators: %s is a time of day: "21:14" */
        title = time != NULL ? g_strdup_printf (_ ("Recording since %s"), time)
                             : g_strdup (_ ("The last two minutes are kept"));
        body = marks == 0 ? g_strdup (_ ("Press the button when it stutters."))
                          : g_strdup_printf (ngettext ("%u mark so far", "%u marks so far", marks), marks);
        page = g_strdup ("recordings");
    } else {
        const char *id = rf_recording_desk_get_id (self->desk);

        title = g_strdup (_ ("The recording has ended"));
        body = g_strdup (rf_recording_desk_get_outcome (self->desk));
        page = id != NULL ? g_strconcat ("recordings/", id, NULL) : g_strdup ("recordings");
    }
    notification = g_notification_new (title);
    g_notification_set_body (notification, body);
    g_notification_set_icon (notification, icon);
    g_notification_set_default_action_and_target (notification, "app.show-page", "s", page);
    if (what == TOLD_RUNNING) {
        g_notification_add_button (notification, C_ ("notification", "It stuttered now"), "app.mark-recording");
        g_notification_add_button (notification, C_ ("notification", "Stop"), "app.stop-recording");
    } else {
        g_notification_add_button_with_target (notification, C_ ("notification", "Show"), "app.show-page", "s", page);
    }
    g_application_send_notification (self->held, NOTIFICATION_ID, notification);
}

static void
hold (RfRecordingNotice *self, gboolean wanted)
{
    GApplication *app = g_application_get_default ();

    if (wanted && self->held == NULL && app != NULL && g_application_get_is_registered (app)) {
        self->held = g_object_ref (app);
        g_application_hold (app);
    } else if (!wanted && self->held != NULL) {
        g_application_release (self->held);
        g_clear_object (&self->held);
    }
}

static gboolean tick_cb (gpointer data);

static void
update (RfRecordingNotice *self)
{
    const gboolean running = rf_recording_desk_is_running (self->desk);
    const RfDeskState state = rf_recording_desk_get_state (self->desk);
    const gboolean seen = has_window ();
    const guint marks = rf_recording_desk_get_marks (self->desk);
    Told wanted = TOLD_NOTHING;

    if (seen || running || g_get_monotonic_time () - self->ready_us > RF_RECORDING_NOTICE_READY_S * G_USEC_PER_SEC)
        self->ready_us = 0;
    if (!seen && (state == RF_DESK_PRE_ROLL || state == RF_DESK_RECORDING))
        wanted = TOLD_RUNNING;
    else if (!seen && state == RF_DESK_STOPPING)
        wanted = self->told; /* in a moment something else takes its place */
    else if (self->ready_us != 0)
        wanted = TOLD_READY;
    if (running || wanted != TOLD_NOTHING)
        hold (self, TRUE);
    if (self->held != NULL && (wanted != self->told || (wanted == TOLD_RUNNING && state != RF_DESK_STOPPING && marks != self->told_marks))) {
        self->told = wanted;
        self->told_marks = marks;
        if (wanted != TOLD_NOTHING)
            tell (self, wanted);
        else
            g_application_withdraw_notification (self->held, NOTIFICATION_ID);
    }
    if (running || wanted != TOLD_NOTHING) {
        if (self->tick == 0)
            self->tick = g_timeout_add_seconds (1, tick_cb, self);
        return;
    }
    g_clear_handle_id (&self->tick, g_source_remove);
    hold (self, FALSE);
}

static gboolean
tick_cb (gpointer data)
{
    RfRecordingNotice *self = RF_RECORDING_NOTICE (data);

    /* update() may remove it: then there is no id any more */
    update (self);
    return self->tick != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
ended_cb (RfRecordingNotice *self)
{
    if (!has_window ())
        self->ready_us = g_get_monotonic_time ();
    update (self);
}

/* "changed" comes before "ended", when the application must not go yet. */
static void
changed_cb (RfRecordingNotice *self)
{
    if (self->held == NULL || rf_recording_desk_is_running (self->desk))
        update (self);
}

void
rf_recording_notice_leave (RfRecordingNotice *self)
{
    g_return_if_fail (RF_IS_RECORDING_NOTICE (self));

    self->ready_us = 0;
    update (self);
}

static void
rf_recording_notice_dispose (GObject *object)
{
    RfRecordingNotice *self = RF_RECORDING_NOTICE (object);

    g_clear_handle_id (&self->tick, g_source_remove);
    if (self->held != NULL && self->told != TOLD_NOTHING)
        g_application_withdraw_notification (self->held, NOTIFICATION_ID);
    self->told = TOLD_NOTHING;
    hold (self, FALSE);
    g_clear_object (&self->desk);
    G_OBJECT_CLASS (rf_recording_notice_parent_class)->dispose (object);
}

static void
rf_recording_notice_class_init (RfRecordingNoticeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_recording_notice_dispose;
}

static void
rf_recording_notice_init (RfRecordingNotice *self)
{
}

RfRecordingNotice *
rf_recording_notice_new (RfRecordingDesk *desk)
{
    RfRecordingNotice *self = g_object_new (RF_TYPE_RECORDING_NOTICE, NULL);

    self->desk = g_object_ref (desk);
    g_signal_connect_object (desk, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (desk, "ended", G_CALLBACK (ended_cb), self, G_CONNECT_SWAPPED);
    return self;
}
