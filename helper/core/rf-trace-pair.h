/* From the records of the kernel to the events of a recording: begin and end of a direct reclaim, issue and completion
 * of a request to a disk belong together and make a duration. Records come in the order of their times
 * (rf-trace-merge). Keeps a histogram for each disk and operation, counts what has no partner, and hands on single
 * requests only if they were slow. Everything is allocated by rf_trace_pair_new(): about 2 MiB. Pure: what it must ask
 * the machine it asks through functions that it is given. Not thread-safe. */
#pragma once

#include "rf-event.h"
#include "rf-trace-format.h"
#include "rf-trace-page.h"

G_BEGIN_DECLS

/** RF_TRACE_DISKS: how many disks are told apart; requests to further ones are counted as orphans */
#define RF_TRACE_DISKS 32
/** RF_TRACE_DISK_NAME: bytes of a disk's name with its NUL, as in the kernel (DISK_NAME_LEN) */
#define RF_TRACE_DISK_NAME 32
/** RF_TRACE_REPORT_NS: how often histograms and orphans are handed on */
#define RF_TRACE_REPORT_NS (10 * G_GINT64_CONSTANT (1000000000))
/** RF_TRACE_GIVE_UP_NS: what has not ended after so long is an orphan; the kernel itself gives up a request after 30 s
 * and tries it some times more */
#define RF_TRACE_GIVE_UP_NS (300 * G_GINT64_CONSTANT (1000000000))

/**
 * RfTraceSink:
 * @event: valid during the call only. @event->pid is 0 where the process of a thread is not known (it had ended before
 *   it could be looked up)
 */
typedef void (*RfTraceSink) (const RfEvent *event, gpointer user_data);

/** RfTraceThread: @pid: its process; @name: as the kernel has it, NUL-terminated */
typedef struct {
    gint32 pid;
    char name[16];
} RfTraceThread;

/**
 * RfTracePairOptions:
 * @slow_ns: a request that took at least that long becomes an event of its own
 * @find_thread: (nullable): fills @out and returns TRUE, or returns FALSE; @out->pid stays 0 if only the name is known
 * @find_disk: (nullable): writes the name of the whole disk; FALSE if there is none of that number
 */
typedef struct {
    gint64 slow_ns;
    gboolean (*find_thread) (gpointer user_data, gint32 tid, RfTraceThread *out);
    gboolean (*find_disk) (gpointer user_data, guint major, guint minor, char name[RF_TRACE_DISK_NAME]);
    gpointer user_data;
} RfTracePairOptions;

typedef struct _RfTracePair RfTracePair;

/**
 * rf_trace_pair_events:
 * @block: with those of disks
 *
 * Returns: (transfer none): NULL-terminated: what is understood, as paths below "events" of tracefs
 */
const char *const *rf_trace_pair_events (gboolean block);

/** rf_trace_pair_is_optional: whether it does without @event, which not every kernel has */
gboolean rf_trace_pair_is_optional (const char *event);

/** rf_trace_pair_new: @options: copied. Returns: (transfer full) */
RfTracePair *rf_trace_pair_new (const RfTracePairOptions *options);
void rf_trace_pair_free (RfTracePair *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTracePair, rf_trace_pair_free)

/**
 * rf_trace_pair_learn:
 * @format: of one of rf_trace_pair_events(); copied
 * @missing: (out) (optional) (transfer none): the field that it needs and that this kernel lacks
 *
 * Records of events that were not learnt are passed over.
 */
gboolean rf_trace_pair_learn (RfTracePair *self, const RfTraceFormat *format, const char **missing);

/** rf_trace_pair_feed: one record; @sink: is called for what has ended with it */
void rf_trace_pair_feed (RfTracePair *self, const RfTraceRecord *record, RfTraceSink sink, gpointer user_data);

/** rf_trace_pair_tick: gives up what is too old, and each RF_TRACE_REPORT_NS hands on histograms (what has changed
 * since) and the number of orphans. */
void rf_trace_pair_tick (RfTracePair *self, gint64 now_ns, RfTraceSink sink, gpointer user_data);

/** rf_trace_pair_end: gives up whatever has not ended, and hands on histograms and orphans. */
void rf_trace_pair_end (RfTracePair *self, gint64 now_ns, RfTraceSink sink, gpointer user_data);

/** rf_trace_pair_reclaims: direct reclaims that have begun */
guint64 rf_trace_pair_reclaims (const RfTracePair *self);

/** rf_trace_pair_orphans: ends without a beginning, the other way round, and records that contradict their format */
guint64 rf_trace_pair_orphans (const RfTracePair *self);

guint rf_trace_pair_n_disks (const RfTracePair *self);

/** rf_trace_pair_disk: Returns: (transfer none): the name; @read_bytes: and @write_bytes: (out): what was completed, as
 * /proc/diskstats counts it */
const char *rf_trace_pair_disk (const RfTracePair *self, guint index, guint64 *read_bytes, guint64 *write_bytes);

G_END_DECLS
