/* The helper stopped at every system call by which it changes anything, and every such call failing: afterwards, at the
 * next start, everything is applied or everything is as before: values, files and journal; also if that start is
 * stopped as well. With RF_WEEKLY=yes the second stop comes at every call, too. */
#define G_LOG_DOMAIN "test-fault"
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "rf-file.h"
#include "rf-test-fault.h"
#include "rf-test-rig.h"

#define FIXTURE "laptop-8g"
#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define UDEV_FILE "etc/udev/rules.d/99-zz-ruckelfrei.rules"
#define PLAN                                                                                                           \
    "vm.watermark_scale_factor 60\nvm.dirty bytes:268435456\nvm.dirty_background bytes:67108864\n"                     \
    "block.scheduler@nvme0n1 mq-deadline\nblock.wbt_lat_usec@nvme0n1 0\nvm.page-cluster 0\nvm.swappiness 100\n"        \
    "swap.zram 1073741824 lz4 100"
#define OTHER_PLAN "vm.dirty ratio:30\nblock.scheduler@nvme0n1 none\nvm.swappiness 30"
/* failures that are named at most */
#define TOLD_MAX 20
/* under the sanitizers each hit takes several times as long: only what they could see */
#if defined __SANITIZE_ADDRESS__
#define THIN TRUE
#else
#define THIN FALSE
#endif

typedef struct Case Case;
typedef gboolean (*CaseFunc) (RfTestRig *rig, GError **error);

/**
 * Case:
 * @set_up: from the untouched machine to where the work begins
 * @work: in the child; a whole process of the helper
 * @error_is_before: whether an error leaves everything as it was before the work at once, without a new start; or,
 *   if keeping was what failed, on trial
 * @points: there must be as many calls at least
 */
struct Case {
    const char *name;
    void (*set_up) (RfTestRig *rig);
    CaseFunc work;
    gboolean error_is_before;
    guint points;
};

typedef struct {
    RfTestRig *rig;
    const Case *test;
    CaseFunc work;
    char *origin;     /* the machine without anything of ours */
    char *everything; /* the same, really everything */
    char *before;     /* where the work begins */
    char *trial;      /* where keeping begins, if that is part of the work */
    char *done;       /* and where it ends */
    char *settled[4]; /* what the next start makes of the two; and the steps in between */
    guint hits, failures;
    gboolean stopped_again;
} Run;

/* ---- one process of the helper, as main() does it ---- */

static gboolean
start (RfTestRig *rig, gboolean boot, GError **error)
{
    static RfAutoFd lock = -1;
    umask (RF_FILE_UMASK);
    rf_file_close_fd (&lock);
    g_clear_pointer (&rig->journal, rf_journal_free);
    if (!rf_journal_lock (rig->machine, 0, &lock, error))
        return FALSE;
    rig->journal = rf_journal_open (rig->machine, error);
    if (rig->journal == NULL)
        return FALSE;
    g_clear_pointer (&rig->facts, rf_facts_unref);
    rig->facts = rf_facts_read (rig->machine->kernel);
    return rf_recovery_run (rig->machine, rig->facts, rig->journal, boot, error);
}

static gboolean
work_start (RfTestRig *rig, GError **error)
{
    return start (rig, FALSE, error);
}

static gboolean
work_boot (RfTestRig *rig, GError **error)
{
    return start (rig, TRUE, error);
}

static gboolean
apply (RfTestRig *rig, const char *lines, GError **error)
{
    g_autoptr (RfPlan) plan = rf_test_plan (lines);
    if (!start (rig, FALSE, error))
        return FALSE;
    g_autoptr (RfRecord) record = rf_applier_prepare (rig->machine, rig->facts, rig->journal, plan, error);
    if (record == NULL || !rf_journal_add (rig->journal, record, error))
        return FALSE;
    return rf_applier_run (rig->machine, rig->facts, rig->journal, g_steal_pointer (&record), NULL, error);
}

