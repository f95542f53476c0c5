#define G_LOG_DOMAIN "test-zram"
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "rf-swapoff.h"
#include "rf-test-rig.h"

#define PLAN "swap.zram 1073741824 lz4 100"
#define MARKER "run/ruckelfrei/zram"
#define DROP_IN "etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf"
#define MASK "run/systemd/zram-generator.conf.d/90-ruckelfrei.conf"

static const char *mkswap_line;

static gboolean
noting_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    g_autofree char *line = g_strjoinv (" ", (char **)argv);
    mkswap_line = g_intern_string (line);
    return TRUE;
}

static void
test_round_trip (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rig->ops.run = noting_run;
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    rf_test_rig_assert_file (rig, MARKER, "zram0 1073741824 lz4 100\n");
    rf_test_rig_assert_file (rig, "sys/block/zram0/comp_algorithm", "lzo-rle lzo [lz4] zstd \n");
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "1073741824\n");
    g_assert_cmpstr (mkswap_line, ==, "mkswap -L ruckelfrei /dev/zram0");
    g_autofree char *swaps = rf_test_tree_get (rig->tree, "proc/swaps");
    g_assert_nonnull (strstr (swaps, "/dev/zram0 "));
    g_assert_nonnull (strstr (swaps, "\t100\n"));
    rf_test_rig_revert (rig, record);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
    g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
    rf_test_rig_assert_file (rig, "proc/swaps",
                             "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
                             "/dev/dm-2                               partition\t8388604\t\t1048580\t\t-2\n");
}

static guint loads;

static gboolean
counting_load_zram (const RfOps *self, RfSysroot *kernel, GError **error)
{
    loads++;
    return rf_ops_fixture ()->load_zram (self, kernel, error);
}

/* Somebody else is just loading the module: its folder is there a moment before the file in it. */
static void
test_half_loaded (void)
{
    static const struct {
        const char *change;
        guint loads;
    } rows[] = {
        {"", 1},
        {"=/ sys/class/zram-control\n", 1},
        {"= sys/class/zram-control/hot_add 0\n= sys/class/zram-control/hot_remove 0\n", 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        rf_test_tree_apply (rig->tree, rows[i].change);
        rf_test_rig_reopen (rig);
        rig->ops.load_zram = counting_load_zram;
        loads = 0;
        rf_test_rig_apply (rig, PLAN);
        g_assert_cmpuint (loads, ==, rows[i].loads);
    }
}

/* zram-init#9: the number is whatever the kernel gives; the empty zram0 of somebody else stays. */
static void
test_number (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_apply (rig->tree, "= sys/block/zram0/disksize 0\n= sys/block/zram0/initstate 0\n"
                                   "= sys/block/zram0/comp_algorithm lzo [lz4]\n");
    rf_test_rig_reopen (rig);
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    rf_test_rig_assert_file (rig, MARKER, "zram1 1073741824 lz4 100\n");
    rf_test_rig_revert (rig, record);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram1"));
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "0\n");
}

static guint64 sequence;

/* as kernels since 5.15 do: no two devices have the same number */
static int
numbering_hot_add (const RfOps *self, RfSysroot *kernel, guint *number)
{
    int errnum = rf_ops_fixture ()->hot_add (self, kernel, number);
    g_autofree char *relative = g_strdup_printf ("sys/block/zram%u/diskseq", *number);
    g_autofree char *path = rf_sysroot_path (kernel, relative);
    g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT "\n", ++sequence);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    return errnum;
}

/* Our device is taken away by hand, and another of the same name and size is somebody else's. */
static void
test_replaced (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    guint number = 99;
    sequence = 0;
    rig->ops.hot_add = numbering_hot_add;
    g_autofree char *swaps = rf_test_tree_get (rig->tree, "proc/swaps");
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    rf_test_rig_assert_file (rig, MARKER, "zram0 1073741824 lz4 100 1\n");
    rf_test_tree_set (rig->tree, "proc/swaps", swaps);
    rf_test_tree_remove (rig->tree, "sys/block/zram0");
    numbering_hot_add (&rig->ops, rig->machine->kernel, &number);
    g_assert_cmpuint (number, ==, 0);
    rf_test_tree_set (rig->tree, "sys/block/zram0/disksize", "1073741824\n");
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "1073741824\n");
    rf_test_rig_assert_file (rig, "sys/block/zram0/diskseq", "2\n");
    g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
}

