/* CSS: node name "rfgraph"; its "color" is that of the words in the graph, the lines are the palette's rf_line_1 to 8.
 * Accessible: role img, label is the title, description is the summary that the owner sets. */
#define G_LOG_DOMAIN "rf-graph"

#include "config.h"

#include "rf-graph.h"

#include "rf-compat.h"
#include "rf-graph-paint.h"
#include "rf-tunable-text.h"

#include <math.h>

#define DEFAULT_SPAN 300

typedef struct {
    PangoLayout *layout; /* made when first drawn, dropped when style or words change */
    char *text;
} RfGraphWords;

struct _RfGraph {
    GtkWidget parent_instance;
    RfMeasure measure;
    char *(*format) (double);
    RfGraphPaint *paint;
    RfGraphView view;
    RfGraphStyle style;
    gboolean style_known;
    double floor;
    RfGraphWords axis;
    RfGraphWords threshold[RF_GRAPH_MAX_THRESHOLDS];
    RfGraphWords mark[RF_GRAPH_MAX_MARKS];
    RfGraphWords line[RF_GRAPH_MAX_LINES]; /* legend in the free strip above the plot */
    RfTimeline *timeline; /* nullable */
    RfMarks *marks;       /* nullable */
};

G_DEFINE_FINAL_TYPE (RfGraph, rf_graph, GTK_TYPE_WIDGET)

static void
words_clear (RfGraphWords *words)
{
    g_clear_object (&words->layout);
    g_clear_pointer (&words->text, g_free);
}

static void
words_set (RfGraphWords *words, const char *text)
{
    if (g_strcmp0 (words->text, text) == 0)
        return;
    words_clear (words);
    words->text = g_strdup (text);
}

static PangoLayout *
words_layout (RfGraph *self, RfGraphWords *words)
{
    if (words->layout == NULL && words->text != NULL) {
        words->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), words->text);
        pango_layout_set_ellipsize (words->layout, PANGO_ELLIPSIZE_END);
    }
    return words->layout;
}

static void
forget_layouts (RfGraph *self)
{
    g_clear_object (&self->axis.layout);
    for (guint i = 0; i < RF_GRAPH_MAX_LINES; i++)
        g_clear_object (&self->line[i].layout);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        g_clear_object (&self->threshold[i].layout);
    for (guint i = 0; i < RF_GRAPH_MAX_MARKS; i++)
        g_clear_object (&self->mark[i].layout);
}

/* The pango context lags behind a style change in css_changed, so colours and layouts are renewed at the next draw. */
static void
look_up_style (RfGraph *self)
{
    static const char *const line_names[RF_GRAPH_MAX_LINES] = {
        "rf_line_1", "rf_line_2", "rf_line_3", "rf_line_4", "rf_line_5", "rf_line_6", "rf_line_7", "rf_line_8",
    };
    GdkRGBA color;

#define LOOK_UP(name, target)                                                                                          \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        rf_compat_lookup_color (GTK_WIDGET (self), name, &color);                                                      \
        (target) = (RfGraphColor){(double)color.red, (double)color.green, (double)color.blue, (double)color.alpha};    \
    }                                                                                                                  \
    G_STMT_END
    for (guint i = 0; i < RF_GRAPH_MAX_LINES; i++)
        LOOK_UP (line_names[i], self->style.line[i]);
    LOOK_UP ("rf_grid", self->style.grid);
    LOOK_UP ("rf_warning", self->style.warning);
    LOOK_UP ("rf_danger", self->style.danger);
    LOOK_UP ("rf_mark", self->style.mark);
#undef LOOK_UP
    self->style.line_width = 1.75;
    self->style.fill_alpha = 0.14;
    self->style_known = TRUE;
}

static double
axis_top (RfGraph *self)
{
    const gboolean binary = self->measure == RF_MEASURE_BYTES;
    double largest = NAN;

    for (guint i = 0; i < self->view.n_lines; i++) {
        double low, high;

        if (rf_series_range (self->view.series[i], self->view.span, &low, &high) && !(high <= largest))
            largest = high;
    }
    /* a ratio ends at 1: an axis to "200 %" would be nonsense */
    if (self->measure == RF_MEASURE_RATIO && largest <= 1)
        return MIN (1, rf_graph_paint_axis_top (largest, self->floor, FALSE));
    return rf_graph_paint_axis_top (largest, self->floor, binary);
}

static GdkRGBA
to_rgba (const RfGraphColor *c)
{
    return (GdkRGBA){(float)c->red, (float)c->green, (float)c->blue, (float)c->alpha};
}

static void
draw_words (RfGraph *self, GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *color)
{
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)x, (float)y));
    gtk_snapshot_append_layout (snapshot, layout, color);
    gtk_snapshot_restore (snapshot);
}

