/* /sys/block/zramN/mm_stat: what a compressed swap device holds and what it costs. Pure, thread-safe.
 * Two numbers must never be mixed up: the disksize is how much can be put in (uncompressed), mem_used is the RAM taken. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfZramStat: bytes, but pages where it says so.
 * @stored: orig_data_size: uncompressed size of what lies in it
 * @compressed: compr_data_size
 * @mem_used: mem_used_total: RAM taken, with the allocator's waste
 * @mem_limit: 0: none. The mem_limit file itself cannot be read
 * @same_pages: pages of one repeated word, which take no memory
 * @huge_pages: pages that did not compress (since 4.18)
 * @huge_pages_since: the same since the device was set up (since 5.15)
 */
typedef struct {
    RfCounter stored;
    RfCounter compressed;
    RfCounter mem_used;
    RfCounter mem_limit;
    RfCounter mem_used_max;
    RfCounter same_pages;
    RfCounter pages_compacted;
    RfCounter huge_pages;
    RfCounter huge_pages_since;
} RfZramStat;

/** rf_zram_stat_parse: 7 to 9 columns, more are ignored. Missing columns are NO_FIELD. */
void rf_zram_stat_parse (const char *text, gsize length, RfZramStat *out);
/** rf_zram_stat_missing: every field missing for the same reason */
void rf_zram_stat_missing (RfAvail why, RfZramStat *out);
/** rf_zram_stat_read: @device: "zram0" */
void rf_zram_stat_read (RfSysroot *sysroot, const char *device, RfZramStat *out);

/**
 * RfZramTotals: the sums over all zram devices that are set up (disksize not 0).
 * @devices: how many; with 0 the numbers are NO_DEVICE
 * @disksize: how much could be put in, bytes, uncompressed
 */
typedef struct {
    guint devices;
    RfCounter disksize;
    RfCounter stored;
    RfCounter compressed;
    RfCounter mem_used;
} RfZramTotals;

void rf_zram_totals_init (RfZramTotals *self);
/** rf_zram_totals_add: one more device; a @disksize of 0 is one that nobody has set up, which is not counted. */
void rf_zram_totals_add (RfZramTotals *self, RfCounter disksize, const RfZramStat *stat);

/**
 * rf_zram_ratio:
 * @ratio: (out): stored / RAM taken, written only on OK
 *
 * Returns: RF_AVAIL_OK; the reason of a missing number; RF_AVAIL_NO_FIELD when nothing is stored (no ratio exists then)
 */
RfAvail rf_zram_ratio (RfCounter stored, RfCounter mem_used, double *ratio);

/**
 * rf_zram_can_empty:
 * @stored: uncompressed size of what lies in the swap, bytes
 * @available: MemAvailable, bytes
 *
 * Returns: whether all of it fits into memory with something to spare. Otherwise swapoff would make the machine stand
 * still or kill programs.
 */
gboolean rf_zram_can_empty (guint64 stored, guint64 available, guint64 ram_bytes);

G_END_DECLS
