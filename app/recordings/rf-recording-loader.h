/* Loads recordings and looks through them in a thread: half a second each, for which no window may stand still. */
#pragma once

#include "rf-comparison.h"
#include "rf-phases.h"
#include "rf-recording-file.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * RfLoaded: what is known of one or two recordings; nobody changes it, so that threads may look at it, too
 * @info: (nullable): more of them than the recording itself tells
 * @recording: the second is NULL if there is only one
 * @phases: found in them
 * @state: how well they could be read
 * @comparison: (nullable): of two; the first is "before"
 */
typedef struct {
    RfRecording *recording[2];
    RfSessionInfo *info[2];
    RfPhases phases[2];
    RfRecordingState *state[2];
    RfComparison *comparison;
} RfLoaded;

RfLoaded *rf_loaded_ref (RfLoaded *self);
void rf_loaded_unref (RfLoaded *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfLoaded, rf_loaded_unref)

/** rf_loaded_start: of a comparison: where the phase that was compared begins in recording @side, so that graphs lie over
 * each other as the numbers do */
gint64 rf_loaded_start (const RfLoaded *self, guint side);

/** rf_recording_loader_load_async: @before: folder; @after: (nullable): folder of the one to compare with */
void rf_recording_loader_load_async (const char *before, const char *after, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer data);
/** rf_recording_loader_load_finish: Returns: (transfer full): NULL with an error of rf_recording_load() */
RfLoaded *rf_recording_loader_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
