/* Needs a display, no accessibility bus: GTK_A11Y=test keeps the accessible tree in the process. */
#include "config.h"

#include <gtk/gtk.h>
#include <math.h>
#include <string.h>

#include "rf-clamp.h"
#include "rf-columns.h"
#include "rf-evidence.h"
#include "rf-fold.h"
#include "rf-graph-card.h"
#include "rf-monitor-cards.h"
#include "rf-monitor-page.h"
#include "rf-overview-page.h"
#include "rf-pill.h"
#include "rf-row.h"
#include "rf-split.h"
#include "rf-test-tree.h"
#include "rf-theme.h"

static int
measure (GtkWidget *widget, GtkOrientation orientation, int for_size)
{
    int minimum = -1;

    gtk_widget_measure (widget, orientation, for_size, &minimum, NULL, NULL, NULL);
    return minimum;
}

static void
wait_until_mapped (GtkWidget *widget)
{
    while (!gtk_widget_get_mapped (widget))
        g_main_context_iteration (NULL, TRUE);
}

static void
settle (GtkWidget *window)
{
    /* two frames: the first lays out, the second shows what that changed */
    for (guint i = 0; i < 2; i++) {
        GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
        const gint64 frame = gdk_frame_clock_get_frame_counter (clock);

        gtk_widget_queue_draw (window);
        while (gdk_frame_clock_get_frame_counter (clock) <= frame)
            g_main_context_iteration (NULL, TRUE);
    }
    while (g_main_context_iteration (NULL, FALSE))
        ;
}

static guint
count_widgets (GtkWidget *widget, GType type)
{
    guint count = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? 1 : 0;

    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w))
        count += count_widgets (w, type);
    return count;
}

static void
test_graph_accessible (void)
{
    g_autoptr (RfSeries) series = rf_series_new (100);
    GtkWidget *graph = g_object_ref_sink (rf_graph_new ("Free memory", RF_MEASURE_BYTES));

    rf_graph_add_line (RF_GRAPH (graph), series, NULL);
    rf_graph_set_summary (RF_GRAPH (graph), "1.4 GiB");
    gtk_test_accessible_assert_role (graph, GTK_ACCESSIBLE_ROLE_IMG);
    gtk_test_accessible_assert_property (graph, GTK_ACCESSIBLE_PROPERTY_LABEL, "Free memory");
    gtk_test_accessible_assert_property (graph, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "1.4 GiB");
    g_assert_finalize_object (graph);
    /* the graph kept a reference and has given it back */
    g_assert_cmpuint (G_OBJECT (series)->ref_count, ==, 1);
}

static void
test_graph_draws (void)
{
    g_autoptr (RfSeries) series = rf_series_new (100);
    GtkWidget *window = gtk_window_new ();
    GtkWidget *graph = rf_graph_new ("Free memory", RF_MEASURE_BYTES);
    GtkSnapshot *snapshot = gtk_snapshot_new ();
    GskRenderNode *node = NULL;
    g_autoptr (GdkPaintable) paintable = NULL;
    graphene_rect_t bounds;

    for (guint i = 0; i < 40; i++)
        rf_series_push (series, 1e9 + i * 1e7);
    rf_graph_add_line (RF_GRAPH (graph), series, "free");
    rf_graph_set_threshold (RF_GRAPH (graph), 0, RF_THRESHOLD_WARNING, 5e8, "low: kernel starts clearing");
    rf_graph_set_threshold (RF_GRAPH (graph), 1, RF_THRESHOLD_DANGER, 4e8, "min: programs wait");
    rf_graph_mark (RF_GRAPH (graph), "applied");
    gtk_window_set_child (GTK_WINDOW (window), graph);
    gtk_window_set_default_size (GTK_WINDOW (window), 300, 120);
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (graph);
    settle (window);

    paintable = gtk_widget_paintable_new (graph);
    gdk_paintable_snapshot (paintable, snapshot, 300, 120);
    node = gtk_snapshot_free_to_node (snapshot);
    g_assert_nonnull (node);
    gsk_render_node_get_bounds (node, &bounds);
    g_assert_cmpfloat (bounds.size.width, >=, 200);
    gsk_render_node_unref (node);
    gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
press (GtkWidget *widget, guint key)
{
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
    gboolean handled = FALSE;

    for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
        g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

        if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
            g_signal_emit_by_name (controller, "key-pressed", key, 0u, 0, &handled);
    }
    return handled;
}

