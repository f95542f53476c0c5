#define G_LOG_DOMAIN "rf-swatch"

#include "config.h"

#include "rf-swatch.h"

struct _RfSwatch {
    GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (RfSwatch, rf_swatch, GTK_TYPE_WIDGET)

static void
rf_swatch_class_init (RfSwatchClass *klass)
{
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "rfswatch");
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
rf_swatch_init (RfSwatch *self)
{
    gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
rf_swatch_new (guint line)
{
    GtkWidget *self = g_object_new (RF_TYPE_SWATCH, NULL);
    g_autofree char *css_class = g_strdup_printf ("line-%u", line + 1);

    gtk_widget_add_css_class (self, css_class);
    return self;
}
