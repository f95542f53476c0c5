/* The graphs of recordings as figures of a document, painted as the window paints them in its light colours. */
#pragma once

#include "rf-document.h"
#include "rf-phases.h"
#include "rf-recording-graphs.h"

G_BEGIN_DECLS

/**
 * rf_recording_figures_add:
 * @start_ns, @end_ns: what is to be seen, on the common clock of the tracks
 * @phases: (nullable): shown as named bands above each graph; on the clock of the tracks
 * @wall_us: microseconds since 1970 at time 0 of that clock; 0: times are said from @start_ns on
 */
void rf_recording_figures_add (RfDocument *document, const RfRecordingTrack *tracks, guint n_tracks, gint64 start_ns,
                               gint64 end_ns, const RfPhases *phases, gint64 wall_us);

G_END_DECLS
