/* The monitor as a person uses it: range, pause, compact view, choice and order, full size. Needs a display. */
#include "config.h"

#include <gtk/gtk.h>

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>
#include <string.h>

#include "rf-graph-card.h"
#include "rf-monitor-board.h"
#include "rf-monitor-cards.h"
#include "rf-monitor-chooser.h"
#include "rf-monitor-page.h"
#include "rf-monitor-save.h"
#include "rf-screenshot.h"
#include "rf-test-tree.h"
#include "rf-theme.h"
#include "rf-tunable-text.h"

typedef struct {
    RfTestTree *tree;
    RfSampler *sampler;
    RfFacts *facts;
    GSettings *settings;
    GtkWidget *window;
    GtkWidget *page;
} Fixture;

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

static guint64
total (Fixture *f)
{
    return rf_series_total (rf_sampler_get_series (f->sampler, RF_COLUMN_FREE));
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    ++*count;
}

/* Looks, not places in the history: a late one fills several. */
static void
wait_samples (Fixture *f, guint count)
{
    guint seen = 0;
    const gulong handler = g_signal_connect (f->sampler, "sampled", G_CALLBACK (sampled_cb), &seen);

    while (seen < count)
        g_main_context_iteration (NULL, TRUE);
    g_signal_handler_disconnect (f->sampler, handler);
    settle (f->window);
}

static void
open_page (Fixture *f)
{
    f->window = gtk_window_new ();
    f->page = rf_monitor_page_new (f->sampler, f->facts, f->settings);
    g_object_ref_sink (f->page);
    gtk_window_set_child (GTK_WINDOW (f->window), f->page);
    gtk_widget_add_css_class (f->window, "rf-window");
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1000, 700);
    gtk_window_present (GTK_WINDOW (f->window));
    while (!gtk_widget_get_mapped (f->page))
        g_main_context_iteration (NULL, TRUE);
    settle (f->window);
}

static void
close_page (Fixture *f)
{
    gtk_window_set_child (GTK_WINDOW (f->window), NULL);
    gtk_window_destroy (GTK_WINDOW (f->window));
    while (g_main_context_iteration (NULL, FALSE))
        ;
    g_assert_finalize_object (f->page);
}

static void
open_again (Fixture *f)
{
    close_page (f);
    open_page (f);
}

/* @data: (nullable): entries of a tree that change the machine */
static void
set_up (Fixture *f, gconstpointer data)
{
    g_autoptr (GSettingsBackend) backend = g_memory_settings_backend_new ();

    f->tree = rf_test_tree_new ("laptop-8g");
    if (data != NULL)
        rf_test_tree_apply (f->tree, data);
    f->sampler = rf_sampler_new (rf_test_tree_sysroot (f->tree), 50, 4000);
    f->facts = rf_facts_read (rf_test_tree_sysroot (f->tree));
    f->settings = g_settings_new_with_backend ("io.github.ruckelfrei.Ruckelfrei", backend);
    open_page (f);
    wait_samples (f, 3);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    close_page (f);
    g_object_unref (f->settings);
    rf_facts_unref (f->facts);
    g_assert_finalize_object (f->sampler);
    rf_test_tree_free (f->tree);
}

static void
walk (GtkWidget *widget, GType type, GPtrArray *found)
{
    if (!gtk_widget_get_mapped (widget))
        return;
    if (g_type_is_a (G_OBJECT_TYPE (widget), type))
        g_ptr_array_add (found, widget);
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        walk (w, type, found);
}

/* What can be seen of a kind, in its order. */
static GPtrArray *
seen (GtkWidget *root, GType type)
{
    GPtrArray *found = g_ptr_array_new ();

    walk (root, type, found);
    return found;
}

static void
assert_cards (Fixture *f, const char *expected)
{
    g_autoptr (GPtrArray) cards = NULL;
    g_autoptr (GString) ids = g_string_new (NULL);

    settle (f->window);
    cards = seen (f->page, RF_TYPE_GRAPH_CARD);
    for (guint i = 0; i < cards->len; i++)
        g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", gtk_widget_get_name (cards->pdata[i]));
    g_assert_cmpstr (ids->str, ==, expected);
}

#define ALL "stalls free reclaim pressure dirty latency throughput swap cpu tlb"

