#define G_LOG_DOMAIN "rf-fold"
#include "config.h"

#include "rf-fold.h"

struct _RfFold {
    GtkWidget parent_instance;
    int fold_width;
    int spacing;
};

static void buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RfFold, rf_fold, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, buildable_init))

enum {
    PROP_FOLD_WIDTH = 1,
    PROP_SPACING,
    N_PROPS
};

static GParamSpec *properties[N_PROPS];
static GtkBuildableIface *parent_buildable;

/* wider than any screen */
#define WIDE 100000

/* Text twice as large needs twice the room before words stand beside each other. */
static int
scaled_fold_width (RfFold *self)
{
    int dpi = -1;
    g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
    return dpi > 96 * 1024 ? (int) ((gint64) self->fold_width * dpi / (96 * 1024)) : self->fold_width;
}

static guint
count_children (RfFold *self)
{
    guint n = 0;
    for (GtkWidget *w = gtk_widget_get_first_child (GTK_WIDGET (self)); w != NULL; w = gtk_widget_get_next_sibling (w))
        n += gtk_widget_should_layout (w) ? 1 : 0;
    return n;
}

/* Widths of the children beside each other; FALSE if they have to be stacked. */
static gboolean
distribute (RfFold *self, int width, GtkRequestedSize *sizes)
{
    guint n = 0, n_expand = 0;
    int minimum = 0, natural = 0;
    for (GtkWidget *w = gtk_widget_get_first_child (GTK_WIDGET (self)); w != NULL;
         w = gtk_widget_get_next_sibling (w)) {
        if (!gtk_widget_should_layout (w))
            continue;
        GtkRequestedSize *size = &sizes[n++];
        size->data = w;
        gtk_widget_measure (w, GTK_ORIENTATION_HORIZONTAL, -1, &size->minimum_size, &size->natural_size, NULL, NULL);
        minimum += size->minimum_size;
        natural += size->natural_size;
        n_expand += gtk_widget_compute_expand (w, GTK_ORIENTATION_HORIZONTAL) ? 1 : 0;
    }
    int gaps = n > 0 ? ((int) n - 1) * self->spacing : 0;
    int enough = self->fold_width > 0 ? MAX (minimum + gaps, scaled_fold_width (self)) : natural + gaps;
    if (width < enough && self->fold_width != RF_FOLD_NEVER)
        return FALSE;
    int extra = gtk_distribute_natural_allocation (MAX (0, width - minimum - gaps), n, sizes);
    for (guint i = 0; i < n && n_expand > 0; i++) {
        if (!gtk_widget_compute_expand (sizes[i].data, GTK_ORIENTATION_HORIZONTAL))
            continue;
        int share = extra / (int) n_expand;
        sizes[i].minimum_size += share;
        extra -= share;
        n_expand--;
    }
    return TRUE;
}

static int
height_at (RfFold *self, int width)
{
    guint n = count_children (self);
    g_autofree GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n + 1);
    gboolean beside = distribute (self, width, sizes);
    int height = 0;
    for (guint i = 0; i < n; i++) {
        int natural = 0;
        gtk_widget_measure (sizes[i].data, GTK_ORIENTATION_VERTICAL, beside ? sizes[i].minimum_size : width, NULL,
                            &natural, NULL, NULL);
        height = beside ? MAX (height, natural) : height + natural + (i > 0 ? self->spacing : 0);
    }
    return height;
}

/* The least width for a height. We are as high as our width makes us, but the boxes of GTK 4.18 ask all the same, and find
 * that they need more room at least than they want at best if what they hear does not fit to the height for a width. */
static int
width_at (RfFold *self, int height, int minimum, int natural)
{
    guint n = count_children (self);
    GtkRequestedSize *sizes = g_newa0 (GtkRequestedSize, n + 1); /* a handful */
    int beside = self->fold_width > 0 ? MAX (minimum, scaled_fold_width (self)) : natural;
    if (height_at (self, minimum) <= height)
        return minimum;
    if (!distribute (self, beside, sizes))
        beside = natural;
    return height_at (self, beside) <= height ? beside : MAX (beside, natural);
}

