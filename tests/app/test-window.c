/* The window as a whole: needs a display, no accessibility bus and no system bus. */
#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include "rf-check-page.h"
#include "rf-history-page.h"
#include "rf-monitor-page.h"
#include "rf-overview-page.h"
#include "rf-settings.h"
#include "rf-split.h"
#include "rf-test-tree.h"
#include "rf-theme.h"
#include "rf-window.h"

typedef struct {
    RfTestTree *tree;
    RfSampler *sampler;
    RfFacts *facts;
    GtkWidget *window;
    GSettings *settings;
    GtkWidget *again; /* start_again() */
} Fixture;

static const char *const remembered[] = {"window-width", "window-height", "window-maximized", "page"};
static GtkApplication *app;

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
    GtkWidget *found = NULL;

    if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
        return widget;
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL && found == NULL;
         w = gtk_widget_get_next_sibling (w))
        found = find_widget (w, type);
    return found;
}

static GtkWidget *
find_navigation (RfSplit *split)
{
    GtkWidget *navigation = NULL;

    /* the pages come first in the tree and have lists of their own, so look from the end */
    for (GtkWidget *w = gtk_widget_get_last_child (GTK_WIDGET (split)); navigation == NULL && w != NULL;
         w = gtk_widget_get_prev_sibling (w))
        navigation = find_widget (w, GTK_TYPE_LIST_BOX);
    return navigation;
}

static void
settle (GtkWidget *window)
{
    for (guint i = 0; i < 3; i++) {
        GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
        const gint64 frame = gdk_frame_clock_get_frame_counter (clock);

        gtk_widget_queue_draw (window);
        while (gdk_frame_clock_get_frame_counter (clock) <= frame)
            g_main_context_iteration (NULL, TRUE);
        while (g_main_context_iteration (NULL, FALSE))
            ;
    }
}

static void
set_up (Fixture *f, gconstpointer data)
{
    f->tree = rf_test_tree_new ("laptop-8g");
    f->sampler = rf_sampler_new (rf_test_tree_sysroot (f->tree), 50, 100);
    f->facts = rf_facts_read (rf_test_tree_sysroot (f->tree));
    f->settings = rf_settings_open ();
    g_assert_nonnull (f->settings);
    for (guint i = 0; i < G_N_ELEMENTS (remembered); i++)
        g_settings_reset (f->settings, remembered[i]);
    f->window = rf_window_new (app, f->sampler, f->facts, NULL, f->settings);
    gtk_window_set_default_size (GTK_WINDOW (f->window), GPOINTER_TO_INT (data), 600);
    gtk_window_present (GTK_WINDOW (f->window));
    while (!gtk_widget_get_mapped (f->window))
        g_main_context_iteration (NULL, TRUE);
    settle (f->window);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    GtkWidget *window = f->window;

    g_object_add_weak_pointer (G_OBJECT (window), (gpointer *)&window);
    gtk_window_destroy (GTK_WINDOW (f->window));
    while (window != NULL)
        g_main_context_iteration (NULL, TRUE);
    while (g_main_context_iteration (NULL, FALSE))
        ;
    rf_facts_unref (f->facts);
    g_object_unref (f->settings);
    g_assert_finalize_object (f->sampler);
    rf_test_tree_free (f->tree);
}

static void
test_wide (Fixture *f, gconstpointer data)
{
    RfSplit *split = RF_SPLIT (find_widget (f->window, RF_TYPE_SPLIT));
    GtkWidget *navigation = find_navigation (split);

    g_assert_false (rf_split_get_folded (split));
    g_assert_false (gtk_widget_has_css_class (f->window, "rf-narrow"));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Overview");
    rf_window_show_page (RF_WINDOW (f->window), "monitor");
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Monitor");
    rf_window_show_page (RF_WINDOW (f->window), "no such page");
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Monitor");
    /* Escape and Alt+Left go back to the first page */
    g_assert_true (gtk_widget_activate_action (f->window, "win.back", NULL));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Overview");
    g_assert_true (gtk_widget_activate_action (f->window, "win.show-page", "s", "monitor"));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Monitor");
    /* the navigation is beside the page and stays */
    gtk_widget_activate_action (f->window, "win.toggle-sidebar", NULL);
    settle (f->window);
    g_assert_true (gtk_widget_get_mapped (navigation));
}

static GtkWindow *
find_shortcuts (void)
{
    GListModel *toplevels = gtk_window_get_toplevels ();

    for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++) {
        g_autoptr (GtkWindow) window = g_list_model_get_item (toplevels, i);

        if (GTK_IS_SHORTCUTS_WINDOW (window))
            return window; /* the list of GTK holds it */
    }
    return NULL;
}

