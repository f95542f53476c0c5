/* Recording with the window: the card, what it says before and after, what is written, and what is told when the window is
 * closed. Against a made-up helper and a desktop that shows notifications. */
#include "config.h"

#include <string.h>

#include "rf-recorder-card.h"
#include "rf-recording-file.h"
#include "rf-recording-notice.h"
#include "rf-row.h"
#include "rf-test-ui.h"
#include "rf-test-window.h"
#include "rf-window.h"

static RfTestWindow *window;

/* The desktop that shows notifications. */
static struct {
    GDBusConnection *connection;
    guint shown;
    guint withdrawn;
    char *title;
    char *body;
    char *actions; /* key and label in turn, one a line */
} desktop;

static RfDeskState
state (void)
{
    return rf_recording_desk_get_state (window->desk);
}

static GtkWidget *
card (void)
{
    GtkWidget *found = NULL;

    rf_window_show_page (RF_WINDOW (window->window), "recordings");
    RF_ITERATE_UNTIL ((found = rf_test_window_find (window->window, RF_TYPE_RECORDER_CARD, NULL)) != NULL);
    return found;
}

/* Past whatever speaks against it on the machine of the fixture. */
static void
start (GtkWidget *found)
{
    rf_test_click (found, "Start recording");
    RF_ITERATE_UNTIL (state () != RF_DESK_CHECKING);
    if (state () == RF_DESK_DOUBTING)
        rf_test_click (found, "Record anyway");
    RF_ITERATE_UNTIL (state () == RF_DESK_RECORDING || state () == RF_DESK_PRE_ROLL);
}

static RfRecording *
load (void)
{
    g_autofree char *folder = g_build_filename (rf_recording_desk_get_folder (window->desk),
                                                rf_recording_desk_get_id (window->desk), NULL);
    g_autoptr (GError) error = NULL;
    RfRecordingState *seen = NULL;
    RfRecording *recording = rf_recording_load (folder, &seen, &error);

    g_assert_no_error (error);
    rf_recording_state_free (seen);
    return recording;
}

static guint
count_events (const RfRecording *recording, RfEventKind kind)
{
    guint n = 0;

    for (guint i = 0; i < recording->events->len; i++)
        n += g_array_index (recording->events, RfEvent, i).kind == kind;
    return n;
}

static guint
count_rows (GtkWidget *root)
{
    guint n = RF_IS_ROW (root) && gtk_widget_get_mapped (root);

    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w))
        n += count_rows (w);
    return n;
}

static void
set_option (GtkWidget *found, const char *text, gboolean on)
{
    GtkWidget *label = rf_test_find (found, GTK_TYPE_LABEL, text);
    GtkWidget *check = gtk_widget_get_ancestor (label, GTK_TYPE_CHECK_BUTTON);

    g_assert_nonnull (check);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), on);
}

static void
test_doubts (void)
{
    GtkWidget *found = card ();

    rf_test_click (found, "Start recording");
    RF_ITERATE_UNTIL (state () == RF_DESK_DOUBTING);
    g_assert_true (rf_test_sees (found, "The swap space is not empty"));
    g_assert_cmpuint (window->helper->measurements, ==, 0);
    rf_test_click (found, "Cancel");
    g_assert_cmpint (state (), ==, RF_DESK_IDLE);
    g_assert_true (rf_test_sees (found, "Record what happens"));
}

static void
test_record (void)
{
    GtkWidget *found = card ();
    g_autoptr (RfRecording) recording = NULL;
    RfTable *samples = NULL;
    guint before;

    RF_ITERATE_UNTIL (rf_test_sees (window->window, "The same again"));
    before = count_rows (window->window);
    start (found);
    g_assert_cmpuint (window->helper->measured_hz, ==, 10);
    g_assert_false (window->helper->measured_trace);
    g_assert_false (rf_test_sees (found, "Recording without the helper"));
    rf_fake_helper_add_samples (window->helper, 20);
    rf_test_click (found, "It stuttered now");
    RF_ITERATE_UNTIL (rf_recording_desk_get_marks (window->desk) == 1);
    g_assert_true (rf_test_sees (found, "1 mark"));
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    g_assert_true (rf_test_sees (found, "Under 60 minutes"));
    /* it is in the list, where it can be opened */
    RF_ITERATE_UNTIL (count_rows (window->window) == before + 1);
    recording = load ();
    samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), ==, 20);
    g_assert_cmpstr (recording->source, ==, "helper");
    g_assert_cmpuint (count_events (recording, RF_EVENT_MARK), ==, 1);
}

