#define G_LOG_DOMAIN "test-apply"
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "rf-drift.h"
#include "rf-test-rig.h"

#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define UDEV_FILE "etc/udev/rules.d/99-zz-ruckelfrei.rules"
#define TRIAL_FILE "run/udev/rules.d/99-zzz-ruckelfrei-trial.rules"

/* A value that differs from the one of now and is in range, for every setting that this machine has. */
static char *
everything (RfTestRig *rig)
{
    gsize n = 0;
    const RfTunable *tunables = rf_tunable_list (&n);
    GString *lines = g_string_new (NULL);
    for (gsize i = 0; i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&tunables[i], rig->facts);
        for (guint j = 0; instances[j] != NULL; j++) {
            RfTarget target = {rig->machine, rig->facts, &tunables[i], instances[j]};
            RfValue now, value;
            gint64 min, max;
            if (!rf_catalogue_available (&tunables[i], instances[j], rig->facts, NULL)
                || !rf_backend_read (&target, &now, NULL) || tunables[i].kind == RF_VALUE_ZRAM)
                continue;
            rf_catalogue_range (&tunables[i], rig->facts, RF_DIRTY_BYTES, &min, &max);
            switch (tunables[i].kind) {
            case RF_VALUE_CHOICE:
                value = rf_value_choice (g_str_equal (now.token, "none") ? "mq-deadline" : "none");
                break;
            case RF_VALUE_DIRTY:
                value = rf_value_dirty (RF_DIRTY_BYTES, g_str_equal (tunables[i].id, "vm.dirty") ? max : min);
                break;
            case RF_VALUE_VECTOR:
                value = rf_value_vector (8192, 262144, 8388608);
                break;
            default:
                value = rf_value_int (now.n[0] == min ? max : min);
            }
            g_autofree char *text = rf_value_to_text (&value);
            g_string_append_printf (lines, "%s%s%s%s %s", lines->len > 0 ? "\n" : "", tunables[i].id,
                                    instances[j][0] != '\0' ? "@" : "", instances[j], text);
        }
    }
    return g_string_free (lines, FALSE);
}

static const char *const machines[] = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath"};

/* Everything that can be changed on each machine: tried, kept, taken back, and not a byte differs. */
static void
test_round_trip (gconstpointer data)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new (data);
    /* these folders stay; every distribution has them */
    rf_test_tree_mkdir (rig->tree, "etc/sysctl.d");
    rf_test_tree_mkdir (rig->tree, "etc/udev/rules.d");
    g_autofree char *etc = rf_test_tree_dump (rig->tree, "etc");
    g_autofree char *lines = everything (rig);
    g_test_message ("%s", lines);
    for (guint keep = 0; keep < 2; keep++) {
        RfRecord *record = rf_test_rig_apply (rig, lines);
        g_autofree char *changed = rf_test_rig_state (rig);
        g_assert_cmpstr (changed, !=, rig->before);
        for (guint i = 0; i < record->entries->len; i++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
            g_assert_true (rf_value_equal (&entry->ours, &entry->effective));
            g_assert_false (rf_value_equal (&entry->ours, &entry->before));
        }
        if (keep)
            rf_test_rig_keep (rig, record);
        g_assert_cmpint (rf_test_tree_exists (rig->tree, SYSCTL_FILE), ==, keep != 0);
        rf_test_rig_revert (rig, record);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
        g_assert_false (rf_test_tree_exists (rig->tree, UDEV_FILE));
        g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
        g_autofree char *etc_now = rf_test_tree_dump (rig->tree, "etc");
        g_assert_cmpstr (etc_now, ==, etc);
    }
}

static void
test_container (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("container");
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_test_rig_try_apply (rig, "vm.swappiness 100", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_READ_ONLY);
    rf_test_rig_assert_as_before (rig);
}

/* Each write fails once, in each place: everything is as before, and the record says why. */
static void
test_all_or_nothing (void)
{
    static const struct {
        const char *suffix;
        int errnum;
        RfError code;
    } rows[] = {
        {"vm/watermark_scale_factor", EINVAL, RF_ERROR_REFUSED},
        {"vm/dirty_bytes", EROFS, RF_ERROR_READ_ONLY},
        {"queue/scheduler", EINVAL, RF_ERROR_REFUSED},
        {"queue/wbt_lat_usec", EIO, RF_ERROR_IO},
        {"vm/swappiness", EROFS, RF_ERROR_READ_ONLY},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        g_autofree char *lines = everything (rig);
        rf_test_rig_fail_write (rig, rows[i].suffix, rows[i].errnum);
        RfRecord *record = rf_test_rig_try_apply (rig, lines, &error);
        g_assert_error (error, RF_ERROR, (int)rows[i].code);
        g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
        g_assert_cmpint (record->reason, ==, RF_REASON_FAILED);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
    }
}

