#define G_LOG_DOMAIN "rf-test-live"
#include "config.h"

#include "rf-test-live.h"

#include <unistd.h>

#include "rf-swaps.h"
#include "rf-test-rig.h"

static void
add_folder (GString *out, RfSysroot *kernel, const char *folder)
{
    g_auto (GStrv) names = rf_sysroot_list (kernel, folder);
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *path = g_build_filename (folder, names[i], NULL);
        g_autofree char *text = NULL;
        RfAvail avail;
        /* the one control file whose reading would ask for statistics to be gathered anew */
        if (g_str_equal (names[i], "stat_refresh"))
            continue;
        text = rf_sysroot_read_avail (kernel, path, NULL, &avail);
        g_string_append_printf (out, "%s: %s\n", path, text != NULL ? g_strchomp (text) : "-");
    }
}

char *
rf_test_live_settings (RfSysroot *kernel)
{
    GString *out = g_string_new (NULL);
    add_folder (out, kernel, "proc/sys/vm");
    g_auto (GStrv) disks = rf_sysroot_list (kernel, "sys/block");
    for (guint i = 0; disks[i] != NULL; i++) {
        g_autofree char *queue = g_strdup_printf ("sys/block/%s/queue", disks[i]);
        add_folder (out, kernel, queue);
    }
    /* not how much of them is used */
    g_auto (RfSwaps) swaps = {0};
    rf_swaps_read (kernel, &swaps);
    for (guint i = 0; swaps.avail == RF_AVAIL_OK && i < swaps.entries->len; i++) {
        const RfSwapEntry *entry = g_ptr_array_index (swaps.entries, i);
        g_string_append_printf (out, "%s: %" G_GUINT64_FORMAT " bytes, priority %d\n", entry->path, entry->size_bytes,
                                (int)entry->priority);
    }
    return g_string_free (out, FALSE);
}

void
rf_test_live_assert_as_before (const RfTestLive *self)
{
    g_autofree char *now = rf_test_live_settings (self->machine->kernel);
    g_auto (GStrv) old_lines = g_strsplit (self->before, "\n", -1);
    g_auto (GStrv) new_lines = g_strsplit (now, "\n", -1);
    for (guint i = 0; old_lines[i] != NULL || new_lines[i] != NULL; i++)
        g_assert_cmpstr (new_lines[i], ==, old_lines[i]);
}

RfTestLive *
rf_test_live_new (void)
{
    RfTestLive *self = g_new0 (RfTestLive, 1);
    g_autoptr (GError) error = NULL;
    g_autoptr (RfSysroot) kernel = rf_sysroot_new (NULL);
    self->tree = rf_test_tree_new (NULL);
    self->machine = rf_machine_new (kernel, rf_test_tree_sysroot (self->tree), rf_ops_machine ());
    self->facts = rf_facts_read (kernel);
    self->journal = rf_journal_open (self->machine, &error);
    g_assert_no_error (error);
    self->before = rf_test_live_settings (kernel);
    return self;
}

void
rf_test_live_free (RfTestLive *self)
{
    g_autoptr (GPtrArray) touched = NULL;
    g_autoptr (GError) error = NULL;
    /* whatever a test has left: nothing stays */
    rf_reverter_run_all (self->machine, self->facts, self->journal, TRUE, RF_REASON_USER, NULL, &touched, &error);
    g_assert_no_error (error);
    rf_test_live_assert_as_before (self);
    rf_journal_free (self->journal);
    rf_facts_unref (self->facts);
    rf_machine_unref (self->machine);
    rf_test_tree_free (self->tree);
    g_free (self->before);
    g_free (self);
}
RfRecord *
rf_test_live_apply (RfTestLive *self, const char *lines)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    RfRecord *record = rf_applier_prepare (self->machine, self->facts, self->journal, plan, &error);
    g_assert_no_error (error);
    g_assert_true (rf_journal_add (self->journal, record, NULL));
    rf_applier_run (self->machine, self->facts, self->journal, record, NULL, &error);
    g_assert_no_error (error);
    return record;
}

void
rf_test_live_keep (RfTestLive *self, RfRecord *record)
{
    g_autoptr (GError) error = NULL;
    rf_keeper_run (self->machine, self->facts, self->journal, record, &error);
    g_assert_no_error (error);
}

void
rf_test_live_revert (RfTestLive *self, RfRecord *record)
{
    g_autoptr (GError) error = NULL;
    rf_reverter_run (self->machine, self->facts, self->journal, record, FALSE, RF_REASON_USER, NULL, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < record->entries->len; i++)
        g_assert_cmpint (((RfRecordEntry *)g_ptr_array_index (record->entries, i))->state, ==, RF_ENTRY_REVERTED);
}

gboolean
rf_test_live_needs_root (void)
{
    if (geteuid () == 0)
        return FALSE;
    g_test_skip ("needs root");
    return TRUE;
}

/* Another value in range that moves the machine as little as possible. */
char *
rf_test_live_gentle_value (const RfTunable *tunable, const RfFacts *facts, const RfValue *now)
{
    gint64 min, max;
    rf_catalogue_range (tunable, facts, RF_DIRTY_RATIO, &min, &max);
    gint64 number = now->n[0];
    if (tunable->kind == RF_VALUE_DIRTY)
        return g_strdup_printf ("ratio:%d", g_str_equal (tunable->id, "vm.dirty") ? (number == 25 ? 26 : 25)
                                                                                  : (number == 8 ? 9 : 8));
    if (g_str_equal (tunable->id, "vm.min_free_kbytes"))
        number += 4096;
    else
        number += number < max ? 1 : -1;
    return g_strdup_printf ("%" G_GINT64_FORMAT, CLAMP (number, min, max));
}
