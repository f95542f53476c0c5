/* The one clock of the app: takes a snapshot at a fixed interval, derives a sample, pushes it into the series and tells
 * everybody by "sampled". Each place in the series is one interval. While nobody wants to see every interval it looks less
 * often, and what it sees then fills all the places since: what is counted is divided among them, rates and levels are
 * repeated, so that sums stay exact. Stops when nobody holds it active (no window), so that nothing costs anything.
 * Main thread; one read takes well under a millisecond. */
#pragma once

#include "rf-marks.h"
#include "rf-sample.h"
#include "rf-series.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define RF_TYPE_SAMPLER (rf_sampler_get_type ())
G_DECLARE_FINAL_TYPE (RfSampler, rf_sampler, RF, SAMPLER, GObject)

/** rf_sampler_new: @capacity: samples of which each series knows something, see rf-series.h. Signal "sampled" (). */
RfSampler *rf_sampler_new (RfSysroot *sysroot, guint interval_ms, guint capacity);
/** rf_sampler_set_calm_every: how many intervals lie between two looks as long as nobody is lively; 1 at first */
void rf_sampler_set_calm_every (RfSampler *self, guint intervals);
/** rf_sampler_hold / release: counted; sampling runs while at least one holder is there. Values must not be thought to
 * come at a certain rate: ask for the time of a sample instead of counting "sampled". */
void rf_sampler_hold (RfSampler *self);
void rf_sampler_release (RfSampler *self);
/** rf_sampler_hold_lively / release_lively: the same; as long as one of these is there, every interval is looked at */
void rf_sampler_hold_lively (RfSampler *self);
void rf_sampler_release_lively (RfSampler *self);
/** rf_sampler_set_unseen: the window is minimised: the history goes on at the calm pace, whoever holds it, and nobody is
 * told; "sampled" comes at once when it can be seen again */
void rf_sampler_set_unseen (RfSampler *self, gboolean unseen);
/** rf_sampler_get_interval_ms: what one place in the series stands for */
guint rf_sampler_get_interval_ms (RfSampler *self);
RfSysroot *rf_sampler_get_sysroot (RfSampler *self);
/** rf_sampler_get_sample: (transfer none) (nullable): the newest */
const RfSample *rf_sampler_get_sample (RfSampler *self);
/** rf_sampler_get_snapshot: (transfer none) (nullable): the newest raw reading */
const RfSnapshot *rf_sampler_get_snapshot (RfSampler *self);
/** rf_sampler_get_series: (transfer none): the history of one column */
RfSeries *rf_sampler_get_series (RfSampler *self, RfColumn column);
/** rf_sampler_get_marks: (transfer none): for all graphs of this sampler */
RfMarks *rf_sampler_get_marks (RfSampler *self);
/** rf_sampler_mark: something has happened now; @label: translated, one or two words */
void rf_sampler_mark (RfSampler *self, RfMarkKind kind, const char *label);
/** rf_sampler_get_time: Returns: when sample @number was taken, microseconds since 1970 by the clock of the day; it
 * counts in intervals from the newest one */
gint64 rf_sampler_get_time (RfSampler *self, guint64 number);

typedef enum {
    RF_DISK_COLUMN_READ_LATENCY,  /* ms */
    RF_DISK_COLUMN_WRITE_LATENCY, /* ms */
    RF_DISK_COLUMN_READ,          /* bytes/s */
    RF_DISK_COLUMN_WRITE,         /* bytes/s */
    RF_DISK_COLUMN_UTILISATION,   /* ratio */
    RF_DISK_COLUMN_LATENCY,       /* ms, mean over reads and writes */
    RF_DISK_COLUMN_TRAFFIC,       /* bytes/s, read and written */
    RF_N_DISK_COLUMNS,
} RfDiskColumn;

/** rf_disk_sample_latency_ms: mean of all requests of the interval, reads and writes; NAN if there was none */
double rf_disk_sample_latency_ms (const RfDiskSample *disk);

/** rf_sampler_get_disks: (transfer full): names of the disks of which there are samples, NULL-terminated, sorted */
char **rf_sampler_get_disks (RfSampler *self);
/** rf_sampler_get_disk_series: (transfer none) (nullable) */
RfSeries *rf_sampler_get_disk_series (RfSampler *self, const char *disk, RfDiskColumn column);
/** rf_sampler_sum: sum of the newest samples of @column over @seconds, each times its interval (a count is not):
 * "stalls in 5 min", "seconds of pressure in 5 min"; for a level divide by @covered to get its mean. Gaps count for
 * nothing. Exact over the newest RF_SERIES_RECENT samples, beyond that from thinned ones.
 * @covered: (out) (optional): seconds that were really covered. NAN if nothing is known */
double rf_sampler_sum (RfSampler *self, RfColumn column, double seconds, double *covered);
/** rf_sampler_sum_between: the same over samples @from (0 is the newest) to @to, which is not counted in */
double rf_sampler_sum_between (RfSampler *self, RfColumn column, guint from, guint to, double *covered);

G_END_DECLS
