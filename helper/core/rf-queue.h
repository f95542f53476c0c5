/* /sys/block/NAME/queue: the settings of one drive's queue as they are now. The parsers are pure; rf_queue_read()
 * reads some small files. Thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfQueue:
 * @schedulers: the offered names, exact words, NULL-terminated, never NULL; empty on bio-based devices (dm, md, zram,
 *   multipath heads), which have no scheduler
 * @scheduler: (nullable): the chosen one
 * @wbt_lat_us: write throttling target. 0: throttling is switched off. NO_FILE: the kernel or the device has none.
 *   OFF: reading gives EINVAL because no throttle object exists
 * @read_ahead_kib: shown as found: since 6.17 it follows the drive's optimal IO size, so there is no fixed default
 * @zoned: whether the drive is "host-aware" or "host-managed"
 * @discard_max_bytes: 0: TRIM does not go through here
 */
typedef struct {
    char **schedulers;
    char *scheduler;
    RfAvail scheduler_avail;
    RfCounter wbt_lat_us;
    RfCounter read_ahead_kib;
    RfCounter nr_requests;
    RfCounter rotational;
    RfCounter zoned;
    RfCounter discard_max_bytes;
    RfCounter optimal_io_bytes;
} RfQueue;

/** rf_queue_read: @disk: kernel name of a whole disk. @out need not be initialised; rf_queue_clear() frees it. */
void rf_queue_read (RfSysroot *sysroot, const char *disk, RfQueue *out);
void rf_queue_clear (RfQueue *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfQueue, rf_queue_clear)

/** rf_queue_parse_number: "128\n". A newline at the end is accepted, nothing else; MALFORMED otherwise. */
RfCounter rf_queue_parse_number (const char *text, gsize length);

/** rf_queue_parse_wbt: like rf_queue_parse_number(), but "-1" (no target set) is OFF. */
RfCounter rf_queue_parse_wbt (const char *text, gsize length);

/** rf_queue_parse_zoned: 0 for "none", 1 for "host-aware" and "host-managed", MALFORMED otherwise. */
RfCounter rf_queue_parse_zoned (const char *text, gsize length);

/**
 * rf_queue_parse_scheduler:
 * @names: (out) (transfer full): all names, NULL-terminated
 * @chosen: (out) (transfer full) (nullable): the bracketed one, or the only one of a list without brackets ("none" on
 *   older kernels for a device that has no scheduler)
 *
 * Returns: RF_AVAIL_OK or RF_AVAIL_MALFORMED (no name, none or several chosen, odd characters: @names is empty then)
 */
RfAvail rf_queue_parse_scheduler (const char *text, gsize length, char ***names, char **chosen);

G_END_DECLS