/* Threshold words stand just above their line; every second one at the far end, so that two lines that lie close to
 * each other do not write over each other. */
static void
draw_threshold_words (RfGraph *self, GtkSnapshot *snapshot, int width, int height)
{
    guint seen = 0;
    guint count = 0;
    int room;

    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        count += isfinite (self->view.threshold[i]) && self->threshold[i].text != NULL;
    room = MAX (1, count > 1 ? width / 2 - 4 : width - 4);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        const GdkRGBA color = to_rgba (self->view.danger[i] ? &self->style.danger : &self->style.warning);
        PangoLayout *layout = NULL;
        gboolean at_end;
        int w, h;
        double y;

        if (!isfinite (self->view.threshold[i]) || self->view.threshold[i] > self->view.top)
            continue;
        layout = words_layout (self, &self->threshold[i]);
        if (layout == NULL)
            continue;
        /* a width only where it is needed: in right-to-left text the words would stand at its far end */
        pango_layout_set_width (layout, -1);
        pango_layout_get_pixel_size (layout, &w, &h);
        if (w > room) {
            pango_layout_set_width (layout, room * PANGO_SCALE);
            w = room;
        }
        y = rf_graph_paint_y (&self->view, height, self->view.threshold[i]) - h - 1;
        if (y < self->view.inset_top)
            y += h + 3;
        at_end = (seen++ % 2 == 1) != self->view.mirrored;
        draw_words (self, snapshot, layout, at_end ? width - w - 2 : 2, y, &color);
    }
}

static void
draw_mark_words (RfGraph *self, GtkSnapshot *snapshot, int width, int scale)
{
    const GdkRGBA color = to_rgba (&self->style.mark);

    for (guint i = 0; i < RF_GRAPH_MAX_MARKS; i++) {
        const double x
            = self->view.mark[i] > 0 ? rf_graph_paint_x (&self->view, width, scale, self->view.mark[i] - 1) : NAN;
        PangoLayout *layout = isfinite (x) ? words_layout (self, &self->mark[i]) : NULL;
        int w, h;

        if (layout == NULL)
            continue;
        pango_layout_get_pixel_size (layout, &w, &h);
        draw_words (self, snapshot, layout, x + 5 + w > width ? x - w - 5 : x + 5, 0, &color);
    }
}

/* From the far end towards the axis label, as long as there is room. */
static void
draw_legend (RfGraph *self, GtkSnapshot *snapshot, int width, int axis_width)
{
    int room = width - axis_width - 12;

    for (guint i = self->view.n_lines; i-- > 0;) {
        const GdkRGBA color = to_rgba (&self->style.line[i]);
        PangoLayout *layout = words_layout (self, &self->line[i]);
        int w, h;

        if (layout == NULL)
            continue;
        pango_layout_get_pixel_size (layout, &w, &h);
        if (w > room)
            return;
        draw_words (self, snapshot, layout,
                    self->view.mirrored ? width - axis_width - 12 - room : room + axis_width + 12 - w, 0, &color);
        room -= w + 12;
    }
}

static void
rf_graph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    RfGraph *self = RF_GRAPH (widget);
    const int width = gtk_widget_get_width (widget);
    const int height = gtk_widget_get_height (widget);
    const int scale = gtk_widget_get_scale_factor (widget);
    g_autofree char *axis_text = NULL;
    PangoLayout *axis = NULL;
    GdkRGBA color;
    cairo_t *cr = NULL;
    int w, h;

    if (width <= 0 || height <= 0)
        return;
    if (!self->style_known)
        look_up_style (self);
    self->view.mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    self->view.top = axis_top (self);

    axis_text
        = self->format != NULL ? self->format (self->view.top) : rf_measure_format (self->measure, self->view.top);
    words_set (&self->axis, axis_text);
    axis = words_layout (self, &self->axis);
    pango_layout_get_pixel_size (axis, &w, &h);
    self->view.inset_top = h + 2;

    cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
    rf_graph_paint_draw (self->paint, cr, width, height, scale, &self->view, &self->style);
    cairo_destroy (cr);

    rf_compat_get_color (widget, &color);
    draw_words (self, snapshot, axis, self->view.mirrored ? width - w : 0, 0, &color);
    draw_legend (self, snapshot, width, w);
    draw_threshold_words (self, snapshot, width, height);
    draw_mark_words (self, snapshot, width, scale);
}

static void
rf_graph_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                  int *minimum_baseline, int *natural_baseline)
{
    *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 48;
    *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : 96;
}

static void
rf_graph_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    RfGraph *self = RF_GRAPH (widget);

    GTK_WIDGET_CLASS (rf_graph_parent_class)->css_changed (widget, change);
    self->style_known = FALSE;
    forget_layouts (self);
    gtk_widget_queue_draw (widget);
}

