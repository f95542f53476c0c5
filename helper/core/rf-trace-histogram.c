#define G_LOG_DOMAIN "rf-trace-histogram"
#include "config.h"

#include "rf-trace-histogram.h"

#define PER RF_TRACE_BUCKETS_PER_DOUBLING

guint
rf_trace_bucket (gint64 duration_ns)
{
    if (duration_ns < (gint64)1 << RF_TRACE_FIRST_DOUBLING)
        return 0;
    if (duration_ns >> (RF_TRACE_FIRST_DOUBLING + RF_TRACE_DOUBLINGS) != 0)
        return RF_TRACE_BUCKETS - 1;
    guint doubling = g_bit_storage ((gulong)(duration_ns >> RF_TRACE_FIRST_DOUBLING)) - 1;
    guint shift = RF_TRACE_FIRST_DOUBLING + doubling;
    guint64 above = (guint64)duration_ns - (G_GUINT64_CONSTANT (1) << shift);
    return 1 + doubling * PER + (guint)((above * PER) >> shift);
}

gint64
rf_trace_bucket_edge (guint bucket)
{
    guint shift = RF_TRACE_FIRST_DOUBLING + (bucket + PER - 1) / PER - 1;
    guint part = bucket == 0 ? 0 : (bucket - 1) % PER + 1;
    if (bucket == 0)
        return (gint64)1 << RF_TRACE_FIRST_DOUBLING;
    /* rounded up: the first duration that is in the next bucket */
    return ((gint64)1 << shift) + ((((gint64)part << shift) + PER - 1) / PER);
}
