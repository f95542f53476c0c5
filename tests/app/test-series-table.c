/* Histories as CSV: times, gaps, names that need quotes, and spikes in what has been thinned. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-series-table.h"

#define NOON_US (G_GINT64_CONSTANT (1796040000) * G_USEC_PER_SEC) /* 2026-11-30 12:00:00 UTC */

static void
test_plain (void)
{
    g_autoptr (RfSeries) a = rf_series_new (100);
    g_autoptr (RfSeries) b = rf_series_new (100);
    g_autoptr (GArray) columns = rf_series_columns_new ();
    g_autofree char *text = NULL;
    g_autofree char *part = NULL;
    g_autofree char *before = NULL;

    rf_series_columns_add (columns, "free_bytes", a);
    rf_series_columns_add (columns, "a \"b\", c", b);
    text = rf_series_table (columns, 0, 0, NOON_US, 250);
    g_assert_cmpstr (text, ==, "time_utc,free_bytes,\"a \"\"b\"\", c\"\n");
    g_clear_pointer (&text, g_free);

    rf_series_push (a, 1e9);
    rf_series_push (b, 0);
    rf_series_push (a, NAN);
    rf_series_push (b, 0.125);
    rf_series_push (a, 123456789012.0);
    rf_series_push (b, NAN);
    text = rf_series_table (columns, 0, 3, NOON_US, 250);
    g_assert_cmpstr (text, ==,
                     "time_utc,free_bytes,\"a \"\"b\"\", c\"\n"
                     "2026-11-30T11:59:59.500Z,1000000000,0\n"
                     "2026-11-30T11:59:59.750Z,,0.125\n"
                     "2026-11-30T12:00:00.000Z,1.23456789e+11,\n");
    /* a part of it */
    part = rf_series_table (columns, 1, 2, NOON_US, 250);
    g_assert_cmpstr (part, ==, "time_utc,free_bytes,\"a \"\"b\"\", c\"\n2026-11-30T12:00:00.000Z,,0.125\n");
    /* more than there is: nothing is made up */
    before = rf_series_table (columns, 0, 500, NOON_US, 250);
    g_assert_cmpstr (before, ==, text);
}

/* A drive may be called whatever its maker, or whoever plugs it in, likes. */
static void
test_names (void)
{
    static const struct {
        const char *name, *head;
    } table[] = {
        {"=cmd|'/c calc'!A1", "time_utc,'=cmd|'/c calc'!A1\n"}, {"+1", "time_utc,'+1\n"},
        {"-2+3", "time_utc,'-2+3\n"},                           {"@SUM(A1)", "time_utc,'@SUM(A1)\n"},
        {"=A1,\"x\"", "time_utc,\"'=A1,\"\"x\"\"\"\n"},         {"\t=1", "time_utc,'\t=1\n"},
        {"a-b=c", "time_utc,a-b=c\n"},                          {"", "time_utc,\n"},
    };

    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfSeries) series = rf_series_new (8);
        g_autoptr (GArray) columns = rf_series_columns_new ();
        g_autofree char *text = NULL;

        rf_series_columns_add (columns, table[i].name, series);
        text = rf_series_table (columns, 0, 0, NOON_US, 250);
        g_assert_cmpstr (text, ==, table[i].head);
    }
}

static void
test_thinned (void)
{
    g_autoptr (RfSeries) a = rf_series_new (20000);
    g_autoptr (GArray) columns = rf_series_columns_new ();
    g_autofree char *text = NULL;
    g_auto (GStrv) lines = NULL;
    guint spikes = 0;

    rf_series_columns_add (columns, "stalls", a);
    for (guint i = 0; i < 10000; i++)
        rf_series_push (a, i == 1234 ? 777 : 2);
    text = rf_series_table (columns, 0, 10000, NOON_US, 1000);
    lines = g_strsplit (text, "\n", -1);
    g_assert_cmpstr (lines[0], ==, "time_utc,stalls,stalls_min,stalls_max");
    g_assert_cmpuint (g_strv_length (lines), <, 9000);
    g_assert_cmpuint (g_strv_length (lines), >, RF_SERIES_RECENT);
    for (guint i = 1; lines[i][0] != '\0'; i++) {
        g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);

        g_assert_cmpuint (g_strv_length (fields), ==, 4);
        g_assert_cmpstr (fields[2], ==, "2");
        g_assert_true (i == 1 || strcmp (lines[i - 1], lines[i]) < 0);
        if (g_str_equal (fields[3], "777"))
            spikes++;
        else
            g_assert_cmpstr (fields[1], ==, "2");
    }
    g_assert_cmpuint (spikes, ==, 1);
    g_assert_true (g_str_has_suffix (text, "\n2026-11-30T12:00:00.000Z,2,2,2\n"));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/series-table/plain", test_plain);
    g_test_add_func ("/app/series-table/names", test_names);
    g_test_add_func ("/app/series-table/thinned", test_thinned);
    return g_test_run ();
}
