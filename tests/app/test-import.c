/* Importers: what each generation of a format gives, what is said about it, and what hostile files do to it. */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "rf-error.h"
#include "rf-import.h"

static char *
fixture (const char *name)
{
    return g_build_filename (RF_TEST_FIXTURES, "import", name, NULL);
}

static RfImport *
import_fixture (const char *name, RfImportFormat format, GHashTable *map)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = fixture (name);
    g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
    RfImportOptions options = {.map = map, .zone = zone};
    g_assert_cmpint (rf_import_detect (path), ==, format);
    RfImport *import = rf_import_path (path, &options, &error);
    g_assert_no_error (error);
    g_assert_cmpint (import->format, ==, format);
    return import;
}

static void
assert_refused (const char *name, const char *why)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = fixture (name);
    g_autoptr (RfImport) import = rf_import_path (path, NULL, &error);
    g_assert_null (import);
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    if (strstr (error->message, why) == NULL)
        g_error ("%s: %s", name, error->message);
}

static gboolean
says (const RfImport *import, const char *part)
{
    for (guint i = 0; i < import->warnings->len; i++)
        if (strstr (import->warnings->pdata[i], part) != NULL)
            return TRUE;
    return FALSE;
}

static double
cell (const RfImport *import, const char *table, const char *column, gsize row)
{
    RfTable *found = rf_recording_table (import->recording, table);
    g_assert_nonnull (found);
    guint number = rf_table_find (found, column);
    if (number == RF_TABLE_NONE)
        g_error ("no column %s", column);
    g_assert_cmpuint (row, <, rf_table_n_rows (found));
    return (double)rf_table_values (found, number)[row];
}

static gint64
row_time (const RfImport *import, const char *table, gsize row)
{
    return rf_table_times (rf_recording_table (import->recording, table))[row];
}

static gsize
rows (const RfImport *import, const char *table)
{
    return rf_table_n_rows (rf_recording_table (import->recording, table));
}

static void
assert_near (double value, double expected, double within)
{
    if (!(fabs (value - expected) <= within))
        g_error ("%f is not %f within %f", value, expected, within);
}

static void
test_mangohud_new (void)
{
    g_autoptr (RfImport) import = import_fixture ("mangohud-new_2026-03-15_14-30-45.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_cmpuint (rows (import, "frames"), ==, 120);
    assert_near (cell (import, "frames", "frame_ms", 60), 84.5, 0.01);
    assert_near (cell (import, "frames", "vram_used_bytes", 0), 5.25 * 1073741824, 1);
    assert_near (cell (import, "frames", "cpu_power_w", 3), 45.5, 0.001);
    assert_near ((double)(row_time (import, "frames", 60) - row_time (import, "frames", 59)), 84.5e6, 2);
    /* 2026-03-15 14:30:45 UTC */
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1773585045000000));
    g_assert_cmpint (import->recording->anchor_monotonic_ns, ==, 0);
    g_assert_cmpstr (import->recording->machine, ==, "Imaginary 8-Core");
    g_assert_cmpstr (import->recording->kernel, ==, "6.18.1");
    g_assert_true (says (import, "time of its start"));
    g_assert_cmpuint (import->warnings->len, ==, 1);
}

