#define G_LOG_DOMAIN "rf-copy-button"
#include "config.h"

#include "rf-copy-button.h"

#include <glib/gi18n.h>

static void
say (GtkWidget *button, const char *label, const char *name)
{
    gtk_button_set_label (GTK_BUTTON (button), label);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
clicked_cb (GtkWidget *button)
{
    const char *text = g_object_get_data (G_OBJECT (button), "rf-text");
    if (text == NULL)
        return;
    gdk_clipboard_set_text (gtk_widget_get_clipboard (button), text);
    /* a screen reader reads the new name of what has the focus */
    say (button, _ ("Copied"), _ ("Copied"));
}

GtkWidget *
rf_copy_button_new (void)
{
    GtkWidget *button = gtk_button_new_with_label (_ ("Copy"));
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), NULL);
    return button;
}

void
rf_copy_button_set (GtkWidget *button, const char *text, const char *name)
{
    g_return_if_fail (GTK_IS_BUTTON (button));
    g_object_set_data_full (G_OBJECT (button), "rf-text", g_strdup (text), g_free);
    gtk_widget_set_tooltip_text (button, name);
    say (button, _ ("Copy"), name != NULL ? name : _ ("Copy"));
}