static void
test_refused (void)
{
    GtkWidget *found = card ();
    g_autoptr (RfRecording) recording = NULL;

    window->helper->no_tracefs = TRUE;
    set_option (found, "kernel's events", TRUE);
    start (found);
    g_assert_true (rf_test_sees (found, "Recording without the kernel's events."));
    g_assert_false (window->helper->measured_trace);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    rf_fake_helper_die (window->helper);
    start (found);
    g_assert_true (rf_test_sees (found, "Recording without the helper"));
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    recording = load ();
    g_assert_cmpstr (recording->source, ==, "window");
    rf_fake_helper_start (window->helper);
    window->helper->no_tracefs = FALSE;
    start (found);
    g_assert_true (window->helper->measured_trace);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    set_option (found, "kernel's events", FALSE);
}

static void
test_pre_roll (void)
{
    GtkWidget *found = card ();
    g_autofree char *before = g_strdup (rf_recording_desk_get_id (window->desk));

    set_option (found, "last two minutes", TRUE);
    start (found);
    g_assert_cmpint (state (), ==, RF_DESK_PRE_ROLL);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    g_assert_true (rf_test_sees (found, "Nothing was recorded."));
    start (found);
    rf_test_click (found, "It stuttered now");
    RF_ITERATE_UNTIL (state () == RF_DESK_RECORDING && rf_recording_desk_get_marks (window->desk) == 1);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    g_assert_cmpstr (rf_recording_desk_get_id (window->desk), !=, before);
    set_option (found, "last two minutes", FALSE);
}

static void
test_busy (void)
{
    GtkWidget *found = card ();
    g_autofree char *folder = rf_test_tree_path (window->tree, "elsewhere");
    g_autofree char *runtime = rf_test_tree_path (window->tree, "runtime");
    RfRecordingDesk *other = rf_recording_desk_new (rf_test_tree_sysroot (window->tree), folder, runtime);

    start (found);
    rf_recording_desk_start (other, NULL, FALSE, FALSE);
    RF_ITERATE_UNTIL (rf_recording_desk_get_state (other) == RF_DESK_DOUBTING);
    rf_recording_desk_start_anyway (other);
    RF_ITERATE_UNTIL (rf_recording_desk_get_state (other) == RF_DESK_IDLE);
    g_assert_nonnull (rf_recording_desk_get_outcome (other));
    g_assert_true (g_str_has_prefix (rf_recording_desk_get_outcome (other), "Another recording is being made right now"));
    g_assert_finalize_object (other);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
}

/* Another program of the same user changes a setting while it is recorded. */
static void
test_applied (void)
{
    GtkWidget *found = card ();
    RfClient *terminal = rf_client_new (window->helper->client);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    g_autoptr (RfPlan) plan = NULL;
    g_autoptr (RfRecording) recording = NULL;
    RfValue value = rf_value_int (10);

    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &value);
    plan = rf_plan_builder_finish (builder, NULL);
    RF_ITERATE_UNTIL (rf_client_get_available (terminal));
    start (found);
    window->helper->created = g_get_real_time () / G_USEC_PER_SEC + 1;
    rf_client_apply_async (terminal, plan, 60, NULL, NULL, NULL);
    RF_ITERATE_UNTIL (window->helper->records->len == 1);
    rf_helper1_emit_records_changed (window->helper->skeleton);
    RF_ITERATE_UNTIL (rf_client_get_trial_id (terminal) != NULL);
    rf_test_settle (200);
    rf_fake_helper_end_trial (window->helper, "timeout");
    rf_helper1_emit_records_changed (window->helper->skeleton);
    RF_ITERATE_UNTIL (rf_client_get_trial_id (terminal) == NULL);
    rf_test_settle (200);
    rf_test_click (found, "Stop");
    RF_ITERATE_UNTIL (state () == RF_DESK_IDLE);
    recording = load ();
    g_assert_cmpuint (count_events (recording, RF_EVENT_APPLIED), ==, 1);
    g_assert_cmpuint (count_events (recording, RF_EVENT_TAKEN_BACK), ==, 1);
    RF_ITERATE_UNTIL (G_OBJECT (terminal)->ref_count == 1);
    g_assert_finalize_object (terminal);
}

