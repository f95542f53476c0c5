#include "config.h"

#include "rf-meminfo.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"

#include <string.h>

#define KIB ((guint64)1024)

static void
fields (void)
{
    static const struct {
        const char *text;
        gsize field;
        RfCounter expected;
    } table[] = {
#define ROW(text, member, value, avail)                                                                                \
    {                                                                                                                  \
        text, G_STRUCT_OFFSET (RfMeminfo, member),                                                                     \
        {                                                                                                              \
            value, RF_AVAIL_##avail                                                                                    \
        }                                                                                                              \
    }
        ROW ("MemTotal:       24683656 kB\n", total, 24683656ull * 1024, OK),
        ROW ("MemFree: 0 kB\n", free, 0, OK),
        ROW ("MemTotal: 16\n", total, 0, MALFORMED),    /* a count, not kB */
        ROW ("MemTotal: 16 MB\n", total, 0, MALFORMED), /* never seen; must not be taken for kB */
        ROW ("MemTotal: 16 kB kB\n", total, 0, MALFORMED),
        ROW ("MemTotal: 1,5 kB\n", total, 0, MALFORMED),
        ROW ("MemTotal: -5 kB\n", total, 0, MALFORMED),
        ROW ("MemTotal:\n", total, 0, MALFORMED),
        ROW ("MemTotal 16 kB\n", total, 0, NO_FIELD),
        ROW ("MemTotal: 18014398509481983 kB\n", total, 18014398509481983ull * 1024, OK),
        ROW ("MemTotal: 18014398509481984 kB\n", total, 0, MALFORMED), /* 2^64 bytes */
        ROW ("MemTotal: 16 kB", total, 0, NO_FIELD),                   /* cut */
        ROW ("MemTotal: 16 kB\nMemTotal: 17 kB\n", total, 16 * 1024, OK),
        ROW ("SwapCached: 7 kB\nCached: 5 kB\n", cached, 5 * 1024, OK),
        ROW ("WritebackTmp: 7 kB\n", writeback, 0, NO_FIELD),
        /* before 3.14; an estimate from other fields would be another number */
        ROW ("MemTotal: 16 kB\nMemFree: 8 kB\nCached: 4 kB\n", available, 0, NO_FIELD),
        /* there is no SwapUsed */
        ROW ("SwapTotal: 100 kB\nSwapFree: 60 kB\n", swap_used, 40 * 1024, OK),
        ROW ("SwapTotal: 0 kB\nSwapFree: 0 kB\n", swap_used, 0, OK),
        ROW ("SwapTotal: 100 kB\n", swap_used, 0, NO_FIELD),
        ROW ("SwapFree: 100 kB\n", swap_used, 0, NO_FIELD),
        ROW ("SwapTotal: 60 kB\nSwapFree: 100 kB\n", swap_used, 0, MALFORMED),
        ROW ("SwapTotal: 60 kB\nSwapFree: x kB\n", swap_used, 0, MALFORMED),
        ROW ("SwapUsed: 60 kB\n", swap_used, 0, NO_FIELD),
        /* zram: how much is swapped out is one number, the memory it takes another (nixpkgs#103106) */
        ROW ("Zswap: 20 kB\nZswapped: 80 kB\n", zswap, 20 * 1024, OK),
        ROW ("Zswap: 20 kB\nZswapped: 80 kB\n", zswapped, 80 * 1024, OK),
        /* 32 bit with high memory */
        ROW ("HighTotal: 131072 kB\nLowTotal: 708000 kB\n", low_total, 708000 * 1024, OK),
        /* the heading of 2.4 kernels */
        ROW ("        total:    used:    free:  shared: buffers:  cached:\nMem: 1 2 3 4 5 6\nMemTotal: 9 kB\n", total,
             9 * 1024, OK),
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfMeminfo out;
        rf_meminfo_parse (table[i].text, strlen (table[i].text), &out);
        RfCounter found = G_STRUCT_MEMBER (RfCounter, &out, table[i].field);
        g_test_message ("%s", table[i].text);
        g_assert_cmpint (found.avail, ==, table[i].expected.avail);
        g_assert_cmpuint (found.value, ==, table[i].expected.value);
    }
}

static void
recording (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    RfMeminfo whole;
    rf_meminfo_read (rf_test_tree_sysroot (tree), &whole);
    rf_assert_counter (whole.total, 24683656 * KIB);
    rf_assert_counter (whole.swap_total, 0);
    rf_assert_counter (whole.swap_used, 0);
    g_assert_true (rf_counter_ok (whole.available) && whole.available.value > 1024 * KIB);
    rf_assert_missing (whole.low_total, RF_AVAIL_NO_FIELD);

    g_autofree char *text = rf_test_tree_get (tree, "proc/meminfo");
    for (gsize length = 0; length < strlen (text); length++) {
        RfMeminfo cut;
        rf_meminfo_parse (text, length, &cut);
        g_assert_true (rf_test_same_or_missing (&cut, &whole, sizeof cut));
    }
}

static void
failures (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfMeminfo out;
    rf_meminfo_read (rf_test_tree_sysroot (tree), &out);
    rf_assert_missing (out.total, RF_AVAIL_NO_FILE);
    rf_assert_missing (out.swap_used, RF_AVAIL_NO_FILE);
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        rf_meminfo_parse (text, length, &out);
        g_assert_true (rf_test_all_missing (&out, sizeof out));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/meminfo/fields", fields);
    g_test_add_func ("/core/meminfo/recording", recording);
    g_test_add_func ("/core/meminfo/failures", failures);
    return g_test_run ();
}
