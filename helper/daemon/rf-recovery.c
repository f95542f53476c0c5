#define G_LOG_DOMAIN "rf-recovery"
#include "config.h"

#include "rf-recovery.h"
#include "rf-backend.h"
#include "rf-error.h"
#include "rf-keeper.h"
#include "rf-persist.h"
#include "rf-reverter.h"
#include "rf-swapoff.h"
#include "rf-text.h"
#include "rf-zram.h"

#define MIB (G_GINT64_CONSTANT (1024) * 1024)

static void
add_problem (GError **all, GError *problem)
{
    if (*all == NULL) {
        *all = problem;
        return;
    }
    g_prefix_error (all, "%s; ", problem->message);
    g_error_free (problem);
}

static void
set_entries (RfRecord *record, RfEntryState from, RfEntryState to)
{
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state == from)
            entry->state = to;
    }
}

/* The generator has made the swap that our file asks for; from now on it is told apart as ours. */
static void
adopt_zram (RfMachine *machine, const RfFacts *facts, const RfRecordEntry *entry)
{
    /* nobody else's configuration asks for one, or it would not be ours */
    if (!facts->zram_generator || facts->zram_owner != RF_ZRAM_OWNER_OURS)
        return;
    g_autofree char *text = rf_sysroot_read_line (machine->kernel, "sys/block/zram0/disksize");
    gint64 size = 0;
    if (text == NULL || !rf_text_to_int64 (text, &size) || size != entry->ours.n[0] / MIB * MIB
        || rf_sysroot_exists (machine->kernel, RF_ZRAM_MARKER) || !rf_swapoff_find (machine, "/dev/zram0", NULL))
        return;
    RfValue value = entry->ours;
    value.n[0] = size;
    rf_backend_zram_mark (machine, "zram0", &value, NULL);
}

