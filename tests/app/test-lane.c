/* A column looked at from any height: ranges against a plain walk over all rows, spikes that must not vanish, gaps. */
#include "config.h"

#include <math.h>

#include "rf-lane.h"

#define TENTH (G_GINT64_CONSTANT (100000000)) /* ns */

static RfTable *
table_of (gsize rows, GRand *random)
{
    RfTable *table = rf_table_new ("samples");
    rf_table_add_column (table, "a");
    for (gsize i = 0; i < rows; i++) {
        float value = (float)g_rand_double_range (random, -5, 5);
        if (g_rand_int_range (random, 0, 10) == 0)
            value = NAN;
        g_assert_true (rf_table_append (table, (gint64)i * TENTH, &value));
    }
    return table;
}

static void
test_range (void)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    const gsize sizes[] = {0, 1, 2, 15, 16, 17, 255, 256, 257, 300, 4096, 4097, 5000};
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
        const gsize rows = sizes[s];
        g_autoptr (RfTable) table = table_of (rows, random);
        g_autoptr (RfLane) lane = rf_lane_new (table, 0);
        for (guint round = 0; round < 300; round++) {
            const gsize first = (gsize)g_rand_int_range (random, 0, (gint32)rows + 1);
            const gsize end = (gsize)g_rand_int_range (random, (gint32)first, (gint32)rows + 1);
            const float *values = rf_table_values (table, 0);
            float least = NAN, greatest = NAN, min, max;
            for (gsize i = first; i < end; i++) {
                if (isnan (values[i]))
                    continue;
                least = isnan (least) ? values[i] : MIN (least, values[i]);
                greatest = isnan (greatest) ? values[i] : MAX (greatest, values[i]);
            }
            g_assert_cmpint (rf_lane_range (lane, first, end, &min, &max), ==, !isnan (least));
            if (!isnan (least)) {
                g_assert_cmpfloat (min, ==, least);
                g_assert_cmpfloat (max, ==, greatest);
            }
        }
    }
}

static void
test_spike (void)
{
    g_autoptr (RfTable) table = rf_table_new ("samples");
    rf_table_add_column (table, "a");
    for (guint i = 0; i < 36000; i++)
        g_assert_true (rf_table_append (table, i * TENTH, (float[]){i == 12345 ? 1000 : 1}));
    g_autoptr (RfLane) lane = rf_lane_new (table, 0);
    g_assert_cmpint (rf_lane_interval_ns (lane), ==, TENTH);
    g_autoptr (RfSeries) whole = rf_lane_series (lane, 0, 36000 * TENTH, 300);
    double min, max;
    g_assert_cmpuint (rf_series_total (whole), ==, 600);
    g_assert_true (rf_series_range (whole, 600, &min, &max));
    g_assert_cmpfloat (max, ==, 1000);
    g_assert_cmpfloat (min, ==, 1);
    /* and it lies where it was: 12345 of 36000 is in stretch 102 of 300 */
    g_assert_true (rf_series_range_between (whole, 204, 206, &min, &max));
    g_assert_cmpfloat (max, ==, 1000);
}

static void
test_gap (void)
{
    g_autoptr (RfTable) table = rf_table_new ("samples");
    rf_table_add_column (table, "a");
    for (guint i = 0; i < 100; i++)
        if (i < 40 || i >= 60)
            g_assert_true (rf_table_append (table, i * TENTH, (float[]){7}));
    g_autoptr (RfLane) lane = rf_lane_new (table, 0);
    /* finer than the rows are: they are continued, but not over the gap, and not beyond the end */
    g_autoptr (RfSeries) fine = rf_lane_series (lane, 0, 110 * TENTH, 1100);
    guint known = 0;
    for (guint back = 0; back < 2 * 50; back++)
        g_assert_true (isnan (rf_series_get (fine, back)));
    for (guint64 cell = 0; cell < 1100; cell++) {
        double min, max;
        const gboolean there = rf_series_range_between (fine, 2 * cell, 2 * cell + 2, &min, &max);
        known += there;
        if (cell > 395 && cell < 599)
            g_assert_false (there);
        if (cell < 390 || (cell > 601 && cell < 990))
            g_assert_true (there);
    }
    g_assert_cmpuint (known, >, 770);
}

static void
test_without_rows (void)
{
    g_autoptr (RfTable) table = rf_table_new ("samples");
    rf_table_add_column (table, "a");
    g_autoptr (RfLane) lane = rf_lane_new (table, 0);
    g_autoptr (RfSeries) series = rf_lane_series (lane, 0, 1000, 10);
    double min, max;
    g_assert_cmpint (rf_lane_interval_ns (lane), ==, 0);
    g_assert_false (rf_series_range (series, 20, &min, &max));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/lane/range", test_range);
    g_test_add_func ("/lane/spike", test_spike);
    g_test_add_func ("/lane/gap", test_gap);
    g_test_add_func ("/lane/without-rows", test_without_rows);
    return g_test_run ();
}
