#include "config.h"

#include <math.h>
#include <string.h>

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rf-sampler.h"
#include "rf-test-tree.h"
#include "rf-text.h"

#define INTERVAL_MS 40

static gint64 asleep_s;

/* In the place of libc's, for this program: the machine has been asleep for so long. */
int
clock_gettime (clockid_t id, struct timespec *now)
{
    const int result = (int)syscall (SYS_clock_gettime, id, now);

    if (id == CLOCK_BOOTTIME)
        now->tv_sec += asleep_s;
    return result;
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    ++*count;
}

static void
wait_for_samples (RfSampler *sampler, guint samples)
{
    guint count = 0;
    const gulong handler = g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &count);

    while (count < samples)
        g_main_context_iteration (NULL, TRUE);
    g_signal_handler_disconnect (sampler, handler);
}

static gboolean
over_cb (gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

static void
run_for (guint ms)
{
    gboolean over = FALSE;

    g_timeout_add (ms, over_cb, &over);
    while (!over)
        g_main_context_iteration (NULL, TRUE);
}

/* Raises a counter of /proc/vmstat as the kernel would. */
static void
raise_counter (RfTestTree *tree, const char *name, guint64 by)
{
    g_autofree char *text = rf_test_tree_get (tree, "proc/vmstat");
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autofree char *joined = NULL;
    gboolean found = FALSE;

    for (guint i = 0; lines[i] != NULL; i++) {
        const gsize length = strlen (name);

        if (strncmp (lines[i], name, length) == 0 && lines[i][length] == ' ') {
            const guint64 value = g_ascii_strtoull (lines[i] + length, NULL, 10) + by;

            g_free (lines[i]);
            lines[i] = g_strdup_printf ("%s %" G_GUINT64_FORMAT, name, value);
            found = TRUE;
        }
    }
    g_assert_true (found);
    joined = g_strjoinv ("\n", lines);
    rf_test_tree_set (tree, "proc/vmstat", joined);
}

static void
assert_one_clock (RfSampler *sampler)
{
    const guint64 total = rf_series_total (rf_sampler_get_series (sampler, 0));
    g_auto (GStrv) disks = rf_sampler_get_disks (sampler);

    for (guint column = 0; column < RF_N_COLUMNS; column++)
        g_assert_cmpuint (rf_series_total (rf_sampler_get_series (sampler, column)), ==, total);
    for (guint i = 0; disks[i] != NULL; i++) {
        for (guint column = 0; column < RF_N_DISK_COLUMNS; column++)
            g_assert_cmpuint (rf_series_total (rf_sampler_get_disk_series (sampler, disks[i], column)), ==, total);
    }
}

static void
test_counts (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 50);
    double covered = -1;

    g_assert_null (rf_sampler_get_sample (sampler));
    rf_sampler_hold (sampler);
    /* the first look comes at once: levels are there, rates are not, and they are not 0 */
    g_assert_nonnull (rf_sampler_get_sample (sampler));
    g_assert_true (isnan (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, &covered)));
    g_assert_cmpfloat (covered, ==, 0);
    g_assert_cmpfloat (rf_series_get (rf_sampler_get_series (sampler, RF_COLUMN_FREE), 0), >, 0);

    raise_counter (tree, "allocstall_normal", 42);
    wait_for_samples (sampler, 1);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, &covered), 42, 1e-6);
    g_assert_cmpfloat (covered, >, 0);
    raise_counter (tree, "allocstall_normal", 8);
    raise_counter (tree, "oom_kill", 2);
    wait_for_samples (sampler, 2);
    /* a rate is multiplied with the time it was measured over, a count is not */
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, NULL), 50, 1e-6);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_OOM_KILLS, 60, NULL), 2, 1e-6);
    assert_one_clock (sampler);

    /* a program that was itself held up looks late: what happened meanwhile still counts */
    g_usleep (INTERVAL_MS * 6 * 1000);
    raise_counter (tree, "allocstall_normal", 30);
    wait_for_samples (sampler, 1);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, NULL), 80, 1e-6);
    assert_one_clock (sampler);

    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

