/* One setting that differs from the system's own: old → new, still so or not and why, and a button that takes it back. */
#pragma once

#include "rf-client.h"
#include "rf-provenance.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_HISTORY_ROW (rf_history_row_get_type ())
G_DECLARE_FINAL_TYPE (RfHistoryRow, rf_history_row, RF, HISTORY_ROW, GtkListBoxRow)

/**
 * rf_history_row_new:
 * @drift: (nullable): what Check says about it; NULL if it is not known
 * @note: (nullable): one more sentence about how it is now, translated
 * @provenance: (transfer full): who sets it, and with that what overrules it at the next start
 *
 * RfHistoryRow signal: "revert" (): the button was pressed.
 */
GtkWidget *rf_history_row_new (const RfRecord *record, const RfRecordEntry *entry, const RfDrift *drift,
                               const RfFacts *facts, const char *note, RfProvenance *provenance);
/** rf_history_row_get_record_id / tunable / instance: Returns: (transfer none): what the row is about */
const char *rf_history_row_get_record_id (RfHistoryRow *self);
const RfTunable *rf_history_row_get_tunable (RfHistoryRow *self);
const char *rf_history_row_get_instance (RfHistoryRow *self);

G_END_DECLS
