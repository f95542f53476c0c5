/* As tests/helper/test-fault.c, with the sysctls of the real kernel: the helper is stopped at each call that changes a
 * file of its own or a value of the kernel, and each such call fails in each way. The next start, stopped once as well,
 * finds or makes all-applied or all-before. Needs root. */
#define G_LOG_DOMAIN "test-live-fault"
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "rf-file.h"
#include "rf-test-fault.h"
#include "rf-test-live.h"
#include "rf-test-rig.h"

#define SYSCTL_FILE "etc/sysctl.d/99-zz-ruckelfrei.conf"
#define PLAN                                                                                                           \
    "vm.dirty bytes:536870912\nvm.dirty_background bytes:134217728\nvm.dirty_expire_centisecs 1500\n"                  \
    "vm.dirty_writeback_centisecs 300\nvm.page-cluster 0\nvm.swappiness 100\nvm.watermark_boost_factor 0\n"            \
    "vm.watermark_scale_factor 60"
#define TOLD_MAX 20

typedef struct {
    const char *name;
    gboolean kept; /* where the work begins */
    gboolean trial;
    gboolean (*work) (RfTestLive *live, GError **error);
    guint points;
} Case;

typedef struct {
    RfTestLive *live;
    const Case *test;
    gboolean (*work) (RfTestLive *live, GError **error);
    char *applied; /* the kernel's settings */
    guint hits, failures;
} Run;

static RfAutoFd lock = -1;

/* as main() does it */
static gboolean
start (RfTestLive *live, GError **error)
{
    umask (RF_FILE_UMASK);
    rf_file_close_fd (&lock);
    g_clear_pointer (&live->journal, rf_journal_free);
    if (!rf_journal_lock (live->machine, 0, &lock, error))
        return FALSE;
    live->journal = rf_journal_open (live->machine, error);
    return live->journal != NULL && rf_recovery_run (live->machine, live->facts, live->journal, FALSE, error);
}

static RfRecord *
newest (RfTestLive *live)
{
    const GPtrArray *records = rf_journal_records (live->journal);
    return g_ptr_array_index (records, records->len - 1);
}

static gboolean
work_apply_keep (RfTestLive *live, GError **error)
{
    g_autoptr (RfPlan) plan = rf_test_plan (PLAN);
    if (!start (live, error))
        return FALSE;
    g_autoptr (RfRecord) record = rf_applier_prepare (live->machine, live->facts, live->journal, plan, error);
    if (record == NULL || !rf_journal_add (live->journal, record, error))
        return FALSE;
    return rf_applier_run (live->machine, live->facts, live->journal, g_steal_pointer (&record), NULL, error)
           && rf_keeper_run (live->machine, live->facts, live->journal, newest (live), error);
}

static gboolean
work_revert_all (RfTestLive *live, GError **error)
{
    g_autoptr (GPtrArray) touched = NULL;
    return start (live, error)
           && rf_reverter_run_all (live->machine, live->facts, live->journal, FALSE, RF_REASON_USER, NULL, &touched,
                                   error);
}

static gboolean
child_work (gpointer data, GError **error)
{
    Run *run = data;
    return run->work (run->live, error);
}

static void
run_child (Run *run, gboolean (*work) (RfTestLive *, GError **), const RfFault *fault, RfFaultResult *result)
{
    const char *const roots[] = {rf_test_tree_root (run->live->tree), "/proc/sys/", "/sys/", NULL};
    run->work = work;
    rf_fault_run (fault, roots, child_work, run, result);
}

static void
begin (Run *run)
{
    g_autoptr (GError) error = NULL;
    rf_test_tree_remove (run->live->tree, "var/lib/ruckelfrei");
    g_assert_true (start (run->live, &error));
    g_assert_no_error (error);
    /* the work is another process */
    rf_file_close_fd (&lock);
    if (run->test->kept || run->test->trial)
        rf_test_live_apply (run->live, PLAN);
    if (run->test->kept)
        rf_test_live_keep (run->live, newest (run->live));
}

