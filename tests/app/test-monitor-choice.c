/* Which graphs are shown and in which order, as it is kept and as it comes back. No display. */
#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>

#include "rf-monitor-choice.h"

static const char *const known[] = {"stalls", "free", "latency", "swap", "cpu", NULL};

/* Every test has a memory of its own; what one choice keeps the next one finds. */
static GSettings *
new_settings (void)
{
    g_autoptr (GSettingsBackend) backend = g_memory_settings_backend_new ();

    return g_settings_new_with_backend ("io.github.ruckelfrei.Ruckelfrei", backend);
}

/* "stalls free (latency)": hidden ones in parentheses */
static char *
words (RfMonitorChoice *choice)
{
    GString *text = g_string_new (NULL);

    for (guint i = 0; i < rf_monitor_choice_count (choice); i++) {
        const char *id = rf_monitor_choice_get_id (choice, i);
        const gboolean shown = rf_monitor_choice_get_shown (choice, id);

        g_string_append_printf (text, "%s%s%s%s", i > 0 ? " " : "", shown ? "" : "(", id, shown ? "" : ")");
    }
    return g_string_free (text, FALSE);
}

static void
assert_words (RfMonitorChoice *choice, const char *expected)
{
    g_autofree char *text = words (choice);

    g_assert_cmpstr (text, ==, expected);
}

static void
changed_cb (RfMonitorChoice *choice, guint *count)
{
    ++*count;
}

static void
test_usual (void)
{
    g_autoptr (GSettings) settings = new_settings ();
    RfMonitorChoice *choice = rf_monitor_choice_new (settings, known);

    assert_words (choice, "stalls free latency swap cpu");
    g_assert_true (rf_monitor_choice_is_usual (choice));
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 5);
    g_assert_false (rf_monitor_choice_get_compact (choice));
    g_assert_finalize_object (choice);
}

static void
test_kept (void)
{
    g_autoptr (GSettings) settings = new_settings ();
    RfMonitorChoice *choice = rf_monitor_choice_new (settings, known);
    g_auto (GStrv) order = NULL;
    guint count = 0;

    g_signal_connect (choice, "changed", G_CALLBACK (changed_cb), &count);
    g_assert_true (rf_monitor_choice_move (choice, "cpu", 0));
    assert_words (choice, "cpu stalls free latency swap");
    g_assert_true (rf_monitor_choice_move (choice, "stalls", 4));
    assert_words (choice, "cpu free latency swap stalls");
    rf_monitor_choice_set_shown (choice, "latency", FALSE);
    rf_monitor_choice_set_minutes (choice, 60);
    rf_monitor_choice_set_compact (choice, TRUE);
    g_assert_cmpuint (count, ==, 5);
    /* what changes nothing says nothing */
    g_assert_false (rf_monitor_choice_move (choice, "cpu", 0));
    g_assert_false (rf_monitor_choice_move (choice, "cpu", 5));
    g_assert_false (rf_monitor_choice_move (choice, "foreign", 0));
    rf_monitor_choice_set_shown (choice, "latency", FALSE);
    rf_monitor_choice_set_shown (choice, "foreign", FALSE);
    rf_monitor_choice_set_minutes (choice, 60);
    rf_monitor_choice_set_compact (choice, TRUE);
    g_assert_cmpuint (count, ==, 5);
    g_assert_finalize_object (choice);

    choice = rf_monitor_choice_new (settings, known);
    assert_words (choice, "cpu free (latency) swap stalls");
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 60);
    g_assert_true (rf_monitor_choice_get_compact (choice));
    g_assert_false (rf_monitor_choice_is_usual (choice));
    rf_monitor_choice_reset (choice);
    assert_words (choice, "stalls free latency swap cpu");
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 60);
    g_assert_finalize_object (choice);

    /* the usual order is kept as none */
    choice = rf_monitor_choice_new (settings, known);
    g_assert_true (rf_monitor_choice_is_usual (choice));
    order = g_settings_get_strv (settings, "monitor-order");
    g_assert_null (order[0]);
    g_assert_finalize_object (choice);
}

/* Lists as another version, or a person with an editor, has left them. */
static void
test_foreign_lists (void)
{
    static const struct {
        const char *order[8];
        const char *hidden[4];
        const char *words;
    } table[] = {
        {{NULL}, {NULL}, "stalls free latency swap cpu"},
        {{"gone", "", "cpu", NULL}, {"gone", "cpu", NULL}, "stalls free latency swap (cpu)"},
        {{"cpu", "cpu", "free", "cpu", NULL}, {NULL}, "stalls cpu free latency swap"},
        /* a new graph stands after the one that it follows in the program's own order */
        {{"cpu", "swap", "free", "stalls", NULL}, {NULL}, "cpu swap free latency stalls"},
        {{"swap", "cpu", "latency", "free", NULL}, {NULL}, "stalls swap cpu latency free"},
        {{NULL}, {"stalls", "free", "latency", NULL}, "(stalls) (free) (latency) swap cpu"},
    };

    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GSettings) settings = new_settings ();
        RfMonitorChoice *choice = NULL;

        g_settings_set_strv (settings, "monitor-order", table[i].order);
        g_settings_set_strv (settings, "monitor-hidden", table[i].hidden);
        choice = rf_monitor_choice_new (settings, known);
        assert_words (choice, table[i].words);
        g_assert_finalize_object (choice);
    }
}

static void
test_range (void)
{
    static const guint kept[][2] = {{1, 1}, {2, 5}, {5, 5}, {6, 15}, {15, 15}, {59, 60}, {60, 60}};
    RfMonitorChoice *choice = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
        g_autoptr (GSettings) settings = new_settings ();

        g_assert_true (g_settings_set_uint (settings, "monitor-minutes", kept[i][0]));
        choice = rf_monitor_choice_new (settings, known);
        g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, kept[i][1]);
        g_assert_finalize_object (choice);
    }
    /* and where nothing can be kept */
    choice = rf_monitor_choice_new (NULL, known);
    rf_monitor_choice_step_minutes (choice, 1);
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 15);
    rf_monitor_choice_step_minutes (choice, 1);
    rf_monitor_choice_step_minutes (choice, 1);
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 60);
    rf_monitor_choice_set_minutes (choice, 5000);
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 60);
    rf_monitor_choice_set_minutes (choice, 0);
    rf_monitor_choice_step_minutes (choice, -1);
    g_assert_cmpuint (rf_monitor_choice_get_minutes (choice), ==, 1);
    g_assert_finalize_object (choice);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/monitor-choice/usual", test_usual);
    g_test_add_func ("/app/monitor-choice/kept", test_kept);
    g_test_add_func ("/app/monitor-choice/foreign-lists", test_foreign_lists);
    g_test_add_func ("/app/monitor-choice/range", test_range);
    return g_test_run ();
}
