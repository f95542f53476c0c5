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
    guint step;
    double top;
    double inset_top;
    double inset_bottom;
    RfGraphStyle style;
    guint64 cells; /* how many were there: the newest one painted is one less */
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

void
rf_graph_paint_forget (RfGraphPaint *self)
{
    g_clear_pointer (&self->surface, cairo_surface_destroy);
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

    return view->inset_top + (1 - ratio) * (height - view->inset_top - view->inset_bottom - INSET_BOTTOM);
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

/* Samples that may share a cell before the picture loses something: a cell is about a pixel wide. */
#define CELLS_PER_PIXEL 1.34

guint
rf_graph_paint_step (const RfGraphView *view, int width, int scale)
{
    guint64 total;

    if (view->n_lines == 0)
        return 1;
    total = rf_series_total (view->series[0]);
    return rf_series_step (view->series[0], view->span + total - rf_graph_paint_end (view),
                           (double)view->span / (width * scale) * CELLS_PER_PIXEL);
}

guint64
rf_graph_paint_end (const RfGraphView *view)
{
    const guint64 total = view->n_lines > 0 ? rf_series_total (view->series[0]) : 0;

    return view->end > 0 ? MIN (view->end, total) : total;
}

/* Where sample @number lies on an endless strip of device pixels. Whole pixels, so that the strip can be moved without
 * blurring. */
static gint64
strip_x (guint64 number, int width, guint span)
{
    return (gint64)floor ((double)number * width / (span - 1));
}

/* A segment that is cut off at the edge of an image is rasterised a little differently from a whole one. So the image
 * reaches so far beyond the picture that every segment that is seen at all lies in it whole. */
static int
margin_for (int device_width, guint span, guint step, int scale)
{
    return (int)((gint64)device_width * step / (span - 1)) + 1 + 4 * scale;
}

/* A cell lies where its last sample does. */
static guint64
cell_number (guint64 cell, guint step)
{
    return cell * step + step - 1;
}

/* The last sample that the picture shows: that of the newest cell that is full. */
static guint64
newest_shown (const RfGraphView *view, guint step)
{
    const guint64 cells = rf_graph_paint_end (view) / step;

    return cells > 0 ? cell_number (cells - 1, step) : 0;
}

double
rf_graph_paint_x (const RfGraphView *view, int width, int scale, guint64 number)
{
    const guint step = rf_graph_paint_step (view, width, scale);
    const guint64 newest = newest_shown (view, step);
    double x;

    if (number >= rf_graph_paint_end (view))
        return NAN;
    x = (double)(width * scale - INSET_END * scale
                 - (strip_x (newest, width * scale, view->span)
                    - strip_x (MIN (number, newest), width * scale, view->span)))
        / scale;
    if (x < 0)
        return NAN;
    return view->mirrored ? width - x : x;
}

gboolean
rf_graph_paint_number (const RfGraphView *view, int width, int scale, double x, guint64 *number)
{
    const guint64 end = rf_graph_paint_end (view);
    const guint64 newest = newest_shown (view, rf_graph_paint_step (view, width, scale));
    const double from_right = (view->mirrored ? x : width - x) - INSET_END;
    const double back = CLAMP (round (from_right * (view->span - 1) / width), 0, view->span - 1.0);

    if (end == 0 || width <= 0 || back > (double)newest)
        return FALSE;
    *number = newest - (guint64)back;
    return TRUE;
}

static void
set_color (cairo_t *cr, const RfGraphColor *color, double alpha)
{
    cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * alpha);
}

static double
device_y (const RfGraphPaint *self, const RfGraphView *view, double value)
{
    return rf_graph_paint_y (view, self->height, value) * self->scale;
}

static void
paint_fill (RfGraphPaint *self, cairo_t *cr, double x0, double y0, double x1, double y1)
{
    const double height = (self->height - self->inset_bottom) * self->scale;

    set_color (cr, &self->style.line[0], self->style.fill_alpha);
    cairo_move_to (cr, x0, height);
    cairo_line_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_line_to (cr, x1, height);
    cairo_close_path (cr);
    cairo_fill (cr);
}

