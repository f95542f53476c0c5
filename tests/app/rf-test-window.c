#include "config.h"

#include "rf-test-window.h"

#include "rf-comparison-list.h"
#include "rf-compat.h"
#include "rf-history-row.h"
#include "rf-record.h"
#include "rf-recording-file.h"
#include "rf-recording-view.h"
#include "rf-setting-row.h"
#include "rf-who-set.h"
#include "rf-window.h"
#include "rf-wizard.h"

#include <glib/gi18n.h>
#include <locale.h>

#define DATA_HOME "home/data"
#define BEFORE "20261130T180000Z"
#define AFTER "20261201T180000Z"
#define NS_PER_S G_GINT64_CONSTANT (1000000000)

GtkWidget *
rf_test_window_find (GtkWidget *root, GType type, const char *css_class)
{
    if (!gtk_widget_get_mapped (root))
        return NULL;
    if (G_TYPE_CHECK_INSTANCE_TYPE (root, type) && (css_class == NULL || gtk_widget_has_css_class (root, css_class)))
        return root;
    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        GtkWidget *found = rf_test_window_find (w, type, css_class);
        if (found != NULL)
            return found;
    }
    return NULL;
}

void
rf_test_window_settle (RfTestWindow *self)
{
    for (guint i = 0; i < 3; i++) {
        GdkFrameClock *clock = gtk_widget_get_frame_clock (self->window);
        gint64 frame = gdk_frame_clock_get_frame_counter (clock);
        gtk_widget_queue_draw (self->window);
        while (gdk_frame_clock_get_frame_counter (clock) <= frame)
            g_main_context_iteration (NULL, TRUE);
        while (g_main_context_iteration (NULL, FALSE))
            ;
    }
}

void
rf_test_window_resize (RfTestWindow *self, int width, int height)
{
    /* a narrow window has less air, which makes it able to become narrower still: so it is asked again */
    for (guint i = 0; i < 3; i++) {
        gtk_window_set_default_size (GTK_WINDOW (self->window), width, height);
        rf_test_window_settle (self);
        RF_ITERATE_UNTIL (gtk_widget_get_width (self->window) >= width);
        if (gtk_widget_get_width (self->window) == width)
            break;
        gtk_window_set_default_size (GTK_WINDOW (self->window), width + 1, height);
    }
    rf_test_window_settle (self);
}

static gboolean
uses_palette (RfTestWindow *self, const char *name)
{
    gboolean dark = FALSE;
    g_autofree char *theme = NULL;
    g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, "gtk-theme-name", &theme, NULL);
    return dark == g_str_has_suffix (name, "dark") && rf_theme_name_is_contrast (theme) == g_str_has_prefix (name, "hc");
}

void
rf_test_window_set_palette (RfTestWindow *self, const char *name)
{
    g_clear_object (&self->theme);
    g_object_set (gtk_settings_get_default (), "gtk-theme-name",
                  g_str_has_prefix (name, "hc") ? "HighContrast" : "Adwaita", NULL);
    self->theme = rf_theme_new (gdk_display_get_default (),
                                g_str_has_suffix (name, "dark") ? RF_THEME_DARK : RF_THEME_LIGHT);
    g_assert_true (uses_palette (self, name));
    rf_test_window_settle (self);
}

/* Without a window manager GTK draws a frame of its own inside the size that was asked for. */
static void
take_frame_away (void)
{
    g_autoptr (GtkCssProvider) frame = gtk_css_provider_new ();
    gtk_css_provider_load_from_data (frame, "window.solid-csd { padding: 0; border: none; box-shadow: none; }", -1);
    rf_compat_add_provider (gdk_display_get_default (), frame);
}

