/* The decision to keep: a trial becomes permanent, and takes the place of what was kept for the same settings before.
 * Blocking, in the thread of the job. */
#pragma once

#include "rf-journal.h"

G_BEGIN_DECLS

/**
 * rf_keeper_run:
 * @record: on trial
 *
 * "keeping" on disk → files → "kept" on disk. If anything fails the files are as before and the record is on trial
 * again. Entries of older kept records for the same settings become "superseded"; their before-values move here, so
 * that taking this record back leads to the system's own state.
 */
gboolean rf_keeper_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, GError **error);

/** rf_keeper_supersede: marks in older kept records what a newer kept one holds; also after a crash in between. */
gboolean rf_keeper_supersede (RfJournal *journal, GError **error);

G_END_DECLS
