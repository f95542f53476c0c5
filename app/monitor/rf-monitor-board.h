/* The graphs that were chosen, in their groups, or one of them in full size. Follows an RfMonitorChoice. Main thread. */
#pragma once

#include "rf-graph-card.h"
#include "rf-monitor-choice.h"
#include "rf-sampler.h"

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_BOARD (rf_monitor_board_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorBoard, rf_monitor_board, RF, MONITOR_BOARD, GtkWidget)

GtkWidget *rf_monitor_board_new (RfSampler *sampler, RfMonitorChoice *choice);
/** rf_monitor_board_update: writes the newest sample into the cards that are shown */
void rf_monitor_board_update (RfMonitorBoard *self);
/** rf_monitor_board_foreach: for what is the same for all graphs of the page; those that are not shown, too */
void rf_monitor_board_foreach (RfMonitorBoard *self, void (*func) (RfGraphCard *card, gpointer data), gpointer data);
/** rf_monitor_board_shown: Returns: (transfer container): the RfGraphCards that are shown, in their order */
GPtrArray *rf_monitor_board_shown (RfMonitorBoard *self);

/** rf_monitor_board_open: @id: (nullable): this graph in full size, also one that is not chosen; NULL: all again */
void rf_monitor_board_open (RfMonitorBoard *self, const char *id);
/** rf_monitor_board_get_open: (transfer none) (nullable): the graph in full size */
const char *rf_monitor_board_get_open (RfMonitorBoard *self);
/** rf_monitor_board_step: from a graph in full size to the next one (@by 1) or the one before (-1), round and round */
void rf_monitor_board_step (RfMonitorBoard *self, int by);

G_END_DECLS
