/* One column of a recording, ready to be looked at from any height: the least and the greatest value between any two
 * times are found without walking over all rows, so that eight hours scroll as lightly as a minute. What is seen
 * becomes a series, so that the monitor's graphs show recordings, too. Owns memory only. Pure, one thread. */
#pragma once

#include "rf-series.h"
#include "rf-table.h"

G_BEGIN_DECLS

typedef struct _RfLane RfLane;

/** rf_lane_new: keeps a reference on @table, which must not grow any more. Costs a quarter of the column's memory */
RfLane *rf_lane_new (RfTable *table, guint column);
void rf_lane_free (RfLane *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfLane, rf_lane_free)

/** rf_lane_range: of rows @first to @end, which is not counted in. Returns: FALSE if nothing is known in there */
gboolean rf_lane_range (const RfLane *self, gsize first, gsize end, float *min, float *max);

/** rf_lane_interval_ns: Returns: how far apart the rows mostly are (median), 0 with fewer than two rows */
gint64 rf_lane_interval_ns (const RfLane *self);

/**
 * rf_lane_series:
 * @start_ns, @end_ns: what is seen; @end_ns greater than @start_ns
 * @cells: into how many equal stretches of time it is cut, at least 1
 *
 * Each stretch becomes two samples: its least and its greatest value in the order that continues the line, so that no
 * spike is lost. A stretch without a row continues the one before it as long as rows are not missing (more than three
 * times the usual distance); otherwise it is a gap.
 *
 * Returns: (transfer full): a series of 2 × @cells samples
 */
RfSeries *rf_lane_series (const RfLane *self, gint64 start_ns, gint64 end_ns, guint cells);

G_END_DECLS
