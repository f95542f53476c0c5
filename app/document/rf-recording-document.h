/* One recording as a document that can be given away: what it is of, its settings, phases and numbers, what happened in
 * it and the longest waits. Names of the computer and of people are left out. Pure. */
#pragma once

#include "rf-document.h"
#include "rf-phases.h"
#include "rf-privacy.h"
#include "rf-session-info.h"

G_BEGIN_DECLS

/**
 * rf_recording_document_new:
 * @info: (nullable): its session.ini, for more of the machine than @recording knows
 * @privacy: what must not be in it
 *
 * Looks through all of @recording: half a second for a long one.
 *
 * Returns: (transfer full): in the language of the program; figures can be added to its end
 */
RfDocument *rf_recording_document_new (const RfRecording *recording, const RfSessionInfo *info, const RfPhases *phases,
                                       const RfPrivacy *privacy);

G_END_DECLS
