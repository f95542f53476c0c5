/* The work of a measurement, without its thread and its clock: takes samples and events, makes lines of them, keeps
 * those that the reader has not read yet, marks gaps, and checks itself at the end. What time it is, is told from
 * outside. One thread at a time; after rf_measurer_begin() nothing new is allocated. */
#pragma once

#include "rf-event.h"
#include "rf-sample-line.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

#define RF_MEASURE_MIN_HZ 1
#define RF_MEASURE_MAX_HZ 50
#define RF_MEASURE_DEFAULT_HZ 10
#define RF_MEASURE_MIN_LIMIT 1
#define RF_MEASURE_MAX_LIMIT 86400
#define RF_MEASURE_DEFAULT_LIMIT (4 * 3600)
#define RF_MEASURE_MIN_SLOW_IO 100
#define RF_MEASURE_MAX_SLOW_IO 1000000
#define RF_MEASURE_DEFAULT_SLOW_IO 5000

/** RF_MEASURE_BACKLOG_SECONDS: what waits for a reader that does not read, before lines are dropped. */
#define RF_MEASURE_BACKLOG_SECONDS 60
/** RF_MEASURE_BACKLOG_MAX: bytes of it at most */
#define RF_MEASURE_BACKLOG_MAX (16 * 1024 * 1024)

/**
 * RfMeasureOptions:
 * @hz: samples per second
 * @limit_s: ends by itself after so many seconds
 * @slow_io_us: with @trace: from when on a request to a disk is an event of its own
 */
typedef struct {
    guint32 hz;
    guint32 limit_s;
    gboolean trace;
    guint32 slow_io_us;
} RfMeasureOptions;

#define RF_MEASURE_OPTIONS_DEFAULT                                                                                     \
    {                                                                                                                  \
        .hz = RF_MEASURE_DEFAULT_HZ, .limit_s = RF_MEASURE_DEFAULT_LIMIT, .slow_io_us = RF_MEASURE_DEFAULT_SLOW_IO     \
    }

/**
 * RfMeasureTime: what the clocks say.
 * @due_ns: when it should be, @now_ns: when it is, CLOCK_MONOTONIC; @wall_us: since 1970
 * @asleep_us: as rf_clock_asleep()
 */
typedef struct {
    gint64 due_ns;
    gint64 now_ns;
    gint64 wall_us;
    gint64 asleep_us;
} RfMeasureTime;

typedef struct _RfMeasurer RfMeasurer;

/**
 * rf_measurer_new:
 * @kernel: read through a copy of its own that keeps its files open
 * @samples_fd: (transfer full): writing ends of pipes, with O_NONBLOCK
 * @events_fd: (transfer full)
 *
 * Makes the trace if it is wanted, and everything else. Slow: not for the main thread.
 * Returns: (transfer full) (nullable): NULL with the error of rf_trace_new(); then the pipes are closed
 */
RfMeasurer *rf_measurer_new (RfSysroot *kernel, const RfMeasureOptions *options, int samples_fd, int events_fd,
                             GError **error);
void rf_measurer_free (RfMeasurer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfMeasurer, rf_measurer_free)

/** rf_measurer_begin: headers and anchor. The first tick follows at once. */
void rf_measurer_begin (RfMeasurer *self, const RfMeasureTime *time);

/**
 * rf_measurer_tick: one sample, and the events until now. If the time of another tick has passed
 * since the one before, there is a gap.
 * Returns: FALSE when nobody reads the samples any more
 */
gboolean rf_measurer_tick (RfMeasurer *self, const RfMeasureTime *time);

/** rf_measurer_add_event: as the trace does. */
void rf_measurer_add_event (RfMeasurer *self, const RfEvent *event);

/** rf_measurer_end: the last events, "# end @reason" and the self-check. No tick after it. */
void rf_measurer_end (RfMeasurer *self, gint64 now_ns, const char *reason);

/** rf_measurer_flush: Returns: TRUE when nothing waits any more, or nobody reads */
gboolean rf_measurer_flush (RfMeasurer *self);

/**
 * rf_measure_check:
 * @found: what was traced or sent
 * @expected: what the kernel has counted or the clock says
 * @least: below so many 5 % mean nothing
 *
 * Pure.
 * Returns: whether they agree within 5 %
 */
RfSampleCheckResult rf_measure_check (guint64 found, guint64 expected, guint64 least);

G_END_DECLS