static void
test_mangohud_versioned (void)
{
    /* with version lines and with Windows line ends */
    g_autoptr (RfImport) import = import_fixture ("mangohud-versioned.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_cmpuint (rows (import, "frames"), ==, 10);
    g_assert_cmpstr (import->recording->kernel, ==, "6.18.1");
    g_assert_cmpint (import->recording->anchor_wall_us, ==, 0);
    g_assert_true (says (import, "is not known"));
}

static void
test_mangohud_old (void)
{
    g_autoptr (RfImport) us = import_fixture ("mangohud-us.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_cmpuint (rows (us, "frames"), ==, 100);
    assert_near (cell (us, "frames", "frame_ms", 5), 8.3, 0.31);
    assert_near ((double)row_time (us, "frames", 99) / 1e6, 830, 10);

    g_autoptr (RfImport) oldest = import_fixture ("mangohud-oldest.csv", RF_IMPORT_MANGOHUD, NULL);
    RfTable *frames = rf_recording_table (oldest->recording, "frames");
    g_assert_cmpuint (rf_table_find (frames, "frame_ms"), ==, RF_TABLE_NONE);
    g_assert_cmpint (row_time (oldest, "frames", 1), ==, 100000000);
    g_assert_true (says (oldest, "no frame times"));

    g_autoptr (RfImport) bare = import_fixture ("mangohud-no-elapsed.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_cmpint (row_time (bare, "frames", 0), ==, 20000000);
    g_assert_cmpint (row_time (bare, "frames", 19), ==, 400000000);
    g_assert_true (says (bare, "added up"));
}

static void
test_mangohud_odd (void)
{
    g_autoptr (RfImport) import = import_fixture ("mangohud-generated.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_true (says (import, "2.00 times"));
    assert_near (cell (import, "frames", "frame_ms", 0), 16.6, 0.001);
    assert_refused ("mangohud_summary.csv", "only MangoHud's summary");
    assert_refused ("mangohud-commas.csv", "decimal commas");
}

static void
test_mangohud_end (void)
{
    /* the second generation names the file after the end */
    const char *text
        = "fps,frametime,cpu_load,elapsed\n50,20000,1,20000000\n50,20000,1,40000000\n50,20000,1,2000000000\n";
    g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
    g_autoptr (GError) error = NULL;
    RfImportOptions options = {RF_IMPORT_MANGOHUD, NULL, "a game_2026-03-15_14-30-45.csv", zone};
    g_autoptr (RfImport) import = rf_import_text (text, strlen (text), &options, &error);
    g_assert_no_error (error);
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1773585043000000));
    g_assert_true (says (import, "time of its end"));
    g_assert_true (says (import, "log at intervals"));
}

static const RfEvent *
event_at (const RfImport *import, guint i)
{
    g_assert_cmpuint (i, <, import->recording->events->len);
    return &g_array_index (import->recording->events, RfEvent, i);
}

static void
test_xplane_12 (void)
{
    g_autoptr (RfImport) import = import_fixture ("xplane-12.txt", RF_IMPORT_XPLANE, NULL);
    g_assert_cmpuint (import->recording->events->len, ==, 4);
    /* in order of their beginnings */
    const RfEvent *tile = event_at (import, 0);
    g_assert_cmpint (tile->kind, ==, RF_EVENT_TILE);
    g_assert_cmpstr (tile->subject, ==, "+54+008");
    g_assert_cmpstr (tile->process, ==, "Küste – Übersicht");
    g_assert_cmpint (tile->duration_ns, ==, 412345000);
    g_assert_cmpint (tile->time_ns + tile->duration_ns, ==, G_GINT64_CONSTANT (12500000000));
    g_assert_cmpint (event_at (import, 2)->duration_ns, ==, G_GINT64_CONSTANT (2250000000));
    tile = event_at (import, 3);
    g_assert_cmpstr (tile->process, ==, "A (very) odd.dsf name");
    g_assert_cmpstr (tile->subject, ==, "-34-071");
    g_assert_cmpint (tile->time_ns + tile->duration_ns, ==, G_GINT64_CONSTANT (43384005000000));
    g_assert_cmpstr (import->recording->workload, ==, "X-Plane 12.1.4-r3-made0up1");
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1773585045000000));
}

static void
test_xplane_old (void)
{
    g_autoptr (RfImport) windows = import_fixture ("xplane-11-windows.txt", RF_IMPORT_XPLANE, NULL);
    g_assert_cmpuint (windows->recording->events->len, ==, 2);
    g_assert_cmpstr (event_at (windows, 0)->process, ==, "Flughafen Zürich");
    g_assert_cmpstr (event_at (windows, 0)->subject, ==, "+47+008");
    g_assert_cmpint (event_at (windows, 1)->duration_ns, ==, 1200300000);
    g_assert_true (says (windows, "not UTF-8"));

    g_autoptr (RfImport) ten = import_fixture ("xplane-10.txt", RF_IMPORT_XPLANE, NULL);
    g_assert_cmpuint (ten->recording->events->len, ==, 2);
    g_assert_true (says (ten, "has no times"));
    g_assert_cmpint (ten->recording->anchor_wall_us, ==, 0);
}

