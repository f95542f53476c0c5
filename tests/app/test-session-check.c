/* What is said before a recording, and the words for what went wrong. */
#define G_LOG_DOMAIN "test-session-check"
#include "config.h"

#include "rf-error.h"
#include "rf-session-check.h"
#include "rf-session-machine.h"
#include "rf-test-tree.h"

#include <string.h>

#define MIB G_GINT64_CONSTANT (1048576)

static GHashTable *
settings (const char *swappiness, const char *extra)
{
    GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert (table, g_strdup ("vm.swappiness"), g_strdup (swappiness));
    for (guint i = 0; extra != NULL && i < 6; i++)
        g_hash_table_insert (table, g_strdup_printf ("vm.%s%u", extra, i), g_strdup ("1"));
    return table;
}

/* Returns: nicks of all doubts, with ", " between them */
static char *
doubts (const RfSessionConditions *conditions)
{
    g_autoptr (GPtrArray) found = g_ptr_array_new ();
    for (guint i = 0; i < RF_SESSION_N_DOUBTS; i++)
        if (rf_session_check (conditions, (RfSessionDoubt)i)) {
            g_autofree char *text = rf_session_doubt_text (conditions, (RfSessionDoubt)i);
            g_assert_true (g_str_has_suffix (text, "."));
            g_ptr_array_add (found, (gpointer)rf_session_doubt_nick ((RfSessionDoubt)i));
        }
    g_ptr_array_add (found, NULL);
    return g_strjoinv (", ", (char **)found->pdata);
}

static void
test_doubts (void)
{
    static const struct {
        RfSessionConditions conditions;
        const char *expected;
    } cases[] = {
        {{.swap_used_bytes = -1, .free_bytes = -1, .hz = 10}, ""},
        {{.swap_used_bytes = 0, .free_bytes = 100000 * MIB, .hz = 10, .wanted_s = 3600}, ""},
        {{.swap_used_bytes = 16 * MIB, .free_bytes = -1, .hz = 10}, ""},
        {{.swap_used_bytes = 17 * MIB, .free_bytes = -1, .hz = 10}, "swap-used"},
        {{.free_bytes = 0, .hz = 10, .wanted_s = 7200}, "disk-space"},
        /* an hour fits where a day's work does not */
        {{.free_bytes = 100 * MIB, .hz = 10, .wanted_s = 3600}, ""},
        {{.free_bytes = 100 * MIB, .hz = 10}, "disk-space"},
        {{.free_bytes = 100 * MIB, .hz = 50, .wanted_s = 3600}, "disk-space"},
        {{.free_bytes = -1, .on_battery = TRUE, .wanted_s = 3599}, "battery, short"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *found = doubts (&cases[i].conditions);
        g_assert_cmpstr (found, ==, cases[i].expected);
    }
}

static void
test_settings (void)
{
    RfSessionConditions conditions = {.free_bytes = -1, .settings = settings ("60", NULL), .like = settings ("60", NULL)};
    g_autofree char *same = doubts (&conditions);
    g_assert_cmpstr (same, ==, "");
    g_hash_table_unref (conditions.like);
    conditions.like = settings ("10", NULL);
    g_autofree char *differ = doubts (&conditions);
    g_assert_cmpstr (differ, ==, "settings-differ");
    g_autofree char *text = rf_session_doubt_text (&conditions, RF_SESSION_DOUBT_SETTINGS);
    g_assert_nonnull (strstr (text, "(vm.swappiness)"));
    /* also what is only in one of them, and not all of it */
    g_hash_table_unref (conditions.like);
    conditions.like = settings ("60", "x");
    g_autofree char *many = rf_session_doubt_text (&conditions, RF_SESSION_DOUBT_SETTINGS);
    g_assert_nonnull (strstr (many, "(vm.x0, vm.x1, vm.x2, vm.x3 and more)"));
    rf_session_conditions_clear (&conditions);
}

static void
test_read (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autofree char *folder = rf_test_tree_path (tree, "not/there/yet");
    g_autoptr (RfRecordings) recordings = rf_recordings_new (folder);
    RfSessionConditions conditions;
    rf_session_conditions_read (&conditions, rf_test_tree_sysroot (tree), recordings);
    g_assert_cmpint (conditions.free_bytes, >, 0);
    g_assert_cmpstr (g_hash_table_lookup (conditions.settings, "vm.swappiness"), ==, "60");
    g_assert_false (rf_test_tree_exists (tree, "not"));
    rf_session_conditions_clear (&conditions);
}

static void
test_words (void)
{
    for (gint code = 0; code < RF_ERROR_N_CODES; code++) {
        g_autoptr (GError) error = g_error_new (RF_ERROR, code, "'x\xff'");
        g_autofree char *text = rf_session_message (error);
        g_assert_true (g_utf8_validate (text, -1, NULL));
        g_assert_cmpuint (strlen (text), >, 15);
    }
    g_autofree char *known = rf_session_end_text ("disk-full");
    g_autofree char *unknown = rf_session_end_text ("of another version");
    g_assert_cmpstr (known, ==, "The drive was full.");
    g_assert_cmpstr (unknown, ==, "of another version");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/session-check/doubts", test_doubts);
    g_test_add_func ("/app/session-check/settings", test_settings);
    g_test_add_func ("/app/session-check/read", test_read);
    g_test_add_func ("/app/session-check/words", test_words);
    return g_test_run ();
}
