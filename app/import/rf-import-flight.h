/* A flight as the script sysmon of XEarthLayer's developers records it: a folder of CSV files and what bpftrace
 * printed. Pure: the texts come one by one, in any order. */
#pragma once

#include "rf-import-private.h"

G_BEGIN_DECLS

/** RF_FLIGHT_FILES: names of the files that are read, ends with NULL; the first two say when the recording was */
extern const char *const rf_flight_files[];

typedef struct _RfFlight RfFlight;

/** rf_flight_new: both outlive it */
RfFlight *rf_flight_new (RfRecording *recording, GPtrArray *warnings);
void rf_flight_free (RfFlight *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfFlight, rf_flight_free)

/** rf_flight_add: @file: one of rf_flight_files, each once. Returns: FALSE if it is not such a file; the others may
 * still be */
gboolean rf_flight_add (RfFlight *self, const char *file, const char *data, gsize length, GError **error);
/** rf_flight_finish: puts together what was added. Returns: FALSE with RF_ERROR_INVALID without vmstat.csv and mem.csv
 */
gboolean rf_flight_finish (RfFlight *self, GError **error);

/** RfFlightTrace: what bpftrace printed with the local time of day in front, to the second */
typedef struct {
    GArray *events; /* of RfEvent: time_ns counts from the first midnight of the local clock */
    GArray *wakes;  /* of gint64: when kswapd woke up, the same clock */
    guint n_sleeps;
} RfFlightTrace;

RfFlightTrace *rf_flight_trace_new (RfImportText *text, GError **error);
void rf_flight_trace_free (RfFlightTrace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfFlightTrace, rf_flight_trace_free)

/**
 * rf_flight_trace_offset:
 * @start_ns: wall clock, nanoseconds since 1970, at time 0 of @samples
 * @shift_ns: (out): wall clock of a trace's time 0
 * @utc_offset_minutes: (out): how far the local clock was before UTC
 *
 * Lays the seconds with reclaim (or, without any, those in which kswapd woke up) over the samples that counted it, in
 * steps of a quarter of an hour, as time zones have them.
 * Returns: FALSE if no place, or more than one, fits
 */
gboolean rf_flight_trace_offset (const RfFlightTrace *trace, RfTable *samples, gint64 start_ns, gint64 *shift_ns,
                                 int *utc_offset_minutes);

G_END_DECLS
