#include "config.h"

#include "rf-error.h"
#include "rf-plan.h"
#include "rf-test-tree.h"

#include <string.h>

#define MIB (G_GINT64_CONSTANT (1024) * 1024)

/* the table itself: ids are unique, ranges are ranges, paths stay below /proc/sys */
static void
table (void)
{
    gsize n;
    const RfTunable *rows = rf_tunable_list (&n);
    g_assert_cmpuint (n, >=, 20);
    for (gsize i = 0; i < n; i++) {
        g_assert_true (rf_tunable_find (rows[i].id) == &rows[i]);
        g_assert_cmpint (rows[i].hard_min, <=, rows[i].hard_max);
        if (rows[i].backend == RF_BACKEND_SYSCTL)
            g_assert_true (g_str_has_prefix (rows[i].path, "proc/sys/"));
        if (i > 0)
            g_assert_cmpint (rows[i - 1].group, <=, rows[i].group);
    }
    g_assert_null (rf_tunable_find ("vm.swappines"));
    g_assert_null (rf_tunable_find ("vm.swappiness "));
    g_assert_null (rf_tunable_find (""));
    /* a dirty limit of zero or a write-back that never runs must not be expressible */
    g_assert_cmpint (rf_tunable_find ("vm.dirty")->hard_min, >, 0);
    g_assert_cmpint (rf_tunable_find ("vm.dirty_background")->hard_min, >, 0);
    g_assert_cmpint (rf_tunable_find ("vm.dirty_writeback_centisecs")->hard_min, >, 0);
    g_assert_cmpint (rf_tunable_find ("vm.vfs_cache_pressure")->hard_min, >, 0);
}

