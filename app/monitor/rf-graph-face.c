#define G_LOG_DOMAIN "rf-graph-face"

#include "config.h"

#include "rf-graph-face.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-tunable-text.h"

/* Layouts of words that are kept: those of the cursor change all the time. */
#define MAX_LAYOUTS 64
/* Logical pixels around the words at the cursor. */
#define PADDING 6
/* Logical pixels between words beside each other. */
#define WORD_SPACE 4
/* Rows in which the words of marks may stand: further down nobody would see where they belong. */
#define MARK_ROWS 2
/* A plot of so many lines of text has room for times below it, and for values at every line of its grid. */
#define TALL_LINES 9

/* What one drawing needs everywhere. */
typedef struct {
    RfGraphFace *face;
    cairo_t *cr;
    PangoContext *context;
    int width;
    int height;
    int scale;
    int line_height;
    const RfGraphStyle *style;
} Canvas;

void
rf_graph_face_init (RfGraphFace *self, RfMeasure measure)
{
    *self = (RfGraphFace){
        .view = {.span = 300, .top = 1},
        .measure = measure,
        .floor = 1,
        .legend = TRUE,
        .paint = rf_graph_paint_new (),
        .layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref),
        .step = 1,
    };
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        self->view.threshold[i] = NAN;
}

void
rf_graph_face_clear (RfGraphFace *self)
{
    rf_graph_face_remove_lines (self);
    g_clear_object (&self->view.marks);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        g_clear_pointer (&self->threshold_label[i], g_free);
    g_clear_pointer (&self->paint, rf_graph_paint_free);
    g_clear_pointer (&self->layouts, g_hash_table_unref);
}

gboolean
rf_graph_face_add_line (RfGraphFace *self, RfSeries *series, const char *label)
{
    g_return_val_if_fail (RF_IS_SERIES (series), FALSE);

    if (self->view.n_lines == RF_GRAPH_MAX_LINES)
        return FALSE;
    self->line_label[self->view.n_lines] = g_strdup (label);
    self->view.series[self->view.n_lines++] = g_object_ref (series);
    return TRUE;
}

void
rf_graph_face_set_series (RfGraphFace *self, guint line, RfSeries *series)
{
    g_return_if_fail (line < self->view.n_lines);

    /* a new series may lie where one was that is painted still */
    rf_graph_paint_forget (self->paint);
    g_set_object (&self->view.series[line], series);
}

void
rf_graph_face_remove_lines (RfGraphFace *self)
{
    for (guint i = 0; i < self->view.n_lines; i++) {
        g_clear_object (&self->view.series[i]);
        g_clear_pointer (&self->line_label[i], g_free);
    }
    self->view.n_lines = 0;
}

void
rf_graph_face_set_marks (RfGraphFace *self, RfMarks *marks)
{
    g_set_object (&self->view.marks, marks);
}

void
rf_graph_face_forget_words (RfGraphFace *self)
{
    g_hash_table_remove_all (self->layouts);
}

double
rf_graph_face_top (const RfGraphFace *self)
{
    const guint64 end = rf_graph_paint_end (&self->view);
    double largest = NAN;

    for (guint i = 0; i < self->view.n_lines; i++) {
        double low, high;

        if (rf_series_range_between (self->view.series[i], end - MIN (end, self->view.span), end, &low, &high))
            largest = fmax (largest, high);
    }
    /* a ratio ends at 1: an axis to "200 %" would be nonsense */
    if (self->measure == RF_MEASURE_RATIO && largest <= 1)
        return MIN (1, rf_graph_paint_axis_top (largest, self->floor, FALSE));
    return rf_graph_paint_axis_top (largest, self->floor, self->measure == RF_MEASURE_BYTES);
}

const RfGraphBox *
rf_graph_face_boxes (const RfGraphFace *self, guint *count)
{
    *count = self->n_boxes;
    return self->box;
}

guint
rf_graph_face_dropped (const RfGraphFace *self)
{
    return self->n_dropped;
}

/* ---- words and their places ---- */

