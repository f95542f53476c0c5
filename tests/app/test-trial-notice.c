/* What is told of a trial to somebody who does not see the window: when, in which words, on the bus, and when not. */
#include "config.h"

#include <string.h>

#include "rf-test-window.h"
#include "rf-trial-notice.h"
#include "rf-window.h"
#include "rf-wizard.h"
#include "rf-wizard-trial.h"

#define SECOND ((gint64) G_USEC_PER_SEC)

/* The desktop that shows notifications. */
static struct {
    GDBusConnection *connection;
    guint shown; /* how many were */
    guint withdrawn;
    char *title;
    char *body;
    char *actions; /* key and label in turn, one a line */
} desktop;

static RfTestWindow *window;

static RfRecord *
make_record (RfRecordState state, RfReason reason)
{
    RfPlanBuilder *builder = rf_plan_builder_new ();
    RfValue value = rf_value_int (125);
    rf_plan_builder_set (builder, rf_tunable_find ("vm.watermark_scale_factor"), "", &value);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, NULL);
    RfRecord *record = rf_record_new_from_plan (plan, "20261130T140300Z-1a2b3c4d", 1796047380);
    rf_plan_builder_free (builder);
    record->state = state;
    record->reason = reason;
    ((RfRecordEntry *) record->entries->pdata[0])->state = RF_ENTRY_REVERTED;
    return record;
}

static void
test_decide (void)
{
    static const struct {
        RfRecordState state;
        RfReason reason;
        RfNotice expected;
    } ends[] = {
        {RF_RECORD_REVERTED, RF_REASON_TIMEOUT, RF_NOTICE_WENT_BACK},
        {RF_RECORD_REVERTED, RF_REASON_GUARD_STALLS, RF_NOTICE_WENT_BACK},
        {RF_RECORD_REVERTED, RF_REASON_GUARD_PRESSURE, RF_NOTICE_WENT_BACK},
        {RF_RECORD_REVERTED, RF_REASON_GUARD_OOM, RF_NOTICE_WENT_BACK},
        {RF_RECORD_REVERTED, RF_REASON_RECOVERY, RF_NOTICE_WENT_BACK},
        /* who did it knows it */
        {RF_RECORD_REVERTED, RF_REASON_USER, RF_NOTICE_NONE},
        {RF_RECORD_KEPT, RF_REASON_NONE, RF_NOTICE_NONE},
    };
    g_assert_cmpint (rf_trial_notice_decide (60 * SECOND, NULL, FALSE), ==, RF_NOTICE_NONE);
    g_assert_cmpint (rf_trial_notice_decide (21 * SECOND, NULL, FALSE), ==, RF_NOTICE_NONE);
    g_assert_cmpint (rf_trial_notice_decide (20 * SECOND, NULL, FALSE), ==, RF_NOTICE_ENDING);
    g_assert_cmpint (rf_trial_notice_decide (1, NULL, FALSE), ==, RF_NOTICE_ENDING);
    g_assert_cmpint (rf_trial_notice_decide (0, NULL, FALSE), ==, RF_NOTICE_NONE);
    g_assert_cmpint (rf_trial_notice_decide (5 * SECOND, NULL, TRUE), ==, RF_NOTICE_NONE);
    for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
        g_autoptr (RfRecord) record = make_record (ends[i].state, ends[i].reason);
        g_assert_cmpint (rf_trial_notice_decide (5 * SECOND, record, FALSE), ==, ends[i].expected);
        g_assert_cmpint (rf_trial_notice_decide (5 * SECOND, record, TRUE), ==, RF_NOTICE_NONE);
    }
}

static void
test_words (void)
{
    g_autoptr (RfRecord) record = make_record (RF_RECORD_REVERTED, RF_REASON_TIMEOUT);
    g_autofree char *one = rf_trial_notice_ending_text (1, 20 * SECOND);
    g_autofree char *many = rf_trial_notice_ending_text (7, 4 * SECOND + 1);
    g_autofree char *back = rf_trial_notice_went_back_text (record);
    g_assert_cmpstr (one, ==, "1 setting goes back to what it was before in 20 s, unless you keep it.");
    g_assert_cmpstr (many, ==, "7 settings go back to what they were before in 5 s, unless you keep them.");
    g_assert_cmpstr (back, ==, "The time was over. Everything is as it was before.");
    ((RfRecordEntry *) record->entries->pdata[0])->state = RF_ENTRY_LEFT_ALONE;
    g_autofree char *partly = rf_trial_notice_went_back_text (record);
    g_assert_cmpstr (partly, ==, "The time was over. Not everything could go back. Please look at the Changes page.");
}

