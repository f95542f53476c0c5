#include "config.h"

#include <math.h>

#include "rf-series.h"

static void
test_ring (void)
{
    g_autoptr (RfSeries) series = rf_series_new (3);

    g_assert_cmpuint (rf_series_length (series), ==, 0);
    g_assert_true (isnan (rf_series_get (series, 0)));
    for (int i = 1; i <= 5; i++)
        rf_series_push (series, i);
    g_assert_cmpuint (rf_series_length (series), ==, 3);
    g_assert_cmpuint (rf_series_total (series), ==, 5);
    g_assert_cmpfloat (rf_series_get (series, 0), ==, 5);
    g_assert_cmpfloat (rf_series_get (series, 2), ==, 3);
    g_assert_true (isnan (rf_series_get (series, 3)));
}

static void
test_range (void)
{
    g_autoptr (RfSeries) series = rf_series_new (8);
    double min = -1, max = -1;

    g_assert_false (rf_series_range (series, 8, &min, &max));
    rf_series_push (series, NAN);
    g_assert_false (rf_series_range (series, 8, &min, &max));
    g_assert_cmpfloat (min, ==, -1);
    rf_series_push (series, 7);
    rf_series_push (series, NAN);
    rf_series_push (series, -2);
    g_assert_true (rf_series_range (series, 8, &min, &max));
    g_assert_cmpfloat (min, ==, -2);
    g_assert_cmpfloat (max, ==, 7);
    g_assert_true (rf_series_range (series, 1, &min, &max));
    g_assert_cmpfloat (max, ==, -2);
}

static void
test_gaps (void)
{
    static const guint64 counts[] = {0, 1, 3, 4, 5, 1000000000000};

    for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
        g_autoptr (RfSeries) series = rf_series_new (4);

        rf_series_push (series, 1);
        rf_series_push (series, 2);
        rf_series_push_gaps (series, counts[i]);
        rf_series_push (series, 3);
        g_assert_cmpuint (rf_series_total (series), ==, counts[i] + 3);
        g_assert_cmpfloat (rf_series_get (series, 0), ==, 3);
        for (guint back = 1; back < 4; back++) {
            if (back <= counts[i] || back > counts[i] + 2)
                g_assert_true (isnan (rf_series_get (series, back)));
            else
                g_assert_cmpfloat (rf_series_get (series, back), ==, (double)(3 + counts[i] - back));
        }
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/series/ring", test_ring);
    g_test_add_func ("/app/series/range", test_range);
    g_test_add_func ("/app/series/gaps", test_gaps);
    return g_test_run ();
}
