/* The help: a list of topics, and one topic at a time. A window of its own, so that it can stand beside what it explains.
 * Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_HELP_WINDOW (rf_help_window_get_type ())
G_DECLARE_FINAL_TYPE (RfHelpWindow, rf_help_window, RF, HELP_WINDOW, GtkWindow)

/** rf_help_window_new: @parent: the help goes away with it; with its application, so that its shortcuts work here, too */
GtkWidget *rf_help_window_new (GtkWindow *parent);
/** rf_help_window_show_topic: @id: as in rf-help-topics.h; the list of topics if there is no such topic */
void rf_help_window_show_topic (RfHelpWindow *self, const char *id);

G_END_DECLS
