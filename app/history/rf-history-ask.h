/* Asks whether a value that somebody else has set shall give way to the one from before. */
#pragma once

#include "rf-question.h"
#include "rf-record.h"

G_BEGIN_DECLS

/** rf_history_ask: @now: (nullable): what is there now; @parent: (nullable); @callback is called exactly once, with 1 if
 * the value from before shall be brought back, otherwise with 0 */
void rf_history_ask (GtkWindow *parent, const RfRecordEntry *entry, const RfValue *now, const RfFacts *facts,
                     RfQuestionFunc callback, gpointer data);

G_END_DECLS