static void
test_vmstat (void)
{
    g_autoptr (RfImport) import = import_fixture ("vmstat.txt", RF_IMPORT_VMSTAT, NULL);
    g_assert_cmpuint (rows (import, "samples"), ==, 10);
    /* 2026-12-01 01:40:31 UTC; the line before is the mean since the start */
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796089231000000));
    assert_near (cell (import, "samples", "free_bytes", 0), 19848940.0 * 1024, 2048);
    assert_near (cell (import, "samples", "swap_used_bytes", 0), 2048 * 1024, 0);
    assert_near (cell (import, "samples", "swap_in_bytes_per_s", 9), 9 * 1024, 0);
    assert_near (cell (import, "samples", "cpu_busy_ratio", 3), 0.67, 1e-6);
    assert_near (cell (import, "samples", "cpu_iowait_ratio", 3), 0.1, 1e-6);
    assert_near (cell (import, "samples", "interval_s", 0), 1, 1e-6);

    g_autoptr (RfImport) wide = import_fixture ("vmstat-wide.txt", RF_IMPORT_VMSTAT, NULL);
    g_assert_cmpuint (rows (wide, "samples"), ==, 4);
    /* 02:40:32 CET */
    g_assert_cmpint (wide->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796089232000000));
    assert_near (cell (wide, "samples", "cpu_busy_ratio", 0), 0.85, 1e-6);
    assert_refused ("vmstat-no-clock.txt", "vmstat with -t");
}

static void
test_sar (void)
{
    g_autoptr (RfImport) import = import_fixture ("sar-12h.txt", RF_IMPORT_SAR, NULL);
    const RfRecording *recording = import->recording;
    /* one row at 23:59:01, at midnight and at 00:03:01 */
    g_assert_cmpuint (rows (import, "samples"), ==, 3);
    g_assert_cmpint (recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1798761541000000));
    g_assert_cmpint (row_time (import, "samples", 1), ==, G_GINT64_CONSTANT (60000000000));
    g_assert_cmpint (row_time (import, "samples", 2), ==, G_GINT64_CONSTANT (240000000000));
    assert_near (cell (import, "samples", "free_bytes", 0), 1024000000, 0);
    assert_near (cell (import, "samples", "dirty_bytes", 2), 512 * 1024, 0);
    assert_near (cell (import, "samples", "direct_scan_pages_per_s", 0), 7.25, 0);
    g_assert_true (isnan (cell (import, "samples", "direct_scan_pages_per_s", 2)));
    assert_near (cell (import, "samples", "nvme0n1.write_bytes_per_s", 0), 2048000, 0);
    assert_near (cell (import, "samples", "sda.utilisation", 0), 0.005, 1e-8);
    g_assert_cmpuint (recording->gaps->len, ==, 1);
    const RfGap *gap = &g_array_index (recording->gaps, RfGap, 0);
    g_assert_cmpstr (gap->reason, ==, "restart");
    g_assert_cmpint (gap->start_ns, ==, G_GINT64_CONSTANT (60000000000));
    g_assert_cmpint (gap->end_ns, ==, G_GINT64_CONSTANT (120000000000));
    /* the time after the restart is no interval */
    g_assert_true (isnan (cell (import, "samples", "interval_s", 2)));
    g_assert_cmpstr (recording->kernel, ==, "6.1.0-30-amd64");
    g_assert_cmpstr (recording->machine, ==, "");
    g_assert_true (says (import, "%vmeff"));

    g_autoptr (RfImport) german = import_fixture ("sar-24h-german.txt", RF_IMPORT_SAR, NULL);
    g_assert_cmpuint (rows (german, "samples"), ==, 2);
    assert_near (cell (german, "samples", "cpu_busy_ratio", 0), 0.15, 1e-6);
    assert_near (cell (german, "samples", "cpu_iowait_ratio", 1), 0.05, 1e-6);
    assert_near (cell (german, "samples", "interval_s", 1), 600, 0);
    g_assert_true (says (german, "decimal commas"));
    /* 2026-12-01 00:10:01 */
    g_assert_cmpint (german->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796083801000000));
}