static PangoLayout *
layout_of (Canvas *canvas, const char *text)
{
    RfGraphFace *self = canvas->face;
    PangoLayout *layout = g_hash_table_lookup (self->layouts, text);

    if (layout == NULL) {
        if (g_hash_table_size (self->layouts) >= MAX_LAYOUTS)
            g_hash_table_remove_all (self->layouts);
        layout = pango_layout_new (canvas->context);
        pango_layout_set_text (layout, text, -1);
        g_hash_table_insert (self->layouts, g_strdup (text), layout);
    }
    return layout;
}

static gboolean
is_free (const Canvas *canvas, const RfGraphBox *box)
{
    const RfGraphFace *self = canvas->face;

    if (box->x < 0 || box->y < 0 || box->x + box->width > canvas->width || box->y + box->height > canvas->height)
        return FALSE;
    for (guint i = 0; i < self->n_boxes; i++) {
        const RfGraphBox *other = &self->box[i];

        if (box->x < other->x + other->width + WORD_SPACE && other->x < box->x + box->width + WORD_SPACE
            && box->y < other->y + other->height && other->y < box->y + box->height)
            return FALSE;
    }
    return self->n_boxes < RF_GRAPH_MAX_BOXES;
}

static void
set_color (const Canvas *canvas, const RfGraphColor *color, double alpha)
{
    cairo_set_source_rgba (canvas->cr, color->red, color->green, color->blue, color->alpha * alpha);
}

static void
draw_layout (const Canvas *canvas, PangoLayout *layout, double x, double y, const RfGraphColor *color)
{
    set_color (canvas, color, 1);
    cairo_move_to (canvas->cr, x, y);
    pango_cairo_show_layout (canvas->cr, layout);
}

/* Puts words at @x, @y (seen from the left, whatever the direction) if nothing is there yet. */
static gboolean
place (Canvas *canvas, PangoLayout *layout, double x, double y, const RfGraphColor *color)
{
    RfGraphBox box = {.x = x, .y = y};
    int w, h;

    pango_layout_get_pixel_size (layout, &w, &h);
    box.width = w;
    box.height = h;
    if (!is_free (canvas, &box))
        return FALSE;
    canvas->face->box[canvas->face->n_boxes++] = box;
    /* lines and hatching go through under words; they must not make them hard to read */
    if (y >= canvas->face->view.inset_top) {
        set_color (canvas, &canvas->style->ground, 0.75);
        cairo_rectangle (canvas->cr, box.x, box.y, box.width, box.height);
        cairo_fill (canvas->cr);
    }
    draw_layout (canvas, layout, x, y, color);
    return TRUE;
}

static int
text_width (PangoLayout *layout)
{
    int w;

    pango_layout_get_pixel_size (layout, &w, NULL);
    return w;
}

/* @from_start: distance from where reading begins */
static double
from_start (const Canvas *canvas, double distance, int width)
{
    return canvas->face->view.mirrored ? canvas->width - distance - width : distance;
}

static void
draw_axis_words (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;
    g_autofree char *top = rf_graph_face_value (self, self->view.top);
    PangoLayout *layout = layout_of (canvas, top);

    if (!place (canvas, layout, from_start (canvas, 0, text_width (layout)), 0, &canvas->style->text))
        self->n_dropped++;
}

static void
draw_grid_words (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;

    for (guint i = 1; i < self->view.divisions; i++) {
        const double value = self->view.top * i / self->view.divisions;
        g_autofree char *text = rf_graph_face_value (self, value);
        PangoLayout *layout = layout_of (canvas, text);
        const double y = rf_graph_paint_y (&self->view, canvas->height, value) - canvas->line_height - 1;

        place (canvas, layout, from_start (canvas, 0, text_width (layout)), y, &canvas->style->text);
    }
}

/* From the far end towards the axis label, as long as there is room. */
static void
draw_legend (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;
    double distance = 0;

    for (guint i = self->legend ? self->view.n_lines : 0; i-- > 0;) {
        PangoLayout *layout = self->line_label[i] != NULL ? layout_of (canvas, self->line_label[i]) : NULL;
        int w;

        if (layout == NULL)
            continue;
        w = text_width (layout);
        if (!place (canvas, layout, from_start (canvas, canvas->width - distance - w, w), 0, &canvas->style->line[i])) {
            self->n_dropped++;
            return;
        }
        distance += w + 12;
    }
}

