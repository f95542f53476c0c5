/* The page of recordings in a window: list, one recording, zooming, two compared, names and trash. Needs a display. */
#include "config.h"

#include <gtk/gtk.h>
#include <math.h>
#include <string.h>

#include "rf-comparison-list.h"
#include "rf-recording-file.h"
#include "rf-recording-view.h"
#include "rf-recordings-page.h"
#include "rf-save-menu.h"
#include "rf-test-growth.h"
#include "rf-test-tree.h"
#include "rf-test-ui.h"
#include "rf-theme.h"

#define FIRST "20261130T180000Z"
#define SECOND "20261201T180000Z"
#define LONG "20261202T180000Z"
#define LONG_ROWS (8 * 3600 * 10)
#define MINUTES 12
#define NS_PER_S G_GINT64_CONSTANT (1000000000)
#define LONG_STALL_NS (9470000)

/* One a second; stalls in every third minute, @stalls a second. */
static void
write_recording (const char *folder, const char *name, float stalls)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    g_autoptr (GError) error = NULL;
    RfTable *samples = rf_recording_add_table (recording, rf_table_new ("samples"));

    rf_recording_set (&recording->name, name);
    rf_recording_set (&recording->source, "helper");
    rf_recording_set (&recording->workload, "flight");
    recording->anchor_monotonic_ns = NS_PER_S;
    recording->anchor_wall_us = G_GINT64_CONSTANT (1796061600) * G_USEC_PER_SEC;
    rf_table_add_column (samples, "interval_s");
    rf_table_add_column (samples, "allocstalls_per_s");
    rf_table_add_column (samples, "free_bytes");
    for (guint i = 0; i < MINUTES * 60; i++) {
        const gboolean bad = i / 60 % 3 == 2;
        const float values[] = {1, bad ? stalls : 0, 2e9f + (float)g_rand_double_range (random, -1e8, 1e8)};
        RfEvent event = {
            .time_ns = NS_PER_S * (gint64)(i + 1),
            .duration_ns = i == 150 ? LONG_STALL_NS : 1000000,
            .kind = RF_EVENT_RECLAIM,
            .process = "Main Thread",
            .subject = "order 0",
        };

        g_assert_true (rf_table_append (samples, NS_PER_S * (gint64)(i + 1), values));
        if (bad)
            g_array_append_val (recording->events, event);
    }
    g_assert_true (rf_recording_save (recording, folder, &error));
    g_assert_no_error (error);
}

/* Eight hours, ten samples a second. */
static void
write_long (const char *folder)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    g_autoptr (GError) error = NULL;
    RfTable *samples = rf_recording_add_table (recording, rf_table_new ("samples"));

    rf_recording_set (&recording->name, "A long night");
    rf_table_add_column (samples, "interval_s");
    rf_table_add_column (samples, "allocstalls_per_s");
    rf_table_add_column (samples, "free_bytes");
    for (guint i = 0; i < LONG_ROWS; i++) {
        const float values[] = {0.1f, i * 7919 % 100 == 0 ? 10 : 0, 2e9f + (float)(i * 7919 % 1000) * 1e5f};
        const RfEvent event = {.time_ns = NS_PER_S / 10 * (i + 1), .duration_ns = 1000000, .kind = RF_EVENT_RECLAIM};

        g_assert_true (rf_table_append (samples, event.time_ns, values));
        if (i % 100 == 0)
            g_array_append_val (recording->events, event);
    }
    g_assert_true (rf_recording_save (recording, folder, &error));
    g_assert_no_error (error);
}

typedef struct {
    RfTestTree *tree;
    char *folder;
    GtkWidget *page;
    GtkWidget *window;
} Fixture;

static void
show (Fixture *f)
{
    f->page = rf_recordings_page_new (f->folder);
    f->window = gtk_window_new ();
    gtk_window_set_default_size (GTK_WINDOW (f->window), 900, 800);
    gtk_window_set_child (GTK_WINDOW (f->window), f->page);
    gtk_window_present (GTK_WINDOW (f->window));
}

static void
setup (Fixture *f, gconstpointer data)
{
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    f->tree = rf_test_tree_new (NULL);
    rf_test_tree_mkdir (f->tree, "sessions");
    f->folder = rf_test_tree_path (f->tree, "sessions");
    first = g_build_filename (f->folder, FIRST, NULL);
    second = g_build_filename (f->folder, SECOND, NULL);
    if (data == NULL) {
        write_recording (first, "Evening flight", 100);
        write_recording (second, "The same again", 100);
    }
    show (f);
}

static void
teardown (Fixture *f, gconstpointer data)
{
    gtk_window_destroy (GTK_WINDOW (f->window));
    rf_test_settle (50);
    g_free (f->folder);
    rf_test_tree_free (f->tree);
}

