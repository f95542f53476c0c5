/* What a graph says, and that its words never lie on each other nor leave it: drawn without a display. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-graph-face.h"
#include "rf-tunable-text.h"

static const RfGraphStyle style = {
    .line = {{1, 0, 0, 1}, {0, 0, 1, 1}, {0, 0.5, 0, 1}},
    .grid = {0.8, 0.8, 0.8, 1},
    .warning = {1, 0.5, 0, 1},
    .danger = {0.7, 0, 0, 1},
    .mark = {0, 0.6, 0, 1},
    .text = {0, 0, 0, 1},
    .ground = {1, 1, 1, 1},
    .line_width = 2,
    .fill_alpha = 0.2,
};

typedef struct {
    RfGraphFace face;
    RfSeries *series[3];
    RfMarks *marks;
    PangoContext *context;
} Fixture;

static void
set_up (Fixture *f, guint lines, double points)
{
    static const char *const labels[] = {"nvme0n1", "a drive with a long name", "sda"};
    PangoFontDescription *font = pango_font_description_from_string ("Sans");

    rf_graph_face_init (&f->face, RF_MEASURE_BYTES);
    f->face.interval_ms = 250;
    for (guint i = 0; i < lines; i++) {
        f->series[i] = rf_series_new (14400);
        rf_graph_face_add_line (&f->face, f->series[i], lines > 1 ? labels[i] : NULL);
    }
    f->marks = rf_marks_new ();
    rf_graph_face_set_marks (&f->face, f->marks);
    f->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
    pango_font_description_set_size (font, (int)(points * PANGO_SCALE));
    pango_context_set_font_description (f->context, font);
    pango_font_description_free (font);
}

static void
tear_down (Fixture *f, guint lines)
{
    rf_graph_face_clear (&f->face);
    for (guint i = 0; i < lines; i++)
        g_assert_finalize_object (f->series[i]);
    g_assert_finalize_object (f->marks);
    g_object_unref (f->context);
}

static void
push (Fixture *f, guint lines, guint count, double value)
{
    for (guint i = 0; i < count * lines; i++)
        rf_series_push (f->series[i % lines], value * (1 + i % lines));
}

/* Draws and sees that no words lie on others or are cut. Returns: how many words there are */
static guint
draw (Fixture *f, int width, int height, const char *file)
{
    cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *cr = cairo_create (surface);
    const RfGraphBox *box = NULL;
    guint count = 0;

    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_paint (cr);
    rf_graph_face_draw (&f->face, cr, f->context, width, height, 1, &style);
    g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
    box = rf_graph_face_boxes (&f->face, &count);
    for (guint i = 0; i < count; i++) {
        g_assert_cmpfloat (box[i].x, >=, 0);
        g_assert_cmpfloat (box[i].y, >=, 0);
        g_assert_cmpfloat (box[i].x + box[i].width, <=, width);
        g_assert_cmpfloat (box[i].y + box[i].height, <=, height);
        for (guint j = 0; j < i; j++)
            g_assert_true (box[i].x >= box[j].x + box[j].width || box[j].x >= box[i].x + box[i].width
                           || box[i].y >= box[j].y + box[j].height || box[j].y >= box[i].y + box[i].height);
    }
    if (g_getenv ("RF_TEST_PICTURES") != NULL && file != NULL) {
        g_autofree char *path = g_build_filename (g_getenv ("RF_TEST_PICTURES"), file, NULL);

        cairo_surface_write_to_png (surface, path);
    }
    cairo_destroy (cr);
    cairo_surface_destroy (surface);
    return count;
}

