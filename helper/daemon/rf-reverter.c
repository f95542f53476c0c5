#define G_LOG_DOMAIN "rf-reverter"
#include "config.h"

#include "rf-reverter.h"
#include "rf-backend.h"
#include "rf-error.h"
#include "rf-persist.h"

typedef struct {
    RfMachine *machine;
    const RfFacts *facts;
    RfJournal *journal;
    RfRecord *record;
    gboolean force;
    const RfControl *control;
    GString *problems; /* NULL as long as there is none */
    int code;
} Job;

char *
rf_reverter_find (const RfFacts *facts, const RfRecordEntry *entry)
{
    return rf_machine_find_instance (facts, entry->tunable, entry->instance, entry->stable_id);
}

static gboolean
is_attribute (const RfRecordEntry *entry, const char *attribute)
{
    return entry->tunable->backend == RF_BACKEND_QUEUE && g_str_equal (entry->tunable->path, attribute);
}

static RfRecordEntry *
find_partner (const RfRecord *record, const RfRecordEntry *entry, const char *attribute)
{
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *other = g_ptr_array_index (record->entries, i);
        if (is_attribute (other, attribute) && g_str_equal (other->instance, entry->instance))
            return other;
    }
    return NULL;
}

/* Backwards, but the swap first (see the header) and WBT right after the scheduler of its disk: choosing a scheduler
 * moves WBT by itself, and a value that is there again need not be written. */
static GPtrArray *
revert_order (const RfRecord *record)
{
    GPtrArray *order = g_ptr_array_new ();
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->tunable->backend == RF_BACKEND_ZRAM)
            g_ptr_array_add (order, entry);
    }
    for (guint i = record->entries->len; i-- > 0;) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->tunable->backend == RF_BACKEND_ZRAM
            || (is_attribute (entry, "wbt_lat_usec") && find_partner (record, entry, "scheduler") != NULL))
            continue;
        g_ptr_array_add (order, entry);
        RfRecordEntry *wbt = is_attribute (entry, "scheduler") ? find_partner (record, entry, "wbt_lat_usec") : NULL;
        if (wbt != NULL)
            g_ptr_array_add (order, wbt);
    }
    return order;
}

static void
note_problem (Job *job, const RfRecordEntry *entry, const GError *problem)
{
    if (job->problems == NULL) {
        job->problems = g_string_new (NULL);
        job->code = problem->code;
    } else {
        g_string_append (job->problems, "; ");
    }
    g_string_append_printf (job->problems, "'%s' is not taken back: %s", entry->tunable->id, problem->message);
}

typedef enum {
    VERDICT_WRITE,
    VERDICT_DONE, /* nothing to write, entry->state is final */
} Verdict;

/* a newer record that holds the same setting has the say over it */
static gboolean
held_by_newer (const Job *job, const RfRecordEntry *entry)
{
    const GPtrArray *records = rf_journal_records (job->journal);
    for (guint i = records->len; i-- > 0;) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (record == job->record)
            return FALSE;
        for (guint j = 0; record->state != RF_RECORD_REVERTED && j < record->entries->len; j++) {
            const RfRecordEntry *other = g_ptr_array_index (record->entries, j);
            if (other->state == RF_ENTRY_APPLIED && rf_record_entry_same (other, entry))
                return TRUE;
        }
    }
    return FALSE;
}

/* A newer change of the same setting that is not decided yet will go back to what this record has set, and would bring
 * it to life again. */
