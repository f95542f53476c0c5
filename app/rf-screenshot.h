/* A picture of a window in a file, for bug reports, the README and machines without a visible display. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_screenshot_save: @window must be on the screen. Returns: FALSE with a GIO or GTK error */
gboolean rf_screenshot_save (GtkWindow *window, const char *path, GError **error);

G_END_DECLS
