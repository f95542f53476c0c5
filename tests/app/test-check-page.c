/* The Check page in a window, with a look that ends when the test says so. Needs a display. */
#include "config.h"

#include <gtk/gtk.h>

#include "rf-check-page.h"
#include "rf-check-row.h"
#include "rf-message-bar.h"
#include "rf-test-tree.h"
#include "rf-theme.h"

#define NO_SWAP "== proc/swaps\nFilename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static GMutex gate;
static GCond opened;
static guint let_through; /* looks that may end */

static void
open_gate (void)
{
    g_mutex_lock (&gate);
    let_through++;
    g_cond_signal (&opened);
    g_mutex_unlock (&gate);
}

static RfCheckInput *
read_when_open (RfSysroot *sysroot)
{
    g_mutex_lock (&gate);
    while (let_through == 0)
        g_cond_wait (&opened, &gate);
    let_through--;
    g_mutex_unlock (&gate);
    return rf_check_input_read (sysroot);
}

typedef struct {
    RfTestTree *tree;
    RfChecker *checker;
    GtkWidget *page;
    GtkWidget *window;
} Fixture;

static GtkWidget *
part (Fixture *f, const char *name)
{
    GtkWidget *widget = GTK_WIDGET (gtk_widget_get_template_child (f->page, RF_TYPE_CHECK_PAGE, name));

    g_assert_nonnull (widget);
    return widget;
}

static gboolean
seen (Fixture *f, const char *name)
{
    return gtk_widget_get_visible (part (f, name));
}

static guint
rows (Fixture *f, const char *list)
{
    guint n = 0;

    for (GtkWidget *w = gtk_widget_get_first_child (part (f, list)); w != NULL; w = gtk_widget_get_next_sibling (w))
        n += RF_IS_CHECK_ROW (w) ? 1 : 0;
    return n;
}

static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
    GtkWidget *found = NULL;

    if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
        return widget;
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL && found == NULL;
         w = gtk_widget_get_next_sibling (w))
        found = find_button (w, label);
    return found;
}

static void
set_up (Fixture *f, gconstpointer data)
{
    f->tree = rf_test_tree_new ("laptop-8g");
    if (data != NULL)
        rf_test_tree_apply (f->tree, data);
    f->checker = rf_checker_new_with (rf_test_tree_sysroot (f->tree), read_when_open, 0);
    f->page = rf_check_page_new (f->checker);
    f->window = gtk_window_new ();
    gtk_window_set_child (GTK_WINDOW (f->window), f->page);
    gtk_window_set_default_size (GTK_WINDOW (f->window), 360, 600);
    g_assert_false (rf_checker_is_running (f->checker)); /* nobody sees it yet */
    gtk_window_present (GTK_WINDOW (f->window));
    while (!gtk_widget_get_mapped (f->page))
        g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    if (f->window != NULL)
        gtk_window_destroy (GTK_WINDOW (f->window));
    while (g_main_context_iteration (NULL, FALSE))
        ;
    g_assert_finalize_object (f->checker);
    rf_test_tree_free (f->tree);
}

static void
finish_look (Fixture *f)
{
    open_gate ();
    while (rf_checker_is_running (f->checker))
        g_main_context_iteration (NULL, TRUE);
}

static void
test_looking (Fixture *f, gconstpointer data)
{
    RfMessageBar *bar = RF_MESSAGE_BAR (part (f, "bar"));

    g_assert_true (rf_checker_is_running (f->checker));
    g_assert_true (seen (f, "looking"));
    g_assert_false (seen (f, "again") || seen (f, "look_list") || seen (f, "empty") || seen (f, "unknown_box"));
    while (!rf_checker_is_slow (f->checker))
        g_main_context_iteration (NULL, TRUE);
    g_assert_true (gtk_widget_get_visible (GTK_WIDGET (bar)));
    g_assert_nonnull (rf_message_bar_get_text (bar));
    finish_look (f);
    g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
    g_assert_false (seen (f, "looking"));
    g_assert_true (seen (f, "again") && gtk_widget_get_sensitive (part (f, "again")));
}

static void
test_results (Fixture *f, gconstpointer data)
{
    int minimum = 0;

    finish_look (f);
    g_assert_cmpuint (rows (f, "look_list"), ==, 2);
    g_assert_true (seen (f, "look_list") && !seen (f, "empty"));
    g_assert_cmpuint (rows (f, "fine_list"), ==,
                      rf_check_count (rf_checker_get_results (f->checker), RF_CHECK_FINE));
    g_assert_cmpuint (rows (f, "unknown_list"), ==,
                      rf_check_count (rf_checker_get_results (f->checker), RF_CHECK_UNKNOWN));
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (part (f, "title"))), ==, "2 things to look at first");
    g_assert_false (gtk_expander_get_expanded (GTK_EXPANDER (part (f, "fine"))));
    gtk_expander_set_expanded (GTK_EXPANDER (part (f, "fine")), TRUE);
    gtk_widget_measure (f->page, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_assert_cmpint (minimum, <=, 360);

    /* old results stay until there are new ones */
    rf_test_tree_apply (f->tree, NO_SWAP);
    g_signal_emit_by_name (part (f, "again"), "clicked");
    g_assert_true (rf_checker_is_running (f->checker));
    g_assert_false (gtk_widget_get_sensitive (part (f, "again")) || seen (f, "looking"));
    g_assert_cmpuint (rows (f, "look_list"), ==, 2);
    finish_look (f);
    g_assert_cmpuint (rows (f, "look_list"), ==, 0);
    g_assert_true (seen (f, "empty") && !seen (f, "look_list"));
}

static void
test_copy (Fixture *f, gconstpointer data)
{
    GtkWidget *button = NULL;
    GdkContentProvider *content = NULL;
    g_auto (GValue) value = G_VALUE_INIT;

    finish_look (f);
    button = find_button (part (f, "look_list"), "Copy");
    g_assert_nonnull (button);
    g_signal_emit_by_name (button, "clicked");
    g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (button)), ==, "Copied");
    content = gdk_clipboard_get_content (gtk_widget_get_clipboard (button));
    g_value_init (&value, G_TYPE_STRING);
    g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
    g_assert_cmpstr (g_value_get_string (&value), ==, "sudo swapoff /dev/dm-2 && sudo swapon /dev/dm-2");
    g_assert_nonnull (find_button (part (f, "look_list"), "Open the guided tuning"));
}

static void
test_closed_meanwhile (Fixture *f, gconstpointer data)
{
    gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&f->window)));
    g_assert_true (rf_checker_is_running (f->checker));
    finish_look (f);
    g_assert_nonnull (rf_checker_get_results (f->checker));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;

    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_test_add ("/app/check-page/looking", Fixture, NULL, set_up, test_looking, tear_down);
    g_test_add ("/app/check-page/results", Fixture, NULL, set_up, test_results, tear_down);
    g_test_add ("/app/check-page/copy", Fixture, NULL, set_up, test_copy, tear_down);
    g_test_add ("/app/check-page/closed-meanwhile", Fixture, NULL, set_up, test_closed_meanwhile, tear_down);
    return g_test_run ();
}
