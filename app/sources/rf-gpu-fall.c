#define G_LOG_DOMAIN "rf-gpu-fall"
#include "config.h"

#include "rf-gpu-fall.h"

#include <math.h>

#define BUSY_NS (5 * RF_NS_PER_S)
#define APART_NS (3 * RF_NS_PER_S)
#define KEPT 64 /* readings of the last five seconds, at up to about twelve a second */

typedef struct {
    gint64 time_ns;
    double ratio;
} Reading;

struct _RfGpuFallWatch {
    RfGpuFallRule rule;
    Reading kept[KEPT]; /* a ring: of the time before a fall */
    guint n_kept;       /* ever */
    gint64 last_ns;
    RfGpuFall fall;
    double sum;
    guint n_low;
    gboolean falling;
};

RfGpuFallWatch *
rf_gpu_fall_watch_new (const RfGpuFallRule *rule)
{
    RfGpuFallWatch *self = g_new0 (RfGpuFallWatch, 1);
    self->rule = *rule;
    return self;
}

void
rf_gpu_fall_watch_free (RfGpuFallWatch *self)
{
    g_free (self);
}

static void
forget (RfGpuFallWatch *self)
{
    self->falling = FALSE;
    self->n_kept = 0;
}

/* NAN if the readings do not reach over most of the five seconds. */
static double
mean_before (const RfGpuFallWatch *self, gint64 now_ns)
{
    double sum = 0;
    guint n = 0;
    gint64 oldest = now_ns;
    for (guint i = 1; i <= MIN (self->n_kept, KEPT); i++) {
        const Reading *reading = &self->kept[(self->n_kept - i) % KEPT];
        if (now_ns - reading->time_ns > BUSY_NS + RF_NS_PER_S / 2)
            break;
        sum += reading->ratio;
        oldest = reading->time_ns;
        n++;
    }
    return now_ns - oldest >= BUSY_NS * 3 / 4 ? sum / n : NAN;
}

static gboolean
end (RfGpuFallWatch *self, gint64 time_ns, RfGpuFall *fall)
{
    self->falling = FALSE;
    self->fall.duration_ns = time_ns - self->fall.begin_ns;
    self->fall.during = self->sum / self->n_low;
    if (self->fall.duration_ns < self->rule.min_ns || self->fall.duration_ns > self->rule.max_ns)
        return FALSE;
    *fall = self->fall;
    return TRUE;
}

gboolean
rf_gpu_fall_watch_push (RfGpuFallWatch *self, gint64 time_ns, double utilisation, gboolean running, RfGpuFall *fall)
{
    gboolean ended = FALSE;
    if (self->n_kept > 0 && (time_ns <= self->last_ns || time_ns - self->last_ns > APART_NS))
        forget (self);
    self->last_ns = time_ns;
    if (!running || isnan (utilisation)) {
        forget (self);
        return FALSE;
    }
    if (self->falling && utilisation < self->rule.high) {
        self->sum += utilisation;
        self->n_low++;
        return FALSE;
    }
    if (self->falling)
        ended = end (self, time_ns, fall);
    if (utilisation <= self->rule.low) {
        double before = mean_before (self, time_ns);
        if (!isnan (before) && before >= self->rule.busy) {
            self->falling = TRUE;
            self->fall = (RfGpuFall){.begin_ns = time_ns, .before = before};
            self->sum = utilisation;
            self->n_low = 1;
            return ended;
        }
    }
    self->kept[self->n_kept++ % KEPT] = (Reading){time_ns, utilisation};
    return ended;
}