static void
point (GtkWidget *widget, const char *signal, double x)
{
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

    for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
        g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

        if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
            g_signal_emit_by_name (controller, signal, x, 10.0);
    }
}

/* Keys and pointer move the one cursor of all graphs, and what stands there is said. */
static void
test_graph_cursor (void)
{
    static const struct {
        guint key;
        guint64 number;
    } keys[] = {
        {GDK_KEY_Left, 399}, {GDK_KEY_Page_Up, 369}, {GDK_KEY_Right, 370},
        {GDK_KEY_Home, 101}, {GDK_KEY_End, 400},     {GDK_KEY_Page_Down, 400},
    };
    g_autoptr (RfSeries) series = rf_series_new (1000);
    g_autoptr (RfTimeline) timeline = rf_timeline_new (1000);
    GtkWidget *window = gtk_window_new ();
    GtkWidget *graph = rf_graph_new ("Free memory", RF_MEASURE_BYTES);
    guint64 number = 0;

    for (guint i = 0; i <= 400; i++)
        rf_series_push (series, i * 1024.0);
    rf_graph_add_line (RF_GRAPH (graph), series, NULL);
    rf_graph_set_summary (RF_GRAPH (graph), "calm");
    g_assert_false (gtk_widget_get_focusable (graph));
    rf_graph_set_timeline (RF_GRAPH (graph), timeline);
    g_assert_true (gtk_widget_get_focusable (graph));
    gtk_window_set_child (GTK_WINDOW (window), graph);
    gtk_window_set_default_size (GTK_WINDOW (window), 300, 120);
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (graph);
    settle (window);
    gtk_widget_grab_focus (graph);

    for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
        g_assert_true (press (graph, keys[i].key));
        g_assert_true (rf_timeline_get_cursor (timeline, &number));
        g_assert_cmpuint (number, ==, keys[i].number);
    }
    press (graph, GDK_KEY_Page_Up);
    gtk_test_accessible_assert_property (graph, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "30 s ago, 370 KiB");
    g_assert_true (press (graph, GDK_KEY_Escape));
    g_assert_false (rf_timeline_get_cursor (timeline, NULL));
    gtk_test_accessible_assert_property (graph, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "calm");
    g_assert_false (press (graph, GDK_KEY_Escape));
    g_assert_false (press (graph, GDK_KEY_a));

    point (graph, "motion", gtk_widget_get_width (graph) / 2.0);
    g_assert_true (rf_timeline_get_cursor (timeline, &number));
    g_assert_cmpuint (number, >, 240);
    g_assert_cmpuint (number, <, 260);
    /* time goes on below it */
    for (guint i = 0; i < 50; i++)
        rf_series_push (series, 0);
    rf_graph_refresh (RF_GRAPH (graph));
    g_assert_true (rf_timeline_get_cursor (timeline, &number));
    g_assert_cmpuint (number, >, 290);
    point (graph, "leave", 0);
    g_assert_false (rf_timeline_get_cursor (timeline, NULL));

    /* right-to-left: what lies on the left is later */
    gtk_widget_set_direction (graph, GTK_TEXT_DIR_RTL);
    settle (window);
    press (graph, GDK_KEY_Home);
    press (graph, GDK_KEY_Left);
    g_assert_true (rf_timeline_get_cursor (timeline, &number));
    g_assert_cmpuint (number, ==, 152);
    gtk_window_destroy (GTK_WINDOW (window));
    g_assert_cmpuint (G_OBJECT (timeline)->ref_count, ==, 1);
}

