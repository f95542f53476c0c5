/* The live page: the graphs that were chosen, or a line for each group, with their range, pause and saving. Holds the
 * sampler only while it is seen. Main thread. */
#pragma once

#include "rf-facts.h"
#include "rf-sampler.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_PAGE (rf_monitor_page_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorPage, rf_monitor_page, RF, MONITOR_PAGE, GtkWidget)

/**
 * rf_monitor_page_new:
 * @facts: (nullable)
 * @settings: (nullable): where the choice of graphs, the range and the compact view are remembered; NULL: nowhere
 */
GtkWidget *rf_monitor_page_new (RfSampler *sampler, RfFacts *facts, GSettings *settings);
/** rf_monitor_page_zoom_in: shows the shortest range that there is, as a person can by its button */
void rf_monitor_page_zoom_in (RfMonitorPage *self);
/** rf_monitor_page_go_back: Returns: whether there was a graph in full size to go back from */
gboolean rf_monitor_page_go_back (RfMonitorPage *self);

G_END_DECLS
