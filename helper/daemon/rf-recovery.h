/* What is done at each start, before anybody is heard: what was begun is finished or undone. Blocking. */
#pragma once

#include "rf-journal.h"

G_BEGIN_DECLS

/**
 * rf_recovery_run:
 * @boot: whether this is the run at boot, which also brings back what only we can (the kept swap where no generator
 * does it, read-ahead of btrfs, hidden multipath queues)
 *
 * "pending", "trial" and "keeping" go back, "reverting" is finished. Goes on after an error and reports all of them.
 */
gboolean rf_recovery_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, gboolean boot, GError **error);

/** rf_recovery_needed: whether something was interrupted that rf_recovery_run() will finish or undo. */
gboolean rf_recovery_needed (const RfMachine *machine, const RfJournal *journal);

G_END_DECLS