/* 20 minutes with everything that the pages have words for; @factor: how bad it was. */
static void
add_recording (RfTestTree *tree, const char *id, const char *name, float factor)
{
    static const RfEventKind kinds[] = {RF_EVENT_RECLAIM,  RF_EVENT_IO,   RF_EVENT_SWAP_IN, RF_EVENT_FAULT,
                                        RF_EVENT_OOM_KILL, RF_EVENT_TILE, RF_EVENT_MARK};
    static const char *const columns[] = {"interval_s", "allocstalls_per_s", "free_bytes", "dirty_bytes"};
    g_autoptr (RfRecording) recording = rf_recording_new ();
    g_autofree char *folder = g_build_filename (rf_test_tree_root (tree), DATA_HOME "/ruckelfrei/sessions", id, NULL);
    RfTable *samples = rf_recording_add_table (recording, rf_table_new ("samples"));
    rf_recording_set (&recording->name, name);
    rf_recording_set (&recording->source, "helper");
    rf_recording_set (&recording->workload, "flight");
    recording->anchor_wall_us = G_GINT64_CONSTANT (1796061600) * G_USEC_PER_SEC;
    for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
        rf_table_add_column (samples, columns[i]);
    for (guint i = 0; i < 1200; i++) {
        const float noise = (float) (i * 7919 % 1000);
        const float row[] = {1, i * 7919 % 10 < 3 ? factor * noise : 0, 2e9f + noise * 1e5f, factor * noise * 1e5f};
        RfEvent event = {.time_ns = (i + 1) * NS_PER_S, .duration_ns = (gint64) (factor * noise * 1e4f) + 1,
                         .kind = kinds[i % G_N_ELEMENTS (kinds)], .process = "Main Thread", .subject = "nvme0n1 write"};
        g_assert_true (rf_table_append (samples, (i + 1) * NS_PER_S, row));
        if (row[1] > 0)
            g_array_append_val (recording->events, event);
    }
    g_autoptr (GError) error = NULL;
    g_assert_true (rf_recording_save (recording, folder, &error));
    g_assert_no_error (error);
}

static void
add_recordings (RfTestTree *tree)
{
    g_autofree char *home = g_build_filename (rf_test_tree_root (tree), DATA_HOME, NULL);
    g_autofree char *sessions = g_build_filename (home, "ruckelfrei", "sessions", NULL);
    g_assert_cmpint (g_mkdir_with_parents (sessions, 0700), ==, 0);
    g_assert_true (g_setenv ("XDG_DATA_HOME", home, TRUE));
    add_recording (tree, BEFORE, "Evening flight", 1);
    add_recording (tree, AFTER, "The same again", 0.5f);
}

RfTestWindow *
rf_test_window_new (int *argc, char ***argv, const char *machine)
{
    RfTestWindow *self = g_new0 (RfTestWindow, 1);
    self->tree = rf_test_tree_new (machine);
    add_recordings (self->tree); /* before GLib looks where the person's data are */
    gtk_test_init (argc, argv, NULL); /* before the made-up bus, which forgets the display */
    RfSysroot *sysroot = rf_test_tree_sysroot (self->tree);
    self->facts = rf_facts_read (sysroot);
    self->helper = rf_fake_helper_new (sysroot, self->facts);
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (self->helper->bus), TRUE);
    setlocale (LC_MESSAGES, "C.UTF-8"); /* gtk_test_init() asks for "C", which has no translations */
    bindtextdomain (GETTEXT_PACKAGE, RF_TEST_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);

    setlocale (LC_NUMERIC, ""); /* the same, and pictures say "0,5 ms" in German */
    gtk_icon_theme_add_search_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()), RF_TEST_ICONSDIR);

    take_frame_away ();
    self->theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    self->app = g_object_new (GTK_TYPE_APPLICATION, "application-id", RF_APP_ID ".Test", "flags", G_APPLICATION_NON_UNIQUE,
                              "resource-base-path", "/io/github/ruckelfrei/Ruckelfrei", NULL);
    g_assert_true (g_application_register (G_APPLICATION (self->app), NULL, NULL));
    self->sampler = rf_sampler_new (sysroot, 1000, 600);
    rf_test_tree_mkdir (self->tree, "runtime");
    g_autofree char *runtime = rf_test_tree_path (self->tree, "runtime");
    self->desk = rf_recording_desk_new (sysroot, NULL, runtime);
    self->window = rf_window_new (self->app, self->sampler, self->facts, self->desk, NULL);
    gtk_window_set_default_size (GTK_WINDOW (self->window), 1200, 900);
    gtk_window_present (GTK_WINDOW (self->window));
    RF_ITERATE_UNTIL (gtk_widget_get_mapped (self->window));
    rf_test_window_settle (self);
    return self;
}

