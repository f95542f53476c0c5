#include "config.h"

#include "rf-delta.h"
#include "rf-sample.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"

#include <math.h>
#include <unistd.h>

#define SECOND G_USEC_PER_SEC

#define assert_near(value, expected)                                                                                   \
    g_assert_cmpfloat_with_epsilon (value, expected, 1e-6 + fabs ((double)(expected)) * 1e-9)

#define assert_value(sample, column, expected)                                                                         \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        g_assert_cmpint ((sample)->avail[column], ==, RF_AVAIL_OK);                                                    \
        assert_near ((sample)->value[column], expected);                                                               \
    }                                                                                                                  \
    G_STMT_END

#define assert_no_value(sample, column, why)                                                                           \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        g_assert_cmpint ((sample)->avail[column], ==, why);                                                            \
        g_assert_true (isnan ((sample)->value[column]));                                                               \
    }                                                                                                                  \
    G_STMT_END

static RfSnapshot *
snapshot_at (RfTestTree *tree, gint64 us)
{
    RfSnapshot *snapshot = rf_snapshot_read (rf_test_tree_sysroot (tree));
    g_assert_cmpint (snapshot->monotonic_us, >, 0);
    snapshot->monotonic_us = us;
    return snapshot;
}

/* @path has content @a at 10 s and @b @seconds later */
static RfSample *
derive_two (RfTestTree *tree, const char *path, const char *a, const char *b, double seconds)
{
    rf_test_tree_set (tree, path, a);
    g_autoptr (RfSnapshot) before = snapshot_at (tree, 10 * SECOND);
    rf_test_tree_set (tree, path, b);
    g_autoptr (RfSnapshot) now = snapshot_at (tree, 10 * SECOND + (gint64)(seconds * SECOND));
    return rf_sample_derive (before, now);
}

static const RfDiskSample *
find_disk (const RfSample *sample, const char *name)
{
    for (guint i = 0; i < sample->disks->len; i++) {
        const RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, i);
        if (g_str_equal (disk->name, name))
            return disk;
    }
    return NULL;
}

static void
deltas (void)
{
    static const struct {
        guint64 before, now;
        double seconds;
        gint64 delta; /* -1: no baseline */
    } table[] = {
        {5, 5, 1, 0},
        {5, 17, 1, 12},
        {0, G_MAXINT64, 1, G_MAXINT64},
        {4294967290u, 15, 1, 21}, /* cockroach#163315, munin#126 */
        {4294967295u, 0, 1, 1},
        {4294967290u, 15, 0.0001, 21},
        {3000000000u, 10, 1, -1}, /* that much cannot have happened in a second */
        {3000000000u, 10, 3600, 1294967306},
        {2147483647u, 10, 3600, -1},
        {100, 5, 1, -1},
        {4294967296ull * 3 + 100, 5, 1, -1},
        {4294967296ull * 3 - 10, 4294967296ull * 2 + 5, 1, 15}, /* a sum of 32-bit counters of which one wrapped */
        {G_MAXUINT64, 3, 1, 4},
        {7, 9, 0, -1},
        {7, 9, -1, -1},
        {7, 9, NAN, -1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        guint64 delta = 77;
        RfAvail avail
            = rf_counter_delta (RF_COUNTER (table[i].before), RF_COUNTER (table[i].now), table[i].seconds, &delta);
        g_test_message ("row %" G_GSIZE_FORMAT, i);
        g_assert_cmpint (avail, ==, table[i].delta >= 0 ? RF_AVAIL_OK : RF_AVAIL_NO_BASELINE);
        g_assert_cmpuint (delta, ==, table[i].delta >= 0 ? (guint64)table[i].delta : 77);
    }
    RfCounter off = RF_COUNTER_MISSING (RF_AVAIL_OFF), one = RF_COUNTER (1);
    guint64 delta = 77;
    g_assert_cmpint (rf_counter_delta (one, off, 1, &delta), ==, RF_AVAIL_OFF);
    g_assert_cmpint (rf_counter_delta (off, one, 1, &delta), ==, RF_AVAIL_NO_BASELINE);
    g_assert_cmpuint (delta, ==, 77);
    rf_assert_missing (rf_counter_sum (one, off), RF_AVAIL_OFF);
    rf_assert_missing (rf_counter_sum (RF_COUNTER (G_MAXUINT64), one), RF_AVAIL_MALFORMED);
}

static void
columns (void)
{
    static const struct {
        RfMeasure measure;
        const char *ending;
    } endings[] = {
        {RF_MEASURE_PAGES_PER_SECOND, "_pages_per_s"},
        {RF_MEASURE_BYTES_PER_SECOND, "_bytes_per_s"},
        {RF_MEASURE_PER_SECOND, "s_per_s"},
        {RF_MEASURE_BYTES, "_bytes"},
        {RF_MEASURE_RATIO, "_ratio"},
    };
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < RF_N_COLUMNS; i++) {
        const RfColumnInfo *info = rf_column_info (i);
        g_assert_nonnull (info->name);
        g_assert_true (g_hash_table_add (seen, (gpointer)info->name));
        for (gsize k = 0; k < G_N_ELEMENTS (endings); k++)
            if (info->measure == endings[k].measure)
                g_assert_true (g_str_has_suffix (info->name, endings[k].ending));
    }
}

