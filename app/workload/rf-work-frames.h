/* The frame loop: what a game does 60 times a second, in a small way. One thread of ordinary priority: a real-time
 * thread may take from the reserve of the kernel (mm/page_alloc.c, ALLOC_MIN_RESERVE) and would hardly see what is
 * measured. */
#pragma once

#include "rf-work-files.h"
#include "rf-work-stats.h"

G_BEGIN_DECLS

/**
 * RfWorkFrameLoop:
 * @frames: @capacity of them; @n (atomic): how many are finished and will not change
 * @stall_ms: by cause: what slow frames spent with it. Waiting for a processor happens inside of the others and is also
 *   summed apart, @queued_ms; NAN where the kernel does not tell
 * @skipped: frames that were due while another one was still being made
 * @major_faults: of the thread, while measured
 * @ready: (atomic): the thread has its memory
 * @from_ns: (atomic by @measuring) frames due earlier are not kept
 */
typedef struct {
    const RfWorkPlan *plan;
    RfWorkFiles *files;
    RfWorkFrame *frames;
    gsize capacity;
    gint n;
    gint ready;
    gint measuring;
    gint64 from_ns;
    double stall_ms[RF_WORK_N_CAUSES];
    double queued_ms;
    guint64 skipped;
    guint64 major_faults;
} RfWorkFrameLoop;

/** rf_work_frame_loop_new: @seconds: as many are kept. Returns: (transfer full) (nullable): NULL after rf_work_fail()
 */
RfWorkFrameLoop *rf_work_frame_loop_new (const RfWorkPlan *plan, RfWorkFiles *files, guint seconds);
void rf_work_frame_loop_free (RfWorkFrameLoop *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfWorkFrameLoop, rf_work_frame_loop_free)

/** rf_work_frame_loop_thread: a GThreadFunc; runs until rf_work_stopped(). Its sums may be read when it has ended. */
gpointer rf_work_frame_loop_thread (gpointer data);

/** rf_work_frame_loop_measure: from now on frames are kept */
void rf_work_frame_loop_measure (RfWorkFrameLoop *self);

G_END_DECLS