static gboolean
keep_newest (RfTestRig *rig, GError **error)
{
    const GPtrArray *records = rf_journal_records (rig->journal);
    return rf_keeper_run (rig->machine, rig->facts, rig->journal, g_ptr_array_index (records, records->len - 1), error);
}

static gboolean
work_apply (RfTestRig *rig, GError **error)
{
    return apply (rig, PLAN, error);
}

static gboolean
work_apply_keep (RfTestRig *rig, GError **error)
{
    return apply (rig, PLAN, error) && keep_newest (rig, error);
}

static gboolean
work_apply_other_keep (RfTestRig *rig, GError **error)
{
    return apply (rig, OTHER_PLAN, error) && keep_newest (rig, error);
}

static gboolean
work_apply_revert (RfTestRig *rig, GError **error)
{
    if (!apply (rig, PLAN, error))
        return FALSE;
    const GPtrArray *records = rf_journal_records (rig->journal);
    return rf_reverter_run (rig->machine, rig->facts, rig->journal, g_ptr_array_index (records, records->len - 1),
                            FALSE, RF_REASON_TIMEOUT, NULL, error);
}

static gboolean
work_revert_all (RfTestRig *rig, GError **error)
{
    g_autoptr (GPtrArray) touched = NULL;
    return start (rig, FALSE, error)
           && rf_reverter_run_all (rig->machine, rig->facts, rig->journal, FALSE, RF_REASON_USER, NULL, &touched,
                                   error);
}

static gboolean
work_revert_entry (RfTestRig *rig, GError **error)
{
    /* number 1: a dirty pair */
    return start (rig, FALSE, error)
           && rf_reverter_run_entry (rig->machine, rig->facts, rig->journal,
                                     g_ptr_array_index (rf_journal_records (rig->journal), 0), 1, FALSE, NULL, error);
}

/* ---- where the work begins ---- */

static void
set_up_nothing (RfTestRig *rig)
{
}

static void
set_up_trial (RfTestRig *rig)
{
    rf_test_rig_apply (rig, PLAN);
}

static void
set_up_kept (RfTestRig *rig)
{
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, PLAN));
}

static void
set_up_kept_twice (RfTestRig *rig)
{
    set_up_kept (rig);
    rf_test_rig_keep (rig, rf_test_rig_apply (rig, OTHER_PLAN));
}

static void
set_up_keeping (RfTestRig *rig)
{
    RfRecord *record = rf_test_rig_apply (rig, PLAN);
    g_assert_true (rf_journal_set_state (rig->journal, record, RF_RECORD_KEEPING, RF_REASON_NONE, NULL));
    g_assert_true (rf_persist_sync (rig->machine, rf_journal_records (rig->journal), FALSE, NULL));
}

static void
set_up_reverting (RfTestRig *rig)
{
    set_up_kept (rig);
    RfRecord *record = g_ptr_array_index (rf_journal_records (rig->journal), 0);
    g_assert_true (rf_journal_set_state (rig->journal, record, RF_RECORD_REVERTING, RF_REASON_USER, NULL));
}

/* Booted with a kept swap that only the boot unit can bring back. */
static void
set_up_booted (RfTestRig *rig)
{
    set_up_kept (rig);
    rf_test_tree_remove (rig->tree, "sys/block/zram0");
    rf_test_tree_remove (rig->tree, "run/ruckelfrei");
    rf_test_tree_set (rig->tree, "proc/swaps",
                      "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
                      "/dev/dm-2                               partition\t8388604\t\t1048580\t\t-2\n");
}

static void
set_up_foreign (RfTestRig *rig)
{
    rf_test_tree_set (rig->tree, SYSCTL_FILE, "# the administrator's\nvm.swappiness = 61\n");
    rf_test_tree_set (rig->tree, UDEV_FILE, "# the administrator's\n");
}

static void
set_up_foreign_kept (RfTestRig *rig)
{
    set_up_foreign (rig);
    set_up_kept (rig);
}

/* Where systemd-zram-generator is installed, the kept swap is its business. */
static void
set_up_generator (RfTestRig *rig)
{
    rf_test_tree_set (rig->tree, "usr/lib/systemd/system-generators/zram-generator", "");
    rf_test_rig_reopen (rig);
}

