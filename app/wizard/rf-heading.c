#define G_LOG_DOMAIN "rf-heading"
#include "config.h"

#include "rf-heading.h"

#include "rf-label.h"

struct _RfHeading {
    GtkWidget parent_instance;
    GtkWidget *label;
};

G_DEFINE_FINAL_TYPE (RfHeading, rf_heading, GTK_TYPE_WIDGET)

static void
rf_heading_dispose (GObject *object)
{
    g_clear_pointer (&RF_HEADING (object)->label, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_heading_parent_class)->dispose (object);
}

static void
rf_heading_class_init (RfHeadingClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_heading_dispose;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_HEADING);
}

static void
rf_heading_init (RfHeading *self)
{
    self->label = rf_label_new (NULL, "rf-title");
    gtk_widget_set_parent (self->label, GTK_WIDGET (self));
    gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
}

GtkWidget *
rf_heading_new (void)
{
    return g_object_new (RF_TYPE_HEADING, NULL);
}

void
rf_heading_set_text (RfHeading *self, const char *text)
{
    g_return_if_fail (RF_IS_HEADING (self));
    gtk_label_set_text (GTK_LABEL (self->label), text != NULL ? text : "");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text != NULL ? text : "", -1);
}

const char *
rf_heading_get_text (RfHeading *self)
{
    g_return_val_if_fail (RF_IS_HEADING (self), NULL);
    return gtk_label_get_text (GTK_LABEL (self->label));
}

GtkLabel *
rf_heading_get_label (RfHeading *self)
{
    g_return_val_if_fail (RF_IS_HEADING (self), NULL);
    return GTK_LABEL (self->label);
}
