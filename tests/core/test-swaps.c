/* /proc/swaps and zram. */
#include "config.h"

#include "rf-swaps.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"
#include "rf-zram.h"

#include <string.h>

#define HEADING "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static void
rows (void)
{
    static const struct {
        const char *row;
        const char *path; /* NULL: not understood */
        gboolean deleted, is_file;
        guint64 size_kib, used_kib;
        gint priority;
    } table[] = {
        {"/dev/zram0                              partition\t8388604\t\t1024\t\t100\n", "/dev/zram0", FALSE, FALSE,
         8388604, 1024, 100},
        {"/swapfile                               file\t\t4194300\t\t0\t\t-2\n", "/swapfile", FALSE, TRUE, 4194300, 0,
         -2},
        /* set up by a process that had a /dev of its own and is gone */
        {"/zram1 partition 8 4 100\n", "/dev/zram1", FALSE, FALSE, 8, 4, 100},
        {"/zram1 file 8 4 100\n", "/zram1", FALSE, TRUE, 8, 4, 100},
        {"/mnt/zram1 partition 8 4 100\n", "/mnt/zram1", FALSE, FALSE, 8, 4, 100},
        {"zram1 partition 8 4 100\n", "zram1", FALSE, FALSE, 8, 4, 100},
        /* the kernel escapes blank, tab, newline and backslash */
        {"/sw\\040dir/ein\\040swap\\134datei file 8 4 -3\n", "/sw dir/ein swap\\datei", FALSE, TRUE, 8, 4, -3},
        {"/a\\011b\\012c file 8 4 0\n", "/a\tb\nc", FALSE, TRUE, 8, 4, 0},
        {"/swapfile\\040(deleted) file 8 4 -2\n", "/swapfile", TRUE, TRUE, 8, 4, -2},
        {"/old\\040(deleted)\\040(deleted) file 8 4 -2\n", "/old (deleted)", TRUE, TRUE, 8, 4, -2},
        {"/x(deleted) file 8 4 -2\n", "/x(deleted)", FALSE, TRUE, 8, 4, -2},
        /* backslashes that are no escape stay */
        {"/a\\04 file 8 4 -2\n", "/a\\04", FALSE, TRUE, 8, 4, -2},
        {"/a\\999 file 8 4 -2\n", "/a\\999", FALSE, TRUE, 8, 4, -2},
        {"/a\\ file 8 4 -2\n", "/a\\", FALSE, TRUE, 8, 4, -2},
        {"/a\\777 file 8 4 -2\n", "/a\\777", FALSE, TRUE, 8, 4, -2},
        {"/\303\244 file 8 4 32767\n", "/\303\244", FALSE, TRUE, 8, 4, 32767},
        {"/dev/sda2 partition 18014398509481983 0 -2147483648\n", "/dev/sda2", FALSE, FALSE, 18014398509481983, 0,
         G_MININT},
        {"/dev/sda2 partition 18014398509481984 0 -2\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition 8 4 2147483648\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition 8 4 99999999999999\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition 8 4\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition 8 4 -2 x\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition -8 4 -2\n", NULL, 0, 0, 0, 0, 0},
        {"/dev/sda2 partition\n", NULL, 0, 0, 0, 0, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autofree char *text = g_strconcat (HEADING, table[i].row, NULL);
        g_auto (RfSwaps) out = {0};
        rf_swaps_parse (text, strlen (text), &out);
        g_test_message ("%s", table[i].row);
        g_assert_cmpint (out.avail, ==, RF_AVAIL_OK);
        g_assert_cmpuint (out.entries->len, ==, table[i].path != NULL);
        g_assert_cmpuint (out.skipped, ==, table[i].path == NULL);
        if (table[i].path == NULL)
            continue;
        const RfSwapEntry *entry = g_ptr_array_index (out.entries, 0);
        g_assert_cmpstr (entry->path, ==, table[i].path);
        g_assert_cmpint (entry->deleted, ==, table[i].deleted);
        g_assert_cmpint (entry->is_file, ==, table[i].is_file);
        g_assert_cmpuint (entry->size_bytes, ==, table[i].size_kib * 1024);
        g_assert_cmpuint (entry->used_bytes, ==, table[i].used_kib * 1024);
        g_assert_cmpint (entry->priority, ==, table[i].priority);
    }
}

static void
files (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    RfSysroot *sysroot = rf_test_tree_sysroot (tree);
    g_auto (RfSwaps) none = {0}, absent = {0}, laptop_swaps = {0};
    rf_swaps_read (sysroot, &none);
    g_assert_cmpint (none.avail, ==, RF_AVAIL_OK);
    g_assert_cmpuint (none.entries->len, ==, 0);
    rf_test_tree_remove (tree, "proc/swaps");
    rf_swaps_read (sysroot, &absent);
    g_assert_cmpint (absent.avail, ==, RF_AVAIL_NO_FILE);
    g_autoptr (RfTestTree) laptop = rf_test_tree_new ("laptop-8g");
    rf_swaps_read (rf_test_tree_sysroot (laptop), &laptop_swaps);
    g_assert_cmpuint (laptop_swaps.entries->len, ==, 1);
    const RfSwapEntry *entry = g_ptr_array_index (laptop_swaps.entries, 0);
    g_assert_cmpstr (entry->path, ==, "/dev/dm-2");
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        g_auto (RfSwaps) out = {0};
        rf_swaps_parse (text, length, &out);
        g_assert_cmpint (out.avail, ==, RF_AVAIL_MALFORMED);
        g_assert_cmpuint (out.entries->len, ==, 0);
    }
    /* a cut last row is no row */
    static const char cut[] = HEADING "/a file 8 4 -2\n/b file 8 4 -";
    g_auto (RfSwaps) rest = {0};
    rf_swaps_parse (cut, sizeof cut - 1, &rest);
    g_assert_cmpuint (rest.entries->len, ==, 1);
}