static void
set_up_generator_kept (RfTestRig *rig)
{
    set_up_generator (rig);
    set_up_kept (rig);
}

/* ---- looking ---- */

static void
add_journal (GString *out, const RfJournal *journal)
{
    g_autoptr (GError) error = NULL;
    if (!rf_journal_check (journal, &error))
        g_string_append_printf (out, "journal: %s\n", error->message);
    for (guint i = 0; i < rf_journal_records (journal)->len; i++) {
        const RfRecord *record = g_ptr_array_index (rf_journal_records (journal), i);
        /* whether a failed attempt is remembered or not is all the same */
        for (guint j = 0; record->state != RF_RECORD_REVERTED && j < record->entries->len; j++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, j);
            g_autofree char *before = rf_value_to_text (&entry->before);
            g_autofree char *ours = rf_value_to_text (&entry->ours);
            g_string_append_printf (out, "record %s: %s %s: %s to %s, %s\n", rf_record_state_nick (record->state),
                                    entry->tunable->id, entry->instance, before, ours,
                                    rf_entry_state_nick (entry->state));
        }
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static gboolean
has_modes (const char *path)
{
    return g_str_has_prefix (path, "etc/") || g_str_has_prefix (path, "run/");
}

static void
add_file (GString *out, const char *absolute, const char *path)
{
    g_autofree char *text = NULL;
    struct stat info = {0};
    if (!g_file_get_contents (absolute, &text, NULL, NULL) || (has_modes (path) && stat (absolute, &info) != 0))
        return;
    g_string_append_printf (out, "== %s %o\n%s", path, info.st_mode & 07777, text);
    if (text[0] != '\0' && !g_str_has_suffix (text, "\n"))
        g_string_append_c (out, '\n');
}

/* An empty folder is nothing, and so is the folder of a module, which stays loaded. */
static void
add_folder (GString *out, const char *absolute, const char *path)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
    DIR *dir = opendir (absolute);
    for (const struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;)
        if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0 && entry->d_type != DT_LNK)
            g_ptr_array_add (entry->d_type == DT_DIR ? folders : names, g_strdup (entry->d_name));
    if (dir != NULL)
        closedir (dir);
    g_ptr_array_sort (names, compare_names);
    g_ptr_array_sort (folders, compare_names);
    for (guint i = 0; i < names->len + folders->len; i++) {
        gboolean file = i < names->len;
        const char *name = file ? names->pdata[i] : folders->pdata[i - names->len];
        g_autofree char *child = g_build_filename (absolute, name, NULL);
        g_autofree char *child_path = g_build_filename (path, name, NULL);
        gsize length = out->len;
        struct stat info;
        if (file)
            add_file (out, child, child_path);
        else if (strcmp (name, "zram-control") != 0)
            add_folder (out, child, child_path);
        if (!file && out->len > length && has_modes (child_path) && stat (child, &info) == 0)
            g_string_append_printf (out, "=/ %s %o\n", child_path, info.st_mode & 07777);
    }
}

/* All files that one of the cases could change; the rest of the machine is compared at the end of each case. */
static char *
look (RfTestRig *rig)
{
    static const char *const folders[] = {"proc/sys/vm", "sys/block", "sys/block/nvme0n1/queue", "etc", "run"};
    GString *out = g_string_new (NULL);
    g_autofree char *swaps = rf_test_tree_path (rig->tree, "proc/swaps");
    add_file (out, swaps, "proc/swaps");
    for (gsize i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *folder = rf_test_tree_path (rig->tree, folders[i]);
        add_folder (out, folder, folders[i]);
    }
    return g_string_free (out, FALSE);
}

/* Everything there is, without empty folders and the module's. */
static char *
look_everywhere (RfTestRig *rig)
{
    g_autofree char *dump = rf_test_tree_dump (rig->tree, "");
    g_auto (GStrv) lines = g_strsplit (dump, "\n", -1);
    GString *out = g_string_new (NULL);
    for (guint i = 0; lines[i] != NULL; i++)
        if (!g_str_has_prefix (lines[i], "=/ ") && lines[i][0] != '\0' && !strstr (lines[i], "/zram-control/"))
            g_string_append_printf (out, "%s\n", lines[i]);
    return g_string_free (out, FALSE);
}

