/* The help: complete in both languages, a topic for each graph, and a window that can be read and left by keyboard. With
 * RF_PICTURES set to a folder it leaves pictures there. */
#include "config.h"

#include <gtk/gtk.h>
#include <libintl.h>
#include <locale.h>

#include "rf-help-topics.h"
#include "rf-help-window.h"
#include "rf-monitor-cards.h"
#include "rf-screenshot.h"
#include "rf-test-tree.h"
#include "rf-theme.h"
#include "rf-window.h"

static GtkApplication *app;

/* LANGUAGE is German in this test; what has no translation comes out as it went in. */
static void
assert_german (const char *english, const char *german)
{
    g_assert_cmpstr (german, !=, "");
    if (g_strcmp0 (english, german) == 0)
        g_error ("not translated: %s", english);
}

/* Called in English and again in German, because the table itself is private. */
static GPtrArray *
words_of (const RfHelpTopic *topic)
{
    GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

    g_ptr_array_add (words, g_strdup (rf_help_topic_title (topic)));
    for (guint i = 0; i < rf_help_topic_count_parts (topic); i++) {
        const char *heading = NULL;

        g_ptr_array_add (words, g_strdup (rf_help_topic_part (topic, i, &heading)));
        if (heading != NULL)
            g_ptr_array_add (words, g_strdup (heading));
    }
    return words;
}

static void
test_translated (void)
{
    for (guint i = 0; i < rf_help_topics_count (); i++) {
        const RfHelpTopic *topic = rf_help_topics_get (i);
        g_autoptr (GPtrArray) german = words_of (topic);
        g_autoptr (GPtrArray) english = NULL;

        g_test_message ("%s", rf_help_topic_id (topic));
        bindtextdomain (GETTEXT_PACKAGE, "/nonexistent");
        english = words_of (topic);
        bindtextdomain (GETTEXT_PACKAGE, RF_TEST_LOCALEDIR);
        g_assert_cmpuint (english->len, ==, german->len);
        for (guint k = 0; k < english->len; k++)
            assert_german (english->pdata[k], german->pdata[k]);
    }
}

static void
test_graphs (void)
{
    guint graphs = 0;

    for (guint i = 0; i < rf_monitor_cards_count (); i++) {
        const char *id = rf_monitor_card_id (rf_monitor_cards_get (i));
        const RfHelpTopic *topic = rf_help_topics_find (id);

        g_test_message ("%s", id);
        g_assert_nonnull (topic);
        g_assert_cmpint (rf_help_topic_group (topic), ==, RF_HELP_GRAPHS);
        g_assert_cmpuint (rf_help_topic_count_parts (topic), ==, 3);
    }
    for (guint i = 0; i < rf_help_topics_count (); i++)
        graphs += rf_help_topic_group (rf_help_topics_get (i)) == RF_HELP_GRAPHS;
    g_assert_cmpuint (graphs, ==, rf_monitor_cards_count ());
}

static void
test_short_and_distinct (void)
{
    g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

    for (guint i = 0; i < rf_help_topics_count (); i++) {
        const RfHelpTopic *topic = rf_help_topics_get (i);
        g_autoptr (GPtrArray) words = words_of (topic);
        glong length = 0;

        g_assert_true (g_hash_table_add (ids, (gpointer)rf_help_topic_id (topic)));
        g_assert_true (rf_help_topics_find (rf_help_topic_id (topic)) == topic);
        for (guint k = 0; k < words->len; k++)
            length += g_utf8_strlen (words->pdata[k], -1);
        /* what does not fit on one screen is not read */
        g_assert_cmpint (length, >, 150);
        g_assert_cmpint (length, <, 1200);
    }
    g_assert_null (rf_help_topics_find ("no such topic"));
    g_assert_null (rf_help_topics_find (""));
}

