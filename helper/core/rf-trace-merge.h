/* The records of all processors in the order of their times. Each processor has a ring buffer of its own, and a request
 * that was begun on one can end on another: read one after the other, the end comes before the beginning. Here one page
 * of each processor is held, and the earliest record of all is next; a processor whose buffer is empty can only get
 * later ones. Nothing is allocated after rf_trace_merge_new(). Not thread-safe. */
#pragma once

#include "rf-trace-page.h"

G_BEGIN_DECLS

/**
 * RfTraceReadPage:
 * @cpu: counted from 0 to what was given to rf_trace_merge_new()
 * @buffer: of @size bytes, as large as a page
 *
 * Returns: bytes that were read, 0 if there is nothing now
 */
typedef gsize (*RfTraceReadPage) (gpointer user_data, guint cpu, guint8 *buffer, gsize size);

typedef struct _RfTraceMerge RfTraceMerge;

/** rf_trace_merge_new: Returns: (transfer full): @read: is called by the following functions only */
RfTraceMerge *rf_trace_merge_new (const RfTraceLayout *layout, guint n_cpus, RfTraceReadPage read, gpointer user_data);
void rf_trace_merge_free (RfTraceMerge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTraceMerge, rf_trace_merge_free)

/**
 * rf_trace_merge_begin:
 * @limit_ns: later records stay where they are, for the next time: a processor may still be writing an earlier one
 * @max_pages: read at most that many this time, at least one for each processor
 */
void rf_trace_merge_begin (RfTraceMerge *self, gint64 limit_ns, guint max_pages);

/**
 * rf_trace_merge_next:
 * @out: its bytes are valid until the next call
 *
 * Returns: FALSE if there is nothing more this time
 */
gboolean rf_trace_merge_next (RfTraceMerge *self, RfTraceRecord *out);

/** rf_trace_merge_lost_pages: Returns: pages before which the kernel has overwritten others, since the start */
guint64 rf_trace_merge_lost_pages (const RfTraceMerge *self);

/** rf_trace_merge_broken_pages: Returns: pages that could not be understood, or only in part, since the start */
guint64 rf_trace_merge_broken_pages (const RfTraceMerge *self);

/** rf_trace_merge_pages: Returns: pages that were read since the start */
guint64 rf_trace_merge_pages (const RfTraceMerge *self);

G_END_DECLS