static int
minimum_of (GtkWidget *widget, GtkOrientation orientation, int for_size)
{
    int minimum = 0;

    gtk_widget_measure (widget, orientation, for_size, &minimum, NULL, NULL, NULL);
    return minimum;
}

/* What boxes rely on: no width leads to less than the least height, and the width for a height leads to that height. */
static void
test_fold (void)
{
    static const int fold_widths[] = {RF_FOLD_NEVER, 0, 280, 560};

    for (guint i = 0; i < G_N_ELEMENTS (fold_widths); i++) {
        GtkWidget *fold = g_object_ref_sink (rf_fold_new (fold_widths[i], 10));
        GtkWidget *words = gtk_label_new ("Some words that stand beside the button, where there is room");
        const int least = 16;

        gtk_label_set_wrap (GTK_LABEL (words), TRUE);
        gtk_widget_set_hexpand (words, TRUE);
        rf_fold_append (RF_FOLD (fold), words);
        rf_fold_append (RF_FOLD (fold), gtk_button_new_with_label ("Adjust…"));
        g_assert_cmpint (minimum_of (fold, GTK_ORIENTATION_VERTICAL, -1), >, least);
        for (int width = minimum_of (fold, GTK_ORIENTATION_HORIZONTAL, -1); width < 1500; width += 7) {
            const int height = minimum_of (fold, GTK_ORIENTATION_VERTICAL, width);
            int wanted = 0;

            g_assert_cmpint (minimum_of (fold, GTK_ORIENTATION_VERTICAL, -1), <=, height);
            wanted = minimum_of (fold, GTK_ORIENTATION_HORIZONTAL, height);
            /* asked of us by GTK 4.18; what older boxes made of the answer was wider than their window */
            if (gtk_get_minor_version () >= 16)
                g_assert_cmpint (minimum_of (fold, GTK_ORIENTATION_VERTICAL, wanted), <=, height);
            else
                g_assert_cmpint (wanted, ==, minimum_of (fold, GTK_ORIENTATION_HORIZONTAL, -1));
        }
        g_object_unref (fold);
    }
}

/* What stands at the cursor needs room with large text, too. */
static void
test_graph_large_text (void)
{
    GtkSettings *settings = gtk_settings_get_default ();
    GtkWidget *window = gtk_window_new ();
    GtkWidget *graph = rf_graph_new ("Free memory", RF_MEASURE_BYTES);
    int dpi, usual;

    gtk_window_set_child (GTK_WINDOW (window), graph);
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (graph);
    g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
    g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
    settle (window);
    usual = measure (graph, GTK_ORIENTATION_VERTICAL, 300);
    g_object_set (settings, "gtk-xft-dpi", 3 * 96 * 1024, NULL);
    settle (window);
    g_assert_cmpint (measure (graph, GTK_ORIENTATION_VERTICAL, 300), >, usual);
    g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
    gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_card (void)
{
    g_autoptr (RfSeries) series = rf_series_new (10);
    g_autoptr (RfSeries) other = rf_series_new (10);
    GtkWidget *card = g_object_ref_sink (rf_graph_card_new ("Swap traffic", "What it tells.", RF_MEASURE_COUNT));
    RfGraphCard *self = RF_GRAPH_CARD (card);

    rf_series_push (series, 8);
    rf_series_push (series, 3);
    rf_series_push (other, NAN);
    rf_series_push (other, 1);
    rf_graph_card_add_line (self, series, "in");
    rf_graph_card_add_line (self, other, "out");
    rf_graph_card_set_value (self, "none");
    rf_graph_card_set_line_value (self, 0, "1");
    rf_graph_card_set_line_value (self, 1, "2");
    rf_graph_card_refresh (self);
    rf_graph_card_refresh (self);
    gtk_test_accessible_assert_property (GTK_WIDGET (rf_graph_card_get_graph (self)),
                                         GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                         "in: 3 now, highest 8 lately; out: 1 now, highest 1 lately");
    rf_graph_card_set_unavailable (self, "not available: off");
    g_assert_false (gtk_widget_get_child_visible (GTK_WIDGET (rf_graph_card_get_graph (self))));
    rf_graph_card_set_unavailable (self, NULL);
    g_assert_true (gtk_widget_get_child_visible (GTK_WIDGET (rf_graph_card_get_graph (self))));
    rf_graph_card_clear_lines (self);
    rf_graph_card_add_line (self, series, NULL);
    g_assert_finalize_object (card);
}

static void
test_small_pieces (void)
{
    GtkWidget *pill = g_object_ref_sink (rf_pill_new (RF_PILL_WARNING, "slow at times"));
    GtkWidget *row = g_object_ref_sink (rf_row_new ("This machine", "32 GiB memory"));
    GtkWidget *clamp = g_object_ref_sink (rf_clamp_new (100, gtk_label_new ("x")));

    gtk_test_accessible_assert_property (pill, GTK_ACCESSIBLE_PROPERTY_LABEL, "slow at times");
    g_assert_true (gtk_widget_has_css_class (pill, "warning"));
    rf_pill_set (RF_PILL (pill), RF_PILL_GOOD, "calm");
    g_assert_true (gtk_widget_has_css_class (pill, "good"));
    g_assert_false (gtk_widget_has_css_class (pill, "warning"));
    g_assert_false (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (row)));
    rf_row_set_leads (RF_ROW (row), TRUE);
    g_assert_true (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (row)));
    g_assert_finalize_object (pill);
    g_assert_finalize_object (row);
    g_assert_finalize_object (clamp);
}

