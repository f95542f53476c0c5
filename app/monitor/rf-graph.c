/* CSS: node name "rfgraph"; its "color" is that of the words in the graph, the lines are the palette's rf_line_1 to 8.
 * Accessible: role img, label is the title, description is the summary that the owner sets. */
#define G_LOG_DOMAIN "rf-graph"

#include "config.h"

#include "rf-graph.h"

#include "rf-compat.h"
#include "rf-graph-face.h"

#include <math.h>

/* What has been drawn: the next picture would be the same as long as this is. */
typedef struct {
    guint64 cells;
    guint step;
    double top;
    int threshold_y[RF_GRAPH_MAX_THRESHOLDS];
} RfGraphSeen;

struct _RfGraph {
    GtkWidget parent_instance;
    RfGraphFace face;
    RfGraphStyle style;
    gboolean style_known;
    RfGraphSeen seen;
    RfTimeline *timeline; /* nullable */
    char *summary;        /* nullable */
    double pointer_x;     /* NAN while the pointer is elsewhere */
};

G_DEFINE_FINAL_TYPE (RfGraph, rf_graph, GTK_TYPE_WIDGET)

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
    LOOK_UP ("rf_card_bg", self->style.ground);
#undef LOOK_UP
    rf_compat_get_color (GTK_WIDGET (self), &color);
    self->style.text = (RfGraphColor){(double)color.red, (double)color.green, (double)color.blue, (double)color.alpha};
    self->style.line_width = RF_GRAPH_LINE_WIDTH;
    self->style.fill_alpha = RF_GRAPH_FILL_ALPHA;
    self->style_known = TRUE;
}

static void
look (RfGraph *self, RfGraphSeen *seen)
{
    const int width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)));
    const RfGraphView *view = &self->face.view;

    *seen = (RfGraphSeen){0};
    seen->step = rf_graph_paint_step (view, width, gtk_widget_get_scale_factor (GTK_WIDGET (self)));
    seen->cells = rf_graph_paint_end (view) / seen->step;
    seen->top = rf_graph_face_top (&self->face);
    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++) {
        if (isfinite (view->threshold[i]))
            seen->threshold_y[i]
                = (int)rf_graph_paint_y (view, gtk_widget_get_height (GTK_WIDGET (self)), view->threshold[i]);
    }
}

static gboolean
is_same (const RfGraphSeen *a, const RfGraphSeen *b)
{
    gboolean same = a->cells == b->cells && a->step == b->step && a->top == b->top;

    for (guint i = 0; i < RF_GRAPH_MAX_THRESHOLDS; i++)
        same = same && a->threshold_y[i] == b->threshold_y[i];
    return same;
}

static void
rf_graph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    RfGraph *self = RF_GRAPH (widget);
    const int width = gtk_widget_get_width (widget);
    const int height = gtk_widget_get_height (widget);
    cairo_t *cr = NULL;

    if (width <= 0 || height <= 0)
        return;
    if (!self->style_known)
        look_up_style (self);
    self->face.view.mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    self->face.has_cursor = self->timeline != NULL && rf_timeline_get_cursor (self->timeline, &self->face.cursor);

    cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
    rf_graph_face_draw (&self->face, cr, gtk_widget_get_pango_context (widget), width, height,
                        gtk_widget_get_scale_factor (widget), &self->style);
    cairo_destroy (cr);
    look (self, &self->seen);
}

static void
rf_graph_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                  int *minimum_baseline, int *natural_baseline)
{
    PangoLayout *layout = NULL;
    int line_height;

    *minimum = *natural = 120;
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *natural = 280;
        return;
    }
    /* with large text the words at the cursor need their room, too */
    layout = gtk_widget_create_pango_layout (widget, "0");
    pango_layout_get_pixel_size (layout, NULL, &line_height);
    g_object_unref (layout);
    *minimum = MAX (48, 6 * line_height);
    *natural = MAX (96, *minimum);
}

static void
rf_graph_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    RfGraph *self = RF_GRAPH (widget);

    GTK_WIDGET_CLASS (rf_graph_parent_class)->css_changed (widget, change);
    self->style_known = FALSE;
    rf_graph_face_forget_words (&self->face);
    gtk_widget_queue_draw (widget);
}

static void
rf_graph_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
    GTK_WIDGET_CLASS (rf_graph_parent_class)->system_setting_changed (widget, setting);
    rf_graph_face_forget_words (&RF_GRAPH (widget)->face);
}

static void
rf_graph_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
    GTK_WIDGET_CLASS (rf_graph_parent_class)->direction_changed (widget, previous);
    rf_graph_face_forget_words (&RF_GRAPH (widget)->face);
}

/* ---- cursor ---- */