/* zram-generator#7: a zram that is set up belongs to somebody else, whoever it is. */
static void
test_foreign (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_tree_apply (rig->tree, "= sys/block/zram0/disksize 4294967296\n= sys/block/zram0/initstate 1\n"
                                   "= sys/block/zram0/comp_algorithm lzo [lz4]\n");
    rf_test_rig_reopen (rig);
    g_autofree char *before = rf_test_rig_state (rig);
    g_assert_null (rf_test_rig_try_apply (rig, PLAN, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
    g_autofree char *now = rf_test_rig_state (rig);
    g_assert_true (g_str_equal (now, before));
}

/* No second one of ours either. */
static void
test_twice (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    rf_test_rig_reopen (rig);
    g_assert_null (rf_test_rig_try_apply (rig, "swap.zram 2147483648 zstd 100", &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram1"));
}

static guint busy;

static int
busy_write (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    if (strstr (relative, "zram") != NULL && busy > 0) {
        busy--;
        return EBUSY;
    }
    return rf_ops_fixture ()->write_value (self, kernel, relative, text);
}

/* zram-init#62: udev holds the new device for a moment. */
static void
test_busy (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rig->ops.write_value = busy_write;
    busy = 2;
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    g_assert_cmpuint (busy, ==, 0);
    busy = 3;
    rf_test_rig_revert (rig, record);
    g_assert_cmpuint (busy, ==, 0);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
}

static gboolean
failing_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    g_set_error_literal (error, RF_ERROR, RF_ERROR_FAILED, "no mkswap today");
    return FALSE;
}

static int
failing_swap_on (const RfOps *self, RfSysroot *kernel, const char *device, int priority)
{
    return EPERM;
}

/* Each step of the set-up fails once: nothing is left, and what was changed besides goes back too. */
static void
test_steps_fail (void)
{
    static const struct {
        const char *suffix;
        gboolean run, swap_on;
        const char *plan;
    } rows[] = {
        {"/comp_algorithm", FALSE, FALSE, PLAN},
        {"/disksize", FALSE, FALSE, PLAN},
        {NULL, TRUE, FALSE, PLAN},
        {NULL, FALSE, TRUE, PLAN},
        {NULL, FALSE, FALSE, "swap.zram 1073741824 lz5 100"}, /* zram-init#37: not built into this kernel */
    };
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        g_autoptr (GError) error = NULL;
        rf_test_rig_fail_write (rig, rows[i].suffix, EINVAL);
        if (rows[i].run)
            rig->ops.run = failing_run;
        if (rows[i].swap_on)
            rig->ops.swap_on = failing_swap_on;
        g_autofree char *lines = g_strconcat ("vm.min_free_kbytes 100000\n", rows[i].plan, NULL);
        const RfRecord *record = rf_test_rig_try_apply (rig, lines, &error);
        g_assert_nonnull (error);
        g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
        g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
        g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
        rf_test_rig_assert_file (rig, "proc/sys/vm/min_free_kbytes", "67584\n");
    }
}

/* It holds more than memory could take: it stays until the next boot, the files go, and the rest goes back. */
static void
test_no_memory (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, PLAN "\nvm.swappiness 100");
    rf_test_rig_keep (rig, record);
    /* 2.78 GiB are available in this fixture */
    rf_test_tree_set (rig->tree, "sys/block/zram0/mm_stat", "2900000000 900000000 950000000 0 0 0 0 0 0\n");
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_NEXT_BOOT);
    rf_test_rig_assert_entry (record, 1, RF_ENTRY_REVERTED);
    g_assert_true (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "60\n");
    /* later there is room: the same record can be asked again */
    g_assert_true (rf_reverter_allowed (record, FALSE, rig->machine->boot_id, NULL));
    rf_test_tree_set (rig->tree, "sys/block/zram0/mm_stat", "100000000 90000000 95000000 0 0 0 0 0 0\n");
    rf_test_rig_revert (rig, record);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
}