static void
instances (void)
{
    static const struct {
        const char *machine, *tunable, *expected;
    } cases[] = {
        {"desktop-94g", "block.scheduler", "nvme0n1 nvme1n1"},
        {"desktop-94g", "vm.swappiness", ""},
        {"sata-ssd-hdd", "block.scheduler", NULL},
        {"sata-ssd-hdd", "block.wbt_lat_usec", NULL},
        {"virtio-vm", "block.scheduler", NULL},
        {"laptop-8g", "block.scheduler", "nvme0n1"},
        {"nvme-multipath", "block.scheduler", "nvme0c0n1 nvme0c1n1"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (cases[i].machine);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_auto (GStrv) names = rf_catalogue_instances (rf_tunable_find (cases[i].tunable), facts);
        g_autofree char *joined = names[0] != NULL ? g_strjoinv (" ", names) : NULL;
        g_assert_cmpstr (joined, ==, cases[i].expected);
    }
}

static void
availability (void)
{
    static const struct {
        const char *machine, *tunable, *instance;
        int code; /* -1: available */
    } cases[] = {
        {"desktop-94g", "vm.swappiness", "", -1},
        {"desktop-94g", "vm.swappiness", "nvme0n1", RF_ERROR_UNKNOWN},
        {"desktop-94g", "block.scheduler", "nvme0n1", -1},
        {"desktop-94g", "block.scheduler", "", RF_ERROR_UNKNOWN},
        {"desktop-94g", "block.scheduler", "nvme9n1", RF_ERROR_UNKNOWN},
        {"desktop-94g", "block.scheduler", "nvme0n1p1", RF_ERROR_UNKNOWN},
        {"sata-ssd-hdd", "block.scheduler", "sda", RF_ERROR_UNKNOWN},
        {"sata-ssd-hdd", "block.wbt_lat_usec", "sdb", RF_ERROR_UNKNOWN},
        {"nvme-multipath", "block.scheduler", "nvme0n1", RF_ERROR_UNKNOWN},
        {"container", "vm.swappiness", "", RF_ERROR_READ_ONLY},
        {"container", "swap.zram", "", RF_ERROR_READ_ONLY},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (cases[i].machine);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        g_autoptr (GError) error = NULL;
        gboolean ok = rf_catalogue_available (rf_tunable_find (cases[i].tunable), cases[i].instance, facts, &error);
        g_assert_cmpint (ok, ==, cases[i].code < 0);
        if (!ok)
            g_assert_error (error, RF_ERROR, cases[i].code);
    }
}

static void
old_and_small (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    gint64 min, max;

    rf_catalogue_range (rf_tunable_find ("vm.swappiness"), facts, RF_DIRTY_RATIO, &min, &max);
    g_assert_cmpint (max, ==, 200);
    facts->kernel = RF_KERNEL (5, 7);
    rf_catalogue_range (rf_tunable_find ("vm.swappiness"), facts, RF_DIRTY_RATIO, &min, &max);
    g_assert_cmpint (max, ==, 100);
    facts->kernel = RF_KERNEL (4, 19);
    g_autoptr (GError) error = NULL;
    g_assert_false (rf_catalogue_available (rf_tunable_find ("vm.watermark_boost_factor"), "", facts, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);

    /* nothing at all on 32-bit: 64 MiB of reserve set off the OOM killer on a machine with 700 MB of low memory */
    facts->is_64bit = FALSE;
    gsize n;
    const RfTunable *rows = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++)
        g_assert_false (rf_catalogue_available (&rows[i], "", facts, NULL));
}

static void
zram_owners (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("desktop-94g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    const RfTunable *zram = rf_tunable_find ("swap.zram");
    facts->zram_available = TRUE;
    for (int owner = RF_ZRAM_OWNER_NONE; owner <= RF_ZRAM_OWNER_UNKNOWN; owner++) {
        g_autoptr (GError) error = NULL;
        facts->zram_owner = (RfZramOwner)owner;
        g_assert_cmpint (rf_catalogue_available (zram, "", facts, &error), ==, owner == RF_ZRAM_OWNER_NONE);
        if (owner == RF_ZRAM_OWNER_OURS)
            g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
        else if (owner != RF_ZRAM_OWNER_NONE)
            g_assert_error (error, RF_ERROR, RF_ERROR_FOREIGN);
    }
    facts->zram_owner = RF_ZRAM_OWNER_NONE;
    facts->zram_available = FALSE;
    g_autoptr (GError) error = NULL;
    g_assert_false (rf_catalogue_available (zram, "", facts, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
}

static void
values (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    const struct {
        const char *id;
        RfValue value;
        int code;
    } cases[] = {
        {"vm.swappiness", rf_value_int (1), -1},
        {"vm.swappiness", rf_value_int (0), RF_ERROR_OUT_OF_RANGE},
        {"vm.swappiness", rf_value_int (201), RF_ERROR_OUT_OF_RANGE},
        {"vm.swappiness", rf_value_int (G_MAXINT64), RF_ERROR_OUT_OF_RANGE},
        {"vm.swappiness", rf_value_choice ("none"), RF_ERROR_INVALID},
        {"vm.swappiness", rf_value_absent (), RF_ERROR_INVALID},
        {"swap.zram", rf_value_absent (), RF_ERROR_INVALID},
        {"vm.min_free_kbytes", rf_value_int (1048576), RF_ERROR_OUT_OF_RANGE}, /* 13 % of 8 GiB */
        {"vm.min_free_kbytes", rf_value_int (262144), -1},
        {"vm.min_free_kbytes", rf_value_int (0), RF_ERROR_OUT_OF_RANGE},
        {"vm.watermark_scale_factor", rf_value_int (3000), RF_ERROR_OUT_OF_RANGE},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_BYTES, 0), RF_ERROR_OUT_OF_RANGE},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_RATIO, 0), RF_ERROR_OUT_OF_RANGE},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_BYTES, 256 * MIB), -1},
        {"vm.dirty", rf_value_dirty (RF_DIRTY_RATIO, 100), RF_ERROR_OUT_OF_RANGE},
        {"vm.dirty_writeback_centisecs", rf_value_int (-1), RF_ERROR_OUT_OF_RANGE},
        {"vm.dirty_writeback_centisecs", rf_value_int (0), RF_ERROR_OUT_OF_RANGE},
        {"block.read_ahead_kb", rf_value_int (256), -1},
        {"block.read_ahead_kb", rf_value_int (257), RF_ERROR_OUT_OF_RANGE},
        {"block.read_ahead_kb", rf_value_int (4194304), RF_ERROR_OUT_OF_RANGE},
        {"block.wbt_lat_usec", rf_value_int (-1), RF_ERROR_OUT_OF_RANGE},
        {"swap.zram", rf_value_zram (2048 * MIB, "lz4", 100), -1},
        {"swap.zram", rf_value_zram (2048 * MIB + 1, "lz4", 100), RF_ERROR_OUT_OF_RANGE},
        {"swap.zram", rf_value_zram (2048 * MIB, "lz4", 32768), RF_ERROR_OUT_OF_RANGE},
        {"swap.zram", rf_value_zram (100 * 1024 * MIB, "lz4", 100), RF_ERROR_OUT_OF_RANGE},
        {"net.ipv4.tcp_rmem", rf_value_vector (4096, 131072, 6291456), -1},
        {"net.ipv4.tcp_rmem", rf_value_vector (4096, 6291456, 131072), RF_ERROR_OUT_OF_RANGE},
        {"net.ipv4.tcp_rmem", rf_value_vector (0, 131072, 6291456), RF_ERROR_OUT_OF_RANGE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        gboolean ok = rf_catalogue_check_value (rf_tunable_find (cases[i].id), facts, &cases[i].value, &error);
        if (cases[i].code < 0)
            g_assert_no_error (error);
        else
            g_assert_error (error, RF_ERROR, cases[i].code);
        g_assert_cmpint (ok, ==, cases[i].code < 0);
        if (!ok)
            g_assert_nonnull (strstr (error->message, cases[i].id));
    }
}

