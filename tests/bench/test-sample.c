/* What one look at the machine costs, measured against nothing but reading the same files: processor time of both, turn
 * and turn about in one run, so that a busy machine slows both. Only the ratio can fail. */
#define G_LOG_DOMAIN "test-sample"
#include "config.h"

#include "rf-sample.h"
#include "rf-test-growth.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ROUNDS = 40,
    LOOKS = 50,        /* in each round */
    LIMIT_X100 = 250,  /* what is a defect, whatever else the machine does */
};

static const char *const files[] = {
    "/proc/vmstat",        "/proc/diskstats", "/proc/pressure/memory", "/proc/pressure/io", "/proc/pressure/cpu",
    "/proc/stat",          "/proc/meminfo",   "/proc/zoneinfo",        "/proc/interrupts",  "/proc/loadavg",
};

static gint64
cpu_ns (void)
{
    struct timespec now;
    g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now), ==, 0);
    return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* what the kernel has counted for us: read(), pread() and the like */
static guint64
reads (void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL))
        return 0;
    const char *found = strstr (text, "syscr: ");
    return found != NULL ? g_ascii_strtoull (found + strlen ("syscr: "), NULL, 10) : 0;
}

/* the files that a snapshot reads here, the small ones of each drive included */
static GArray *
open_all (const RfSnapshot *snapshot)
{
    GArray *opened = g_array_new (FALSE, FALSE, sizeof (int));
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
        g_ptr_array_add (paths, g_strdup (files[i]));
    for (guint i = 0; i < snapshot->diskstats.rows->len; i++) {
        const RfDiskRow *row = &g_array_index (snapshot->diskstats.rows, RfDiskRow, i);
        if (row->diskseq != 0)
            g_ptr_array_add (paths, g_strdup_printf ("/sys/block/%s/diskseq", row->name));
        if (row->kind == RF_DISK_ROW_ZRAM) {
            g_ptr_array_add (paths, g_strdup_printf ("/sys/block/%s/disksize", row->name));
            g_ptr_array_add (paths, g_strdup_printf ("/sys/block/%s/mm_stat", row->name));
        }
    }
    for (guint i = 0; i < paths->len; i++) {
        int fd = open (paths->pdata[i], O_RDONLY | O_CLOEXEC);
        if (fd >= 0)
            g_array_append_val (opened, fd);
    }
    return opened;
}

static void
read_bare (const GArray *opened)
{
    static char buffer[256 * 1024];
    for (guint i = 0; i < opened->len; i++) {
        off_t at = 0;
        ssize_t got;
        while ((got = pread (g_array_index (opened, int, i), buffer, sizeof buffer, at)) > 0)
            at += got;
    }
}

static void
look (RfSysroot *sysroot)
{
    static RfSnapshot *before;
    RfSnapshot *now = rf_snapshot_read (sysroot);
    g_autoptr (RfSample) sample = rf_sample_derive (before, now);
    g_assert_nonnull (sample);
    rf_snapshot_free (before);
    before = now;
}

static void
test_cost (void)
{
    g_autoptr (RfSysroot) plain = rf_sysroot_new (NULL);
    g_autoptr (RfSysroot) keeping = rf_sysroot_new_keeping (plain);
    g_autoptr (RfSnapshot) snapshot = rf_snapshot_read (plain);
    g_autoptr (GArray) opened = open_all (snapshot);
    gint64 spent[3] = {0}, least[3] = {G_MAXINT64, G_MAXINT64, G_MAXINT64};
    guint64 count[3] = {0};
    for (guint round = 0; round <= ROUNDS; round++) {
        for (guint kind = 0; kind < G_N_ELEMENTS (spent); kind++) {
            const guint64 reads_before = reads ();
            const gint64 start = cpu_ns ();
            for (guint i = 0; i < LOOKS; i++) {
                if (kind == 0)
                    read_bare (opened);
                else
                    look (kind == 1 ? keeping : plain);
            }
            const gint64 took = cpu_ns () - start;
            /* the first round warms up */
            if (round == 0)
                continue;
            count[kind] += reads () - reads_before;
            spent[kind] += took;
            least[kind] = MIN (least[kind], took);
        }
    }
    static const char *const names[] = {"bare reading of the same files", "a sample, files kept open", "a sample, files opened"};
    for (guint kind = 0; kind < G_N_ELEMENTS (spent); kind++)
        g_test_message ("%s: %.1f us (%.1f at best), %.2f times the bare reading, %.1f readings", names[kind],
                        (double)spent[kind] / (ROUNDS * LOOKS * 1000), (double)least[kind] / (LOOKS * 1000),
                        (double)spent[kind] / (double)spent[0], (double)count[kind] / (ROUNDS * LOOKS));
    const guint ratio = (guint)(spent[1] * 100 / spent[0]);
    g_test_message ("ratio %u.%02u, wanted at most 1.50", ratio / 100, ratio % 100);
    g_assert_cmpuint (ratio, <=, LIMIT_X100);
    /* not a file is read that was not named here */
    g_assert_cmpuint (count[1], <=, count[0] + ROUNDS * LOOKS / 10);
    for (guint i = 0; i < opened->len; i++)
        close (g_array_index (opened, int, i));
}

/* The window looks four times a second, for as long as it is open. */
static void
test_growth (void)
{
    const guint looks = rf_test_rounds (10 * 1000, 4 * 3600 * 24 * 7);
    g_autoptr (RfSysroot) plain = rf_sysroot_new (NULL);
    g_autoptr (RfSysroot) keeping = rf_sysroot_new_keeping (plain);
    RfTestFootprint first = {0}, last = {0};
    for (guint i = 0; i < looks; i++) {
        look (keeping);
        if (i == 100)
            rf_test_footprint_read ("self", &first);
    }
    rf_test_footprint_read ("self", &last);
    rf_test_footprint_print ("after 100 samples", &first);
    rf_test_footprint_print ("after all samples", &last);
    rf_test_footprint_assert_steady (&first, &last, 64);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bench/sample/cost", test_cost);
    g_test_add_func ("/bench/sample/growth", test_growth);
    return g_test_run ();
}
