/* What the records of the kernel do not say: to which process a thread belongs and what it is called, and the name of a
 * disk by its number. Asked while a measurement runs, so: nothing is allocated, what was found is remembered, and only
 * so many questions are allowed in one round. Numbers come from the kernel only. Not thread-safe. */
#pragma once

#include "rf-sysroot.h"
#include "rf-trace-pair.h"

G_BEGIN_DECLS

/** RF_TRACE_LOOKUPS: questions about threads in one round; those who have ended are looked for in a table of the
 * kernel, at most RF_TRACE_LATE_LOOKUPS times */
#define RF_TRACE_LOOKUPS 32
#define RF_TRACE_LATE_LOOKUPS 4

typedef struct _RfTraceLookup RfTraceLookup;

/** rf_trace_lookup_new: @tracefs: relative to the root of @sysroot */
RfTraceLookup *rf_trace_lookup_new (RfSysroot *sysroot, const char *tracefs);
void rf_trace_lookup_free (RfTraceLookup *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTraceLookup, rf_trace_lookup_free)

/** rf_trace_lookup_begin_round: @now_ns: what was found more than a second ago is asked anew: numbers are used again */
void rf_trace_lookup_begin_round (RfTraceLookup *self, gint64 now_ns);

/** rf_trace_lookup_thread: for RfTracePairOptions, as the following one; @user_data: an RfTraceLookup */
gboolean rf_trace_lookup_thread (gpointer user_data, gint32 tid, RfTraceThread *out);

/** rf_trace_lookup_disk: a partition has the name of its disk; the hidden path to an NVMe drive that of the drive. */
gboolean rf_trace_lookup_disk (gpointer user_data, guint major, guint minor, char name[RF_TRACE_DISK_NAME]);

/**
 * rf_trace_lookup_filter:
 *
 * Returns: (transfer full) (nullable): which disks' requests the kernel shall record: not those that are memory (zram,
 * ramdisk) and not those that pass them on to another disk, which then counts them a second time (loop, device-mapper,
 * md); in the language of the files "filter" (Documentation/trace/events.rst, "Event filtering"). NULL for all.
 */
char *rf_trace_lookup_filter (RfSysroot *sysroot);

G_END_DECLS
