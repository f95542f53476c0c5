#define G_LOG_DOMAIN "rf-label"
#include "config.h"

#include "rf-label.h"

GtkWidget *
rf_label_new (const char *text, const char *css_class)
{
    GtkWidget *label = gtk_label_new (text);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
    if (css_class != NULL)
        gtk_widget_add_css_class (label, css_class);
    /* what somebody looks up or puts into a question elsewhere */
    gtk_label_set_selectable (GTK_LABEL (label), g_strcmp0 (css_class, "rf-kernel") == 0);
    return label;
}

void
rf_label_let_wrap (GtkWidget *label)
{
    g_return_if_fail (GTK_IS_LABEL (label));
    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
    gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
}

GtkWidget *
rf_boxed_list_new (const char *name)
{
    GtkWidget *list = gtk_list_box_new ();
    gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class (list, "rf-boxed-list");
    gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    return list;
}

void
rf_boxed_list_clear (GtkWidget *list)
{
    GtkWidget *row = NULL;
    while ((row = gtk_widget_get_first_child (list)) != NULL)
        gtk_list_box_remove (GTK_LIST_BOX (list), row);
}
