#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-graph-paint.h"

#define WIDTH 200
#define HEIGHT 80

static const RfGraphStyle style = {
    .line = {{1, 0, 0, 1}, {0, 0, 1, 1}},
    .grid = {0, 0, 0, 0},
    .warning = {1, 0.5, 0, 1},
    .danger = {0, 1, 1, 1},
    .mark = {0, 1, 0, 1},
    .line_width = 2,
    .fill_alpha = 0.2,
};

static RfGraphView
new_view (RfSeries *first, RfSeries *second, guint span, double top)
{
    RfGraphView view = {.n_lines = second != NULL ? 2 : 1, .span = span, .top = top};

    view.series[0] = first;
    view.series[1] = second;
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        view.threshold[i] = NAN;
    return view;
}

static cairo_surface_t *
draw (RfGraphPaint *paint, const RfGraphView *view, int scale)
{
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH * scale, HEIGHT * scale);
    cairo_t *cr = cairo_create (surface);

    cairo_scale (cr, scale, scale);
    rf_graph_paint_draw (paint, cr, WIDTH, HEIGHT, scale, view, &style);
    cairo_destroy (cr);
    cairo_surface_flush (surface);
    return surface;
}

static guint32
pixel (cairo_surface_t *surface, int x, int y)
{
    const unsigned char *row
        = cairo_image_surface_get_data (surface) + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
    guint32 value;

    memcpy (&value, row + (gsize)x * 4, 4);
    return value;
}

/* Pixels that are more of one channel than of the others: 16 red, 8 green, 0 blue. */
static guint
count_colour (cairo_surface_t *surface, int shift, int x_from, int x_to)
{
    guint count = 0;

    for (int y = 0; y < cairo_image_surface_get_height (surface); y++) {
        for (int x = x_from; x < x_to; x++) {
            const guint32 p = pixel (surface, x, y);
            const guint channel = p >> shift & 0xff;
            const guint others = MAX (p >> ((shift + 8) % 24) & 0xff, p >> ((shift + 16) % 24) & 0xff);

            count += channel > 120 && channel > 2 * others;
        }
    }
    return count;
}

static gboolean
same_picture (cairo_surface_t *a, cairo_surface_t *b)
{
    const gsize size = (gsize)cairo_image_surface_get_stride (a) * (gsize)cairo_image_surface_get_height (a);

    return memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b), size) == 0;
}

static double
wave (guint i)
{
    if (i % 37 == 5 || i % 37 == 6 || i % 41 == 0)
        return NAN;
    return 5 + 4 * sin (i * 0.7) + (i % 13 == 0 ? 1 : 0);
}

static void
test_draws (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (400);
    RfGraphView view = new_view (series, NULL, 100, 10);
    cairo_surface_t *empty = draw (paint, &view, 1);
    cairo_surface_t *half = NULL;

    g_assert_cmpuint (count_colour (empty, 16, 0, WIDTH), ==, 0);
    for (guint i = 0; i < 50; i++)
        rf_series_push (series, 8);
    half = draw (paint, &view, 1);
    /* fifty of a hundred samples: the right half has a line at 80 % of the height, the left has nothing */
    g_assert_cmpuint (count_colour (half, 16, 0, WIDTH / 2 - 4), ==, 0);
    g_assert_cmpuint (count_colour (half, 16, WIDTH / 2 + 4, WIDTH), >=, WIDTH / 2 - 10);
    g_assert_cmpuint (pixel (half, WIDTH - 20, (int)rf_graph_paint_y (&view, HEIGHT, 8)) >> 16 & 0xff, >, 200);
    /* below the line it is filled, above it is not */
    g_assert_cmpuint (pixel (half, WIDTH - 20, HEIGHT - 10) >> 24, >, 30);
    g_assert_cmpuint (pixel (half, WIDTH - 20, 4) >> 24, ==, 0);
    cairo_surface_destroy (empty);
    cairo_surface_destroy (half);
}

/* The heart of the painter: whatever is moved must be what a full repaint gives, bit by bit. */
static void
test_incremental (gconstpointer data)
{
    static const guint steps[] = {1, 1, 1, 2, 7, 1, 0, 1, 40, 1, 1, 300, 1, 1};
    const guint span = GPOINTER_TO_UINT (data) & 0xffff;
    const int scale = (int)(GPOINTER_TO_UINT (data) >> 16);
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) first = rf_series_new (MAX (1000, span));
    g_autoptr (RfSeries) second = rf_series_new (MAX (1000, span));
    const RfGraphView view = new_view (first, second, span, 10);
    guint pushed = 0;
    guint full_cost = 0;
    guint small_cost = 0;

    /* enough to fill the picture */
    for (; pushed + 200 < span; pushed++) {
        rf_series_push (first, wave (pushed));
        rf_series_push (second, wave (pushed + 100) * 0.5);
    }
    for (guint step = 0; step < 120 + G_N_ELEMENTS (steps); step++) {
        g_autoptr (RfGraphPaint) fresh = rf_graph_paint_new ();
        const guint count = step < 120 ? 1 : steps[step - 120];
        cairo_surface_t *moved = NULL;
        cairo_surface_t *full = NULL;

        for (guint i = 0; i < count; i++, pushed++) {
            rf_series_push (first, wave (pushed));
            rf_series_push (second, wave (pushed + 100) * 0.5);
        }
        moved = draw (paint, &view, scale);
        full = draw (fresh, &view, scale);
        if (!same_picture (moved, full))
            g_error ("after %u samples the moved picture differs from a full repaint", pushed);
        if (count == 1 && step > 10)
            g_assert_cmpuint (rf_graph_paint_segments (paint), <=, 2);
        small_cost += rf_graph_paint_segments (paint);
        full_cost += rf_graph_paint_segments (fresh);
        cairo_surface_destroy (moved);
        cairo_surface_destroy (full);
    }
    g_assert_cmpuint (small_cost, <, full_cost / 5);
}

