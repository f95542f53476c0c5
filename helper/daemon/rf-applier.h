/* Brings a plan to the machine: all of it or nothing. Reads what is there, notes it in the journal, writes, reads back.
 * Blocking, in the thread of the job. */
#pragma once

#include "rf-control.h"
#include "rf-journal.h"

G_BEGIN_DECLS

/**
 * rf_applier_prepare:
 *
 * Looks at everything that could be known before the first write: availability, ranges, the live list of choices,
 * memory, the values of now. Changes nothing.
 * Returns: (transfer full) (nullable): a pending record with its before-values, not yet in the journal
 */
RfRecord *rf_applier_prepare (RfMachine *machine, const RfFacts *facts, RfJournal *journal, const RfPlan *plan,
                              GError **error);

/**
 * rf_applier_run:
 * @record: a pending record of @journal
 *
 * Leaves the record in state "trial", or undoes what was written, in reverse, and leaves it "reverted" (reason failed
 * or cancelled). If undoing fails too, both errors are in the message, the entries concerned stay "applied" and the
 * record stays "reverting", to be tried again.
 */
gboolean rf_applier_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record,
                         const RfControl *control, GError **error);

G_END_DECLS