static void
first_sample (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    g_autoptr (RfSnapshot) now = snapshot_at (tree, 10 * SECOND);
    g_autoptr (RfSample) sample = rf_sample_derive (NULL, now);
    g_assert_cmpfloat (sample->interval_s, ==, 0);
    g_assert_cmpint (sample->monotonic_us, ==, 10 * SECOND);
    assert_value (sample, RF_COLUMN_WATERMARK_MIN, (52.0 + 10569 + 6274) * now->page_size);
    assert_value (sample, RF_COLUMN_DIRTY, 767.0 * now->page_size);
    assert_value (sample, RF_COLUMN_LOAD, 1.33);
    assert_no_value (sample, RF_COLUMN_ALLOCSTALLS, RF_AVAIL_NO_BASELINE);
    assert_no_value (sample, RF_COLUMN_PSI_IO_SOME, RF_AVAIL_NO_BASELINE);
    assert_no_value (sample, RF_COLUMN_CPU_BUSY, RF_AVAIL_NO_BASELINE);
    assert_no_value (sample, RF_COLUMN_TLB_SHOOTDOWNS, RF_AVAIL_NO_BASELINE);
    assert_no_value (sample, RF_COLUMN_OOM_KILLS, RF_AVAIL_NO_BASELINE);
    /* no swap and a zram that nobody has set up: no zeros */
    assert_no_value (sample, RF_COLUMN_SWAP_USED, RF_AVAIL_NO_DEVICE);
    assert_no_value (sample, RF_COLUMN_SWAP_OUT, RF_AVAIL_NO_DEVICE);
    assert_no_value (sample, RF_COLUMN_ZRAM_RATIO, RF_AVAIL_NO_DEVICE);
    g_assert_cmpuint (sample->disks->len, ==, 1); /* without loop0..7 and zram0 */
    const RfDiskSample *vda = find_disk (sample, "vda");
    g_assert_cmpint (vda->avail, ==, RF_AVAIL_NO_BASELINE);
    g_assert_true (isnan (vda->read_iops) && isnan (vda->utilisation) && isnan (vda->read_latency_ms));
    g_assert_cmpfloat (vda->in_flight, ==, 0);
    /* time must move on */
    g_autoptr (RfSample) same = rf_sample_derive (now, now);
    assert_no_value (same, RF_COLUMN_ALLOCSTALLS, RF_AVAIL_NO_BASELINE);
    g_assert_cmpfloat (same->interval_s, ==, 0);
}

