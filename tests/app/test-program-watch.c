#include "config.h"

#include "rf-program-watch.h"
#include "rf-test-tree.h"

#include <string.h>
#include <unistd.h>

#define S G_GINT64_CONSTANT (1000000000)
#define REST " 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0"

static void
add (RfTestTree *tree, int pid, const char *name, char state, guint uid, guint start)
{
    g_autofree char *text = g_strdup_printf ("= proc/%d/stat %d (%s) %c" REST " %u 1000 10\n"
                                             "= proc/%d/comm %s\n"
                                             "== proc/%d/status\nName:\t%s\nUid:\t%u\t0\t0\t0\n",
                                             pid, pid, name, state, start, pid, name, pid, name, uid);
    rf_test_tree_apply (tree, text);
}

static void
by_name (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfProgramWatch) watch = rf_program_watch_new_name (rf_test_tree_sysroot (tree), "X-Plane-x86_64");
    g_assert_false (rf_program_watch_running (watch, S));
    add (tree, 7, "X-Plane-x86_64", 'S', getuid () + 1, 10); /* somebody else's */
    add (tree, 8, "X-Plane-x86", 'S', getuid (), 10);
    add (tree, 9, "x-plane-x86_64", 'S', getuid (), 10);
    add (tree, 30, "X-Plane-x86_64", 'S', getuid (), 300); /* its child */
    add (tree, 31, "X-Plane-x86_64", 'R', getuid (), 200);
    g_assert_false (rf_program_watch_running (watch, 2 * S)); /* every five seconds only */
    g_assert_true (rf_program_watch_running (watch, 6 * S));
    g_assert_cmpint (rf_program_watch_pid (watch), ==, 31);
    add (tree, 31, "X-Plane-x86_64", 'Z', getuid (), 200);
    g_assert_true (rf_program_watch_running (watch, 20 * S));
    g_assert_cmpint (rf_program_watch_pid (watch), ==, 30);
    rf_test_tree_remove (tree, "proc/30");
    g_assert_false (rf_program_watch_running (watch, 40 * S));
    g_assert_cmpint (rf_program_watch_pid (watch), ==, 0);
}

static void
long_name (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    add (tree, 12, "a-very-long-nam", 'S', getuid (), 1);
    g_autoptr (RfProgramWatch) watch
        = rf_program_watch_new_name (rf_test_tree_sysroot (tree), "a-very-long-name-of-a-game");
    g_assert_true (rf_program_watch_running (watch, S));
    g_autoptr (RfProgramWatch) empty = rf_program_watch_new_name (rf_test_tree_sysroot (tree), "");
    g_assert_false (rf_program_watch_running (empty, S));
}

/* X-Plane calls its first thread "Main Thread", and the kernel its process likewise. */
static void
file_name (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    add (tree, 12, "Main Thread", 'S', getuid (), 1);
    add (tree, 13, "Main Thread", 'S', getuid (), 1);
    rf_test_tree_apply (tree, "=> proc/12/exe -> /opt/X-Plane-x86_64/other\n"
                              "=> proc/13/exe -> /opt/X-Plane 12/X-Plane-x86_64\n");
    g_autoptr (RfProgramWatch) watch = rf_program_watch_new_name (rf_test_tree_sysroot (tree), "X-Plane-x86_64");
    g_assert_true (rf_program_watch_running (watch, S));
    g_assert_cmpint (rf_program_watch_pid (watch), ==, 13);
}

static void
by_number (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    add (tree, 31, "game", 'R', getuid () + 1, 200);
    g_autoptr (RfProgramWatch) watch = rf_program_watch_new_pid (rf_test_tree_sysroot (tree), 31);
    g_assert_true (rf_program_watch_running (watch, S));
    add (tree, 31, "game", 'R', getuid (), 201); /* another one has got its number */
    g_assert_false (rf_program_watch_running (watch, 2 * S));
    add (tree, 31, "game", 'R', getuid (), 200);
    g_assert_false (rf_program_watch_running (watch, 20 * S)); /* gone is gone */
    g_autoptr (RfProgramWatch) none = rf_program_watch_new_pid (rf_test_tree_sysroot (tree), -1);
    g_assert_false (rf_program_watch_running (none, S));
    /* and this very program, on the machine */
    g_autoptr (RfSysroot) machine = rf_sysroot_new (NULL);
    g_autoptr (RfProgramWatch) own = rf_program_watch_new_pid (machine, getpid ());
    g_assert_true (rf_program_watch_running (own, S));
}

static void
hostile (void)
{
    static const char *const bad[] = {
        "",
        "\n",
        "31",
        "31 (game",
        "31 game) R" REST " 200 1\n",
        "31 (game) R" REST "\n",
        "31 (game) R" REST " x\n",
        "31 (game) R" REST " -1 1\n",
        "31 (game) RR" REST " 200 1\n",
        "0 (game) R" REST " 200 1\n",
        "99999999999 (game) R" REST " 200 1\n",
        "x (game) R" REST " 200 1\n",
        "31(game) R" REST " 200 1\n",
        "31 (a name that is far longer than anything that the kernel would ever give here) R" REST " 200 1\n",
        ")(",
    };
    RfProcStat stat;
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (rf_proc_stat_parse (bad[i], strlen (bad[i]), &stat));
    const char *odd = "31 (a) R (b) c\n) S" REST " 200 1\n";
    g_assert_true (rf_proc_stat_parse (odd, strlen (odd), &stat));
    g_assert_cmpstr (stat.name, ==, "a) R (b) c\n");
    g_assert_cmpint (stat.state, ==, 'S');
    g_assert_cmpuint (stat.start_ticks, ==, 200);
    static const char nul[] = "31 (a\0b) S" REST " 200 1\n";
    g_assert_false (rf_proc_stat_parse (nul, sizeof nul - 1, &stat));
}

/* What it costs to find a name among everything that runs here, printed. */
static void
cost (void)
{
    g_autoptr (RfSysroot) machine = rf_sysroot_new (NULL);
    g_autoptr (RfProgramWatch) watch = rf_program_watch_new_name (machine, "no such program");
    gint64 start = g_get_monotonic_time ();
    for (guint i = 0; i < 20; i++)
        g_assert_false (rf_program_watch_running (watch, i * 5 * S));
    g_test_message ("looking for a name: %.2f ms", (double)(g_get_monotonic_time () - start) / 20000);
    g_autoptr (RfProgramWatch) own = rf_program_watch_new_pid (machine, getpid ());
    start = g_get_monotonic_time ();
    for (guint i = 0; i < 1000; i++)
        g_assert_true (rf_program_watch_running (own, S));
    g_test_message ("looking at a number: %.1f us", (double)(g_get_monotonic_time () - start) / 1000);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/program-watch/by-name", by_name);
    g_test_add_func ("/program-watch/long-name", long_name);
    g_test_add_func ("/program-watch/file-name", file_name);
    g_test_add_func ("/program-watch/by-number", by_number);
    g_test_add_func ("/program-watch/hostile", hostile);
    g_test_add_func ("/program-watch/cost", cost);
    return g_test_run ();
}
