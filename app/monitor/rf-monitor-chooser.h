/* A window in which a person chooses the graphs of the monitor and their order: a check box a graph, dragging, buttons
 * and Alt with the arrow keys. What is chosen is seen at once. Main thread. */
#pragma once

#include "rf-monitor-choice.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_CHOOSER (rf_monitor_chooser_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorChooser, rf_monitor_chooser, RF, MONITOR_CHOOSER, GtkWindow)

/** rf_monitor_chooser_new: Returns: (transfer none): a modal window, not shown yet; the ids of @choice are those of the
 * table of cards */
GtkWidget *rf_monitor_chooser_new (RfMonitorChoice *choice);

G_END_DECLS