static gboolean
newer_in_the_way (const Job *job, const RfRecordEntry *entry, GError **error)
{
    const GPtrArray *records = rf_journal_records (job->journal);
    for (guint i = records->len; i-- > 0 && entry->state == RF_ENTRY_APPLIED;) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (record == job->record)
            break;
        for (guint j = 0; !rf_record_is_settled (record) && j < record->entries->len; j++) {
            const RfRecordEntry *other = g_ptr_array_index (record->entries, j);
            if (other->state != RF_ENTRY_APPLIED || !rf_record_entry_same (other, entry))
                continue;
            g_set_error (error, RF_ERROR, RF_ERROR_BUSY,
                         record->state == RF_RECORD_TRIAL ? "'%s' is on trial: keep that or take it back first"
                                                          : "'%s' has a newer change: take that back first",
                         entry->tunable->id);
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean
needs_work (const Job *job, const RfRecordEntry *entry)
{
    return entry->state == RF_ENTRY_APPLIED || entry->state == RF_ENTRY_NEXT_BOOT
           || (entry->state == RF_ENTRY_PLANNED && job->record->state == RF_RECORD_KEPT)
           || (entry->state == RF_ENTRY_LEFT_ALONE && job->force && !held_by_newer (job, entry));
}

/* The three-way question, asked for all entries before anything is written, as one write can move another value. */
static Verdict
judge (Job *job, RfRecordEntry *entry)
{
    g_autofree char *instance = rf_reverter_find (job->facts, entry);
    RfTarget target = {job->machine, job->facts, entry->tunable, instance};
    RfValue now;
    if (instance == NULL) {
        entry->state = RF_ENTRY_UNREACHABLE;
        return VERDICT_DONE;
    }
    if (!rf_backend_read (&target, &now, NULL))
        return VERDICT_WRITE; /* the write will say what is wrong */
    if (rf_value_equal (&now, &entry->before) && entry->before.kind != RF_VALUE_ABSENT) {
        entry->state = RF_ENTRY_REVERTED;
        return VERDICT_DONE;
    }
    gboolean ours = rf_value_equal (&now, &entry->ours)
                    || (entry->effective.kind != RF_VALUE_ABSENT && rf_value_equal (&now, &entry->effective));
    /* a swap is ours by its marker, whatever it has become */
    if (ours || entry->tunable->backend == RF_BACKEND_ZRAM || (job->force && !held_by_newer (job, entry)))
        return VERDICT_WRITE;
    entry->state = RF_ENTRY_LEFT_ALONE;
    return VERDICT_DONE;
}

/* Returns FALSE only if the job was cancelled. */
static gboolean
restore (Job *job, RfRecordEntry *entry, GError **error)
{
    g_autofree char *instance = rf_reverter_find (job->facts, entry);
    RfTarget target = {job->machine, job->facts, entry->tunable, instance};
    RfValue effective;
    g_autoptr (GError) problem = NULL;
    if (rf_backend_set (&target, &entry->before, job->control, &effective, &problem)) {
        entry->state = RF_ENTRY_REVERTED;
        if (!rf_backend_restore_requests (&target, entry->requests, &problem))
            note_problem (job, entry, problem);
    } else if (g_error_matches (problem, RF_ERROR, RF_ERROR_NO_MEMORY)) {
        /* its files are gone, and it does not survive a reboot by itself */
        entry->state = RF_ENTRY_NEXT_BOOT;
    } else if (g_error_matches (problem, RF_ERROR, RF_ERROR_CANCELLED)) {
        g_propagate_error (error, g_steal_pointer (&problem));
        return FALSE;
    } else {
        note_problem (job, entry, problem);
    }
    return TRUE;
}

static gboolean
restore_all (Job *job, const GPtrArray *order, GError **error)
{
    g_autoptr (GPtrArray) todo = g_ptr_array_new ();
    for (guint i = 0; i < order->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (order, i);
        if (needs_work (job, entry) && judge (job, entry) == VERDICT_WRITE)
            g_ptr_array_add (todo, entry);
    }
    for (guint i = 0; i < todo->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (todo, i);
        rf_control_progress (job->control, entry->tunable->id, i, todo->len);
        if (!restore (job, entry, error))
            return FALSE;
    }
    rf_control_progress (job->control, "", todo->len, todo->len);
    return TRUE;
}

static gboolean
finish (Job *job, GError **error)
{
    if (job->problems == NULL)
        return TRUE;
    g_set_error_literal (error, RF_ERROR, job->code, job->problems->str);
    g_string_free (job->problems, TRUE);
    job->problems = NULL;
    return FALSE;
}

static GArray *
save_entry_states (const RfRecord *record)
{
    GArray *states = g_array_new (FALSE, FALSE, sizeof (RfEntryState));
    for (guint i = 0; i < record->entries->len; i++)
        g_array_append_val (states, ((RfRecordEntry *)g_ptr_array_index (record->entries, i))->state);
    return states;
}

gboolean
rf_reverter_sync_files (RfMachine *machine, const RfFacts *facts, RfJournal *journal, GError **error)
{
    const GPtrArray *records = rf_journal_records (journal);
    return rf_journal_check (journal, NULL)
               ? rf_persist_sync (machine, records, rf_persist_by_generator (facts), error)
               : rf_persist_sync_partial (machine, records, rf_persist_by_generator (facts), error);
}

/* After a cancel: the record and its files are what they were. */
static void
go_back_to (Job *job, RfRecordState state, RfReason reason, const GArray *entry_states)
{
    g_autoptr (GError) problem = NULL;
    for (guint i = 0; i < entry_states->len; i++)
        ((RfRecordEntry *)g_ptr_array_index (job->record->entries, i))->state
            = g_array_index (entry_states, RfEntryState, i);
    if (rf_journal_set_state (job->journal, job->record, state, reason, &problem)) {
        if (!rf_reverter_sync_files (job->machine, job->facts, job->journal, &problem))
            g_debug ("after the cancel: %s", problem->message);
    } else if (state == RF_RECORD_TRIAL) {
        /* its values are in force, so its countdown has to go on; the next start takes it back in any case */
        job->record->state = state;
        job->record->reason = reason;
    }
}

gboolean
rf_reverter_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, gboolean force,
                 RfReason reason, const RfControl *control, GError **error)
{
    g_return_val_if_fail (machine != NULL && facts != NULL && journal != NULL && record != NULL, FALSE);
    Job job = {machine, facts, journal, record, force, control, NULL, 0};
    RfRecordState old_state = record->state;
    RfReason old_reason = record->reason;
    for (guint i = 0; i < record->entries->len; i++)
        if (newer_in_the_way (&job, g_ptr_array_index (record->entries, i), error))
            return FALSE;
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        /* one by one it could not be finished */
        if (old_state == RF_RECORD_KEPT && entry->state == RF_ENTRY_PLANNED)
            entry->state = RF_ENTRY_APPLIED;
    }
    g_autoptr (GArray) old_entries = save_entry_states (record);
    /* "at next boot" is counted from here */
    g_free (record->boot_id);
    record->boot_id = g_strdup (machine->boot_id);
    /* a crash from here on is finished at the next start */
    g_autoptr (GError) unsaved = NULL;
    if (!rf_journal_set_state (journal, record, RF_RECORD_REVERTING, reason, &unsaved)) {
        if (old_state == RF_RECORD_KEPT || old_state == RF_RECORD_REVERTED) {
            g_propagate_error (error, g_steal_pointer (&unsaved));
            return FALSE;
        }
        /* A full or broken disk must not hold up a trial's way back. What the disk says leads to the same at the next
         * start, so this is no lie. */
        record->state = RF_RECORD_REVERTING;
        record->reason = reason;
    }
    g_autoptr (GError) file_problem = NULL;
    if (!rf_reverter_sync_files (machine, facts, journal, &file_problem)) {
        RfRecordEntry *first = g_ptr_array_index (record->entries, 0);
        note_problem (&job, first, file_problem);
    }
    g_autoptr (GPtrArray) order = revert_order (record);
    if (!restore_all (&job, order, error)) {
        go_back_to (&job, old_state, old_reason, old_entries);
        if (job.problems != NULL)
            g_string_free (job.problems, TRUE);
        return FALSE;
    }
    RfRecordState end = job.problems != NULL ? RF_RECORD_REVERTING : RF_RECORD_REVERTED;
    g_autoptr (GError) disk = NULL;
    if (!rf_journal_set_state (journal, record, end, reason, &disk)) {
        finish (&job, NULL);
        g_propagate_error (error, g_steal_pointer (&disk));
        return FALSE;
    }
    return finish (&job, error);
}