static void
desktop_call (GDBusConnection *connection, const char *sender, const char *path, const char *interface,
              const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, gpointer data)
{
    if (g_str_equal (method, "Notify")) {
        g_autoptr (GVariant) actions = g_variant_get_child_value (parameters, 5);
        g_autofree const char **words = g_variant_get_strv (actions, NULL);
        guint32 replaced = 0;

        /* one that takes the place of another keeps its number */
        g_variant_get_child (parameters, 1, "u", &replaced);
        g_free (desktop.title);
        g_free (desktop.body);
        g_free (desktop.actions);
        g_variant_get_child (parameters, 3, "s", &desktop.title);
        g_variant_get_child (parameters, 4, "s", &desktop.body);
        desktop.actions = g_strjoinv ("\n", (char **)words);
        desktop.shown++;
        g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", replaced != 0 ? replaced : desktop.shown));
    } else if (g_str_equal (method, "CloseNotification")) {
        desktop.withdrawn++;
        g_dbus_method_invocation_return_value (invocation, NULL);
    } else {
        const char *const capabilities[] = {"actions", "body", NULL};

        g_dbus_method_invocation_return_value (invocation, g_variant_new ("(^as)", capabilities));
    }
}

static void
owned_cb (GDBusConnection *connection, const char *name, gpointer owned)
{
    *(gboolean *)owned = TRUE;
}

static void
start_desktop (const char *address)
{
    static const char xml[]
        = "<node><interface name='org.freedesktop.Notifications'>"
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

/* One that has a bus, as the program itself: the window of the tests has none. */
static GApplication *
start_application (const char *address)
{
    GApplication *app = g_application_new (RF_APP_ID ".Notices", G_APPLICATION_DEFAULT_FLAGS);
    g_autoptr (GError) error = NULL;

    g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
    g_application_register (app, NULL, &error);
    g_assert_no_error (error);
    g_application_set_default (app);
    return app;
}

static void
go_round (GDBusConnection *connection)
{
    g_autoptr (GVariant) answer
        = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetId", NULL,
                                       NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);

    g_assert_nonnull (answer);
}

/* The answer has to be back, too: GIO cannot withdraw a notification whose number it does not know yet. First the bus has
 * to have it, then the application. */
static void
wait_shown (guint count)
{
    RF_ITERATE_UNTIL (desktop.shown == count);
    go_round (desktop.connection);
    go_round (g_application_get_dbus_connection (g_application_get_default ()));
    while (g_main_context_iteration (NULL, FALSE))
        ;
}

static void
test_notice (void)
{
    GtkWidget *found = card ();
    RfRecordingNotice *notice = rf_recording_notice_new (window->desk);
    g_autofree char *leads = NULL;

    start (found);
    g_assert_cmpuint (desktop.shown, ==, 0);
    gtk_widget_set_visible (window->window, FALSE);
    wait_shown (1);
    g_assert_true (g_str_has_prefix (desktop.title, "Recording since "));
    g_assert_nonnull (strstr (desktop.actions, "app.mark-recording\nIt stuttered now"));
    g_assert_nonnull (strstr (desktop.actions, "app.stop-recording\nStop"));
    /* the desktop has taken it away when a button was pressed: here it is again */
    rf_recording_desk_mark (window->desk);
    wait_shown (2);
    g_assert_cmpstr (desktop.body, ==, "1 mark so far");
    /* whoever opens the window needs no notification */
    gtk_widget_set_visible (window->window, TRUE);
    RF_ITERATE_UNTIL (desktop.withdrawn == 1);
    gtk_widget_set_visible (window->window, FALSE);
    wait_shown (3);
    rf_recording_desk_stop (window->desk);
    wait_shown (4);
    g_assert_cmpstr (desktop.title, ==, "The recording has ended");
    leads = g_strdup_printf ("app.show-page('recordings/%s')", rf_recording_desk_get_id (window->desk));
    g_assert_nonnull (strstr (desktop.actions, leads));
    rf_recording_notice_leave (notice);
    RF_ITERATE_UNTIL (desktop.withdrawn == 2);
    gtk_widget_set_visible (window->window, TRUE);
    g_assert_finalize_object (notice);
}

int
main (int argc, char **argv)
{
    GApplication *app = NULL;
    int status;

    window = rf_test_window_new (&argc, &argv, "laptop-8g");
    start_desktop (g_test_dbus_get_bus_address (window->helper->bus));
    app = start_application (g_test_dbus_get_bus_address (window->helper->bus));
    g_test_add_func ("/app/recorder-card/doubts", test_doubts);
    g_test_add_func ("/app/recorder-card/record", test_record);
    g_test_add_func ("/app/recorder-card/refused", test_refused);
    g_test_add_func ("/app/recorder-card/pre-roll", test_pre_roll);
    g_test_add_func ("/app/recorder-card/busy", test_busy);
    g_test_add_func ("/app/recorder-card/applied", test_applied);
    g_test_add_func ("/app/recorder-card/notice", test_notice);
    status = g_test_run ();
    g_application_set_default (NULL);
    g_object_unref (app);
    g_object_unref (desktop.connection);
    rf_test_window_free (window);
    return status;
}
