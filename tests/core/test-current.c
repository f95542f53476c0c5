#include "config.h"

#include "rf-catalogue.h"
#include "rf-current.h"
#include "rf-error.h"
#include "rf-test-tree.h"

/* @expected: the value as text, or "!" and the nick of the error */
typedef struct {
    const char *name;
    const char *machine;
    const char *change;
    const char *tunable;
    const char *instance;
    const char *expected;
} Case;

static const Case cases[] = {
    {"int", "laptop-8g", "", "vm.swappiness", "", "60"},
    {"int-missing", "laptop-8g", "=- proc/sys/vm/watermark_boost_factor\n", "vm.watermark_boost_factor", "",
     "!unavailable"},
    {"int-malformed", "laptop-8g", "= proc/sys/vm/swappiness 60 70\n", "vm.swappiness", "", "!io"},
    {"int-denied", "laptop-8g", "== proc/sys/vm/swappiness\n!errno EACCES\n", "vm.swappiness", "", "!io"},
    /* the kernel accepts it: facts.md A1 */
    {"int-negative", "laptop-8g", "= proc/sys/vm/dirty_writeback_centisecs -1\n", "vm.dirty_writeback_centisecs", "",
     "-1"},

    {"dirty-ratio", "laptop-8g", "", "vm.dirty", "", "ratio:20"},
    {"dirty-background-ratio", "laptop-8g", "", "vm.dirty_background", "", "ratio:10"},
    {"dirty-bytes", "laptop-8g", "= proc/sys/vm/dirty_bytes 268435456\n= proc/sys/vm/dirty_ratio 0\n", "vm.dirty", "",
     "bytes:268435456"},
    {"dirty-both-zero", "laptop-8g", "= proc/sys/vm/dirty_background_ratio 0\n", "vm.dirty_background", "", "ratio:0"},
    {"dirty-half", "laptop-8g", "=- proc/sys/vm/dirty_bytes\n", "vm.dirty", "", "!unavailable"},

    {"vector", "laptop-8g", "", "net.ipv4.tcp_rmem", "", "4096 131072 6291456"},
    {"vector-blanks", "laptop-8g", "= proc/sys/net/ipv4/tcp_rmem 4096\t 87380  6291456 \n", "net.ipv4.tcp_rmem", "",
     "4096 87380 6291456"},
    {"vector-short", "laptop-8g", "= proc/sys/net/ipv4/tcp_rmem 4096 87380\n", "net.ipv4.tcp_rmem", "", "!io"},
    {"vector-long", "laptop-8g", "= proc/sys/net/ipv4/tcp_rmem 1 2 3 4\n", "net.ipv4.tcp_rmem", "", "!io"},

    {"scheduler", "desktop-94g", "", "block.scheduler", "nvme0n1", "kyber"},
    {"scheduler-none", "desktop-94g", "", "block.scheduler", "nvme1n1", "none"},
    {"scheduler-unchosen", "desktop-94g", "= sys/block/nvme0n1/queue/scheduler none kyber\n", "block.scheduler",
     "nvme0n1", "!unavailable"},
    {"scheduler-of-head", "nvme-multipath", "", "block.scheduler", "nvme0n1", "!unavailable"},
    {"scheduler-of-path", "nvme-multipath", "", "block.scheduler", "nvme0c1n1", "none"},
    /* GCE#783: a partition has no queue, and is no instance */
    {"scheduler-of-partition", "desktop-94g", "", "block.scheduler", "nvme0n1p2", "!unknown"},
    {"scheduler-of-path-name", "desktop-94g", "", "block.scheduler", "../block/nvme0n1", "!unknown"},
    {"scheduler-of-nothing", "desktop-94g", "", "block.scheduler", "", "!unknown"},
    {"wbt", "desktop-94g", "", "block.wbt_lat_usec", "nvme0n1", "2000"},
    {"wbt-without-object", "desktop-94g", "== sys/block/nvme0n1/queue/wbt_lat_usec\n!errno EINVAL\n",
     "block.wbt_lat_usec", "nvme0n1", "!unavailable"},
    {"read-ahead-btrfs", "laptop-8g", "", "block.read_ahead_kb", "btrfs-1", "4096"},
    {"read-ahead-nvme", "laptop-8g", "", "block.read_ahead_kb", "nvme0n1", "128"},
    {"read-ahead-not-tunable", "sata-ssd-hdd", "", "block.read_ahead_kb", "sda", "!unknown"},
    /* nobody reads through it now, but it may carry a value of ours from when somebody did */
    {"read-ahead-of-volume", "laptop-8g", "", "block.read_ahead_kb", "dm-0", "128"},
    /* runner-images#13938: since 6.17 it follows the drive */
    {"read-ahead-odd", "desktop-94g", "= sys/block/nvme0n1/queue/read_ahead_kb 65532\n", "block.read_ahead_kb",
     "nvme0n1", "65532"},

    {"zram-none", "laptop-8g", "", "swap.zram", "", "absent"},
    {"zram-foreign", "laptop-8g", "=< part-zram-generator\n", "swap.zram", "", "absent"},
    {"zram-ours", "laptop-8g", "=< part-zram-device\n= run/ruckelfrei/zram zram0 4294967296 zstd 100\n", "swap.zram",
     "", "4294967296 zstd 100"},
    {"zram-ours-gone", "laptop-8g", "= run/ruckelfrei/zram zram0 4294967296 zstd 100\n", "swap.zram", "", "absent"},
    {"zram-set-up-anew", "laptop-8g", "=< part-zram-device\n= run/ruckelfrei/zram zram0 1073741824 zstd 100\n",
     "swap.zram", "", "absent"},
};

