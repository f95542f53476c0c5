/* What a machine can do to the helper without its fault: full disks, read-only folders, a clock that goes back, a second
 * helper, a kill in the middle of swapoff. File systems are mounted in a namespace of this test alone, which needs root. */
#define G_LOG_DOMAIN "test-hardship"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rf-test-program.h"
#include "rf-test-rig.h"

#define STATE "var/lib/ruckelfrei"
#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define PLAN "vm.page-cluster 0\nvm.swappiness 100"

/* ---- mounts ---- */

static gboolean
can_mount (void)
{
    static int able = -1;
    if (able < 0)
        able = geteuid () == 0 && unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", "", MS_REC | MS_PRIVATE, NULL) == 0;
    if (able == 0)
        g_test_skip ("needs root");
    return able == 1;
}

/* A file system of 64 KiB at @folder; what is there is moved into it. */
static void
mount_small (RfTestRig *rig, const char *folder)
{
    g_autofree char *path = rf_test_tree_path (rig->tree, folder);
    g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
    g_assert_cmpint (mount ("rf-test", path, "tmpfs", MS_NOSUID, "size=64k,mode=0700"), ==, 0);
}

static void
fill (RfTestRig *rig, const char *folder)
{
    char block[4096] = {0};
    g_autofree char *relative = g_build_filename (folder, "ballast", NULL);
    g_autofree char *path = rf_test_tree_path (rig->tree, relative);
    int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    g_assert_cmpint (fd, >=, 0);
    while (write (fd, block, sizeof block) > 0)
        ;
    g_assert_cmpint (errno, ==, ENOSPC);
    close (fd);
}

static void
make_room (RfTestRig *rig, const char *folder)
{
    g_autofree char *relative = g_build_filename (folder, "ballast", NULL);
    rf_test_tree_remove (rig->tree, relative);
}

static void
unmount (RfTestRig *rig, const char *folder)
{
    g_autofree char *path = rf_test_tree_path (rig->tree, folder);
    g_assert_cmpint (umount2 (path, MNT_DETACH), ==, 0);
}

static void
set_read_only (RfTestRig *rig, const char *folder, gboolean on)
{
    g_autofree char *path = rf_test_tree_path (rig->tree, folder);
    if (!on) {
        unmount (rig, folder);
        return;
    }
    g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
    g_assert_cmpint (mount (path, path, "", MS_BIND, NULL), ==, 0);
    g_assert_cmpint (mount (NULL, path, "", MS_BIND | MS_REMOUNT | MS_RDONLY, NULL), ==, 0);
}

/* ---- looking ---- */

static void
assert_values (RfTestRig *rig, gboolean ours)
{
    rf_test_rig_assert_file (rig, "proc/sys/vm/page-cluster", ours ? "0\n" : "3\n");
    rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", ours ? "100\n" : "60\n");
}

static void
assert_no_scraps (RfTestRig *rig)
{
    g_autofree char *dump = rf_test_tree_dump (rig->tree, "");
    g_assert_null (strstr (dump, ".tmp"));
}

static void
recover (RfTestRig *rig)
{
    g_autoptr (GError) error = NULL;
    rf_test_rig_reopen (rig);
    rf_recovery_run (rig->machine, rig->facts, rig->journal, FALSE, &error);
    g_assert_no_error (error);
}

static RfRecord *
newest (RfTestRig *rig)
{
    const GPtrArray *records = rf_journal_records (rig->journal);
    return g_ptr_array_index (records, records->len - 1);
}

static gboolean
revert (RfTestRig *rig, GError **error)
{
    return rf_reverter_run (rig->machine, rig->facts, rig->journal, newest (rig), FALSE, RF_REASON_USER, NULL, error);
}

static gboolean
keep (RfTestRig *rig, GError **error)
{
    return rf_keeper_run (rig->machine, rig->facts, rig->journal, newest (rig), error);
}

static RfTestRig *
rig_with_small (const char *folder)
{
    RfTestRig *rig = rf_test_rig_new ("laptop-8g");
    rf_test_tree_remove (rig->tree, STATE);
    mount_small (rig, folder);
    rf_test_rig_reopen (rig);
    return rig;
}

/* ---- full ---- */