static int
rounding_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    gboolean odd = g_str_has_suffix (relative, "vm/min_free_kbytes") && g_str_equal (text, "100000");
    return rf_ops_fixture ()->write_value (self, kernel, relative, odd ? "100352" : text);
}

/* A write that succeeds proves nothing. */
static void
test_mismatch (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rig->ops.write_value = rounding_write;
    rf_test_rig_try_apply (rig, "vm.min_free_kbytes 100000\nvm.swappiness 100", &error);
    g_assert_error (error, RF_ERROR, RF_ERROR_MISMATCH);
    g_assert_nonnull (strstr (error->message, "100352"));
    rf_test_rig_assert_as_before (rig);
}

/* Going back fails as well: both errors are told, the record stays open, and later it goes back. */
static void
test_undo_fails (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_rig_crash_at (rig, 2);
    RfRecord *record = rf_test_rig_try_apply (rig, "vm.page-cluster 0\nvm.swappiness 100", &error);
    g_assert_error (error, RF_ERROR, RF_ERROR_IO);
    g_assert_nonnull (strstr (error->message, "swappiness"));
    g_assert_nonnull (strstr (error->message, "page-cluster"));
    g_assert_cmpint (record->state, ==, RF_RECORD_REVERTING);
    rf_test_rig_crash_at (rig, 0);
    rf_test_rig_reopen (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
    rf_test_rig_assert_as_before (rig);
}

static GPtrArray *written;

static int
noting_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    g_ptr_array_add (written, g_strdup_printf ("%s=%s", strrchr (relative, '/') + 1, text));
    if (g_str_has_suffix (relative, "queue/scheduler")) {
        /* as the kernel does it: bfq switches the automatic WBT off, leaving bfq switches it on again */
        g_autofree char *folder = g_path_get_dirname (relative);
        g_autofree char *wbt = g_build_filename (folder, "wbt_lat_usec", NULL);
        rf_ops_fixture ()->write_value (self, kernel, wbt, g_str_equal (text, "mq-deadline") ? "0" : "2000");
    }
    return rf_ops_fixture ()->write_value (self, kernel, relative, text);
}

static char *
take_written (void)
{
    g_ptr_array_add (written, NULL);
    char *text = g_strjoinv (" ", (char **)written->pdata);
    g_ptr_array_unref (written);
    written = g_ptr_array_new_with_free_func (g_free);
    return text;
}

/* The scheduler goes first, both ways, and WBT is written only if the scheduler has not moved it already. */
static void
test_scheduler_and_wbt (void)
{
    static const struct {
        const char *lines;
        const char *forth;
        const char *back;
    } rows[] = {
        {"block.scheduler@nvme0n1 mq-deadline\nblock.wbt_lat_usec@nvme0n1 0", "scheduler=mq-deadline",
         "scheduler=none"},
        {"block.scheduler@nvme0n1 mq-deadline\nblock.wbt_lat_usec@nvme0n1 5000",
         "scheduler=mq-deadline wbt_lat_usec=5000", "scheduler=none"},
        {"block.wbt_lat_usec@nvme0n1 0", "wbt_lat_usec=0", "wbt_lat_usec=2000"},
        {"block.scheduler@nvme0n1 none", "", ""},
    };
    written = g_ptr_array_new_with_free_func (g_free);
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        rig->ops.write_value = noting_write;
        RfRecord *record = rf_test_rig_apply (rig, rows[i].lines);
        g_autofree char *forth = take_written ();
        g_assert_cmpstr (forth, ==, rows[i].forth);
        rf_test_rig_revert (rig, record);
        g_autofree char *back = take_written ();
        g_assert_cmpstr (back, ==, rows[i].back);
        rf_test_rig_assert_as_before (rig);
    }
    g_ptr_array_unref (written);
}