/* Where words at a line at @y stand, so that no other threshold line goes through them. */
static double
beside_lines (const Canvas *canvas, double y, gboolean below)
{
    const RfGraphView *view = &canvas->face->view;
    double words_y = below ? y + 2 : y - canvas->line_height - 1;

    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        const double other = rf_graph_paint_y (view, canvas->height, view->threshold[i]);

        if (isfinite (other) && view->threshold[i] <= view->top && other > words_y
            && other < words_y + canvas->line_height)
            words_y = below ? other + 2 : other - canvas->line_height - 1;
    }
    return words_y;
}

/* Threshold words stand at their line, outside its band; the second one at the far end, so that two lines that lie
 * close to each other do not write over each other. */
static void
draw_threshold (Canvas *canvas, guint index, gboolean at_end)
{
    RfGraphFace *self = canvas->face;
    const RfGraphColor *color = self->view.danger[index] ? &canvas->style->danger : &canvas->style->warning;
    const double y = rf_graph_paint_y (&self->view, canvas->height, self->view.threshold[index]);
    const gboolean below_first = self->view.band[index] == RF_GRAPH_BAND_ABOVE;
    PangoLayout *layout = layout_of (canvas, self->threshold_label[index]);
    const int w = text_width (layout);

    for (guint i = 0; i < 4; i++) {
        const gboolean below = (i / 2 == 1) != below_first;
        const gboolean end = (i % 2 == 1) != at_end;
        const double x = from_start (canvas, end ? canvas->width - w - 2 : 2, w);
        const double words_y = beside_lines (canvas, y, below);

        if (words_y >= self->view.inset_top && words_y + canvas->line_height <= canvas->height - self->view.inset_bottom
            && place (canvas, layout, x, words_y, color))
            return;
    }
    self->n_dropped++;
}

static void
draw_threshold_words (Canvas *canvas)
{
    const RfGraphView *view = &canvas->face->view;
    guint seen = 0;

    /* what is dangerous comes first, should there be no room for both */
    for (guint round = 0; round < 2; round++) {
        for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
            if (view->danger[i] == (round == 0) && isfinite (view->threshold[i]) && view->threshold[i] <= view->top
                && canvas->face->threshold_label[i] != NULL)
                draw_threshold (canvas, i, seen++ % 2 == 1);
        }
    }
}

/* The newest first: of many marks it is the one that somebody looks for. */
static void
draw_mark_words (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;

    for (guint i = self->view.marks != NULL ? rf_marks_count (self->view.marks) : 0; i-- > 0;) {
        const RfMark *mark = rf_marks_get (self->view.marks, i);
        const double x = rf_graph_paint_x (&self->view, canvas->width, canvas->scale, mark->number);
        PangoLayout *layout = NULL;
        gboolean placed = FALSE;
        int w;

        if (!isfinite (x))
            continue;
        layout = layout_of (canvas, mark->label);
        w = text_width (layout);
        for (int row = 0; !placed && row * (canvas->line_height + 2) <= MARK_ROWS * canvas->line_height; row++) {
            const double y = row * (canvas->line_height + 2);

            placed = place (canvas, layout, x + 5, y, &canvas->style->mark)
                     || place (canvas, layout, x - 5 - w, y, &canvas->style->mark);
        }
    }
}

/* ---- time ---- */

/* @middle: of the words, as if time went to the right */
static void
draw_time_at (Canvas *canvas, double middle, const char *words)
{
    RfGraphFace *self = canvas->face;
    PangoLayout *layout = layout_of (canvas, words);
    const int w = text_width (layout);
    double x;

    if (self->view.mirrored)
        middle = canvas->width - middle;
    x = CLAMP (middle - w / 2.0, 0, MAX (0, canvas->width - w));
    if (place (canvas, layout, x, canvas->height - canvas->line_height, &canvas->style->text)) {
        set_color (canvas, &canvas->style->grid, 1);
        cairo_set_line_width (canvas->cr, 1);
        cairo_move_to (canvas->cr, floor (middle) + 0.5, canvas->height - self->view.inset_bottom);
        cairo_line_to (canvas->cr, floor (middle) + 0.5, canvas->height - self->view.inset_bottom + 4);
        cairo_stroke (canvas->cr);
    }
}

static double
newest_x (Canvas *canvas)
{
    return canvas->width - 2.0;
}