static void
test_full_state (void)
{
    if (!can_mount ())
        return;
    g_autoptr (RfTestRig) rig = rig_with_small (STATE);
    g_autoptr (GError) error = NULL;
    /* nothing is begun */
    fill (rig, STATE);
    g_autoptr (RfPlan) plan = rf_test_plan (PLAN);
    g_autoptr (RfRecord) record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, &error);
    g_assert_no_error (error);
    g_assert_false (rf_journal_add (rig->journal, record, &error));
    g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    g_clear_error (&error);
    rf_test_rig_assert_as_before (rig);
    assert_no_scraps (rig);

    /* a trial cannot be kept, and goes back whether the disk hears of it or not */
    make_room (rig, STATE);
    rf_test_rig_apply (rig, PLAN);
    fill (rig, STATE);
    g_assert_false (keep (rig, &error));
    g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    g_clear_error (&error);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_TRIAL);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    assert_values (rig, TRUE);
    g_assert_false (revert (rig, &error));
    g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    g_clear_error (&error);
    rf_test_rig_assert_as_before (rig);
    make_room (rig, STATE);
    recover (rig);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_REVERTED);

    /* what is kept stays whole until its going can be noted */
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    fill (rig, STATE);
    g_assert_false (revert (rig, &error));
    g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    g_clear_error (&error);
    assert_values (rig, TRUE);
    g_assert_true (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    assert_no_scraps (rig);
    make_room (rig, STATE);
    recover (rig);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_KEPT);
    rf_test_rig_revert (rig, newest (rig));
    rf_test_rig_assert_as_before (rig);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    unmount (rig, STATE);
}

static void
test_full_etc (void)
{
    if (!can_mount ())
        return;
    g_autoptr (RfTestRig) rig = rig_with_small ("etc/sysctl.d");
    g_autoptr (GError) error = NULL;
    fill (rig, "etc/sysctl.d");
    rf_test_rig_apply (rig, PLAN);
    g_assert_false (keep (rig, &error));
    g_assert_nonnull (strstr (error->message, g_strerror (ENOSPC)));
    g_clear_error (&error);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_TRIAL);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    assert_no_scraps (rig);
    make_room (rig, "etc/sysctl.d");
    rf_test_rig_keep (rig, newest (rig));
    /* taking back needs no room */
    fill (rig, "etc/sysctl.d");
    rf_test_rig_revert (rig, newest (rig));
    rf_test_rig_assert_as_before (rig);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    assert_no_scraps (rig);
    unmount (rig, "etc/sysctl.d");
}

/* ---- read-only ---- */

static void
test_read_only_etc (void)
{
    if (!can_mount ())
        return;
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    set_read_only (rig, "etc", TRUE);
    rf_test_rig_apply (rig, PLAN);
    g_assert_false (keep (rig, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_READ_ONLY);
    g_assert_nonnull (strstr (error->message, g_strerror (EROFS)));
    g_clear_error (&error);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_TRIAL);
    recover (rig);
    rf_test_rig_assert_as_before (rig);
    set_read_only (rig, "etc", FALSE);

    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
    set_read_only (rig, "etc", TRUE);
    g_assert_false (revert (rig, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_READ_ONLY);
    g_clear_error (&error);
    /* what could go back is back, and what could not is still known */
    rf_test_rig_assert_as_before (rig);
    g_assert_true (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_REVERTING);
    set_read_only (rig, "etc", FALSE);
    recover (rig);
    g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_REVERTED);
    g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
}

static void
test_read_only_state (void)
{
    if (!can_mount ())
        return;
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_test_plan (PLAN);
    set_read_only (rig, STATE, TRUE);
    g_autoptr (RfRecord) record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, NULL);
    g_assert_false (rf_journal_add (rig->journal, record, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_READ_ONLY);
    rf_test_rig_assert_as_before (rig);
    set_read_only (rig, STATE, FALSE);
    rf_test_rig_revert (rig, rf_test_rig_apply (rig, PLAN));
}

/* ---- the clock ---- */

static RfRecord *
apply_at (RfTestRig *rig, const char *lines, const char *id)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    g_autoptr (GError) error = NULL;
    RfRecord *record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, &error);
    g_assert_no_error (error);
    g_free (record->id);
    record->id = g_strdup (id);
    g_assert_true (rf_journal_add (rig->journal, record, &error));
    rf_applier_run (rig->machine, rig->facts, rig->journal, record, NULL, &error);
    g_assert_no_error (error);
    return record;
}

/* What was applied while the clock was years ahead is still the older change once the clock is right. */
static void
test_clock (void)
{
    static const char *const stamps[] = {"29991231T235959Z-00000fff", "29991231T235959Z-0ffffffe"};
    for (gsize i = 0; i < G_N_ELEMENTS (stamps); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        /* set back between apply and keep */
        rf_test_rig_keep (rig, apply_at (rig, "vm.swappiness 100\nvm.page-cluster 0", stamps[i]));
        for (guint j = 0; j < 4; j++) {
            g_autofree char *line = g_strdup_printf ("vm.swappiness %u", 30 + j);
            g_autofree char *text = g_strdup_printf ("vm.swappiness = %u\n", 30 + j);
            rf_test_rig_keep (rig, rf_test_rig_apply (rig, line));
            recover (rig);
            g_autofree char *file = rf_test_tree_get (rig->tree, SYSCTL_FILE);
            g_assert_nonnull (strstr (file, text));
            g_assert_nonnull (strstr (file, "vm.page-cluster = 0\n"));
        }
        /* set back between apply and the next start */
        rf_test_rig_apply (rig, "vm.swappiness 50");
        recover (rig);
        rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "33\n");
        g_autoptr (GPtrArray) touched = NULL;
        g_assert_true (rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL,
                                            &touched, NULL));
        rf_test_rig_assert_as_before (rig);
    }
}

