#define G_LOG_DOMAIN "rf-clock"
#include "config.h"

#include "rf-clock.h"

#include <time.h>

static gint64
read_clock (clockid_t id)
{
    struct timespec now = {0};
    clock_gettime (id, &now);
    return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

gint64
rf_clock_asleep (void)
{
    gint64 asleep = 0, spread = G_MAXINT64;
    /* whoever is interrupted between two clocks has not slept: the readings that lie closest together count */
    for (guint i = 0; i < 5 && spread > RF_CLOCK_SLEPT_US / 100; i++) {
        gint64 first = read_clock (CLOCK_MONOTONIC);
        gint64 boot = read_clock (CLOCK_BOOTTIME);
        gint64 last = read_clock (CLOCK_MONOTONIC);
        if (last - first < spread) {
            spread = last - first;
            asleep = boot - first;
        }
    }
    return asleep;
}