static void
test_stops (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 100);
    RfSeries *free_memory = rf_sampler_get_series (sampler, RF_COLUMN_FREE);
    guint count = 0;
    guint64 total;
    guint gaps = 0;

    rf_sampler_hold (sampler);
    rf_sampler_hold (sampler);
    wait_for_samples (sampler, 2);
    rf_sampler_release (sampler);
    wait_for_samples (sampler, 1); /* one holder is left */
    rf_sampler_release (sampler);

    g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &count);
    total = rf_series_total (free_memory);
    run_for (INTERVAL_MS * 8);
    g_assert_cmpuint (count, ==, 0);
    g_assert_cmpuint (rf_series_total (free_memory), ==, total);

    /* the time without a look is a gap in the lines, and its events are not put into one second */
    raise_counter (tree, "allocstall_normal", 1000);
    rf_sampler_hold (sampler);
    g_assert_cmpuint (count, ==, 1);
    g_assert_cmpuint (rf_series_total (free_memory), >=, total + 6);
    g_assert_true (isnan (rf_series_get (rf_sampler_get_series (sampler, RF_COLUMN_ALLOCSTALLS), 0)));
    for (guint back = 1; isnan (rf_series_get (free_memory, back)) && back < 50; back++)
        gaps++;
    g_assert_cmpuint (gaps, >=, 5);
    assert_one_clock (sampler);

    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

/* Going to sleep and waking up shake the counters; that is in no rate, and the night is not "a minute ago". */
static void
test_asleep (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 100);
    RfSeries *stalls = rf_sampler_get_series (sampler, RF_COLUMN_ALLOCSTALLS);
    RfSeries *free_memory = rf_sampler_get_series (sampler, RF_COLUMN_FREE);
    double covered = -1;
    guint64 total;

    rf_sampler_hold (sampler);
    raise_counter (tree, "allocstall_normal", 5);
    wait_for_samples (sampler, 2);
    total = rf_series_total (stalls);

    asleep_s = 2;
    raise_counter (tree, "allocstall_normal", 100000);
    wait_for_samples (sampler, 1);
    /* as many places as the two seconds have, and a first look as after the start */
    g_assert_cmpuint (rf_series_total (stalls), >=, total + 2000 / INTERVAL_MS);
    g_assert_true (isnan (rf_series_get (stalls, 0)));
    g_assert_cmpfloat (rf_series_get (free_memory, 0), >, 0);
    g_assert_true (isnan (rf_series_get (free_memory, 1)));
    g_assert_cmpint (rf_sampler_get_sample (sampler)->avail[RF_COLUMN_ALLOCSTALLS], ==, RF_AVAIL_NO_BASELINE);
    wait_for_samples (sampler, 1);
    g_assert_cmpfloat (rf_series_get (stalls, 0), ==, 0);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, &covered), 5, 1e-6);
    assert_one_clock (sampler);

    /* a whole night is longer than anything that is shown */
    asleep_s += 10 * 3600;
    wait_for_samples (sampler, 2);
    g_assert_cmpfloat (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, &covered), ==, 0);
    assert_one_clock (sampler);

    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

/* Timers are late, each a little; the history is as long as the time that has passed all the same. */
static void
test_late (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 1000);
    gint64 first_us;
    double passed, places;

    rf_sampler_hold (sampler);
    first_us = rf_sampler_get_snapshot (sampler)->monotonic_us;
    for (guint i = 0; i < 20; i++) {
        g_usleep (INTERVAL_MS * 1400);
        wait_for_samples (sampler, 1);
    }
    passed = (double)(rf_sampler_get_snapshot (sampler)->monotonic_us - first_us) / 1000 / INTERVAL_MS;
    places = (double)rf_series_total (rf_sampler_get_series (sampler, RF_COLUMN_FREE)) - 1;
    g_assert_cmpfloat (passed, >, 25);
    g_assert_cmpfloat_with_epsilon (places, passed, 1);
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

/* A mark stands where time is, also while nobody looks. */
static void
test_marks (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 100);
    RfSeries *free_memory = rf_sampler_get_series (sampler, RF_COLUMN_FREE);
    RfMarks *marks = rf_sampler_get_marks (sampler);
    guint64 total, passed;
    gint64 start_us, late_us;

    rf_sampler_mark (sampler, RF_MARK_APPLIED, "before all");
    g_assert_cmpuint (rf_marks_get (marks, 0)->number, ==, 0);
    rf_sampler_hold (sampler);
    wait_for_samples (sampler, 3);
    total = rf_series_total (free_memory);
    start_us = rf_sampler_get_snapshot (sampler)->monotonic_us;
    rf_sampler_mark (sampler, RF_MARK_APPLIED, "applied");
    passed = (guint64)(g_get_monotonic_time () - start_us) / 1000 / INTERVAL_MS;
    g_assert_cmpuint (rf_marks_get (marks, 1)->number, >=, total - 1);
    g_assert_cmpuint (rf_marks_get (marks, 1)->number, <=, total - 1 + passed);
    rf_sampler_release (sampler);

    asleep_s += 4;
    rf_sampler_mark (sampler, RF_MARK_TAKEN_BACK, "taken back");
    g_assert_cmpuint (rf_marks_get (marks, 2)->number, >=, total - 1 + 4000 / INTERVAL_MS);
    rf_sampler_hold (sampler);
    wait_for_samples (sampler, 1);
    g_assert_cmpuint (rf_series_total (free_memory), >=, rf_marks_get (marks, 2)->number);
    passed = (guint64)(g_get_monotonic_time () - start_us) / 1000 / INTERVAL_MS;
    g_assert_cmpuint (rf_marks_get (marks, 2)->number + 3 + passed, >=, rf_series_total (free_memory));

    total = rf_series_total (free_memory);
    late_us = g_get_real_time () - rf_sampler_get_time (sampler, total - 1);
    g_assert_cmpint (late_us, >=, 0);
    g_assert_cmpint (rf_sampler_get_time (sampler, total - 1) - rf_sampler_get_time (sampler, total - 51), >=,
                     49 * INTERVAL_MS * 1000);
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

