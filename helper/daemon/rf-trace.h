/* Events of the kernel for one measurement, through a tracefs instance of its own: the threads that had to reclaim
 * memory themselves, how long the disks took, and whom the OOM killer ended. Other tracers of the machine are not
 * disturbed: an instance has its own buffers, clock, filters and switches (Documentation/trace/ftrace.rst,
 * "Instances").
 *
 * Owns the instance "ruckelfrei-PID" below tracefs, its files and all tables. Everything is made by rf_trace_new(),
 * before memory is scarce; from then on nothing is allocated. It never mounts anything, never starts a program, and
 * takes no name or path from a caller of the helper. One thread at a time; needs root.
 *
 * Memory: the kernel's buffers take 16 MiB in all, divided among the processors, but between 128 KiB and 2 MiB for each
 * (4 MiB in all with 2 processors, 16 MiB with 8 to 128, 64 MiB with 512). They are not swappable. 2 MiB hold about
 * 15,000 requests to a disk. Own tables: below 4 MiB.
 *
 * A sandbox has to let it write below "instances" of tracefs (mkdir and rmdir, too) and see /proc/TID of others; of
 * capabilities it needs none.
 *
 * What is not offered: waits for swap-in and major faults. Up to Linux 6.18 no tracepoint has begin and end of them:
 * exceptions:page_fault_user and filemap:mm_filemap_fault fire at every fault, also the cheap ones, and tell no
 * duration. The delay accounting of taskstats (Documentation/accounting/delay-accounting.rst) has both for each
 * process, but is off since 5.14 unless kernel.task_delayacct is set; a measurement changes no setting of the machine
 * that it measures. */
#pragma once

#include "rf-sysroot.h"
#include "rf-trace-pair.h"

G_BEGIN_DECLS

/**
 * RfTraceOptions:
 * @block: requests to disks, too, not only memory
 * @slow_io_us: a request that took at least that long becomes an RF_EVENT_IO of its own
 * @sysroot: (nullable): tracefs, /proc and /sys are looked for below it; NULL for the machine
 */
typedef struct {
    gboolean block;
    guint32 slow_io_us;
    RfSysroot *sysroot;
} RfTraceOptions;

typedef struct _RfTrace RfTrace;

/**
 * rf_trace_new:
 * @options: copied
 *
 * Makes the instance and switches it on. An instance that a dead helper has left is removed first; one that is in use
 * is not (the kernel refuses it).
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_UNAVAILABLE (no tracefs is mounted, or this kernel lacks an
 * event or a field that is needed), RF_ERROR_NOT_AUTHORIZED (no root, or locked down), RF_ERROR_READ_ONLY (a sandbox),
 * RF_ERROR_NO_MEMORY (no room for the buffers), else RF_ERROR_IO; the message says what is missing
 */
RfTrace *rf_trace_new (const RfTraceOptions *options, GError **error);

/**
 * rf_trace_drain:
 * @sink: gets the events in the order in which they ended; must not call into the trace
 *
 * Reads what has been recorded, and hands on what is complete. The buffers of all processors are merged by time; the
 * last 20 ms are left for the next call, because a processor may still be writing an earlier event. At most 1,024 pages
 * are read in one call, so that a storm of events costs some ten milliseconds, not more; what the kernel then has to
 * throw away is counted as lost. Allocates nothing. Opens nothing by name, but at most 32 times /proc/TID/status of
 * those who appear in events, and the number of a disk when it first appears. Histograms are handed on each 10 s.
 */
void rf_trace_drain (RfTrace *self, RfTraceSink sink, gpointer user_data);

/** rf_trace_flush: the end: records no further, hands on what is left, all histograms and counters. What has not ended
 * by then becomes orphans. */
void rf_trace_flush (RfTrace *self, RfTraceSink sink, gpointer user_data);

/** rf_trace_reclaims: direct reclaims that have begun since the start; allocstall_* of /proc/vmstat counts them, too */
guint64 rf_trace_reclaims (const RfTrace *self);

/** rf_trace_lost: events that the kernel had to throw away because the buffer was full. */
guint64 rf_trace_lost (const RfTrace *self);

/** rf_trace_orphans: ends without a beginning and beginnings without an end, also those of requests under way at the
 * start. */
guint64 rf_trace_orphans (const RfTrace *self);

/** rf_trace_n_disks: disks that are told apart so far; never falls. */
guint rf_trace_n_disks (const RfTrace *self);

/**
 * rf_trace_disk:
 * @read_bytes: (out): completed reads, in the unit and at the moment in which /proc/diskstats counts them
 * @write_bytes: (out): completed writes
 *
 * Returns: (transfer none): the name as in /proc/diskstats, or "MAJOR:MINOR" where it has none. Two may have the same
 * name: the paths to one drive.
 */
const char *rf_trace_disk (const RfTrace *self, guint index, guint64 *read_bytes, guint64 *write_bytes);

/** rf_trace_free: switches off and removes the instance. */
void rf_trace_free (RfTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTrace, rf_trace_free)

G_END_DECLS
