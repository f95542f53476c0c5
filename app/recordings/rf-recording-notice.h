/* Keeps the application alive while it records, also without a window, and tells a person who has closed the window what it
 * does: that it records, with buttons to mark and to stop, and that a recording is ready. One desktop notification at a
 * time; its actions ("app.mark-recording", "app.stop-recording", "app.show-page") are the application's. Main thread. */
#pragma once

#include "rf-recording-desk.h"

G_BEGIN_DECLS

#define RF_TYPE_RECORDING_NOTICE (rf_recording_notice_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingNotice, rf_recording_notice, RF, RECORDING_NOTICE, GObject)

/** RF_RECORDING_NOTICE_READY_S: how long the application stays, without a window, to show a recording that is ready */
#define RF_RECORDING_NOTICE_READY_S G_GINT64_CONSTANT (3600)

/** rf_recording_notice_new: for the default application, which has to be there */
RfRecordingNotice *rf_recording_notice_new (RfRecordingDesk *desk);
/** rf_recording_notice_leave: nobody has to be shown anything any more: the application may go */
void rf_recording_notice_leave (RfRecordingNotice *self);

G_END_DECLS
