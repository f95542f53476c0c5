#include "config.h"

#include "rf-diskstats.h"
#include "rf-test-counter.h"
#include "rf-test-tree.h"

#include <string.h>

#define ELEVEN " 1 2 3 4 5 6 7 8 9 10 11"

static void
columns (void)
{
    static const struct {
        const char *text;
        guint rows, skipped;
        RfAvail avail;
    } table[] = {
        {" 8 0 sda" ELEVEN "\n", 1, 0, RF_AVAIL_OK},
        {" 8 0 sda" ELEVEN " 12 13 14 15\n", 1, 0, RF_AVAIL_OK},
        {" 8 0 sda" ELEVEN " 12 13 14 15 16 17\n", 1, 0, RF_AVAIL_OK},
        {" 8 0 sda" ELEVEN " 12 13 14 15 16 17 18 19 20 21\n", 1, 0, RF_AVAIL_OK},
        {" 8 0 sda" ELEVEN " 12 x 14\n", 1, 0, RF_AVAIL_OK},
        {" 8 0 sda 1 2 3 4 5 6 7 8 9 10\n", 0, 1, RF_AVAIL_MALFORMED}, /* 13 */
        {" 8 1 sda1 1 2 3 4\n", 0, 1, RF_AVAIL_MALFORMED},             /* a partition on 2.6 */
        {" 8 0 sda" ELEVEN, 0, 0, RF_AVAIL_NO_FIELD},                  /* cut */
        {" 8 0 sda 1 2 3 x 5 6 7 8 9 10 11\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 sda 1 2 3 4.5 5 6 7 8 9 10 11\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 sda 1 2 3 -4 5 6 7 8 9 10 11\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 sda 1 2 3 18446744073709551616 5 6 7 8 9 10 11\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 sda 1 2 3 18446744073709551615 5 6 7 8 9 10 11\n", 1, 0, RF_AVAIL_OK},
        {" 8 x sda" ELEVEN "\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 4294967296 0 sda" ELEVEN "\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 adevicenameofmorethanthirtyonebytes" ELEVEN "\n", 0, 1, RF_AVAIL_MALFORMED},
        {" 8 0 sda" ELEVEN "\nrubbish\n 8 16 sdb" ELEVEN "\n", 2, 1, RF_AVAIL_OK},
        {"", 0, 0, RF_AVAIL_NO_FIELD},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_auto (RfDiskstats) out = {0};
        rf_diskstats_parse (table[i].text, strlen (table[i].text), &out);
        g_test_message ("%s", table[i].text);
        g_assert_cmpuint (out.rows->len, ==, table[i].rows);
        g_assert_cmpuint (out.skipped, ==, table[i].skipped);
        g_assert_cmpint (out.avail, ==, table[i].avail);
    }
}

static void
order (void)
{
    static const char text[] = "   8       0 sda" ELEVEN " 12 13 14 15 16 17 18\n 8 16 sdb" ELEVEN " 12 13 14 15\n"
                               " 8 32 sdc" ELEVEN " 12 x 14 15\n";
    g_auto (RfDiskstats) out = {0};
    rf_diskstats_parse (text, sizeof text - 1, &out);
    const RfDiskRow *row = rf_diskstats_find (&out, "sda");
    g_assert_nonnull (row);
    const guint64 found[]
        = {row->reads,         row->reads_merged, row->read_sectors, row->read_ms, row->writes,     row->writes_merged,
           row->write_sectors, row->write_ms,     row->in_flight,    row->io_ms,   row->weighted_ms};
    for (gsize i = 0; i < G_N_ELEMENTS (found); i++)
        g_assert_cmpuint (found[i], ==, i + 1);
    rf_assert_counter (row->discards, 12);
    rf_assert_counter (row->discard_ms, 15);
    rf_assert_counter (row->flushes, 16);
    rf_assert_counter (row->flush_ms, 17);
    g_assert_cmpuint (row->major, ==, 8);
    g_assert_cmpuint (row->diskseq, ==, 0);
    row = rf_diskstats_find (&out, "sdb");
    rf_assert_counter (row->discard_ms, 15);
    rf_assert_missing (row->flushes, RF_AVAIL_NO_FIELD);
    row = rf_diskstats_find (&out, "sdc");
    rf_assert_counter (row->discards, 12);
    rf_assert_missing (row->discards_merged, RF_AVAIL_MALFORMED);
    g_assert_null (rf_diskstats_find (&out, "sd"));
}

