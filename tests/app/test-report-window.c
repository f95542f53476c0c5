/* "Report a problem" and "About", with a made-up helper and without one. With RF_PICTURES set to a folder pictures are left
 * there. */
#include "config.h"

#include <gtk/gtk.h>
#include <string.h>

#include "rf-about.h"
#include "rf-fake-helper.h"
#include "rf-report-window.h"
#include "rf-screenshot.h"
#include "rf-test-tree.h"
#include "rf-theme.h"

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfFakeHelper *helper;
    RfClient *client;
    GtkWidget *parent;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
    RfSysroot *sysroot = NULL;

    f->tree = rf_test_tree_new ("laptop-8g");
    sysroot = rf_test_tree_sysroot (f->tree);
    f->facts = rf_facts_read (sysroot);
    f->helper = rf_fake_helper_new (sysroot, f->facts);
    rf_helper1_set_version (f->helper->skeleton, "7.8.9");
    f->client = rf_client_new (f->helper->client);
    f->parent = gtk_window_new ();
    gtk_window_present (GTK_WINDOW (f->parent));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    gtk_window_destroy (GTK_WINDOW (f->parent));
    RF_ITERATE_UNTIL (g_list_model_get_n_items (gtk_window_get_toplevels ()) == 0);
    RF_ITERATE_UNTIL (G_OBJECT (f->client)->ref_count == 1);
    g_assert_finalize_object (f->client);
    rf_fake_helper_free (f->helper);
    rf_facts_unref (f->facts);
    rf_test_tree_free (f->tree);
}

static void
picture (GtkWidget *window, const char *name)
{
    const char *folder = g_getenv ("RF_PICTURES");
    g_autofree char *file = NULL;

    if (folder == NULL)
        return;
    for (guint i = 0; i < 30; i++) {
        gtk_widget_queue_draw (window);
        g_usleep (20000);
        while (g_main_context_iteration (NULL, FALSE))
            ;
    }
    file = g_strdup_printf ("%s/%s.png", folder, name);
    rf_screenshot_save (GTK_WINDOW (window), file, NULL);
}

static GtkWidget *
find (GtkWidget *root, GType type)
{
    if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
        return root;
    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        GtkWidget *found = find (w, type);

        if (found != NULL)
            return found;
    }
    return NULL;
}

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer text)
{
    *(char **)text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static char *
shown_text (GtkWidget *window)
{
    char *text = NULL;

    while ((text = rf_report_window_get_text (RF_REPORT_WINDOW (window))) == NULL)
        g_main_context_iteration (NULL, TRUE);
    return text;
}

static void
test_report (Fixture *f, gconstpointer data)
{
    GtkWidget *window = rf_report_window_new (GTK_WINDOW (f->parent), f->client, rf_test_tree_sysroot (f->tree), f->facts);
    g_autofree char *text = NULL;
    g_autofree char *pasted = NULL;
    int minimum = 0;

    g_assert_null (rf_report_window_get_text (RF_REPORT_WINDOW (window)));
    gtk_window_present (GTK_WINDOW (window));
    text = shown_text (window);
    g_assert_nonnull (strstr (text, "  helper: 7.8.9\n"));
    g_assert_nonnull (strstr (text, "  toolkit: GTK 4."));
    g_assert_nonnull (strstr (text, "SAMSUNG MZVLB256HAHQ-000L7"));
    g_assert_nonnull (strstr (text, "Records\n  none\n"));
    /* what is read is what is copied */
    g_assert_false (gtk_text_view_get_editable (GTK_TEXT_VIEW (find (window, GTK_TYPE_TEXT_VIEW))));
    g_assert_true (gtk_widget_activate_action (window, "report.copy", NULL));
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (window), NULL, pasted_cb, &pasted);
    RF_ITERATE_UNTIL (pasted != NULL);
    g_assert_cmpstr (pasted, ==, text);
    gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_assert_cmpint (minimum, <=, 360);
    picture (window, "report");
    gtk_window_set_default_size (GTK_WINDOW (window), 360, 700);
    picture (window, "report-narrow");
    gtk_window_close (GTK_WINDOW (window));
}

static void
test_without_helper (Fixture *f, gconstpointer data)
{
    GtkWidget *window = NULL;
    g_autofree char *text = NULL;

    rf_fake_helper_die (f->helper);
    window = rf_report_window_new (GTK_WINDOW (f->parent), f->client, rf_test_tree_sysroot (f->tree), f->facts);
    gtk_window_present (GTK_WINDOW (window));
    text = shown_text (window);
    g_assert_nonnull (strstr (text, "  helper does not answer: "));
    g_assert_nonnull (strstr (text, "SAMSUNG MZVLB256HAHQ-000L7"));
    gtk_window_close (GTK_WINDOW (window));
}

/* Closed before the helper has answered: nothing is left behind. */
static void
test_closed_early (Fixture *f, gconstpointer data)
{
    GtkWidget *window = rf_report_window_new (GTK_WINDOW (f->parent), f->client, rf_test_tree_sysroot (f->tree), f->facts);

    gtk_window_present (GTK_WINDOW (window));
    gtk_window_close (GTK_WINDOW (window));
}

static GtkWidget *
find_about (void)
{
    GListModel *windows = gtk_window_get_toplevels ();

    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

        if (GTK_IS_ABOUT_DIALOG (window))
            return window;
    }
    return NULL;
}

static void
test_about (Fixture *f, gconstpointer data)
{
    GtkAboutDialog *about = NULL;

    rf_about_show (GTK_WINDOW (f->parent), f->client);
    about = GTK_ABOUT_DIALOG (find_about ());
    g_assert_nonnull (about);
    g_assert_cmpstr (gtk_about_dialog_get_version (about), ==, PACKAGE_VERSION);
    g_assert_cmpint (gtk_about_dialog_get_license_type (about), ==, GTK_LICENSE_GPL_3_0);
    g_assert_true (g_str_has_prefix (gtk_about_dialog_get_website (about), "https://"));
    g_assert_nonnull (gtk_about_dialog_get_copyright (about));
    g_assert_nonnull (gtk_about_dialog_get_authors (about)[0]);
    RF_ITERATE_UNTIL (strstr (gtk_about_dialog_get_system_information (about), "Helper: 7.8.9\n") != NULL);
    g_assert_nonnull (strstr (gtk_about_dialog_get_system_information (about), "Window: " PACKAGE_VERSION "\n"));
    picture (GTK_WIDGET (about), "about");
    gtk_window_close (GTK_WINDOW (about));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;

    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_test_add ("/app/report-window/report", Fixture, NULL, set_up, test_report, tear_down);
    g_test_add ("/app/report-window/without-helper", Fixture, NULL, set_up, test_without_helper, tear_down);
    g_test_add ("/app/report-window/closed-early", Fixture, NULL, set_up, test_closed_early, tear_down);
    g_test_add ("/app/report-window/about", Fixture, NULL, set_up, test_about, tear_down);
    return g_test_run ();
}