/* Also the journal, and what lies beside it. */
static char *
look_at_all (RfTestRig *rig)
{
    g_autofree char *values = look (rig);
    g_autofree char *dump = rf_test_tree_dump (rig->tree, "var/lib/ruckelfrei");
    GString *out = g_string_new (values);
    rf_test_rig_reopen (rig);
    add_journal (out, rig->journal);
    g_auto (GStrv) lines = g_strsplit (dump, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++)
        if (g_str_has_prefix (lines[i], "== ") && !g_str_has_suffix (lines[i], ".record")
            && !g_str_has_suffix (lines[i], "/lock"))
            g_string_append_printf (out, "%s\n", lines[i]);
    return g_string_free (out, FALSE);
}

/* Returns: how many lines there are in one only; the first ones are told */
static guint
difference (const char *wanted, const char *found, guint tell)
{
    g_auto (GStrv) old_lines = g_strsplit (wanted, "\n", -1);
    g_auto (GStrv) new_lines = g_strsplit (found, "\n", -1);
    guint n = 0;
    for (guint i = 0; old_lines[i] != NULL; i++)
        if (!g_strv_contains ((const char *const *)new_lines, old_lines[i]) && n++ < tell)
            g_test_message ("    - %s", old_lines[i]);
    for (guint i = 0; new_lines[i] != NULL; i++)
        if (!g_strv_contains ((const char *const *)old_lines, new_lines[i]) && n++ < tell)
            g_test_message ("    + %s", new_lines[i]);
    return n;
}

/* ---- one hit ---- */

static gboolean
child_work (gpointer data, GError **error)
{
    Run *run = data;
    return run->work (run->rig, error);
}

static void
run_child (Run *run, CaseFunc work, const RfFault *fault, RfFaultResult *result)
{
    const char *const roots[] = {rf_test_tree_root (run->rig->tree), NULL};
    run->work = work;
    rf_fault_run (fault, roots, child_work, run, result);
}

static void
renew (Run *run)
{
    g_clear_pointer (&run->rig, rf_test_rig_free);
    run->rig = rf_test_rig_new (FIXTURE);
    run->rig->ops = rf_fault_ops ();
    if (run->test->set_up == set_up_foreign || run->test->set_up == set_up_foreign_kept)
        set_up_foreign (run->rig);
    if (run->test->set_up == set_up_generator || run->test->set_up == set_up_generator_kept)
        set_up_generator (run->rig);
    g_free (run->origin);
    g_free (run->everything);
    run->origin = look (run->rig);
    run->everything = look_everywhere (run->rig);
}

static void
settle (Run *run)
{
    g_autoptr (GError) error = NULL;
    CaseFunc again = run->test->work == work_boot ? work_boot : work_start;
    if (!again (run->rig, &error))
        g_test_message ("    recovery: %s", error->message);
}

static void
set_up (Run *run)
{
    rf_test_tree_remove (run->rig->tree, "var/lib/ruckelfrei");
    rf_test_rig_reopen (run->rig);
    run->test->set_up (run->rig);
}

static const char *
fault_name (const RfFault *fault)
{
    static const char *const names[] = {"nothing", "kill", "torn", "short", "error", "errors"};
    return names[fault->kind];
}

static void
complain (Run *run, const RfFault *fault, const RfFaultResult *result, const char *what, const char *wanted,
          const char *found)
{
    if (++run->failures <= TOLD_MAX) {
        g_test_message ("NOT %s: %s, %s (%s) at call %u: %s; the work said: %s", what, run->test->name,
                        fault_name (fault), fault->errnum != 0 ? g_strerror (fault->errnum) : "-", fault->at,
                        result->call, result->message);
        if (wanted != NULL)
            difference (wanted, found, 8);
    }
}