/* Every size from a small card to a large screen, 100 % to 200 % text, both directions. */
static void
test_words (void)
{
    static const int widths[] = {120, 300, 328, 1000};
    static const int heights[] = {48, 96, 200, 500};
    static const double points[] = {8, 11, 22};

    for (guint i = 0; i < 4 * 4 * 3 * 2 * 2; i++) {
        const int width = widths[i % 4];
        const int height = heights[i / 4 % 4];
        const guint lines = i / 96 % 2 == 0 ? 1 : 3;
        const guint spans[] = {240, 1200, 14400};
        Fixture f = {0};

        set_up (&f, lines, points[i / 16 % 3]);
        f.face.view.mirrored = i / 48 % 2 == 1;
        f.face.view.span = spans[i % 3];
        push (&f, lines, 14400, 1e9);
        f.face.view.threshold[0] = 3e7;
        f.face.view.threshold[1] = 2.9e7;
        f.face.view.danger[1] = TRUE;
        f.face.view.band[1] = RF_GRAPH_BAND_BELOW;
        f.face.view.threshold[2] = 3.9e9;
        f.face.view.band[2] = RF_GRAPH_BAND_ABOVE;
        for (guint t = 0; t < 3; t++)
            f.face.threshold_label[t] = g_strdup (t == 1 ? "min: programs wait" : "low: the kernel starts clearing");
        for (guint m = 0; m < 20; m++)
            rf_marks_add (f.marks, 14399 - m * m * 20, m % 2 == 0 ? RF_MARK_APPLIED : RF_MARK_TAKEN_BACK,
                          m % 2 == 0 ? "applied" : "taken back");
        draw (&f, width, height, NULL);
        /* the value of the axis is never the one that gives way */
        g_assert_cmpuint (f.face.n_boxes, >=, width >= 300 ? 1 : 0);
        if (width >= 300 && height >= 96 && i / 16 % 3 < 2)
            g_assert_cmpuint (f.face.n_boxes, >=, 3);
        f.face.has_cursor = TRUE;
        for (guint c = 0; c < 240; c += width < 1000 ? 23 : 117) {
            g_autofree char *file = g_strdup_printf ("words-%u-%u.png", i, c);

            f.face.cursor = 14399 - c;
            g_assert_cmpuint (draw (&f, width, height, file), >=, 1);
        }
        tear_down (&f, lines);
    }
}

static void
test_readout (void)
{
    Fixture f = {0};
    g_autofree char *recent = NULL;
    g_autofree char *old = NULL;
    g_autofree char *gap = NULL;
    g_autofree char *now = NULL;

    set_up (&f, 2, 10);
    for (guint i = 0; i < 14400; i++) {
        rf_series_push (f.series[0], i == 5000 ? 3.0 * 1024 * 1024 : i > 13000 && i < 13100 ? NAN : 1024 * 1024);
        rf_series_push (f.series[1], 2048);
    }
    f.face.step = 1;
    now = rf_graph_face_readout (&f.face, 14399, ", ");
    g_assert_cmpstr (now, ==, "now, nvme0n1 1 MiB, a drive with a long name 2 KiB");
    recent = rf_graph_face_readout (&f.face, 14399 - 500, "\n");
    g_assert_cmpstr (recent, ==, "2 min 5 s ago\nnvme0n1 1 MiB\na drive with a long name 2 KiB");
    gap = rf_graph_face_readout (&f.face, 13050, ", ");
    g_assert_nonnull (strstr (gap, "nvme0n1 not available, a drive"));
    /* the spike is in the cell, whichever of its samples the cursor points at */
    f.face.step = 64;
    old = rf_graph_face_readout (&f.face, 5000 / 64 * 64, ", ");
    g_assert_nonnull (strstr (old, "min"));
    g_assert_nonnull (strstr (old, "nvme0n1 1 MiB – 3 MiB, a drive"));
    tear_down (&f, 2);
}

static void
assert_summary (Fixture *f, const char *expected)
{
    g_autofree char *summary = rf_graph_face_summary (&f->face);

    g_assert_cmpstr (summary, ==, expected);
}

