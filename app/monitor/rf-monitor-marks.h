/* Marks in the graphs where settings were applied or taken back, by this window or by anybody else: follows the records
 * of the helper for as long as it lives. Asks only when the helper has said that something changed, and so never starts
 * one. No GTK. Main thread. */
#pragma once

#include "rf-client.h"
#include "rf-sampler.h"

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_MARKS (rf_monitor_marks_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorMarks, rf_monitor_marks, RF, MONITOR_MARKS, GObject)

/* RfMonitorMarks signal: "marked" (guint kind): an RfMarkKind */

/** rf_monitor_marks_new: @sampler: (nullable): gets the marks */
RfMonitorMarks *rf_monitor_marks_new (RfClient *client, RfSampler *sampler);

/**
 * rf_monitor_marks_judge: what a record tells that was not known before
 * @before: (nullable): its state when it was seen last; NULL if it never was
 * @since: seconds since 1970: of a record that was never seen, what happened before is not news
 * @kind: (out)
 *
 * Returns: whether there is something to mark
 */
gboolean rf_monitor_marks_judge (const RfRecordState *before, const RfRecord *now, gint64 since, RfMarkKind *kind);

G_END_DECLS