static void
kinds (void)
{
    static const struct {
        const char *name;
        RfDiskRowKind kind;
        const char *head;
    } table[] = {
        {"loop1", RF_DISK_ROW_LOOP, ""},
        {"loop10", RF_DISK_ROW_LOOP, ""},
        {"ram0", RF_DISK_ROW_RAM, ""},
        {"sda", RF_DISK_ROW_WHOLE, ""},
        {"sda1", RF_DISK_ROW_PARTITION, ""},
        {"sda15", RF_DISK_ROW_PARTITION, ""},
        {"sdaa", RF_DISK_ROW_WHOLE, ""},
        {"sdaa2", RF_DISK_ROW_PARTITION, ""},
        {"vda", RF_DISK_ROW_WHOLE, ""},
        {"nvme0n1", RF_DISK_ROW_WHOLE, ""},
        {"nvme0n1p2", RF_DISK_ROW_PARTITION, ""},
        {"nvme0n12", RF_DISK_ROW_WHOLE, ""}, /* namespace 12, not a partition of namespace 1 */
        {"nvme0c0n1", RF_DISK_ROW_PATH, "nvme0n1"},
        {"nvme12c3n45", RF_DISK_ROW_PATH, "nvme12n45"},
        {"mmcblk0", RF_DISK_ROW_WHOLE, ""},
        {"mmcblk0p1", RF_DISK_ROW_PARTITION, ""},
        {"mmcblk0boot0", RF_DISK_ROW_WHOLE, ""},
        {"dm-1", RF_DISK_ROW_WHOLE, ""},
        {"dm-10", RF_DISK_ROW_WHOLE, ""},
        {"md127", RF_DISK_ROW_WHOLE, ""},
        {"md127p1", RF_DISK_ROW_PARTITION, ""},
        {"zram0", RF_DISK_ROW_ZRAM, ""},
        {"zram", RF_DISK_ROW_WHOLE, ""},
        {"cciss/c0d0", RF_DISK_ROW_WHOLE, ""},
        {"cciss/c0d0p1", RF_DISK_ROW_PARTITION, ""},
        {"nvme0c0n1p1", RF_DISK_ROW_WHOLE, ""}, /* such a name does not exist */
        {"nvmec0n1", RF_DISK_ROW_WHOLE, ""},
    };
    g_autoptr (GString) text = g_string_new (NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        g_string_append_printf (text, "  1  %u %s" ELEVEN "\n", (guint)i, table[i].name);
    g_auto (RfDiskstats) out = {0};
    rf_diskstats_parse (text->str, text->len, &out);
    g_assert_cmpuint (out.rows->len, ==, G_N_ELEMENTS (table));
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        const RfDiskRow *row = &g_array_index (out.rows, RfDiskRow, i);
        g_assert_cmpstr (row->name, ==, table[i].name);
        g_test_message ("%s", row->name);
        g_assert_cmpint (row->kind, ==, table[i].kind);
        g_assert_cmpstr (row->head, ==, table[i].head);
    }
    g_assert_false (rf_disk_name_is_partition_of ("sda1", ""));
    g_assert_false (rf_disk_name_is_partition_of ("sda", "sda"));
    g_assert_false (rf_disk_name_is_partition_of ("nvme0n1p", "nvme0n1"));
    g_assert_false (rf_disk_name_is_partition_of ("loop10", "loop1"));
}

static void
recording (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    g_auto (RfDiskstats) whole = {0};
    rf_diskstats_read (rf_test_tree_sysroot (tree), &whole);
    g_assert_cmpuint (whole.rows->len, ==, 10);
    g_assert_cmpuint (whole.skipped, ==, 0);
    const RfDiskRow *vda = rf_diskstats_find (&whole, "vda");
    g_assert_cmpuint (vda->reads, ==, 80986);
    g_assert_cmpuint (vda->io_ms, ==, 21180);
    rf_assert_counter (vda->flush_ms, 2806);
    g_autofree char *text = rf_test_tree_get (tree, "proc/diskstats");
    for (gsize length = 0; length < strlen (text); length++) {
        g_auto (RfDiskstats) cut = {0};
        rf_diskstats_parse (text, length, &cut);
        g_assert_cmpuint (cut.rows->len, <, whole.rows->len);
        g_assert_true (cut.rows->len == 0
                       || memcmp (cut.rows->data, whole.rows->data, cut.rows->len * sizeof (RfDiskRow)) == 0);
    }
}

static void
huge (void)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint i = 0; i < 20000; i++)
        g_string_append_printf (text, " 8 %u sda%u" ELEVEN "\n", i, i);
    g_auto (RfDiskstats) out = {0};
    rf_diskstats_parse (text->str, text->len, &out);
    g_assert_cmpuint (out.rows->len, ==, 20000);
}

static void
failures (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_auto (RfDiskstats) out = {0};
    rf_diskstats_read (rf_test_tree_sysroot (tree), &out);
    g_assert_cmpint (out.avail, ==, RF_AVAIL_NO_FILE);
    g_assert_cmpuint (out.rows->len, ==, 0);
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        g_auto (RfDiskstats) foreign = {0};
        rf_diskstats_parse (text, length, &foreign);
        g_assert_cmpuint (foreign.rows->len, ==, 0);
        g_assert_cmpint (foreign.avail, !=, RF_AVAIL_OK);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/diskstats/columns", columns);
    g_test_add_func ("/core/diskstats/order", order);
    g_test_add_func ("/core/diskstats/kinds", kinds);
    g_test_add_func ("/core/diskstats/recording", recording);
    g_test_add_func ("/core/diskstats/huge", huge);
    g_test_add_func ("/core/diskstats/failures", failures);
    return g_test_run ();
}