/* Returns: (nullable): what is wrong after the next start */
static const char *
look (Run *run)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *now = NULL;
    g_auto (RfPersistTexts) texts = {{NULL}};
    gboolean kept = FALSE;
    if (!start (run->live, &error))
        return "the next start complains";
    if (!rf_journal_check (run->live->journal, NULL))
        return "the journal is damaged";
    const GPtrArray *records = rf_journal_records (run->live->journal);
    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = g_ptr_array_index (records, i);
        if (!rf_record_is_settled (record))
            return "a record is not settled";
        kept |= record->state == RF_RECORD_KEPT;
    }
    now = rf_test_live_settings (run->live->machine->kernel);
    if (strcmp (now, kept ? run->applied : run->live->before) != 0)
        return kept ? "kept, but the values are not there" : "taken back, but the values are not";
    rf_persist_render (records, FALSE, &texts);
    g_autofree char *file = rf_test_tree_get (run->live->tree, SYSCTL_FILE);
    g_autofree char *etc = rf_test_tree_dump (run->live->tree, "etc");
    if (g_strcmp0 (file, texts.text[RF_PERSIST_SYSCTL]) != 0 || strstr (etc, ".tmp") != NULL)
        return "the files are not as the journal says";
    return NULL;
}

static void
hit (Run *run, const RfFault *fault, guint second)
{
    const RfFault again = {RF_FAULT_KILL, 0, second};
    RfFaultResult result, ignored;
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) touched = NULL;
    begin (run);
    run_child (run, run->test->work, fault, &result);
    run->hits += result.call[0] != '\0';
    const char *wrong = !result.killed && !result.ok && result.message[0] == '\0' ? "no word about an error" : NULL;
    if (second != 0)
        run_child (run, start, &again, &ignored);
    if (wrong == NULL)
        wrong = look (run);
    if (!rf_reverter_run_all (run->live->machine, run->live->facts, run->live->journal, FALSE, RF_REASON_USER, NULL,
                              &touched, &error)
        && wrong == NULL)
        wrong = error->message;
    g_autofree char *now = rf_test_live_settings (run->live->machine->kernel);
    if (wrong == NULL && strcmp (now, run->live->before) != 0)
        wrong = "one click did not lead back";
    if (wrong != NULL && ++run->failures <= TOLD_MAX)
        g_test_message ("NOT: %s, fault %u (%s) at call %u: %s: %s; the work said: %s", run->test->name,
                        (guint)fault->kind, fault->errnum != 0 ? g_strerror (fault->errnum) : "-", fault->at,
                        result.call, wrong, result.message);
}

static void
test_case (gconstpointer data)
{
    static const int errnums[] = {ENOSPC, EIO, EROFS, EBUSY, EINVAL, EACCES};
    static const int lasting[] = {ENOSPC, EIO, EROFS};
    const RfFault none = {RF_FAULT_NONE, 0, 0};
    RfFaultResult counted;
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    Run run = {.live = live, .test = data};
    gint64 since = g_get_monotonic_time ();
    const Case kept = {.kept = TRUE};
    run.test = &kept;
    begin (&run);
    run.applied = rf_test_live_settings (live->machine->kernel);
    rf_test_live_revert (live, newest (live));
    run.test = data;
    begin (&run);
    run_child (&run, run.test->work, &none, &counted);
    g_assert_cmpstr (counted.message, ==, "");
    g_assert_true (counted.ok);
    g_assert_null (look (&run));
    g_assert_true (work_revert_all (live, NULL));
    for (guint at = 1; at <= counted.points; at++) {
        hit (&run, &(RfFault){RF_FAULT_KILL, 0, at}, 0);
        hit (&run, &(RfFault){RF_FAULT_KILL, 0, at}, 1 + at * 7 % 30);
        if (at < RF_FAULT_MAX_NOTED && counted.writes[at])
            hit (&run, &(RfFault){RF_FAULT_TORN, 0, at}, 0);
        for (gsize i = 0; i < G_N_ELEMENTS (errnums); i++)
            hit (&run, &(RfFault){RF_FAULT_ERROR, errnums[i], at}, 0);
        for (gsize i = 0; i < G_N_ELEMENTS (lasting); i++)
            hit (&run, &(RfFault){RF_FAULT_ERRORS, lasting[i], at}, 0);
    }
    g_test_message ("%s: %u calls, hit %u times, %u failures, %.1f s", run.test->name, counted.points, run.hits,
                    run.failures, (double)(g_get_monotonic_time () - since) / G_USEC_PER_SEC);
    g_assert_cmpuint (counted.points, >=, run.test->points);
    g_assert_cmpuint (run.failures, ==, 0);
    g_free (run.applied);
}

static const Case cases[] = {
    {"apply-keep", FALSE, FALSE, work_apply_keep, 68},
    {"kept-revert-all", TRUE, FALSE, work_revert_all, 51},
    {"recover-trial", FALSE, TRUE, start, 49},
};

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/live/fault/", cases[i].name, NULL);
        g_test_add_data_func (path, &cases[i], test_case);
    }
    return g_test_run ();
}
