/* One recording over its whole time, or two over each other: phases, what happened, graphs, and the longest waits, to
 * be zoomed and scrolled through. Shows what is in memory. */
#pragma once

#include "rf-phases.h"
#include "rf-recording-board.h"

G_BEGIN_DECLS

#define RF_TYPE_RECORDING_VIEW (rf_recording_view_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingView, rf_recording_view, RF, RECORDING_VIEW, GtkWidget)

/** rf_recording_view_new: @recording: (transfer none): must live as long as the view; @phases: (nullable) */
GtkWidget *rf_recording_view_new (const RfRecording *recording, const RfPhases *phases);
/** rf_recording_view_new_pair: both begin at the left edge, with the phase that is compared if they have one;
 * @before_start_ns, @after_start_ns: where that is, on each one's clock */
GtkWidget *rf_recording_view_new_pair (const RfRecording *before, gint64 before_start_ns, const RfRecording *after,
                                       gint64 after_start_ns);

/** rf_recording_view_get_stretch: (transfer none): what is seen */
RfStretch *rf_recording_view_get_stretch (RfRecordingView *self);

G_END_DECLS
