/* /proc/pressure/{memory,io,cpu}: the share of time in which tasks waited (PSI). Pure, thread-safe.
 * A kernel built with PSI off by default has the files, but reading gives EOPNOTSUPP until it is booted with psi=1:
 * that is RF_AVAIL_OFF, a state and not an error. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfPressureLine:
 * @avg10_x100: percent times 100: "avg10=1.50" is 150
 * @total_us: microseconds since boot in which this was the case
 */
typedef struct {
    RfCounter avg10_x100;
    RfCounter avg60_x100;
    RfCounter avg300_x100;
    RfCounter total_us;
} RfPressureLine;

/**
 * RfPressure:
 * @some: at least one task waited
 * @full: all that wanted to run waited (cpu has it since 5.13)
 */
typedef struct {
    RfPressureLine some;
    RfPressureLine full;
} RfPressure;

/** rf_pressure_parse: Lines and fields with unknown names are skipped. */
void rf_pressure_parse (const char *text, gsize length, RfPressure *out);
/** rf_pressure_missing: every field missing for the same reason */
void rf_pressure_missing (RfAvail why, RfPressure *out);
/** rf_pressure_read: @resource: "memory", "io", "cpu" */
void rf_pressure_read (RfSysroot *sysroot, const char *resource, RfPressure *out);

G_END_DECLS
