/* Watches a trial: if memory gets into clear trouble after a change, it goes back without being asked. Judges samples
 * only, so it is tested as a pure function; the service feeds it once a second.
 *
 * "Clear" means more than before: a machine that stalls already, which is why somebody tries something, must not lose
 * its trial for not having become better at once. Hence a baseline, and thresholds far above noise. */
#pragma once

#include "rf-record.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/** RF_GUARD_INTERVAL_MS: how often it wants a sample. */
#define RF_GUARD_INTERVAL_MS 1000
/** RF_GUARD_GRACE_US: a changed reserve is filled at once, which makes everybody wait once. That is not trouble; nor is
 * what going to sleep and waking up do, which frees memory by force and fetches it back. */
#define RF_GUARD_GRACE_US (5 * G_USEC_PER_SEC)
/** RF_GUARD_STALLS_PER_S: allocation stalls a second; and at least RF_GUARD_FACTOR times the baseline. */
#define RF_GUARD_STALLS_PER_S 100.0
#define RF_GUARD_FACTOR 4.0
/** RF_GUARD_STALL_SECONDS: how long the stalls must last without a break. */
#define RF_GUARD_STALL_SECONDS 5.0
/** RF_GUARD_FULL_RATIO: share of the time in which everything waits for memory, above the baseline. */
#define RF_GUARD_FULL_RATIO 0.25
#define RF_GUARD_FULL_SECONDS 8.0
/** RF_GUARD_FULL_HINT: stalls count without a measured baseline only if the pressure has risen by this too. */
#define RF_GUARD_FULL_HINT 0.05
/** RF_GUARD_BASELINE_MIN_US: two samples nearer than this give no rate. */
#define RF_GUARD_BASELINE_MIN_US (G_USEC_PER_SEC)

/**
 * RfGuardSample:
 * @time_us: CLOCK_MONOTONIC
 * @asleep_us: see rf_clock_asleep()
 * @full_avg10_x100: PSI memory "full" of the last ten seconds, hundredths of a percent
 */
typedef struct {
    gint64 time_us;
    gint64 asleep_us;
    RfCounter allocstalls;
    RfCounter full_total_us;
    RfCounter full_avg10_x100;
    RfCounter oom_kills;
} RfGuardSample;

typedef struct {
    RfGuardSample start;
    RfGuardSample last;
    gint64 grace_from;     /* CLOCK_MONOTONIC, µs: the change, or the last time that the machine woke up */
    gboolean stalls_known; /* a baseline rate of stalls was measured */
    double stalls_per_s;
    double full_ratio;
    double stall_seconds;
    double full_seconds;
} RfGuard;

void rf_guard_sample_read (RfSysroot *kernel, RfGuardSample *out);

/**
 * rf_guard_init:
 * @earlier: (nullable): some time before the change, as when the request came in
 * @before: right before the change
 */
void rf_guard_init (RfGuard *self, const RfGuardSample *earlier, const RfGuardSample *before);

/** rf_guard_feed: Returns: RF_REASON_NONE, or why the trial must go back. What cannot be read is no trouble. */
RfReason rf_guard_feed (RfGuard *self, const RfGuardSample *now);

G_END_DECLS
