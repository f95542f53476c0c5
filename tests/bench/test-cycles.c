/* Apply and take back, thousands of times: afterwards the machine and the journal are as after the first time. */
#define G_LOG_DOMAIN "test-cycles"
#include "config.h"

#include "rf-test-growth.h"
#include "rf-test-rig.h"

/* one of each kind of writing, alone and together */
static const char *const plans[] = {
    "vm.swappiness 100",
    "vm.dirty bytes:268435456\nvm.dirty_background bytes:67108864",
    "vm.dirty ratio:30\nvm.dirty_background ratio:7\nvm.dirty_expire_centisecs 1500",
    "block.scheduler@nvme0n1 mq-deadline",
    "swap.zram 1073741824 lz4 100",
    ("vm.swappiness 180\nvm.page-cluster 0\nvm.watermark_scale_factor 125\nblock.scheduler@nvme0n1 mq-deadline\n"
     "swap.zram 536870912 zstd 100"),
};

static void
test_cycles (void)
{
    const guint cycles = rf_test_rounds (10 * 1000, 100 * 1000), tenth = cycles / 10;
    g_autoptr (RfTestRig) rig = rf_test_rig_new ("laptop-8g");
    RfTestFootprint first = {0}, now = {0};
    rf_test_rig_load_zram (rig);
    gint64 start = g_get_monotonic_time (), longest = 0;
    for (guint i = 1; i <= cycles; i++) {
        gint64 begin = g_get_monotonic_time ();
        RfRecord *record = rf_test_rig_apply (rig, plans[i % G_N_ELEMENTS (plans)]);
        /* one in a hundred is kept first */
        if (i % 100 == 0)
            rf_test_rig_keep (rig, record);
        rf_test_rig_revert (rig, record);
        longest = MAX (longest, g_get_monotonic_time () - begin);
        if (i % 100 == 0)
            rf_test_rig_assert_as_before (rig);
        /* as the next process would find it */
        if (i % tenth == 0) {
            rf_test_rig_reopen (rig);
            rf_test_rig_assert_as_before (rig);
            g_assert_cmpuint (rf_journal_records (rig->journal)->len, <=, RF_JOURNAL_MAX_HISTORY + 1);
            g_autofree char *when = g_strdup_printf ("%u cycles", i);
            rf_test_footprint_read ("self", &now);
            rf_test_footprint_print (when, &now);
        }
        if (i == tenth)
            first = now;
    }
    double seconds = (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
    g_test_message ("%u cycles in %.1f s, %.2f ms each, the longest %.1f ms", cycles, seconds, seconds * 1000 / cycles,
                    (double)longest / 1000);
    g_autofree char *etc = rf_test_tree_dump (rig->tree, "etc");
    g_assert_null (g_strstr_len (etc, -1, "ruckelfrei"));
    rf_test_footprint_assert_steady (&first, &now, 1024);
}

int
main (int argc, char **argv)
{
    /* this is not about how fast a drive flushes */
    if (g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR))
        g_setenv ("TMPDIR", "/dev/shm", TRUE);
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bench/cycles", test_cycles);
    return g_test_run ();
}
