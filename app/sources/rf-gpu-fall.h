/* "The graphics card falls to nothing while the program runs": what a stall of the program looks like from the side of
 * the card, which has nothing to do because nobody gives it work. Pure; one watch for one card. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfGpuFallRule:
 * @busy: ratio; the mean of the last five seconds must have been this before a fall counts
 * @low: ratio; a fall begins at or below
 * @high: ratio; and ends at or above: what wavers between belongs to it
 * @min_ns: a shorter fall is none
 * @max_ns: neither is a longer one: a menu, a pause, a loading screen
 */
typedef struct {
    double busy;
    double low;
    double high;
    gint64 min_ns;
    gint64 max_ns;
} RfGpuFallRule;

/** RF_NS_PER_S: nanoseconds of a second, as a gint64 */
#define RF_NS_PER_S G_GINT64_CONSTANT (1000000000)

/** RF_GPU_FALL_RULE: what the window and the terminal client use: at one reading a second a single low one counts. */
#define RF_GPU_FALL_RULE                                                                                               \
    ((RfGpuFallRule){.busy = 0.3,                                                                                      \
                     .low = 0.1,                                                                                       \
                     .high = 0.25,                                                                                     \
                     .min_ns = RF_NS_PER_S / 2,                                                                     \
                     .max_ns = 60 * RF_NS_PER_S})


/**
 * RfGpuFall:
 * @begin_ns: the first low reading
 * @duration_ns: to the first reading that was high again; both ends are as exact as the readings are frequent
 * @before: mean ratio of the five seconds before
 * @during: mean ratio while it lasted
 */
typedef struct {
    gint64 begin_ns;
    gint64 duration_ns;
    double before;
    double during;
} RfGpuFall;

typedef struct _RfGpuFallWatch RfGpuFallWatch;

RfGpuFallWatch *rf_gpu_fall_watch_new (const RfGpuFallRule *rule);
void rf_gpu_fall_watch_free (RfGpuFallWatch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfGpuFallWatch, rf_gpu_fall_watch_free)

/**
 * rf_gpu_fall_watch_push:
 * @time_ns: later than the last one; readings more than three seconds apart have nothing to do with one another
 * @utilisation: ratio 0..1, NAN if it is not available: nothing is claimed over such a hole
 * @running: whether the watched program runs; when it ends, the card has nothing to do for a good reason
 * @fall: (out): written when TRUE is returned
 *
 * Returns: whether a fall has ended with this reading
 */
gboolean rf_gpu_fall_watch_push (RfGpuFallWatch *self, gint64 time_ns, double utilisation, gboolean running,
                                 RfGpuFall *fall);

G_END_DECLS
