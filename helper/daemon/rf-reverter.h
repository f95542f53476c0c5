/* Takes records back: every value that is still ours returns to what it was, what somebody else has changed since is
 * left alone and said. Blocking, in the thread of the job. */
#pragma once

#include "rf-control.h"
#include "rf-journal.h"

G_BEGIN_DECLS

/**
 * rf_reverter_run:
 * @record: on trial, kept, reverting, pending or keeping; or reverted with an entry that waits for the next boot
 * @force: also take back what somebody else has changed
 * @reason: noted in the record
 *
 * The swap goes first, as it alone takes long and can be cancelled: then nothing has changed and the record is in its
 * old state again (RF_ERROR_CANCELLED). RF_ERROR_BUSY while a newer record has one of its settings on trial or half-way. Otherwise
 * everything is tried; on an error the record stays "reverting". If the journal cannot be written, a kept record is
 * left as it is, while anything else goes back at once and is "reverting" until the disk knows of it.
 */
gboolean rf_reverter_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record,
                          gboolean force, RfReason reason, const RfControl *control, GError **error);

/**
 * rf_reverter_run_entry: like rf_reverter_run() for entry number @index of a kept record, which stays kept as long as
 * another entry is applied or still to be taken back by itself; with @force also for an entry that was left alone when
 * its record was taken back.
 */
gboolean rf_reverter_run_entry (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record,
                                guint index, gboolean force, const RfControl *control, GError **error);

/** rf_reverter_undo: for the applier: takes back what this job has written, whatever it reads as. */
gboolean rf_reverter_undo (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record,
                           RfReason reason, GError **error);

/**
 * rf_reverter_allowed: whether there is anything to take back in @record: on trial, kept or half-way; or reverted with
 * an entry that waits for the next boot of this very boot, or (with @force) one that was left alone. Returns: FALSE
 * with RF_ERROR_STATE
 */
gboolean rf_reverter_allowed (const RfRecord *record, gboolean force, const char *boot_id, GError **error);

/**
 * rf_reverter_run_all:
 * @touched: (out) (transfer container) (element-type RfRecord): in the order of going back
 *
 * Newest first, all that is not reverted; goes on after an error and reports all of them. With @force records that
 * could not be understood are put aside, so that nothing stands in the way; without, they are an error at the end.
 */
gboolean rf_reverter_run_all (RfMachine *machine, const RfFacts *facts, RfJournal *journal, gboolean force,
                              RfReason reason, const RfControl *control, GPtrArray **touched, GError **error);

/**
 * rf_reverter_sync_files: brings the files to what the journal says: see rf_persist_sync(), or
 * rf_persist_sync_partial() as long as one of its records cannot be understood.
 */
gboolean rf_reverter_sync_files (RfMachine *machine, const RfFacts *facts, RfJournal *journal, GError **error);

/** rf_reverter_find: Returns: (transfer full) (nullable): the name of the device of @entry now; NULL if it is not here. */
char *rf_reverter_find (const RfFacts *facts, const RfRecordEntry *entry);

G_END_DECLS
