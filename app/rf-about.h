/* Who made this, under which licence, and which versions are at work. Main thread. */
#pragma once

#include <gtk/gtk.h>

#include "rf-client.h"

G_BEGIN_DECLS

/** rf_about_toolkit: Returns: (transfer full): "GTK 4.8.3, Wayland" */
char *rf_about_toolkit (void);
/** rf_about_show: asks the helper for its version meanwhile, and adds it when it has answered */
void rf_about_show (GtkWindow *parent, RfClient *client);

G_END_DECLS