/* of a kept record: in force, or still to be taken back by itself */
static gboolean
any_left (const RfRecord *record)
{
    return rf_record_has_entry (record, RF_ENTRY_APPLIED) || rf_record_has_entry (record, RF_ENTRY_PLANNED);
}

gboolean
rf_reverter_run_entry (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, guint index,
                       gboolean force, const RfControl *control, GError **error)
{
    g_return_val_if_fail (record != NULL && index < record->entries->len, FALSE);
    RfRecordEntry *entry = g_ptr_array_index (record->entries, index);
    Job job = {machine, facts, journal, record, force, control, NULL, 0};
    if (!needs_work (&job, entry)) {
        g_set_error (error, RF_ERROR, RF_ERROR_STATE, "'%s' is not applied by this record", entry->tunable->id);
        return FALSE;
    }
    if (newer_in_the_way (&job, entry, error))
        return FALSE;
    g_autoptr (GPtrArray) only = g_ptr_array_new ();
    g_ptr_array_add (only, entry);
    /* a former try came so far */
    if (record->state == RF_RECORD_KEPT && entry->state == RF_ENTRY_PLANNED)
        entry->state = RF_ENTRY_APPLIED;
    RfEntryState old = entry->state;
    /* "planned" in a kept record: its line goes from the file, and a crash from here on is finished at the next start */
    gboolean noted = record->state == RF_RECORD_KEPT && old == RF_ENTRY_APPLIED;
    if (noted) {
        entry->state = RF_ENTRY_PLANNED;
        if (!rf_journal_save (journal, record, error)) {
            entry->state = old;
            /* the disk may have it nevertheless */
            rf_journal_save (journal, record, NULL);
            return FALSE;
        }
    } else {
        entry->state = RF_ENTRY_REVERTED;
    }
    gboolean ok = rf_reverter_sync_files (machine, facts, journal, error);
    entry->state = old;
    if (ok && restore_all (&job, only, error) && finish (&job, error)) {
        RfRecordState state = any_left (record) ? record->state : RF_RECORD_REVERTED;
        RfReason reason = state == RF_RECORD_REVERTED ? RF_REASON_USER : record->reason;
        if (rf_journal_set_state (journal, record, state, reason, error))
            return TRUE;
        /* The value is back, and the disk does not know. "planned" is true as well: asking again, or the next start,
         * will finish it. */
        if (noted) {
            entry->state = RF_ENTRY_PLANNED;
            return FALSE;
        }
    }
    entry->state = old;
    /* it is still ours, so the next boot may bring it again */
    if (noted)
        rf_journal_save (journal, record, NULL);
    rf_reverter_sync_files (machine, facts, journal, NULL);
    return FALSE;
}

