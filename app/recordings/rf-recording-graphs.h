/* Which graphs a recording has, or two over each other: the monitor's and those that only recordings have. What nobody
 * recorded has no graph. For the widgets of the window and the figures of a document. One thread. */
#pragma once

#include "rf-lane.h"
#include "rf-monitor-cards.h"
#include "rf-recording.h"

G_BEGIN_DECLS

/** RF_RECORDING_GRAPHS_CELLS: stretches of time that a graph shows: two samples of each are known one by one in a
 * series, and at 600 pixels one needs no more */
#define RF_RECORDING_GRAPHS_CELLS (RF_SERIES_RECENT / 2)

/** RF_RECORDING_TRACKS_MAX: recordings over each other */
#define RF_RECORDING_TRACKS_MAX 2

/** RfRecordingTrack: @offset_ns: added to its times, so that two recordings begin together; @label: (nullable): what
 * its lines are called: "before" */
typedef struct {
    const RfRecording *recording;
    gint64 offset_ns;
    const char *label;
} RfRecordingTrack;

/** RfRecordingLine: @label: (nullable): translated */
typedef struct {
    RfLane *lane;
    gint64 offset_ns;
    char *label;
} RfRecordingLine;

/**
 * RfRecordingGraph:
 * @title, @explanation: (transfer none): translated
 * @format: (nullable): how values are said where the measure has no unit
 * @floor: the axis reaches at least so far
 * @lines: (element-type RfRecordingLine): at least one
 * @card: (nullable): the monitor's card that it is of
 * @last: the newest sample of the last track, for the thresholds of @card
 */
typedef struct {
    const char *title;
    const char *explanation;
    RfMeasure measure;
    char *(*format) (double value);
    double floor;
    GArray *lines;
    const RfMonitorCard *card;
    RfSample last;
} RfRecordingGraph;

/** rf_recording_graphs_new: @tracks: 1 to RF_RECORDING_TRACKS_MAX; only their tables are kept, by reference.
 * Returns: (transfer full) (element-type RfRecordingGraph) */
GPtrArray *rf_recording_graphs_new (const RfRecordingTrack *tracks, guint n_tracks);

/** rf_recording_line_series: Returns: (transfer full): what is seen of a line from @start_ns to @end_ns on the common
 * clock */
RfSeries *rf_recording_line_series (const RfRecordingLine *self, gint64 start_ns, gint64 end_ns);

G_END_DECLS