static gboolean
sees (GtkWidget *root, const char *words)
{
    g_autoptr (GPtrArray) labels = seen (root, GTK_TYPE_LABEL);

    for (guint i = 0; i < labels->len; i++) {
        if (strstr (gtk_label_get_text (labels->pdata[i]), words) != NULL)
            return TRUE;
    }
    return FALSE;
}

static GtkWidget *
button (GtkWidget *root, const char *label)
{
    g_autoptr (GPtrArray) buttons = seen (root, GTK_TYPE_BUTTON);

    for (guint i = 0; i < buttons->len; i++) {
        const char *text = gtk_button_get_label (buttons->pdata[i]);

        if (text == NULL)
            text = gtk_widget_get_tooltip_text (buttons->pdata[i]);
        if (g_strcmp0 (text, label) == 0)
            return buttons->pdata[i];
    }
    g_error ("no button “%s”", label);
}

/* Presses a key where @widget itself listens for it; FALSE if it does not. */
static gboolean
press (GtkWidget *widget, guint keyval, GdkModifierType modifiers)
{
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

    for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
        g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

        if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
            continue;
        for (guint j = 0; j < g_list_model_get_n_items (G_LIST_MODEL (controller)); j++) {
            g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
            GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

            if (GTK_IS_KEYVAL_TRIGGER (trigger)
                && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == keyval
                && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers)
                return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                                     gtk_shortcut_get_arguments (shortcut));
        }
    }
    return FALSE;
}

/* With RF_PICTURES set to a folder, what is seen now is left there. */
static void
picture (GtkWidget *window, const char *name)
{
    g_autofree char *path = NULL;
    g_autoptr (GError) error = NULL;

    if (g_getenv ("RF_PICTURES") == NULL)
        return;
    settle (window);
    path = g_strdup_printf ("%s/monitor-%s.png", g_getenv ("RF_PICTURES"), name);
    rf_screenshot_save (GTK_WINDOW (window), path, &error);
    g_assert_no_error (error);
}

static void
test_range (Fixture *f, gconstpointer data)
{
    g_assert_true (sees (f->page, "Last 5 minutes"));
    g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button (f->page, "5 min"))));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button (f->page, "15 min")), TRUE);
    g_assert_true (sees (f->page, "Last 15 minutes"));
    g_assert_cmpuint (g_settings_get_uint (f->settings, "monitor-minutes"), ==, 15);
    g_assert_true (press (f->page, GDK_KEY_minus, GDK_CONTROL_MASK));
    g_assert_true (sees (f->page, "Last 60 minutes"));
    open_again (f);
    g_assert_true (sees (f->page, "Last 60 minutes"));
    g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button (f->page, "60 min"))));
    rf_monitor_page_zoom_in (RF_MONITOR_PAGE (f->page));
    g_assert_true (sees (f->page, "Last minute"));
    /* the shortest stays the shortest */
    g_assert_true (press (f->page, GDK_KEY_plus, GDK_CONTROL_MASK));
    g_assert_true (sees (f->page, "Last minute"));
}

#define PAGES_LATER 320000

static void
free_more_memory (Fixture *f)
{
    g_autofree char *vmstat = rf_test_tree_get (f->tree, "proc/vmstat");
    g_autoptr (GString) text = g_string_new (vmstat);

    g_assert_cmpuint (g_string_replace (text, "nr_free_pages 103011", "nr_free_pages " G_STRINGIFY (PAGES_LATER), 1), ==,
                      1);
    rf_test_tree_set (f->tree, "proc/vmstat", text->str);
}

/* What is seen stands still, recording does not. */
static void
test_pause (Fixture *f, gconstpointer data)
{
    const guint64 before = total (f);
    guint recorded = 0;

    g_assert_false (sees (f->page, "1.2 GiB"));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button (f->page, "_Pause")), TRUE);
    g_assert_true (sees (f->page, "Paused at "));
    picture (f->window, "paused");
    free_more_memory (f);
    wait_samples (f, 4);
    g_assert_cmpuint (total (f), >=, before + 4);
    g_assert_false (sees (f->page, "1.2 GiB"));
    /* another range is another look at the same moment */
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button (f->page, "1 min")), TRUE);
    g_assert_true (sees (f->page, "Paused at "));

    g_assert_true (press (f->page, GDK_KEY_p, GDK_CONTROL_MASK));
    g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button (f->page, "_Pause"))));
    /* words are renewed once a second */
    while (!sees (f->page, "1.2 GiB"))
        g_main_context_iteration (NULL, TRUE);
    g_assert_true (sees (f->page, "Last minute"));
    /* nothing is missing: each of the four looks of the pause has left its value */
    for (guint64 back = 0; back < total (f) - before; back++)
        recorded += rf_series_get (rf_sampler_get_series (f->sampler, RF_COLUMN_FREE), (guint)back) == PAGES_LATER * 4096.0;
    g_assert_cmpuint (recorded, >=, 4);
}