static void
test_sadf (void)
{
    g_autoptr (RfImport) import = import_fixture ("sadf.csv", RF_IMPORT_SADF, NULL);
    g_assert_cmpuint (rows (import, "samples"), ==, 2);
    assert_near (cell (import, "samples", "available_bytes", 1), 2000100.0 * 1024, 100);
    assert_near (cell (import, "samples", "swap_out_bytes_per_s", 1), 2048, 0);
    assert_near (cell (import, "samples", "interval_s", 1), 599, 0);
    assert_near (cell (import, "samples", "nvme0n1.in_flight", 0), 0.1, 1e-6);
    g_assert_true (isnan (cell (import, "samples", "nvme0n1.in_flight", 1)));
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796083801000000));
    g_assert_cmpuint (import->recording->gaps->len, ==, 1);
}

static void
test_csv (void)
{
    g_autoptr (GHashTable) map = g_hash_table_new (g_str_hash, g_str_equal);
    g_hash_table_insert (map, (char *)"stalls", (char *)"allocstalls_per_s");
    g_autoptr (RfImport) import = import_fixture ("table.csv", RF_IMPORT_CSV, map);
    g_assert_cmpuint (rows (import, "samples"), ==, 3);
    assert_near (cell (import, "samples", "allocstalls_per_s", 2), 12.5, 0);
    g_assert_true (isnan (cell (import, "samples", "free_bytes", 1)));
    g_assert_cmpint (import->recording->anchor_wall_us, ==, G_GINT64_CONSTANT (1796040000250000));
    g_assert_true (says (import, "comment"));

    g_autoptr (GHashTable) german = g_hash_table_new (g_str_hash, g_str_equal);
    g_hash_table_insert (german, (char *)"Zeit", (char *)"time");
    g_hash_table_insert (german, (char *)"frei_kB", (char *)"free_bytes*1024");
    g_autoptr (RfImport) commas = import_fixture ("table-german.csv", RF_IMPORT_CSV, german);
    assert_near (cell (commas, "frames", "frame_ms", 1), 17.25, 0);
    assert_near (cell (commas, "frames", "free_bytes", 0), 2097152, 0);
    g_assert_true (says (commas, "decimal commas"));

    assert_refused ("table-german.csv", "no column with the time");
    g_autoptr (GError) error = NULL;
    g_autofree char *path = fixture ("table.csv");
    g_hash_table_insert (map, (char *)"nothing", (char *)"free_bytes");
    RfImportOptions options = {.map = map};
    g_assert_null (rf_import_path (path, &options, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
}

/* Text, of which nothing may be taken as good */
static void
test_hostile (void)
{
    g_autoptr (GString) long_line = g_string_new ("fps,frametime,cpu_load\n");
    g_autoptr (GString) many_fields = g_string_new ("fps,frametime,cpu_load");
    for (guint i = 0; i < 70000; i++)
        g_string_append_c (long_line, '9');
    for (guint i = 0; i < 600; i++)
        g_string_append (many_fields, ",a");
    g_string_append (many_fields, "\n60,16,1\n");
    const struct {
        const char *text;
        gsize length; /* 0: strlen */
        RfImportFormat format;
        const char *why;
    } cases[] = {
        {"", 0, RF_IMPORT_MANGOHUD, "empty"},
        {"\0\0\0", 3, RF_IMPORT_MANGOHUD, "empty"},
        {"\xef\xbb\xbf", 3, RF_IMPORT_CSV, "empty"},
        {"fps,frametime,cpu_load\n60\0,16,1\n", 32, RF_IMPORT_MANGOHUD, "not a text"},
        {"\xff\xfe"
         "f\0p\0s\0",
         8, RF_IMPORT_MANGOHUD, "UTF-16"},
        {"\xfd"
         "7zXZ\0\0",
         7, RF_IMPORT_MANGOHUD, "compressed"},
        {"fps,frametime,cpu_load\n", 0, RF_IMPORT_MANGOHUD, "no line"},
        {"fps,frametime,cpu_load\n60,\"16,1\n", 0, RF_IMPORT_MANGOHUD, "no line"},
        {"fps,frametime,cpu_load\n60,1e999,1\n60,inf,1\n60,0x10,1\n", 0, RF_IMPORT_MANGOHUD, "no line"},
        {"fps,frametime,elapsed\n60,16,-5\n60,16,99999999999999999999\n", 0, RF_IMPORT_MANGOHUD, "no line"},
        {"fps,frametime,elapsed\n60,16,5\n60,16,4\n60,16,3\n", 0, RF_IMPORT_MANGOHUD, "Most of it"},
        {long_line->str, 0, RF_IMPORT_MANGOHUD, "no line"},
        {many_fields->str, 0, RF_IMPORT_MANGOHUD, "no column"},
        {"\n\n\r\n", 0, RF_IMPORT_XPLANE, "no line"},
        {"nothing of a flight\n", 0, RF_IMPORT_XPLANE, "not a log"},
        {"0:00:01.000 DSF load time: 99999999999999999999 for file a.dsf\n", 0, RF_IMPORT_XPLANE, "no line"},
        {"0:00:01.000 DSF load time: 5 for file .dsf\n", 0, RF_IMPORT_XPLANE, "no line"},
        {" swpd si so UTC\n1 2 3 2026-13-01 01:02:03\n", 0, RF_IMPORT_VMSTAT, "no line"},
        {"1 2 3\n", 0, RF_IMPORT_VMSTAT, "no line"},
        {"Linux 6.1 (h) 99/99/99 _x86_64_ (4 CPU)\n", 0, RF_IMPORT_SAR, "date"},
        {"Linux 6.1 (h) 2026-02-31 _x86_64_ (4 CPU)\n01:00:01 kbmemfree kbavail\n01:10:01 5 6\n01:20:01 5 6\n", 0,
         RF_IMPORT_SAR, "Most of it"},
        {"# hostname;interval;timestamp;a/s\nh;1;2026-12-01 00:00:00 UTC;5\n", 0, RF_IMPORT_SADF, "no column"},
        {"a\n", 0, RF_IMPORT_CSV, "name columns"},
        {"a,b\n1,2\n", 0, RF_IMPORT_CSV, "no column with the time"},
        {"time,b\n1,2\n", 0, RF_IMPORT_CSV, "--map COLUMN=NAME"},
        {"time_ns,free_bytes\n-1,2\n1.5,2\n", 0, RF_IMPORT_CSV, "no line"},
        {"anything", 0, RF_IMPORT_FLIGHT, "nothing that can"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        RfImportOptions options = {.format = cases[i].format};
        g_autoptr (GError) error = NULL;
        gsize length = cases[i].length != 0 ? cases[i].length : strlen (cases[i].text);
        g_autoptr (RfImport) import = rf_import_text (cases[i].text, length, &options, &error);
        if (import != NULL)
            g_error ("case %" G_GSIZE_FORMAT " was taken", i);
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
        if (strstr (error->message, cases[i].why) == NULL)
            g_error ("case %" G_GSIZE_FORMAT ": %s", i, error->message);
    }
}

/* A damaged line costs that line */
static void
test_damaged (void)
{
    const char *text = "fps,frametime,cpu_load,elapsed\n50,20,1,20000000\n50,2x,1,40000000\n50,20,1\n50,20,1,"
                       "60000000\n50,20,1,80000000";
    g_autofree char *with_nul = g_malloc0 (strlen (text) + 64);
    g_autoptr (GError) error = NULL;
    RfImportOptions options = {.format = RF_IMPORT_MANGOHUD};
    memcpy (with_nul, text, strlen (text));
    g_autoptr (RfImport) import = rf_import_text (with_nul, strlen (text) + 64, &options, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (rows (import, "frames"), ==, 3);
    g_assert_true (says (import, "2 lines were not understood; the first is line 3."));
    g_assert_true (says (import, "as after a crash"));
}

static void
test_files (void)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("rf-import-XXXXXX", &error);
    g_autofree char *pipe = g_build_filename (folder, "pipe.csv", NULL);
    g_autofree char *missing = g_build_filename (folder, "missing.csv", NULL);
    g_autofree char *binary = g_build_filename (folder, "binary.csv", NULL);
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
    g_assert_true (g_file_set_contents (binary,
                                        "\x7f"
                                        "ELF\0\1\2",
                                        7, NULL));

    /* nobody writes into the pipe; that is no reason to wait */
    g_assert_cmpint (rf_import_detect (pipe), ==, RF_IMPORT_NONE);
    g_assert_null (rf_import_path (pipe, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    g_assert_null (rf_import_path (missing, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE);
    g_clear_error (&error);
    g_assert_null (rf_import_path (binary, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    g_assert_null (rf_import_path (folder, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);

    g_clear_error (&error);
    /* larger than is taken; refused before it is read */
    g_autofree char *large = g_build_filename (folder, "large.csv", NULL);
    int fd = g_open (large, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    g_assert_cmpint (fd, >=, 0);
    g_assert_cmpint (ftruncate (fd, (off_t)RF_IMPORT_BYTES_MAX + 1), ==, 0);
    g_assert_cmpint (close (fd), ==, 0);
    g_assert_null (rf_import_path (large, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_assert_nonnull (strstr (error->message, "too large"));

    g_assert_cmpint (g_unlink (large), ==, 0);
    g_assert_cmpint (g_unlink (pipe), ==, 0);
    g_assert_cmpint (g_unlink (binary), ==, 0);
    g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_join (void)
{
    g_autoptr (RfImport) log = import_fixture ("mangohud-new_2026-03-15_14-30-45.csv", RF_IMPORT_MANGOHUD, NULL);
    g_autoptr (RfImport) tiles = import_fixture ("xplane-12.txt", RF_IMPORT_XPLANE, NULL);
    g_autoptr (RfRecording) into = rf_recording_new ();
    g_autoptr (GError) error = NULL;
    RfTable *samples = rf_table_new ("samples");
    gint64 second = 1000000000, first_frame = row_time (log, "frames", 0);
    rf_table_add_column (samples, "free_bytes");
    for (gint64 i = 0; i < 30; i++)
        rf_table_append (samples, (100 + i) * second, (float[]){1});
    rf_recording_add_table (into, samples);

    g_assert_false (rf_import_join (into, log->recording, 0, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    /* the log begins ten seconds after the recording's 100 */
    into->anchor_monotonic_ns = 100 * second;
    into->anchor_wall_us = log->recording->anchor_wall_us - 10 * G_USEC_PER_SEC;
    g_assert_false (rf_import_join (into, log->recording, 3600 * second, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    g_assert_true (rf_import_join (into, log->recording, second / 2, &error));
    g_assert_no_error (error);
    RfTable *frames = rf_recording_table (into, "frames");
    g_assert_cmpuint (rf_table_n_rows (frames), ==, 120);
    g_assert_cmpint (rf_table_times (frames)[0], ==, 110 * second + second / 2 + first_frame);

    g_assert_true (rf_import_join (into, tiles->recording, 0, &error));
    g_assert_cmpuint (into->events->len, ==, 4);
    g_assert_cmpint (g_array_index (into->events, RfEvent, 0).time_ns, ==, 110 * second + 12500000000 - 412345000);

    /* twice is once too often */
    g_autoptr (RfImport) again = import_fixture ("mangohud-new_2026-03-15_14-30-45.csv", RF_IMPORT_MANGOHUD, NULL);
    g_assert_false (rf_import_join (into, again->recording, 0, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    /* a clock that somebody made up */
    again->recording->anchor_wall_us = G_MININT64;
    into->anchor_wall_us = G_MAXINT64;
    g_assert_false (rf_import_join (into, again->recording, 0, &error));
}

/* 2026-12-01 23:59:58 UTC: the local clock has another day already */
#define FLIGHT_START G_GINT64_CONSTANT (1796169598)

static void
put (const char *folder, const char *file, const char *text)
{
    g_autofree char *path = g_build_filename (folder, file, NULL);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
take_away (const char *folder)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    const char *file;
    while ((file = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (folder, file, NULL);
        g_assert_cmpint (g_unlink (path), ==, 0);
    }
    g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* An hour in which programs waited for memory three times */
static char *
make_flight (void)
{
    g_autoptr (GString) vmstat = g_string_new ("timestamp,allocstall_s,pgsteal_direct_s,nr_dirty\n");
    g_autoptr (GString) memory = g_string_new ("timestamp,total_mb,free_mb,available_mb\n");
    char *folder = g_dir_make_tmp ("rf-flight-XXXXXX", NULL);
    for (int i = 0; i < 3600; i++) {
        gboolean stall = i == 100 || i == 1210 || i == 3000;
        g_string_append_printf (vmstat, "%" G_GINT64_FORMAT ".500,%d.0,%d,10\n", FLIGHT_START + i, stall ? 5 : 0,
                                stall ? 90 : 0);
        g_string_append_printf (memory, "%" G_GINT64_FORMAT ".500,1000,%d,700\n", FLIGHT_START + i, 500 - i % 7);
    }
    put (folder, "vmstat.csv", vmstat->str);
    put (folder, "mem.csv", memory->str);
    return folder;
}

static RfImport *
import_folder (const char *folder)
{
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (rf_import_detect (folder), ==, RF_IMPORT_FLIGHT);
    RfImport *import = rf_import_path (folder, NULL, &error);
    g_assert_no_error (error);
    return import;
}

static void
test_flight (void)
{
    g_autofree char *folder = make_flight ();
    /* a clock that is 5:30 ahead of UTC */
    put (folder, "trace_reclaim.log",
         "Attaching 4 probes...\n05:31:38 KSWAPD_WAKE nid=0 order=0\n"
         "05:31:38 pid=7 comm=Main Thread reclaim_us=38 nr_reclaimed=64\n"
         "05:50:08 pid=8 comm=a reclaim_us=1, reclaim_us=39 nr_reclaimed=6\n"
         "06:19:58 pid=7 comm=Main Thread reclaim_us=9470 nr_reclaimed=32\n"
         "06:20:00 pid=x comm=b reclaim_us=1 nr_reclaimed=1\n");
    put (folder, "psi.csv", "timestamp,mem_some10\n1796169598.5,0.00\n1796169599.5,12.50\n");
    put (folder, "vram.csv", "timestamp,pcie_tx_kbs,pcie_rx_kbs,throttle_reasons,perf_state\n1796169598.5,10,20,4,2\n");
    put (folder, "xplane_events.csv",
         "timestamp,rel_offset_s,category,message\n1796169600.5,2,DSF,\"+47+008.dsf "
         "(22ms)\"\n1796169601.0,2,ERROR,\"a, b\"\n");
    g_autoptr (RfImport) import = import_folder (folder);
    g_assert_true (says (import, "UTC+5:30"));
    g_assert_true (says (import, "trace_reclaim.log: 1 line was not understood"));
    g_assert_true (says (import, "xplane_events.csv: 1 event of a kind"));
    g_assert_false (says (import, "no PSI"));
    g_assert_false (says (import, "last four columns"));
    g_assert_true (says (import, "xplane_telemetry.csv is not there"));
    g_assert_cmpuint (import->recording->events->len, ==, 4);
    const RfEvent *event = event_at (import, 0);
    g_assert_cmpint (event->kind, ==, RF_EVENT_TILE);
    g_assert_cmpint (event->time_ns, ==, 2000000000 - 22000000);
    event = event_at (import, 2);
    g_assert_cmpstr (event->process, ==, "a reclaim_us=1,");
    g_assert_cmpint (event->pid, ==, 8);
    /* cut to the second, half a second before the sample that counted it */
    g_assert_cmpint (event->time_ns, ==, G_GINT64_CONSTANT (1209500000000));
    assert_near (cell (import, "gpu", "pcie_tx_bytes_per_s", 0), 10240, 0);
    assert_near (cell (import, "gpu", "performance_state", 0), 2, 0);
    assert_near (cell (import, "psi", "psi_memory_some_avg10_ratio", 1), 0.125, 1e-6);
    assert_near (cell (import, "samples", "free_bytes", 1), 499 * 1048576.0, 0);
    assert_near (cell (import, "samples", "dirty_bytes", 1), 40960, 0);
    take_away (folder);
}

/* The local clock passes midnight on the way */
static void
test_flight_midnight (void)
{
    g_autofree char *folder = make_flight ();
    put (folder, "trace_reclaim.log",
         "23:31:38 pid=7 comm=a reclaim_us=38 nr_reclaimed=64\n23:50:08 pid=7 comm=a reclaim_us=38 nr_reclaimed=64\n"
         "00:19:58 pid=7 comm=a reclaim_us=38 nr_reclaimed=64\n");
    g_autoptr (RfImport) import = import_folder (folder);
    g_assert_true (says (import, "UTC-0:30"));
    g_assert_cmpint (event_at (import, 0)->time_ns, ==, G_GINT64_CONSTANT (99500000000));
    g_assert_cmpint (event_at (import, 2)->time_ns, ==, G_GINT64_CONSTANT (2999500000000));
    take_away (folder);
}

/* What fits nowhere, or at two places, has no time */
static void
test_flight_clock (void)
{
    g_autofree char *folder = make_flight ();
    put (folder, "trace_reclaim.log", "03:14:15 pid=7 comm=a reclaim_us=38 nr_reclaimed=64\n");
    g_autoptr (RfImport) astray = import_folder (folder);
    g_assert_true (says (astray, "cannot be told from the data"));
    g_assert_cmpuint (astray->recording->events->len, ==, 0);
    g_assert_nonnull (rf_recording_table (astray->recording, "samples"));

    put (folder, "vmstat.csv", "garbage\n");
    put (folder, "mem.csv", "timestamp,free_mb\n1796169598.5,1\n");
    g_autoptr (RfImport) part = import_folder (folder);
    g_assert_true (says (part, "vmstat.csv was left out"));
    g_assert_null (rf_recording_table (part->recording, "samples"));

    put (folder, "mem.csv", "timestamp,free_mb\nyesterday,1\n");
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_import_path (folder, NULL, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    take_away (folder);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/import/mangohud/new", test_mangohud_new);
    g_test_add_func ("/import/mangohud/versioned", test_mangohud_versioned);
    g_test_add_func ("/import/mangohud/old", test_mangohud_old);
    g_test_add_func ("/import/mangohud/odd", test_mangohud_odd);
    g_test_add_func ("/import/mangohud/end", test_mangohud_end);
    g_test_add_func ("/import/xplane/12", test_xplane_12);
    g_test_add_func ("/import/xplane/old", test_xplane_old);
    g_test_add_func ("/import/vmstat", test_vmstat);
    g_test_add_func ("/import/sar", test_sar);
    g_test_add_func ("/import/sadf", test_sadf);
    g_test_add_func ("/import/csv", test_csv);
    g_test_add_func ("/import/flight", test_flight);
    g_test_add_func ("/import/flight-midnight", test_flight_midnight);
    g_test_add_func ("/import/flight-clock", test_flight_clock);
    g_test_add_func ("/import/hostile", test_hostile);
    g_test_add_func ("/import/damaged", test_damaged);
    g_test_add_func ("/import/files", test_files);
    g_test_add_func ("/import/join", test_join);
    return g_test_run ();
}
