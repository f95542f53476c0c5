/* Idle memory: what other programs hold and seldom use. Some of it is touched now and then, which shows what coming
 * back to such a program would cost; the ballast is never touched again. */
#pragma once

#include "rf-work-files.h"

G_BEGIN_DECLS

/**
 * RfWorkIdle:
 * @page_ms: (out): the longest that one page took while measured; @round_ms: one round of 128 pages
 * @measuring: (atomic)
 */
typedef struct {
    const RfWorkPlan *plan;
    char *idle;
    char *ballast;
    gint measuring;
    double page_ms;
    double round_ms;
} RfWorkIdle;

/** rf_work_idle_new: fills both. Returns: (transfer full) (nullable): NULL after a stop */
RfWorkIdle *rf_work_idle_new (const RfWorkPlan *plan, RfWorkProgress progress);
void rf_work_idle_free (RfWorkIdle *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfWorkIdle, rf_work_idle_free)

/** rf_work_idle_thread: a GThreadFunc; runs until rf_work_stopped() */
gpointer rf_work_idle_thread (gpointer data);

G_END_DECLS