static void
test_compact (Fixture *f, gconstpointer data)
{
    g_autoptr (GPtrArray) labels = NULL;

    assert_cards (f, ALL);
    g_assert_true (press (f->page, GDK_KEY_m, GDK_CONTROL_MASK));
    assert_cards (f, "stalls latency cpu");
    g_assert_true (sees (f->page, "Memory: "));
    g_assert_true (g_settings_get_boolean (f->settings, "monitor-compact"));
    open_again (f);
    assert_cards (f, "stalls latency cpu");
    g_assert_true (sees (f->page, "Drives"));
    picture (f->window, "compact");
    /* a verdict in words, and no number beside it */
    labels = seen (f->page, GTK_TYPE_LABEL);
    for (guint i = 0; i < labels->len; i++)
        g_assert_false (gtk_widget_has_css_class (labels->pdata[i], "rf-value"));
    /* from there to one graph and back */
    g_assert_true (gtk_widget_activate_action (f->page, "monitor.open", "s", "latency"));
    assert_cards (f, "latency");
    g_assert_true (rf_monitor_page_go_back (RF_MONITOR_PAGE (f->page)));
    assert_cards (f, "stalls latency cpu");
    g_assert_true (gtk_widget_activate_action (f->page, "monitor.compact", NULL));
    assert_cards (f, ALL);
}

static void
test_full_size (Fixture *f, gconstpointer data)
{
    g_autoptr (GPtrArray) cards = seen (f->page, RF_TYPE_GRAPH_CARD);
    const int height = gtk_widget_get_height (cards->pdata[0]);

    g_assert_false (rf_monitor_page_go_back (RF_MONITOR_PAGE (f->page)));
    /* arrows are only for a graph in full size */
    g_assert_false (press (f->page, GDK_KEY_Down, 0));
    g_signal_emit_by_name (button (cards->pdata[0], "Full size: Programs waiting for memory"), "clicked");
    assert_cards (f, "stalls");
    g_assert_cmpint (gtk_widget_get_height (cards->pdata[0]), >, 2 * height);
    g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (f->window)));
    g_assert_true (press (f->page, GDK_KEY_Down, 0));
    assert_cards (f, "free");
    g_assert_true (press (f->page, GDK_KEY_Up, 0));
    g_assert_true (press (f->page, GDK_KEY_Up, 0));
    assert_cards (f, "tlb");
    picture (f->window, "full-size");
    wait_samples (f, 2);
    g_assert_true (rf_monitor_page_go_back (RF_MONITOR_PAGE (f->page)));
    assert_cards (f, ALL);
    g_assert_cmpint (gtk_widget_get_height (cards->pdata[0]), ==, height);
    /* the focus comes back to the graph that it was about */
    g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (f->window)), cards->pdata[9]));
}

static GtkWidget *
open_chooser (Fixture *f)
{
    g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

    g_assert_true (press (f->page, GDK_KEY_g, GDK_CONTROL_MASK));
    for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
        g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

        if (RF_IS_MONITOR_CHOOSER (window)) {
            while (!gtk_widget_get_mapped (window))
                g_main_context_iteration (NULL, TRUE);
            settle (window);
            return window;
        }
    }
    g_assert_not_reached ();
}

static GtkWidget *
row (GtkWidget *chooser, guint index)
{
    g_autoptr (GPtrArray) rows = seen (chooser, GTK_TYPE_LIST_BOX_ROW);

    return rows->pdata[index];
}

static GtkWidget *
check (GtkWidget *chooser, guint index)
{
    g_autoptr (GPtrArray) checks = seen (chooser, GTK_TYPE_CHECK_BUTTON);

    return checks->pdata[index];
}