/* One sample of an hour, at a card's width: its height is seen, and so is a gap. */
static void
test_spike (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (14400);
    const RfGraphView view = new_view (series, NULL, 14400, 10);
    cairo_surface_t *surface = NULL;
    double x;
    guint gap = 0;

    for (guint i = 0; i < 14400; i++)
        rf_series_push (series, i == 5003 ? 9.5 : i > 8000 && i < 10000 ? NAN : 1);
    surface = draw (paint, &view, 1);
    x = rf_graph_paint_x (&view, WIDTH, 1, 5003);
    g_assert_cmpfloat_with_epsilon (x, WIDTH * 5003 / 14400.0, 4);
    g_assert_cmpuint (count_colour (surface, 16, (int)x - 2, (int)x + 3), >, HEIGHT / 2);
    for (int i = 0; i < WIDTH; i++)
        gap += count_colour (surface, 16, i, i + 1) == 0;
    g_assert_cmpuint (gap, >=, WIDTH * 2000 / 14400 - 4);
    g_assert_cmpuint (gap, <=, WIDTH * 2000 / 14400 + 4);
    cairo_surface_destroy (surface);
}

/* Where time has been stopped, the picture stays, also when it is painted anew. */
static void
test_stopped (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (2000);
    RfGraphView view = new_view (series, NULL, 100, 10);
    cairo_surface_t *before = NULL;
    guint64 number = 0;

    for (guint i = 0; i < 300; i++)
        rf_series_push (series, wave (i));
    before = draw (paint, &view, 1);
    view.end = rf_series_total (series);
    for (guint i = 300; i < 400; i++) {
        g_autoptr (RfGraphPaint) fresh = rf_graph_paint_new ();
        cairo_surface_t *after = draw (i % 2 == 0 ? paint : fresh, &view, 1);

        rf_series_push (series, wave (i));
        g_assert_true (same_picture (before, after));
        cairo_surface_destroy (after);
    }
    g_assert_true (isnan (rf_graph_paint_x (&view, WIDTH, 1, 300)));
    g_assert_true (rf_graph_paint_number (&view, WIDTH, 1, WIDTH, &number));
    g_assert_cmpuint (number, ==, 299);
    view.end = 0;
    g_assert_true (rf_graph_paint_number (&view, WIDTH, 1, WIDTH, &number));
    g_assert_cmpuint (number, ==, 399);
    cairo_surface_destroy (before);
}

/* From the pointer to the sample and back. */
static void
test_number (void)
{
    for (guint i = 0; i < 8; i++) {
        g_autoptr (RfSeries) series = rf_series_new (14400);
        RfGraphView view = new_view (series, NULL, i % 2 == 0 ? 50 : 14400, 10);
        guint64 number = 0;

        view.mirrored = i / 2 % 2 == 1;
        g_assert_false (rf_graph_paint_number (&view, WIDTH, 1, 10, &number));
        for (guint n = 0; n < 20000; n++)
            rf_series_push (series, 1);
        for (int x = 4; x < WIDTH - 4; x++) {
            g_assert_true (rf_graph_paint_number (&view, WIDTH, i < 4 ? 1 : 2, x, &number));
            g_assert_cmpfloat_with_epsilon (rf_graph_paint_x (&view, WIDTH, i < 4 ? 1 : 2, number), x,
                                            i % 2 == 0 ? 3 : 1.1);
        }
    }
}

/* What changes the whole picture has to repaint it. */
static void
test_repaints (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (200);
    RfGraphView view = new_view (series, NULL, 50, 10);

    for (guint i = 0; i < 100; i++)
        rf_series_push (series, wave (i));
    for (guint i = 0; i < 4; i++) {
        g_autoptr (RfGraphPaint) fresh = rf_graph_paint_new ();
        cairo_surface_t *kept = NULL;
        cairo_surface_t *full = NULL;

        view.top = i == 1 ? 20 : 10;
        view.span = i == 2 ? 80 : 50;
        view.inset_top = i == 3 ? 12 : 0;
        kept = draw (paint, &view, 1);
        g_assert_cmpuint (rf_graph_paint_segments (paint), >, 10);
        full = draw (fresh, &view, 1);
        g_assert_true (same_picture (kept, full));
        cairo_surface_destroy (kept);
        cairo_surface_destroy (full);
        /* and nothing at all if nothing has changed */
        cairo_surface_destroy (draw (paint, &view, 1));
        g_assert_cmpuint (rf_graph_paint_segments (paint), ==, 0);
    }
}