static void
recording (void)
{
    g_autoptr (RfTestTree) first = rf_test_tree_new ("recording-6.18");
    g_autoptr (RfTestTree) second = rf_test_tree_new ("recording-6.18-later");
    g_autoptr (RfSnapshot) before = snapshot_at (first, 10 * SECOND);
    g_autoptr (RfSnapshot) now = snapshot_at (second, 10 * SECOND + 1504056);
    g_autoptr (RfSample) sample = rf_sample_derive (before, now);
    const double s = 1.504056;
    assert_near (sample->interval_s, s);
    assert_value (sample, RF_COLUMN_ALLOCSTALLS, 0);
    assert_value (sample, RF_COLUMN_MAJOR_FAULTS, 2 / s);
    assert_value (sample, RF_COLUMN_PSI_IO_SOME, (10251094 - 10067765) / (s * 1e6));
    assert_value (sample, RF_COLUMN_PSI_IO_FULL, (8582872 - 8400265) / (s * 1e6));
    assert_value (sample, RF_COLUMN_DIRTY, 632.0 * now->page_size);
    /* user 1, system 24, idle 248, iowait 28, softirq 2, steal 1 */
    assert_value (sample, RF_COLUMN_CPU_BUSY, 27.0 / 304);
    assert_value (sample, RF_COLUMN_CPU_IOWAIT, 28.0 / 304);
    assert_value (sample, RF_COLUMN_CPU_STEAL, 1.0 / 304);
    const RfDiskSample *vda = find_disk (sample, "vda");
    g_assert_cmpuint (now->diskstats.rows->len, ==, 10);
    g_assert_cmpuint (rf_diskstats_find (&now->diskstats, "vda")->diskseq, ==, 9);
    g_assert_cmpint (vda->avail, ==, RF_AVAIL_OK);
    assert_near (vda->read_iops, (81961 - 80986) / s);
    assert_near (vda->write_iops, (52039 - 52013) / s);
    assert_near (vda->read_bytes_per_s, (5371882 - 5248618) * 512.0 / s);
    assert_near (vda->write_bytes_per_s, (2382128 - 2257896) * 512.0 / s);
    assert_near (vda->read_latency_ms, (35952 - 35790) / 975.0);
    assert_near (vda->write_latency_ms, (26904 - 26283) / 26.0);
    assert_near (vda->utilisation, (21480 - 21180) / (s * 1000));
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        g_assert_cmpint (isnan (sample->value[i]) != 0, ==, sample->avail[i] != RF_AVAIL_OK);
}

#define DISK(name, fields) " 8 0 " name " " fields "\n"

