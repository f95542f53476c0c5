#define G_LOG_DOMAIN "rf-split"

#include "config.h"

#include "rf-split.h"

/* What stays visible of the content beside an unfolded sidebar on a narrow window: a place to click it away. */
#define SCRIM_WIDTH 56

struct _RfSplit {
    GtkWidget parent_instance;
    GtkWidget *content;
    GtkWidget *scrim;
    GtkWidget *sidebar;
    gboolean folded;
    gboolean told_folded;
    gboolean revealed;
    guint tell_source;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RfSplit, rf_split, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum {
    PROP_0,
    PROP_FOLDED,
    PROP_REVEALED,
    N_PROPS,
};

static GParamSpec *props[N_PROPS];
static GtkBuildableIface *parent_buildable;

static gboolean
tell_folded_cb (gpointer data)
{
    RfSplit *self = RF_SPLIT (data);

    self->tell_source = 0;
    if (self->told_folded != self->folded) {
        self->told_folded = self->folded;
        if (self->folded)
            gtk_widget_add_css_class (self->sidebar, "overlay");
        else
            gtk_widget_remove_css_class (self->sidebar, "overlay");
        g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FOLDED]);
    }
    return G_SOURCE_REMOVE;
}

static int
sidebar_width (RfSplit *self)
{
    int natural = 0;

    gtk_widget_measure (self->sidebar, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    return natural;
}

static void
rf_split_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                  int *minimum_baseline, int *natural_baseline)
{
    RfSplit *self = RF_SPLIT (widget);
    int content_minimum, content_natural, sidebar_minimum, sidebar_natural;
    int content_size = for_size;

    if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= RF_SPLIT_FOLD_WIDTH)
        content_size -= sidebar_width (self);
    gtk_widget_measure (self->content, orientation, content_size, &content_minimum, &content_natural, NULL, NULL);
    gtk_widget_measure (self->sidebar, orientation, -1, &sidebar_minimum, &sidebar_natural, NULL, NULL);
    *minimum = MAX (content_minimum, sidebar_minimum);
    *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? content_natural + sidebar_natural
                                                         : MAX (content_natural, sidebar_natural);
}

static void
rf_split_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    RfSplit *self = RF_SPLIT (widget);
    const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    const gboolean folded = width < RF_SPLIT_FOLD_WIDTH;
    int content_minimum, side, content_x = 0, content_width = width;

    gtk_widget_measure (self->content, GTK_ORIENTATION_HORIZONTAL, -1, &content_minimum, NULL, NULL, NULL);
    side = sidebar_width (self);
    if (folded) {
        side = MIN (side, MAX (1, width - SCRIM_WIDTH));
    } else {
        content_width = MAX (content_minimum, width - side);
        content_x = mirrored ? 0 : side;
    }
    gtk_widget_set_child_visible (self->scrim, folded && self->revealed);
    gtk_widget_set_child_visible (self->sidebar, !folded || self->revealed);
    gtk_widget_size_allocate (self->content, &(GtkAllocation){content_x, 0, content_width, height}, -1);
    if (folded && self->revealed)
        gtk_widget_size_allocate (self->scrim, &(GtkAllocation){0, 0, width, height}, -1);
    if (!folded || self->revealed) {
        int minimum = 0;

        gtk_widget_measure (self->sidebar, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
        side = MAX (side, minimum);
        GtkAllocation area = {mirrored ? width - side : 0, 0, side, height};
        gtk_widget_size_allocate (self->sidebar, &area, -1);
    }
    /* whoever listens changes other widgets, which must not happen while sizes are being given out */
    self->folded = folded;
    if (self->folded != self->told_folded && self->tell_source == 0)
        self->tell_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_folded_cb, self, NULL);
}

static GtkSizeRequestMode
rf_split_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
rf_split_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfSplit *self = RF_SPLIT (object);

    switch (id) {
    case PROP_FOLDED:
        g_value_set_boolean (value, self->told_folded);
        break;
    case PROP_REVEALED:
        g_value_set_boolean (value, self->revealed);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_split_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch (id) {
    case PROP_REVEALED:
        rf_split_set_revealed (RF_SPLIT (object), g_value_get_boolean (value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
scrim_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, RfSplit *self)
{
    rf_split_set_revealed (self, FALSE);
}

static void
rf_split_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
    RfSplit *self = RF_SPLIT (buildable);

    if (g_strcmp0 (type, "content") == 0) {
        self->content = GTK_WIDGET (child);
        gtk_widget_insert_after (self->content, GTK_WIDGET (self), NULL);
    } else if (g_strcmp0 (type, "sidebar") == 0) {
        self->sidebar = GTK_WIDGET (child);
        gtk_widget_insert_before (self->sidebar, GTK_WIDGET (self), NULL);
        gtk_widget_add_css_class (self->sidebar, "rf-sidebar");
    } else {
        parent_buildable->add_child (buildable, builder, child, type);
    }
}

static void
buildable_init (GtkBuildableIface *iface)
{
    parent_buildable = g_type_interface_peek_parent (iface);
    iface->add_child = rf_split_add_child;
}

static void
rf_split_dispose (GObject *object)
{
    RfSplit *self = RF_SPLIT (object);

    g_clear_handle_id (&self->tell_source, g_source_remove);
    g_clear_pointer (&self->content, gtk_widget_unparent);
    g_clear_pointer (&self->scrim, gtk_widget_unparent);
    g_clear_pointer (&self->sidebar, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_split_parent_class)->dispose (object);
}

static void
rf_split_class_init (RfSplitClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    object_class->dispose = rf_split_dispose;
    object_class->get_property = rf_split_get_property;
    object_class->set_property = rf_split_set_property;
    widget_class->measure = rf_split_measure;
    widget_class->size_allocate = rf_split_size_allocate;
    widget_class->get_request_mode = rf_split_get_request_mode;

    props[PROP_FOLDED] = g_param_spec_boolean ("folded", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    props[PROP_REVEALED] = g_param_spec_boolean ("revealed", NULL, NULL, FALSE,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
    g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
rf_split_init (RfSplit *self)
{
    GtkGesture *click = gtk_gesture_click_new ();

    self->scrim = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class (self->scrim, "rf-scrim");
    gtk_widget_set_parent (self->scrim, GTK_WIDGET (self));
    g_signal_connect (click, "pressed", G_CALLBACK (scrim_pressed_cb), self);
    gtk_widget_add_controller (self->scrim, GTK_EVENT_CONTROLLER (click));
}

gboolean
rf_split_get_folded (RfSplit *self)
{
    g_return_val_if_fail (RF_IS_SPLIT (self), FALSE);

    return self->told_folded;
}

gboolean
rf_split_get_revealed (RfSplit *self)
{
    g_return_val_if_fail (RF_IS_SPLIT (self), FALSE);

    return self->revealed;
}

void
rf_split_set_revealed (RfSplit *self, gboolean revealed)
{
    g_return_if_fail (RF_IS_SPLIT (self));

    if (self->revealed == revealed)
        return;
    self->revealed = revealed;
    gtk_widget_queue_resize (GTK_WIDGET (self));
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REVEALED]);
}