/* What holds at once, without a new start. */
static gboolean
check_at_once (Run *run, const RfFault *fault, const RfFaultResult *result)
{
    g_autofree char *now = look (run->rig);
    if (result->ok && strcmp (now, run->done) != 0)
        complain (run, fault, result, "done as it was said", run->done, now);
    else if (!result->ok && result->message[0] == '\0')
        complain (run, fault, result, "a clear error", NULL, NULL);
    else if (!result->ok && run->test->error_is_before && fault->kind == RF_FAULT_ERROR
             && strcmp (now, run->before) != 0 && g_strcmp0 (now, run->trial) != 0)
        complain (run, fault, result, "as before or on trial at once", run->trial != NULL ? run->trial : run->before,
                  now);
    else
        return TRUE;
    return FALSE;
}

static gboolean
check_settled (Run *run, const RfFault *fault, const RfFaultResult *result)
{
    g_autofree char *now = look_at_all (run->rig);
    for (gsize i = 0; i < G_N_ELEMENTS (run->settled); i++)
        if (g_strcmp0 (now, run->settled[i]) == 0)
            return TRUE;
    gboolean nearer = difference (run->settled[1], now, 0) < difference (run->settled[0], now, 0);
    complain (run, fault, result, "all or nothing", run->settled[nearer], now);
    return FALSE;
}

/* From wherever it has ended, one click leads back. */
static gboolean
check_way_back (Run *run, const RfFault *fault, const RfFaultResult *result)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) touched = NULL;
    gboolean ok = rf_reverter_run_all (run->rig->machine, run->rig->facts, run->rig->journal, FALSE, RF_REASON_USER,
                                       NULL, &touched, &error);
    g_autofree char *now = look (run->rig);
    if (ok && strcmp (now, run->origin) == 0)
        return TRUE;
    complain (run, fault, result, "taken back", run->origin, now);
    g_test_message ("    %s", error != NULL ? error->message : "no error");
    return FALSE;
}

/* Returns: FALSE if the fault hit nothing because the work has fewer calls */
static gboolean
hit (Run *run, const RfFault *fault, const RfFault *second)
{
    RfFaultResult result, again;
    set_up (run);
    run_child (run, run->test->work, fault, &result);
    gboolean any = result.call[0] != '\0';
    gboolean good = result.killed || check_at_once (run, fault, &result);
    run->stopped_again = FALSE;
    if (good && second != NULL && result.killed) {
        run_child (run, run->test->work == work_boot ? work_boot : work_start, second, &again);
        run->stopped_again = again.killed;
    }
    if (good)
        settle (run);
    good = good && check_settled (run, fault, &result) && check_way_back (run, fault, &result);
    run->hits += any;
    if (!good)
        renew (run);
    return any;
}

static void
count_points (Run *run, RfFaultResult *result)
{
    RfFault none = {RF_FAULT_NONE, 0, 0};
    renew (run);
    set_up (run);
    run->before = look (run->rig);
    settle (run);
    run->settled[0] = look_at_all (run->rig);
    renew (run);
    set_up (run);
    run_child (run, run->test->work, &none, result);
    g_assert_cmpstr (result->message, ==, "");
    g_assert_true (result->ok);
    g_assert_cmpuint (result->points, <, RF_FAULT_MAX_NOTED);
    run->done = look (run->rig);
    settle (run);
    run->settled[1] = look_at_all (run->rig);
    renew (run);
}

/* Of two records either can be taken back while the other stays: all or nothing holds for each. */
static void
note_steps (Run *run)
{
    for (guint i = 0; run->test->set_up == set_up_kept_twice && i < 2; i++) {
        set_up (run);
        rf_test_rig_revert (run->rig, g_ptr_array_index (rf_journal_records (run->rig->journal), i));
        run->settled[2 + i] = look_at_all (run->rig);
        renew (run);
    }
}

static void
note_trial (Run *run)
{
    if (!run->test->error_is_before || run->test->work != work_apply_keep)
        return;
    set_up (run);
    rf_test_rig_apply (run->rig, PLAN);
    run->trial = look (run->rig);
    renew (run);
}