/* Reading is a thread's, which takes as long as it takes. */
static void
wait_for_words (Fixture *f, const char *words)
{
    while (!rf_test_sees (f->window, words))
        g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_type (Fixture *f, GType type)
{
    while (rf_test_find (f->window, type, NULL) == NULL)
        g_main_context_iteration (NULL, TRUE);
}

static void
test_empty (Fixture *f, gconstpointer data)
{
    wait_for_words (f, "Nothing has been recorded yet");
}

static void
test_list (Fixture *f, gconstpointer data)
{
    wait_for_words (f, "Evening flight");
    g_assert_true (rf_test_sees (f->window, "The same again"));
    g_assert_false (rf_test_sees (f->window, "Nothing has been recorded yet"));
    /* under an hour is said to be short */
    g_assert_true (rf_test_sees (f->window, "short"));
}

static void
test_one (Fixture *f, gconstpointer data)
{
    RfRecordingView *view = NULL;
    gint64 start, end;

    wait_for_words (f, "Evening flight");
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), FIRST);
    wait_for_type (f, RF_TYPE_RECORDING_VIEW);
    view = RF_RECORDING_VIEW (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
    g_assert_true (rf_test_sees (f->window, "Programs cleared memory themselves: 240, the longest 9.5 ms"));
    g_assert_true (rf_test_sees (f->window, "Programs waiting for memory"));
    /* the longest wait leads to where it was, and counts follow what is seen */
    rf_stretch_set (rf_recording_view_get_stretch (view), NS_PER_S * 150, NS_PER_S * 152);
    g_assert_true (rf_test_sees (f->window, "Programs cleared memory themselves: 2, the longest 9.5 ms"));
    gtk_widget_activate_action (GTK_WIDGET (view), "recording.whole", NULL);
    g_assert_true (rf_stretch_is_whole (rf_recording_view_get_stretch (view)));
    gtk_widget_activate_action (GTK_WIDGET (view), "recording.zoom-in", NULL);
    rf_stretch_get (rf_recording_view_get_stretch (view), &start, &end);
    g_assert_cmpint ((end - start) / NS_PER_S, ==, MINUTES * 30 - 1);
    gtk_widget_activate_action (GTK_WIDGET (view), "recording.later", NULL);
    gtk_widget_activate_action (GTK_WIDGET (view), "recording.later", NULL);
    rf_stretch_get (rf_recording_view_get_stretch (view), &start, &end);
    /* the last wait begins with the last sample and takes a millisecond */
    g_assert_cmpint (end, ==, NS_PER_S * MINUTES * 60 + 1000000);
    rf_test_click (f->window, "All recordings");
    wait_for_words (f, "The same again");
    g_assert_null (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
    g_assert_false (rf_recordings_page_back (RF_RECORDINGS_PAGE (f->page)));
}

static void
test_two (Fixture *f, gconstpointer data)
{
    wait_for_words (f, "Evening flight");
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), SECOND);
    wait_for_type (f, RF_TYPE_RECORDING_VIEW);
    rf_test_click (f->window, "Compare with");
    g_assert_true (rf_test_sees (f->window, "Compare “The same again” with…"));
    /* back from choosing is the recording again */
    g_assert_true (rf_recordings_page_back (RF_RECORDINGS_PAGE (f->page)));
    g_assert_nonnull (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
    rf_recordings_page_compare (RF_RECORDINGS_PAGE (f->page), FIRST, SECOND);
    wait_for_type (f, RF_TYPE_COMPARISON_LIST);
    /* what has the same numbers is not called different */
    g_assert_true (rf_test_sees (f->window, "no measurable difference"));
    g_assert_false (rf_test_sees (f->window, "better"));
    g_assert_nonnull (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GError) error = NULL;

    *(char **)data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);
    g_assert_no_error (error);
}

/* Returns: (transfer full): what is in the clipboard when the menu has done its work */
static char *
copy (Fixture *f)
{
    GtkWidget *menu = rf_test_find (f->window, RF_TYPE_SAVE_MENU, NULL);
    char *text = NULL;

    g_assert_nonnull (menu);
    gtk_widget_activate_action (menu, "report.copy", NULL);
    g_assert_true (rf_save_menu_is_busy (RF_SAVE_MENU (menu)));
    while (rf_save_menu_is_busy (RF_SAVE_MENU (menu)))
        g_main_context_iteration (NULL, TRUE);
    wait_for_words (f, "Copied as Markdown");
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (menu), NULL, text_cb, &text);
    while (text == NULL)
        g_main_context_iteration (NULL, TRUE);
    return text;
}

