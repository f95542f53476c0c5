/* Is everything still as it was kept? Reads only. */
#pragma once

#include "rf-journal.h"

G_BEGIN_DECLS

/**
 * rf_drift_check:
 *
 * Returns: (transfer full): a(sssvs): record id, tunable, instance, value now, verdict: "as-kept", "drifted",
 * "unreachable", "file-missing", "file-edited"; one row for each applied entry on trial or kept, the worst verdict
 */
GVariant *rf_drift_check (RfMachine *machine, const RfFacts *facts, const RfJournal *journal);

G_END_DECLS
