/* How far the numbers of a comparison can be believed: pairs of recordings drawn from one process, of which at most one
 * in twenty may be called different, and pairs with a true change, which must be found. The seeds are fixed. Prints the
 * table of the README with RF_WEEKLY=yes; the short form has a tenth of the pairs, and of long recordings only those
 * that are like each other for an hour. With -m slow the shortest length that will do is looked for, too. And: eight
 * hours at ten looks a second. */
#define G_LOG_DOMAIN "test-calibration"
#include "config.h"

#include "rf-comparison.h"
#include "rf-random.h"
#include "rf-sample.h"
#include "rf-test-growth.h"
#include "rf-test-process.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

/* how many pairs */
#define ALIKE rf_test_rounds (100, 1000)
#define CHANGED rf_test_rounds (40, 200)

enum {
    HOUR = 60,
    LONG = 4 * HOUR,
    EIGHT_HOURS = 8 * 3600 * 10,
};

#define CHANGE 1.2
#define LARGE_CHANGE 2.0

/* the shortest length of ours that finds a change of 20 % in four pairs of five: what -m slow has found */
static const guint recommended[RF_N_PROCESSES] = {
    [RF_PROCESS_STALLS] = 120,  [RF_PROCESS_EPISODES] = 1440, [RF_PROCESS_PRESSURE] = 480,
    [RF_PROCESS_LATENCY] = 120, [RF_PROCESS_FRAMES] = 480,
};
static const guint lengths[] = {60, 120, 240, 480, 960, 1440};

typedef struct {
    double any;  /* share of pairs in which any row is called different */
    double felt; /* in which the main verdict is better or worse */
} Share;

static Share
compare_pairs (RfProcess process, guint minutes, double factor, guint pairs)
{
    const RfPhaseKind whole = RF_PHASE_WHOLE;
    Share share = {0, 0};
    for (guint i = 0; i < pairs; i++) {
        guint64 seed = ((guint64)process << 40) + ((guint64)minutes << 24) + 2 * i;
        g_autoptr (RfRecording) a = rf_process_record (process, minutes, 1, seed);
        g_autoptr (RfRecording) b = rf_process_record (process, minutes, factor, seed + 1);
        g_autoptr (RfComparison) comparison = rf_comparison_new (&(RfRun){a, NULL}, 1, &(RfRun){b, NULL}, 1, &whole);
        gboolean any = FALSE;
        for (guint j = 0; j < comparison->rows->len; j++)
            any |= ((RfComparisonRow *)comparison->rows->pdata[j])->outcome < RF_OUTCOME_SAME;
        share.any += any ? 100.0 / pairs : 0;
        share.felt += comparison->outcome < RF_OUTCOME_SAME ? 100.0 / pairs : 0;
    }
    return share;
}

static void
print_row (RfProcess process, guint minutes, Share alike, double found, double found_large)
{
    g_print ("# | %s | %u h | %.1f %% | %.0f %% | %.0f %% |\n", rf_process_name (process), minutes / 60, alike.any,
             found, found_large);
}

static void
test_process (gconstpointer data)
{
    RfProcess process = GPOINTER_TO_UINT (data);
    guint minutes = recommended[process];
    Share alike = compare_pairs (process, minutes, 1, ALIKE);
    double found = compare_pairs (process, minutes, CHANGE, CHANGED).felt;
    double large = compare_pairs (process, HOUR, LARGE_CHANGE, CHANGED).felt;
    print_row (process, minutes, alike, found, large);
    g_assert_cmpfloat (alike.any, <=, 5);
    g_assert_cmpfloat (found, >=, 80);
}

/* an hour of each, and all metrics at once: the correction for their number is in this */
static void
test_alike (gconstpointer data)
{
    RfProcess process = GPOINTER_TO_UINT (data);
    Share alike = compare_pairs (process, HOUR, 1, ALIKE);
    g_print ("# %s, 1 h: of %u pairs of one process %.1f %% called different\n", rf_process_name (process), ALIKE,
             alike.any);
    g_assert_cmpfloat (alike.any, <=, 5);
}

/* Several recordings on each side, as many as a patient person makes; the recording is the unit. */
static void
test_units (void)
{
    static const guint sides[] = {3, 5, 8};
    const RfPhaseKind whole = RF_PHASE_WHOLE;
    for (guint k = 0; k < G_N_ELEMENTS (sides); k++) {
        guint n = sides[k], alike = 0, pairs = ALIKE;
        for (guint i = 0; i < pairs; i++) {
            RfRun runs[16];
            for (guint j = 0; j < 2 * n; j++)
                runs[j] = (RfRun){rf_process_record (RF_PROCESS_STALLS, 1, 1, ((guint64)n << 40) + i * 16 + j), NULL};
            g_autoptr (RfComparison) comparison = rf_comparison_new (runs, n, runs + n, n, &whole);
            gboolean any = FALSE;
            for (guint j = 0; j < comparison->rows->len; j++)
                any |= ((RfComparisonRow *)comparison->rows->pdata[j])->outcome < RF_OUTCOME_SAME;
            alike += any;
            for (guint j = 0; j < 2 * n; j++)
                rf_recording_free ((RfRecording *)runs[j].recording);
        }
        g_print ("# %u recordings of a minute on each side: %.1f %% called different\n", n, 100.0 * alike / pairs);
        g_assert_cmpuint (alike * 20, <=, pairs);
    }
}

