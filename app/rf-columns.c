#define G_LOG_DOMAIN "rf-columns"

#include "config.h"

#include "rf-columns.h"

struct _RfColumns {
    GtkWidget parent_instance;
    int column_width;
    int maximum_columns;
    int spacing;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RfColumns, rf_columns, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum {
    PROP_0,
    PROP_COLUMN_WIDTH,
    PROP_MAXIMUM_COLUMNS,
    PROP_SPACING,
    N_PROPS,
};

static GParamSpec *props[N_PROPS];
static GtkBuildableIface *parent_buildable;

static int
widest_minimum (RfColumns *self)
{
    int widest = 0;

    for (GtkWidget *w = gtk_widget_get_first_child (GTK_WIDGET (self)); w != NULL;
         w = gtk_widget_get_next_sibling (w)) {
        int minimum = 0;

        if (!gtk_widget_should_layout (w))
            continue;
        gtk_widget_measure (w, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
        widest = MAX (widest, minimum);
    }
    return widest;
}

/* Text twice as large needs columns twice as wide, and a child may need more than that: then there are fewer. */
static int
wanted_column_width (RfColumns *self)
{
    int dpi = -1;
    int scaled;

    g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
    scaled = dpi > 96 * 1024 ? (int)((gint64)self->column_width * dpi / (96 * 1024)) : self->column_width;
    return MAX (scaled, widest_minimum (self));
}

static int
count_columns (RfColumns *self, int width)
{
    const int column_width = wanted_column_width (self);

    return CLAMP ((width + self->spacing) / (column_width + self->spacing), 1, self->maximum_columns);
}

/* Heights of all rows at @width; allocates the children too if @allocate. Returns: the whole height. */
static int
lay_out (RfColumns *self, int width, gboolean allocate)
{
    const int columns = count_columns (self, width);
    const int column_width = (width - (columns - 1) * self->spacing) / columns;
    const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
    GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self));
    int y = 0;

    while (child != NULL) {
        GtkWidget *row_start = child;
        int row_height = 0;
        int in_row = 0;

        for (; child != NULL && in_row < columns; child = gtk_widget_get_next_sibling (child)) {
            int natural = 0;

            if (!gtk_widget_should_layout (child))
                continue;
            gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, column_width, NULL, &natural, NULL, NULL);
            row_height = MAX (row_height, natural);
            in_row++;
        }
        if (in_row == 0)
            break;
        if (allocate) {
            int i = 0;

            for (GtkWidget *w = row_start; w != child; w = gtk_widget_get_next_sibling (w)) {
                const int place = mirrored ? columns - 1 - i : i;
                const GtkAllocation area
                    = {place * (column_width + self->spacing), y, column_width, row_height};

                if (!gtk_widget_should_layout (w))
                    continue;
                gtk_widget_size_allocate (w, &area, -1);
                i++;
            }
        }
        y += row_height + self->spacing;
    }
    return MAX (0, y - self->spacing);
}

static void
rf_columns_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline)
{
    RfColumns *self = RF_COLUMNS (widget);
    const int widest = widest_minimum (self);

    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = widest;
        *natural = self->maximum_columns * (wanted_column_width (self) + self->spacing) - self->spacing;
    } else {
        *minimum = *natural
            = lay_out (self, for_size > 0 ? MAX (for_size, widest) : MAX (widest, self->column_width), FALSE);
    }
}

static void
rf_columns_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    lay_out (RF_COLUMNS (widget), width, TRUE);
}

static GtkSizeRequestMode
rf_columns_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
rf_columns_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfColumns *self = RF_COLUMNS (object);

    switch (id) {
    case PROP_COLUMN_WIDTH:
        g_value_set_int (value, self->column_width);
        break;
    case PROP_MAXIMUM_COLUMNS:
        g_value_set_int (value, self->maximum_columns);
        break;
    case PROP_SPACING:
        g_value_set_int (value, self->spacing);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_columns_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfColumns *self = RF_COLUMNS (object);

    switch (id) {
    case PROP_COLUMN_WIDTH:
        self->column_width = g_value_get_int (value);
        break;
    case PROP_MAXIMUM_COLUMNS:
        self->maximum_columns = g_value_get_int (value);
        break;
    case PROP_SPACING:
        self->spacing = g_value_get_int (value);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
rf_columns_dispose (GObject *object)
{
    GtkWidget *child = NULL;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
        gtk_widget_unparent (child);
    G_OBJECT_CLASS (rf_columns_parent_class)->dispose (object);
}

static void
rf_columns_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
    if (GTK_IS_WIDGET (child))
        rf_columns_append (RF_COLUMNS (buildable), GTK_WIDGET (child));
    else
        parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
    parent_buildable = g_type_interface_peek_parent (iface);
    iface->add_child = rf_columns_add_child;
}

static void
rf_columns_class_init (RfColumnsClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

    object_class->dispose = rf_columns_dispose;
    object_class->get_property = rf_columns_get_property;
    object_class->set_property = rf_columns_set_property;
    widget_class->measure = rf_columns_measure;
    widget_class->size_allocate = rf_columns_size_allocate;
    widget_class->get_request_mode = rf_columns_get_request_mode;

    props[PROP_COLUMN_WIDTH] = g_param_spec_int ("column-width", NULL, NULL, 1, G_MAXINT, 320, flags);
    props[PROP_MAXIMUM_COLUMNS] = g_param_spec_int ("maximum-columns", NULL, NULL, 1, 16, 2, flags);
    props[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, 200, 16, flags);
    g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
rf_columns_init (RfColumns *self)
{
    self->column_width = 320;
    self->maximum_columns = 2;
    self->spacing = 16;
}

GtkWidget *
rf_columns_new (int column_width, int maximum_columns, int spacing)
{
    return g_object_new (RF_TYPE_COLUMNS, "column-width", column_width, "maximum-columns", maximum_columns, "spacing",
                         spacing, NULL);
}

void
rf_columns_append (RfColumns *self, GtkWidget *child)
{
    g_return_if_fail (RF_IS_COLUMNS (self));

    gtk_widget_set_parent (child, GTK_WIDGET (self));
}