static void
test_pages (void)
{
    g_assert_cmpstr (rf_help_topic_id (rf_help_topics_for_page ("overview")), ==, "how");
    g_assert_cmpstr (rf_help_topic_id (rf_help_topics_for_page ("monitor")), ==, "monitor");
    g_assert_cmpstr (rf_help_topic_id (rf_help_topics_for_page ("changes")), ==, "taking-back");
    g_assert_cmpstr (rf_help_topic_id (rf_help_topics_for_page ("wizard")), ==, "trial");
    g_assert_cmpstr (rf_help_topic_id (rf_help_topics_for_page ("a page of tomorrow")), ==, "how");
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
picture (GtkWidget *window, const char *name)
{
    const char *folder = g_getenv ("RF_PICTURES");
    g_autoptr (GError) error = NULL;
    g_autofree char *file = NULL;

    if (folder == NULL)
        return;
    file = g_strdup_printf ("%s/help-%s.png", folder, name);
    settle (window);
    rf_screenshot_save (GTK_WINDOW (window), file, &error);
    g_assert_no_error (error);
}

typedef struct {
    RfTestTree *tree;
    RfSampler *sampler;
    RfFacts *facts;
    GtkWidget *window;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
    f->tree = rf_test_tree_new ("laptop-8g");
    f->sampler = rf_sampler_new (rf_test_tree_sysroot (f->tree), 1000, 100);
    f->facts = rf_facts_read (rf_test_tree_sysroot (f->tree));
    f->window = rf_window_new (app, f->sampler, f->facts, NULL, NULL);
    gtk_window_present (GTK_WINDOW (f->window));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
    g_object_add_weak_pointer (G_OBJECT (f->window), (gpointer *)&f->window);
    gtk_window_destroy (GTK_WINDOW (f->window));
    while (f->window != NULL || g_main_context_pending (NULL))
        g_main_context_iteration (NULL, TRUE);
    g_assert_null (gtk_application_get_windows (app)); /* the help goes away with the window */
    rf_facts_unref (f->facts);
    g_assert_finalize_object (f->sampler);
    rf_test_tree_free (f->tree);
}

static GtkWidget *
find_help (void)
{
    for (GList *l = gtk_application_get_windows (app); l != NULL; l = l->next) {
        if (RF_IS_HELP_WINDOW (l->data))
            return l->data;
    }
    return NULL;
}

static const char *
title_of (const char *id)
{
    return rf_help_topic_title (rf_help_topics_find (id));
}

static void
test_window (Fixture *f, gconstpointer data)
{
    GtkWidget *help = NULL;
    int minimum = 0;

    g_assert_null (find_help ());
    g_assert_true (gtk_widget_activate_action (f->window, "win.show-help", "s", ""));
    help = find_help ();
    g_assert_nonnull (help);
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, title_of ("how"));
    rf_window_show_page (RF_WINDOW (f->window), "changes");
    gtk_widget_activate_action (f->window, "win.show-help", "s", "");
    g_assert_true (find_help () == help); /* one is enough */
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, title_of ("taking-back"));
    rf_window_show_page (RF_WINDOW (f->window), "wizard");
    gtk_widget_activate_action (f->window, "win.show-help", "s", "");
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, title_of ("trial"));

    for (guint i = 0; i < rf_help_topics_count (); i++) {
        const char *id = rf_help_topic_id (rf_help_topics_get (i));

        gtk_widget_activate_action (f->window, "win.show-help", "s", id);
        g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, title_of (id));
        gtk_widget_measure (help, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
        g_test_message ("%s needs %d pixels", id, minimum);
        g_assert_cmpint (minimum, <=, 360);
        /* the keyboard scrolls what is too long */
        g_assert_true (GTK_IS_SCROLLED_WINDOW (gtk_window_get_focus (GTK_WINDOW (help))));
        picture (help, id);
    }
    gtk_widget_activate_action (f->window, "win.show-help", "s", "no such topic");
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, gettext ("Help"));
    g_assert_true (GTK_IS_LIST_BOX_ROW (gtk_window_get_focus (GTK_WINDOW (help))));
    gtk_widget_measure (help, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_assert_cmpint (minimum, <=, 360);
    picture (help, "contents");
    gtk_window_set_default_size (GTK_WINDOW (help), 360, 640);
    picture (help, "contents-narrow");
    gtk_widget_activate_action (f->window, "win.show-help", "s", "swap");
    picture (help, "swap-narrow");
}

static void
test_leave (Fixture *f, gconstpointer data)
{
    GtkWidget *help = NULL;

    gtk_widget_activate_action (f->window, "win.show-help", "s", "trial");
    help = find_help ();
    /* a row of the list opens its topic */
    g_assert_true (gtk_widget_activate_action (help, "help.back", NULL));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, gettext ("Help"));
    g_signal_emit_by_name (gtk_window_get_focus (GTK_WINDOW (help)), "activate");
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, title_of ("how"));
    /* Escape: first to the list, then out */
    g_assert_true (gtk_widget_activate_action (help, "help.escape", NULL));
    g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (help)), ==, gettext ("Help"));
    g_assert_true (gtk_widget_activate_action (help, "help.escape", NULL));
    g_assert_null (find_help ());
    /* and it can be opened again */
    gtk_widget_activate_action (f->window, "win.show-help", "s", "trial");
    g_assert_nonnull (find_help ());
}

int
main (int argc, char **argv)
{
    g_autoptr (RfTheme) theme = NULL;
    g_autoptr (GError) error = NULL;
    int status;

    g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    gtk_test_init (&argc, &argv, NULL);
    setlocale (LC_MESSAGES, "C.UTF-8"); /* gtk_test_init() asks for "C", which has no translations */
    bindtextdomain (GETTEXT_PACKAGE, RF_TEST_LOCALEDIR);
    bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
    textdomain (GETTEXT_PACKAGE);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    app = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
    g_application_register (G_APPLICATION (app), NULL, &error);
    g_assert_no_error (error);
    g_test_add_func ("/app/help/translated", test_translated);
    g_test_add_func ("/app/help/graphs", test_graphs);
    g_test_add_func ("/app/help/short-and-distinct", test_short_and_distinct);
    g_test_add_func ("/app/help/pages", test_pages);
    g_test_add ("/app/help/window", Fixture, NULL, set_up, test_window, tear_down);
    g_test_add ("/app/help/leave", Fixture, NULL, set_up, test_leave, tear_down);
    status = g_test_run ();
    g_object_unref (app);
    return status;
}