/* ---- swapoff ---- */

static int wake_fd = -1;

static int
endless_swap_off (const RfOps *self, RfSysroot *kernel, const char *device)
{
    if (write (wake_fd, "x", 1) == 1)
        for (;;)
            pause ();
    return EIO;
}

/* Killed while pages come back: the kernel gives swapoff up, and the next start does it again. */
static void
test_killed_in_swapoff (void)
{
    for (guint kept = 0; kept < 2; kept++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        RfRecord *record = rf_test_rig_apply (rig, "vm.swappiness 100\nswap.zram 1073741824 lz4 100");
        int wake[2], status = 0;
        char byte = 0;
        if (kept)
            rf_test_rig_keep (rig, record);
        g_assert_cmpint (pipe2 (wake, O_CLOEXEC), ==, 0);
        pid_t pid = fork ();
        if (pid == 0) {
            wake_fd = wake[1];
            rig->ops.swap_off = endless_swap_off;
            revert (rig, NULL);
            _exit (1);
        }
        g_assert_cmpint (read (wake[0], &byte, 1), ==, 1);
        kill (pid, SIGKILL);
        g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
        g_assert_true (WIFSIGNALED (status));
        close (wake[0]);
        close (wake[1]);
        recover (rig);
        g_assert_cmpint (newest (rig)->state, ==, RF_RECORD_REVERTED);
        g_assert_false (rf_test_tree_exists (rig->tree, "sys/block/zram0"));
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
        g_assert_false (rf_test_tree_exists (rig->tree, "run/ruckelfrei/zram"));
        rf_test_rig_assert_file (rig, "proc/sys/vm/swappiness", "60\n");
    }
}

/* ---- several helpers ---- */

typedef struct {
    RfTestProgram *program;
    const char *option;
    int code;
} Other;

static gpointer
other_thread (gpointer data)
{
    Other *other = data;
    other->code = rf_test_program_run (other->program, other->option, NULL);
    return NULL;
}

/* From a kept and a tried change, eight at once: one after the other, and at the end all is as before. */
static void
test_race (void)
{
    for (guint round = 0; round < 3; round++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        const char *root = rf_test_tree_root (rig->tree);
        g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
        rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
        rf_test_rig_apply (rig, "block.scheduler@nvme0n1 mq-deadline");
        Other others[8];
        GThread *threads[G_N_ELEMENTS (others)];
        for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
            others[i] = (Other){program, i % 3 == 1 ? "--recover" : "--revert-all", -1};
            threads[i] = g_thread_new ("other", other_thread, &others[i]);
        }
        for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
            g_thread_join (threads[i]);
            g_assert_cmpint (others[i].code, ==, 0);
        }
        rf_test_rig_reopen (rig);
        g_assert_true (rf_journal_check (rig->journal, NULL));
        for (guint i = 0; i < rf_journal_records (rig->journal)->len; i++)
            g_assert_cmpint (((RfRecord *)g_ptr_array_index (rf_journal_records (rig->journal), i))->state, ==,
                             RF_RECORD_REVERTED);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
        assert_no_scraps (rig);
    }
}

/* From a shell while the service runs: it waits, and takes over when the service leaves or is killed. */
static void
test_shell_and_service (void)
{
    static const int ends[] = {SIGTERM, SIGKILL};
    for (gsize i = 0; i < G_N_ELEMENTS (ends); i++) {
        g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
        const char *root = rf_test_tree_root (rig->tree);
        rf_test_rig_keep (rig, rf_test_rig_apply (rig, "vm.page-cluster 0"));
        g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
        rf_test_program_start (program);
        g_autofree char *id = rf_test_program_apply (program, "vm.swappiness 100", 300);
        Other shell = {program, "--revert-all", -1};
        GThread *thread = g_thread_new ("shell", other_thread, &shell);
        g_usleep (G_USEC_PER_SEC);
        /* the two do not work at once */
        assert_values (rig, TRUE);
        rf_test_program_end (program, ends[i]);
        g_thread_join (thread);
        g_assert_cmpint (shell.code, ==, 0);
        rf_test_rig_assert_as_before (rig);
        g_assert_false (rf_test_tree_exists (rig->tree, SYSCTL_FILE));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/hardship/full-state", test_full_state);
    g_test_add_func ("/helper/hardship/full-etc", test_full_etc);
    g_test_add_func ("/helper/hardship/read-only-etc", test_read_only_etc);
    g_test_add_func ("/helper/hardship/read-only-state", test_read_only_state);
    g_test_add_func ("/helper/hardship/clock", test_clock);
    g_test_add_func ("/helper/hardship/killed-in-swapoff", test_killed_in_swapoff);
    g_test_add_func ("/helper/hardship/race", test_race);
    g_test_add_func ("/helper/hardship/shell-and-service", test_shell_and_service);
    return g_test_run ();
}