static void
desktop_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
              const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer data)
{
    if (g_str_equal (method, "Notify")) {
        g_autoptr (GVariant) actions = g_variant_get_child_value (parameters, 5);
        g_autofree const char **words = g_variant_get_strv (actions, NULL);
        g_free (desktop.title);
        g_free (desktop.body);
        g_free (desktop.actions);
        g_variant_get_child (parameters, 3, "s", &desktop.title);
        g_variant_get_child (parameters, 4, "s", &desktop.body);
        desktop.actions = g_strjoinv ("\n", (char **) words);
        desktop.shown++;
        g_test_message ("shown %u: %s", desktop.shown, desktop.title);
        g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", desktop.shown));
    } else if (g_str_equal (method, "CloseNotification")) {
        desktop.withdrawn++;
        g_test_message ("withdrawn %u", desktop.withdrawn);
        g_dbus_method_invocation_return_value (invocation, NULL);
    } else {
        const char *const capabilities[] = {"actions", "body", NULL};
        g_dbus_method_invocation_return_value (invocation, g_variant_new ("(^as)", capabilities));
    }
}

static void
owned_cb (GDBusConnection *connection, const char *name, gpointer owned)
{
    *(gboolean *) owned = TRUE;
}

static void
start_desktop (const char *address)
{
    static const char xml[] =
        "<node><interface name='org.freedesktop.Notifications'>"
        "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
        "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>"
        "<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>"
        "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
        "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
        "</interface></node>";
    static const GDBusInterfaceVTable table = {.method_call = desktop_call};
    g_autoptr (GDBusNodeInfo) info = g_dbus_node_info_new_for_xml (xml, NULL);
    gboolean owned = FALSE;
    desktop.connection = g_dbus_connection_new_for_address_sync (
        address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        NULL, NULL);
    g_assert_nonnull (desktop.connection);
    g_dbus_connection_register_object (desktop.connection, "/org/freedesktop/Notifications", info->interfaces[0], &table,
                                       NULL, NULL, NULL);
    g_bus_own_name_on_connection (desktop.connection, "org.freedesktop.Notifications", G_BUS_NAME_OWNER_FLAGS_NONE,
                                  owned_cb, NULL, &owned, NULL);
    RF_ITERATE_UNTIL (owned);
}

static RfWizard *
start_trial (void)
{
    RfWizard *wizard = NULL;
    rf_window_show_page (RF_WINDOW (window->window), "wizard");
    RF_ITERATE_UNTIL ((wizard = (RfWizard *) rf_test_window_find (window->window, RF_TYPE_WIZARD, NULL)) != NULL);
    while (rf_wizard_get_stage (wizard) != RF_STAGE_TRIAL) {
        GtkWidget *button = rf_test_window_find (GTK_WIDGET (wizard), GTK_TYPE_BUTTON, "suggested-action");
        if (button != NULL && gtk_widget_is_sensitive (button) && rf_wizard_get_stage (wizard) <= RF_STAGE_REVIEW)
            g_signal_emit_by_name (button, "clicked");
        g_main_context_iteration (NULL, TRUE);
    }
    return wizard;
}

static void
leave_result (RfWizard *wizard)
{
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_RESULT);
    rf_wizard_request_close (wizard);
    RF_ITERATE_UNTIL (rf_test_window_find (window->window, RF_TYPE_WIZARD, NULL) == NULL);
}

static void
set_remaining (gint64 seconds)
{
    rf_helper1_set_trial_ends (window->helper->skeleton, rf_wizard_boottime () + seconds * SECOND);
    g_dbus_interface_skeleton_flush (G_DBUS_INTERFACE_SKELETON (window->helper->skeleton));
}

static const char *
trial_id (void)
{
    return rf_helper1_get_trial_id (window->helper->skeleton);
}

