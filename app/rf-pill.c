#define G_LOG_DOMAIN "rf-pill"

#include "config.h"

#include "rf-pill.h"

struct _RfPill {
    GtkWidget parent_instance;
    GtkWidget *label;
    RfPillKind kind;
};

G_DEFINE_FINAL_TYPE (RfPill, rf_pill, GTK_TYPE_WIDGET)

static const struct {
    const char *css_class;
    const char *sign;
} kinds[] = {
    [RF_PILL_NEUTRAL] = {NULL, NULL},   [RF_PILL_GOOD] = {"good", "✓"},      [RF_PILL_WARNING] = {"warning", "!"},
    [RF_PILL_DANGER] = {"danger", "‼"}, [RF_PILL_ACCENT] = {"accent", NULL},
};

static void
rf_pill_dispose (GObject *object)
{
    RfPill *self = RF_PILL (object);

    g_clear_pointer (&self->label, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_pill_parent_class)->dispose (object);
}

static void
rf_pill_class_init (RfPillClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_pill_dispose;
    gtk_widget_class_set_css_name (widget_class, "rfpill");
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
rf_pill_init (RfPill *self)
{
    self->label = gtk_label_new (NULL);
    gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
    gtk_label_set_natural_wrap_mode (GTK_LABEL (self->label), GTK_NATURAL_WRAP_NONE);
    gtk_widget_set_parent (self->label, GTK_WIDGET (self));
    gtk_widget_add_css_class (GTK_WIDGET (self), "rf-pill");
    gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
rf_pill_new (RfPillKind kind, const char *text)
{
    RfPill *self = g_object_new (RF_TYPE_PILL, NULL);

    rf_pill_set (self, kind, text);
    return GTK_WIDGET (self);
}

void
rf_pill_set (RfPill *self, RfPillKind kind, const char *text)
{
    g_autofree char *with_sign = NULL;

    g_return_if_fail (RF_IS_PILL (self));
    g_return_if_fail (kind < G_N_ELEMENTS (kinds));

    if (kinds[self->kind].css_class != NULL)
        gtk_widget_remove_css_class (GTK_WIDGET (self), kinds[self->kind].css_class);
    if (kinds[kind].css_class != NULL)
        gtk_widget_add_css_class (GTK_WIDGET (self), kinds[kind].css_class);
    self->kind = kind;

    if (kinds[kind].sign != NULL)
        with_sign = g_strdup_printf ("%s %s", kinds[kind].sign, text);
    gtk_label_set_text (GTK_LABEL (self->label), with_sign != NULL ? with_sign : text);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    gtk_widget_set_visible (GTK_WIDGET (self), text != NULL && *text != '\0');
}