/* Most pages are never looked at: only one that was asked for is made, and then it stays. */
static void
test_lazy (Fixture *f, gconstpointer data)
{
    GtkWidget *monitor = NULL;

    g_assert_nonnull (find_widget (f->window, RF_TYPE_OVERVIEW_PAGE));
    g_assert_null (find_widget (f->window, RF_TYPE_MONITOR_PAGE));
    g_assert_null (find_widget (f->window, RF_TYPE_CHECK_PAGE));
    g_assert_null (find_widget (f->window, RF_TYPE_HISTORY_PAGE));
    rf_window_show_page (RF_WINDOW (f->window), "monitor");
    monitor = find_widget (f->window, RF_TYPE_MONITOR_PAGE);
    g_assert_nonnull (monitor);
    rf_window_show_page (RF_WINDOW (f->window), "overview");
    rf_window_show_page (RF_WINDOW (f->window), "monitor");
    g_assert_true (find_widget (f->window, RF_TYPE_MONITOR_PAGE) == monitor);
    g_assert_null (find_widget (f->window, RF_TYPE_HISTORY_PAGE));
    g_assert_null (find_shortcuts ());
    g_assert_true (gtk_widget_activate_action (f->window, "win.show-help-overlay", NULL));
    g_assert_nonnull (find_shortcuts ());
    g_assert_true (gtk_window_get_transient_for (find_shortcuts ()) == GTK_WINDOW (f->window));
    gtk_window_destroy (find_shortcuts ());
    g_assert_true (gtk_widget_activate_action (f->window, "win.show-help-overlay", NULL));
    g_assert_nonnull (find_shortcuts ());
}

static void
test_narrow (Fixture *f, gconstpointer data)
{
    static const char *const pages[] = {"overview", "monitor", "check", "changes"};
    RfSplit *split = RF_SPLIT (find_widget (f->window, RF_TYPE_SPLIT));
    GtkWidget *navigation = find_navigation (split);
    int minimum = 0;

    g_assert_nonnull (navigation);

    g_assert_true (rf_split_get_folded (split));
    g_assert_true (gtk_widget_has_css_class (f->window, "rf-narrow"));
    g_assert_false (gtk_widget_get_mapped (navigation));
    g_assert_true (gtk_widget_activate_action (f->window, "win.toggle-sidebar", NULL));
    settle (f->window);
    g_assert_true (gtk_widget_get_mapped (navigation));
    /* Escape puts it away without leaving the page */
    rf_window_show_page (RF_WINDOW (f->window), "monitor");
    rf_split_set_revealed (split, TRUE);
    g_assert_true (gtk_widget_activate_action (f->window, "win.back", NULL));
    settle (f->window);
    g_assert_false (gtk_widget_get_mapped (navigation));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (f->window)), ==, "Monitor");

    for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
        rf_window_show_page (RF_WINDOW (f->window), pages[i]);
        settle (f->window);
        gtk_widget_measure (f->window, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
        g_test_message ("%s needs %d pixels", pages[i], minimum);
        g_assert_cmpint (minimum, <=, 360);
    }
}

/* The guided tuning takes the whole window, so the navigation cannot notice how wide it is. */
static void
test_narrow_wizard (Fixture *f, gconstpointer data)
{
    GtkWidget *menu = find_widget (gtk_window_get_titlebar (GTK_WINDOW (f->window)), GTK_TYPE_MENU_BUTTON);

    g_assert_true (gtk_widget_get_visible (menu));
    rf_window_show_page (RF_WINDOW (f->window), "wizard");
    settle (f->window);
    g_assert_false (gtk_widget_has_css_class (f->window, "rf-narrow"));
    g_assert_true (gtk_widget_get_visible (menu));
    gtk_window_set_default_size (GTK_WINDOW (f->window), 360, 600);
    while (!gtk_widget_has_css_class (f->window, "rf-narrow"))
        g_main_context_iteration (NULL, TRUE);
    g_assert_false (gtk_widget_get_visible (menu));
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1000, 600);
    while (gtk_widget_has_css_class (f->window, "rf-narrow"))
        g_main_context_iteration (NULL, TRUE);
    g_assert_true (gtk_widget_get_visible (menu));
}

/* A second window of the same program, as at the next start. */
static GtkWindow *
start_again (Fixture *f, GSettings *settings)
{
    GtkWidget *window = rf_window_new (app, f->sampler, f->facts, NULL, settings);

    g_object_add_weak_pointer (G_OBJECT (window), (gpointer *)&f->again);
    f->again = window;
    return GTK_WINDOW (window);
}

static void
end_again (Fixture *f)
{
    gtk_window_destroy (GTK_WINDOW (f->again));
    while (f->again != NULL)
        g_main_context_iteration (NULL, TRUE);
}

static void
assert_size (GtkWindow *window, int width, int height)
{
    int w, h;

    gtk_window_get_default_size (window, &w, &h);
    g_assert_cmpint (w, ==, width);
    g_assert_cmpint (h, ==, height);
}

