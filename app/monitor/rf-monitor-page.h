/* The live page: all graphs in groups. Holds the sampler only while it is seen. Main thread. */
#pragma once

#include "rf-sampler.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_PAGE (rf_monitor_page_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorPage, rf_monitor_page, RF, MONITOR_PAGE, GtkWidget)

GtkWidget *rf_monitor_page_new (RfSampler *sampler);
/** rf_monitor_page_zoom_in: shows the shortest range that there is, as a person can by its button */
void rf_monitor_page_zoom_in (RfMonitorPage *self);

G_END_DECLS
