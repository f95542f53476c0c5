#define G_LOG_DOMAIN "rf-delta"
#include "config.h"

#include "rf-delta.h"

/* Nothing that the kernel counts is faster: 67 million a second are 34 GB/s in sectors, or 67000 requests in flight
 * in milliseconds. */
#define PLAUSIBLE_PER_SECOND ((double)(1 << 26))

void
rf_counter_add (RfCounter *sum, guint64 value)
{
    if (sum->avail == RF_AVAIL_NO_FIELD)
        *sum = RF_COUNTER (value);
    else if (sum->avail != RF_AVAIL_OK)
        return;
    else if (sum->value > G_MAXUINT64 - value)
        *sum = RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    else
        sum->value += value;
}

RfCounter
rf_counter_sum (RfCounter a, RfCounter b)
{
    if (!rf_counter_ok (a))
        return a;
    if (!rf_counter_ok (b))
        return b;
    rf_counter_add (&a, b.value);
    return a;
}

RfAvail
rf_counter_delta (RfCounter before, RfCounter now, double interval_s, guint64 *delta)
{
    if (!rf_counter_ok (now))
        return now.avail;
    if (!rf_counter_ok (before) || !(interval_s > 0))
        return RF_AVAIL_NO_BASELINE;
    if (now.value >= before.value) {
        *delta = now.value - before.value;
        return RF_AVAIL_OK;
    }
    /* modulo 2^32 is also right for a sum of several 32-bit counters of which some wrapped */
    guint64 wrapped = (guint32)(now.value - before.value);
    double limit = MIN (16 + interval_s * PLAUSIBLE_PER_SECOND, (double)G_MAXINT32);
    if ((double)wrapped > limit)
        return RF_AVAIL_NO_BASELINE;
    *delta = wrapped;
    return RF_AVAIL_OK;
}
