/* How often something took how long: counts in fixed buckets, 20 for each doubling from 1 µs to 18 minutes. A bucket's
 * upper edge is at most 5 % above its lower one, so that a percentile read from the counts is right within 5 %. Pure,
 * plain memory. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_TRACE_BUCKETS_PER_DOUBLING 20
/** the first bucket ends at 2^10 ns, the last at 2^40 ns; what took longer is in the last */
#define RF_TRACE_FIRST_DOUBLING 10
#define RF_TRACE_DOUBLINGS 30
#define RF_TRACE_BUCKETS (1 + RF_TRACE_BUCKETS_PER_DOUBLING * RF_TRACE_DOUBLINGS)

/** rf_trace_bucket: Returns: in which bucket a duration is; the edge itself is in the next one. What is below 1 µs is
 * in the first, 0. */
guint rf_trace_bucket (gint64 duration_ns);

/** rf_trace_bucket_edge: Returns: where @bucket ends, ns; a whole number: the first one that is not in it */
gint64 rf_trace_bucket_edge (guint bucket);

G_END_DECLS
