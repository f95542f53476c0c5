#include "config.h"

#include "rf-tunable-text.h"

#include <locale.h>
#include <math.h>

#include <glib/gstdio.h>

/* The German locale is made on the spot, so that the test does not depend on what the machine has. */
static char *
make_german (void)
{
    g_autofree char *folder = g_dir_make_tmp ("rf-locale-XXXXXX", NULL);
    g_assert_nonnull (folder);
    g_autofree char *target = g_build_filename (folder, "de_DE", NULL);
    const char *argv[] = {"localedef", "-i", "de_DE", "-f", "ISO-8859-1", target, NULL};
    int status = 0;
    gboolean ran = g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                                 NULL, NULL, NULL, &status, NULL);
    return ran && g_file_test (target, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&folder) : NULL;
}

static void
remove_folder (const char *folder)
{
    const char *argv[] = {"rm", "-rf", "--", folder, NULL};
    g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

#define expect(call, text)                                                                                             \
    do {                                                                                                               \
        g_autofree char *got = (call);                                                                                 \
        g_assert_cmpstr (got, ==, text);                                                                               \
    } while (0)

#define KIB G_GUINT64_CONSTANT (1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

static void
bytes (void)
{
    static const struct {
        guint64 bytes;
        const char *text;
    } table[] = {
        {0, "0 B"},
        {1, "1 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {67584 * KIB, "66 MiB"},
        {150 * MIB, "150 MiB"},
        {MIB - 1, "1 MiB"},
        {GIB - 1, "1 GiB"},
        {GIB, "1 GiB"},
        {GIB + GIB / 2 - 1, "1.5 GiB"},
        {8 * GIB, "8 GiB"},
        {15 * GIB + GIB / 2, "15.5 GiB"},
        {94 * GIB + GIB / 5, "94.2 GiB"},
        {512 * GIB, "512 GiB"},
        {2048 * GIB, "2 TiB"},
        {G_MAXUINT64, "16777216 TiB"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        expect (rf_format_bytes (table[i].bytes), table[i].text);
    expect (rf_format_disk_bytes (G_GUINT64_CONSTANT (1000204886016)), "1 TB");
    expect (rf_format_disk_bytes (G_GUINT64_CONSTANT (512110190592)), "512 GB");
    expect (rf_format_disk_bytes (0), "0 B");
}

static void
rates (void)
{
    expect (rf_format_bytes_per_s (0), "0 B/s");
    expect (rf_format_bytes_per_s (999), "999 B/s");
    expect (rf_format_bytes_per_s (999.9), "1 kB/s");
    expect (rf_format_bytes_per_s (850e3), "850 kB/s");
    expect (rf_format_bytes_per_s (12.4e6), "12 MB/s");
    expect (rf_format_bytes_per_s (1.44e9), "1.4 GB/s");
    expect (rf_format_bytes_per_s (NAN), "not available");
    expect (rf_format_per_s (0), "0 /s");
    expect (rf_format_per_s (0.44), "0.4 /s");
    expect (rf_format_per_s (38.4), "38 /s");
    expect (rf_format_per_s (NAN), "not available");
    expect (rf_format_percent (0), "0 %");
    expect (rf_format_percent (0.0001), "< 0.1 %");
    expect (rf_format_percent (0.015), "1.5 %");
    expect (rf_format_percent (0.996), "100 %");
    expect (rf_format_percent (NAN), "not available");
    expect (rf_format_ms (0.08), "0.08 ms");
    expect (rf_format_ms (1.94), "1.9 ms");
    expect (rf_format_ms (47.3), "47 ms");
    expect (rf_format_ms (9999), "9999 ms");
    expect (rf_format_ms (28743), "28.7 s");
    expect (rf_format_ms (NAN), "not available");
}

static void
durations (void)
{
    static const struct {
        double seconds;
        const char *text;
    } table[] = {
        {0, "0 s"},         {0.25, "0.25 s"}, {5, "5 s"},    {15, "15 s"},        {59.999, "60 s"}, {60, "1 min"},
        {90, "1 min 30 s"}, {120, "2 min"},   {3600, "1 h"}, {3900, "1 h 5 min"}, {7200, "2 h"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        expect (rf_format_duration (table[i].seconds), table[i].text);
    expect (rf_format_duration (NAN), "not available");
    expect (rf_format_duration (1e300), "1193046 h 28 min");
}

static void
measures (void)
{
    expect (rf_measure_format (RF_MEASURE_PER_SECOND, 12), "12 /s");
    expect (rf_measure_format (RF_MEASURE_PAGES_PER_SECOND, 75000), "75000 pages/s");
    expect (rf_measure_format (RF_MEASURE_BYTES, 150.0 * 1024 * 1024), "150 MiB");
    expect (rf_measure_format (RF_MEASURE_BYTES, -1), "0 B");
    expect (rf_measure_format (RF_MEASURE_BYTES_PER_SECOND, 2e6), "2 MB/s");
    expect (rf_measure_format (RF_MEASURE_RATIO, 0.5), "50 %");
    expect (rf_measure_format (RF_MEASURE_COUNT, 3), "3");
    expect (rf_measure_format (RF_MEASURE_PLAIN, 1.17), "1.17");
    for (int measure = RF_MEASURE_PER_SECOND; measure <= RF_MEASURE_PLAIN; measure++)
        expect (rf_measure_format ((RfMeasure)measure, NAN), "not available");
}

static void
german (void)
{
    g_autofree char *folder = make_german ();
    if (folder == NULL) {
        g_test_skip ("localedef or its sources are not installed");
        return;
    }
    g_setenv ("LOCPATH", folder, TRUE);
    g_assert_nonnull (setlocale (LC_ALL, "de_DE"));
    const RfTunable *factor = rf_tunable_find ("vm.watermark_scale_factor");
    const RfTunable *reserve = rf_tunable_find ("vm.min_free_kbytes");
    RfValue sixty_two = rf_value_int (62), large = rf_value_int (1048576);
    /* only the number follows the locale here: no catalogue is bound */
    expect (rf_format_bytes (GIB + GIB / 2), "1,5 GiB");
    expect (rf_format_per_s (1234567), "1.234.567 /s");
    expect (rf_format_percent (0.015), "1,5 %");
    expect (rf_format_percent (0.0001), "< 0,1 %");
    expect (rf_format_ms (0.08), "0,08 ms");
    expect (rf_value_text (factor, &sixty_two), "0,62 % of memory");
    /* what the kernel gets has neither comma nor dot */
    expect (rf_value_raw_text (reserve, &large), "1048576");
    g_assert_nonnull (setlocale (LC_ALL, "C"));
    remove_folder (folder);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/format/bytes", bytes);
    g_test_add_func ("/format/rates", rates);
    g_test_add_func ("/format/durations", durations);
    g_test_add_func ("/format/measures", measures);
    g_test_add_func ("/format/german", german);
    return g_test_run ();
}