/* one disk, one interval: what is continued and what is a new device */
static void
disks (void)
{
    static const struct {
        const char *before, *now;
        double seconds;
        RfAvail avail;
        double read_iops, read_latency, write_latency, utilisation; /* NAN where there is none */
    } table[] = {
        /* reads merged sectors ms writes merged sectors ms in-flight io weighted */
        {"100 0 800 50 10 0 80 20 0 60 70", "110 0 880 70 14 0 96 60 1 360 80", 2, RF_AVAIL_OK, 5, 2, 10, 0.15},
        {"100 0 800 50 10 0 80 20 0 60 70", "100 0 800 50 10 0 80 20 0 60 70", 2, RF_AVAIL_OK, 0, NAN, NAN, 0},
        /* milliseconds wrap at 32 bits on every kernel */
        {"100 0 800 4294967290 10 0 80 20 0 60 70", "103 0 880 14 10 0 80 20 0 60 70", 1, RF_AVAIL_OK, 3, 20 / 3.0, NAN,
         0},
        {"100 0 800 50 10 0 80 20 0 4294967200 70", "100 0 800 50 10 0 80 20 0 404 70", 1, RF_AVAIL_OK, 0, NAN, NAN,
         0.5},
        /* the rest on 32-bit kernels */
        {"4294967290 0 800 50 10 0 80 20 0 60 70", "15 0 968 71 10 0 80 20 0 60 70", 1, RF_AVAIL_OK, 21, 1, NAN, 0},
        {"100 0 4294967200 50 10 0 80 20 0 60 70", "101 0 104 51 10 0 80 20 0 60 70", 1, RF_AVAIL_OK, 1, 1, NAN, 0},
        /* re-created under the same name (sysstat#355) */
        {"100000 0 800 50 10 0 80 20 0 60 70", "5 0 40 1 0 0 0 0 0 1 1", 1, RF_AVAIL_NO_BASELINE, NAN, NAN, NAN, NAN},
        {"100 0 800 50 10 0 80 20 0 60 70", "99 0 800 50 10 0 80 20 0 60 70", 1, RF_AVAIL_NO_BASELINE, NAN, NAN, NAN,
         NAN},
        /* each of these falls could be a wrap; that all fell at once cannot */
        {"4294967290 0 4294967290 4294967290 4294967290 0 4294967290 4294967290 0 4294967290 70",
         "5 0 40 1 0 0 0 0 0 1 1", 1, RF_AVAIL_NO_BASELINE, NAN, NAN, NAN, NAN},
        /* in 64-bit counters there is no wrap */
        {"5000000000 0 800 50 10 0 80 20 0 60 70", "12 0 800 50 10 0 80 20 0 60 70", 1, RF_AVAIL_NO_BASELINE, NAN, NAN,
         NAN, NAN},
        /* busy longer than the interval: the clocks differ a little */
        {"100 0 800 50 10 0 80 20 0 60 70", "100 0 800 50 10 0 80 20 9 1063 70", 1, RF_AVAIL_OK, 0, NAN, NAN, 1},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autofree char *a = g_strdup_printf (DISK ("sda", "%s"), table[i].before);
        g_autofree char *b = g_strdup_printf (DISK ("sda", "%s"), table[i].now);
        g_autoptr (RfSample) sample = derive_two (tree, "proc/diskstats", a, b, table[i].seconds);
        g_test_message ("%s → %s", table[i].before, table[i].now);
        g_assert_cmpuint (sample->disks->len, ==, 1);
        const RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, 0);
        g_assert_cmpint (disk->avail, ==, table[i].avail);
        const double found[] = {disk->read_iops, disk->read_latency_ms, disk->write_latency_ms, disk->utilisation};
        const double expected[]
            = {table[i].read_iops, table[i].read_latency, table[i].write_latency, table[i].utilisation};
        for (gsize k = 0; k < G_N_ELEMENTS (found); k++) {
            g_assert_cmpint (isnan (found[k]) != 0, ==, isnan (expected[k]) != 0);
            if (!isnan (expected[k]))
                assert_near (found[k], expected[k]);
        }
    }
}

/* sysstat#355, when the new device has already done more than the old one */
static void
recreated (void)
{
    static const char a[] = DISK ("sda", "100 0 800 50 10 0 80 20 0 60 70");
    static const char b[] = DISK ("sda", "90100 0 90800 90050 90010 0 90080 90020 0 90060 90070");
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree, "= sys/block/sda/diskseq 7\n");
    rf_test_tree_set (tree, "proc/diskstats", a);
    g_autoptr (RfSnapshot) before = snapshot_at (tree, SECOND);
    rf_test_tree_set (tree, "proc/diskstats", b);
    g_autoptr (RfSnapshot) same = snapshot_at (tree, 2 * SECOND);
    rf_test_tree_apply (tree, "= sys/block/sda/diskseq 8\n");
    g_autoptr (RfSnapshot) other = snapshot_at (tree, 2 * SECOND);
    g_autoptr (RfSample) continued = rf_sample_derive (before, same);
    g_autoptr (RfSample) anew = rf_sample_derive (before, other);
    assert_near (find_disk (continued, "sda")->read_iops, 90000);
    g_assert_cmpint (find_disk (anew, "sda")->avail, ==, RF_AVAIL_NO_BASELINE);
    g_assert_true (isnan (find_disk (anew, "sda")->read_iops));
}

