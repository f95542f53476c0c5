/* Whoever has switched movements off sees none: what follows from a press is there at once and is the same a moment later.
 * And a very wide window keeps its lines short enough to read. */
#include "config.h"

#include "rf-test-window.h"

#include "rf-setting-row.h"
#include "rf-who-set.h"
#include "rf-window.h"
#include "rf-wizard.h"

static RfTestWindow *window;

static GBytes *
drawn (GtkWidget *widget)
{
    g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
    g_autoptr (GskRenderNode) node = NULL;
    /* right after a change there may be no frame yet */
    for (guint tries = 0; node == NULL && tries < 20; tries++) {
        GtkSnapshot *snapshot = gtk_snapshot_new ();
        rf_test_window_settle (window);
        gdk_paintable_snapshot (paintable, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
        node = gtk_snapshot_free_to_node (snapshot);
    }
    g_assert_nonnull (node);
    g_autoptr (GdkTexture) texture =
        gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node, NULL);
    return gdk_texture_save_to_png_bytes (texture);
}

/* A movement shows half of the way at first, and all of it after its time. @widget: without a graph, which goes on */
static void
assert_still (GtkWidget *widget, const char *what)
{
    g_autoptr (GBytes) at_once = drawn (widget);
    rf_test_window_jump (90); /* shorter than any movement of GTK, so that it would be seen under way */
    g_autoptr (GBytes) under_way = drawn (widget);
    rf_test_window_jump (400);
    g_autoptr (GBytes) later = drawn (widget);
    if (!g_bytes_equal (at_once, under_way) || !g_bytes_equal (under_way, later))
        g_error ("%s moves", what);
}

static void
open_in (GtkWidget *row, GtkWidget *root, const char *what)
{
    GtkWidget *button = rf_test_window_find (root, GTK_TYPE_TOGGLE_BUTTON, NULL);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    assert_still (row, what);
}

static void
test_still (void)
{
    rf_window_show_page (RF_WINDOW (window->window), "check");
    RF_ITERATE_UNTIL (rf_test_window_find (window->window, GTK_TYPE_LIST_BOX_ROW, NULL) != NULL);
    rf_test_window_settle (window);
    rf_window_show_page (RF_WINDOW (window->window), "changes");
    assert_still (window->window, "turning a page");
    rf_window_show_page (RF_WINDOW (window->window), "wizard");
    RfWizard *wizard = NULL;
    RF_ITERATE_UNTIL ((wizard = (RfWizard *) rf_test_window_find (window->window, RF_TYPE_WIZARD, NULL)) != NULL);
    GtkWidget *next = NULL;
    RF_ITERATE_UNTIL ((next = rf_test_window_find (GTK_WIDGET (wizard), GTK_TYPE_BUTTON, "suggested-action")) != NULL);
    g_signal_emit_by_name (next, "clicked");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_STEP_1);
    rf_test_window_settle (window);
    GtkWidget *row = rf_test_window_find (GTK_WIDGET (wizard), RF_TYPE_SETTING_ROW, NULL);
    GtkWidget *who = rf_test_window_find (row, RF_TYPE_WHO_SET, NULL);
    open_in (row, who, "who set this");
    open_in (row, row, "adjusting a value");
    rf_wizard_request_close (wizard);
    RF_ITERATE_UNTIL (rf_test_window_find (window->window, RF_TYPE_WIZARD, NULL) == NULL);
}

/* The Check page turns its wheel for as long as it looks. */
static void
test_spinner (void)
{
    GtkWidget *spinner = gtk_spinner_new (), *other = gtk_window_new (), *main_window = window->window;
    gtk_widget_add_css_class (other, "rf-window");
    gtk_spinner_set_spinning (GTK_SPINNER (spinner), TRUE);
    gtk_window_set_child (GTK_WINDOW (other), spinner);
    gtk_window_present (GTK_WINDOW (other));
    RF_ITERATE_UNTIL (gtk_widget_get_mapped (spinner));
    window->window = other;
    assert_still (other, "a spinner");
    window->window = main_window;
    gtk_window_destroy (GTK_WINDOW (other));
}

static guint n_pages;

static void
assert_clamped (GtkWidget *widget, const char *page)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    if (gtk_widget_has_css_class (widget, "rf-page")) {
        if (gtk_widget_get_width (widget) > 1400)
            g_error ("%s is %d pixels wide", page, gtk_widget_get_width (widget));
        n_pages++;
    }
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        assert_clamped (w, page);
}

static void
test_wide (void)
{
    rf_test_window_resize (window, 3840, 2160);
    g_assert_cmpint (gtk_widget_get_width (window->window), ==, 3840);
    for (guint i = 0; rf_window_page_name (i) != NULL; i++) {
        guint before = n_pages;
        rf_window_show_page (RF_WINDOW (window->window), rf_window_page_name (i));
        rf_test_window_settle (window);
        assert_clamped (window->window, rf_window_page_name (i));
        g_assert_cmpuint (n_pages, >, before);
    }
    rf_test_window_resize (window, 1200, 900);
}

int
main (int argc, char **argv)
{
    window = rf_test_window_new (&argc, &argv, "laptop-8g");
    g_test_add_func ("/app/motion/still", test_still);
    g_test_add_func ("/app/motion/spinner", test_spinner);
    g_test_add_func ("/app/motion/wide", test_wide);
    int status = g_test_run ();
    rf_test_window_free (window);
    return status;
}
