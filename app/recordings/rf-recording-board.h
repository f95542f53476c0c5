/* The graphs of one recording, or of two over each other: the monitor's cards over any stretch of a long time. What is
 * not in a recording has no card. Shows what is in memory; never reads. */
#pragma once

#include "rf-recording-graphs.h"
#include "rf-stretch.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_RECORDING_BOARD (rf_recording_board_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingBoard, rf_recording_board, RF, RECORDING_BOARD, GtkWidget)

/**
 * rf_recording_board_new:
 * @tracks: (array length=n_tracks): 1 to RF_RECORDING_TRACKS_MAX; only their tables are kept, by reference
 * @stretch: what is seen of them
 * @wall_us: microseconds since 1970 at time 0 of @stretch; 0: times are said from the beginning of @stretch's whole
 */
GtkWidget *rf_recording_board_new (const RfRecordingTrack *tracks, guint n_tracks, RfStretch *stretch, gint64 wall_us);

G_END_DECLS