static void
disk_list (void)
{
    static const char a[]
        = " 7 0 loop0 9 0 8 5 1 0 8 2 0 6 7\n 259 0 nvme1n1 9 0 8 5 1 0 8 2 0 6 7\n 259 1 nvme1n1p1 9 0 8 5 1 0 8 2 0 "
          "6 7\n"
          " 259 2 nvme0n1 9 0 8 5 1 0 8 2 0 6 7\n 1 0 ram0 9 0 8 5 1 0 8 2 0 6 7\n 253 0 zram0 9 0 8 5 1 0 8 2 0 6 7\n"
          " 254 0 dm-0 9 0 8 5 1 0 8 2 0 6 7\n 8 0 sda 9 0 8 5 1 0 8 2 4294967295 6 7\n 8 1 sda1 9 0 8 5 1 0 8 2 0 6 "
          "7\n";
    static const char b[] = " 259 2 nvme0n1 19 0 8 5 1 0 8 2 3 6 7\n 8 0 sda 9 0 8 5 1 0 8 2 4294967295 6 7\n 8 1 sda1 "
                            "9 0 8 5 1 0 8 2 0 6 7\n"
                            " 254 0 dm-0 9 0 8 5 1 0 8 2 0 6 7\n 8 16 sdb 500 0 8 5 1 0 8 2 0 6 7\n";
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfSample) sample = derive_two (tree, "proc/diskstats", a, b, 1);
    static const char *const names[] = {"dm-0", "nvme0n1", "sda", "sdb"};
    g_assert_cmpuint (sample->disks->len, ==, G_N_ELEMENTS (names));
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        g_assert_cmpstr (g_array_index (sample->disks, RfDiskSample, i).name, ==, names[i]);
    assert_near (find_disk (sample, "nvme0n1")->read_iops, 10);
    g_assert_cmpfloat (find_disk (sample, "nvme0n1")->in_flight, ==, 3);
    /* a disk that was plugged in meanwhile; an old driver that counts below zero */
    g_assert_cmpint (find_disk (sample, "sdb")->avail, ==, RF_AVAIL_NO_BASELINE);
    g_assert_true (isnan (find_disk (sample, "sda")->in_flight));
}

/* atop#157, lxd#7313: the counters are on hidden paths without a "dev" file */
static void
multipath (void)
{
#define PATH(name, reads, ms, io) " 0 0 " name " " reads " 0 800 " ms " 10 0 80 20 1 " io " 70\n"
    static const char a[] = PATH ("nvme0c0n1", "100", "50", "60")
        PATH ("nvme0c1n1", "200", "50",
              "60") " 259 0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n 259 1 nvme0n1p1 0 0 0 0 0 0 0 0 0 0 0\n";
    /* newer kernels count on the head as well */
    static const char b[] = PATH ("nvme0c0n1", "110", "80", "260")
        PATH ("nvme0c1n1", "220", "80",
              "760") " 259 0 nvme0n1 30 0 800 60 0 0 0 0 9 900 0\n 259 1 nvme0n1p1 30 0 0 0 0 0 0 0 0 0 0\n";
    /* one path failed */
    static const char c[] = PATH ("nvme0c1n1", "250", "80", "760") " 259 0 nvme0n1 60 0 800 60 0 0 0 0 9 900 0\n";
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("nvme-multipath");
    g_autoptr (RfSample) both = derive_two (tree, "proc/diskstats", a, b, 1);
    g_assert_cmpuint (both->disks->len, ==, 1);
    const RfDiskSample *head = find_disk (both, "nvme0n1");
    assert_near (head->read_iops, 10 + 20);
    assert_near (head->read_latency_ms, 60 / 30.0);
    assert_near (head->utilisation, 0.7); /* of the busier path */
    assert_near (head->in_flight, 2);
    g_autoptr (RfSample) failed = derive_two (tree, "proc/diskstats", b, c, 1);
    g_assert_cmpint (find_disk (failed, "nvme0n1")->avail, ==, RF_AVAIL_OK);
    assert_near (find_disk (failed, "nvme0n1")->read_iops, 30);
}

