/* The bar above the graphs: which time they show or since when they stand still, the buttons for it, and the menu with all
 * else. Its actions are those of the page around it ("monitor.pause"). Main thread. */
#pragma once

#include "rf-monitor-choice.h"
#include "rf-sampler.h"
#include "rf-timeline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_BAR (rf_monitor_bar_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorBar, rf_monitor_bar, RF, MONITOR_BAR, GtkWidget)

GtkWidget *rf_monitor_bar_new (RfMonitorChoice *choice, RfTimeline *timeline, RfSampler *sampler);

/** rf_monitor_bar_range: Returns: (transfer full): "Last 5 minutes", translated */
char *rf_monitor_bar_range (RfMonitorChoice *choice);
/** rf_monitor_bar_end: Returns: (transfer full): local time when the newest sample that is shown was taken */
GDateTime *rf_monitor_bar_end (RfTimeline *timeline, RfSampler *sampler);

G_END_DECLS
