/* /proc/vmstat: what the memory management has counted since boot, and the levels of now. Pages and events.
 * The names changed over the years; here one field means one thing on every kernel. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfVmstat:
 * @allocstall: sum of all allocstall_* (one per zone of the request), or plain allocstall (before 4.8). Programs that
 *   had to clear memory themselves; a count of stalls, not their length
 * @pgsteal_direct: pages that programs cleared themselves; zone-suffixed names (before 4.8) are summed
 * @pgscan_direct: pages they looked at for it, without pgscan_direct_throttle, which counts something else
 * @pgsteal: pages cleared by whomever (kswapd, direct, khugepaged, proactive): one family, never pgsteal_anon and
 *   pgsteal_file on top, which count the same pages again. On kernels that do not tell by whom, the sum of the zones
 * @workingset_refault: _anon and _file, or the plain counter (before 5.9)
 * @nr_dirty_threshold: the hard dirty limit in force now, pages
 */
typedef struct {
    RfCounter allocstall;
    RfCounter pgsteal_direct;
    RfCounter pgsteal_kswapd;
    RfCounter pgscan_direct;
    RfCounter pgscan_kswapd;
    RfCounter pgsteal;
    RfCounter pgscan;
    RfCounter nr_free_pages;
    RfCounter nr_dirty;
    RfCounter nr_writeback;
    RfCounter nr_dirty_threshold;
    RfCounter nr_dirty_background_threshold;
    RfCounter pswpin;
    RfCounter pswpout;
    RfCounter pgmajfault;
    RfCounter workingset_refault;
    RfCounter oom_kill;
} RfVmstat;

/** rf_vmstat_parse: @text need not be NUL-terminated. Fields that are not there are NO_FIELD. */
void rf_vmstat_parse (const char *text, gsize length, RfVmstat *out);
/** rf_vmstat_missing: every field missing for the same reason */
void rf_vmstat_missing (RfAvail why, RfVmstat *out);
void rf_vmstat_read (RfSysroot *sysroot, RfVmstat *out);

G_END_DECLS
