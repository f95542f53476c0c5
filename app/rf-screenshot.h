/* Pictures of what the window shows, drawn as it draws it. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_screenshot_save: writes a PNG of a mapped window, atomically */
gboolean rf_screenshot_save (GtkWindow *window, const char *path, GError **error);

/**
 * rf_screenshot_take:
 * @widget: mapped; all of it is drawn, also what has been scrolled out of view
 * @title: (nullable): words above it
 *
 * With the colour of the window behind it and some room around.
 *
 * Returns: (transfer full): a PNG; NULL with an error if nothing can be drawn
 */
GBytes *rf_screenshot_take (GtkWidget *widget, const char *title, GError **error);

G_END_DECLS