/* One piece of one line: from the cell before @index to @index. Where several samples share a cell, it is the band
 * between their least and their greatest. */
static void
paint_segment (RfGraphPaint *self, cairo_t *cr, const RfGraphView *view, guint line, guint64 newest, guint64 index)
{
    const int width = self->width * self->scale;
    const double right = self->margin + width - INSET_END * self->scale;
    const gint64 newest_x = strip_x (cell_number (newest, self->step), width, view->span);
    const double x1 = right - (double)(newest_x - strip_x (cell_number (index, self->step), width, view->span));
    RfSeriesCell now, before;
    double x0, high0, low0, high1, low1;

    if (!rf_series_cell (view->series[line], self->step, index, &now))
        return;
    self->segments++;
    high1 = device_y (self, view, now.max);
    low1 = device_y (self, view, now.min);
    if (index == 0 || !rf_series_cell (view->series[line], self->step, index - 1, &before)) {
        /* a single value after a gap is a dot: it would be invisible otherwise */
        set_color (cr, &self->style.line[line], 1);
        if (high1 < low1) {
            cairo_move_to (cr, x1, high1);
            cairo_line_to (cr, x1, low1);
            cairo_stroke (cr);
        } else {
            cairo_arc (cr, x1, high1, self->style.line_width * self->scale / 2, 0, 2 * G_PI);
            cairo_fill (cr);
        }
        return;
    }
    x0 = right - (double)(newest_x - strip_x (cell_number (index - 1, self->step), width, view->span));
    high0 = device_y (self, view, before.max);
    low0 = device_y (self, view, before.min);
    if (line == 0 && self->style.fill_alpha > 0 && x1 > x0)
        paint_fill (self, cr, x0, high0, x1, high1);
    set_color (cr, &self->style.line[line], 1);
    cairo_move_to (cr, x0, high0);
    cairo_line_to (cr, x1, high1);
    if (high0 < low0 || high1 < low1) {
        cairo_line_to (cr, x1, low1);
        cairo_line_to (cr, x0, low0);
        cairo_close_path (cr);
        /* where cells are narrow the outline covers it all */
        if (x1 - x0 > self->style.line_width * self->scale)
            cairo_fill_preserve (cr);
    }
    cairo_stroke (cr);
}