static void
test_save (Fixture *f, gconstpointer data)
{
    GtkWidget *menu = NULL;
    g_autofree char *one = NULL;
    g_autofree char *two = NULL;

    wait_for_words (f, "Evening flight");
    g_assert_null (rf_test_find (f->window, RF_TYPE_SAVE_MENU, NULL));
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), FIRST);
    wait_for_type (f, RF_TYPE_RECORDING_VIEW);
    one = copy (f);
    g_assert_nonnull (strstr (one, "| Name | Evening flight |"));
    g_assert_nonnull (strstr (one, "| Programs cleared memory themselves | 240 | 9.5 ms |"));
    rf_recordings_page_compare (RF_RECORDINGS_PAGE (f->page), FIRST, SECOND);
    wait_for_type (f, RF_TYPE_COMPARISON_LIST);
    two = copy (f);
    g_assert_nonnull (strstr (two, "| before | Evening flight | flight |"));
    g_assert_nonnull (strstr (two, "| after | The same again | flight |"));

    /* who cancels has nothing made for him, and can begin anew */
    menu = rf_test_find (f->window, RF_TYPE_SAVE_MENU, NULL);
    gtk_widget_activate_action (menu, "report.html", NULL);
    gtk_widget_activate_action (menu, "report.cancel", NULL);
    while (rf_save_menu_is_busy (RF_SAVE_MENU (menu)))
        g_main_context_iteration (NULL, TRUE);
    rf_test_settle (50);
    g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, 1);

    /* what is being made when the page goes elsewhere is of no use */
    gtk_widget_activate_action (menu, "report.pdf", NULL);
    rf_test_click (f->window, "All recordings");
    g_assert_null (rf_test_find (f->window, RF_TYPE_SAVE_MENU, NULL));
    rf_test_settle (50);
    g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, 1);
}

/* 1,000 steps through eight hours: what a step has needed is free again. */
static void
test_steps (Fixture *f, gconstpointer data)
{
    static const char *const steps[] = {"recording.zoom-in", "recording.later", "recording.zoom-in", "recording.earlier",
                                        "recording.zoom-out"};
    RfTestFootprint first = {0}, last = {0};
    g_autofree char *folder = g_build_filename (f->folder, LONG, NULL);
    GtkWidget *view = NULL;
    guint moved = 0;

    wait_for_words (f, "Evening flight");
    write_long (folder);
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), LONG);
    wait_for_type (f, RF_TYPE_RECORDING_VIEW);
    view = rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL);
    for (guint i = 0; i < 1000; i++) {
        GdkFrameClock *clock = gtk_widget_get_frame_clock (f->window);
        gint64 start, end, start_now, end_now;

        rf_stretch_get (rf_recording_view_get_stretch (RF_RECORDING_VIEW (view)), &start, &end);
        gtk_widget_activate_action (view, i % 50 == 49 ? "recording.whole" : steps[i % G_N_ELEMENTS (steps)], NULL);
        rf_stretch_get (rf_recording_view_get_stretch (RF_RECORDING_VIEW (view)), &start_now, &end_now);
        moved += start != start_now || end != end_now;
        if (i % 10 == 0) {
            const gint64 frame = gdk_frame_clock_get_frame_counter (clock);

            gtk_widget_queue_draw (f->window);
            while (gdk_frame_clock_get_frame_counter (clock) <= frame)
                g_main_context_iteration (NULL, TRUE);
        }
        if (i == 299)
            rf_test_footprint_read ("self", &first);
    }
    rf_test_footprint_read ("self", &last);
    rf_test_footprint_print ("after 300 steps", &first);
    rf_test_footprint_print ("after 1000 steps", &last);
    g_assert_cmpuint (moved, >, 900);
    /* nothing grows in 700 steps; 2 KiB that one leaves behind would show */
    rf_test_footprint_assert_steady (&first, &last, 1024);
}

static void
test_gone (Fixture *f, gconstpointer data)
{
    wait_for_words (f, "Evening flight");
    rf_test_tree_remove (f->tree, "sessions/" FIRST "/session.ini");
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), FIRST);
    wait_for_words (f, "The same again");
    g_assert_null (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
    /* what is no id does nothing */
    rf_recordings_page_open (RF_RECORDINGS_PAGE (f->page), "../../etc");
    g_assert_null (rf_test_find (f->window, RF_TYPE_RECORDING_VIEW, NULL));
}

int
main (int argc, char **argv)
{
    static int none = 1;
    RfTheme *theme = NULL;
    int status;

    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_test_add ("/recordings-page/empty", Fixture, &none, setup, test_empty, teardown);
    g_test_add ("/recordings-page/list", Fixture, NULL, setup, test_list, teardown);
    g_test_add ("/recordings-page/one", Fixture, NULL, setup, test_one, teardown);
    g_test_add ("/recordings-page/two", Fixture, NULL, setup, test_two, teardown);
    g_test_add ("/recordings-page/save", Fixture, NULL, setup, test_save, teardown);
    g_test_add ("/recordings-page/gone", Fixture, NULL, setup, test_gone, teardown);
    if (g_test_slow ())
        g_test_add ("/bench/recording-steps", Fixture, NULL, setup, test_steps, teardown);
    status = g_test_run ();
    g_object_unref (theme);
    return status;
}
