#define G_LOG_DOMAIN "rf-applier"
#include "config.h"

#include "rf-applier.h"
#include "rf-backend.h"
#include "rf-error.h"
#include "rf-meminfo.h"
#include "rf-persist.h"
#include "rf-reverter.h"

static gboolean
check_memory (RfMachine *machine, const RfPlan *plan, GError **error)
{
    RfMeminfo meminfo;
    rf_meminfo_read (machine->kernel, &meminfo);
    if (!rf_counter_ok (meminfo.available))
        return TRUE; /* the sane range still holds */
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        if (!rf_catalogue_check_memory (change->tunable, &change->value, meminfo.available.value, error))
            return FALSE;
    }
    return TRUE;
}

/* What could not be taken back yet would count as the value from before, and be what this change goes back to. */
static gboolean
check_unfinished (const RfJournal *journal, const RfRecordEntry *entry, GError **error)
{
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        for (guint j = 0; !rf_record_is_settled (record) && j < record->entries->len; j++) {
            const RfRecordEntry *other = g_ptr_array_index (record->entries, j);
            if (other->state != RF_ENTRY_APPLIED || !rf_record_entry_same (other, entry))
                continue;
            g_set_error (error, RF_ERROR, RF_ERROR_STATE, "'%s' is still to be taken back: do that first",
                         entry->tunable->id);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean
prepare_entry (RfMachine *machine, const RfFacts *facts, const RfJournal *journal, RfRecordEntry *entry, GError **error)
{
    RfTarget target = {machine, facts, entry->tunable, entry->instance};
    const RfBackend *backend = rf_backend_for (entry->tunable->backend);
    if (!rf_machine_find_stable_id (facts, entry->tunable, entry->instance, &entry->stable_id)) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no device '%s' now", entry->instance);
        return FALSE;
    }
    entry->requests = rf_backend_read_requests (&target);
    return check_unfinished (journal, entry, error) && backend->read (&target, &entry->before, error)
           && backend->check (&target, &entry->ours, &entry->before, error);
}

RfRecord *
rf_applier_prepare (RfMachine *machine, const RfFacts *facts, RfJournal *journal, const RfPlan *plan, GError **error)
{
    g_return_val_if_fail (machine != NULL && facts != NULL && journal != NULL && plan != NULL, NULL);
    if (!rf_journal_check (journal, error) || !rf_plan_validate (plan, facts, error)
        || !check_memory (machine, plan, error))
        return NULL;
    g_autofree char *id = rf_journal_new_id (journal);
    g_autoptr (RfRecord) record = rf_record_new_from_plan (plan, id, g_get_real_time () / G_USEC_PER_SEC);
    g_free (record->boot_id);
    record->boot_id = g_strdup (machine->boot_id);
    g_free (record->kernel_release);
    record->kernel_release = g_strdup (machine->kernel_release);
    for (guint i = 0; i < record->entries->len; i++)
        if (!prepare_entry (machine, facts, journal, g_ptr_array_index (record->entries, i), error))
            return NULL;
    return g_steal_pointer (&record);
}

static gboolean
write_all (RfMachine *machine, const RfFacts *facts, RfRecord *record, const RfControl *control, GError **error)
{
    guint n = record->entries->len;
    for (guint i = 0; i < n; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        RfTarget target = {machine, facts, entry->tunable, entry->instance};
        rf_control_progress (control, entry->tunable->id, i, n);
        if (rf_control_cancelled (control, error))
            return FALSE;
        /* before the call: whatever it does half must be undone as well */
        entry->state = RF_ENTRY_APPLIED;
        if (!rf_backend_set (&target, &entry->ours, control, &entry->effective, error))
            return FALSE;
    }
    rf_control_progress (control, "", n, n);
    return TRUE;
}

gboolean
rf_applier_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record,
                const RfControl *control, GError **error)
{
    g_return_val_if_fail (record != NULL && record->state == RF_RECORD_PENDING, FALSE);
    g_autoptr (GError) cause = NULL;
    /* in memory the record becomes "trial" only after the disk has it */
    if (rf_persist_sync (machine, rf_journal_records (journal), rf_persist_by_generator (facts), &cause)
        && write_all (machine, facts, record, control, &cause)
        && rf_journal_set_state (journal, record, RF_RECORD_TRIAL, RF_REASON_NONE, &cause))
        return TRUE;
    RfReason reason = g_error_matches (cause, RF_ERROR, RF_ERROR_CANCELLED) ? RF_REASON_CANCELLED : RF_REASON_FAILED;
    g_autoptr (GError) undo_error = NULL;
    if (rf_reverter_undo (machine, facts, journal, record, reason, &undo_error))
        g_propagate_error (error, g_steal_pointer (&cause));
    else
        g_set_error (error, RF_ERROR, cause->code, "%s; and going back failed: %s", cause->message,
                     undo_error->message);
    return FALSE;
}
