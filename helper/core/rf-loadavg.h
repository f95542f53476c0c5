/* /proc/loadavg. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/** RfLoadavg: load averages times 100 ("0.06" is 6); tasks that run and tasks there are. */
typedef struct {
    RfCounter load1_x100;
    RfCounter load5_x100;
    RfCounter load15_x100;
    RfCounter running;
    RfCounter tasks;
} RfLoadavg;

void rf_loadavg_parse (const char *text, gsize length, RfLoadavg *out);
/** rf_loadavg_missing: every field missing for the same reason */
void rf_loadavg_missing (RfAvail why, RfLoadavg *out);
void rf_loadavg_read (RfSysroot *sysroot, RfLoadavg *out);

G_END_DECLS
