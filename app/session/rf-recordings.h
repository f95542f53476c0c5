/* The folder of all recordings, $XDG_DATA_HOME/ruckelfrei/sessions: what is there, and what can be done with each. A
 * recording is known by the name of its folder, its id, which is the UTC time when it began and never changes; what people
 * call it stands in its session.ini. What is not ours is not shown and never touched; links are not followed.
 * Everything blocks for as long as the drive takes: for long work use a thread. Immutable, any thread. */
#pragma once

#include "rf-recording-file.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _RfRecordings RfRecordings;

/**
 * RfRecordingSummary: what can be said without reading all of it
 * @id: name of the folder
 * @info: (nullable): NULL if session.ini is damaged; then @problem says how
 * @size_bytes: of all its files
 * @duration_us: from the end that was noted, else from the last line of samples.csv; negative: not known
 * @running: it is being recorded now, by this or by another program
 * @problem: (nullable): untranslated detail
 */
typedef struct {
    char *id;
    RfSessionInfo *info;
    guint64 size_bytes;
    gint64 duration_us;
    gboolean running;
    char *problem;
} RfRecordingSummary;

void rf_recording_summary_free (RfRecordingSummary *self);
/** rf_recording_summary_title: Returns: (transfer full): its name, else the day and time when it was made, in words */
char *rf_recording_summary_title (const RfRecordingSummary *self);

/** rf_recordings_new: @folder: (nullable): NULL for the user's own */
RfRecordings *rf_recordings_new (const char *folder);
void rf_recordings_free (RfRecordings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecordings, rf_recordings_free)

/** rf_recordings_folder: absolute; need not exist yet */
const char *rf_recordings_folder (const RfRecordings *self);
/** rf_recordings_id_valid: whether @id has the form of an id; nothing else becomes a path */
gboolean rf_recordings_id_valid (const char *id);
/** rf_recordings_path: Returns: (transfer full) (nullable): the folder of a recording, for rf_recording_load(); NULL if @id
 * has not the form of one. Whether it is there is not looked at */
char *rf_recordings_path (const RfRecordings *self, const char *id);

/** rf_recordings_list: Returns: (transfer full) (element-type RfRecordingSummary): the newest first; empty if there is no
 * folder yet; NULL with RF_ERROR_IO if it cannot be read */
GPtrArray *rf_recordings_list (const RfRecordings *self, GError **error);

/** rf_recordings_find: @text: an id, the start of one that is enough, "last", or a whole name that only one has. Returns:
 * (transfer full) (nullable): the id; NULL with RF_ERROR_UNKNOWN, or RF_ERROR_CONFLICT if several are meant */
char *rf_recordings_find (const RfRecordings *self, const char *text, GError **error);

/**
 * rf_recordings_create: makes an empty folder for a recording that began at @time_us (microseconds since 1970)
 * @fd: (out) (optional): of the folder, locked: as long as it is open, the recording counts as running; whoever dies
 *   leaves it
 *
 * Returns: (transfer full): its id; NULL with RF_ERROR_IO, READ_ONLY or LIMIT (full)
 */
char *rf_recordings_create (const RfRecordings *self, gint64 time_us, int *fd, GError **error);

/** rf_recordings_rename: @name: made one line, see rf_session_clean(); "" takes it away. RF_ERROR_BUSY while it runs */
gboolean rf_recordings_rename (const RfRecordings *self, const char *id, const char *name, GError **error);

/**
 * rf_recordings_delete:
 * @for_ever: not to the trash
 *
 * RF_ERROR_BUSY while it runs; RF_ERROR_FOREIGN if there is anything in the folder that is not part of a recording;
 * RF_ERROR_STATE if there is no trash: then ask, and do it with @for_ever.
 */
gboolean rf_recordings_delete (const RfRecordings *self, const char *id, gboolean for_ever, GError **error);

/** rf_recordings_export: as one file, see rf-archive.h; takes the place of @file when it is complete, not before. Takes
 * seconds for a long one. Errors: G_IO_ERROR too */
gboolean rf_recordings_export (const RfRecordings *self, const char *id, GFile *file, GCancellable *cancellable,
                               GError **error);
/** rf_recordings_import: what rf_recordings_export() has written, from anywhere. Returns: (transfer full): its id here */
char *rf_recordings_import (const RfRecordings *self, GFile *file, GCancellable *cancellable, GError **error);

G_END_DECLS
