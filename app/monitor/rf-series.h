/* A ring of doubles, one per sample, for one line of a graph. Owns memory only: it never reads and never draws.
 * NAN is a gap. One thread. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define RF_TYPE_SERIES (rf_series_get_type ())
G_DECLARE_FINAL_TYPE (RfSeries, rf_series, RF, SERIES, GObject)

/** rf_series_new: @capacity: samples kept, at least 2 */
RfSeries *rf_series_new (guint capacity);
void rf_series_push (RfSeries *self, double value);
/** rf_series_push_gaps: as if @count NANs were pushed, at the cost of the capacity at most */
void rf_series_push_gaps (RfSeries *self, guint64 count);
guint rf_series_length (RfSeries *self);
/** rf_series_get: @back: 0 is the newest. Returns: NAN beyond the length */
double rf_series_get (RfSeries *self, guint back);
/** rf_series_total: samples ever pushed; lets a painter see how many are new */
guint64 rf_series_total (RfSeries *self);
/** rf_series_range: smallest and largest of the newest @count samples; FALSE if all are gaps */
gboolean rf_series_range (RfSeries *self, guint count, double *min, double *max);

G_END_DECLS