static void
paint_segments (RfGraphPaint *self, const RfGraphView *view, guint64 first, guint64 newest)
{
    cairo_t *cr = cairo_create (self->surface);

    cairo_set_line_width (cr, self->style.line_width * self->scale);
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
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
picture_fits (const RfGraphPaint *self, int width, int height, int scale, guint step, const RfGraphView *view,
              const RfGraphStyle *style)
{
    return self->surface != NULL && self->width == width && self->height == height && self->scale == scale
           && self->n_lines == view->n_lines && self->span == view->span && self->step == step && self->top == view->top
           && self->inset_top == view->inset_top && self->inset_bottom == view->inset_bottom
           && memcmp (self->series, view->series, view->n_lines * sizeof (RfSeries *)) == 0
           /* only numbers, so there is no gap; where bits differ and values do not, it is painted once more
            * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
           && memcmp (&self->style, style, sizeof *style) == 0;
}

static void
renew_picture (RfGraphPaint *self, int width, int height, int scale, guint step, const RfGraphView *view,
               const RfGraphStyle *style)
{
    const int margin = margin_for (width * scale, view->span, step, scale);

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
    self->step = step;
    self->top = view->top;
    self->inset_top = view->inset_top;
    self->inset_bottom = view->inset_bottom;
    memset (self->series, 0, sizeof self->series);
    memcpy (self->series, view->series, view->n_lines * sizeof (RfSeries *));
    self->style = *style;
}

static void
update_picture (RfGraphPaint *self, int width, int height, int scale, const RfGraphView *view,
                const RfGraphStyle *style)
{
    const guint step = rf_graph_paint_step (view, width, scale);
    const guint64 cells = rf_graph_paint_end (view) / step;
    const int device_width = width * scale;
    /* round ends reach over the edge, so a little more than the span is painted */
    const guint64 seen = (view->span + (guint64)(4 * scale * (view->span - 1)) / (guint64)device_width) / step + 3;
    gint64 dx = 0;

    self->segments = 0;
    if (picture_fits (self, width, height, scale, step, view, style) && cells >= self->cells && self->cells > 0) {
        dx = strip_x (cell_number (cells - 1, step), device_width, view->span)
             - strip_x (cell_number (self->cells - 1, step), device_width, view->span);
        if (dx < device_width) {
            if (dx > 0)
                move_picture (self, (int)dx);
            if (cells > self->cells)
                paint_segments (self, view, self->cells, cells - 1);
            self->cells = cells;
            return;
        }
    }
    renew_picture (self, width, height, scale, step, view, style);
    if (cells > 0)
        paint_segments (self, view, cells > seen ? cells - seen : 0, cells - 1);
    self->cells = cells;
}

static void
draw_grid (cairo_t *cr, int width, int height, const RfGraphView *view, const RfGraphStyle *style)
{
    const guint divisions = view->divisions > 0 ? view->divisions : 2;

    set_color (cr, &style->grid, 1);
    cairo_set_line_width (cr, 1);
    for (guint i = 0; i <= divisions; i++) {
        const double y = floor (rf_graph_paint_y (view, height, view->top * i / divisions)) + 0.5;

        cairo_move_to (cr, 0, y);
        cairo_line_to (cr, width, y);
    }
    cairo_stroke (cr);
}

/* Logical pixels from one line of the hatching to the next. */
#define HATCHING 7

/* Not by colour alone: tinted and hatched. */
static void
draw_bands (cairo_t *cr, int width, int height, const RfGraphView *view, const RfGraphStyle *style)
{
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        const RfGraphColor *color = view->danger[i] ? &style->danger : &style->warning;
        double edge, top, bottom;

        if (view->band[i] == RF_GRAPH_BAND_NONE || !isfinite (view->threshold[i]) || view->threshold[i] > view->top)
            continue;
        edge = rf_graph_paint_y (view, height, view->threshold[i]);
        top = view->band[i] == RF_GRAPH_BAND_ABOVE ? view->inset_top : edge;
        bottom = view->band[i] == RF_GRAPH_BAND_ABOVE ? edge : height - view->inset_bottom;
        cairo_save (cr);
        cairo_rectangle (cr, 0, top, width, bottom - top);
        cairo_clip (cr);
        set_color (cr, color, 0.1);
        cairo_paint (cr);
        set_color (cr, color, 0.4);
        cairo_set_line_width (cr, 1);
        for (guint line = 0; line * HATCHING < width + bottom - top; line++) {
            const double x = line * HATCHING - (bottom - top);

            cairo_move_to (cr, x, bottom);
            cairo_line_to (cr, x + bottom - top, top);
        }
        cairo_stroke (cr);
        cairo_restore (cr);
    }
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
    static const double taken_back_dash[] = {4, 3};

    if (view->marks == NULL)
        return;
    set_color (cr, &style->mark, 1);
    cairo_set_line_width (cr, 2);
    for (guint i = 0; i < rf_marks_count (view->marks); i++) {
        const RfMark *mark = rf_marks_get (view->marks, i);
        const double x = rf_graph_paint_x (view, width, scale, mark->number);

        if (!isfinite (x))
            continue;
        cairo_set_dash (cr, taken_back_dash, mark->kind == RF_MARK_TAKEN_BACK ? 2 : 0, 0);
        cairo_move_to (cr, x, view->inset_top);
        cairo_line_to (cr, x, height - view->inset_bottom);
        cairo_stroke (cr);
    }
    cairo_set_dash (cr, NULL, 0, 0);
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
    draw_bands (cr, width, height, view, style);
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