/* Of a kept record one setting was being taken back. */
static gboolean
finish_entries (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, GError **error)
{
    for (guint i = 0; i < record->entries->len; i++) {
        RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state != RF_ENTRY_PLANNED)
            continue;
        entry->state = RF_ENTRY_APPLIED;
        if (entry->tunable->backend == RF_BACKEND_ZRAM)
            adopt_zram (machine, facts, entry);
        if (!rf_reverter_run_entry (machine, facts, journal, record, i, FALSE, NULL, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean
recover_record (RfMachine *machine, const RfFacts *facts, RfJournal *journal, RfRecord *record, GError **error)
{
    gboolean same_boot = g_str_equal (record->boot_id, machine->boot_id);
    switch (record->state) {
    case RF_RECORD_PENDING:
        /* the disk does not know how far it got; asking each value does */
        set_entries (record, RF_ENTRY_PLANNED, RF_ENTRY_APPLIED);
        break;
    case RF_RECORD_REVERTED:
        if (same_boot)
            return TRUE;
        set_entries (record, RF_ENTRY_NEXT_BOOT, RF_ENTRY_REVERTED);
        return rf_journal_save (journal, record, error);
    case RF_RECORD_KEPT:
        return finish_entries (machine, facts, journal, record, error);
    case RF_RECORD_TRIAL:
    case RF_RECORD_KEEPING:
    case RF_RECORD_REVERTING:
    default:
        break;
    }
    RfReason reason = record->state == RF_RECORD_REVERTING ? record->reason : RF_REASON_RECOVERY;
    /* A trial has no files in /etc: the reboot has taken it back, and what equals our value now is somebody else's. */
    if (!same_boot && (record->state == RF_RECORD_PENDING || record->state == RF_RECORD_TRIAL)) {
        set_entries (record, RF_ENTRY_APPLIED, RF_ENTRY_REVERTED);
        return rf_journal_set_state (journal, record, RF_RECORD_REVERTED, reason, error);
    }
    /* the file may have been there at boot, and will be gone when we look again */
    for (guint i = 0; !same_boot && i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->tunable->backend == RF_BACKEND_ZRAM && entry->state == RF_ENTRY_APPLIED)
            adopt_zram (machine, facts, entry);
    }
    return rf_reverter_run (machine, facts, journal, record, FALSE, reason, NULL, error);
}

static gboolean
is_unfinished (const RfRecord *record, const char *boot_id)
{
    if (record->state == RF_RECORD_KEPT)
        return rf_record_has_entry (record, RF_ENTRY_PLANNED);
    if (record->state != RF_RECORD_REVERTED)
        return TRUE;
    return rf_record_has_entry (record, RF_ENTRY_NEXT_BOOT) && !g_str_equal (record->boot_id, boot_id);
}

gboolean
rf_recovery_needed (const RfMachine *machine, const RfJournal *journal)
{
    g_return_val_if_fail (machine != NULL && journal != NULL, FALSE);
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = 0; i < records->len; i++)
        if (is_unfinished (g_ptr_array_index (records, i), machine->boot_id))
            return TRUE;
    return FALSE;
}

static gboolean
swap_in_use (RfMachine *machine)
{
    g_autofree char *device = NULL;
    if (!rf_zram_marker_read (machine->kernel, &device, NULL))
        return FALSE;
    g_autofree char *node = g_strconcat ("/dev/", device, NULL);
    return rf_swapoff_find (machine, node, NULL);
}

static gboolean
restore_at_boot (RfMachine *machine, const RfFacts *facts, const RfRecordEntry *entry, GError **error)
{
    g_autofree char *instance = rf_reverter_find (facts, entry);
    RfTarget target = {machine, facts, entry->tunable, instance};
    RfValue effective;
    if (entry->state != RF_ENTRY_APPLIED)
        return TRUE;
    if (entry->tunable->backend == RF_BACKEND_ZRAM && facts->zram_generator) {
        adopt_zram (machine, facts, entry);
        return TRUE;
    }
    if (!rf_persist_needs_boot (entry, facts->zram_generator) || instance == NULL)
        return TRUE;
    if (entry->tunable->backend == RF_BACKEND_ZRAM) {
        RfValue absent = rf_value_absent ();
        if (swap_in_use (machine))
            return TRUE;
        /* ours but not in use: a crash came before swapon, so it is made anew */
        if (facts->zram_owner == RF_ZRAM_OWNER_OURS) {
            if (!rf_backend_set (&target, &absent, NULL, &effective, error))
                return FALSE;
        } else if (!rf_catalogue_available (entry->tunable, instance, facts, error)) {
            /* another program has made one since: a second one would be worse than none */
            return FALSE;
        }
    }
    g_autoptr (GError) local = NULL;
    if (rf_backend_set (&target, &entry->ours, NULL, &effective, &local))
        return TRUE;
    if (entry->tunable->backend == RF_BACKEND_ZRAM) {
        RfValue absent = rf_value_absent ();
        rf_backend_set (&target, &absent, NULL, &effective, NULL);
    }
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
}

static void
restore_kept (RfMachine *machine, const RfFacts *facts, RfJournal *journal, GError **problems)
{
    const GPtrArray *records = rf_journal_records (journal);
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        for (guint j = 0; record->state == RF_RECORD_KEPT && j < record->entries->len; j++) {
            GError *problem = NULL;
            if (!restore_at_boot (machine, facts, g_ptr_array_index (record->entries, j), &problem))
                add_problem (problems, problem);
        }
    }
}

gboolean
rf_recovery_run (RfMachine *machine, const RfFacts *facts, RfJournal *journal, gboolean boot, GError **error)
{
    g_return_val_if_fail (machine != NULL && facts != NULL && journal != NULL, FALSE);
    GError *problems = NULL, *problem = NULL;
    const GPtrArray *records = rf_journal_records (journal);
    gboolean any = FALSE;
    for (guint i = records->len; i-- > 0;) {
        RfRecord *record = g_ptr_array_index (records, i);
        if (!is_unfinished (record, machine->boot_id))
            continue;
        any = TRUE;
        problem = NULL;
        if (!recover_record (machine, facts, journal, record, &problem))
            add_problem (&problems, problem);
    }
    problem = NULL;
    if (!rf_keeper_supersede (journal, &problem))
        add_problem (&problems, problem);
    problem = NULL;
    /* only then: a file that the administrator has edited or removed is not ours to bring back unasked */
    if (any && !rf_reverter_sync_files (machine, facts, journal, &problem))
        add_problem (&problems, problem);
    if (boot)
        restore_kept (machine, facts, journal, &problems);
    if (problems == NULL)
        return TRUE;
    g_propagate_error (error, problems);
    return FALSE;
}
