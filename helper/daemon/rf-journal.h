/* The memory of the helper: one record a file in var/lib/ruckelfrei/journal (folder 0700, files 0600), replaced
 * atomically, fsynced before the function returns. Owns the records it has loaded; what a function could not bring to
 * disk is not changed in memory either. A file that cannot be understood is kept and reported, never overwritten.
 * Not thread-safe: one thread at a time (the service lets nobody else in while a job runs). */
#pragma once

#include "rf-machine.h"
#include "rf-record.h"

G_BEGIN_DECLS

/** RF_JOURNAL_MAX: records on disk; older reverted ones make room. */
#define RF_JOURNAL_MAX 256
/** RF_JOURNAL_MAX_HISTORY: reverted records that are remembered. */
#define RF_JOURNAL_MAX_HISTORY 128

typedef struct _RfJournal RfJournal;

/**
 * rf_journal_open:
 *
 * Makes the folder if needed, refuses one that is a link, belongs to somebody else or is open to others; removes
 * temporary files that a crash has left; loads all records.
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_JOURNAL or an IO error if the folder is not usable
 */
RfJournal *rf_journal_open (RfMachine *machine, GError **error);
void rf_journal_free (RfJournal *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfJournal, rf_journal_free)

/** rf_journal_check: FALSE with RF_ERROR_JOURNAL, naming the file, if a record could not be understood. */
gboolean rf_journal_check (const RfJournal *self, GError **error);

/** rf_journal_records: Returns: (transfer none) (element-type RfRecord): oldest first. */
const GPtrArray *rf_journal_records (const RfJournal *self);
RfRecord *rf_journal_find (const RfJournal *self, const char *id);
/** rf_journal_find_state: Returns: (transfer none) (nullable): the newest record in @state. */
RfRecord *rf_journal_find_state (const RfJournal *self, RfRecordState state);

/** rf_journal_new_id: Returns: (transfer full): an id that sorts behind all others. */
char *rf_journal_new_id (const RfJournal *self);

/**
 * rf_journal_add:
 * @record: (transfer full): taken only on success
 *
 * RF_ERROR_LIMIT if the journal is full of records that are still needed.
 */
gboolean rf_journal_add (RfJournal *self, RfRecord *record, GError **error);

/** rf_journal_save: brings a record of this journal to disk as it is now. */
gboolean rf_journal_save (RfJournal *self, RfRecord *record, GError **error);

/** rf_journal_set_state: changes state and reason on disk and, if that succeeds, in memory. */
gboolean rf_journal_set_state (RfJournal *self, RfRecord *record, RfRecordState state, RfReason reason, GError **error);

/** rf_journal_set_aside: renames what could not be understood to NAME.damaged, so that the journal works again.
 * Records of a newer format are left, and remain an error. */
gboolean rf_journal_set_aside (RfJournal *self, GError **error);

/**
 * rf_journal_lock:
 * @wait_ms: how long to wait for another process of the helper
 *
 * One process at a time works on the machine. Held until rf_journal_free() or the end of the process.
 */
gboolean rf_journal_lock (RfMachine *machine, guint wait_ms, int *lock_fd, GError **error);

G_END_DECLS