static void
test_columns (void)
{
    static const struct {
        int width;
        int rows;
    } cases[] = {{100, 4}, {209, 4}, {210, 2}, {319, 2}, {320, 2}, {900, 2}};
    GtkWidget *columns = g_object_ref_sink (rf_columns_new (100, 2, 10));

    for (guint i = 0; i < 4; i++) {
        GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

        gtk_widget_set_size_request (box, 50, i == 1 ? 60 : 40);
        rf_columns_append (RF_COLUMNS (columns), box);
    }
    g_assert_cmpint (measure (columns, GTK_ORIENTATION_HORIZONTAL, -1), ==, 50);
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpint (measure (columns, GTK_ORIENTATION_VERTICAL, cases[i].width), ==,
                         cases[i].rows * 40 + 20 + (cases[i].rows - 1) * 10);
    /* a child that needs more than the column width makes the columns fewer, it is never squeezed */
    gtk_widget_set_size_request (gtk_widget_get_first_child (columns), 160, 40);
    g_assert_cmpint (measure (columns, GTK_ORIENTATION_HORIZONTAL, -1), ==, 160);
    g_assert_cmpint (measure (columns, GTK_ORIENTATION_VERTICAL, 329), ==, 4 * 40 + 20 + 3 * 10);
    g_assert_cmpint (measure (columns, GTK_ORIENTATION_VERTICAL, 330), ==, 2 * 40 + 20 + 10);
    g_assert_finalize_object (columns);
}

