/* Lines on their way into a pipe whose reader may be slow: a ring of memory that is allocated at the start, and never
 * waits. What does not fit any more is dropped in whole lines and counted. One thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _RfMeasureBacklog RfMeasureBacklog;

/**
 * RfMeasureFlow:
 * @RF_MEASURE_FLOW_EMPTY: everything is in the pipe
 * @RF_MEASURE_FLOW_FULL: the reader has to read first
 * @RF_MEASURE_FLOW_GONE: nobody reads any more
 */
typedef enum {
    RF_MEASURE_FLOW_EMPTY,
    RF_MEASURE_FLOW_FULL,
    RF_MEASURE_FLOW_GONE,
} RfMeasureFlow;

/**
 * rf_measure_backlog_new:
 * @fd: (transfer full): the writing end of a pipe with O_NONBLOCK. SIGPIPE has to be blocked or ignored in the thread
 * @size: bytes that wait at most
 * @reserve: of these, what only rf_measure_backlog_push_last() may use
 *
 * Returns: (transfer full): every page of it is in memory
 */
RfMeasureBacklog *rf_measure_backlog_new (int fd, gsize size, gsize reserve);
/** rf_measure_backlog_free: closes the pipe; what still waits is lost. */
void rf_measure_backlog_free (RfMeasureBacklog *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfMeasureBacklog, rf_measure_backlog_free)

/** rf_measure_backlog_fits: whether so many bytes could be pushed now */
gboolean rf_measure_backlog_fits (const RfMeasureBacklog *self, gsize length);

/** rf_measure_backlog_push: Returns: FALSE if there is no room for all of the @length bytes; then none is taken. */
gboolean rf_measure_backlog_push (RfMeasureBacklog *self, const char *line, gsize length);

/** rf_measure_backlog_push_last: like it, for the end: may use the reserve. */
gboolean rf_measure_backlog_push_last (RfMeasureBacklog *self, const char *line, gsize length);

/** rf_measure_backlog_flush: writes as much as the pipe takes now. */
RfMeasureFlow rf_measure_backlog_flush (RfMeasureBacklog *self);

/** rf_measure_backlog_waiting: bytes that are not in the pipe yet */
gsize rf_measure_backlog_waiting (const RfMeasureBacklog *self);

G_END_DECLS
