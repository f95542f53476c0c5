/* The window as a whole: needs a display, no accessibility bus and no system bus. */
#include "config.h"

#include <gtk/gtk.h>

#include "rf-split.h"
#include "rf-test-tree.h"
#include "rf-theme.h"
#include "rf-window.h"

typedef struct {
    RfTestTree *tree;
    RfSampler *sampler;
    RfFacts *facts;
    GtkWidget *window;
} Fixture;

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
    f->window = rf_window_new (app, f->sampler, f->facts);
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

static void
test_narrow (Fixture *f, gconstpointer data)
{
    static const char *const pages[] = {"overview", "monitor", "changes"};
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
    GtkWidget *menu = find_widget (f->window, GTK_TYPE_MENU_BUTTON);

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
    g_test_add ("/app/window/narrow", Fixture, GINT_TO_POINTER (360), set_up, test_narrow, tear_down);
    g_test_add ("/app/window/narrow-wizard", Fixture, GINT_TO_POINTER (1000), set_up, test_narrow_wizard, tear_down);
    g_test_add_func ("/app/window/page-names", test_page_names);
    status = g_test_run ();
    g_object_unref (app);
    return status;
}