static void
memory (void)
{
    const RfTunable *reserve = rf_tunable_find ("vm.min_free_kbytes");
    RfValue value = rf_value_int (262144);
    g_autoptr (GError) error = NULL;
    g_assert_true (rf_catalogue_check_memory (reserve, &value, (guint64)(4096 * MIB), &error));
    g_assert_no_error (error);
    g_assert_false (rf_catalogue_check_memory (reserve, &value, (guint64)(1024 * MIB), &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_NO_MEMORY);
    RfValue other = rf_value_int (100);
    g_assert_true (rf_catalogue_check_memory (rf_tunable_find ("vm.swappiness"), &other, 0, NULL));
}

static void
dirty_order (void)
{
    static const struct {
        const char *plan;
        gboolean ok;
    } cases[] = {
        {"[('vm.dirty','',<('ratio',int64 5)>),('vm.dirty_background','',<('ratio',int64 1)>)]", TRUE},
        {"[('vm.dirty','',<('ratio',int64 5)>),('vm.dirty_background','',<('ratio',int64 5)>)]", FALSE},
        {"[('vm.dirty','',<('ratio',int64 5)>),('vm.dirty_background','',<('bytes',int64 67108864)>)]", TRUE},
        {"[('vm.dirty','',<('bytes',int64 67108864)>),('vm.dirty_background','',<('bytes',int64 268435456)>)]", FALSE},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("desktop-94g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_parsed (cases[i].plan));
        g_autoptr (RfPlan) plan = rf_plan_from_variant (variant, &error);
        g_assert_no_error (error);
        g_assert_cmpint (rf_plan_validate (plan, facts, &error), ==, cases[i].ok);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/catalogue/table", table);
    g_test_add_func ("/core/catalogue/instances", instances);
    g_test_add_func ("/core/catalogue/availability", availability);
    g_test_add_func ("/core/catalogue/old-and-small", old_and_small);
    g_test_add_func ("/core/catalogue/zram-owners", zram_owners);
    g_test_add_func ("/core/catalogue/values", values);
    g_test_add_func ("/core/catalogue/memory", memory);
    g_test_add_func ("/core/catalogue/dirty-order", dirty_order);
    return g_test_run ();
}