/* A screen reader says what stands at the cursor while keys move it, and the summary otherwise. */
static void
describe (RfGraph *self)
{
    g_autofree char *readout = NULL;
    guint64 number = 0;

    if (self->timeline != NULL && gtk_widget_is_focus (GTK_WIDGET (self))
        && rf_timeline_get_cursor (self->timeline, &number))
        readout = rf_graph_face_readout (&self->face, number, ", ");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    readout != NULL         ? readout
                                    : self->summary != NULL ? self->summary
                                                            : "",
                                    -1);
}

static void
point_at (RfGraph *self, double x)
{
    GtkWidget *widget = GTK_WIDGET (self);
    guint64 number = 0;

    self->pointer_x = x;
    if (self->timeline != NULL
        && rf_graph_paint_number (&self->face.view, gtk_widget_get_width (widget), gtk_widget_get_scale_factor (widget),
                                  x, &number))
        rf_timeline_set_cursor (self->timeline, number);
}

static void
pointer_cb (GtkEventControllerMotion *controller, double x, double y, RfGraph *self)
{
    point_at (self, x);
}

static void
pointer_left_cb (GtkEventControllerMotion *controller, RfGraph *self)
{
    self->pointer_x = NAN;
    if (self->timeline != NULL)
        rf_timeline_clear_cursor (self->timeline);
}

