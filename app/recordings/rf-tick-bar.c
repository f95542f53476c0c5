/* CSS: node name "rftickbar". */
#define G_LOG_DOMAIN "rf-tick-bar"

#include "config.h"

#include "rf-tick-bar.h"

#include "rf-compat.h"

#define HEIGHT 12
#define PADDING 4

typedef struct {
    gint64 start_ns;
    gint64 end_ns;
    char *label; /* NULL: a tick */
} Item;

struct _RfTickBar {
    GtkWidget parent_instance;
    RfStretch *stretch;
    const char *color;
    GArray *items; /* of Item */
};

G_DEFINE_FINAL_TYPE (RfTickBar, rf_tick_bar, GTK_TYPE_WIDGET)

static void
item_clear (gpointer data)
{
    g_free (((Item *)data)->label);
}

static void
rf_tick_bar_dispose (GObject *object)
{
    RfTickBar *self = RF_TICK_BAR (object);

    if (self->stretch != NULL)
        g_signal_handlers_disconnect_by_data (self->stretch, self);
    g_clear_object (&self->stretch);
    g_clear_pointer (&self->items, g_array_unref);
    G_OBJECT_CLASS (rf_tick_bar_parent_class)->dispose (object);
}

static gboolean
has_bands (RfTickBar *self)
{
    return self->items->len > 0 && g_array_index (self->items, Item, 0).label != NULL;
}

static void
rf_tick_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
    RfTickBar *self = RF_TICK_BAR (widget);

    *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 60 : HEIGHT;
    if (orientation == GTK_ORIENTATION_VERTICAL && has_bands (self)) {
        PangoLayout *layout = gtk_widget_create_pango_layout (widget, "0");
        int line_height;

        pango_layout_get_pixel_size (layout, NULL, &line_height);
        g_object_unref (layout);
        *minimum = *natural = line_height + 2 * PADDING;
    }
}

static void
draw_band (RfTickBar *self, GtkSnapshot *snapshot, const Item *item, double x, double width, int height)
{
    GtkWidget *widget = GTK_WIDGET (self);
    PangoLayout *layout = gtk_widget_create_pango_layout (widget, item->label);
    GdkRGBA color;
    int w, h;

    rf_compat_lookup_color (widget, self->color, &color);
    color.alpha *= 0.16f;
    gtk_snapshot_append_color (snapshot, &color,
                               &GRAPHENE_RECT_INIT ((float)x + 0.5f, 0, MAX (1, (float)width - 1), (float)height));
    rf_compat_get_color (widget, &color);
    pango_layout_get_pixel_size (layout, &w, &h);
    /* half a word says nothing; the words beside the bar are complete */
    if (w + 2 * PADDING <= width) {
        gtk_snapshot_save (snapshot);
        gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)(x + (width - w) / 2), (float)(height - h) / 2));
        gtk_snapshot_append_layout (snapshot, layout, &color);
        gtk_snapshot_restore (snapshot);
    }
    g_object_unref (layout);
}

static void
rf_tick_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    RfTickBar *self = RF_TICK_BAR (widget);
    const int width = gtk_widget_get_width (widget);
    const int height = gtk_widget_get_height (widget);
    const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    GdkRGBA ground, color;
    gint64 start, end;
    double drawn = -1;

    if (width <= 0)
        return;
    rf_stretch_get (self->stretch, &start, &end);
    rf_compat_lookup_color (widget, "rf_grid", &ground);
    rf_compat_lookup_color (widget, self->color, &color);
    if (!has_bands (self))
        gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
    gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
    for (guint i = 0; i < self->items->len; i++) {
        const Item *item = &g_array_index (self->items, Item, i);
        const double scale = width / (double)(end - start);
        double x = (double)(item->start_ns - start) * scale;
        const double length = MAX (1, (double)(item->end_ns - item->start_ns) * scale);

        if (x + length < 0 || x > width)
            continue;
        /* thousands of them share a pixel: one is enough */
        if (item->label == NULL && x + length <= drawn)
            continue;
        drawn = item->label == NULL ? MAX (x + length, x + 0.5) : drawn;
        if (mirrored)
            x = width - x - length;
        if (item->label != NULL)
            draw_band (self, snapshot, item, MAX (0, x), MIN (width, x + length) - MAX (0, x), height);
        else
            gtk_snapshot_append_color (snapshot, &color,
                                       &GRAPHENE_RECT_INIT ((float)x, 0, (float)length, (float)height));
    }
    gtk_snapshot_pop (snapshot);
}

static void
rf_tick_bar_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
    GTK_WIDGET_CLASS (rf_tick_bar_parent_class)->css_changed (widget, change);
    gtk_widget_queue_draw (widget);
}

static void
rf_tick_bar_class_init (RfTickBarClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_tick_bar_dispose;
    widget_class->measure = rf_tick_bar_measure;
    widget_class->snapshot = rf_tick_bar_snapshot;
    widget_class->css_changed = rf_tick_bar_css_changed;
    gtk_widget_class_set_css_name (widget_class, "rftickbar");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
rf_tick_bar_init (RfTickBar *self)
{
    self->items = g_array_new (FALSE, FALSE, sizeof (Item));
    g_array_set_clear_func (self->items, item_clear);
}

GtkWidget *
rf_tick_bar_new (RfStretch *stretch, const char *color)
{
    RfTickBar *self = NULL;

    g_return_val_if_fail (RF_IS_STRETCH (stretch), NULL);

    self = g_object_new (RF_TYPE_TICK_BAR, NULL);
    self->stretch = g_object_ref (stretch);
    self->color = color;
    g_signal_connect_swapped (stretch, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
    return GTK_WIDGET (self);
}

static void
add (RfTickBar *self, gint64 start_ns, gint64 end_ns, const char *label)
{
    const Item item = {start_ns, MAX (start_ns, end_ns), g_strdup (label)};

    g_array_append_val (self->items, item);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
rf_tick_bar_add (RfTickBar *self, gint64 start_ns, gint64 end_ns)
{
    g_return_if_fail (RF_IS_TICK_BAR (self));

    add (self, start_ns, end_ns, NULL);
}

void
rf_tick_bar_add_band (RfTickBar *self, gint64 start_ns, gint64 end_ns, const char *label)
{
    g_return_if_fail (RF_IS_TICK_BAR (self));

    add (self, start_ns, end_ns, label);
    gtk_widget_queue_resize (GTK_WIDGET (self));
}