static void
draw_time (Canvas *canvas, double ago_s, const char *words)
{
    RfGraphFace *self = canvas->face;

    draw_time_at (canvas, newest_x (canvas) - ago_s * 1000 / self->interval_ms * canvas->width / (self->view.span - 1),
                  words);
}

static const guint time_steps_s[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800};

/* Round distances that leave room for the words. */
static guint
time_step_s (Canvas *canvas, double span_s, double lines)
{
    guint step = 0;

    while (step + 1 < G_N_ELEMENTS (time_steps_s)
           && canvas->width * time_steps_s[step] / span_s < lines * canvas->line_height)
        step++;
    return time_steps_s[step];
}

/* Round moments, as a clock has them. */
static void
draw_moments (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;
    const RfMoments *moments = &self->moments;
    const double span_us = (self->view.span - 1.0) * moments->step_us;
    const gint64 step_us = G_USEC_PER_SEC * (gint64)time_step_s (canvas, span_us / G_USEC_PER_SEC, 8);
    gint64 offset_us = 0;

    if (moments->wall) {
        g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (moments->start_us / G_USEC_PER_SEC);
        g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

        offset_us = local != NULL ? g_date_time_get_utc_offset (local) : 0;
    }
    for (gint64 us = (moments->start_us + offset_us) / step_us * step_us - offset_us;
         us <= moments->start_us + (gint64)span_us; us += step_us) {
        const double back = span_us - (double)(us - moments->start_us);
        g_autofree char *words = NULL;

        if (us < moments->start_us)
            continue;
        words = rf_graph_face_moment (us, moments->wall, FALSE);
        draw_time_at (canvas, newest_x (canvas) - back / span_us * canvas->width, words);
    }
}

static void
draw_times (Canvas *canvas)
{
    RfGraphFace *self = canvas->face;
    const gboolean stopped = self->view.end > 0;
    const double span_s = (self->view.span - 1.0) * self->interval_ms / 1000;
    guint step_s;

    if (self->moments.step_us > 0) {
        draw_moments (canvas);
        return;
    }
    /* Translators: below a graph whose time has been stopped, where otherwise "now" stands */
    draw_time (canvas, 0, stopped ? C_ ("graph", "stopped") : C_ ("graph", "now"));
    step_s = time_step_s (canvas, span_s, 8);
    for (guint ago_s = step_s; ago_s <= span_s * 1.01; ago_s += step_s) {
        g_autofree char *duration = rf_format_duration (ago_s);
        g_autofree char *words = NULL;

        /* Translators: a moment in a graph that has been stopped: so long before it was; the first is a minus sign */
        words = g_strdup_printf (stopped ? C_ ("graph", "−%s") : C_ ("graph", "%s ago"), duration);
        draw_time (canvas, ago_s, words);
    }
}

/* ---- cursor ---- */

static void
draw_cursor_line (Canvas *canvas, double x)
{
    RfGraphFace *self = canvas->face;

    set_color (canvas, &canvas->style->text, 0.7);
    cairo_set_line_width (canvas->cr, 1);
    cairo_move_to (canvas->cr, floor (x) + 0.5, self->view.inset_top);
    cairo_line_to (canvas->cr, floor (x) + 0.5, canvas->height - self->view.inset_bottom);
    cairo_stroke (canvas->cr);
    for (guint i = self->view.n_lines; i-- > 0;) {
        RfSeriesCell cell;

        if (!rf_graph_face_cell (self, i, self->cursor, &cell))
            continue;
        cairo_arc (canvas->cr, x, rf_graph_paint_y (&self->view, canvas->height, cell.max), 3.5, 0, 2 * G_PI);
        set_color (canvas, &canvas->style->ground, 1);
        cairo_fill_preserve (canvas->cr);
        set_color (canvas, &canvas->style->line[i], 1);
        cairo_set_line_width (canvas->cr, 2);
        cairo_stroke (canvas->cr);
    }
}