static gboolean
weekly (void)
{
    return g_strcmp0 (g_getenv ("RF_WEEKLY"), "yes") == 0;
}

static void
test_case (gconstpointer data)
{
    static const int errnums[] = {ENOSPC, EIO, EROFS, EBUSY, EINVAL, EACCES};
    static const int lasting[] = {ENOSPC, EIO, EROFS};
    Run run = {.test = data};
    gint64 begin = g_get_monotonic_time ();
    RfFaultResult counted;
    count_points (&run, &counted);
    guint points = counted.points;
    note_steps (&run);
    note_trial (&run);
    for (guint at = 1; at <= points; at++) {
        const RfFault once[] = {{RF_FAULT_KILL, 0, at}, {RF_FAULT_TORN, 0, at}, {RF_FAULT_SHORT, 0, at}};
        for (gsize i = 0; i < G_N_ELEMENTS (once) && (i == 0 || counted.writes[at]); i++)
            hit (&run, &once[i], NULL);
        /* the new start is stopped as well, at one call or at each */
        guint second = weekly () ? 1 : 1 + at * 7 % 40;
        do {
            const RfFault kill_again = {RF_FAULT_KILL, 0, second++};
            hit (&run, &once[0], &kill_again);
        } while (run.stopped_again && weekly ());
        for (gsize i = 0; i < (THIN ? 1 : G_N_ELEMENTS (errnums)); i++)
            hit (&run, &(RfFault){RF_FAULT_ERROR, errnums[i], at}, NULL);
        for (gsize i = 0; i < (THIN ? 1 : G_N_ELEMENTS (lasting)); i++)
            hit (&run, &(RfFault){RF_FAULT_ERRORS, lasting[i], at}, NULL);
    }
    rf_test_tree_remove (run.rig->tree, "var/lib/ruckelfrei");
    g_autofree char *everything = look_everywhere (run.rig);
    if (strcmp (everything, run.everything) != 0) {
        difference (run.everything, everything, 20);
        g_test_fail ();
    }
    g_test_message ("%s: %u calls, hit %u times, %u failures, %.1f s", run.test->name, points, run.hits, run.failures,
                    (double)(g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
    g_assert_cmpuint (points, >=, run.test->points);
    if (run.failures > 0)
        g_test_fail ();
    rf_test_rig_free (run.rig);
    g_free (run.origin);
    g_free (run.everything);
    g_free (run.before);
    g_free (run.trial);
    g_free (run.done);
    for (gsize i = 0; i < G_N_ELEMENTS (run.settled); i++)
        g_free (run.settled[i]);
}

static const Case cases[] = {
    {"apply", set_up_nothing, work_apply, TRUE, 65},
    {"apply-keep", set_up_nothing, work_apply_keep, TRUE, 101},
    {"apply-revert", set_up_nothing, work_apply_revert, FALSE, 104},
    {"foreign-apply-keep", set_up_foreign, work_apply_keep, TRUE, 121},
    {"foreign-revert-all", set_up_foreign_kept, work_revert_all, FALSE, 76},
    {"generator-apply-keep", set_up_generator, work_apply_keep, TRUE, 120},
    {"generator-revert-all", set_up_generator_kept, work_revert_all, FALSE, 62},
    {"kept-apply-keep", set_up_kept, work_apply_other_keep, FALSE, 76},
    {"kept-revert-all", set_up_kept, work_revert_all, FALSE, 54},
    {"kept-revert-entry", set_up_kept, work_revert_entry, FALSE, 33},
    {"kept-twice-revert-all", set_up_kept_twice, work_revert_all, FALSE, 86},
    {"boot", set_up_booted, work_boot, FALSE, 30},
    {"recover-trial", set_up_trial, work_start, FALSE, 52},
    {"recover-keeping", set_up_keeping, work_start, FALSE, 52},
    {"recover-reverting", set_up_reverting, work_start, FALSE, 52},
};

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/helper/fault/", cases[i].name, NULL);
        g_test_add_data_func (path, &cases[i], test_case);
    }
    return g_test_run ();
}