static void
test_choose (Fixture *f, gconstpointer data)
{
    GtkWidget *chooser = open_chooser (f);

    g_assert_false (gtk_widget_is_sensitive (button (chooser, "_Reset")));
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check (chooser, 2)), FALSE);
    assert_cards (f, "stalls free pressure dirty latency throughput swap cpu tlb");
    picture (chooser, "chooser");
    /* groups that stand together have their headings */
    g_assert_true (sees (f->page, "Drives and swap"));
    g_signal_emit_by_name (button (chooser, "Move down: Programs waiting for memory"), "clicked");
    assert_cards (f, "free stalls pressure dirty latency throughput swap cpu tlb");
    g_assert_false (gtk_widget_is_sensitive (button (chooser, "Move up: Free memory")));
    g_assert_false (gtk_widget_is_sensitive (button (chooser, "Move down: TLB shootdowns")));

    /* by keyboard, and the focus goes along */
    gtk_widget_grab_focus (check (chooser, 9));
    g_assert_true (press (row (chooser, 9), GDK_KEY_Up, GDK_ALT_MASK));
    g_assert_true (press (row (chooser, 8), GDK_KEY_Up, GDK_ALT_MASK));
    assert_cards (f, "free stalls pressure dirty latency throughput tlb swap cpu");
    g_assert_true (gtk_window_get_focus (GTK_WINDOW (chooser)) == check (chooser, 7));
    g_assert_cmpstr (gtk_widget_get_name (row (chooser, 7)), ==, "tlb");
    /* the processor's group is torn apart now */
    g_assert_false (sees (f->page, "Drives and swap"));
    gtk_window_close (GTK_WINDOW (chooser));

    open_again (f);
    assert_cards (f, "free stalls pressure dirty latency throughput tlb swap cpu");
    chooser = open_chooser (f);
    g_signal_emit_by_name (button (chooser, "_Reset"), "clicked");
    assert_cards (f, ALL);
    g_assert_cmpstr (gtk_widget_get_name (row (chooser, 0)), ==, "stalls");
    for (guint i = 0; i < rf_monitor_cards_count (); i++)
        gtk_check_button_set_active (GTK_CHECK_BUTTON (check (chooser, i)), FALSE);
    assert_cards (f, "");
    g_assert_true (sees (f->page, "No graph is chosen."));
    picture (f->window, "none");
    g_assert_nonnull (button (f->page, "_Choose graphs…"));
    gtk_window_close (GTK_WINDOW (chooser));
}

typedef struct {
    GAsyncResult *result;
} Answer;

static void
answer_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    ((Answer *)data)->result = g_object_ref (result);
}

static GFile *
write_to (const char *path, GBytes *bytes, GError **error)
{
    g_autoptr (GFile) file = g_file_new_for_path (path);
    Answer answer = {NULL};
    g_autoptr (GAsyncResult) result = NULL;

    rf_monitor_save_write_async (file, bytes, answer_cb, &answer);
    while (answer.result == NULL)
        g_main_context_iteration (NULL, TRUE);
    result = answer.result;
    return rf_monitor_save_finish (result, error);
}

static void
test_save_writes (Fixture *f, gconstpointer data)
{
    g_autoptr (GDateTime) time = g_date_time_new_utc (2026, 11, 30, 22, 8, 5);
    g_autofree char *name = rf_monitor_save_name (time, "csv");
    g_autofree char *path = rf_test_tree_path (f->tree, name);
    g_autofree char *nowhere = rf_test_tree_path (f->tree, "no such folder/x.csv");
    g_autoptr (GBytes) bytes = g_bytes_new_static ("a,b\n", 4);
    g_autoptr (GBytes) longer = g_bytes_new_static ("a,b\n1,2\n", 8);
    g_autoptr (GError) error = NULL;
    g_autofree char *text = NULL;
    g_autoptr (GFile) first = write_to (path, longer, &error);
    g_autoptr (GFile) second = write_to (path, bytes, &error);
    g_autoptr (GFile) third = NULL;

    g_assert_cmpstr (name, ==, "ruckelfrei-monitor-2026-11-30-220805.csv");
    g_assert_no_error (error);
    g_assert_nonnull (first);
    g_assert_nonnull (second);
    text = rf_test_tree_get (f->tree, name);
    g_assert_cmpstr (text, ==, "a,b\n");
    third = write_to (nowhere, bytes, &error);
    g_assert_null (third);
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    g_assert_nonnull (strstr (error->message, "x.csv” could not be written: "));
}

