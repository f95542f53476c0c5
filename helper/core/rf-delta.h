/* The difference of two readings of one kernel counter. Pure functions, thread-safe. */
#pragma once

#include "rf-avail.h"

G_BEGIN_DECLS

/**
 * rf_counter_add:
 *
 * Adds @value to @sum; a @sum that is still missing for lack of a field begins with it. A sum that does not fit 64 bits
 * becomes MALFORMED and stays so.
 */
void rf_counter_add (RfCounter *sum, guint64 value);

/**
 * rf_counter_sum:
 *
 * Returns: the sum; if one is missing, that one (a partial sum would be a wrong number)
 */
RfCounter rf_counter_sum (RfCounter a, RfCounter b);

/**
 * rf_counter_delta:
 * @interval_s: seconds between the readings; decides what is plausible
 * @delta: (out): how far the counter moved; written only on RF_AVAIL_OK
 *
 * A counter that fell has either wrapped at 32 bits (32-bit kernels everywhere; interrupt counts and the milliseconds
 * of /proc/diskstats also on 64-bit ones) or has begun anew. It counts as a wrap when the distance modulo 2^32 is one
 * that hardware can do in the time.
 * Returns: RF_AVAIL_OK; the reason of @now if that is missing; else RF_AVAIL_NO_BASELINE
 */
RfAvail rf_counter_delta (RfCounter before, RfCounter now, double interval_s, guint64 *delta);

G_END_DECLS