static void
rf_fold_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                 int *minimum_baseline, int *natural_baseline)
{
    RfFold *self = RF_FOLD (widget);
    int widest = 0, least = 0, sum = 0;
    for (GtkWidget *w = gtk_widget_get_first_child (widget); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        int child_minimum = 0, child_natural = 0;
        if (!gtk_widget_should_layout (w))
            continue;
        gtk_widget_measure (w, GTK_ORIENTATION_HORIZONTAL, -1, &child_minimum, &child_natural, NULL, NULL);
        widest = MAX (widest, child_minimum);
        least += child_minimum + (sum > 0 ? self->spacing : 0);
        sum += child_natural + (sum > 0 ? self->spacing : 0);
    }
    if (self->fold_width == RF_FOLD_NEVER)
        widest = least; /* beside each other also where it is narrow */
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *natural = MAX (widest, sum);
        /* GTK 4.8 asks, too, with the height that it has given out, and then takes the answer for what we must get: more
         * than the window is wide */
        *minimum = for_size >= 0 && gtk_get_minor_version () >= 16 ? width_at (self, for_size, widest, *natural)
                                                                   : widest;
        *natural = MAX (*minimum, *natural);
    } else {
        *natural = height_at (self, MAX (widest, for_size >= 0 ? for_size : sum));
        /* without a width the least height is that of the widest of us: no width may lead to a lesser one */
        *minimum = for_size >= 0 ? *natural : MIN (*natural, height_at (self, WIDE));
    }
}

static void
rf_fold_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    RfFold *self = RF_FOLD (widget);
    guint n = count_children (self);
    GtkRequestedSize *sizes = g_new0 (GtkRequestedSize, n + 1);
    gboolean beside = distribute (self, width, sizes);
    gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
    int x = 0, y = 0;
    for (guint i = 0; i < n; i++) {
        if (beside) {
            int child_width = sizes[i].minimum_size;
            int left = mirrored ? width - x - child_width : x;
            gtk_widget_size_allocate (sizes[i].data, &(GtkAllocation){left, 0, child_width, height}, -1);
            x += child_width + self->spacing;
        } else {
            int natural = 0;
            gtk_widget_measure (sizes[i].data, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
            gtk_widget_size_allocate (sizes[i].data, &(GtkAllocation){0, y, width, natural}, -1);
            y += natural + self->spacing;
        }
    }
    g_free (sizes);
}

/* A closed GtkExpander of GTK 4.8 leads the focus into its child, too, which is in no window then: nothing can have it. */
static gboolean
rf_fold_focus (GtkWidget *widget, GtkDirectionType direction)
{
    return gtk_widget_get_root (widget) != NULL && GTK_WIDGET_CLASS (rf_fold_parent_class)->focus (widget, direction);
}

static GtkSizeRequestMode
rf_fold_get_request_mode (GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
rf_fold_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfFold *self = RF_FOLD (object);
    switch (id) {
    case PROP_FOLD_WIDTH:
        g_value_set_int (value, self->fold_width);
        break;
    case PROP_SPACING:
        g_value_set_int (value, self->spacing);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_fold_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfFold *self = RF_FOLD (object);
    switch (id) {
    case PROP_FOLD_WIDTH:
        self->fold_width = g_value_get_int (value);
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
rf_fold_dispose (GObject *object)
{
    GtkWidget *child = NULL;
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
        gtk_widget_unparent (child);
    G_OBJECT_CLASS (rf_fold_parent_class)->dispose (object);
}

static void
rf_fold_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
    if (GTK_IS_WIDGET (child))
        rf_fold_append (RF_FOLD (buildable), GTK_WIDGET (child));
    else
        parent_buildable->add_child (buildable, builder, child, type);
}

static void
buildable_init (GtkBuildableIface *iface)
{
    parent_buildable = g_type_interface_peek_parent (iface);
    iface->add_child = rf_fold_add_child;
}

static void
rf_fold_class_init (RfFoldClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
    object_class->get_property = rf_fold_get_property;
    object_class->set_property = rf_fold_set_property;
    object_class->dispose = rf_fold_dispose;
    widget_class->measure = rf_fold_measure;
    widget_class->size_allocate = rf_fold_size_allocate;
    widget_class->get_request_mode = rf_fold_get_request_mode;
    widget_class->focus = rf_fold_focus;
    properties[PROP_FOLD_WIDTH] = g_param_spec_int ("fold-width", NULL, NULL, RF_FOLD_NEVER, G_MAXINT, 0, flags);
    properties[PROP_SPACING] = g_param_spec_int ("spacing", NULL, NULL, 0, 200, 12, flags);
    g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
rf_fold_init (RfFold *self)
{
    self->spacing = 12;
}

GtkWidget *
rf_fold_new (int fold_width, int spacing)
{
    return g_object_new (RF_TYPE_FOLD, "fold-width", fold_width, "spacing", spacing, NULL);
}

void
rf_fold_append (RfFold *self, GtkWidget *child)
{
    g_return_if_fail (RF_IS_FOLD (self) && GTK_IS_WIDGET (child));
    gtk_widget_set_parent (child, GTK_WIDGET (self));
}
