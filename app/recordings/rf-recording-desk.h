/* The one recording that the window's program makes: what is to be known before, the start, marks and the end, what graphics
 * cards and X-Plane tell meanwhile, and which settings were applied or taken back. It belongs to the application and not to
 * a window, so that it goes on when the window is closed. No GTK. Main thread. */
#pragma once

#include "rf-client.h"
#include "rf-recordings.h"

G_BEGIN_DECLS

#define RF_TYPE_RECORDING_DESK (rf_recording_desk_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingDesk, rf_recording_desk, RF, RECORDING_DESK, GObject)

typedef enum {
    RF_DESK_IDLE,
    RF_DESK_CHECKING,
    RF_DESK_DOUBTING, /* there are doubts, and somebody has to say whether it is recorded all the same */
    RF_DESK_STARTING, /* the helper is asked; a password dialog may be open */
    RF_DESK_PRE_ROLL, /* the last two minutes are kept, nothing is written */
    RF_DESK_RECORDING,
    RF_DESK_STOPPING,
} RfDeskState;

/* RfRecordingDesk signals: "changed" (): state, marks or words; "ended" (): it is idle again, after a recording */

/**
 * rf_recording_desk_new:
 * @sysroot: not one that keeps files open: it is read in other threads
 * @folder: (nullable): of the recordings; NULL for the user's own
 * @runtime: (nullable): in place of $XDG_RUNTIME_DIR, for tests
 */
RfRecordingDesk *rf_recording_desk_new (RfSysroot *sysroot, const char *folder, const char *runtime);

/**
 * rf_recording_desk_start: looks whether anything speaks against it, and begins if nothing does; else it waits for
 *   rf_recording_desk_start_anyway() or _cancel(). Does nothing if it is not idle.
 * @client: (nullable): kept as long as it is recorded
 * @trace: with the kernel's events; asks for a password
 * @pre_roll: begins with RF_DESK_PRE_ROLL
 */
void rf_recording_desk_start (RfRecordingDesk *self, RfClient *client, gboolean trace, gboolean pre_roll);
void rf_recording_desk_start_anyway (RfRecordingDesk *self);
/** rf_recording_desk_cancel: before anything is recorded */
void rf_recording_desk_cancel (RfRecordingDesk *self);
/** rf_recording_desk_mark: "it stuttered now"; ends the pre-roll, too. Nothing if nothing is recorded */
void rf_recording_desk_mark (RfRecordingDesk *self);
/** rf_recording_desk_write: ends the pre-roll without a mark */
void rf_recording_desk_write (RfRecordingDesk *self);
/** rf_recording_desk_stop: once more: without waiting for what the helper still has to say */
void rf_recording_desk_stop (RfRecordingDesk *self);

/** rf_recording_desk_get_folder: of the recordings */
const char *rf_recording_desk_get_folder (RfRecordingDesk *self);
RfDeskState rf_recording_desk_get_state (RfRecordingDesk *self);
/** rf_recording_desk_is_running: from RF_DESK_STARTING to RF_DESK_STOPPING */
gboolean rf_recording_desk_is_running (RfRecordingDesk *self);
/** rf_recording_desk_get_elapsed_s: since something is written; 0 if nothing is */
gint64 rf_recording_desk_get_elapsed_s (RfRecordingDesk *self);
/** rf_recording_desk_get_since: (transfer none) (nullable): local time, when that began */
GDateTime *rf_recording_desk_get_since (RfRecordingDesk *self);
guint rf_recording_desk_get_marks (RfRecordingDesk *self);
/** rf_recording_desk_get_id: (nullable): of the recording that is, or was last, written */
const char *rf_recording_desk_get_id (RfRecordingDesk *self);
/** rf_recording_desk_get_doubts: (nullable): translated sentences, while there are doubts */
const char *const *rf_recording_desk_get_doubts (RfRecordingDesk *self);
/** rf_recording_desk_get_note: (nullable): translated: why the recording that runs is made without the helper, or
 * without the kernel's events */
const char *rf_recording_desk_get_note (RfRecordingDesk *self);
/** rf_recording_desk_get_outcome: (nullable): translated: how the last one ended, or why it could not begin */
const char *rf_recording_desk_get_outcome (RfRecordingDesk *self);

G_END_DECLS