/* Looking less often must not change what is known: only how finely. */
static void
test_paces (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 2000);
    RfSeries *stalls = rf_sampler_get_series (sampler, RF_COLUMN_ALLOCSTALLS);
    RfSeries *kills = rf_sampler_get_series (sampler, RF_COLUMN_OOM_KILLS);
    RfSeries *free_memory = rf_sampler_get_series (sampler, RF_COLUMN_FREE);
    guint64 total, fewest = G_MAXUINT64;
    double covered = 0;
    guint count = 0;

    rf_sampler_set_calm_every (sampler, 4);
    rf_sampler_hold (sampler);
    raise_counter (tree, "allocstall_normal", 42);
    raise_counter (tree, "oom_kill", 2);
    total = rf_series_total (stalls);
    wait_for_samples (sampler, 1);
    /* four places or more: the same rate and level in each, and all kills together */
    g_assert_cmpuint (rf_series_total (stalls), >=, total + 4);
    g_assert_cmpfloat (rf_series_get (stalls, 0), >, 0);
    for (guint back = 1; back < 4; back++) {
        g_assert_cmpfloat (rf_series_get (stalls, back), ==, rf_series_get (stalls, 0));
        g_assert_cmpfloat (rf_series_get (free_memory, back), ==, rf_series_get (free_memory, 0));
    }
    g_assert_cmpfloat (rf_series_get (kills, 0), <=, 0.5);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, &covered), 42, 1e-6);
    g_assert_cmpfloat_with_epsilon (covered, rf_sampler_get_sample (sampler)->interval_s, 1e-6);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_OOM_KILLS, 60, NULL), 2, 1e-6);

    /* somebody watches: some look takes less than four intervals, however busy this machine is */
    rf_sampler_hold_lively (sampler);
    for (guint i = 0; i < 50; i++) {
        total = rf_series_total (stalls);
        raise_counter (tree, "allocstall_normal", 1);
        wait_for_samples (sampler, 1);
        fewest = MIN (fewest, rf_series_total (stalls) - total);
    }
    g_assert_cmpuint (fewest, <, 4);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, NULL), 92, 1e-6);
    assert_one_clock (sampler);

    /* minimised: the history goes on, and nobody is told */
    rf_sampler_set_unseen (sampler, TRUE);
    g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &count);
    raise_counter (tree, "allocstall_normal", 8);
    total = rf_series_total (stalls);
    while (rf_series_total (stalls) < total + 8)
        g_main_context_iteration (NULL, TRUE);
    g_assert_cmpuint (count, ==, 0);
    g_assert_cmpfloat_with_epsilon (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, NULL), 100, 1e-6);
    rf_sampler_set_unseen (sampler, FALSE);
    g_assert_cmpuint (count, ==, 1);
    assert_one_clock (sampler);

    rf_sampler_release_lively (sampler);
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

static void
test_missing (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = NULL;

    rf_test_tree_set (tree, "proc/pressure/memory", "!errno EOPNOTSUPP\n");
    rf_test_tree_remove (tree, "proc/pressure/io");
    sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 10);
    rf_sampler_hold (sampler);
    wait_for_samples (sampler, 2);
    g_assert_cmpint (rf_sampler_get_sample (sampler)->avail[RF_COLUMN_PSI_MEMORY_SOME], ==, RF_AVAIL_OFF);
    g_assert_cmpint (rf_sampler_get_sample (sampler)->avail[RF_COLUMN_PSI_IO_SOME], ==, RF_AVAIL_NO_FILE);
    g_assert_true (isnan (rf_series_get (rf_sampler_get_series (sampler, RF_COLUMN_PSI_MEMORY_SOME), 0)));
    g_assert_true (isnan (rf_sampler_sum (sampler, RF_COLUMN_PSI_IO_SOME, 60, NULL)));
    g_assert_false (isnan (rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, 60, NULL)));
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

