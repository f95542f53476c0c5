#include "config.h"

#include "rf-test-counter.h"
#include "rf-test-tree.h"
#include "rf-vmstat.h"

#include <string.h>

static RfVmstat
parse (const char *text)
{
    RfVmstat out;
    rf_vmstat_parse (text, strlen (text), &out);
    return out;
}

#define MISSING                                                                                                        \
    {                                                                                                                  \
        0, RF_AVAIL_NO_FIELD                                                                                           \
    }
#define BROKEN                                                                                                         \
    {                                                                                                                  \
        0, RF_AVAIL_MALFORMED                                                                                          \
    }
#define N(v)                                                                                                           \
    {                                                                                                                  \
        v, RF_AVAIL_OK                                                                                                 \
    }

/* one counter of one text */
static void
names (void)
{
    static const struct {
        const char *text;
        gsize field;
        RfCounter expected;
    } table[] = {
#define ROW(text, member, ...) {text, G_STRUCT_OFFSET (RfVmstat, member), __VA_ARGS__}
        /* stalls: one per zone of the request, or a single counter before 4.8 (collectd#1307) */
        ROW ("allocstall 3281736\n", allocstall, N (3281736)),
        ROW ("allocstall_dma 1\nallocstall_dma32 2\nallocstall_normal 4\nallocstall_movable 8\nallocstall_device 16\n",
             allocstall, N (31)),
        ROW ("allocstall_high 3\nallocstall_somezone 4\n", allocstall, N (7)),
        ROW ("allocstall 5\nallocstall_normal 5\n", allocstall, N (5)),
        ROW ("allocstalls 5\n", allocstall, MISSING),
        ROW ("allocstall_normal 0\n", allocstall, N (0)),
        ROW ("allocstall_normal x\nallocstall_movable 3\n", allocstall, BROKEN),
        ROW ("allocstall_normal 18446744073709551615\nallocstall_movable 1\n", allocstall, BROKEN),
        /* the second family counts the same pages again (sysstat#426) */
        ROW ("pgsteal_kswapd 10\npgsteal_direct 5\npgsteal_anon 9\npgsteal_file 6\n", pgsteal, N (15)),
        ROW ("pgsteal_kswapd 10\npgsteal_direct 5\npgsteal_anon 9\npgsteal_file 6\n", pgsteal_direct, N (5)),
        ROW ("pgscan_kswapd 10\npgscan_direct 5\npgscan_anon 9\npgscan_file 6\n", pgscan, N (15)),
        ROW ("pgsteal_kswapd 1\npgsteal_direct 2\npgsteal_khugepaged 4\npgsteal_proactive 8\n", pgsteal, N (15)),
        ROW ("pgsteal_anon 9\npgsteal_file 6\n", pgsteal, MISSING),
        /* not a page count */
        ROW ("pgscan_direct 7\npgscan_direct_throttle 100\n", pgscan_direct, N (7)),
        ROW ("pgscan_direct_dma 1\npgscan_direct_normal 6\npgscan_direct_throttle 100\n", pgscan_direct, N (7)),
        ROW ("pgscan_direct_throttle 100\n", pgscan_direct, MISSING),
        /* zone-suffixed names before 4.8 (collectd#1307) */
        ROW ("pgsteal_kswapd_dma 1\npgsteal_kswapd_dma32 2\npgsteal_kswapd_normal 4\npgsteal_kswapd_movable 8\n",
             pgsteal_kswapd, N (15)),
        ROW ("pgsteal_direct_normal 4\npgsteal_kswapd_normal 8\n", pgsteal_direct, N (4)),
        ROW ("pgsteal_direct_normal 4\npgsteal_kswapd_normal 8\n", pgsteal, N (12)),
        /* before 3.5 nobody knows who cleared */
        ROW ("pgsteal_dma 1\npgsteal_normal 4\npgsteal_high 2\n", pgsteal, N (7)),
        ROW ("pgsteal_dma 1\npgsteal_normal 4\n", pgsteal_direct, MISSING),
        /* refaults: split since 5.9 */
        ROW ("workingset_refault 12\n", workingset_refault, N (12)),
        ROW ("workingset_refault_anon 5\nworkingset_refault_file 7\n", workingset_refault, N (12)),
        ROW ("workingset_refaults 12\n", workingset_refault, MISSING),
        /* whole names only */
        ROW ("nr_dirty_threshold 9\n", nr_dirty, MISSING),
        ROW ("nr_dirtied 9\nnr_dirty 3\n", nr_dirty, N (3)),
        ROW ("nr_free_pages_blocks 9\n", nr_free_pages, MISSING),
        ROW ("xoom_kill 9\n", oom_kill, MISSING),
        /* forms */
        ROW ("pswpin\t 0012 \n", pswpin, N (12)),
        ROW ("pswpin 18446744073709551615\n", pswpin, N (G_MAXUINT64)),
        ROW ("pswpin 18446744073709551616\n", pswpin, BROKEN),
        ROW ("pswpin -1\n", pswpin, BROKEN),
        ROW ("pswpin 1.5\n", pswpin, BROKEN),
        ROW ("pswpin 12 13\n", pswpin, BROKEN),
        ROW ("pswpin\n", pswpin, BROKEN),
        ROW ("pswpin 12\r\n", pswpin, BROKEN),
        ROW ("pswpin 1\npswpin 2\n", pswpin, N (1)),
        /* cut in the middle of a number: 12 may have been 1234 */
        ROW ("pgmajfault 3\npswpin 12", pswpin, MISSING),
        ROW ("pgmajfault 3\npswpin 12", pgmajfault, N (3)),
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        RfVmstat out = parse (table[i].text);
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
    RfVmstat whole;
    rf_vmstat_read (rf_test_tree_sysroot (tree), &whole);
    rf_assert_counter (whole.allocstall, 0);
    rf_assert_counter (whole.nr_dirty, 767);
    rf_assert_counter (whole.nr_dirty_threshold, 1214476);
    rf_assert_counter (whole.nr_dirty_background_threshold, 606496);
    rf_assert_counter (whole.pgmajfault, 2713);
    const RfCounter *all = (const RfCounter *)&whole;
    for (gsize i = 0; i < sizeof whole / sizeof *all; i++)
        g_assert_true (rf_counter_ok (all[i]));

    g_autofree char *text = rf_test_tree_get (tree, "proc/vmstat");
    for (gsize length = 0; length < strlen (text); length++) {
        RfVmstat cut;
        rf_vmstat_parse (text, length, &cut);
        g_assert_true (rf_test_same_or_missing (&cut.nr_free_pages, &whole.nr_free_pages,
                                                G_STRUCT_OFFSET (RfVmstat, workingset_refault)
                                                    - G_STRUCT_OFFSET (RfVmstat, nr_free_pages)));
    }
}

static void
failures (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfVmstat out;
    rf_vmstat_read (rf_test_tree_sysroot (tree), &out);
    rf_assert_missing (out.allocstall, RF_AVAIL_NO_FILE);
    rf_assert_missing (out.oom_kill, RF_AVAIL_NO_FILE);
    rf_test_tree_set (tree, "proc/vmstat", "!errno EACCES\n");
    rf_vmstat_read (rf_test_tree_sysroot (tree), &out);
    rf_assert_missing (out.pgsteal_direct, RF_AVAIL_DENIED);
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        rf_vmstat_parse (text, length, &out);
        g_assert_true (rf_test_all_missing (&out, sizeof out));
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/vmstat/names", names);
    g_test_add_func ("/core/vmstat/recording", recording);
    g_test_add_func ("/core/vmstat/failures", failures);
    return g_test_run ();
}