static void
test_summary (void)
{
    Fixture f = {0};

    set_up (&f, 1, 10);
    f.face.view.span = 1200;
    assert_summary (&f, "not available");
    push (&f, 1, 1, 3072);
    f.face.view.threshold[0] = 1024;
    f.face.view.band[0] = RF_GRAPH_BAND_BELOW;
    f.face.threshold_label[0] = g_strdup ("min: programs wait");
    push (&f, 1, 39, 2048);
    push (&f, 1, 40, 4096);
    assert_summary (&f, "4 KiB now, lowest 2 KiB in the last 20 seconds, always above “min: programs wait”");
    push (&f, 1, 1, 1000);
    push (&f, 1, 1000, 4096);
    assert_summary (&f, "4 KiB now, lowest 1000 B in the last 5 minutes, at times below “min: programs wait”");
    push (&f, 1, 200, 4096);
    assert_summary (&f, "4 KiB now, lowest 4 KiB in the last 5 minutes, always above “min: programs wait”");
    f.face.view.band[0] = RF_GRAPH_BAND_ABOVE;
    f.face.view.span = 240;
    push (&f, 1, 1, NAN);
    assert_summary (&f, "highest 4 KiB in the last minute, at times above “min: programs wait”");
    f.face.view.threshold[0] = 5000;
    f.face.view.end = 1000;
    push (&f, 1, 10, 8192);
    assert_summary (&f, "highest 4 KiB in the last minute, always below “min: programs wait”");
    tear_down (&f, 1);

    set_up (&f, 2, 10);
    push (&f, 2, 1, 1024);
    f.face.interval_ms = 0;
    assert_summary (&f, "nvme0n1: 1 KiB now, highest 1 KiB lately; a drive with a long name: 2 KiB now, highest 2 KiB "
                        "lately");
    tear_down (&f, 2);
}

/* The band is more than a colour: its hatching has edges, outside there is nothing. */
static void
test_band (void)
{
    for (guint side = RF_GRAPH_BAND_NONE; side <= RF_GRAPH_BAND_ABOVE; side++) {
        Fixture f = {0};
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 200, 100);
        cairo_t *cr = cairo_create (surface);
        guint changes[2] = {0};

        set_up (&f, 1, 8);
        push (&f, 1, 1, 900);
        f.face.view.threshold[0] = 512;
        f.face.view.band[0] = side;
        cairo_set_source_rgb (cr, 1, 1, 1);
        cairo_paint (cr);
        rf_graph_face_draw (&f.face, cr, f.context, 200, 100, 1, &style);
        cairo_surface_flush (surface);
        for (guint half = 0; half < 2; half++) {
            const int y = (int)rf_graph_paint_y (&f.face.view, 100, half == 0 ? 256 : 700);
            const guint32 *row = (const guint32 *)(gconstpointer)(cairo_image_surface_get_data (surface)
                                                                  + y * cairo_image_surface_get_stride (surface));

            for (int x = 1; x < 150; x++)
                changes[half] += row[x] != row[x - 1];
        }
        g_assert_cmpint (changes[0] > 20, ==, side == RF_GRAPH_BAND_BELOW);
        g_assert_cmpint (changes[1] > 20, ==, side == RF_GRAPH_BAND_ABOVE);
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
        tear_down (&f, 1);
    }
}

static void
test_axis (void)
{
    Fixture f = {0};

    set_up (&f, 2, 8);
    g_assert_cmpfloat (rf_graph_face_top (&f.face), ==, 1);
    push (&f, 2, 100, 600);
    g_assert_cmpfloat (rf_graph_face_top (&f.face), ==, 2048);
    f.face.measure = RF_MEASURE_PER_SECOND;
    g_assert_cmpfloat_with_epsilon (rf_graph_face_top (&f.face), 2000, 1e-6);
    /* what was before the time that is shown does not count */
    f.face.view.span = 10;
    push (&f, 2, 100, 1);
    g_assert_cmpfloat (rf_graph_face_top (&f.face), ==, 2);
    f.face.view.end = 100;
    g_assert_cmpfloat_with_epsilon (rf_graph_face_top (&f.face), 2000, 1e-6);
    tear_down (&f, 2);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/graph-face/words", test_words);
    g_test_add_func ("/app/graph-face/readout", test_readout);
    g_test_add_func ("/app/graph-face/summary", test_summary);
    g_test_add_func ("/app/graph-face/band", test_band);
    g_test_add_func ("/app/graph-face/axis", test_axis);
    return g_test_run ();
}