/* A picture of all graphs, also of what lies below the edge of the window. */
/* The window closes while the question is open: it is answered, and holds nothing any more. */
static void
test_save_closed (Fixture *f, gconstpointer data)
{
    GtkWidget *parent = gtk_window_new ();
    g_autoptr (GAsyncResult) answer = NULL;
    g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);
    g_autoptr (GError) error = NULL;

    gtk_window_present (GTK_WINDOW (parent));
    rf_monitor_save_async (GTK_WINDOW (parent), "Save", "x.csv", bytes, answer_cb, &answer);
    while (!gtk_widget_get_mapped (parent))
        g_main_context_iteration (NULL, TRUE);
    g_assert_null (answer);
    gtk_window_destroy (GTK_WINDOW (parent));
    while (answer == NULL)
        g_main_context_iteration (NULL, TRUE);
    g_assert_null (rf_monitor_save_finish (answer, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_save_picture (Fixture *f, gconstpointer data)
{
    g_autoptr (GPtrArray) cards = seen (f->page, RF_TYPE_GRAPH_CARD);
    GtkWidget *board = gtk_widget_get_ancestor (cards->pdata[0], RF_TYPE_MONITOR_BOARD);
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = rf_screenshot_take (board, "Last 5 minutes", &error);
    g_autoptr (GdkTexture) texture = NULL;

    g_assert_no_error (error);
    texture = gdk_texture_new_from_bytes (bytes, &error);
    g_assert_no_error (error);
    g_assert_cmpint (gtk_widget_get_height (board), >, gtk_widget_get_height (f->page));
    g_assert_cmpint (gdk_texture_get_width (texture), ==, gtk_widget_get_width (board) + 48);
    g_assert_cmpint (gdk_texture_get_height (texture), >, gtk_widget_get_height (board) + 48);
    if (g_getenv ("RF_PICTURES") != NULL) {
        g_autofree char *path = g_build_filename (g_getenv ("RF_PICTURES"), "monitor-saved.png", NULL);

        g_assert_true (gdk_texture_save_to_png (texture, path));
    }
}

static void
test_no_swap (Fixture *f, gconstpointer data)
{
    g_assert_true (sees (f->page, "There is no swap on this computer."));
    g_assert_true (press (f->page, GDK_KEY_m, GDK_CONTROL_MASK));
    settle (f->window);
    g_assert_false (sees (f->page, "Drives and swap: "));
}

static void
test_no_drives (Fixture *f, gconstpointer data)
{
    g_assert_true (sees (f->page, rf_avail_text (RF_AVAIL_NO_DEVICE)));
    g_assert_true (press (f->page, GDK_KEY_m, GDK_CONTROL_MASK));
    settle (f->window);
    g_assert_true (sees (f->page, rf_avail_text (RF_AVAIL_NO_DEVICE)));
    /* and its full size has nothing else to show */
    g_assert_true (gtk_widget_activate_action (f->page, "monitor.open", "s", "throughput"));
    assert_cards (f, "throughput");
    g_assert_true (sees (f->page, rf_avail_text (RF_AVAIL_NO_DEVICE)));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;

    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
#define ADD(name, function, data) g_test_add ("/app/monitor/" name, Fixture, data, set_up, function, tear_down)
    ADD ("range", test_range, NULL);
    ADD ("pause", test_pause, NULL);
    ADD ("compact", test_compact, NULL);
    ADD ("full-size", test_full_size, NULL);
    ADD ("choose", test_choose, NULL);
    ADD ("save/writes", test_save_writes, NULL);
    ADD ("save/closed", test_save_closed, NULL);
    ADD ("save/picture", test_save_picture, NULL);
    ADD ("no-swap", test_no_swap,
         "== proc/meminfo\nMemTotal: 7906272 kB\nMemFree: 400000 kB\nMemAvailable: 4000000 kB\n"
         "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
    ADD ("no-drives", test_no_drives, "== proc/diskstats\n");
    return g_test_run ();
}
