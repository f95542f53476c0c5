/* A recording on disk: a folder with session.ini, samples.csv, events.csv and other tables. Reading never follows a link
 * and takes regular files only; what is damaged or missing costs that much and is told. Any thread, one at a time for
 * a folder; a long recording takes half a second, so not the main one. */
#pragma once

#include "rf-recording.h"
#include "rf-session-info.h"

G_BEGIN_DECLS

#define RF_SESSION_INI "session.ini"

/**
 * RfRecordingState: how well a recording could be read
 * @ended: it has its end; FALSE: it is still running, or the program or the machine stopped in the middle
 * @damaged: lines that could not be read, in all files
 * @torn: the last line of a file was not complete
 * @cut: it is longer than what is taken
 * @missing: (element-type utf8): names of files that are there but could not be read, with the reason
 */
typedef struct {
    gboolean ended;
    gboolean torn;
    gboolean cut;
    guint64 damaged;
    GPtrArray *missing;
} RfRecordingState;

void rf_recording_state_free (RfRecordingState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecordingState, rf_recording_state_free)

/** rf_recording_state_text: Returns: (transfer full) (nullable): what a person should know of it, whole translated
 * sentences; NULL if all is well */
char *rf_recording_state_text (const RfRecordingState *self);

/**
 * rf_recording_load:
 * @folder: absolute path; itself no link
 * @state: (out) (optional) (transfer full)
 *
 * All tables in it ("samples", and every other *.csv that begins with "time_ns"), the events and the marks.
 * Returns: (transfer full): NULL with RF_ERROR_UNAVAILABLE if that is no recording, RF_ERROR_INVALID if session.ini is
 *   damaged, RF_ERROR_IO
 */
RfRecording *rf_recording_load (const char *folder, RfRecordingState **state, GError **error);

/** rf_recording_save: into the new or empty @folder, complete when session.ini is there, which is written last. Nothing
 * is left behind on failure. RF_ERROR_LIMIT: the disk is full */
gboolean rf_recording_save (const RfRecording *self, const char *folder, GError **error);

/** rf_session_info_load: Returns: (transfer full): of a recording's folder; errors as above. Cheap */
RfSessionInfo *rf_session_info_load (const char *folder, GError **error);
/** rf_session_info_save: takes the place of the old one at once or not at all; @flush: and is on the disk afterwards */
gboolean rf_session_info_save (const RfSessionInfo *self, const char *folder, gboolean flush, GError **error);

/**
 * rf_folder_open_file:
 * @folder: descriptor
 *
 * Returns: a descriptor of the regular file @name in it for reading, -1 with errno set: ELOOP for a link, EINVAL for what
 *   is no file. Never waits.
 */
int rf_folder_open_file (int folder, const char *name);
/** rf_folder_open: Returns: a descriptor of the folder, which is no link; -1 with RF_ERROR_UNAVAILABLE or IO */
int rf_folder_open (const char *path, GError **error);

G_END_DECLS
