/* The monitor at a glance: one card a group with one line that says how things are there, and one small graph. Owns
 * nothing but its widgets. Main thread. */
#pragma once

#include "rf-facts.h"
#include "rf-graph-card.h"
#include "rf-sampler.h"

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_COMPACT (rf_monitor_compact_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorCompact, rf_monitor_compact, RF, MONITOR_COMPACT, GtkWidget)

/** rf_monitor_compact_new: @facts: (nullable): tells which drives rotate */
GtkWidget *rf_monitor_compact_new (RfSampler *sampler, RfFacts *facts);
/** rf_monitor_compact_update: writes the newest sample into the cards; the lines change at most every five seconds, for
 * a sentence that changes every second cannot be read */
void rf_monitor_compact_update (RfMonitorCompact *self);
/** rf_monitor_compact_foreach: for what is the same for all graphs of the page */
void rf_monitor_compact_foreach (RfMonitorCompact *self, void (*func) (RfGraphCard *card, gpointer data), gpointer data);

G_END_DECLS
