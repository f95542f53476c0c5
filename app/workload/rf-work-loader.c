#define G_LOG_DOMAIN "rf-work-loader"
#include "config.h"

#include "rf-work-loader.h"

#include <errno.h>
#include <unistd.h>

#include "rf-array.h"
#include "rf-work-data.h"
#include "rf-work-stop.h"

#define PIECE ((gsize)256 * 1024)
#define MOST_KEPT 16

RfWorkLoader *
rf_work_loader_new (const RfWorkPlan *plan, RfWorkFiles *files, guint index, guint seconds)
{
    RfWorkLoader *self = g_new0 (RfWorkLoader, 1);
    self->plan = plan;
    self->files = files;
    self->index = index;
    self->seconds = g_array_sized_new (FALSE, FALSE, sizeof (float), seconds * 1000 / plan->period_ms + 16);
    return self;
}

void
rf_work_loader_free (RfWorkLoader *self)
{
    g_array_unref (self->seconds);
    g_free (self);
}

/* the @part-th of @parts pieces of @whole, without loss by rounding */
static gint64
begin_of (guint whole, guint part, guint parts)
{
    return (gint64)((guint64)whole * part / parts * RF_WORK_MIB);
}

guint64
rf_work_load_part (const RfWorkPlan *plan, RfWorkFiles *files, guint64 number, guint part, int memory, guint64 *state)
{
    g_autofree char *buffer = rf_new0 (char, RF_WORK_MIB);
    g_autofree char *piece = rf_new0 (char, PIECE);
    const guint parts = plan->loaders;
    const guint64 regions = MAX (plan->pool / plan->tiles, 1);
    const gint64 mib = (gint64)RF_WORK_MIB;
    gint64 tile = begin_of (plan->tiles, part, parts), tiles = begin_of (plan->tiles, part + 1, parts) - tile;
    gint64 hole = begin_of (plan->cache, part, parts), holes = begin_of (plan->cache, part + 1, parts) - hole;
    gint64 set = begin_of (plan->set, part + 1, parts) - begin_of (plan->set, part, parts), filled = 0, cached = 0;
    const gint64 pool_at = (gint64)(number % regions * plan->tiles) * mib + tile;
    /* beyond what getting ready has read */
    const gint64 hole_at = RF_WORK_HOLES / 2 + (gint64)(number * plan->cache % (1 << 18)) * mib + hole;
    rf_work_files_drop (files, pool_at, tiles);
    for (gint64 done = 0; done < tiles; done += mib) {
        if (rf_work_stopped ())
            return 0;
        if (pread (files->pool, buffer, RF_WORK_MIB, pool_at + done) < 0)
            rf_work_fail ("read", errno);
        for (; cached < holes * (done + mib) / tiles; cached += mib)
            if (pread (files->holes, buffer, RF_WORK_MIB, hole_at + cached) < 0)
                rf_work_fail ("read", errno);
        for (; filled + (gint64)PIECE <= set * (done + mib) / tiles; filled += (gint64)PIECE) {
            rf_work_fill (state, piece, PIECE);
            if (!rf_work_write_all (memory, piece, PIECE, filled))
                rf_work_fail ("memory of a set", errno);
        }
    }
    return (guint64)(tiles + cached + filled) / RF_WORK_MIB;
}

gpointer
rf_work_loader_thread (gpointer data)
{
    RfWorkLoader *self = data;
    const RfWorkPlan *plan = self->plan;
    const gint64 period = (gint64)plan->period_ms * RF_WORK_MS;
    guint64 state = (guint64)plan->seed * 1000 + self->index * 7 + 3;
    int ring[MOST_KEPT];
    guint oldest = 0;
    gint64 due = rf_work_now ();
    for (guint i = 0; i < MOST_KEPT; i++)
        ring[i] = -1;
    rf_work_in_background ();
    for (guint64 number = 0; rf_work_sleep_until (due); number++) {
        gint64 begin = rf_work_now ();
        int memory = rf_work_memory_file ("rf-scenery");
        guint64 loaded = memory >= 0 ? rf_work_load_part (plan, self->files, number, self->index, memory, &state) : 0;
        gint64 end = rf_work_now ();
        float seconds = (float)((double)(end - begin) / RF_WORK_S);
        if (loaded > 0 && g_atomic_int_get (&self->measuring))
            g_array_append_val (self->seconds, seconds);
        if (ring[oldest] >= 0)
            close (ring[oldest]);
        ring[oldest] = memory;
        oldest = (oldest + 1) % MIN (plan->kept, MOST_KEPT);
        /* who is late does not catch up: there would be more load where it is slow */
        due = MAX (due + period, end);
    }
    for (guint i = 0; i < MOST_KEPT; i++)
        if (ring[i] >= 0)
            close (ring[i]);
    return NULL;
}
