/* Histories as a table that a spreadsheet opens: CSV with one line a sample, the oldest first. Pure. No GTK. */
#pragma once

#include "rf-series.h"

G_BEGIN_DECLS

/** RfSeriesColumn: @name: with its unit, "free_bytes", never translated; owned by the array. @series: (transfer none) */
typedef struct {
    char *name;
    RfSeries *series;
} RfSeriesColumn;

/** rf_series_columns_new: Returns: an empty array of RfSeriesColumn that owns the names */
GArray *rf_series_columns_new (void);
void rf_series_columns_add (GArray *columns, const char *name, RfSeries *series);

/**
 * rf_series_table:
 * @columns: of RfSeriesColumn, at least one; all have the same clock and the same capacity
 * @start, @end: numbers of the first sample and of the one after the last
 * @newest_us: when the sample before @end was taken, microseconds since 1970
 * @interval_ms: from sample to sample
 *
 * What has been thinned is one line for several samples, at the time of the newest of them; then each column has its mean
 * and beside it the least and the greatest ("free_bytes", "free_bytes_min", "free_bytes_max"), so that no spike is lost.
 * A gap is an empty field. Numbers and times do not follow the language.
 *
 * Returns: (transfer full): the text, which ends with a line break
 */
char *rf_series_table (const GArray *columns, guint64 start, guint64 end, gint64 newest_us, guint interval_ms);

G_END_DECLS