void
rf_test_window_free (RfTestWindow *self)
{
    g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
    gtk_window_destroy (GTK_WINDOW (self->window));
    RF_ITERATE_UNTIL (self->window == NULL);
    rf_facts_unref (self->facts);
    g_object_unref (self->desk);
    g_object_unref (self->sampler);
    g_object_unref (self->app);
    g_object_unref (self->theme);
    rf_fake_helper_free (self->helper);
    rf_test_tree_free (self->tree);
    g_free (self);
}

static void
visit_page (RfTestWindow *self, const char *page, const char *name, RfTestVisit visit, gpointer data)
{
    rf_window_show_page (RF_WINDOW (self->window), page);
    rf_test_window_settle (self);
    visit (self, name, data);
}

/* The one loud button of the guided tuning leads on, whatever it says. */
static void
press_next (GtkWidget *wizard)
{
    GtkWidget *button = NULL;
    RF_ITERATE_UNTIL ((button = rf_test_window_find (wizard, GTK_TYPE_BUTTON, "suggested-action")) != NULL
                      && gtk_widget_is_sensitive (button));
    g_signal_emit_by_name (button, "clicked");
}

static void
walk_wizard (RfTestWindow *self, RfTestVisit visit, gpointer data)
{
    static const char *const names[] = {"wizard-welcome", "wizard-step-1", "wizard-step-2",
                                        "wizard-step-3",  "wizard-step-4", "wizard-review"};
    /* of somebody else, and it comes after ours: the review names it */
    rf_test_tree_set (self->tree, "etc/sysctl.d/zz-mine.conf", "vm.watermark_scale_factor = 33\n");
    rf_window_show_page (RF_WINDOW (self->window), "wizard");
    RfWizard *wizard = NULL;
    RF_ITERATE_UNTIL ((wizard = (RfWizard *) rf_test_window_find (self->window, RF_TYPE_WIZARD, NULL)) != NULL);
    for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
        g_assert_cmpint (rf_wizard_get_stage (wizard), ==, RF_STAGE_WELCOME + i);
        rf_test_window_settle (self);
        GtkWidget *row = rf_test_window_find (GTK_WIDGET (wizard), RF_TYPE_SETTING_ROW, NULL);
        GtkWidget *adjust = row != NULL ? rf_test_window_find (row, GTK_TYPE_TOGGLE_BUTTON, NULL) : NULL;
        if (adjust != NULL) {
            g_autofree char *adjusting = g_strconcat (names[i], "-adjust", NULL);
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (adjust), TRUE);
            rf_test_window_settle (self);
            visit (self, adjusting, data);
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (adjust), FALSE);
            rf_test_window_settle (self);
        }
        visit (self, names[i], data);
        /* once, in the step that every machine has rows in */
        GtkWidget *who = i == 1 ? rf_test_window_find (GTK_WIDGET (wizard), RF_TYPE_WHO_SET, NULL) : NULL;
        if (who != NULL) {
            GtkWidget *opens = rf_test_window_find (who, GTK_TYPE_TOGGLE_BUTTON, NULL);
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (opens), TRUE);
            rf_test_window_settle (self);
            visit (self, "wizard-who-set", data);
            gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (opens), FALSE);
            rf_test_window_settle (self);
        }
        if (i + 1 < G_N_ELEMENTS (names))
            press_next (GTK_WIDGET (wizard));
    }
    self->helper->hold_apply = TRUE;
    press_next (GTK_WIDGET (wizard));
    RF_ITERATE_UNTIL (self->helper->pending != NULL);
    rf_test_window_settle (self);
    visit (self, "wizard-progress", data);
    self->helper->hold_apply = FALSE;
    g_dbus_method_invocation_return_error_literal (g_steal_pointer (&self->helper->pending), RF_ERROR,
                                                   RF_ERROR_NO_AGENT, "for the picture");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_REVIEW);
    rf_test_window_settle (self);
    visit (self, "wizard-review-refused", data);
    press_next (GTK_WIDGET (wizard));
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_TRIAL);
    rf_test_window_settle (self);
    visit (self, "wizard-trial", data);
    press_next (GTK_WIDGET (wizard));
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_RESULT);
    rf_test_window_settle (self);
    visit (self, "wizard-kept", data);
    press_next (GTK_WIDGET (wizard));
    RF_ITERATE_UNTIL (rf_test_window_find (self->window, RF_TYPE_WIZARD, NULL) == NULL);
}

