/* The helper as a process that nobody lets go: what happens to it in a week, as fast as it can, again and again.
 * Memory, threads, descriptors and the journal on disk must be after the last week what they were after the first. */
#define G_LOG_DOMAIN "test-week"
#include "config.h"

#include "rf-guard.h"
#include "rf-journal.h"
#include "rf-service.h"
#include "rf-test-growth.h"
#include "rf-test-program.h"
#include "rf-test-rig.h"

#include <malloc.h>
#include <signal.h>

/* A busy week: a window that somebody looks at every half an hour, a script that asks every ten minutes, and
 * twenty trials a day. */
enum {
    LOOKS = 7 * 24 * 2,   /* pages shown: records, drift, properties */
    CALLERS = 7 * 24 * 6, /* programs that come, ask and go */
    TAKEN_BACK = 7 * 14,  /* trials, made longer, taken back by their caller */
    KEPT = 7 * 4,         /* trials that are kept, some settings taken back, then all */
    ABANDONED = 7 * 2,    /* trials whose caller leaves the bus */
    REFUSED = 7 * 24,     /* calls that are malformed, unknown or not allowed */
    WARM_UP = 1,          /* weeks until the journal is full of history, and the allocator knows what it needs */
    /* What the allocator may need more for the same: it splits and joins. Two weeks have
     * 300 trials and 5000 calls, so 200 bytes lost in each call, or 4 KiB in each trial, are more. */
    SLACK_KIB = 768,
};

static const char *const plans[] = {
    "vm.swappiness 100\nvm.dirty bytes:268435456",
    "vm.page-cluster 0\nvm.watermark_scale_factor 60\nvm.dirty_background ratio:5",
    "block.scheduler@nvme0n1 mq-deadline\nvm.swappiness 80",
    "swap.zram 1073741824 lz4 100\nvm.page-cluster 0",
};

static GDBusConnection *
connect_bus (RfTestProgram *program)
{
    return rf_test_connect (g_test_dbus_get_bus_address (program->dbus));
}

static void
call (RfTestProgram *program, const char *method, GVariant *parameters)
{
    g_autoptr (GVariant) reply = rf_test_program_call (program, method, parameters);
}

static void
look (RfTestProgram *program)
{
    g_autoptr (GVariant) properties = g_dbus_connection_call_sync (
        program->caller, RF_SERVICE_NAME, RF_SERVICE_PATH, "org.freedesktop.DBus.Properties", "GetAll",
        g_variant_new ("(s)", RF_SERVICE_NAME), NULL, G_DBUS_CALL_FLAGS_NONE, 120000, NULL, NULL);
    g_assert_nonnull (properties);
    call (program, "ListRecords", NULL);
    call (program, "Check", NULL);
}

static void
visit (RfTestProgram *program)
{
    GDBusConnection *mine = program->caller;
    program->caller = connect_bus (program);
    call (program, "ListRecords", NULL);
    g_dbus_connection_close_sync (program->caller, NULL, NULL);
    g_object_unref (program->caller);
    program->caller = mine;
}

static void
take_back (RfTestProgram *program, guint n)
{
    g_autofree char *id = rf_test_program_apply (program, plans[n % G_N_ELEMENTS (plans)], 60);
    call (program, "Extend", g_variant_new ("(su)", id, 600));
    call (program, "Revert", g_variant_new ("(sb)", id, FALSE));
}

static void
keep (RfTestProgram *program, guint n)
{
    g_autofree char *first = rf_test_program_apply (program, plans[n % G_N_ELEMENTS (plans)], 60);
    call (program, "Keep", g_variant_new ("(s)", first));
    g_autofree char *second = rf_test_program_apply (program, "vm.swappiness 120\nvm.page-cluster 1", 60);
    call (program, "Keep", g_variant_new ("(s)", second));
    call (program, "Check", NULL);
    call (program, "RevertEntry", g_variant_new ("(sssb)", second, "vm.page-cluster", "", FALSE));
    call (program, "RevertAll", g_variant_new ("(b)", FALSE));
}

static void
abandon (RfTestProgram *program, guint n)
{
    GDBusConnection *mine = program->caller;
    program->caller = connect_bus (program);
    g_autofree char *id = rf_test_program_apply (program, plans[n % G_N_ELEMENTS (plans)], 60);
    g_dbus_connection_close_sync (program->caller, NULL, NULL);
    g_object_unref (program->caller);
    program->caller = mine;
    g_autofree char *reason = rf_test_program_wait_reverted (program, id, 60);
    g_assert_cmpstr (reason, ==, "caller-gone");
}