static void
rates (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfSample) sample = derive_two (
        tree, "proc/vmstat",
        "allocstall_normal 10\nallocstall_movable 5\npgsteal_direct 100\npgsteal_kswapd 4294967290\noom_kill 3\n"
        "pswpin 8\nworkingset_refault_anon 1\nworkingset_refault_file 2\nnr_dirty 6\npgmajfault 900\n",
        "allocstall_normal 12\nallocstall_movable 9\npgsteal_direct 150\npgsteal_kswapd 15\noom_kill 4\n"
        "pswpin 18\nworkingset_refault_anon 2\nworkingset_refault_file 5\nnr_dirty 4\npgmajfault 3\n",
        2);
    const double page = (double)sysconf (_SC_PAGESIZE);
    assert_value (sample, RF_COLUMN_ALLOCSTALLS, 3);
    assert_value (sample, RF_COLUMN_DIRECT_RECLAIM, 25);
    assert_value (sample, RF_COLUMN_KSWAPD, 10.5);
    assert_value (sample, RF_COLUMN_OOM_KILLS, 1); /* a count, not a rate */
    assert_value (sample, RF_COLUMN_SWAP_IN, 5 * page);
    assert_value (sample, RF_COLUMN_REFAULTS, 2);
    assert_value (sample, RF_COLUMN_DIRTY, 4 * page); /* a level may fall */
    assert_no_value (sample, RF_COLUMN_MAJOR_FAULTS, RF_AVAIL_NO_BASELINE);
    assert_no_value (sample, RF_COLUMN_SWAP_OUT, RF_AVAIL_NO_FIELD);
    assert_no_value (sample, RF_COLUMN_DIRECT_SCAN, RF_AVAIL_NO_FIELD);
    assert_no_value (sample, RF_COLUMN_AVAILABLE, RF_AVAIL_NO_FILE);
    assert_no_value (sample, RF_COLUMN_WATERMARK_LOW, RF_AVAIL_NO_FILE);
    g_assert_cmpuint (sample->disks->len, ==, 0);
    /* the counter was not there before */
    g_autoptr (RfSample) appeared = derive_two (tree, "proc/vmstat", "pswpin 8\n", "pswpin 9\npswpout 7\n", 1);
    assert_no_value (appeared, RF_COLUMN_SWAP_OUT, RF_AVAIL_NO_BASELINE);
}