gboolean
rf_reverter_undo (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, RfReason reason,
                  GError **error)
{
    /* no cancel: the job is over, this is the way back */
    return rf_reverter_run (machine, facts, journal, record, TRUE, reason, NULL, error);
}

gboolean
rf_reverter_allowed (const RfRecord *record, gboolean force, const char *boot_id, GError **error)
{
    if (record->state != RF_RECORD_REVERTED)
        return TRUE;
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if ((entry->state == RF_ENTRY_NEXT_BOOT && g_str_equal (record->boot_id, boot_id))
            || (entry->state == RF_ENTRY_LEFT_ALONE && force))
            return TRUE;
    }
    g_set_error (error, RF_ERROR, RF_ERROR_STATE, "the record '%s' is taken back already", record->id);
    return FALSE;
}

gboolean
rf_reverter_run_all (RfMachine *machine, const RfFacts *facts, RfJournal *journal, gboolean force, RfReason reason,
                     const RfControl *control, GPtrArray **touched, GError **error)
{
    g_autoptr (GPtrArray) done = g_ptr_array_new ();
    g_autoptr (GError) first = NULL;
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = records->len; i-- > 0 && !g_error_matches (first, RF_ERROR, RF_ERROR_CANCELLED);) {
        RfRecord *record = g_ptr_array_index (records, i);
        if (!rf_reverter_allowed (record, FALSE, machine->boot_id, NULL))
            continue;
        g_autoptr (GError) problem = NULL;
        g_ptr_array_add (done, record);
        if (rf_reverter_run (machine, facts, journal, record, force, reason, control, &problem))
            continue;
        if (first == NULL)
            first = g_steal_pointer (&problem);
        else
            g_prefix_error (&first, "%s; ", problem->message);
    }
    if (first == NULL && (!force || rf_journal_set_aside (journal, &first)))
        rf_persist_sync (machine, records, rf_persist_by_generator (facts), &first);
    if (first == NULL)
        rf_journal_check (journal, &first);
    *touched = g_steal_pointer (&done);
    if (first == NULL)
        return TRUE;
    g_propagate_error (error, g_steal_pointer (&first));
    return FALSE;
}
