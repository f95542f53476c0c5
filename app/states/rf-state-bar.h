/* A state as a banner inside a page: what is wrong, what it means, text to copy, and a button for what to do. The same on
 * every page; what its button does is the page's. */
#pragma once

#include "rf-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_STATE_BAR (rf_state_bar_get_type ())
G_DECLARE_FINAL_TYPE (RfStateBar, rf_state_bar, RF, STATE_BAR, GtkWidget)

/** RfStateBar signal: "action" (guint action): the button was pressed; an RfStateAction */

/** rf_state_bar_new: empty and hidden */
GtkWidget *rf_state_bar_new (void);
/** rf_state_bar_show: @info: (transfer full) (nullable): NULL hides the bar. What is shown already stays untouched, so
 * that nobody loses the focus or is told the same again. */
void rf_state_bar_show (RfStateBar *self, RfStateInfo *info);
/** rf_state_bar_get_info: Returns: (transfer none) (nullable): what is shown */
const RfStateInfo *rf_state_bar_get_info (RfStateBar *self);

G_END_DECLS
