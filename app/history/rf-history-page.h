/* What Ruckelfrei has changed: what differs from the system's own settings now, whether it is still so, and what was
 * taken back earlier. Takes back everything, or single settings. Reads the helper's records each time it is shown. */
#pragma once

#include "rf-client.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_HISTORY_PAGE (rf_history_page_get_type ())
G_DECLARE_FINAL_TYPE (RfHistoryPage, rf_history_page, RF, HISTORY_PAGE, GtkWidget)

/** RfHistoryPage signal: "apply-again" (RfPlan *plan): what another kernel has changed shall be tried again */
/** rf_history_page_new: @sysroot: where what compressed swap holds is read from */
GtkWidget *rf_history_page_new (RfClient *client, RfSysroot *sysroot, RfFacts *facts);

G_END_DECLS