/* Ten graphs that live, nothing wider than a phone, the sampler asleep when nobody looks, and nothing left behind. */
static void
test_pages (gconstpointer data)
{
    const gboolean overview = data != NULL;
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("desktop-94g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 50, 100);
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    RfClient *client = rf_client_new (NULL);
    g_autoptr (RfChecker) look = rf_checker_new (rf_test_tree_sysroot (tree));
    GtkWidget *page = overview ? rf_overview_page_new (sampler, facts, client, look)
                               : rf_monitor_page_new (sampler, facts, NULL);
    GtkWidget *window = gtk_window_new ();
    RfSeries *free_memory = rf_sampler_get_series (sampler, RF_COLUMN_FREE);

    g_object_ref_sink (page);
    if (!overview)
        g_assert_cmpuint (rf_monitor_cards_count (), >=, 8);
    g_assert_cmpuint (count_widgets (page, RF_TYPE_GRAPH), ==,
                      overview ? 3 : rf_monitor_cards_count () + RF_N_MONITOR_GROUPS);
    g_assert_cmpint (measure (page, GTK_ORIENTATION_HORIZONTAL, -1), <=, 360);
    g_assert_cmpuint (rf_series_total (free_memory), ==, 0);

    gtk_window_set_child (GTK_WINDOW (window), page);
    gtk_window_set_default_size (GTK_WINDOW (window), 360, 600);
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (page);
    while (rf_series_total (free_memory) < 4)
        g_main_context_iteration (NULL, TRUE);
    settle (window);
    g_assert_cmpint (measure (page, GTK_ORIENTATION_HORIZONTAL, -1), <=, 360);

    gtk_window_set_child (GTK_WINDOW (window), NULL);
    gtk_window_destroy (GTK_WINDOW (window));
    g_assert_finalize_object (page);
    g_assert_finalize_object (client);
    /* the page held it while it was seen; now nobody does, and no timer keeps it */
    g_assert_finalize_object (sampler);
}

static void
test_theme (void)
{
    static const struct {
        RfThemeChoice choice;
        guint portal;
        gboolean prefer_dark;
        const char *name;
        gboolean dark;
    } cases[] = {
        {RF_THEME_FOLLOW, 0, FALSE, "Adwaita", FALSE},      {RF_THEME_FOLLOW, 0, TRUE, "Adwaita", TRUE},
        {RF_THEME_FOLLOW, 1, FALSE, "Adwaita", TRUE},       {RF_THEME_FOLLOW, 2, TRUE, "Adwaita-dark", FALSE},
        {RF_THEME_FOLLOW, 7, FALSE, "Adwaita", FALSE},      {RF_THEME_FOLLOW, 0, FALSE, "Adwaita-dark", TRUE},
        {RF_THEME_FOLLOW, 0, FALSE, "Adwaita:dark", TRUE},  {RF_THEME_FOLLOW, 0, FALSE, "HighContrastInverse", TRUE},
        {RF_THEME_FOLLOW, 0, FALSE, "HighContrast", FALSE}, {RF_THEME_FOLLOW, 0, FALSE, NULL, FALSE},
        {RF_THEME_DARK, 2, FALSE, "Adwaita", TRUE},         {RF_THEME_LIGHT, 1, TRUE, "Adwaita-dark", FALSE},
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpint (rf_theme_decide_dark (cases[i].choice, cases[i].portal, cases[i].prefer_dark, cases[i].name),
                         ==, cases[i].dark);
    g_assert_true (rf_theme_name_is_contrast ("HighContrast"));
    g_assert_true (rf_theme_name_is_contrast ("HighContrastInverse"));
    g_assert_true (rf_theme_name_is_contrast ("Adwaita:hc"));
    g_assert_true (rf_theme_name_is_contrast ("Default-hc-dark"));
    g_assert_false (rf_theme_name_is_contrast ("Adwaita-dark"));
    g_assert_false (rf_theme_name_is_contrast (NULL));
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    ++*count;
}

static void
wait_for_samples (RfSampler *sampler, guint wanted)
{
    guint count = 0;
    const gulong handler = g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &count);

    while (count < wanted)
        g_main_context_iteration (NULL, TRUE);
    g_signal_handler_disconnect (sampler, handler);
}

/* While nobody looked one drive has gone and another has come: as many as before, but not the same. */
static void
test_evidence_drives (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 5, 10);
    RfFacts *facts = rf_facts_read (rf_test_tree_sysroot (tree));
    g_autofree char *diskstats = rf_test_tree_get (tree, "proc/diskstats");
    g_autofree char *with_sda = g_strdup_printf ("%s   8 0 sda 10 0 80 5 10 0 80 5 0 10 10\n", diskstats);
    g_autofree char *with_sdb = g_strdup_printf ("%s   8 16 sdb 10 0 80 5 10 0 80 5 0 10 10\n", diskstats);
    GtkWidget *window = gtk_window_new ();
    RfSeries *gone = NULL;

    rf_sampler_hold (sampler);
    rf_test_tree_mkdir (tree, "sys/block/sda");
    rf_test_tree_set (tree, "proc/diskstats", with_sda);
    wait_for_samples (sampler, 3);
    gone = rf_sampler_get_disk_series (sampler, "sda", RF_DISK_COLUMN_WRITE_LATENCY);
    g_assert_nonnull (gone);
    g_object_add_weak_pointer (G_OBJECT (gone), (gpointer *)&gone);
    gtk_window_set_child (GTK_WINDOW (window), rf_evidence_new (sampler, facts, 1));
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (gtk_window_get_child (GTK_WINDOW (window)));
    gtk_widget_set_visible (window, FALSE);
    rf_test_tree_remove (tree, "sys/block/sda");
    rf_test_tree_mkdir (tree, "sys/block/sdb");
    rf_test_tree_set (tree, "proc/diskstats", with_sdb);
    wait_for_samples (sampler, 15);
    g_assert_null (rf_sampler_get_disk_series (sampler, "sda", RF_DISK_COLUMN_WRITE_LATENCY));
    g_assert_nonnull (gone); /* the graph still has it */
    gtk_window_present (GTK_WINDOW (window));
    wait_until_mapped (gtk_window_get_child (GTK_WINDOW (window)));
    g_assert_null (gone);
    gtk_window_destroy (GTK_WINDOW (window));
    rf_sampler_release (sampler);
    rf_facts_unref (facts);
    g_object_unref (sampler);
}