static void
reading (gconstpointer data)
{
    const Case *test = data;
    g_autoptr (RfTestTree) tree = rf_test_tree_new (test->machine);
    rf_test_tree_apply (tree, test->change);
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    const RfTunable *tunable = rf_tunable_find (test->tunable);
    RfValue value = rf_value_int (-77);
    g_autoptr (GError) error = NULL;
    g_assert_nonnull (tunable);
    gboolean ok = rf_current_read (rf_test_tree_sysroot (tree), facts, tunable, test->instance, &value, &error);
    if (test->expected[0] == '!') {
        g_assert_false (ok);
        g_assert_nonnull (error);
        g_assert_true (error->domain == RF_ERROR);
        g_assert_cmpstr (rf_error_code_nick (error->code), ==, test->expected + 1);
        g_assert_cmpint (value.n[0], ==, -77);
        return;
    }
    g_assert_no_error (error);
    g_assert_true (ok);
    g_autofree char *text = rf_value_to_text (&value);
    g_assert_cmpstr (text, ==, test->expected);
}

/* what the catalogue offers on a machine can be read there */
static void
whole_catalogue (void)
{
    static const char *const machines[] = {"laptop-8g", "desktop-94g", "sata-ssd-hdd", "virtio-vm", "nvme-multipath"};
    for (gsize m = 0; m < G_N_ELEMENTS (machines); m++) {
        g_autoptr (RfTestTree) tree = rf_test_tree_new (machines[m]);
        g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
        gsize n;
        const RfTunable *list = rf_tunable_list (&n);
        guint read = 0;
        for (gsize i = 0; i < n; i++) {
            g_auto (GStrv) instances = rf_catalogue_instances (&list[i], facts);
            for (char **instance = instances; *instance != NULL; instance++) {
                RfValue value;
                g_autoptr (GError) error = NULL;
                g_test_message ("%s: %s %s", machines[m], list[i].id, *instance);
                gboolean ok = rf_current_read (rf_test_tree_sysroot (tree), facts, &list[i], *instance, &value, &error);
                g_assert_no_error (error);
                g_assert_true (ok);
                g_assert_true (value.kind == list[i].kind || list[i].kind == RF_VALUE_ZRAM);
                read++;
            }
        }
        g_assert_cmpuint (read, >=, 17);
    }
}

static void
choices (void)
{
    static const struct {
        const char *tunable;
        const char *instance;
        const char *expected;
    } table[] = {
        {"block.scheduler", "nvme0n1", "none, mq-deadline, kyber"},
        {"block.scheduler", "nvme9n1", "(null)"},
        {"block.scheduler", "../block/nvme0n1", "(null)"},
        {"block.scheduler", "", "(null)"},
        {"block.wbt_lat_usec", "nvme0n1", "(null)"},
    };
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("desktop-94g");
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_auto (GStrv) words
            = rf_current_choices (rf_test_tree_sysroot (tree), rf_tunable_find (table[i].tunable), table[i].instance);
        g_autofree char *text = rf_test_strv (words);
        g_assert_cmpstr (text, ==, table[i].expected);
    }
}

static void
marker (void)
{
    static const char *const bad[] = {
        "",
        "\n",
        "zram0",
        "zram0 1 lz4 100",
        "zram0 1 lz4 100\n\n",
        "zram0 1 lz4 100\nzram1 1 lz4 100\n",
        "zram0  1 lz4 100\n",
        "zram 1 lz4 100\n",
        "zram01 1 lz4 100\n",
        "zram99999 1 lz4 100\n",
        "zram-1 1 lz4 100\n",
        "../zram0 1 lz4 100\n",
        "zram0/x 1 lz4 100\n",
        "sda 1 lz4 100\n",
        "zram0 0 lz4 100\n",
        "zram0 -1 lz4 100\n",
        "zram0 1 LZ4 100\n",
        "zram0 1 lz4 32768\n",
        "zram0 1 lz4 -2\n",
        "zram0 1 lz4 100 \n",
        " zram0 1 lz4 100\n",
        "zram0 absent\n",
        "zram0 1 lz4\n",
        "zram0 18446744073709551616 lz4 1\n",
        "zram0 1 lz4 100 x\n",
        "zram0 1 lz4 100 0\n",
        "zram0 1 lz4 100 -1\n",
        "zram0 1 lz4 100 17 \n",
        "zram0 1 lz4 100 17 18\n",
    };
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
        g_autofree char *device = NULL;
        RfValue value;
        guint64 diskseq = 0;
        g_test_message ("'%s'", bad[i]);
        g_assert_false (rf_zram_marker_parse (bad[i], &device, &value, &diskseq));
        g_assert_null (device);
    }
    static const char *const good[]
        = {"zram3 8589934592 lz4 100\n", "zram0 4096 lzo-rle -1\n", "zram0 4096 lz4 100 18446744073709551615\n"};
    for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
        g_autofree char *device = NULL;
        RfValue value;
        guint64 diskseq = 0;
        g_assert_true (rf_zram_marker_parse (good[i], &device, &value, &diskseq));
        g_autofree char *back = rf_zram_marker_format (device, &value, diskseq);
        g_assert_cmpstr (back, ==, good[i]);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *path = g_strconcat ("/core/current/", cases[i].name, NULL);
        g_test_add_data_func (path, &cases[i], reading);
    }
    g_test_add_func ("/core/current/whole-catalogue", whole_catalogue);
    g_test_add_func ("/core/current/choices", choices);
    g_test_add_func ("/core/current/marker", marker);
    return g_test_run ();
}