static void
test_remembers (Fixture *f, gconstpointer data)
{
    GtkWindow *again = NULL;

    rf_window_show_page (RF_WINDOW (f->window), "monitor");
    gtk_widget_set_visible (f->window, FALSE);
    again = start_again (f, f->settings);
    assert_size (again, GPOINTER_TO_INT (data), 600);
    g_assert_cmpstr (gtk_window_get_title (again), ==, "Monitor");
    end_again (f);

    /* the guided tuning is not where the next start begins */
    gtk_widget_set_visible (f->window, TRUE);
    rf_window_show_page (RF_WINDOW (f->window), "wizard");
    gtk_widget_set_visible (f->window, FALSE);
    g_settings_set_boolean (f->settings, "window-maximized", TRUE);
    again = start_again (f, f->settings);
    g_assert_cmpstr (gtk_window_get_title (again), ==, "Monitor");
    g_assert_true (gtk_window_is_maximized (again));
    end_again (f);

    /* without settings all is as at the first start */
    again = start_again (f, NULL);
    assert_size (again, 1100, 760);
    g_assert_cmpstr (gtk_window_get_title (again), ==, "Overview");
    end_again (f);
}

static void
test_absurd_memory (Fixture *f, gconstpointer data)
{
    static const char *const pages[] = {"wizard", "", "no such page", "\xc3\xa4\n"};
    GtkWindow *again = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (pages); i++) {
        g_settings_set_string (f->settings, "page", pages[i]);
        again = start_again (f, f->settings);
        g_assert_cmpstr (gtk_window_get_title (again), ==, "Overview");
        end_again (f);
    }
    /* larger than the monitor of this test, which has 1400x1000 */
    g_settings_set_int (f->settings, "window-width", 16384);
    g_settings_set_int (f->settings, "window-height", 16384);
    again = start_again (f, f->settings);
    assert_size (again, 1400, 1000);
    end_again (f);
}

/* What stands in a file of settings was perhaps written by hand. */
static void
test_absurd_file (Fixture *f, gconstpointer data)
{
    static const char text[] = "[io/github/ruckelfrei/Ruckelfrei]\nwindow-width=-5\nwindow-height=99999999\n"
                               "window-maximized='perhaps'\npage=7\n";
    g_autofree char *folder = g_dir_make_tmp ("rf-settings-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "keyfile", NULL);
    g_autoptr (GSettingsBackend) backend = NULL;
    g_autoptr (GSettings) settings = NULL;
    GtkWindow *again = NULL;

    g_file_set_contents (path, text, -1, NULL);
    backend = g_keyfile_settings_backend_new (path, "/", NULL);
    settings = g_settings_new_with_backend (RF_APP_ID, backend);
    again = start_again (f, settings);
    assert_size (again, 1100, 760);
    g_assert_false (gtk_window_is_maximized (again));
    g_assert_cmpstr (gtk_window_get_title (again), ==, "Overview");
    end_again (f);
    g_unlink (path);
    g_rmdir (folder);
}

/* GSettings aborts if it is asked for a schema or a key that is not there. */
static void
test_no_schema (void)
{
    if (g_test_subprocess ()) {
        g_test_expect_message ("rf-settings", G_LOG_LEVEL_MESSAGE, "*is not installed*");
        g_assert_null (rf_settings_open ());
        g_test_assert_expected_messages ();
        return;
    }
    g_setenv ("GSETTINGS_SCHEMA_DIR", "/nonexistent", TRUE);
    g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
    g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed ();
}

static void
test_page_names (void)
{
    g_assert_true (rf_window_page_exists ("overview"));
    g_assert_true (rf_window_page_exists ("monitor"));
    g_assert_true (rf_window_page_exists ("changes"));
    g_assert_true (rf_window_page_exists ("wizard"));
    g_assert_false (rf_window_page_exists ("Overview"));
    g_assert_false (rf_window_page_exists (""));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;
    g_autoptr (GError) error = NULL;
    int status;

    /* nobody answers here: the window has to live with a helper that cannot be reached */
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
    g_application_register (G_APPLICATION (app), NULL, &error);
    g_assert_no_error (error);
    g_test_add ("/app/window/wide", Fixture, GINT_TO_POINTER (1000), set_up, test_wide, tear_down);
    g_test_add ("/app/window/lazy", Fixture, GINT_TO_POINTER (1000), set_up, test_lazy, tear_down);
    g_test_add ("/app/window/narrow", Fixture, GINT_TO_POINTER (360), set_up, test_narrow, tear_down);
    g_test_add ("/app/window/narrow-wizard", Fixture, GINT_TO_POINTER (1000), set_up, test_narrow_wizard, tear_down);
    g_test_add ("/app/window/remembers", Fixture, GINT_TO_POINTER (1000), set_up, test_remembers, tear_down);
    g_test_add ("/app/window/absurd-memory", Fixture, GINT_TO_POINTER (1000), set_up, test_absurd_memory, tear_down);
    g_test_add ("/app/window/absurd-file", Fixture, GINT_TO_POINTER (1000), set_up, test_absurd_file, tear_down);
    g_test_add_func ("/app/window/no-schema", test_no_schema);
    g_test_add_func ("/app/window/page-names", test_page_names);
    status = g_test_run ();
    g_object_unref (app);
    return status;
}
