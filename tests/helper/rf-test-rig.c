#define G_LOG_DOMAIN "rf-test-rig"
#include "config.h"

#include "rf-test-rig.h"

#include <errno.h>

/* one rig at a time has failures planted */
static struct {
    const char *suffix;
    int errnum;
    guint crash_at;
    guint writes;
} fault;

static int
faulty_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    if (fault.suffix != NULL && g_str_has_suffix (relative, fault.suffix))
        return fault.errnum;
    if (fault.crash_at != 0 && ++fault.writes >= fault.crash_at)
        return EIO;
    return rf_ops_fixture ()->write_value (self, kernel, relative, text);
}

void
rf_test_rig_reopen (RfTestRig *self)
{
    g_autoptr (GError) error = NULL;
    g_clear_pointer (&self->journal, rf_journal_free);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_clear_pointer (&self->machine, rf_machine_unref);
    self->machine = rf_machine_new (rf_test_tree_sysroot (self->tree), rf_test_tree_sysroot (self->tree), &self->ops);
    self->facts = rf_facts_read (self->machine->kernel);
    self->journal = rf_journal_open (self->machine, &error);
    g_assert_no_error (error);
}

RfTestRig *
rf_test_rig_new (const char *fixture)
{
    RfTestRig *self = g_new0 (RfTestRig, 1);
    fault.suffix = NULL;
    fault.crash_at = 0;
    self->tree = rf_test_tree_new (fixture);
    rf_test_tree_mkdir (self->tree, "run/udev");
    self->ops = *rf_ops_fixture ();
    self->ops.write_value = faulty_write;
    rf_test_rig_reopen (self);
    self->before = rf_test_rig_state (self);
    return self;
}

void
rf_test_rig_free (RfTestRig *self)
{
    rf_journal_free (self->journal);
    rf_facts_unref (self->facts);
    rf_machine_unref (self->machine);
    rf_test_tree_free (self->tree);
    g_free (self->before);
    g_free (self);
}

void
rf_test_rig_reboot (RfTestRig *self)
{
    static guint boot = 0;
    g_autofree char *id = g_strdup_printf ("00000000-0000-4000-8000-%012u\n", ++boot);
    rf_test_tree_set (self->tree, "proc/sys/kernel/random/boot_id", id);
    rf_test_tree_remove (self->tree, "run/ruckelfrei");
    rf_test_tree_remove (self->tree, "run/udev/rules.d");
    rf_test_tree_remove (self->tree, "run/systemd/zram-generator.conf.d");
    rf_test_rig_reopen (self);
}

char *
rf_test_rig_state (RfTestRig *self)
{
    g_autofree char *proc = rf_test_tree_dump (self->tree, "proc");
    g_autofree char *sys = rf_test_tree_dump (self->tree, "sys");
    return g_strconcat (proc, sys, NULL);
}

void
rf_test_rig_assert_as_before (RfTestRig *self)
{
    g_autofree char *now = rf_test_rig_state (self);
    g_auto (GStrv) old_lines = g_strsplit (self->before, "\n", -1);
    g_auto (GStrv) new_lines = g_strsplit (now, "\n", -1);
    /* line by line: the first difference says more than two whole machines */
    const char *file = "";
    for (guint i = 0; old_lines[i] != NULL || new_lines[i] != NULL; i++) {
        if (g_strcmp0 (old_lines[i], new_lines[i]) != 0)
            g_test_message ("after '%s'", file);
        g_assert_cmpstr (new_lines[i], ==, old_lines[i]);
        if (g_str_has_prefix (old_lines[i], "=="))
            file = old_lines[i];
    }
}

void
rf_test_rig_load_zram (RfTestRig *self)
{
    rf_test_rig_revert (self, rf_test_rig_apply (self, "swap.zram 1073741824 lz4 100"));
    g_free (self->before);
    self->before = rf_test_rig_state (self);
}

void
rf_test_rig_fail_write (RfTestRig *self, const char *suffix, int errnum)
{
    fault.suffix = suffix;
    fault.errnum = errnum;
}

void
rf_test_rig_crash_at (RfTestRig *self, guint n)
{
    fault.crash_at = n;
    fault.writes = 0;
}

RfPlan *
rf_test_plan (const char *lines)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    g_autoptr (GError) error = NULL;
    g_auto (GStrv) rows = g_strsplit (lines, "\n", -1);
    for (guint i = 0; rows[i] != NULL; i++) {
        g_auto (GStrv) words = g_strsplit (rows[i], " ", 2);
        g_auto (GStrv) target = g_strsplit (words[0], "@", 2);
        const RfTunable *tunable = rf_tunable_find (target[0]);
        RfValue value;
        g_assert_nonnull (tunable);
        rf_value_from_text (tunable->kind, words[1], &value, &error);
        g_assert_no_error (error);
        rf_plan_builder_set (builder, tunable, target[1] != NULL ? target[1] : "", &value);
    }
    RfPlan *plan = rf_plan_builder_finish (builder, &error);
    g_assert_no_error (error);
    return plan;
}

RfRecord *
rf_test_rig_try_apply (RfTestRig *self, const char *lines, GError **error)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    RfRecord *record = rf_applier_prepare (self->machine, self->facts, self->journal, plan, error);
    if (record == NULL)
        return NULL;
    g_assert_true (rf_journal_add (self->journal, record, NULL));
    rf_applier_run (self->machine, self->facts, self->journal, record, NULL, error);
    return record;
}

RfRecord *
rf_test_rig_apply (RfTestRig *self, const char *lines)
{
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_test_rig_try_apply (self, lines, &error);
    g_assert_no_error (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
    return record;
}

void
rf_test_rig_keep (RfTestRig *self, RfRecord *record)
{
    g_autoptr (GError) error = NULL;
    rf_keeper_run (self->machine, self->facts, self->journal, record, &error);
    g_assert_no_error (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_KEPT);
}

void
rf_test_rig_revert (RfTestRig *self, RfRecord *record)
{
    g_autoptr (GError) error = NULL;
    rf_reverter_run (self->machine, self->facts, self->journal, record, FALSE, RF_REASON_USER, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
}

void
rf_test_rig_assert_file (RfTestRig *self, const char *path, const char *content)
{
    g_autofree char *text = rf_test_tree_get (self->tree, path);
    g_assert_cmpstr (text, ==, content);
}

void
rf_test_rig_assert_entry (const RfRecord *record, guint index, RfEntryState state)
{
    const RfRecordEntry *entry = g_ptr_array_index (record->entries, index);
    g_assert_cmpstr (rf_entry_state_nick (entry->state), ==, rf_entry_state_nick (state));
}
