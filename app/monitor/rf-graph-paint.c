#define G_LOG_DOMAIN "rf-graph-paint"

#include "config.h"

#include "rf-graph-paint.h"

#include <math.h>
#include <string.h>

/* Logical pixels to the right of the newest sample, so that its round end is seen whole. */
#define INSET_END 2
#define INSET_BOTTOM 1.5

struct _RfGraphPaint {
    cairo_surface_t *surface; /* device pixels, transparent where no line is */
    int margin;               /* device pixels of it to the left of what is seen, see margin_for() */
    int width;
    int height;
    int scale;
    RfSeries *series[RF_GRAPH_MAX_LINES]; /* only compared, never used */
    guint n_lines;
    guint span;
    double top;
    double inset_top;
    RfGraphStyle style;
    guint64 total;
    guint segments;
};

RfGraphPaint *
rf_graph_paint_new (void)
{
    return g_new0 (RfGraphPaint, 1);
}

void
rf_graph_paint_free (RfGraphPaint *self)
{
    if (self == NULL)
        return;
    g_clear_pointer (&self->surface, cairo_surface_destroy);
    g_free (self);
}

guint
rf_graph_paint_segments (const RfGraphPaint *self)
{
    return self->segments;
}

double
rf_graph_paint_y (const RfGraphView *view, int height, double value)
{
    const double ratio = CLAMP (value / view->top, 0, 1.02);

    return view->inset_top + (1 - ratio) * (height - view->inset_top - INSET_BOTTOM);
}

double
rf_graph_paint_axis_top (double largest, double lowest, gboolean binary)
{
    static const double tens[] = {1, 2, 5, 10};
    double need = isfinite (largest) ? MAX (largest, lowest) : lowest;
    double base;

    if (!(need > 0))
        need = 1;
    if (binary)
        return exp2 (ceil (log2 (need) - 1e-9));
    base = pow (10, floor (log10 (need)));
    for (guint i = 0; i < G_N_ELEMENTS (tens); i++) {
        if (need <= tens[i] * base * (1 + 1e-9))
            return tens[i] * base;
    }
    return 10 * base;
}

/* Where sample number @index lies on an endless strip of device pixels. Whole pixels, so that the strip can be moved
 * without blurring. */
static gint64
strip_x (guint64 index, int width, guint span)
{
    return (gint64)floor ((double)index * width / (span - 1));
}

/* A segment that is cut off at the edge of an image is rasterised a little differently from a whole one. So the image
 * reaches so far beyond the picture that every segment that is seen at all lies in it whole. */
static int
margin_for (int device_width, guint span, int scale)
{
    return device_width / (int)(span - 1) + 1 + 4 * scale;
}

static guint64
newest_index (const RfGraphView *view)
{
    const guint64 total = view->n_lines > 0 ? rf_series_total (view->series[0]) : 0;

    return total > 0 ? total - 1 : 0;
}

double
rf_graph_paint_mark_x (const RfGraphView *view, int width, int scale, guint64 total)
{
    const guint64 newest = newest_index (view);
    const guint64 index = total > 0 ? total - 1 : 0;
    double x;

    if (total == 0 || index > newest)
        return NAN;
    x = (double)(width * scale - INSET_END * scale
                 - (strip_x (newest, width * scale, view->span) - strip_x (index, width * scale, view->span)))
        / scale;
    if (x < 0)
        return NAN;
    return view->mirrored ? width - x : x;
}

static void
set_color (cairo_t *cr, const RfGraphColor *color, double alpha)
{
    cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * alpha);
}

