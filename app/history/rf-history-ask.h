/* Asks whether a value that somebody else has set shall give way to the one from before. */
#pragma once

#include "rf-record.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RfHistoryAskFunc: @yes: bring back the value from before; called once, also if the question is closed */
typedef void (*RfHistoryAskFunc) (gboolean yes, gpointer data);

/** rf_history_ask: @now: (nullable): what is there now; @parent: (nullable) */
void rf_history_ask (GtkWindow *parent, const RfRecordEntry *entry, const RfValue *now, const RfFacts *facts,
                     RfHistoryAskFunc callback, gpointer data);

G_END_DECLS