static int
resetting_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    if (g_str_has_suffix (relative, "queue/scheduler")) {
        g_autofree char *folder = g_path_get_dirname (relative);
        g_autofree char *requests = g_build_filename (folder, "nr_requests", NULL);
        rf_ops_fixture ()->write_value (self, kernel, requests, g_str_equal (text, "none") ? "1023" : "256");
    }
    return rf_ops_fixture ()->write_value (self, kernel, relative, text);
}

/* The kernel gives each scheduler its own default of nr_requests; what somebody had chosen instead comes back, through
 * a crash, a keep and a second keep. */
static void
test_requests (void)
{
    static const char *const numbers[] = {"64\n", "1023\n", "256\n"};
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++) {
        for (guint way = 0; way < 3; way++) {
            g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
            g_autoptr (GPtrArray) touched = NULL;
            rig->ops.write_value = resetting_write;
            rf_test_tree_set (rig->tree, "sys/block/nvme0n1/queue/nr_requests", numbers[i]);
            g_free (rig->before);
            rig->before = rf_test_rig_state (rig);
            RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
            rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/nr_requests", "256\n");
            if (way == 0) {
                rf_test_rig_reopen (rig);
                g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
            } else {
                rf_test_rig_keep (rig, record);
                if (way == 2)
                    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline"));
                g_assert_true (rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL,
                                                    &touched, NULL));
            }
            rf_test_rig_assert_as_before (rig);
        }
    }
}

/* tuned#882, WoeUSB#191: only the active member of a pair is written, and never a zero. */
static void
test_dirty_pairs (void)
{
    static const struct {
        const char *ratio, *bytes; /* before */
        const char *value;
        const char *forth, *back;
    } rows[] = {
        {"20\n", "0\n", "bytes:268435456", "dirty_bytes=268435456", "dirty_ratio=20"},
        {"20\n", "0\n", "ratio:10", "dirty_ratio=10", "dirty_ratio=20"},
        {"0\n", "536870912\n", "ratio:20", "dirty_ratio=20", "dirty_bytes=536870912"},
        {"0\n", "536870912\n", "bytes:268435456", "dirty_bytes=268435456", "dirty_bytes=536870912"},
    };
    written = g_ptr_array_new_with_free_func (g_free);
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        rig->ops.write_value = noting_write;
        rf_test_tree_set (rig->tree, "proc/sys/vm/dirty_ratio", rows[i].ratio);
        rf_test_tree_set (rig->tree, "proc/sys/vm/dirty_bytes", rows[i].bytes);
        g_free (rig->before);
        rig->before = rf_test_rig_state (rig);
        g_autofree char *line = g_strconcat ("vm.dirty ", rows[i].value, NULL);
        RfRecord *record = rf_test_rig_apply (rig, line);
        g_autofree char *forth = take_written ();
        g_assert_cmpstr (forth, ==, rows[i].forth);
        rf_test_rig_revert (rig, record);
        g_autofree char *back = take_written ();
        g_assert_cmpstr (back, ==, rows[i].back);
        rf_test_rig_assert_as_before (rig);
    }
    g_ptr_array_unref (written);
    /* a zero of before could not be restored */
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_tree_set (rig->tree, "proc/sys/vm/dirty_background_ratio", "0\n");
    g_assert_null (rf_test_rig_try_apply (rig, "vm.dirty_background bytes:67108864", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
}

/* tuned#518, bpftune#60: what somebody else has set since is left alone, and said; force takes it back. */
static void
test_three_way (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100\nvm.watermark_boost_factor 0");
    rf_test_rig_keep (rig, record);
    rf_test_tree_set (rig->tree, "proc/sys/vm/swappiness", "150\n");
    rf_test_tree_set (rig->tree, "proc/sys/vm/watermark_boost_factor", "15000\n");
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
    rf_test_rig_assert_entry (record, 1, RF_ENTRY_LEFT_ALONE);
    rf_test_rig_assert_entry (record, 2, RF_ENTRY_REVERTED);
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "150\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", "3\n");
    g_assert_false (rf_reverter_allowed (record, FALSE, rig->machine->boot_id, NULL));
    g_assert_true (rf_reverter_allowed (record, TRUE, rig->machine->boot_id, NULL));
    g_assert_true (rf_reverter_run (rig->machine, rig->facts, rig->journal, record, TRUE, RF_REASON_USER, NULL, NULL));
    rf_test_rig_assert_as_before (rig);
}

