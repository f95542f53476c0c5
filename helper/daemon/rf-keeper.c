#define G_LOG_DOMAIN "rf-keeper"
#include "config.h"

#include "rf-keeper.h"
#include "rf-error.h"
#include "rf-persist.h"

static RfRecordEntry *
find_applied (const RfRecord *record, const RfRecordEntry *like)
{
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state == RF_ENTRY_APPLIED && rf_record_entry_same (entry, like))
            return entry;
    }
    return NULL;
}

/* the oldest kept value for this setting: there is one at most, unless a crash came between */
static const RfRecordEntry *
find_kept (const RfJournal *journal, const RfRecord *newer, const RfRecordEntry *like)
{
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        const RfRecordEntry *entry
            = record != newer && record->state == RF_RECORD_KEPT ? find_applied (record, like) : NULL;
        if (entry != NULL)
            return entry;
    }
    return NULL;
}

static gboolean
check (const RfFacts *facts, const RfRecord *record, GError **error)
{
    if (record->state != RF_RECORD_TRIAL) {
        g_set_error (error, RF_ERROR, RF_ERROR_STATE, "the record '%s' is not on trial", record->id);
        return FALSE;
    }
    if (facts->immutable == RF_IMMUTABLE_NIXOS || facts->immutable == RF_IMMUTABLE_GUIX) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_READ_ONLY,
                             "on this system settings are kept in the system's own configuration");
        return FALSE;
    }
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state == RF_ENTRY_APPLIED && !rf_persist_keepable (entry, error))
            return FALSE;
    }
    return TRUE;
}

/* Supersedes in one older record; FALSE if it could not be saved. */
static gboolean
supersede_in (RfJournal *journal, RfRecord *older, const RfRecord *newer, GError **error)
{
    gboolean changed = FALSE, any = FALSE;
    for (guint i = 0; i < older->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (older->entries, i);
        if (entry->state == RF_ENTRY_APPLIED && find_applied (newer, entry) != NULL) {
            entry->state = RF_ENTRY_SUPERSEDED;
            changed = TRUE;
        }
        any |= entry->state == RF_ENTRY_APPLIED;
    }
    if (!changed)
        return TRUE;
    return rf_journal_set_state (journal, older, any ? RF_RECORD_KEPT : RF_RECORD_REVERTED, older->reason, error);
}

gboolean
rf_keeper_supersede (RfJournal *journal, GError **error)
{
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = records->len; i-- > 0;) {
        const RfRecord *newer = g_ptr_array_index (records, i);
        for (guint j = 0; newer->state == RF_RECORD_KEPT && j < i; j++) {
            RfRecord *older = g_ptr_array_index (records, j);
            if (older->state == RF_RECORD_KEPT && !supersede_in (journal, older, newer, error))
                return FALSE;
        }
    }
    return TRUE;
}

gboolean
rf_keeper_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, GError **error)
{
    g_return_val_if_fail (machine != NULL && facts != NULL && journal != NULL && record != NULL, FALSE);
    if (!check (facts, record, error) || !rf_journal_check (journal, error)
        || !rf_journal_set_state (journal, record, RF_RECORD_KEEPING, RF_REASON_NONE, error))
        return FALSE;
    g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (RfRecordEntry));
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        const RfRecordEntry *kept = find_kept (journal, record, entry);
        g_array_append_val (before, *entry);
        if (kept == NULL)
            continue;
        entry->before = kept->before;
        entry->requests = kept->requests;
    }
    const GPtrArray *records = rf_journal_records (journal);
    if (rf_persist_sync (machine, records, rf_persist_by_generator (facts), error)
        && rf_journal_set_state (journal, record, RF_RECORD_KEPT, RF_REASON_NONE, error)) {
        /* if this is not possible now, the next start does it: the newest kept value counts anyway */
        g_autoptr (GError) later = NULL;
        if (!rf_keeper_supersede (journal, &later))
            g_debug ("older records are not marked yet: %s", later->message);
        return TRUE;
    }
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        entry->before = g_array_index (before, RfRecordEntry, i).before;
        entry->requests = g_array_index (before, RfRecordEntry, i).requests;
    }
    g_autoptr (GError) second = NULL;
    /* Even if the disk goes on to say "keeping": that leads back at the next start, as the trial does, and until then
     * the countdown must not end here. */
    if (!rf_journal_set_state (journal, record, RF_RECORD_TRIAL, RF_REASON_NONE, NULL))
        record->state = RF_RECORD_TRIAL;
    if (!rf_persist_sync (machine, records, rf_persist_by_generator (facts), &second))
        g_prefix_error (error, "%s; then: ", second->message);
    return FALSE;
}