/* Also the answer has to be back: GIO cannot withdraw a notification whose number it does not know yet. */
static void
wait_shown (guint count)
{
    GDBusConnection *connection = g_application_get_dbus_connection (g_application_get_default ());
    RF_ITERATE_UNTIL (desktop.shown == count);
    g_dbus_connection_flush_sync (desktop.connection, NULL, NULL);
    g_autoptr (GVariant) answer
        = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", NULL,
                                       NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
    g_assert_nonnull (answer);
    while (g_main_context_iteration (NULL, FALSE))
        ;
}

static void
test_on_the_bus (void)
{
    RfWizard *wizard = start_trial ();
    g_autofree char *id = g_strdup (trial_id ());
    g_autofree char *keep = g_strdup_printf ("app.keep-trial::%s\nKeep", id);
    g_autofree char *revert = g_strdup_printf ("app.revert-trial::%s\nTake back", id);

    /* whether a window has the focus is up to the display: one that is hidden has not */
    gtk_widget_set_visible (window->window, FALSE);
    g_assert_cmpuint (desktop.shown, ==, 0);
    set_remaining (15);
    wait_shown (1);
    g_assert_cmpstr (desktop.title, ==, "The trial is about to end");
    g_assert_nonnull (strstr (desktop.body, "unless you keep"));
    g_assert_nonnull (strstr (desktop.actions, keep));
    g_assert_nonnull (strstr (desktop.actions, revert));
    g_assert_nonnull (strstr (desktop.actions, "app.show-window\nShow"));

    /* there is time again */
    set_remaining (600);
    RF_ITERATE_UNTIL (desktop.withdrawn == 1);
    set_remaining (10);
    wait_shown (2);

    /* pressed on a notification of another trial: nothing happens; on this: it is kept, and needs no notification */
    g_assert_false (rf_window_decide_trial (RF_WINDOW (window->window), "20261130T140300Z-00000000", TRUE));
    g_assert_cmpstr (trial_id (), ==, id);
    g_assert_true (rf_window_decide_trial (RF_WINDOW (window->window), id, TRUE));
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_RESULT);
    RF_ITERATE_UNTIL (desktop.withdrawn == 2);
    g_assert_false (rf_window_decide_trial (RF_WINDOW (window->window), id, FALSE));
    gtk_widget_set_visible (window->window, TRUE);
    leave_result (wizard);

    /* it goes back by itself */
    wizard = start_trial ();
    gtk_widget_set_visible (window->window, FALSE);
    rf_fake_helper_end_trial (window->helper, "guard-stalls");
    wait_shown (3);
    g_assert_cmpstr (desktop.title, ==, "The settings went back");
    g_assert_cmpstr (desktop.body, ==,
                     "Programs waited for memory far more often than before. Everything is as it was before.");
    /* it stays until somebody looks: here, until the guided tuning is left */
    gtk_widget_set_visible (window->window, TRUE);
    leave_result (wizard);
    RF_ITERATE_UNTIL (desktop.withdrawn == 3);

    /* taken back by a person: nothing is told */
    wizard = start_trial ();
    gtk_widget_set_visible (window->window, FALSE);
    g_assert_true (rf_window_decide_trial (RF_WINDOW (window->window), trial_id (), FALSE));
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_RESULT);
    g_assert_cmpuint (desktop.shown, ==, 3);
    gtk_widget_set_visible (window->window, TRUE);
    leave_result (wizard);
}

/* One that has a bus, as the program itself: the window of the tests has none. */
static GApplication *
start_application (const char *address)
{
    GApplication *app = g_application_new (RF_APP_ID ".Notices", G_APPLICATION_DEFAULT_FLAGS);
    g_autoptr (GError) error = NULL;
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
    g_application_register (app, NULL, &error);
    g_assert_no_error (error);
    g_assert_nonnull (g_application_get_dbus_connection (app));
    g_application_set_default (app);
    return app;
}

int
main (int argc, char **argv)
{
    window = rf_test_window_new (&argc, &argv, "laptop-8g");
    start_desktop (g_test_dbus_get_bus_address (window->helper->bus));
    GApplication *app = start_application (g_test_dbus_get_bus_address (window->helper->bus));
    g_test_add_func ("/app/trial-notice/decide", test_decide);
    g_test_add_func ("/app/trial-notice/words", test_words);
    g_test_add_func ("/app/trial-notice/on-the-bus", test_on_the_bus);
    int status = g_test_run ();
    g_application_set_default (NULL);
    g_object_unref (app);
    g_object_unref (desktop.connection);
    rf_test_window_free (window);
    return status;
}