static void
pressure (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_set (tree, "proc/pressure/io", "!errno EOPNOTSUPP\n");
    rf_test_tree_set (tree, "proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
    /* the averages say 99 %, the interval says 25 %: what counts is the interval */
    g_autoptr (RfSample) sample = derive_two (tree, "proc/pressure/memory",
                                              "some avg10=99.00 avg60=0.00 avg300=0.00 total=1000000\n"
                                              "full avg10=99.00 avg60=0.00 avg300=0.00 total=1000000\n",
                                              "some avg10=99.00 avg60=0.00 avg300=0.00 total=1500000\n"
                                              "full avg10=99.00 avg60=0.00 avg300=0.00 total=3000100\n",
                                              2);
    assert_value (sample, RF_COLUMN_PSI_MEMORY_SOME, 0.25);
    assert_value (sample, RF_COLUMN_PSI_MEMORY_FULL, 1); /* not 1.00005 */
    assert_value (sample, RF_COLUMN_PSI_CPU_SOME, 0);
    assert_no_value (sample, RF_COLUMN_PSI_IO_SOME, RF_AVAIL_OFF); /* netdata#7531 */
    assert_no_value (sample, RF_COLUMN_PSI_IO_FULL, RF_AVAIL_OFF);
}

static void
cpu (void)
{
    static const struct {
        const char *before, *now;
        RfAvail avail;
        double busy, iowait, steal; /* NAN: missing while the others are there */
    } table[] = {
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  20 0 20 150 20 0 0 30 0 0\n", RF_AVAIL_OK, 0.2, 0.1, 0.2},
        /* iowait and idle may step back */
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  20 0 10 190 8 0 0 10 0 0\n", RF_AVAIL_OK, 0.1, 0, 0},
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  20 0 10 98 20 0 0 10 0 0\n", RF_AVAIL_OK, 0.5, 0.5, 0},
        /* the rest may not */
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  5 0 10 200 10 0 0 10 0 0\n", RF_AVAIL_NO_BASELINE, 0, 0, 0},
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  20 0 10 200 10 0 0 5 0 0\n", RF_AVAIL_NO_BASELINE, 0, 0, 0},
        /* a CPU was switched on */
        {"cpu  10 0 10 100 10 0 0 10 0 0\ncpu0 1 1 1 1\n",
         "cpu  20 0 20 150 20 0 0 30 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n", RF_AVAIL_NO_BASELINE, 0, 0, 0},
        /* nothing has moved */
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "cpu  10 0 10 100 10 0 0 10 0 0\n", RF_AVAIL_NO_BASELINE, 0, 0, 0},
        {"x\n", "cpu  10 0 10 100 10 0 0 10 0 0\n", RF_AVAIL_NO_BASELINE, 0, 0, 0},
        {"cpu  10 0 10 100 10 0 0 10 0 0\n", "x\n", RF_AVAIL_NO_FIELD, 0, 0, 0},
        {"cpu  10 0 10 100\n", "cpu  20 0 10 190\n", RF_AVAIL_OK, 0.1, NAN, NAN},
    };
    static const RfColumn columns_of[] = {RF_COLUMN_CPU_BUSY, RF_COLUMN_CPU_IOWAIT, RF_COLUMN_CPU_STEAL};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfSample) sample = derive_two (tree, "proc/stat", table[i].before, table[i].now, 1);
        const double expected[] = {table[i].busy, table[i].iowait, table[i].steal};
        g_test_message ("%s", table[i].now);
        for (gsize k = 0; k < G_N_ELEMENTS (expected); k++) {
            if (table[i].avail != RF_AVAIL_OK)
                assert_no_value (sample, columns_of[k], table[i].avail);
            else if (isnan (expected[k]))
                assert_no_value (sample, columns_of[k], RF_AVAIL_NO_FIELD);
            else
                assert_value (sample, columns_of[k], expected[k]);
        }
    }
}

static void
shootdowns (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_autoptr (RfSample) plain = derive_two (tree, "proc/interrupts", "TLB: 10 20 x\n", "TLB: 14 26 x\n", 2);
    assert_value (plain, RF_COLUMN_TLB_SHOOTDOWNS, 5);
    /* one CPU's 32-bit counter wraps */
    g_autoptr (RfSample) wrapped
        = derive_two (tree, "proc/interrupts", "TLB: 4294967290 4000000000 x\n", "TLB: 4 4000000010 x\n", 2);
    assert_value (wrapped, RF_COLUMN_TLB_SHOOTDOWNS, 10);
    /* a CPU comes with its past */
    g_autoptr (RfSample) more = derive_two (tree, "proc/interrupts", "TLB: 10 20 x\n", "TLB: 10 20 900 x\n", 2);
    assert_no_value (more, RF_COLUMN_TLB_SHOOTDOWNS, RF_AVAIL_NO_BASELINE);
    g_autoptr (RfSample) arm = derive_two (tree, "proc/interrupts", "IPI0: 1\n", "IPI0: 2\n", 2);
    assert_no_value (arm, RF_COLUMN_TLB_SHOOTDOWNS, RF_AVAIL_NO_FIELD);
}