static void
test_mirror (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (200);
    RfGraphView view = new_view (series, NULL, 50, 10);
    cairo_surface_t *ltr = NULL;
    cairo_surface_t *rtl = NULL;

    for (guint i = 0; i < 20; i++)
        rf_series_push (series, 5);
    ltr = draw (paint, &view, 1);
    view.mirrored = TRUE;
    rtl = draw (paint, &view, 1);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++)
            g_assert_cmphex (pixel (ltr, x, y), ==, pixel (rtl, WIDTH - 1 - x, y));
    }
    g_assert_cmpuint (count_colour (rtl, 16, 0, WIDTH / 4), >, 0);
    g_assert_cmpuint (count_colour (rtl, 16, WIDTH / 2, WIDTH), ==, 0);
    cairo_surface_destroy (ltr);
    cairo_surface_destroy (rtl);
}

static void
test_threshold_and_mark (void)
{
    g_autoptr (RfGraphPaint) paint = rf_graph_paint_new ();
    g_autoptr (RfSeries) series = rf_series_new (200);
    g_autoptr (RfMarks) marks = rf_marks_new ();
    RfGraphView view = new_view (series, NULL, 50, 10);
    cairo_surface_t *surface = NULL;
    double before, after;

    for (guint i = 0; i < 50; i++)
        rf_series_push (series, 1);
    view.threshold[1] = 5;
    view.danger[1] = TRUE;
    view.threshold[2] = 11; /* above the axis: left out */
    view.marks = marks;
    rf_marks_add (marks, 49, RF_MARK_APPLIED, "applied");
    surface = draw (paint, &view, 1);
    g_assert_cmpuint (pixel (surface, 1, (int)rf_graph_paint_y (&view, HEIGHT, 5)) >> 24, >, 100);
    g_assert_cmpuint (count_colour (surface, 8, WIDTH - 6, WIDTH), >=, HEIGHT);
    cairo_surface_destroy (surface);

    before = rf_graph_paint_x (&view, WIDTH, 1, 49);
    for (guint i = 0; i < 10; i++)
        rf_series_push (series, 1);
    after = rf_graph_paint_x (&view, WIDTH, 1, 49);
    g_assert_cmpfloat_with_epsilon (before - after, 10.0 * WIDTH / 49, 1.01);
    for (guint i = 0; i < 50; i++)
        rf_series_push (series, 1);
    g_assert_true (isnan (rf_graph_paint_x (&view, WIDTH, 1, 49)));
}

static void
test_axis (void)
{
    static const struct {
        double largest;
        double lowest;
        gboolean binary;
        double top;
    } cases[] = {
        {0, 20, FALSE, 20},   {NAN, 20, FALSE, 20},  {20, 20, FALSE, 20},     {21, 20, FALSE, 50},
        {51, 20, FALSE, 100}, {100, 20, FALSE, 100}, {0.03, 0.2, FALSE, 0.2}, {1e12, 1, FALSE, 1e12},
        {0, 256, TRUE, 256},  {257, 256, TRUE, 512}, {1024, 256, TRUE, 1024}, {INFINITY, 10, FALSE, 10},
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpfloat_with_epsilon (rf_graph_paint_axis_top (cases[i].largest, cases[i].lowest, cases[i].binary),
                                        cases[i].top, cases[i].top * 1e-9);
}

int
main (int argc, char **argv)
{
    static const struct {
        const char *path;
        guint span;
        guint scale;
    } incremental[] = {
        {"/app/graph-paint/incremental/sparse", 30, 1},  {"/app/graph-paint/incremental/even", 201, 1},
        {"/app/graph-paint/incremental/dense", 700, 1},  {"/app/graph-paint/incremental/hidpi", 60, 2},
        {"/app/graph-paint/incremental/hidpi3", 300, 3}, {"/app/graph-paint/incremental/shared", 1200, 1},
        {"/app/graph-paint/incremental/hour", 14400, 1}, {"/app/graph-paint/incremental/hour-hidpi", 14400, 2},
    };

    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/graph-paint/draws", test_draws);
    for (guint i = 0; i < G_N_ELEMENTS (incremental); i++)
        g_test_add_data_func (incremental[i].path, GUINT_TO_POINTER (incremental[i].scale << 16 | incremental[i].span),
                              test_incremental);
    g_test_add_func ("/app/graph-paint/spike", test_spike);
    g_test_add_func ("/app/graph-paint/stopped", test_stopped);
    g_test_add_func ("/app/graph-paint/number", test_number);
    g_test_add_func ("/app/graph-paint/repaints", test_repaints);
    g_test_add_func ("/app/graph-paint/mirror", test_mirror);
    g_test_add_func ("/app/graph-paint/threshold-and-mark", test_threshold_and_mark);
    g_test_add_func ("/app/graph-paint/axis", test_axis);
    return g_test_run ();
}
