#define G_LOG_DOMAIN "rf-row"

#include "config.h"

#include "rf-row.h"

#include "rf-fold.h"

struct _RfRow {
    GtkListBoxRow parent_instance;
    GtkWidget *prefixes;
    GtkWidget *suffixes;
    GtkWidget *title;
    GtkWidget *subtitle;
    GtkWidget *arrow;
};

G_DEFINE_FINAL_TYPE (RfRow, rf_row, GTK_TYPE_LIST_BOX_ROW)

enum {
    PROP_0,
    PROP_TITLE,
    PROP_SUBTITLE,
    PROP_LEADS,
    N_PROPS,
};

static GParamSpec *props[N_PROPS];

static void
rf_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfRow *self = RF_ROW (object);

    switch (id) {
    case PROP_TITLE:
        g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->title)));
        break;
    case PROP_SUBTITLE:
        g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->subtitle)));
        break;
    case PROP_LEADS:
        g_value_set_boolean (value, gtk_widget_get_visible (self->arrow));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfRow *self = RF_ROW (object);

    switch (id) {
    case PROP_TITLE:
        gtk_label_set_text (GTK_LABEL (self->title),
                            g_value_get_string (value) != NULL ? g_value_get_string (value) : "");
        break;
    case PROP_SUBTITLE:
        rf_row_set_subtitle (self, g_value_get_string (value));
        break;
    case PROP_LEADS:
        rf_row_set_leads (self, g_value_get_boolean (value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_row_class_init (RfRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

    object_class->get_property = rf_row_get_property;
    object_class->set_property = rf_row_set_property;

    props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
    props[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
    props[PROP_LEADS] = g_param_spec_boolean ("leads", NULL, NULL, FALSE, flags);
    g_object_class_install_properties (object_class, N_PROPS, props);
}

static GtkWidget *
new_text (const char *css_class)
{
    GtkWidget *label = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_widget_add_css_class (label, css_class);
    return label;
}

static void
rf_row_init (RfRow *self)
{
    GtkWidget *box = rf_fold_new (RF_FOLD_NEVER, 12);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

    self->prefixes = rf_fold_new (RF_FOLD_NEVER, 6);
    self->suffixes = rf_fold_new (RF_FOLD_NEVER, 6);
    self->title = new_text ("rf-heading");
    self->subtitle = new_text ("rf-caption");
    self->arrow = gtk_image_new_from_icon_name ("go-next-symbolic");

    gtk_widget_set_visible (self->prefixes, FALSE);
    gtk_widget_set_visible (self->suffixes, FALSE);
    gtk_widget_set_visible (self->subtitle, FALSE);
    gtk_widget_set_visible (self->arrow, FALSE);
    gtk_widget_add_css_class (self->arrow, "rf-dim");
    gtk_widget_set_hexpand (words, TRUE);
    gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (box, "rf-row");

    gtk_box_append (GTK_BOX (words), self->title);
    gtk_box_append (GTK_BOX (words), self->subtitle);
    rf_fold_append (RF_FOLD (box), self->prefixes);
    rf_fold_append (RF_FOLD (box), words);
    rf_fold_append (RF_FOLD (box), self->suffixes);
    rf_fold_append (RF_FOLD (box), self->arrow);
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);

    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, self->title, NULL,
                                    GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, self->subtitle, NULL, -1);
}

GtkWidget *
rf_row_new (const char *title, const char *subtitle)
{
    return g_object_new (RF_TYPE_ROW, "title", title, "subtitle", subtitle, NULL);
}

void
rf_row_set_subtitle (RfRow *self, const char *subtitle)
{
    g_return_if_fail (RF_IS_ROW (self));

    gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
    gtk_widget_set_visible (self->subtitle, subtitle != NULL && *subtitle != '\0');
    /* the path of a file is there to be copied */
    gtk_label_set_selectable (GTK_LABEL (self->subtitle), subtitle != NULL && *subtitle == '/');
}

void
rf_row_add_prefix (RfRow *self, GtkWidget *widget)
{
    g_return_if_fail (RF_IS_ROW (self));

    gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
    rf_fold_append (RF_FOLD (self->prefixes), widget);
    gtk_widget_set_visible (self->prefixes, TRUE);
}

void
rf_row_add_suffix (RfRow *self, GtkWidget *widget)
{
    g_return_if_fail (RF_IS_ROW (self));

    gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
    rf_fold_append (RF_FOLD (self->suffixes), widget);
    gtk_widget_set_visible (self->suffixes, TRUE);
}

void
rf_row_set_leads (RfRow *self, gboolean leads)
{
    g_return_if_fail (RF_IS_ROW (self));

    gtk_widget_set_visible (self->arrow, leads);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), leads);
}
