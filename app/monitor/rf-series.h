/* The history of one line of a graph, one double per sample, in bounded memory: the newest samples as they are, older
 * ones thinned to least, greatest and sum of 4, 16, 64 … neighbours, so that no spike vanishes. Samples are numbered
 * from 0 as they come, and a thinned cell always covers the same numbers: what is read from a cell never changes once
 * it is full. Owns memory only: it never reads and never draws. NAN is a gap. One thread. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/** RF_SERIES_RECENT: samples that are kept as they are: five minutes at four a second, and some more */
#define RF_SERIES_RECENT 1280

#define RF_TYPE_SERIES (rf_series_get_type ())
G_DECLARE_FINAL_TYPE (RfSeries, rf_series, RF, SERIES, GObject)

/**
 * RfSeriesCell: some neighbouring samples
 * @min, @max: NAN if all of them are gaps
 * @sum: of those that are not
 * @count: how many are not; a part of a thinned cell has its share, so this need not be whole
 */
typedef struct {
    double min;
    double max;
    double sum;
    double count;
} RfSeriesCell;

/** rf_series_new: @capacity: samples back of which something is known, at least 2 */
RfSeries *rf_series_new (guint capacity);
void rf_series_push (RfSeries *self, double value);
/** rf_series_push_gaps: as if @count NANs were pushed, at the cost of about the capacity at most */
void rf_series_push_gaps (RfSeries *self, guint64 count);
/** rf_series_length: samples that are known one by one, at most RF_SERIES_RECENT */
guint rf_series_length (RfSeries *self);
/** rf_series_get: @back: 0 is the newest. Returns: NAN beyond the length */
double rf_series_get (RfSeries *self, guint back);
/** rf_series_total: samples ever pushed; lets a painter see how many are new */
guint64 rf_series_total (RfSeries *self);
/** rf_series_range: smallest and largest of the newest @count samples; what has been thinned is rounded up to whole
 * cells. FALSE if all are gaps */
gboolean rf_series_range (RfSeries *self, guint count, double *min, double *max);
/** rf_series_range_between: the same over sample numbers @start to @end, which is not counted in */
gboolean rf_series_range_between (RfSeries *self, guint64 start, guint64 end, double *min, double *max);

/**
 * rf_series_older: walks back over the history, as finely as it is known
 * @end: number after the newest sample that is wanted
 * @start: number of the oldest that is wanted
 *
 * Returns: how many samples, up to the one before @end, @out stands for; 0 if nothing is known there any more
 */
guint rf_series_older (RfSeries *self, guint64 start, guint64 end, RfSeriesCell *out);

/**
 * rf_series_step: how many samples share a cell where every cell is to be of one size
 * @reach: so many samples back from the newest something must be known
 * @wanted: samples that may share a cell, as far as the one who asks is concerned
 *
 * Returns: 1, 4, 16 …: the largest one up to @wanted, or the smallest one that reaches back far enough
 */
guint rf_series_step (RfSeries *self, guint64 reach, double wanted);
/** rf_series_cell: cell @number (0 is the oldest ever) of @step samples, which rf_series_step() has returned.
 * FALSE if it is all gaps, not known any more or not full yet */
gboolean rf_series_cell (RfSeries *self, guint step, guint64 number, RfSeriesCell *out);
/** rf_series_bytes: memory that the history takes: with an hour at four samples a second less than 64 KiB */
gsize rf_series_bytes (RfSeries *self);

G_END_DECLS
