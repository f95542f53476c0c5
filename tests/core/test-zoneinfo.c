#include "config.h"

#include "rf-test-counter.h"
#include "rf-test-tree.h"
#include "rf-zoneinfo.h"

#include <string.h>

#define ZONE(node, name, free, min, low, high, managed)                                                                \
    "Node " node ", zone " name "\n  pages free     " free "\n        min      " min "\n        low      " low         \
    "\n        high     " high "\n        spanned  1\n        present  1\n        managed  " managed                   \
    "\n        protection: (0, 1, 2)\n      nr_free_pages 999\n  pagesets\n    cpu: 0\n              count: 5\n"       \
    "              high:  378\n              batch: 63\n              high_min: 4\n  vm stats threshold: 24\n"

static void
sums (void)
{
    static const struct {
        const char *text;
        guint zones;
        gint64 free, min, low, high, managed; /* -1: missing */
    } table[] = {
        {ZONE ("0", "DMA", "10", "1", "2", "3", "20") ZONE ("0", "Normal", "100", "11", "22", "33", "200"), 2, 110, 12,
         24, 36, 220},
        /* two nodes */
        {ZONE ("0", "Normal", "100", "10", "20", "30", "200") ZONE ("1", "Normal", "7", "1", "2", "3", "9"), 2, 107, 11,
         22, 33, 209},
        /* an empty zone prints thresholds that mean nothing */
        {ZONE ("0", "Normal", "100", "10", "20", "30", "200") ZONE ("0", "Movable", "0", "32", "32", "32", "0"), 2, 100,
         10, 20, 30, 200},
        {ZONE ("0", "Movable", "0", "32", "32", "32", "0"), 1, -1, -1, -1, -1, -1},
        /* one zone without a number: a partial sum would be a wrong number */
        {ZONE ("0", "DMA", "10", "1", "2", "3", "20") ZONE ("0", "Normal", "100", "x", "22", "33", "200"), 2, 110, -1,
         24, 36, 220},
        {ZONE ("0", "DMA", "10", "1", "2", "3", "20") "Node 0, zone Normal\n  pages free 5\n", 2, 15, -1, -1, -1, -1},
        /* before 3.8 there is no "managed" */
        {"Node 0, zone   Normal\n  pages free     5\n        min      1\n        low      2\n        high     3\n"
         "        scanned  0\n        spanned  9\n        present  9\n",
         1, 5, 1, 2, 3, -1},
        /* numbers before the first heading belong to nothing */
        {"  pages free 5\n        min      1\n", 0, -1, -1, -1, -1, -1},
        {"Node 0 zone Normal\n  pages free 5\n", 0, -1, -1, -1, -1, -1},
        {"Node x, zone Normal\n  pages free 5\n", 0, -1, -1, -1, -1, -1},
        {"Node 0, zone\n  pages free 5\n", 0, -1, -1, -1, -1, -1},
        {"Node 0, zone AZoneNameOfTwentyOne_\n  pages free 5\n", 0, -1, -1, -1, -1, -1},
        {ZONE ("0", "DMA", "18446744073709551615", "1", "2", "3", "9") ZONE ("0", "Normal", "1", "1", "2", "3", "9"), 2,
         -1, 2, 4, 6, 18},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_auto (RfZoneinfo) out = {0};
        rf_zoneinfo_parse (table[i].text, strlen (table[i].text), &out);
        g_test_message ("row %" G_GSIZE_FORMAT, i);
        g_assert_cmpuint (out.zones->len, ==, table[i].zones);
        const gint64 expected[] = {table[i].free, table[i].min, table[i].low, table[i].high, table[i].managed};
        const RfCounter found[] = {out.free, out.min, out.low, out.high, out.managed};
        for (gsize k = 0; k < G_N_ELEMENTS (expected); k++) {
            g_assert_cmpint (rf_counter_ok (found[k]), ==, expected[k] >= 0);
            if (expected[k] >= 0)
                rf_assert_counter (found[k], expected[k]);
        }
    }
}

static void
recording (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("recording-6.18");
    g_auto (RfZoneinfo) whole = {0};
    rf_zoneinfo_read (rf_test_tree_sysroot (tree), &whole);
    g_assert_cmpuint (whole.zones->len, ==, 5);
    const RfZone *dma32 = &g_array_index (whole.zones, RfZone, 1);
    g_assert_cmpstr (dma32->name, ==, "DMA32");
    g_assert_cmpuint (dma32->node, ==, 0);
    rf_assert_counter (dma32->free, 772808);
    rf_assert_counter (dma32->min, 10569);
    rf_assert_counter (dma32->low, 13211);
    rf_assert_counter (dma32->high, 15853);
    rf_assert_counter (dma32->managed, 772808);
    g_assert_cmpstr (g_array_index (whole.zones, RfZone, 4).name, ==, "Device");
    rf_assert_counter (whole.min, 52 + 10569 + 6274); /* without the 32 of the empty zone Movable */
    rf_assert_counter (whole.low, 65 + 13211 + 7842);
    rf_assert_counter (whole.high, 78 + 15853 + 9410);
    rf_assert_counter (whole.managed, 3840 + 772808 + 458752);

    g_autofree char *text = rf_test_tree_get (tree, "proc/zoneinfo");
    for (gsize length = 0; length < strlen (text); length++) {
        g_auto (RfZoneinfo) cut = {0};
        rf_zoneinfo_parse (text, length, &cut);
        for (guint i = 0; i < cut.zones->len; i++)
            g_assert_true (rf_test_same_or_missing (&g_array_index (cut.zones, RfZone, i).free,
                                                    &g_array_index (whole.zones, RfZone, i).free,
                                                    5 * sizeof (RfCounter)));
    }
}

static void
failures (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    g_auto (RfZoneinfo) out = {0};
    rf_zoneinfo_read (rf_test_tree_sysroot (tree), &out);
    rf_assert_missing (out.min, RF_AVAIL_NO_FILE);
    g_assert_cmpuint (out.zones->len, ==, 0);
    gsize length;
    const char *text;
    for (guint i = 0; (text = rf_test_foreign (i, &length)) != NULL; i++) {
        g_auto (RfZoneinfo) foreign = {0};
        rf_zoneinfo_parse (text, length, &foreign);
        g_assert_cmpuint (foreign.zones->len, ==, 0);
        rf_assert_missing (foreign.free, RF_AVAIL_NO_FIELD);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/zoneinfo/sums", sums);
    g_test_add_func ("/core/zoneinfo/recording", recording);
    g_test_add_func ("/core/zoneinfo/failures", failures);
    return g_test_run ();
}
