#define G_LOG_DOMAIN "rf-work-writer"
#include "config.h"

#include "rf-work-writer.h"

#include <errno.h>
#include <unistd.h>

#include "rf-work-data.h"
#include "rf-work-stop.h"

#define SURGE_EVERY (5 * RF_WORK_S)
#define SYNC_EVERY (10 * RF_WORK_S)
#define TICK (5 * RF_WORK_MS)

static double
write_one (RfWorkWriter *self, const char *buffer, guint64 number)
{
    gint64 begin = rf_work_now ();
    gint64 at = (gint64)(number % self->plan->image * RF_WORK_MIB);
    if (!rf_work_write_all (self->files->image, buffer, RF_WORK_MIB, at))
        rf_work_fail ("write", errno);
    return (double)(rf_work_now () - begin) / RF_WORK_MS;
}

static double
sync_all (RfWorkWriter *self)
{
    gint64 begin = rf_work_now ();
    if (fdatasync (self->files->image) != 0)
        rf_work_fail ("fdatasync", errno);
    return (double)(rf_work_now () - begin) / RF_WORK_MS;
}

gpointer
rf_work_writer_thread (gpointer data)
{
    RfWorkWriter *self = data;
    guint64 state = self->plan->seed + 9, done = 0;
    double wanted = 0;
    gint64 now = rf_work_now (), last = now, surge = now + SURGE_EVERY, sync = now + SYNC_EVERY, measured = 0;
    g_autofree char *buffer = g_malloc (RF_WORK_MIB);
    rf_work_fill (&state, buffer, RF_WORK_MIB);
    rf_work_in_background ();
    while (rf_work_sleep_until (now + TICK)) {
        now = rf_work_now ();
        const gboolean measuring = g_atomic_int_get (&self->measuring) != 0;
        if (measuring && measured == 0)
            measured = now;
        /* a writer that was held up does not write all of it at once afterwards */
        wanted = MIN (wanted + (double)(now - last) / RF_WORK_S * self->plan->rate, (double)done + self->plan->rate);
        last = now;
        if (now >= surge) {
            wanted += self->plan->surge;
            surge = now + SURGE_EVERY;
        }
        for (; (double)done + 1 <= wanted && !rf_work_stopped (); done++) {
            double ms = write_one (self, buffer, done);
            self->mib += measuring;
            self->longest_ms = measuring ? MAX (self->longest_ms, ms) : 0;
        }
        if (now >= sync) {
            double ms = sync_all (self);
            self->longest_sync_ms = measuring ? MAX (self->longest_sync_ms, ms) : 0;
            sync = rf_work_now () + SYNC_EVERY;
        }
    }
    if (measured != 0)
        self->seconds = (double)(rf_work_now () - measured) / RF_WORK_S;
    return NULL;
}
