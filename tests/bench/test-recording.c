/* A recording of eight hours: what loading it takes beside reading the file plainly and looking for the ends of lines,
 * and what its phases and metrics take. Time is printed; what can fail are rows, reads, memory and values. */
#define G_LOG_DOMAIN "test-recording"
#include "config.h"

#include "rf-metrics.h"
#include "rf-phases.h"
#include "rf-recording-file.h"
#include "rf-sample.h"
#include "rf-table-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ROWS = 8 * 3600 * 10,
    COLUMNS = 60,
    KINDS = 500, /* different lines; enough that nothing is learnt by heart */
    MIB_MAX = 150,
};

static double
cpu_s (void)
{
    struct timespec now;
    g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now), ==, 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static guint64
number_in (const char *file, const char *key)
{
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
    const char *found = strstr (text, key);
    g_assert_nonnull (found);
    return g_ascii_strtoull (found + strlen (key), NULL, 10);
}

static void
write_samples (int fd)
{
    g_autoptr (GRand) rand = g_rand_new_with_seed (5);
    g_autoptr (GPtrArray) kinds = g_ptr_array_new_with_free_func (g_free);
    for (guint k = 0; k < KINDS; k++) {
        GString *line = g_string_new (NULL);
        for (guint i = 1; i < COLUMNS; i++)
            switch (i % 5) {
            case 0:
                g_string_append_printf (line, ",%" G_GUINT64_FORMAT, (guint64)g_rand_int (rand) * 3);
                break;
            case 1:
            case 2:
                g_string_append_printf (line, ",%.6f", g_rand_double_range (rand, 0, 1000));
                break;
            default:
                g_string_append (line, i % 5 == 3 ? ",0" : ",");
            }
        g_string_append_c (line, '\n');
        g_ptr_array_add (kinds, g_string_free (line, FALSE));
    }
    g_autoptr (GString) text = g_string_new ("time_ns,interval_s");
    for (guint i = 1; i < COLUMNS; i++)
        if (i <= RF_N_COLUMNS)
            g_string_append_printf (text, ",%s", rf_column_info (i - 1)->name);
        else
            g_string_append_printf (text, ",column_%u", i);
    g_string_append_c (text, '\n');
    for (guint row = 0; row < ROWS; row++) {
        g_string_append_printf (text, "%" G_GINT64_FORMAT ",0.1%s", G_GINT64_CONSTANT (100000000) * (row + 1),
                                (const char *)kinds->pdata[row % KINDS]);
        if (text->len > 1024 * 1024 || row + 1 == ROWS) {
            g_assert_true (rf_fd_write_all (fd, text->str, text->len, NULL));
            g_string_truncate (text, 0);
        }
    }
}

static double
read_plainly (const char *file)
{
    static char buffer[256 * 1024];
    double before = cpu_s ();
    guint lines = 0;
    gssize got;
    int fd = open (file, O_RDONLY | O_CLOEXEC);
    while ((got = read (fd, buffer, sizeof buffer)) > 0)
        for (const char *p = buffer; (p = memchr (p, '\n', (gsize)(buffer + got - p))) != NULL; p++)
            lines++;
    close (fd);
    g_assert_cmpuint (lines, ==, ROWS + 1);
    return cpu_s () - before;
}

/* what the window does with it; it would do so in a thread */
static void
analyse (const RfRecording *recording, double plain)
{
    gint64 start_ns, end_ns;
    RfPhases phases;
    guint available = 0;
    double before = cpu_s ();
    g_assert_true (rf_recording_span (recording, &start_ns, &end_ns));
    rf_phases_find (recording, &phases);
    double found = cpu_s ();
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, start_ns, end_ns + 1);
    double took = cpu_s () - found;
    for (guint i = 0; i < values->len; i++)
        available += ((const RfMetricValue *)values->pdata[i])->missing == RF_MISSING_NOT;
    g_test_message ("phases in %.2f s of the processor, %u of %u values in %.2f s; %.1f times plain reading",
                    found - before, available, values->len, took, (found - before + took) / plain);
    g_assert_cmpuint (available, >, 10);
}

static void
test_eight_hours (void)
{
    g_autofree char *folder = g_dir_make_tmp ("ruckelfrei-XXXXXX", NULL);
    g_autofree char *samples = g_build_filename (folder, "samples.csv", NULL);
    g_autofree char *ini = g_build_filename (folder, "session.ini", NULL);
    g_assert_true (g_file_set_contents (ini, "[session]\nsource=helper\nend-reason=stopped\n", -1, NULL));
    int fd = open (samples, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    write_samples (fd);
    guint64 bytes = (guint64)lseek (fd, 0, SEEK_END);
    close (fd);
    double plain = read_plainly (samples);

    guint64 reads = number_in ("/proc/self/io", "syscr: "), resident = number_in ("/proc/self/status", "VmRSS:");
    double before = cpu_s ();
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = rf_recording_load (folder, &state, NULL);
    double took = cpu_s () - before;
    reads = number_in ("/proc/self/io", "syscr: ") - reads;
    g_assert_nonnull (recording);
    analyse (recording, plain);
    guint64 mib = (number_in ("/proc/self/status", "VmHWM:") - resident) / 1024;
    g_test_message ("%.0f MB: loaded in %.2f s of the processor, %.1f times plain reading (%.3f s); %" G_GUINT64_FORMAT
                    " reads, %" G_GUINT64_FORMAT " MiB",
                    (double)bytes / 1e6, took, took / plain, plain, reads, mib);
    g_assert_null (rf_recording_state_text (state));
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), ==, ROWS);
    g_assert_cmpuint (rf_table_n_columns (rf_recording_table (recording, "samples")), ==, COLUMNS);
    /* one pass with large reads, and little more memory than the numbers have */
    g_assert_cmpuint (reads, <=, bytes / (128 * 1024) + 50);
    g_assert_cmpuint (mib, <=, MIB_MAX);
    (void)g_unlink (samples);
    (void)g_unlink (ini);
    (void)g_rmdir (folder);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bench/recording/eight-hours", test_eight_hours);
    return g_test_run ();
}
