#define G_LOG_DOMAIN "rf-clamp"

#include "config.h"

#include "rf-clamp.h"

#define DEFAULT_SIZE 900

struct _RfClamp {
    GtkWidget parent_instance;
    GtkWidget *child;
    int maximum_size;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RfClamp, rf_clamp, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum {
    PROP_0,
    PROP_CHILD,
    PROP_MAXIMUM_SIZE,
    N_PROPS,
};

static GParamSpec *props[N_PROPS];
static GtkBuildableIface *parent_buildable;

static void
rf_clamp_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                  int *minimum_baseline, int *natural_baseline)
{
    RfClamp *self = RF_CLAMP (widget);

    *minimum = *natural = 0;
    if (self->child == NULL || !gtk_widget_should_layout (self->child))
        return;
    /* "any width" is the widest that the child can get here, where its text wraps already */
    if (orientation == GTK_ORIENTATION_VERTICAL && (for_size < 0 || for_size > self->maximum_size)) {
        int child_minimum = 0;

        gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, &child_minimum, NULL, NULL, NULL);
        for_size = MAX (self->maximum_size, child_minimum);
    }
    gtk_widget_measure (self->child, orientation, for_size, minimum, natural, NULL, NULL);
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *natural = MAX (*minimum, MIN (*natural, self->maximum_size));
}

static void
rf_clamp_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    RfClamp *self = RF_CLAMP (widget);
    int child_minimum = 0;
    int child_width;

    if (self->child == NULL || !gtk_widget_should_layout (self->child))
        return;
    gtk_widget_measure (self->child, GTK_ORIENTATION_HORIZONTAL, -1, &child_minimum, NULL, NULL, NULL);
    child_width = MIN (width, MAX (self->maximum_size, child_minimum));
    gtk_widget_size_allocate (self->child, &(GtkAllocation){(width - child_width) / 2, 0, child_width, height}, -1);
}

static GtkSizeRequestMode
rf_clamp_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
rf_clamp_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfClamp *self = RF_CLAMP (object);

    switch (id) {
    case PROP_CHILD:
        g_value_set_object (value, self->child);
        break;
    case PROP_MAXIMUM_SIZE:
        g_value_set_int (value, self->maximum_size);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_clamp_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfClamp *self = RF_CLAMP (object);

    switch (id) {
    case PROP_CHILD:
        rf_clamp_set_child (self, g_value_get_object (value));
        break;
    case PROP_MAXIMUM_SIZE:
        self->maximum_size = g_value_get_int (value);
        gtk_widget_queue_resize (GTK_WIDGET (self));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_clamp_dispose (GObject *object)
{
    RfClamp *self = RF_CLAMP (object);

    g_clear_pointer (&self->child, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_clamp_parent_class)->dispose (object);
}

static void
rf_clamp_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
    if (GTK_IS_WIDGET (child))
        rf_clamp_set_child (RF_CLAMP (buildable), GTK_WIDGET (child));
    else
        parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
    parent_buildable = g_type_interface_peek_parent (iface);
    iface->add_child = rf_clamp_add_child;
}

static void
rf_clamp_class_init (RfClampClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

    object_class->dispose = rf_clamp_dispose;
    object_class->get_property = rf_clamp_get_property;
    object_class->set_property = rf_clamp_set_property;
    widget_class->measure = rf_clamp_measure;
    widget_class->size_allocate = rf_clamp_size_allocate;
    widget_class->get_request_mode = rf_clamp_get_request_mode;

    props[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET, flags);
    props[PROP_MAXIMUM_SIZE] = g_param_spec_int ("maximum-size", NULL, NULL, 1, G_MAXINT, DEFAULT_SIZE, flags);
    g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
rf_clamp_init (RfClamp *self)
{
    self->maximum_size = DEFAULT_SIZE;
}

GtkWidget *
rf_clamp_new (int maximum_size, GtkWidget *child)
{
    return g_object_new (RF_TYPE_CLAMP, "maximum-size", maximum_size > 0 ? maximum_size : DEFAULT_SIZE, "child", child,
                         NULL);
}

void
rf_clamp_set_child (RfClamp *self, GtkWidget *child)
{
    g_return_if_fail (RF_IS_CLAMP (self));

    if (self->child == child)
        return;
    g_clear_pointer (&self->child, gtk_widget_unparent);
    self->child = child;
    if (child != NULL)
        gtk_widget_set_parent (child, GTK_WIDGET (self));
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CHILD]);
}
