#define G_LOG_DOMAIN "rf-work-idle"
#include "config.h"

#include "rf-work-idle.h"

#include <sys/mman.h>

#include "rf-array.h"
#include "rf-work-data.h"
#include "rf-work-stop.h"

#define ROUND_EVERY (250 * RF_WORK_MS)
#define ROUND 128

static gboolean
fill (char *memory, guint mib, guint64 *state, guint *done, guint all, RfWorkProgress progress)
{
    for (guint i = 0; i < mib && !rf_work_stopped (); i++) {
        rf_work_fill (state, memory + i * RF_WORK_MIB, RF_WORK_MIB);
        progress ((double)++*done / all);
    }
    return !rf_work_stopped ();
}

RfWorkIdle *
rf_work_idle_new (const RfWorkPlan *plan, RfWorkProgress progress)
{
    g_autoptr (RfWorkIdle) self = rf_new0 (RfWorkIdle, 1);
    guint64 state = plan->seed + 5;
    guint done = 0;
    const guint all = plan->idle + plan->ballast;
    self->plan = plan;
    self->idle = rf_work_map (plan->idle * RF_WORK_MIB, FALSE);
    self->ballast = plan->ballast > 0 ? rf_work_map (plan->ballast * RF_WORK_MIB, TRUE) : NULL;
    if (self->idle == NULL || (plan->ballast > 0 && self->ballast == NULL)
        || !fill (self->ballast, plan->ballast, &state, &done, all, progress)
        || !fill (self->idle, plan->idle, &state, &done, all, progress))
        return NULL;
    return g_steal_pointer (&self);
}

void
rf_work_idle_free (RfWorkIdle *self)
{
    if (self->idle != NULL)
        munmap (self->idle, self->plan->idle * RF_WORK_MIB);
    if (self->ballast != NULL)
        munmap (self->ballast, self->plan->ballast * RF_WORK_MIB);
    g_free (self);
}

static double
touch_round (RfWorkIdle *self, guint64 *state, double *longest)
{
    const gsize n = self->plan->idle * RF_WORK_MIB / RF_WORK_PAGE;
    gint64 begin = rf_work_now (), last = begin;
    for (guint i = 0; i < ROUND; i++) {
        const volatile char *byte = self->idle + rf_work_random (state) % n * RF_WORK_PAGE;
        (void)*byte;
        gint64 now = rf_work_now ();
        *longest = MAX (*longest, (double)(now - last) / RF_WORK_MS);
        last = now;
    }
    return (double)(last - begin) / RF_WORK_MS;
}

gpointer
rf_work_idle_thread (gpointer data)
{
    RfWorkIdle *self = data;
    guint64 state = self->plan->seed + 6;
    while (rf_work_sleep_until (rf_work_now () + ROUND_EVERY)) {
        double longest = 0, round = touch_round (self, &state, &longest);
        if (!g_atomic_int_get (&self->measuring))
            continue;
        self->page_ms = MAX (self->page_ms, longest);
        self->round_ms = MAX (self->round_ms, round);
    }
    return NULL;
}
