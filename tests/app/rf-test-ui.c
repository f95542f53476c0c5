#include "config.h"

#include "rf-test-ui.h"

#include <string.h>

static const char *
text_of (GtkWidget *widget)
{
    if (GTK_IS_BUTTON (widget))
        widget = gtk_button_get_child (GTK_BUTTON (widget));
    return GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : NULL;
}

static gboolean
matches (GtkWidget *widget, const char *text)
{
    const char *found = text_of (widget);
    return found != NULL && strstr (found, text) != NULL;
}

GtkWidget *
rf_test_find (GtkWidget *root, GType type, const char *text)
{
    if (!gtk_widget_get_visible (root) || !gtk_widget_get_child_visible (root))
        return NULL;
    if (G_TYPE_CHECK_INSTANCE_TYPE (root, type) && (text == NULL || matches (root, text)))
        return root;
    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        GtkWidget *found = rf_test_find (w, type, text);
        if (found != NULL)
            return found;
    }
    return NULL;
}

gboolean
rf_test_sees (GtkWidget *root, const char *text)
{
    return rf_test_find (root, GTK_TYPE_LABEL, text) != NULL;
}

void
rf_test_click (GtkWidget *root, const char *text)
{
    GtkWidget *button = rf_test_find (root, GTK_TYPE_BUTTON, text);
    if (button == NULL)
        g_error ("no button “%s”", text);
    g_assert_true (gtk_widget_is_sensitive (button));
    g_signal_emit_by_name (button, "clicked");
}

static gboolean
over_cb (gpointer over)
{
    *(gboolean *)over = TRUE;
    return G_SOURCE_REMOVE;
}

void
rf_test_settle (guint ms)
{
    gboolean over = FALSE;
    g_timeout_add (ms, over_cb, &over);
    while (!over)
        g_main_context_iteration (NULL, TRUE);
}