static void
test_new_disk (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), INTERVAL_MS, 20);
    g_autofree char *diskstats = rf_test_tree_get (tree, "proc/diskstats");
    g_autofree char *with_usb = g_strconcat (diskstats, "   8 16 sdb 10 0 80 5 10 0 80 5 0 10 10\n", NULL);
    g_autofree char *busy = g_strconcat (diskstats, "   8 16 sdb 20 0 880 55 10 0 80 5 0 60 60\n", NULL);
    RfSeries *latency = NULL;

    rf_sampler_hold (sampler);
    wait_for_samples (sampler, 3);
    g_assert_null (rf_sampler_get_disk_series (sampler, "sdb", RF_DISK_COLUMN_LATENCY));
    rf_test_tree_mkdir (tree, "sys/block/sdb");
    rf_test_tree_set (tree, "proc/diskstats", with_usb);
    wait_for_samples (sampler, 2);
    latency = rf_sampler_get_disk_series (sampler, "sdb", RF_DISK_COLUMN_LATENCY);
    g_assert_nonnull (latency);
    assert_one_clock (sampler);
    g_assert_true (isnan (rf_series_get (latency, 0))); /* no request: a gap, not 0 ms */

    rf_test_tree_set (tree, "proc/diskstats", busy);
    wait_for_samples (sampler, 1);
    g_assert_cmpfloat_with_epsilon (rf_series_get (latency, 0), 5, 1e-6);

    /* pulled out: the line ends, the clock goes on */
    rf_test_tree_set (tree, "proc/diskstats", diskstats);
    wait_for_samples (sampler, 2);
    assert_one_clock (sampler);
    g_assert_true (isnan (rf_series_get (latency, 0)));
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

/* Drives that come and go under ever new names are forgotten when nothing of them can be seen any more. */
static void
test_many_disks (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 5, 10);
    g_autofree char *diskstats = rf_test_tree_get (tree, "proc/diskstats");
    g_auto (GStrv) always = NULL;
    g_auto (GStrv) later = NULL;

    rf_sampler_hold (sampler);
    always = rf_sampler_get_disks (sampler);
    g_assert_cmpuint (g_strv_length (always), >, 0);
    for (guint i = 0; i < 26; i++) {
        g_autofree char *folder = g_strdup_printf ("sys/block/sd%c", 'a' + i);
        g_autofree char *with
            = g_strdup_printf ("%s   8 %u sd%c 10 0 80 5 10 0 80 5 0 10 10\n", diskstats, i * 16, 'a' + i);
        g_auto (GStrv) disks = NULL;

        rf_test_tree_mkdir (tree, folder);
        rf_test_tree_set (tree, "proc/diskstats", with);
        wait_for_samples (sampler, 2);
        rf_test_tree_remove (tree, folder);
        rf_test_tree_set (tree, "proc/diskstats", diskstats);
        wait_for_samples (sampler, 2);
        assert_one_clock (sampler);
        disks = rf_sampler_get_disks (sampler);
        g_assert_cmpuint (g_strv_length (disks), <=, g_strv_length (always) + 4);
    }
    wait_for_samples (sampler, 10);
    later = rf_sampler_get_disks (sampler);
    g_assert_true (g_strv_equal ((const char *const *)later, (const char *const *)always));
    rf_sampler_release (sampler);
    g_assert_finalize_object (sampler);
}

static void
test_mean_latency (void)
{
    static const struct {
        RfDiskSample disk;
        double ms;
    } cases[] = {
        {{.read_iops = 0, .write_iops = 0, .read_latency_ms = NAN, .write_latency_ms = NAN}, NAN},
        {{.read_iops = 10, .write_iops = 0, .read_latency_ms = 2, .write_latency_ms = NAN}, 2},
        {{.read_iops = 0, .write_iops = 5, .read_latency_ms = NAN, .write_latency_ms = 7}, 7},
        {{.read_iops = 30, .write_iops = 10, .read_latency_ms = 1, .write_latency_ms = 9}, 3},
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        const double ms = rf_disk_sample_latency_ms (&cases[i].disk);

        if (isnan (cases[i].ms))
            g_assert_true (isnan (ms));
        else
            g_assert_cmpfloat_with_epsilon (ms, cases[i].ms, 1e-9);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/sampler/counts", test_counts);
    g_test_add_func ("/app/sampler/stops", test_stops);
    g_test_add_func ("/app/sampler/asleep", test_asleep);
    g_test_add_func ("/app/sampler/late", test_late);
    g_test_add_func ("/app/sampler/marks", test_marks);
    g_test_add_func ("/app/sampler/paces", test_paces);
    g_test_add_func ("/app/sampler/missing", test_missing);
    g_test_add_func ("/app/sampler/new-disk", test_new_disk);
    g_test_add_func ("/app/sampler/many-disks", test_many_disks);
    g_test_add_func ("/app/sampler/mean-latency", test_mean_latency);
    return g_test_run ();
}
