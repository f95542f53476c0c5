/* Queue attributes and the switches of the memory management. */
#include "config.h"

#include "rf-queue.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"
#include "rf-vmm-state.h"

#include <string.h>

static void
schedulers (void)
{
    static const struct {
        const char *text;
        const char *names; /* NULL: malformed */
        const char *chosen;
    } table[] = {
        {"[none] mq-deadline kyber bfq \n", "none, mq-deadline, kyber, bfq", "none"},
        {"mq-deadline kyber [bfq] none\n", "mq-deadline, kyber, bfq, none", "bfq"},
        {"[mq-deadline] none\n", "mq-deadline, none", "mq-deadline"}, /* no "noop" here (eudev#146) */
        {"noop deadline [cfq]\n", "noop, deadline, cfq", "cfq"},      /* single-queue kernels */
        {"none\n", "none", "none"},                                   /* bio-based on old kernels (systemd#13321) */
        {"[none]\n", "none", "none"},
        {"none mq-deadline\n", NULL, NULL},
        {"[none] [bfq]\n", NULL, NULL},
        {"[none mq-deadline\n", NULL, NULL},
        {"[]\n", NULL, NULL},
        {"[no/ne]\n", NULL, NULL},
        {"\n", NULL, NULL},
        {"", NULL, NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_auto (GStrv) names = NULL;
        g_autofree char *chosen = NULL;
        RfAvail avail = rf_queue_parse_scheduler (table[i].text, strlen (table[i].text), &names, &chosen);
        g_test_message ("%s", table[i].text);
        g_autofree char *joined = rf_test_strv (names);
        g_assert_cmpint (avail, ==, table[i].names != NULL ? RF_AVAIL_OK : RF_AVAIL_MALFORMED);
        g_assert_cmpstr (joined, ==, table[i].names != NULL ? table[i].names : "");
        g_assert_cmpstr (chosen, ==, table[i].chosen);
    }
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        g_auto (GStrv) names = NULL;
        g_autofree char *chosen = NULL;
        rf_queue_parse_scheduler (text, length, &names, &chosen);
        g_assert_nonnull (names);
    }
}