static void
rf_graph_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
    GTK_WIDGET_CLASS (rf_graph_parent_class)->system_setting_changed (widget, setting);
    forget_layouts (RF_GRAPH (widget));
}

static void
rf_graph_dispose (GObject *object)
{
    RfGraph *self = RF_GRAPH (object);

    rf_graph_remove_lines (self);
    rf_graph_set_timeline (self, NULL);
    rf_graph_set_marks (self, NULL);
    G_OBJECT_CLASS (rf_graph_parent_class)->dispose (object);
}

static void
rf_graph_finalize (GObject *object)
{
    RfGraph *self = RF_GRAPH (object);

    words_clear (&self->axis);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        words_clear (&self->threshold[i]);
    for (guint i = 0; i < RF_GRAPH_MAX_MARKS; i++)
        words_clear (&self->mark[i]);
    rf_graph_paint_free (self->paint);
    G_OBJECT_CLASS (rf_graph_parent_class)->finalize (object);
}

static void
rf_graph_class_init (RfGraphClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    object_class->dispose = rf_graph_dispose;
    object_class->finalize = rf_graph_finalize;
    widget_class->snapshot = rf_graph_snapshot;
    widget_class->measure = rf_graph_measure;
    widget_class->css_changed = rf_graph_css_changed;
    widget_class->system_setting_changed = rf_graph_system_setting_changed;
    gtk_widget_class_set_css_name (widget_class, "rfgraph");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
rf_graph_init (RfGraph *self)
{
    self->paint = rf_graph_paint_new ();
    self->view.span = DEFAULT_SPAN;
    self->view.top = 1;
    self->floor = 1;
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        self->view.threshold[i] = NAN;
    gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
rf_graph_new (const char *title, RfMeasure measure)
{
    RfGraph *self = g_object_new (RF_TYPE_GRAPH, NULL);

    self->measure = measure;
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    return GTK_WIDGET (self);
}

void
rf_graph_set_format (RfGraph *self, char *(*format) (double value))
{
    g_return_if_fail (RF_IS_GRAPH (self));

    self->format = format;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_span (RfGraph *self, guint samples)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    self->view.span = MAX (2, samples);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
timeline_changed_cb (RfTimeline *timeline, RfGraph *self)
{
    self->view.span = rf_timeline_get_span (timeline);
    self->view.end = rf_timeline_get_end (timeline);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
disconnect_from (RfGraph *self, gpointer object)
{
    if (object != NULL)
        g_signal_handlers_disconnect_by_data (object, self);
}

void
rf_graph_set_timeline (RfGraph *self, RfTimeline *timeline)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    disconnect_from (self, self->timeline);
    g_set_object (&self->timeline, timeline);
    if (timeline == NULL)
        return;
    g_signal_connect (timeline, "changed", G_CALLBACK (timeline_changed_cb), self);
    timeline_changed_cb (timeline, self);
}

void
rf_graph_set_marks (RfGraph *self, RfMarks *marks)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    disconnect_from (self, self->marks);
    g_set_object (&self->marks, marks);
    if (marks != NULL)
        g_signal_connect_swapped (marks, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
}

void
rf_graph_add_line (RfGraph *self, RfSeries *series, const char *label)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (RF_IS_SERIES (series));

    if (self->view.n_lines == RF_GRAPH_MAX_LINES)
        return;
    words_set (&self->line[self->view.n_lines], label);
    self->view.series[self->view.n_lines++] = g_object_ref (series);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_remove_lines (RfGraph *self)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    for (guint i = 0; i < self->view.n_lines; i++) {
        g_clear_object (&self->view.series[i]);
        words_clear (&self->line[i]);
    }
    self->view.n_lines = 0;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_threshold (RfGraph *self, guint index, RfThresholdKind kind, double value, const char *label)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (index < RF_GRAPH_MAX_THRESHOLDS);

    self->view.threshold[index] = value;
    self->view.danger[index] = kind == RF_THRESHOLD_DANGER;
    words_set (&self->threshold[index], label);
}

void
rf_graph_mark (RfGraph *self, const char *label)
{
    guint oldest = 0;

    g_return_if_fail (RF_IS_GRAPH (self));

    if (self->view.n_lines == 0)
        return;
    for (guint i = 1; i < RF_GRAPH_MAX_MARKS; i++) {
        if (self->view.mark[i] < self->view.mark[oldest])
            oldest = i;
    }
    self->view.mark[oldest] = rf_series_total (self->view.series[0]);
    words_set (&self->mark[oldest], label);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_floor (RfGraph *self, double top)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (top > 0);

    self->floor = top;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_summary (RfGraph *self, const char *summary)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, summary, -1);
}

void
rf_graph_refresh (RfGraph *self)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        gtk_widget_queue_draw (GTK_WIDGET (self));
}
