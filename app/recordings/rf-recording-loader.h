/* Loads recordings and looks through them in a thread: half a second each, for which no window may stand still. */
#pragma once

#include "rf-comparison.h"
#include "rf-phases.h"
#include "rf-recording-file.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * RfLoaded: what is known of one or two recordings
 * @recording: the second is NULL if there is only one
 * @phases: found in them
 * @state: how well they could be read
 * @comparison: (nullable): of two; the first is "before"
 */
typedef struct {
    RfRecording *recording[2];
    RfPhases phases[2];
    RfRecordingState *state[2];
    RfComparison *comparison;
} RfLoaded;

void rf_loaded_free (RfLoaded *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfLoaded, rf_loaded_free)

/** rf_recording_loader_load_async: @before: folder; @after: (nullable): folder of the one to compare with */
void rf_recording_loader_load_async (const char *before, const char *after, GCancellable *cancellable,
                                     GAsyncReadyCallback callback, gpointer data);
/** rf_recording_loader_load_finish: Returns: (transfer full): NULL with an error of rf_recording_load() */
RfLoaded *rf_recording_loader_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