static void
numbers (void)
{
    static const struct {
        const char *text;
        RfAvail avail;
        guint64 value;
        RfAvail wbt_avail;
    } table[] = {
        {"2000\n", RF_AVAIL_OK, 2000, RF_AVAIL_OK},
        {"0\n", RF_AVAIL_OK, 0, RF_AVAIL_OK},
        {"75000", RF_AVAIL_OK, 75000, RF_AVAIL_OK},
        {"18446744073709551615\n", RF_AVAIL_OK, G_MAXUINT64, RF_AVAIL_OK},
        {"-1\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_OFF},
        {"-2\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"2000 \n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"2000\n\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"0x10\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"010\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"1,5\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
        {"1234567890123456789012345\n", RF_AVAIL_MALFORMED, 0, RF_AVAIL_MALFORMED},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        gsize length = strlen (table[i].text);
        RfCounter plain = rf_queue_parse_number (table[i].text, length);
        g_test_message ("%s", table[i].text);
        g_assert_cmpint (plain.avail, ==, table[i].avail);
        g_assert_cmpuint (plain.value, ==, table[i].value);
        g_assert_cmpint (rf_queue_parse_wbt (table[i].text, length).avail, ==, table[i].wbt_avail);
    }
    rf_assert_counter (rf_queue_parse_zoned ("none\n", 5), 0);
    rf_assert_counter (rf_queue_parse_zoned ("host-managed\n", 13), 1);
    rf_assert_counter (rf_queue_parse_zoned ("host-aware\n", 11), 1);
    rf_assert_missing (rf_queue_parse_zoned ("hos", 3), RF_AVAIL_MALFORMED);
    rf_assert_missing (rf_queue_parse_number ("1\0", 2), RF_AVAIL_MALFORMED);
}

static void
queues (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    g_auto (RfQueue) vda = {0}, gone = {0}, head = {0};
    rf_queue_read (rf_test_tree_sysroot (tree), "vda", &vda);
    g_assert_cmpint (vda.scheduler_avail, ==, RF_AVAIL_OK);
    g_assert_cmpstr (vda.scheduler, ==, "mq-deadline");
    g_assert_cmpuint (g_strv_length (vda.schedulers), ==, 4);
    rf_assert_counter (vda.wbt_lat_us, 75000);
    rf_assert_counter (vda.read_ahead_kib, 8192);
    rf_assert_counter (vda.rotational, 1);
    rf_assert_counter (vda.zoned, 0);
    rf_assert_counter (vda.discard_max_bytes, 1073741824);
    rf_queue_read (rf_test_tree_sysroot (tree), "nvme9n1", &gone);
    g_assert_cmpint (gone.scheduler_avail, ==, RF_AVAIL_NO_FILE);
    g_assert_cmpuint (g_strv_length (gone.schedulers), ==, 0);
    rf_assert_missing (gone.wbt_lat_us, RF_AVAIL_NO_FILE);
    rf_assert_missing (gone.rotational, RF_AVAIL_NO_FILE);
    rf_test_tree_apply (tree, "= sys/block/nvme0n1/queue/wbt_lat_usec !errno EINVAL\n"
                              "= sys/block/nvme0n1/queue/read_ahead_kb !errno EIO\n"
                              "= sys/block/nvme0n1/queue/zoned host-managed\n");
    rf_queue_read (rf_test_tree_sysroot (tree), "nvme0n1", &head);
    g_assert_cmpint (head.scheduler_avail, ==, RF_AVAIL_NO_FILE);
    rf_assert_missing (head.wbt_lat_us, RF_AVAIL_OFF);
    rf_assert_missing (head.read_ahead_kib, RF_AVAIL_MALFORMED);
    rf_assert_counter (head.zoned, 1);
}

static void
vmm_parsers (void)
{
    static const struct {
        const char *text;
        const char *chosen;
    } choices[] = {
        {"always [madvise] never\n", "madvise"},
        {"always defer [defer+madvise] madvise never\n", "defer+madvise"},
        {"[always]", "always"},
        {"always madvise never\n", NULL},
        {"[always] [never]\n", NULL},
        {"[always\n", NULL},
        {"[]\n", NULL},
        {"", NULL},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (choices); i++) {
        g_autofree char *chosen = rf_vmm_parse_choice (choices[i].text, strlen (choices[i].text));
        g_assert_cmpstr (chosen, ==, choices[i].chosen);
    }
    rf_assert_counter (rf_vmm_parse_mask ("0x0007\n", 7), 7);
    rf_assert_counter (rf_vmm_parse_mask ("0x0000\n", 7), 0);
    rf_assert_counter (rf_vmm_parse_mask ("0xffffffffffffffff", 18), G_MAXUINT64);
    static const char *const no_mask[] = {"7\n", "0x\n", "0x0g\n", "0x 7\n", "0x00000000000000000\n", "y\n", ""};
    for (gsize i = 0; i < G_N_ELEMENTS (no_mask); i++)
        rf_assert_missing (rf_vmm_parse_mask (no_mask[i], strlen (no_mask[i])), RF_AVAIL_MALFORMED);
    rf_assert_counter (rf_vmm_parse_flag ("Y\n", 2), 1);
    rf_assert_counter (rf_vmm_parse_flag ("0", 1), 0);
    rf_assert_counter (rf_vmm_parse_flag ("N\n", 2), 0);
    rf_assert_missing (rf_vmm_parse_flag ("yes\n", 4), RF_AVAIL_MALFORMED);
    rf_assert_missing (rf_vmm_parse_flag ("\n", 1), RF_AVAIL_MALFORMED);
    rf_assert_missing (rf_vmm_parse_flag ("", 0), RF_AVAIL_MALFORMED);
}

static void
vmm_states (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    g_auto (RfVmmState) here = {0}, pi = {0}, none = {0};
    rf_vmm_state_read (rf_test_tree_sysroot (tree), &here);
    g_assert_cmpstr (here.thp_enabled, ==, "madvise");
    g_assert_cmpstr (here.thp_defrag, ==, "madvise");
    rf_assert_missing (here.lru_gen, RF_AVAIL_NO_FILE);
    rf_assert_counter (here.zswap_enabled, 0);
    rf_assert_counter (here.zswap_max_pool_percent, 20);
    g_assert_cmpstr (here.zswap_compressor, ==, "lzo");
    /* raspberrypi/linux#7085: a minimum life time kills programs with most of the memory free */
    rf_test_tree_apply (tree, "= sys/kernel/mm/lru_gen/enabled 0x0007\n= sys/kernel/mm/lru_gen/min_ttl_ms 1000\n"
                              "= sys/module/zswap/parameters/enabled Y\n"
                              "= sys/kernel/mm/transparent_hugepage/enabled madvise\n");
    rf_vmm_state_read (rf_test_tree_sysroot (tree), &pi);
    rf_assert_counter (pi.lru_gen, 7);
    rf_assert_counter (pi.lru_gen_min_ttl_ms, 1000);
    rf_assert_counter (pi.zswap_enabled, 1);
    g_assert_null (pi.thp_enabled);
    g_assert_cmpint (pi.thp_avail, ==, RF_AVAIL_MALFORMED);
    g_autoptr (RfTestTree) empty = rf_test_tree_new (NULL);
    rf_vmm_state_read (rf_test_tree_sysroot (empty), &none);
    g_assert_null (none.thp_enabled);
    g_assert_cmpint (none.thp_avail, ==, RF_AVAIL_NO_FILE);
    rf_assert_missing (none.zswap_enabled, RF_AVAIL_NO_FILE);
    g_assert_null (none.zswap_compressor);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/queue/schedulers", schedulers);
    g_test_add_func ("/core/queue/numbers", numbers);
    g_test_add_func ("/core/queue/queues", queues);
    g_test_add_func ("/core/queue/vmm-parsers", vmm_parsers);
    g_test_add_func ("/core/queue/vmm-states", vmm_states);
    return g_test_run ();
}