static void
test_next_boot_comes (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    rf_test_rig_keep (rig, record);
    rf_test_tree_set (rig->tree, "sys/block/zram0/mm_stat", "2900000000 900000000 950000000 0 0 0 0 0 0\n");
    rf_test_rig_revert (rig, record);
    rf_test_tree_remove (rig->tree, "sys/block/zram0");
    rf_test_rig_reboot (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
    record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
}

static void
boot_without_zram (RfTestRig *rig)
{
    rf_test_tree_remove (rig->tree, "sys/block/zram0");
    rf_test_tree_set (rig->tree, "proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
    rf_test_rig_reboot (rig);
}

/* Kept: set up again at boot by our own unit, and taken back afterwards. */
static void
test_boot (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    boot_without_zram (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
    rf_test_rig_assert_file (rig, MARKER, "zram0 1073741824 lz4 100\n");
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
}

/* Another program has one by then: no second one. */
static void
test_boot_foreign (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    boot_without_zram (rig);
    rf_test_tree_apply (rig->tree, "= sys/block/zram0/disksize 4294967296\n= sys/block/zram0/initstate 1\n");
    rf_test_rig_reopen (rig);
    g_assert_false (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram1"));
}

static void
install_generator (RfTestRig *rig)
{
    rf_test_tree_set (rig->tree, "usr/lib/systemd/system-generators/zram-generator", "");
    rf_test_rig_reopen (rig);
}

/* What systemd-zram-generator's units have made by the time we look. */
static void
boot_with_generated (RfTestRig *rig)
{
    boot_without_zram (rig);
    rf_test_tree_apply (rig->tree, "= sys/block/zram0/disksize 1073741824\n= sys/block/zram0/initstate 1\n"
                                   "= sys/block/zram0/comp_algorithm lzo [lz4]\n= sys/block/zram0/reset 0\n"
                                   "= sys/block/zram0/mm_stat 0 0 0 0 0 0 0 0 0\n"
                                   "= run/systemd/generator/dev-zram0.swap [Swap]\n"
                                   "= sys/class/zram-control/hot_add 0\n= sys/class/zram-control/hot_remove 0\n");
    rf_ops_fixture ()->swap_on (&rig->ops, rig->machine->kernel, "/dev/zram0", 100);
    rf_test_rig_reopen (rig);
}

static gboolean
in_use (RfTestRig *rig)
{
    g_autofree char *swaps = rf_test_tree_get (rig->tree, "proc/swaps");
    return strstr (swaps, "/dev/zram0 ") != NULL;
}

static RfTestRig *watched;
static guint reloads;

/* From here on no service that starts may bring the swap back. */
static gboolean
watching_reload (const RfOps *self, RfSysroot *kernel, GError **error)
{
    reloads++;
    g_assert_true (in_use (watched));
    g_assert_false (rf_test_tree_exists (watched->tree, DROP_IN));
    return TRUE;
}

/* Taken back, what the generator has made is empty but still there: without it its unit would count as failed. */
static void
test_generator (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    watched = rig;
    reloads = 0;
    rig->ops.reload_systemd = watching_reload;
    install_generator (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    g_assert_true (rf_test_tree_exists (rig->tree, DROP_IN));
    boot_with_generated (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
    rf_test_rig_assert_file (rig, MARKER, "zram0 1073741824 lz4 100\n");
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    g_assert_false (in_use (rig));
    g_assert_false (rf_test_tree_exists (rig->tree, DROP_IN));
    g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "0\n");
    g_assert_cmpuint (reloads, ==, 1);
}

/* Asked a second time, when systemd has forgotten the unit's file but the unit is still active. */
static void
test_generator_forgotten (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    install_generator (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    boot_with_generated (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
    rf_test_tree_remove (rig->tree, "run/systemd/generator");
    rf_test_tree_symlink (rig->tree, "run/systemd/units/invocation:systemd-zram-setup@zram0.service", "0123456789");
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "0\n");
}

/* The swap on trial goes on as the kept one: in this boot the generator must not see our file and make a second one. */
static void
test_generator_hidden (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_set (rig->tree, "run/systemd/system/x", "");
    install_generator (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    g_autofree char *mask = rf_test_tree_get (rig->tree, MASK);
    g_assert_nonnull (mask);
    g_assert_null (strchr (mask, '['));
    rf_test_rig_reopen (rig);
    g_assert_cmpint (rig->facts->zram_owner, ==, RF_ZRAM_OWNER_OURS);
    /* another change leaves it */
    RfRecord *other = rf_test_rig_apply (rig, "vm.swappiness 100");
    rf_test_rig_keep (rig, other);
    rf_test_rig_revert (rig, other);
    g_assert_true (rf_test_tree_exists (rig->tree, MASK));
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    g_assert_false (rf_test_tree_exists (rig->tree, MASK));
    g_assert_false (rf_test_tree_exists (rig->tree, DROP_IN));
}

/* The power went while it was being kept, or while it was being taken back, and the generator has read the file all the
 * same: its swap goes too. */
static void
test_generator_cut (void)
{
    for (guint i = 0; i < 2; i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        install_generator (rig);
        RfRecord *record = rf_test_rig_apply (rig, PLAN);
        rf_test_rig_keep (rig, record);
        g_assert_true (rf_journal_set_state (rig->journal, record, i == 0 ? RF_RECORD_KEEPING : RF_RECORD_REVERTING,
                                             RF_REASON_NONE, NULL));
        boot_with_generated (rig);
        g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
        record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
        g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
        rf_test_rig_assert_entry (record, 0, RF_ENTRY_REVERTED);
        g_assert_false (in_use (rig));
        g_assert_false (rf_test_tree_exists (rig->tree, DROP_IN));
        g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
    }
}

/* Kept without the generator, which comes later with a configuration of its own: that is not ours to change, nor is the
 * swap it makes, even of the same size. */
static void
test_generator_taken (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    rf_test_tree_set (rig->tree, "etc/systemd/zram-generator.conf", "[zram0]\n");
    install_generator (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.swappiness 100"));
    g_assert_false (rf_test_tree_exists (rig->tree, DROP_IN));
    boot_with_generated (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, TRUE, NULL));
    g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
    rf_test_rig_revert (rig, g_ptr_array_index (rf_journal_records (rig->journal), 0));
    g_assert_true (in_use (rig));
    rf_test_rig_assert_file (rig, "sys/block/zram0/disksize", "1073741824\n");
}

/* Died half way through the set-up: the marker tells, and nothing is left. */
static void
test_crash (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (RfPlan) plan = rf_test_plan (PLAN);
    RfRecord *record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, NULL);
    g_assert_true (rf_journal_add (rig->journal, record, NULL));
    guint number = 99;
    rf_ops_fixture ()->hot_add (&rig->ops, rig->machine->kernel, &number);
    g_assert_cmpuint (number, ==, 0);
    rf_test_tree_set (rig->tree, MARKER, "zram0 1073741824 lz4 100\n");
    rf_test_tree_set (rig->tree, "sys/class/zram-control/hot_remove", "");
    rf_test_rig_reopen (rig);
    g_assert_true (rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, NULL));
    g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
    g_assert_false (rf_test_tree_exists (rig->tree, MARKER));
}

/* A call that takes until a signal comes, as swapoff does. */
static int
slow_swap_off (const RfOps *self, RfSysroot *kernel, const char *device)
{
    return usleep (30 * 1000 * 1000) == 0 ? 0 : errno;
}

static void
progress_cb (const char *step, guint done, guint total, gpointer data)
{
    RfControl *control = data;
    if (g_str_equal (step, "swap.zram") && total == 1023)
        g_cancellable_cancel (control->cancellable);
}

/* Cancelled in the middle: the swap is still there, and so is everything else. */
static void
test_cancel (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    RfControl control = {.cancellable = cancellable, .progress = progress_cb};
    control.data = &control;
    RfRecord *record = rf_test_rig_apply (rig, PLAN "\nvm.swappiness 100");
    rf_test_rig_keep (rig, record);
    g_autofree char *swaps = rf_test_tree_get (rig->tree, "proc/swaps");
    g_auto (GStrv) parts = g_strsplit (swaps, "1048572\t\t0\t\t100", 2);
    g_assert_nonnull (parts[1]);
    g_autofree char *full = g_strconcat (parts[0], "1048572\t\t1048572\t\t100", parts[1], NULL);
    rf_test_tree_set (rig->tree, "proc/swaps", full);
    g_autofree char *before = rf_test_rig_state (rig);
    rig->ops.swap_off = slow_swap_off;
    gint64 start = g_get_monotonic_time ();
    g_assert_false (
        rf_reverter_run (rig->machine, rig->facts, rig->journal, record, FALSE, RF_REASON_USER, &control, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_CANCELLED);
    g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
    g_assert_cmpint (record->state, ==, RF_RECORD_KEPT);
    rf_test_rig_assert_entry (record, 0, RF_ENTRY_APPLIED);
    rf_test_rig_assert_entry (record, 1, RF_ENTRY_APPLIED);
    g_autofree char *now = rf_test_rig_state (rig);
    g_assert_true (g_str_equal (now, before));
    rig->ops.swap_off = rf_ops_fixture ()->swap_off;
    rf_test_rig_revert (rig, record);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/zram/round-trip", test_round_trip);
    g_test_add_func ("/helper/zram/half-loaded", test_half_loaded);
    g_test_add_func ("/helper/zram/number", test_number);
    g_test_add_func ("/helper/zram/replaced", test_replaced);
    g_test_add_func ("/helper/zram/foreign", test_foreign);
    g_test_add_func ("/helper/zram/twice", test_twice);
    g_test_add_func ("/helper/zram/busy", test_busy);
    g_test_add_func ("/helper/zram/steps-fail", test_steps_fail);
    g_test_add_func ("/helper/zram/no-memory", test_no_memory);
    g_test_add_func ("/helper/zram/next-boot-comes", test_next_boot_comes);
    g_test_add_func ("/helper/zram/boot", test_boot);
    g_test_add_func ("/helper/zram/boot-foreign", test_boot_foreign);
    g_test_add_func ("/helper/zram/generator", test_generator);
    g_test_add_func ("/helper/zram/generator-forgotten", test_generator_forgotten);
    g_test_add_func ("/helper/zram/generator-hidden", test_generator_hidden);
    g_test_add_func ("/helper/zram/generator-cut", test_generator_cut);
    g_test_add_func ("/helper/zram/generator-taken", test_generator_taken);
    g_test_add_func ("/helper/zram/crash", test_crash);
    g_test_add_func ("/helper/zram/cancel", test_cancel);
    return g_test_run ();
}
