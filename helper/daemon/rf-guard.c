#define G_LOG_DOMAIN "rf-guard"
#include "config.h"

#include "rf-guard.h"
#include "rf-clock.h"
#include "rf-pressure.h"
#include "rf-vmstat.h"

void
rf_guard_sample_read (RfSysroot *kernel, RfGuardSample *out)
{
    RfVmstat vmstat;
    RfPressure pressure;
    rf_vmstat_read (kernel, &vmstat);
    rf_pressure_read (kernel, "memory", &pressure);
    *out = (RfGuardSample){
        .time_us = g_get_monotonic_time (),
        .asleep_us = rf_clock_asleep (),
        .allocstalls = vmstat.allocstall,
        .full_total_us = pressure.full.total_us,
        .full_avg10_x100 = pressure.full.avg10_x100,
        .oom_kills = vmstat.oom_kill,
    };
}

static gboolean
slept_between (const RfGuardSample *first, const RfGuardSample *second)
{
    return second->asleep_us - first->asleep_us > RF_CLOCK_SLEPT_US;
}

/* Returns a growth of 0 or more; FALSE if one of the two is missing or the counter went back. */
static gboolean
growth (RfCounter before, RfCounter now, double *out)
{
    if (!rf_counter_ok (before) || !rf_counter_ok (now) || now.value < before.value)
        return FALSE;
    *out = (double)(now.value - before.value);
    return TRUE;
}

void
rf_guard_init (RfGuard *self, const RfGuardSample *earlier, const RfGuardSample *before)
{
    *self = (RfGuard){.start = *before, .last = *before, .grace_from = before->time_us};
    if (rf_counter_ok (before->full_avg10_x100))
        self->full_ratio = (double)before->full_avg10_x100.value / 10000.0;
    if (earlier == NULL || before->time_us - earlier->time_us < RF_GUARD_BASELINE_MIN_US
        || slept_between (earlier, before))
        return;
    double seconds = (double)(before->time_us - earlier->time_us) / G_USEC_PER_SEC, grown = 0;
    if (growth (earlier->allocstalls, before->allocstalls, &grown)) {
        self->stalls_known = TRUE;
        self->stalls_per_s = grown / seconds;
    }
    if (growth (earlier->full_total_us, before->full_total_us, &grown))
        self->full_ratio = MAX (self->full_ratio, grown / G_USEC_PER_SEC / seconds);
}

RfReason
rf_guard_feed (RfGuard *self, const RfGuardSample *now)
{
    double seconds = (double)(now->time_us - self->last.time_us) / G_USEC_PER_SEC;
    double stalls = 0, full_us = 0, kills = 0;
    gboolean have_stalls = growth (self->last.allocstalls, now->allocstalls, &stalls);
    gboolean have_full = growth (self->last.full_total_us, now->full_total_us, &full_us);
    if (seconds <= 0)
        return RF_REASON_NONE;
    if (slept_between (&self->last, now)) {
        self->grace_from = now->time_us;
        self->full_seconds = self->stall_seconds = 0;
    }
    gboolean killed = growth (self->start.oom_kills, now->oom_kills, &kills) && kills > 0;
    self->last = *now;
    if (killed)
        return RF_REASON_GUARD_OOM;
    if (now->time_us - self->grace_from < RF_GUARD_GRACE_US)
        return RF_REASON_NONE;

    double ratio = have_full ? full_us / G_USEC_PER_SEC / seconds : 0;
    gboolean pressed = have_full && ratio > self->full_ratio + RF_GUARD_FULL_RATIO;
    self->full_seconds = pressed ? self->full_seconds + seconds : 0;
    double limit = MAX (RF_GUARD_STALLS_PER_S, RF_GUARD_FACTOR * self->stalls_per_s);
    gboolean confirmed = self->stalls_known || (have_full && ratio > self->full_ratio + RF_GUARD_FULL_HINT);
    gboolean stalled = have_stalls && confirmed && stalls / seconds > limit;
    self->stall_seconds = stalled ? self->stall_seconds + seconds : 0;
    if (self->full_seconds >= RF_GUARD_FULL_SECONDS)
        return RF_REASON_GUARD_PRESSURE;
    return self->stall_seconds >= RF_GUARD_STALL_SECONDS ? RF_REASON_GUARD_STALLS : RF_REASON_NONE;
}