/* Every palette defines the same colours, else a rule would lose its colour in one of them. */
static void
test_palettes (void)
{
    static const char *const files[] = {"light", "dark", "hc-light", "hc-dark"};
    g_autofree char *expected = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *path = g_strdup_printf ("/io/github/ruckelfrei/Ruckelfrei/palette-%s.css", files[i]);
        g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
        g_auto (GStrv) lines = NULL;
        g_autoptr (GString) names = g_string_new (NULL);

        g_assert_nonnull (bytes);
        lines = g_strsplit (g_bytes_get_data (bytes, NULL), "\n", -1);
        for (guint line = 0; lines[line] != NULL; line++) {
            g_auto (GStrv) words = g_strsplit (lines[line], " ", 3);

            if (g_strcmp0 (words[0], "@define-color") == 0)
                g_string_append_printf (names, "%s\n", words[1]);
        }
        if (expected == NULL)
            expected = g_strdup (names->str);
        g_assert_cmpstr (names->str, ==, expected);
    }
    g_assert_nonnull (strstr (expected, "rf_line_8\n"));
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;

    /* nobody answers here: the pages have to live with a helper that cannot be reached */
    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_test_add_func ("/app/widgets/fold", test_fold);
    g_test_add_func ("/app/widgets/graph/accessible", test_graph_accessible);
    g_test_add_func ("/app/widgets/graph/draws", test_graph_draws);
    g_test_add_func ("/app/widgets/graph-cursor", test_graph_cursor);
    g_test_add_func ("/app/widgets/graph-large-text", test_graph_large_text);
    g_test_add_func ("/app/widgets/card", test_card);
    g_test_add_func ("/app/widgets/small-pieces", test_small_pieces);
    g_test_add_func ("/app/widgets/columns", test_columns);
    g_test_add_data_func ("/app/widgets/monitor-page", NULL, test_pages);
    g_test_add_data_func ("/app/widgets/overview-page", GINT_TO_POINTER (1), test_pages);
    g_test_add_func ("/app/widgets/evidence-drives", test_evidence_drives);
    g_test_add_func ("/app/widgets/theme", test_theme);
    g_test_add_func ("/app/widgets/palettes", test_palettes);
    return g_test_run ();
}