static void
test_search (gconstpointer data)
{
    RfProcess process = GPOINTER_TO_UINT (data);
    guint found = 0;
    for (guint i = 0; i < G_N_ELEMENTS (lengths) && found == 0; i++) {
        double share = compare_pairs (process, lengths[i], CHANGE, CHANGED).felt;
        g_print ("# %s: a change of 20 %% is found in %.0f %% of pairs of %u min\n", rf_process_name (process), share,
                 lengths[i]);
        if (share >= 80)
            found = lengths[i];
    }
    g_assert_cmpuint (found, ==, recommended[process]);
}

static double
cpu_s (void)
{
    struct timespec now;
    g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now), ==, 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* in MiB, as the kernel has counted it */
static double
resident (const char *key)
{
    g_autofree char *text = NULL;
    g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
    const char *at = g_strstr_len (text, -1, key);
    g_assert_nonnull (at);
    return (double)g_ascii_strtoull (at + strlen (key), NULL, 10) / 1024;
}

static RfRecording *
eight_hours (void)
{
    RfRecording *recording = rf_recording_new ();
    RfTable *samples = rf_recording_add_table (recording, rf_table_new ("samples"));
    RfRandom random = {1};
    float row[64] = {0};
    rf_table_add_column (samples, "interval_s");
    for (guint c = 0; c < RF_N_COLUMNS; c++)
        rf_table_add_column (samples, rf_column_info (c)->name);
    rf_table_add_column (samples, "sda.write_iops");
    rf_table_add_column (samples, "sda.write_bytes_per_s");
    rf_table_add_column (samples, "sda.write_latency_ms");
    for (guint i = 0; i < EIGHT_HOURS; i++) {
        for (guint c = 0; c < RF_N_COLUMNS + 4; c++)
            row[c] = (float)rf_random_unit (&random);
        row[0] = 0.1f;
        row[1] = rf_random_below (&random, 50) == 0 ? 100 : 0;
        row[1 + RF_COLUMN_FREE] = (float)(4e9 + 1e9 * rf_random_unit (&random));
        rf_table_append (samples, (gint64)i * 100000000, row);
    }
    return recording;
}

/* Time is printed and only has to be far from hopeless, as the machine may be busy; what can fail is the ratio to
 * reading every number of the table once. */
static void
test_eight_hours (void)
{
    g_autoptr (RfRecording) recording = eight_hours ();
    RfTable *samples = rf_recording_table (recording, "samples");
    gint64 start_ns, end_ns;
    volatile double sum = 0; /* so that the compiler does not leave the reading out */
    double begin = cpu_s ();
    for (guint c = 0; c < rf_table_n_columns (samples); c++)
        for (gsize i = 0; i < rf_table_n_rows (samples); i++)
            sum += rf_table_values (samples, c)[i];
    g_assert_cmpfloat (sum, >, 0);
    double reading = cpu_s () - begin, before = resident ("VmRSS:");
    begin = cpu_s ();
    RfPhases phases;
    rf_phases_find (recording, &phases);
    g_assert_true (rf_phases_range (&phases, recording, RF_PHASE_WHOLE, &start_ns, &end_ns));
    g_autoptr (GPtrArray) values = rf_metrics_compute (recording, start_ns, end_ns);
    double analysing = cpu_s () - begin, peak = resident ("VmHWM:");
    g_print ("# 8 h at 10 Hz: phases and %u metrics in %.2f s, %.0f times reading the table; %.0f MiB at most, of "
             "which %.0f are "
             "the table\n",
             values->len, analysing, analysing / reading, peak, before);
    g_assert_cmpfloat (analysing / reading, <, 100);
    g_assert_cmpfloat (peak, <, 150);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/calibration/eight-hours", test_eight_hours);
    g_print (
        "# | process | recommended length | called different, same process | 20 %% found | doubling found in 1 h |\n");
    for (guint i = 0; i < RF_N_PROCESSES; i++) {
        g_autofree char *path = g_strdup_printf ("/calibration/process/%u", i);
        /* of the others an hour is looked at below */
        if (recommended[i] < LONG || rf_test_rounds (FALSE, TRUE))
            g_test_add_data_func (path, GUINT_TO_POINTER (i), test_process);
    }
    for (guint i = 0; i <= RF_N_PROCESSES; i++) {
        g_autofree char *path = g_strdup_printf ("/calibration/alike/%u", i);
        g_test_add_data_func (path, GUINT_TO_POINTER (i), test_alike);
    }
    g_test_add_func ("/calibration/units", test_units);
    for (guint i = 0; i < RF_N_PROCESSES && g_test_slow (); i++) {
        g_autofree char *path = g_strdup_printf ("/calibration/search/%u", i);
        g_test_add_data_func (path, GUINT_TO_POINTER (i), test_search);
    }
    return g_test_run ();
}