static RfZramStat
parse_stat (const char *text)
{
    RfZramStat out;
    rf_zram_stat_parse (text, strlen (text), &out);
    return out;
}

static void
zram_columns (void)
{
    RfZramStat out = parse_stat ("  4096000  1024000  1200128   0  2000000   12    3    40    50\n");
    rf_assert_counter (out.stored, 4096000);
    rf_assert_counter (out.compressed, 1024000);
    rf_assert_counter (out.mem_used, 1200128);
    rf_assert_counter (out.mem_limit, 0);
    rf_assert_counter (out.mem_used_max, 2000000);
    rf_assert_counter (out.same_pages, 12);
    rf_assert_counter (out.huge_pages, 40);
    rf_assert_counter (out.huge_pages_since, 50);
    out = parse_stat ("1 2 3 4 5 6 7\n");
    rf_assert_counter (out.pages_compacted, 7);
    rf_assert_missing (out.huge_pages, RF_AVAIL_NO_FIELD);
    out = parse_stat ("1 2 3 4 5 6 7 8\n");
    rf_assert_counter (out.huge_pages, 8);
    rf_assert_missing (out.huge_pages_since, RF_AVAIL_NO_FIELD);
    out = parse_stat ("1 2 3 4 5 6 7 8 9 10 11\n");
    rf_assert_counter (out.huge_pages_since, 9);
    out = parse_stat ("1 x 3 -4 5\n");
    rf_assert_counter (out.stored, 1);
    rf_assert_missing (out.compressed, RF_AVAIL_MALFORMED);
    rf_assert_missing (out.mem_limit, RF_AVAIL_MALFORMED);
    out = parse_stat ("4096000  1024000  1200");
    g_assert_true (rf_test_all_missing (&out, sizeof out));
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        rf_zram_stat_parse (text, length, &out);
        g_assert_true (rf_test_all_missing (&out, sizeof out));
    }
}

static void
zram_totals (void)
{
    RfZramTotals totals;
    double ratio = -1;
    rf_zram_totals_init (&totals);
    rf_assert_missing (totals.mem_used, RF_AVAIL_NO_DEVICE);
    g_assert_cmpint (rf_zram_ratio (totals.stored, totals.mem_used, &ratio), ==, RF_AVAIL_NO_DEVICE);
    /* the module is loaded, nobody has set the device up */
    RfZramStat unused = parse_stat ("0 0 0 0 0 0 0 0 0\n");
    rf_zram_totals_add (&totals, RF_COUNTER (0), &unused);
    g_assert_cmpuint (totals.devices, ==, 0);
    rf_assert_missing (totals.mem_used, RF_AVAIL_NO_DEVICE);
    /* 32 GiB of room on a machine with 16 are no RAM: two numbers (nixpkgs#103106) */
    rf_zram_totals_add (&totals, RF_COUNTER (34359738368ull), &unused);
    rf_assert_counter (totals.disksize, 34359738368ull);
    rf_assert_counter (totals.mem_used, 0);
    g_assert_cmpint (rf_zram_ratio (totals.stored, totals.mem_used, &ratio), ==, RF_AVAIL_NO_FIELD);
    g_assert_cmpfloat (ratio, ==, -1);
    /* the case study's honest 1.17 : 1 */
    RfZramStat used = parse_stat ("1170 900 1000 0 1000 0 0 0 0\n");
    rf_zram_totals_add (&totals, RF_COUNTER (4096), &used);
    g_assert_cmpuint (totals.devices, ==, 2);
    rf_assert_counter (totals.disksize, 34359738368ull + 4096);
    g_assert_cmpint (rf_zram_ratio (totals.stored, totals.mem_used, &ratio), ==, RF_AVAIL_OK);
    g_assert_cmpfloat_with_epsilon (ratio, 1.17, 1e-9);
    /* one device that cannot be read makes the sum unknown, not smaller */
    RfZramStat denied;
    rf_zram_stat_missing (RF_AVAIL_DENIED, &denied);
    rf_zram_totals_add (&totals, RF_COUNTER (4096), &denied);
    rf_assert_missing (totals.mem_used, RF_AVAIL_DENIED);
    g_assert_cmpint (rf_zram_ratio (totals.stored, totals.mem_used, &ratio), ==, RF_AVAIL_DENIED);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/swaps/rows", rows);
    g_test_add_func ("/core/swaps/files", files);
    g_test_add_func ("/core/swaps/zram-columns", zram_columns);
    g_test_add_func ("/core/swaps/zram-totals", zram_totals);
    return g_test_run ();
}