/* Taken back, except for what somebody else has changed meanwhile. */
static void
leave_alone (RfTestWindow *self)
{
    RfRecord *record = g_ptr_array_index (self->helper->records, 0);
    for (guint i = 0; i < record->entries->len; i++)
        ((RfRecordEntry *) g_ptr_array_index (record->entries, i))->state = i == 0 ? RF_ENTRY_LEFT_ALONE
                                                                                   : RF_ENTRY_REVERTED;
    record->state = RF_RECORD_REVERTED;
    record->reason = RF_REASON_USER;
    rf_helper1_emit_records_changed (self->helper->skeleton);
    rf_test_window_settle (self);
}

/* The list, one of them, and two compared. */
static void
walk_recordings (RfTestWindow *self, RfTestVisit visit, gpointer data)
{
    rf_window_show_page (RF_WINDOW (self->window), "recordings/" BEFORE);
    RF_ITERATE_UNTIL (rf_test_window_find (self->window, RF_TYPE_RECORDING_VIEW, NULL) != NULL);
    rf_test_window_settle (self);
    visit (self, "recordings-one", data);
    rf_window_show_page (RF_WINDOW (self->window), "recordings/" BEFORE "/" AFTER);
    RF_ITERATE_UNTIL (rf_test_window_find (self->window, RF_TYPE_COMPARISON_LIST, NULL) != NULL);
    rf_test_window_settle (self);
    visit (self, "recordings-two", data);
}

void
rf_test_window_walk (RfTestWindow *self, RfTestVisit visit, gpointer data)
{
    for (guint i = 0; rf_window_page_name (i) != NULL; i++)
        visit_page (self, rf_window_page_name (i), rf_window_page_name (i), visit, data);
    walk_recordings (self, visit, data);
    walk_wizard (self, visit, data);
    rf_window_show_page (RF_WINDOW (self->window), "changes");
    RF_ITERATE_UNTIL (rf_test_window_find (self->window, RF_TYPE_HISTORY_ROW, NULL) != NULL);
    visit_page (self, "changes", "changes-kept", visit, data);
    self->helper->drift = TRUE;
    visit_page (self, "overview", "overview-kept", visit, data);
    rf_window_show_page (RF_WINDOW (self->window), "changes");
    RF_ITERATE_UNTIL (rf_test_window_find (self->window, RF_TYPE_HISTORY_ROW, NULL) != NULL);
    visit_page (self, "changes", "changes-drifted", visit, data);
    leave_alone (self);
    visit_page (self, "changes", "changes-left-alone", visit, data);
    rf_fake_helper_die (self->helper);
    visit_page (self, "overview", "overview-no-helper", visit, data);
    visit_page (self, "changes", "changes-no-helper", visit, data);
}
