/* What has begun and not yet ended: requests that a disk works on, threads that reclaim memory. A table of fixed size;
 * when it is full, or when something does not end, the oldest is given up, so a storm of beginnings without ends cannot
 * make it grow. Nothing is allocated after rf_trace_flights_new(). Not thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * RfTraceFlight:
 * @number: and @device, @kind: what begin and end have in common: sector, disk and operation, or the thread
 * @amount: sectors, or the order of the allocation
 * @name: as the kernel has it, NUL-terminated
 */
typedef struct {
    guint64 number;
    guint32 device;
    guint32 kind;
    gint64 begin_ns;
    guint64 amount;
    gint32 pid, tid;
    char name[16];
} RfTraceFlight;

typedef struct _RfTraceFlights RfTraceFlights;

/** rf_trace_flights_new: @size: how many at most, a power of two. Returns: (transfer full) */
RfTraceFlights *rf_trace_flights_new (guint size);
void rf_trace_flights_free (RfTraceFlights *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTraceFlights, rf_trace_flights_free)

/** rf_trace_flights_add: two of the same kind may be under way. Returns: whether the oldest had to be given up for it
 */
gboolean rf_trace_flights_add (RfTraceFlights *self, const RfTraceFlight *flight);

/**
 * rf_trace_flights_take:
 * @key: number, device and kind are looked at
 * @newest: the last begun of those that are alike, otherwise the first
 *
 * Returns: whether there was one; it is copied to @out and no longer in the table
 */
gboolean rf_trace_flights_take (RfTraceFlights *self, const RfTraceFlight *key, gboolean newest, RfTraceFlight *out);

/** rf_trace_flights_expire: gives up what began before @before_ns. Returns: how many */
guint rf_trace_flights_expire (RfTraceFlights *self, gint64 before_ns);

guint rf_trace_flights_count (const RfTraceFlights *self);

G_END_DECLS
