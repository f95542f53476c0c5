/* The helper while nobody wants anything of it: how much memory it takes, how often it wakes up, and that it leaves. */
#define G_LOG_DOMAIN "test-idle"
#include "config.h"

#include "rf-service.h"
#include "rf-test-growth.h"
#include "rf-test-program.h"
#include "rf-test-rig.h"

#include <string.h>

enum {
    SETTLE_S = 3,
    WATCH_S = 20,
    GONE_S = 60,
    RESIDENT_KIB = 8 * 1024,
};

static guint64
field (const char *pid, const char *name)
{
    g_autofree char *path = g_strdup_printf ("/proc/%s/status", pid);
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    const char *found = strstr (text, name);
    g_assert_nonnull (found);
    return g_ascii_strtoull (found + strlen (name), NULL, 10);
}

/* thread → how often it has waited; g_hash_table_unref() */
static GHashTable *
waits (const char *pid)
{
    g_autofree char *folder = g_strdup_printf ("/proc/%s/task", pid);
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_assert_nonnull (dir);
    for (const char *thread; (thread = g_dir_read_name (dir)) != NULL;) {
        g_autofree char *task = g_strdup_printf ("%s/task/%s", pid, thread);
        g_hash_table_insert (counts, g_strdup (thread), GSIZE_TO_POINTER (field (task, "\nvoluntary_ctxt_switches:")));
    }
    return counts;
}

/* GLib's threads end some seconds after their last work, which counts as no wake-up. */
static guint64
wakeups_since (GHashTable *before, const char *pid)
{
    g_autoptr (GHashTable) now = waits (pid);
    GHashTableIter iter;
    gpointer thread, count;
    guint64 sum = 0;
    g_hash_table_iter_init (&iter, now);
    while (g_hash_table_iter_next (&iter, &thread, &count))
        sum += GPOINTER_TO_SIZE (count) - GPOINTER_TO_SIZE (g_hash_table_lookup (before, thread));
    g_test_message ("%u threads, before %u", g_hash_table_size (now), g_hash_table_size (before));
    return sum;
}

static void
test_idle (void)
{
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    const char *root = rf_test_tree_root (rig->tree);
    g_autoptr (RfTestProgram) program = rf_test_program_new (root, root);
    rf_test_program_start (program);
    g_autofree char *pid = g_strdup (g_subprocess_get_identifier (program->process));
    g_autofree char *id = rf_test_program_apply (program, "vm.swappiness 100\nblock.scheduler@nvme0n1 mq-deadline", 60);
    g_autoptr (GVariant) reverted = rf_test_program_call (program, "Revert", g_variant_new ("(sb)", id, FALSE));
    const gint64 start = g_get_monotonic_time ();
    g_usleep (SETTLE_S * G_USEC_PER_SEC);
    g_autoptr (GHashTable) before = waits (pid);
    g_usleep (WATCH_S * G_USEC_PER_SEC);
    const guint64 woken = wakeups_since (before, pid);
    const guint64 resident = field (pid, "\nVmRSS:"), anonymous = field (pid, "\nRssAnon:");
    g_assert_true (g_subprocess_wait (program->process, NULL, NULL));
    const double gone = (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
    g_test_message ("the helper after a trial: %.1f MiB resident, %.1f MiB of them its own; woken up %" G_GUINT64_FORMAT
                    " times in %u s; gone after %.1f s",
                    (double)resident / 1024, (double)anonymous / 1024, woken, (guint)WATCH_S, gone);
    g_assert_cmpuint (woken, ==, 0);
    /* how much of a library is resident depends on the others that use it */
    g_assert_cmpuint (resident, <=, 3 * RESIDENT_KIB / 2);
    g_assert_cmpfloat (gone, <=, GONE_S);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bench/idle", test_idle);
    return g_test_run ();
}