/* The name belongs to another device now: nothing to take back there. */
static void
test_device_changed (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 100");
    rf_test_rig_keep (rig, record);
    rf_test_tree_set (rig->tree, "sys/block/nvme0n1/wwid", "eui.1111111111111111\n");
    rf_test_rig_reopen (rig);
    g_autoptr (GVariant) drift = rf_drift_check (rig->machine, rig->facts, rig->journal);
    g_autofree char *text = g_variant_print (drift, FALSE);
    g_assert_nonnull (strstr (text, "'block.scheduler', 'nvme0n1', <'absent'>, 'unreachable'"));
    g_assert_nonnull (strstr (text, "'vm.swappiness', '', <int64 100>, 'as-kept'"));
    record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_UNREACHABLE);
    rf_test_rig_assert_entry (record, 1, RF_ENTRY_REVERTED);
    rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/scheduler", "none [mq-deadline]\n");
}

/* Nobody reads through the drive any more, so nothing is offered for it; what was changed goes back all the same. */
static void
test_unmounted (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.read_ahead_kb@nvme0n1 512"));
    rf_test_tree_set (rig->tree, "proc/self/mountinfo", "30 1 0:23 / /sys rw,nosuid - sysfs sysfs rw\n");
    rf_test_tree_set (rig->tree, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
    rf_test_rig_reopen (rig);
    g_assert_null (rf_facts_find_readahead (rig->facts, "nvme0n1"));
    g_autoptr (GVariant) drift = rf_drift_check (rig->machine, rig->facts, rig->journal);
    g_autofree char *text = g_variant_print (drift, FALSE);
    g_assert_nonnull (strstr (text, "'block.read_ahead_kb', 'nvme0n1', <int64 512>, 'as-kept'"));
    RfRecord *record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
    rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/read_ahead_kb", "128\n");
    g_autoptr (RfPlan) plan = rf_test_plan ("block.read_ahead_kb@nvme0n1 512");
    g_assert_false (rf_plan_validate (plan, rig->facts, &error));
}

/* The same with an LVM volume, which stays when it is unmounted. */
static void
test_unmounted_stacked (void)
{
    static const char *const attribute = "sys/block/dm-1/queue/read_ahead_kb";
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autofree char *before = rf_test_tree_get (rig->tree, attribute);
    g_assert_cmpstr (before, !=, "512\n");
    rf_test_tree_set (rig->tree, "proc/self/mountinfo", "60 1 254:1 / /data rw - ext4 /dev/dm-1 rw\n");
    rf_test_rig_reopen (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.read_ahead_kb@dm-1 512"));
    rf_test_rig_assert_file (rig, attribute, "512\n");
    rf_test_tree_set (rig->tree, "proc/self/mountinfo", "30 1 0:23 / /sys rw,nosuid - sysfs sysfs rw\n");
    rf_test_rig_reopen (rig);
    g_assert_null (rf_facts_find_readahead (rig->facts, "dm-1"));
    RfRecord *record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
    rf_test_rig_assert_file (rig, attribute, before);
}

/* Kept twice: the second takes over, and taking it back leads to the system's own value. */
static void
test_supersede (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *first = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_keep (rig, first);
    RfRecord *second = rf_test_rig_apply (rig, "vm.swappiness 30");
    /* as a trial it goes back to what was kept */
    rf_test_rig_revert (rig, second);
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
    RfRecord *third = rf_test_rig_apply (rig, "vm.swappiness 30");
    rf_test_rig_keep (rig, third);
    rf_test_rig_assert_entry (first, 0, RF_ENTRY_APPLIED);
    rf_test_rig_assert_entry (first, 1, RF_ENTRY_SUPERSEDED);
    g_assert_cmpint (first->state, ==, RF_RECORD_KEPT);
    RfRecord *fourth = rf_test_rig_apply (rig, "vm.page-cluster 1");
    rf_test_rig_keep (rig, fourth);
    g_assert_cmpint (first->state, ==, RF_RECORD_REVERTED);
    rf_test_rig_revert (rig, third);
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "60\n");
    rf_test_rig_revert (rig, fourth);
    rf_test_rig_assert_as_before (rig);
}

/* A kept setting is on trial with another value: taking the kept one back now would only last until the trial ends. */
static void
test_trial_in_the_way (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *kept = rf_test_rig_apply (rig, "vm.page-cluster 0\nvm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    RfRecord *trial = rf_test_rig_apply (rig, "vm.swappiness 30");
    g_assert_false (rf_reverter_run (rig->machine, rig->facts, rig->journal, kept, TRUE, RF_REASON_USER, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    g_assert_false (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 1, FALSE, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_assert_true (rf_reverter_run_entry (rig->machine, rig->facts, rig->journal, kept, 0, FALSE, NULL, NULL));
    rf_test_rig_revert (rig, trial);
    rf_test_rig_revert (rig, kept);
    rf_test_rig_assert_as_before (rig);
}

/* Going back has failed for a newer change of the same setting: the older one has to wait, and nothing new is begun on
 * it, or its value would come to life again as "before". */
static void
test_unfinished_in_the_way (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *kept = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, kept);
    RfRecord *trial = rf_test_rig_apply (rig, "vm.swappiness 30");
    rf_test_rig_fail_write (rig, "vm/swappiness", EIO);
    g_assert_false (rf_reverter_run (rig->machine, rig->facts, rig->journal, trial, FALSE, RF_REASON_USER, NULL, NULL));
    g_assert_cmpint (trial->state, ==, RF_RECORD_REVERTING);
    rf_test_rig_fail_write (rig, NULL, 0);
    g_assert_false (rf_reverter_run (rig->machine, rig->facts, rig->journal, kept, TRUE, RF_REASON_USER, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_BUSY);
    g_clear_error (&error);
    g_assert_null (rf_test_rig_try_apply (rig, "vm.swappiness 45", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
    rf_test_rig_revert (rig, rf_test_rig_apply (rig, "vm.page-cluster 0"));
    rf_test_rig_revert (rig, trial);
    rf_test_rig_revert (rig, kept);
    rf_test_rig_assert_as_before (rig);
}

static void
swap_files (RfTestRig *rig, const char *path)
{
    g_autofree char *first = g_strconcat ("sys/block/nvme0n1/", path, NULL);
    g_autofree char *second = g_strconcat ("sys/block/nvme1n1/", path, NULL);
    g_autofree char *one = rf_test_tree_get (rig->tree, first);
    g_autofree char *other = rf_test_tree_get (rig->tree, second);
    g_assert_nonnull (one);
    g_assert_nonnull (other);
    rf_test_tree_set (rig->tree, first, other);
    rf_test_tree_set (rig->tree, second, one);
}

/* the two drives have changed their names at the next boot, as they do; each has its own scheduler with it */
static void
exchange_drives (RfTestRig *rig)
{
    swap_files (rig, "wwid");
    swap_files (rig, "queue/scheduler");
    rf_test_rig_reboot (rig);
}

static void
test_drives_renamed (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("desktop-94g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\n"
                                                   "block.scheduler@nvme1n1 kyber"));
    exchange_drives (rig);
    rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/scheduler", "none mq-deadline [kyber]\n");
    g_autoptr (GVariant) drift = rf_drift_check (rig->machine, rig->facts, rig->journal);
    g_autofree char *text = g_variant_print (drift, FALSE);
    g_assert_nonnull (strstr (text, "'block.scheduler', 'nvme0n1', <'mq-deadline'>, 'as-kept'"));
    g_assert_nonnull (strstr (text, "'block.scheduler', 'nvme1n1', <'kyber'>, 'as-kept'"));
    /* tried and kept under the new name: it takes over from the old one */
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.scheduler@nvme1n1 none"));
    const RfRecord *first = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_assert_entry (first, 0, RF_ENTRY_SUPERSEDED);
    rf_test_rig_assert_entry (first, 1, RF_ENTRY_APPLIED);
    g_autoptr (GPtrArray) touched = NULL;
    g_assert_true (
        rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL, &touched, NULL));
    exchange_drives (rig);
    g_free (rig->before);
    rig->before = NULL;
    rf_test_rig_assert_file (rig, "sys/block/nvme0n1/queue/scheduler", "none mq-deadline [kyber]\n");
    rf_test_rig_assert_file (rig, "sys/block/nvme1n1/queue/scheduler", "[none] mq-deadline kyber\n");
    g_assert_false (rf_test_tree_exists (rig->tree, UDEV_FILE));
}

/* Two paths of one disk have one identity: each goes its own way, and none stands in for the other. */
static void
test_paths (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("nvme-multipath");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.scheduler@nvme0c0n1 mq-deadline"));
    RfRecord *second = rf_test_rig_apply (rig, "block.scheduler@nvme0c1n1 mq-deadline");
    rf_test_rig_keep (rig, second);
    RfRecord *first = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_assert_entry (first, 0, RF_ENTRY_APPLIED);
    rf_test_rig_revert (rig, first);
    rf_test_rig_assert_file (rig, "sys/block/nvme0c0n1/queue/scheduler", "[none] mq-deadline\n");
    rf_test_rig_assert_file (rig, "sys/block/nvme0c1n1/queue/scheduler", "none [mq-deadline]\n");
    rf_test_rig_revert (rig, second);
    rf_test_rig_assert_as_before (rig);
}

/* Without udev no folder of udev is made. */
static void
test_no_udev (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_remove (rig->tree, "run/udev");
    rf_test_rig_revert (rig, rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline"));
    g_assert_false (rf_test_tree_exists (rig->tree, "run/udev"));
}

static void
test_revert_all (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("desktop-94g");
    g_autoptr (GPtrArray) touched = NULL;
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 30"));
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 90\nvm.page-cluster 1"));
    rf_test_rig_apply (rig, "vm.swappiness 45\nblock.scheduler@nvme1n1 mq-deadline");
    g_assert_true (
        rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL, &touched, NULL));
    g_assert_cmpuint (touched->len, ==, 2);
    rf_test_rig_assert_as_before (rig);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
}

/* /etc cannot be written: the trial goes on, and nothing is half kept. */
static void
test_keep_fails (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 100");
    rf_test_tree_remove (rig->tree, "etc/udev/rules.d");
    rf_test_tree_mkdir (rig->tree, "etc/udev");
    rf_test_tree_set (rig->tree, "etc/udev/rules.d", "a file where a folder should be\n");
    g_assert_false (rf_keeper_run (rig->machine, rig->facts, rig->journal, record, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_TRIAL);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    g_assert_true (rf_test_tree_exists (rig->tree, TRIAL_FILE));
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_as_before (rig);
}

/* The disk of the journal is full or broken: a trial goes back all the same, and is on trial no more. */
static void
test_journal_lost (void)
{
    for (guint crash = 0; crash < 2; crash++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        RfRecord *record = rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 100");
        g_autofree char *name = g_strdup_printf ("var/lib/ruckelfrei/journal/%s.record", record->id);
        g_autofree char *on_trial = rf_test_tree_get (rig->tree, name);
        rf_test_tree_remove (rig->tree, "var/lib/ruckelfrei/journal");
        g_assert_false (
            rf_reverter_run (rig->machine, rig->facts, rig->journal, record, FALSE, RF_REASON_TIMEOUT, NULL, &error));
        g_assert_nonnull (error);
        g_assert_cmpint (record->state, ==, RF_RECORD_REVERTING);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, TRIAL_FILE));
        rf_test_tree_mkdir (rig->tree, "var/lib/ruckelfrei/journal");
        if (crash) {
            g_autofree char *folder = rf_test_tree_path (rig->tree, "var/lib/ruckelfrei/journal");
            g_autofree char *file = rf_test_tree_path (rig->tree, name);
            rf_test_tree_set (rig->tree, name, on_trial);
            g_assert_cmpint (chmod (folder, 0700), ==, 0);
            g_assert_cmpint (chmod (file, 0600), ==, 0);
            rf_test_rig_reopen (rig);
            g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
            record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
            g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
        } else {
            rf_test_rig_revert (rig, record);
        }
        rf_test_rig_assert_as_before (rig);
    }
}

/* The same for a kept one: nothing changes, as the next boot would bring it back. */
static void
test_journal_lost_kept (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, record);
    rf_test_tree_remove (rig->tree, "var/lib/ruckelfrei/journal");
    g_assert_false (
        rf_reverter_run (rig->machine, rig->facts, rig->journal, record, FALSE, RF_REASON_USER, NULL, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (record->state, ==, RF_RECORD_KEPT);
    g_assert_true (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "100\n");
}

static void
test_drift (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline\nvm.page-cluster 0\n"
                                                   "vm.swappiness 100"));
    rf_test_tree_set (rig->tree, "proc/sys/vm/swappiness", "150\n");
    rf_test_tree_set (rig->tree, SYSCTL_FILE, "# Written by Ruckelfrei.\nvm.page-cluster = 2\n");
    rf_test_tree_remove (rig->tree, UDEV_FILE);
    g_autoptr (GVariant) drift = rf_drift_check (rig->machine, rig->facts, rig->journal);
    g_autofree char *text = g_variant_print (drift, FALSE);
    g_assert_nonnull (strstr (text, "'block.scheduler', 'nvme0n1', <'mq-deadline'>, 'file-missing'"));
    g_assert_nonnull (strstr (text, "'vm.page-cluster', '', <int64 0>, 'file-edited'"));
    g_assert_nonnull (strstr (text, "'vm.swappiness', '', <int64 150>, 'drifted'"));
}

/* AOSC#9240: only what the kernel offers here, as a whole word. */
static void
test_choices (void)
{
    static const char *const words[] = {"noop", "mq", "deadline", "kyber", "bfq"};
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        g_autofree char *line = g_strconcat ("block.scheduler@nvme0n1 ", words[i], NULL);
        g_assert_null (rf_test_rig_try_apply (rig, line, &error));
        g_assert_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE);
    }
}

/* A reserve of more than 15 % of what is available now is refused, whatever the table says. */
static void
test_memory (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autofree char *meminfo = rf_test_tree_get (rig->tree, "proc/meminfo");
    g_autoptr (GRegex) regex = g_regex_new ("MemAvailable: +[0-9]+ kB", 0, 0, NULL);
    g_autofree char *tight = g_regex_replace (regex, meminfo, -1, 0, "MemAvailable:     500000 kB", 0, NULL);
    rf_test_tree_set (rig->tree, "proc/meminfo", tight);
    g_assert_null (rf_test_rig_try_apply (rig, "vm.min_free_kbytes 100000", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_NO_MEMORY);
}

static void
test_cancel (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (RfPlan) plan = rf_test_plan ("vm.page-cluster 0\nvm.swappiness 100");
    RfControl control = {.cancellable = cancellable};
    RfRecord *record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, NULL);
    g_assert_true (rf_journal_add (rig->journal, record, NULL));
    g_cancellable_cancel (cancellable);
    g_assert_false (rf_applier_run (rig->machine, rig->facts, rig->journal, record, &control, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_CANCELLED);
    g_assert_cmpint (record->reason, ==, RF_REASON_CANCELLED);
    rf_test_rig_assert_as_before (rig);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autofree char *path = g_strdup_printf ("/helper/apply/round-trip/%s", machines[i]);
        g_test_add_data_func (path, machines[i], test_round_trip);
    }
    g_test_add_func ("/helper/apply/container", test_container);
    g_test_add_func ("/helper/apply/all-or-nothing", test_all_or_nothing);
    g_test_add_func ("/helper/apply/mismatch", test_mismatch);
    g_test_add_func ("/helper/apply/undo-fails", test_undo_fails);
    g_test_add_func ("/helper/apply/scheduler-and-wbt", test_scheduler_and_wbt);
    g_test_add_func ("/helper/apply/requests", test_requests);
    g_test_add_func ("/helper/apply/dirty-pairs", test_dirty_pairs);
    g_test_add_func ("/helper/apply/three-way", test_three_way);
    g_test_add_func ("/helper/apply/device-changed", test_device_changed);
    g_test_add_func ("/helper/apply/unmounted", test_unmounted);
    g_test_add_func ("/helper/apply/unmounted-stacked", test_unmounted_stacked);
    g_test_add_func ("/helper/apply/supersede", test_supersede);
    g_test_add_func ("/helper/apply/trial-in-the-way", test_trial_in_the_way);
    g_test_add_func ("/helper/apply/unfinished-in-the-way", test_unfinished_in_the_way);
    g_test_add_func ("/helper/apply/drives-renamed", test_drives_renamed);
    g_test_add_func ("/helper/apply/paths", test_paths);
    g_test_add_func ("/helper/apply/no-udev", test_no_udev);
    g_test_add_func ("/helper/apply/revert-all", test_revert_all);
    g_test_add_func ("/helper/apply/keep-fails", test_keep_fails);
    g_test_add_func ("/helper/apply/journal-lost", test_journal_lost);
    g_test_add_func ("/helper/apply/journal-lost-kept", test_journal_lost_kept);
    g_test_add_func ("/helper/apply/drift", test_drift);
    g_test_add_func ("/helper/apply/choices", test_choices);
    g_test_add_func ("/helper/apply/memory", test_memory);
    g_test_add_func ("/helper/apply/cancel", test_cancel);
    return g_test_run ();
}