/* One piece of one line: from the sample before @index to @index. */
static void
paint_segment (RfGraphPaint *self, cairo_t *cr, const RfGraphView *view, guint line, guint64 newest, guint64 index)
{
    const guint back = (guint)(newest - index);
    const double now = rf_series_get (view->series[line], back);
    const double before = index > 0 ? rf_series_get (view->series[line], back + 1) : NAN;
    const int width = self->width * self->scale;
    const int height = self->height * self->scale;
    const double right = self->margin + width - INSET_END * self->scale;
    const gint64 newest_x = strip_x (newest, width, view->span);
    const double x1 = right - (double)(newest_x - strip_x (index, width, view->span));
    double x0, y0, y1;

    if (!isfinite (now))
        return;
    y1 = rf_graph_paint_y (view, self->height, now) * self->scale;
    self->segments++;
    if (!isfinite (before)) {
        /* a single value after a gap is a dot: it would be invisible otherwise */
        set_color (cr, &self->style.line[line], 1);
        cairo_arc (cr, x1, y1, self->style.line_width * self->scale / 2, 0, 2 * G_PI);
        cairo_fill (cr);
        return;
    }
    x0 = right - (double)(newest_x - strip_x (index - 1, width, view->span));
    y0 = rf_graph_paint_y (view, self->height, before) * self->scale;
    if (line == 0 && self->style.fill_alpha > 0 && x1 > x0) {
        set_color (cr, &self->style.line[line], self->style.fill_alpha);
        cairo_move_to (cr, x0, height);
        cairo_line_to (cr, x0, y0);
        cairo_line_to (cr, x1, y1);
        cairo_line_to (cr, x1, height);
        cairo_close_path (cr);
        cairo_fill (cr);
    }
    set_color (cr, &self->style.line[line], 1);
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_stroke (cr);
}

static void
paint_segments (RfGraphPaint *self, const RfGraphView *view, guint64 first, guint64 newest)
{
    cairo_t *cr = cairo_create (self->surface);

    cairo_set_line_width (cr, self->style.line_width * self->scale);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_antialias (cr, CAIRO_ANTIALIAS_FAST);
    for (guint64 index = first; index <= newest; index++) {
        for (guint line = view->n_lines; line-- > 0;)
            paint_segment (self, cr, view, line, newest, index);
    }
    cairo_destroy (cr);
}

/* Moves the picture @dx device pixels to the left and clears what comes free. */
static void
move_picture (RfGraphPaint *self, int dx)
{
    const int width = self->margin + self->width * self->scale;
    const int height = self->height * self->scale;
    unsigned char *data = NULL;
    int stride;

    cairo_surface_flush (self->surface);
    data = cairo_image_surface_get_data (self->surface);
    stride = cairo_image_surface_get_stride (self->surface);
    for (int y = 0; y < height; y++) {
        unsigned char *row = data + (gsize)y * (gsize)stride;

        memmove (row, row + (gsize)dx * 4, (gsize)(width - dx) * 4);
        memset (row + (gsize)(width - dx) * 4, 0, (gsize)dx * 4);
    }
    cairo_surface_mark_dirty (self->surface);
}

static gboolean
picture_fits (const RfGraphPaint *self, int width, int height, int scale, const RfGraphView *view,
              const RfGraphStyle *style)
{
    return self->surface != NULL && self->width == width && self->height == height && self->scale == scale
           && self->n_lines == view->n_lines && self->span == view->span && self->top == view->top
           && self->inset_top == view->inset_top
           && memcmp (self->series, view->series, view->n_lines * sizeof (RfSeries *)) == 0
           /* only numbers, so there is no gap; where bits differ and values do not, it is painted once more
            * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
           && memcmp (&self->style, style, sizeof *style) == 0;
}

static void
renew_picture (RfGraphPaint *self, int width, int height, int scale, const RfGraphView *view, const RfGraphStyle *style)
{
    const int margin = margin_for (width * scale, view->span, scale);

    if (self->surface == NULL || self->width != width || self->height != height || self->scale != scale
        || self->margin != margin) {
        g_clear_pointer (&self->surface, cairo_surface_destroy);
        self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, margin + width * scale, height * scale);
    } else {
        cairo_t *cr = cairo_create (self->surface);

        cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
        cairo_paint (cr);
        cairo_destroy (cr);
    }
    self->margin = margin;
    self->width = width;
    self->height = height;
    self->scale = scale;
    self->n_lines = view->n_lines;
    self->span = view->span;
    self->top = view->top;
    self->inset_top = view->inset_top;
    memset (self->series, 0, sizeof self->series);
    memcpy (self->series, view->series, view->n_lines * sizeof (RfSeries *));
    self->style = *style;
}

static void
update_picture (RfGraphPaint *self, int width, int height, int scale, const RfGraphView *view,
                const RfGraphStyle *style)
{
    const guint64 total = view->n_lines > 0 ? rf_series_total (view->series[0]) : 0;
    const guint64 newest = newest_index (view);
    const int device_width = width * scale;
    /* round ends reach over the edge, so a little more than the span is painted */
    const guint64 extra = 2 + (guint64)(4 * scale * (view->span - 1)) / (guint64)device_width;
    gint64 dx = 0;

    self->segments = 0;
    if (picture_fits (self, width, height, scale, view, style) && total >= self->total && self->total > 0) {
        dx = strip_x (newest, device_width, view->span) - strip_x (self->total - 1, device_width, view->span);
        if (dx < device_width) {
            const guint64 first = self->total;

            if (dx > 0)
                move_picture (self, (int)dx);
            if (total > first)
                paint_segments (self, view, first, newest);
            self->total = total;
            return;
        }
    }
    renew_picture (self, width, height, scale, view, style);
    if (total > 0)
        paint_segments (self, view, newest > view->span + extra ? newest - view->span - extra : 0, newest);
    self->total = total;
}

