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

#define HOUR (60 * 60 * 4)

/* What no thinning has touched, to compare with. */
typedef struct {
    RfSeries *series;
    GArray *all; /* of double */
} Both;

static void
both_push (Both *both, double value)
{
    rf_series_push (both->series, value);
    g_array_append_val (both->all, value);
}

static void
both_push_gaps (Both *both, guint64 count)
{
    const double gap = NAN;

    rf_series_push_gaps (both->series, count);
    for (guint64 i = 0; i < count; i++)
        g_array_append_val (both->all, gap);
}

static void
true_cell (const Both *both, guint64 start, guint64 end, RfSeriesCell *out)
{
    *out = (RfSeriesCell){NAN, NAN, 0, 0};
    for (guint64 i = start; i < end; i++) {
        const double value = g_array_index (both->all, double, i);

        if (!isfinite (value))
            continue;
        out->min = fmin (out->min, value);
        out->max = fmax (out->max, value);
        out->sum += value;
        out->count++;
    }
}

static void
assert_same_cell (const RfSeriesCell *a, const RfSeriesCell *b)
{
    g_assert_cmpfloat_with_epsilon (a->count, b->count, 1e-9);
    if (b->count == 0)
        return;
    g_assert_cmpfloat_with_epsilon (a->min, b->min, fabs (b->min) * 1e-6);
    g_assert_cmpfloat_with_epsilon (a->max, b->max, fabs (b->max) * 1e-6);
    g_assert_cmpfloat_with_epsilon (a->sum, b->sum, fabs (b->sum) * 1e-5 + 1e-6);
}

static double
value_at (guint i)
{
    if (i % 97 < 20)
        return NAN;
    return i % 1009 == 500 ? 1e9 : 1000 + i % 251;
}

/* Every cell of every tier, and the walk back, against the values themselves. */
static void
assert_true_history (const Both *both)
{
    const guint64 total = rf_series_total (both->series);
    guint64 end = total;
    RfSeriesCell cell, truth;
    guint count;

    g_assert_cmpuint (total, ==, both->all->len);
    for (guint step = 1; step <= 64; step *= 4) {
        const guint64 cells = total / step;

        for (guint64 number = cells > HOUR / step ? cells - HOUR / step : 0; number < cells; number++) {
            const gboolean known = rf_series_cell (both->series, step, number, &cell);

            true_cell (both, number * step, (number + 1) * step, &truth);
            if (known)
                assert_same_cell (&cell, &truth);
            else if (truth.count > 0)
                g_assert_cmpuint (cells - number, >, RF_SERIES_RECENT);
        }
        g_assert_false (rf_series_cell (both->series, step, cells, &cell));
    }
    while ((count = rf_series_older (both->series, 0, end, &cell)) > 0) {
        true_cell (both, end - count, end, &truth);
        /* a part of a thinned cell knows the extremes of the whole one */
        if (total - end < RF_SERIES_RECENT) {
            g_assert_cmpuint (count, ==, 1);
            assert_same_cell (&cell, &truth);
        } else if (truth.count > 0) {
            g_assert_true (cell.min <= truth.min && cell.max >= truth.max);
        }
        end -= count;
    }
    g_assert_cmpuint (total - end, >=, MIN (total, HOUR));
}

static void
test_thinned (void)
{
    g_autoptr (RfSeries) series = rf_series_new (HOUR);
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
    Both both = {series, all};
    static const guint64 gaps[] = {1, 3, 100, 2000, 14400, 40000};

    for (guint round = 0; round < G_N_ELEMENTS (gaps); round++) {
        for (guint i = 0; i < 7001; i++)
            both_push (&both, value_at (i));
        assert_true_history (&both);
        both_push_gaps (&both, gaps[round]);
        both_push (&both, 7);
        assert_true_history (&both);
    }
    for (guint i = 0; i < 3 * HOUR; i++)
        both_push (&both, value_at (i));
    assert_true_history (&both);
}

/* One sample of an hour is enough to be seen in it, wherever it is. */
static void
test_spike (void)
{
    g_autoptr (RfSeries) series = rf_series_new (HOUR);
    double min = 0, max = 0;

    for (guint i = 0; i < HOUR / 2; i++)
        rf_series_push (series, 1);
    rf_series_push (series, 500);
    for (guint back = 1; back < HOUR - 64; back++) {
        rf_series_push (series, 1);
        g_assert_true (rf_series_range (series, back + 1, &min, &max));
        g_assert_cmpfloat (min, ==, 1);
        g_assert_cmpfloat (max, ==, 500);
    }
    g_assert_true (rf_series_range_between (series, HOUR / 2 + 64, G_MAXUINT64, &min, &max));
    g_assert_cmpfloat (max, ==, 1);
}

static void
test_step (void)
{
    static const struct {
        guint capacity;
        guint64 reach;
        double wanted;
        guint step;
    } cases[] = {
        {100, 100, 50, 1},    {HOUR, 1200, 1, 1},    {HOUR, 1200, 3.9, 1},     {HOUR, 1200, 4, 4},
        {HOUR, 3600, 1, 4},   {HOUR, 1281, 0.1, 4},  {HOUR, HOUR, 1, 16},      {HOUR, HOUR, 60, 16},
        {HOUR, HOUR, 64, 64}, {HOUR, 1200, 999, 64}, {HOUR, 10 * HOUR, 1, 64}, {3600, 3600, 1, 4},
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfSeries) series = rf_series_new (cases[i].capacity);

        g_assert_cmpuint (rf_series_step (series, cases[i].reach, cases[i].wanted), ==, cases[i].step);
    }
}

/* The bound that the window relies on: some eighty series, and a day must not take more than a minute. */
static void
test_bytes (void)
{
    g_autoptr (RfSeries) series = rf_series_new (HOUR);
    const gsize bytes = rf_series_bytes (series);

    g_assert_cmpuint (bytes, <, 64 * 1024);
    g_assert_cmpuint (bytes, <, HOUR * sizeof (double) / 2);
    for (guint i = 0; i < 2 * HOUR; i++)
        rf_series_push (series, i);
    g_assert_cmpuint (rf_series_bytes (series), ==, bytes);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/series/ring", test_ring);
    g_test_add_func ("/app/series/range", test_range);
    g_test_add_func ("/app/series/gaps", test_gaps);
    g_test_add_func ("/app/series/thinned", test_thinned);
    g_test_add_func ("/app/series/spike", test_spike);
    g_test_add_func ("/app/series/step", test_step);
    g_test_add_func ("/app/series/bytes", test_bytes);
    return g_test_run ();
}
