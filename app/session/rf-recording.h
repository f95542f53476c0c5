/* A recording in memory: what it is of, its tables, what happened in it, and where nothing is known. How it lies on disk
 * is rf-recording-file's. Pure, no GTK, one thread. */
#pragma once

#include "rf-event.h"
#include "rf-table.h"

G_BEGIN_DECLS

/** RfGap: nothing is known between the two times, CLOCK_MONOTONIC nanoseconds. @reason: "backlog", "late", "suspend" */
typedef struct {
    gint64 start_ns;
    gint64 end_ns;
    char reason[32];
} RfGap;

/**
 * RfRecording:
 * @name: as the user calls it
 * @source: "helper", "window", or "import:xplane", "import:mangohud" …
 * @workload: what ran: "quick-test", a command's name, "" if not known; only like is compared with like
 * @kernel, @machine: as session.ini has them, "" if not known
 * @anchor_monotonic_ns, @anchor_wall_us: the same instant on both clocks; 0 both if there is no wall clock
 * @settings_start, @settings_end: id (or id:instance) → value, both text; end is NULL if the recording ended badly
 * @untrusted: reasons why its own check found it not trustworthy; empty if it is, or if nothing was checked
 * @tables: (element-type RfTable): rf_recording_table() finds them by name
 * @events: (element-type RfEvent): ascending by time
 * @gaps: (element-type RfGap): ascending
 */
typedef struct {
    char *name;
    char *source;
    char *workload;
    char *kernel;
    char *machine;
    gint64 anchor_monotonic_ns;
    gint64 anchor_wall_us;
    GHashTable *settings_start;
    GHashTable *settings_end;
    GPtrArray *untrusted;
    GPtrArray *tables;
    GArray *events;
    GArray *gaps;
} RfRecording;

/** rf_recording_new: an empty one; texts are "", containers are there, settings_end is NULL */
RfRecording *rf_recording_new (void);
void rf_recording_free (RfRecording *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecording, rf_recording_free)

/** rf_recording_set: replaces one of its texts: rf_recording_set (&self->name, "Evening flight") */
void rf_recording_set (char **field, const char *text);

/** rf_recording_table: Returns: (transfer none) (nullable): "samples", "frames", "gpu", "memory" */
RfTable *rf_recording_table (const RfRecording *self, const char *name);

/** rf_recording_add_table: @table: (transfer full). Returns: (transfer none): it */
RfTable *rf_recording_add_table (RfRecording *self, RfTable *table);

/** rf_recording_span: the first and the last time of all tables and events. Returns: FALSE if it is empty */
gboolean rf_recording_span (const RfRecording *self, gint64 *start_ns, gint64 *end_ns);

/** RF_RECORDING_SPAN_MAX_NS: no recording is as long; what lies farther from its first sample has no time that could be
 * true, and would make all that goes through it second by second endless */
#define RF_RECORDING_SPAN_MAX_NS (G_GINT64_CONSTANT (7) * 24 * 3600 * 1000000000)

/**
 * rf_recording_trim: drops the rows, events and gaps that are farther than RF_RECORDING_SPAN_MAX_NS from the first sample
 *   (without samples: from the first row of the first table that has any, or from the first event)
 *
 * Returns: how many
 */
guint64 rf_recording_trim (RfRecording *self);

/** rf_recording_wall_us: Returns: microseconds since 1970 at @time_ns, 0 if the recording has no wall clock */
gint64 rf_recording_wall_us (const RfRecording *self, gint64 time_ns);

G_END_DECLS