static void
draw_grid (cairo_t *cr, int width, int height, const RfGraphView *view, const RfGraphStyle *style)
{
    set_color (cr, &style->grid, 1);
    cairo_set_line_width (cr, 1);
    for (guint i = 0; i <= 2; i++) {
        const double y = floor (rf_graph_paint_y (view, height, view->top * i / 2)) + 0.5;

        cairo_move_to (cr, 0, y);
        cairo_line_to (cr, width, y);
    }
    cairo_stroke (cr);
}

static void
draw_thresholds (cairo_t *cr, int width, int height, const RfGraphView *view, const RfGraphStyle *style)
{
    static const double warning_dash[] = {5, 3};
    static const double danger_dash[] = {2, 2};

    cairo_set_line_width (cr, 1.5);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        double y;

        if (!isfinite (view->threshold[i]) || view->threshold[i] > view->top)
            continue;
        y = rf_graph_paint_y (view, height, view->threshold[i]);
        set_color (cr, view->danger[i] ? &style->danger : &style->warning, 1);
        cairo_set_dash (cr, view->danger[i] ? danger_dash : warning_dash, 2, 0);
        cairo_move_to (cr, 0, y);
        cairo_line_to (cr, width, y);
        cairo_stroke (cr);
    }
    cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_marks (cairo_t *cr, int width, int height, int scale, const RfGraphView *view, const RfGraphStyle *style)
{
    set_color (cr, &style->mark, 1);
    cairo_set_line_width (cr, 2);
    for (guint i = 0; i < RF_GRAPH_MAX_MARKS; i++) {
        const double x = rf_graph_paint_mark_x (view, width, scale, view->mark[i]);

        if (!isfinite (x))
            continue;
        cairo_move_to (cr, x, 0);
        cairo_line_to (cr, x, height);
        cairo_stroke (cr);
    }
}

void
rf_graph_paint_draw (RfGraphPaint *self, cairo_t *cr, int width, int height, int scale, const RfGraphView *view,
                     const RfGraphStyle *style)
{
    g_return_if_fail (self != NULL && view->span >= 2 && view->top > 0);
    g_return_if_fail (view->n_lines <= RF_GRAPH_MAX_LINES && scale >= 1);

    if (width <= 0 || height <= 0)
        return;
    update_picture (self, width, height, scale, view, style);

    draw_grid (cr, width, height, view, style);
    cairo_save (cr);
    cairo_rectangle (cr, 0, 0, width, height);
    cairo_clip (cr);
    if (view->mirrored) {
        cairo_translate (cr, width, 0);
        cairo_scale (cr, -1, 1);
    }
    cairo_scale (cr, 1.0 / scale, 1.0 / scale);
    cairo_set_source_surface (cr, self->surface, -self->margin, 0);
    cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
    cairo_paint (cr);
    cairo_restore (cr);
    draw_thresholds (cr, width, height, view, style);
    draw_marks (cr, width, height, scale, view, style);
}