static void
be_refused (RfTestProgram *program, guint n)
{
    const struct {
        const char *method;
        GVariant *parameters;
    } calls[] = {
        {"Keep", g_variant_new ("(s)", "20261130T140300Z-1a2b3c4d")},
        {"Revert", g_variant_new ("(sb)", "../../etc/passwd", TRUE)},
        {"Apply", g_variant_new_parsed ("([('vm.swappiness', '', <int64 100000>)], @a{sv} {})")},
        {"Apply", g_variant_new_parsed ("([('vm.swappiness', '', <int64 100>)], @a{sv} {})")},
        {"Cancel", NULL},
    };
    rf_test_polkit_set (program->polkit, RF_TEST_POLKIT_DENY);
    for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
        g_autoptr (GVariant) parameters = calls[i].parameters != NULL ? g_variant_ref_sink (calls[i].parameters) : NULL;
        g_autoptr (GError) error = NULL;
        if (n % G_N_ELEMENTS (calls) != i)
            continue;
        g_autoptr (GVariant) reply = g_dbus_connection_call_sync (program->caller, RF_SERVICE_NAME, RF_SERVICE_PATH,
                                                                  RF_SERVICE_NAME, calls[i].method, parameters, NULL,
                                                                  G_DBUS_CALL_FLAGS_NONE, 120000, NULL, &error);
        g_assert_null (reply);
        g_assert_nonnull (error);
    }
    rf_test_polkit_set (program->polkit, RF_TEST_POLKIT_ALLOW);
}

static void
live_a_week (RfTestProgram *program)
{
    for (guint i = 0; i < LOOKS; i++) {
        look (program);
        if (i < TAKEN_BACK)
            take_back (program, i);
        if (i < KEPT)
            keep (program, i);
        if (i < ABANDONED)
            abandon (program, i);
        if (i < REFUSED)
            be_refused (program, i);
    }
    for (guint i = 0; i < CALLERS; i++)
        visit (program);
}

static guint
count_files (RfTestRig *rig)
{
    g_auto (GStrv) names = rf_sysroot_list (rf_test_tree_sysroot (rig->tree), "var/lib/ruckelfrei/journal");
    return g_strv_length (names);
}

static void
test_helper (void)
{
    const guint weeks = rf_test_rounds (2, 52);
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    RfTestFootprint first = {0}, now = {0};
    rf_test_rig_load_zram (rig);
    rf_test_program_start (program);
    g_autofree char *pid = g_strdup (g_subprocess_get_identifier (program->process));
    for (guint week = 1; week <= WARM_UP + weeks; week++) {
        gint64 start = g_get_monotonic_time ();
        live_a_week (program);
        g_autofree char *when
            = g_strdup_printf ("after week %u, lived in %.1f s, with %u files in the journal", week,
                               (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC, count_files (rig));
        rf_test_footprint_read (pid, &now);
        rf_test_footprint_print (when, &now);
        g_assert_cmpuint (count_files (rig), <=, RF_JOURNAL_MAX_HISTORY + 1);
        if (week == WARM_UP)
            first = now;
    }
    /* it was one and the same process all the time, and all that is left is what it remembers */
    g_assert_cmpstr (g_subprocess_get_identifier (program->process), ==, pid);
    rf_test_rig_assert_as_before (rig);
    rf_test_footprint_assert_steady (&first, &now, SLACK_KIB);
    g_assert_true (rf_test_program_end (program, SIGTERM));
}

/* A helper that leaves when idle and is started again finds a journal that does not grow either. */
static void
test_restarts (void)
{
    const guint starts = rf_test_rounds (20, 500);
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    gint64 begin = g_get_monotonic_time ();
    rf_test_rig_load_zram (rig);
    for (guint i = 0; i < starts; i++) {
        rf_test_program_start (program);
        g_autofree char *id = rf_test_program_apply (program, plans[i % G_N_ELEMENTS (plans)], 60);
        /* in turn: leaves in order, is killed */
        g_assert_cmpint (rf_test_program_end (program, i % 2 == 0 ? SIGTERM : SIGKILL), ==, i % 2 == 0);
    }
    rf_test_program_start (program);
    rf_test_rig_assert_as_before (rig);
    g_test_message ("%u starts in %.1f s, %u files in the journal", starts,
                    (double)(g_get_monotonic_time () - begin) / G_USEC_PER_SEC, count_files (rig));
    g_assert_cmpuint (count_files (rig), <=, MIN (starts, RF_JOURNAL_MAX_HISTORY) + 1);
}

/* The guard looks once a second for as long as trials last; here on one thread, so that the heap can be counted. */
static void
test_guard (void)
{
    const guint seconds = rf_test_rounds (20 * 1000, 7 * 24 * 3600);
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfGuardSample sample;
    RfGuard guard;
    gsize first = 0;
    rf_guard_sample_read (rf_test_tree_sysroot (tree), &sample);
    rf_guard_init (&guard, NULL, &sample);
    for (guint second = 0; second < seconds; second++) {
        rf_guard_sample_read (rf_test_tree_sysroot (tree), &sample);
        g_assert_cmpint (rf_guard_feed (&guard, &sample), ==, RF_REASON_NONE);
        if (second == 100)
            first = mallinfo2 ().uordblks;
    }
    g_test_message ("%u looks of the guard: %zd bytes more on the heap", seconds,
                    (gssize)mallinfo2 ().uordblks - (gssize)first);
    g_assert_cmpuint (mallinfo2 ().uordblks, <=, first + 4096);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bench/week/helper", test_helper);
    g_test_add_func ("/bench/week/restarts", test_restarts);
    g_test_add_func ("/bench/week/guard", test_guard);
    return g_test_run ();
}