/* Its own layout: one below the other if that fits, else in a row that is broken where it must be. */
static PangoLayout *
readout_layout (Canvas *canvas, int *w, int *h)
{
    PangoLayout *layout = pango_layout_new (canvas->context);
    const int room = MAX (1, canvas->width - 2 * PADDING);
    const int height = MAX (1, canvas->height - 2 * PADDING);
    g_autofree char *column = rf_graph_face_readout (canvas->face, canvas->face->cursor, "\n");

    pango_layout_set_text (layout, column, -1);
    pango_layout_get_pixel_size (layout, w, h);
    if (*w > room || *h > height) {
        g_autofree char *row = rf_graph_face_readout (canvas->face, canvas->face->cursor, " · ");

        pango_layout_set_text (layout, row, -1);
        pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
        pango_layout_set_width (layout, room * PANGO_SCALE);
        pango_layout_set_height (layout, height * PANGO_SCALE);
        pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
        pango_layout_get_pixel_size (layout, w, h);
        if (pango_layout_get_line_count (layout) > 1)
            *w = room;
        else
            pango_layout_set_width (layout, *w * PANGO_SCALE);
        canvas->face->n_dropped += pango_layout_is_ellipsized (layout) ? 1 : 0;
    }
    return layout;
}

/* Beside the cursor, on the side where there is more room; its place is taken before all other words'. */
static PangoLayout *
place_readout (Canvas *canvas, double x, RfGraphBox *box)
{
    PangoLayout *layout = NULL;
    int w, h;

    layout = readout_layout (canvas, &w, &h);
    box->width = MIN (w + 2 * PADDING, canvas->width);
    box->height = MIN (h + 2 * PADDING, canvas->height);
    box->x = x < canvas->width / 2.0 ? x + PADDING + 2 : x - PADDING - 2 - box->width;
    box->x = floor (CLAMP (box->x, 0, canvas->width - box->width));
    box->y = MIN (canvas->face->view.inset_top, canvas->height - box->height);
    canvas->face->box[canvas->face->n_boxes++] = *box;
    return layout;
}

static void
draw_readout (Canvas *canvas, PangoLayout *layout, const RfGraphBox *box)
{
    cairo_rectangle (canvas->cr, box->x + 0.5, box->y + 0.5, box->width - 1, box->height - 1);
    set_color (canvas, &canvas->style->ground, 1);
    cairo_fill_preserve (canvas->cr);
    set_color (canvas, &canvas->style->text, 0.5);
    cairo_set_line_width (canvas->cr, 1);
    cairo_stroke (canvas->cr);
    draw_layout (canvas, layout, box->x + PADDING, box->y + PADDING, &canvas->style->text);
}

void
rf_graph_face_draw (RfGraphFace *self, cairo_t *cr, PangoContext *context, int width, int height, int scale,
                    const RfGraphStyle *style)
{
    Canvas canvas = {self, cr, context, width, height, scale, 0, style};
    g_autoptr (PangoLayout) readout = NULL;
    RfGraphBox readout_box = {0};
    double cursor_x = NAN;
    gboolean tall;

    if (width <= 0 || height <= 0)
        return;
    pango_layout_get_pixel_size (layout_of (&canvas, "0"), NULL, &canvas.line_height);
    tall = height >= TALL_LINES * canvas.line_height;
    self->n_boxes = 0;
    self->n_dropped = 0;
    self->view.top = rf_graph_face_top (self);
    self->view.inset_top = canvas.line_height + 2;
    self->view.inset_bottom = tall && (self->interval_ms > 0 || self->moments.step_us > 0) ? canvas.line_height + 5 : 0;
    /* a top of 5 has quarters that nobody can say */
    self->view.divisions = !tall                                                                         ? 2
                           : fabs (self->view.top / pow (10, floor (log10 (self->view.top))) - 5) < 0.01 ? 5
                                                                                                         : 4;
    self->step = rf_graph_paint_step (&self->view, width, scale);

    rf_graph_paint_draw (self->paint, cr, width, height, scale, &self->view, style);
    if (self->has_cursor)
        cursor_x = rf_graph_paint_x (&self->view, width, scale, self->cursor);
    if (isfinite (cursor_x))
        readout = place_readout (&canvas, cursor_x, &readout_box);
    draw_axis_words (&canvas);
    draw_threshold_words (&canvas);
    draw_legend (&canvas);
    if (self->view.inset_bottom > 0)
        draw_times (&canvas);
    draw_mark_words (&canvas);
    if (tall)
        draw_grid_words (&canvas);
    if (readout != NULL) {
        draw_cursor_line (&canvas, cursor_x);
        draw_readout (&canvas, readout, &readout_box);
    }
}
