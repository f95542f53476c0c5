/* /proc/stat: what the CPUs did since boot, in clock ticks over all CPUs. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfCpuStat:
 * @user: contains the time of guests, which the kernel prints once more at the end of the line
 * @busy: user, nice, system, irq and softirq
 * @total: busy, idle, iowait and steal
 * @iowait: an estimate that, says the kernel's own documentation, can also fall
 * @steal: the host ran something else
 * @n_cpus: CPUs that are online, 0 if unknown
 */
typedef struct {
    RfCounter user;
    RfCounter nice;
    RfCounter system;
    RfCounter idle;
    RfCounter iowait;
    RfCounter irq;
    RfCounter softirq;
    RfCounter steal;
    RfCounter busy;
    RfCounter total;
    guint n_cpus;
} RfCpuStat;

void rf_cpu_stat_parse (const char *text, gsize length, RfCpuStat *out);
/** rf_cpu_stat_missing: every field missing for the same reason */
void rf_cpu_stat_missing (RfAvail why, RfCpuStat *out);
void rf_cpu_stat_read (RfSysroot *sysroot, RfCpuStat *out);

G_END_DECLS
