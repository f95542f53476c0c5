/* Time asleep. CLOCK_MONOTONIC stands still while the machine is suspended, CLOCK_BOOTTIME goes on; counters of the
 * kernel do neither reliably, so nothing may be judged from two readings with a sleep between them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_CLOCK_SLEPT_US: two results of rf_clock_asleep() that differ by more than this have a sleep between them. */
#define RF_CLOCK_SLEPT_US (G_USEC_PER_SEC / 10)

/** rf_clock_asleep: Returns: microseconds that the machine has been suspended since it was started */
gint64 rf_clock_asleep (void);

G_END_DECLS