static void
swap_and_zram (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    rf_test_tree_apply (tree,
                        "== proc/meminfo\nMemTotal: 16777216 kB\nSwapTotal: 8192 kB\nSwapFree: 6144 kB\n"
                        "== proc/diskstats\n 253 0 zram0 1 0 1 1 1 0 1 1 0 1 1\n 253 1 zram1 1 0 1 1 1 0 1 1 0 1 1\n"
                        "= sys/block/zram0/disksize 34359738368\n= sys/block/zram1/disksize 0\n"
                        "= sys/block/zram0/mm_stat 3000 900 1000 0 1000 0 0\n");
    g_autoptr (RfSnapshot) now = snapshot_at (tree, SECOND);
    g_autoptr (RfSample) sample = rf_sample_derive (NULL, now);
    assert_value (sample, RF_COLUMN_SWAP_USED, 2048.0 * 1024);
    assert_value (sample, RF_COLUMN_ZRAM_RATIO, 3);
    g_assert_cmpuint (now->zram.devices, ==, 1);
    rf_assert_counter (now->zram.disksize, 34359738368ull);
    rf_assert_counter (now->zram.mem_used, 1000);
    /* set up and still empty: there is no ratio */
    rf_test_tree_apply (tree, "= sys/block/zram0/mm_stat 0 0 0 0 0 0 0\n");
    g_autoptr (RfSnapshot) later = snapshot_at (tree, 2 * SECOND);
    g_autoptr (RfSample) empty = rf_sample_derive (now, later);
    assert_no_value (empty, RF_COLUMN_ZRAM_RATIO, RF_AVAIL_NO_FIELD);
    g_assert_cmpuint (empty->disks->len, ==, 0);
}

static void
machines (void)
{
    static const char *const names[]
        = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "container", "nvme-multipath", NULL};
    for (guint i = 0; names[i] != NULL; i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (names[i]);
        g_autoptr (RfSnapshot) a = snapshot_at (tree, SECOND), b = snapshot_at (tree, 2 * SECOND);
        g_autoptr (RfSample) sample = rf_sample_derive (a, b);
        g_test_message ("%s", names[i]);
        assert_value (sample, RF_COLUMN_ALLOCSTALLS, 0);
        g_assert_cmpint (sample->avail[RF_COLUMN_FREE], ==, RF_AVAIL_OK);
        g_assert_cmpint (sample->avail[RF_COLUMN_WATERMARK_LOW], ==, RF_AVAIL_OK);
        g_assert_cmpuint (sample->disks->len, >=, 1);
        for (guint k = 0; k < sample->disks->len; k++)
            g_assert_cmpint (g_array_index (sample->disks, RfDiskSample, k).avail, ==, RF_AVAIL_OK);
    }
    g_autoptr (RfSysroot) here = rf_sysroot_new (NULL);
    g_autoptr (RfSnapshot) real = rf_snapshot_read (here);
    g_autoptr (RfSample) sample = rf_sample_derive (NULL, real);
    g_assert_cmpint (sample->avail[RF_COLUMN_FREE], ==, RF_AVAIL_OK);
    g_assert_cmpfloat (sample->value[RF_COLUMN_FREE], >, 0);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/sample/deltas", deltas);
    g_test_add_func ("/core/sample/columns", columns);
    g_test_add_func ("/core/sample/first", first_sample);
    g_test_add_func ("/core/sample/recording", recording);
    g_test_add_func ("/core/sample/disks", disks);
    g_test_add_func ("/core/sample/recreated", recreated);
    g_test_add_func ("/core/sample/disk-list", disk_list);
    g_test_add_func ("/core/sample/multipath", multipath);
    g_test_add_func ("/core/sample/rates", rates);
    g_test_add_func ("/core/sample/pressure", pressure);
    g_test_add_func ("/core/sample/cpu", cpu);
    g_test_add_func ("/core/sample/shootdowns", shootdowns);
    g_test_add_func ("/core/sample/swap-and-zram", swap_and_zram);
    g_test_add_func ("/core/sample/machines", machines);
    return g_test_run ();
}