/* A finger does not hover. */
static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, RfGraph *self)
{
    if (self->timeline == NULL)
        return;
    gtk_widget_grab_focus (GTK_WIDGET (self));
    point_at (self, x);
    self->pointer_x = NAN;
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, RfGraph *self)
{
    const guint64 total = self->face.view.n_lines > 0 ? rf_series_total (self->face.view.series[0]) : 0;
    const gint64 later = self->face.view.mirrored ? -1 : 1;
    gint64 span, little;

    if (self->timeline == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
        return FALSE;
    span = rf_timeline_get_span (self->timeline);
    little = MAX (self->face.step, span / 300);
    switch (key) {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
        rf_timeline_move_cursor (self->timeline, -later * little, total);
        return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
        rf_timeline_move_cursor (self->timeline, later * little, total);
        return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
        rf_timeline_move_cursor (self->timeline, -span / 10, total);
        return TRUE;
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
        rf_timeline_move_cursor (self->timeline, span / 10, total);
        return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        rf_timeline_move_cursor (self->timeline, -span, total);
        return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
        rf_timeline_move_cursor (self->timeline, span, total);
        return TRUE;
    case GDK_KEY_Escape:
        if (!rf_timeline_get_cursor (self->timeline, NULL))
            return FALSE; /* it may close what the graph lies in */
        rf_timeline_clear_cursor (self->timeline);
        return TRUE;
    default:
        return FALSE;
    }
}

static void
cursor_moved_cb (RfTimeline *timeline, RfGraph *self)
{
    gtk_widget_queue_draw (GTK_WIDGET (self));
    if (gtk_widget_is_focus (GTK_WIDGET (self)))
        describe (self);
}

static void
focus_left_cb (GtkEventControllerFocus *controller, RfGraph *self)
{
    describe (self);
}

static void
timeline_changed_cb (RfTimeline *timeline, RfGraph *self)
{
    self->face.view.span = rf_timeline_get_span (timeline);
    self->face.view.end = rf_timeline_get_end (timeline);
    self->face.moments = *rf_timeline_get_moments (timeline);
    gtk_widget_queue_draw (GTK_WIDGET (self));
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

    rf_graph_face_clear (&self->face);
    g_clear_pointer (&self->summary, g_free);
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
    widget_class->direction_changed = rf_graph_direction_changed;
    gtk_widget_class_set_css_name (widget_class, "rfgraph");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
rf_graph_init (RfGraph *self)
{
    GtkWidget *widget = GTK_WIDGET (self);
    GtkEventController *motion = gtk_event_controller_motion_new ();
    GtkEventController *keys = gtk_event_controller_key_new ();
    GtkEventController *focus = gtk_event_controller_focus_new ();
    GtkGesture *click = gtk_gesture_click_new ();

    rf_graph_face_init (&self->face, RF_MEASURE_PLAIN);
    self->pointer_x = NAN;
    gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
    g_signal_connect (motion, "enter", G_CALLBACK (pointer_cb), self);
    g_signal_connect (motion, "motion", G_CALLBACK (pointer_cb), self);
    g_signal_connect (motion, "leave", G_CALLBACK (pointer_left_cb), self);
    g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
    g_signal_connect (focus, "leave", G_CALLBACK (focus_left_cb), self);
    gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (click), TRUE);
    g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
    gtk_widget_add_controller (widget, motion);
    gtk_widget_add_controller (widget, keys);
    gtk_widget_add_controller (widget, focus);
    gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
rf_graph_new (const char *title, RfMeasure measure)
{
    RfGraph *self = g_object_new (RF_TYPE_GRAPH, NULL);

    self->face.measure = measure;
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    return GTK_WIDGET (self);
}

void
rf_graph_set_format (RfGraph *self, char *(*format) (double value))
{
    g_return_if_fail (RF_IS_GRAPH (self));

    self->face.format = format;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_span (RfGraph *self, guint samples)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    self->face.view.span = MAX (2, samples);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_timeline (RfGraph *self, RfTimeline *timeline)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    if (self->timeline != NULL)
        g_signal_handlers_disconnect_by_data (self->timeline, self);
    g_set_object (&self->timeline, timeline);
    gtk_widget_set_focusable (GTK_WIDGET (self), timeline != NULL);
    if (timeline == NULL)
        return;
    self->face.interval_ms = rf_timeline_get_interval_ms (timeline);
    g_signal_connect (timeline, "changed", G_CALLBACK (timeline_changed_cb), self);
    g_signal_connect (timeline, "cursor-moved", G_CALLBACK (cursor_moved_cb), self);
    timeline_changed_cb (timeline, self);
}

void
rf_graph_set_marks (RfGraph *self, RfMarks *marks)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    if (self->face.view.marks != NULL)
        g_signal_handlers_disconnect_by_data (self->face.view.marks, self);
    rf_graph_face_set_marks (&self->face, marks);
    if (marks != NULL)
        g_signal_connect_swapped (marks, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_legend (RfGraph *self, gboolean legend)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    self->face.legend = legend;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_add_line (RfGraph *self, RfSeries *series, const char *label)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (RF_IS_SERIES (series));

    if (rf_graph_face_add_line (&self->face, series, label))
        gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_series (RfGraph *self, guint line, RfSeries *series)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (RF_IS_SERIES (series));

    rf_graph_face_set_series (&self->face, line, series);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_remove_lines (RfGraph *self)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    rf_graph_face_remove_lines (&self->face);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_threshold (RfGraph *self, guint index, RfThresholdKind kind, double value, const char *label)
{
    RfGraphView *view = NULL;

    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (index < RF_GRAPH_MAX_THRESHOLDS);

    view = &self->face.view;
    view->threshold[index] = value;
    view->danger[index] = kind == RF_THRESHOLD_DANGER;
    if (g_strcmp0 (self->face.threshold_label[index], label) == 0)
        return;
    g_free (self->face.threshold_label[index]);
    self->face.threshold_label[index] = g_strdup (label);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_set_band (RfGraph *self, guint index, RfGraphBand band)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (index < RF_GRAPH_MAX_THRESHOLDS);

    if (self->face.view.band[index] == band)
        return;
    self->face.view.band[index] = band;
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_graph_mark (RfGraph *self, const char *label)
{
    g_autoptr (RfMarks) own = NULL;
    guint64 total;

    g_return_if_fail (RF_IS_GRAPH (self));

    if (self->face.view.n_lines == 0)
        return;
    if (self->face.view.marks == NULL) {
        own = rf_marks_new ();
        rf_graph_set_marks (self, own);
    }
    total = rf_series_total (self->face.view.series[0]);
    rf_marks_add (self->face.view.marks, total - MIN (total, 1), RF_MARK_APPLIED, label);
}

void
rf_graph_set_floor (RfGraph *self, double top)
{
    g_return_if_fail (RF_IS_GRAPH (self));
    g_return_if_fail (top > 0);

    self->face.floor = top;
}

const RfGraphFace *
rf_graph_get_face (RfGraph *self)
{
    g_return_val_if_fail (RF_IS_GRAPH (self), NULL);

    return &self->face;
}

char *
rf_graph_summary (RfGraph *self)
{
    g_return_val_if_fail (RF_IS_GRAPH (self), NULL);

    return rf_graph_face_summary (&self->face);
}

void
rf_graph_set_summary (RfGraph *self, const char *summary)
{
    g_return_if_fail (RF_IS_GRAPH (self));

    if (g_strcmp0 (self->summary, summary) == 0)
        return;
    g_free (self->summary);
    self->summary = g_strdup (summary);
    describe (self);
}

void
rf_graph_refresh (RfGraph *self)
{
    RfGraphSeen now;

    g_return_if_fail (RF_IS_GRAPH (self));

    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    /* time goes on below a pointer that stands still */
    if (isfinite (self->pointer_x))
        point_at (self, self->pointer_x);
    look (self, &now);
    if (!is_same (&now, &self->seen))
        gtk_widget_queue_draw (GTK_WIDGET (self));
}
