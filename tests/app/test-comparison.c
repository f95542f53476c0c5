/* Comparing: only like with like, a clear effect is found and called by its direction, nothing is made of nothing. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "rf-bootstrap.h"
#include "rf-comparison.h"

#define S G_GINT64_CONSTANT (1000000000)

/* an hour with stalls in bursts, @factor times as many as otherwise */
static RfRecording *
recording_of (const char *name, double factor, guint64 seed)
{
    RfRecording *recording = rf_recording_new ();
    RfTable *table = rf_recording_add_table (recording, rf_table_new ("samples"));
    RfRandom random = {seed};
    rf_recording_set (&recording->name, name);
    rf_recording_set (&recording->workload, "flight");
    rf_recording_set (&recording->kernel, "6.18");
    rf_recording_set (&recording->machine, "desk");
    rf_table_add_column (table, "allocstalls_per_s");
    rf_table_add_column (table, "zram_ratio");
    for (guint i = 0; i < 3600; i++) {
        gboolean burst = rf_random_unit (&random) < 0.2;
        float row[] = {burst ? (float)(factor * 100 * rf_random_unit (&random)) : 0,
                       (float)(factor * (2 + rf_random_unit (&random)))};
        rf_table_append (table, i * S, row);
    }
    return recording;
}

static void
add_tile (RfRecording *recording, guint number, double ms)
{
    RfEvent event = {.kind = RF_EVENT_TILE, .time_ns = number * S, .duration_ns = (gint64)(ms * 1e6)};
    g_snprintf (event.subject, sizeof event.subject, "+%02u+010.dsf", number);
    g_array_append_val (recording->events, event);
}

static RfComparison *
compare (RfRecording *before, RfRecording *after)
{
    return rf_comparison_new (&(RfRun){before, NULL}, 1, &(RfRun){after, NULL}, 1, NULL);
}

static const RfComparisonRow *
row_of (const RfComparison *comparison, RfMetric metric)
{
    for (guint i = 0; i < comparison->rows->len; i++) {
        const RfComparisonRow *row = comparison->rows->pdata[i];
        if (row->metric == metric)
            return row;
    }
    g_assert_not_reached ();
}

static void
test_effect (void)
{
    g_autoptr (RfRecording) before = recording_of ("before", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("after", 0.5, 2);
    g_autoptr (RfComparison) comparison = compare (before, after);
    g_autoptr (RfComparison) again = compare (before, after);
    g_autoptr (RfComparison) back = compare (after, before);
    const RfComparisonRow *row = row_of (comparison, RF_METRIC_STALLS_TOTAL);
    g_assert_cmpint (comparison->phase, ==, RF_PHASE_WHOLE);
    g_assert_cmpint (comparison->outcome, ==, RF_OUTCOME_BETTER);
    g_assert_cmpint (row->outcome, ==, RF_OUTCOME_BETTER);
    g_assert_cmpint (row->effect_kind, ==, RF_EFFECT_RATIO);
    g_assert_cmpfloat (row->low, <, 0.5);
    g_assert_cmpfloat (row->high, >, 0.5);
    g_assert_cmpfloat (row->high, <, 0.7);
    g_assert_cmpuint (row->needed, ==, 0);
    g_assert_cmpfloat (row->low, ==, row_of (again, RF_METRIC_STALLS_TOTAL)->low);
    g_assert_cmpint (back->outcome, ==, RF_OUTCOME_WORSE);
    /* a higher ratio of compression is the better one */
    g_assert_cmpint (row_of (comparison, RF_METRIC_ZRAM_RATIO)->outcome, ==, RF_OUTCOME_WORSE);
    g_assert_cmpint (row_of (comparison, RF_METRIC_DIRTY_MEAN)->outcome, ==, RF_OUTCOME_NOT_COMPARABLE);
    g_assert_cmpint (row_of (comparison, RF_METRIC_DIRTY_MEAN)->unlike, ==, RF_UNLIKE_MISSING);

    g_autofree char *sentence = rf_comparison_sentence (comparison);
    g_autofree char *warning = rf_comparison_warning (comparison);
    g_autofree char *change = rf_comparison_row_change (row);
    g_autofree char *verdict = rf_comparison_row_verdict (row_of (comparison, RF_METRIC_DIRTY_MEAN));
    g_assert_nonnull (strstr (sentence, "It has become better. Programs waited for memory: −"));
    g_assert_nonnull (strstr (warning, "Repeat both"));
    g_assert_true (g_str_has_suffix (change, " %"));
    g_assert_cmpstr (verdict, ==, "not available: not offered by this kernel or source");
}

static void
test_none (void)
{
    g_autoptr (RfRecording) before = recording_of ("before", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("after", 1, 2);
    g_autoptr (RfComparison) comparison = compare (before, after);
    g_assert_cmpint (comparison->outcome, ==, RF_OUTCOME_SAME);
    g_assert_cmpint (row_of (comparison, RF_METRIC_STALLS_TOTAL)->outcome, ==, RF_OUTCOME_SAME);
}

/* nothing at all on one side: a difference, no ratio */
static void
test_zero (void)
{
    g_autoptr (RfRecording) before = recording_of ("before", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("after", 0, 2);
    g_autoptr (RfRecording) still = recording_of ("still", 0, 3);
    g_autoptr (RfComparison) comparison = compare (before, after);
    g_autoptr (RfComparison) nothing = compare (after, still);
    const RfComparisonRow *row = row_of (comparison, RF_METRIC_STALLS_TOTAL);
    g_assert_cmpint (row->effect_kind, ==, RF_EFFECT_DIFFERENCE);
    g_assert_cmpint (row->outcome, ==, RF_OUTCOME_BETTER);
    g_assert_cmpfloat (row->after, ==, 0);
    g_assert_cmpfloat_with_epsilon (row->effect, -row->before, 1e-6 * row->before);
    g_assert_cmpint (row_of (nothing, RF_METRIC_STALLS_TOTAL)->outcome, ==, RF_OUTCOME_SAME);
    g_assert_cmpfloat (row_of (nothing, RF_METRIC_STALLS_TOTAL)->p, ==, 1);
}

static void
assert_unlike (RfRecording *before, RfRecording *after, RfUnlike unlike, const char *words)
{
    g_autoptr (RfComparison) comparison = compare (before, after);
    g_autofree char *sentence = rf_comparison_sentence (comparison);
    g_assert_cmpint (comparison->outcome, ==, RF_OUTCOME_NOT_COMPARABLE);
    g_assert_cmpuint (comparison->unlike->len, ==, 1);
    g_assert_cmpint (((RfUnlikeDetail *)comparison->unlike->pdata[0])->unlike, ==, unlike);
    g_assert_nonnull (strstr (sentence, words));
    g_assert_null (rf_comparison_warning (comparison));
    /* the numbers are shown all the same */
    g_assert_false (isnan (row_of (comparison, RF_METRIC_STALLS_TOTAL)->before));
    g_assert_cmpint (row_of (comparison, RF_METRIC_STALLS_TOTAL)->effect_kind, ==, RF_EFFECT_NONE);
}

static void
test_unlike (void)
{
    g_autoptr (RfRecording) before = recording_of ("one", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("two", 0.5, 2);
    assert_unlike (before, before, RF_UNLIKE_SAME_RECORDING, "“one” stands there twice");
    rf_recording_set (&after->workload, "compile");
    assert_unlike (before, after, RF_UNLIKE_WORKLOAD, "“flight” and “compile”");
    rf_recording_set (&after->workload, "flight");
    rf_recording_set (&after->kernel, "");
    assert_unlike (before, after, RF_UNLIKE_KERNEL, "“6.18” and not stated");
    rf_recording_set (&after->kernel, "6.18");
    rf_recording_set (&after->machine, "lap");
    assert_unlike (before, after, RF_UNLIKE_MACHINE, "“desk” and “lap”");
    rf_recording_set (&after->machine, "desk");
    g_ptr_array_add (after->untrusted, g_strdup ("the clock"));
    assert_unlike (before, after, RF_UNLIKE_UNTRUSTED, "“two” did not pass");
    g_ptr_array_set_size (after->untrusted, 0);
    RfEvent applied = {.kind = RF_EVENT_APPLIED, .time_ns = 100 * S};
    g_array_append_val (after->events, applied);
    assert_unlike (before, after, RF_UNLIKE_SETTINGS, "changed during the recording “two”");
    g_array_set_size (after->events, 0);
    after->settings_end = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert (after->settings_end, g_strdup ("vm.swappiness"), g_strdup ("10"));
    assert_unlike (before, after, RF_UNLIKE_SETTINGS, "changed during the recording “two”");
}

static void
test_phase (void)
{
    g_autoptr (RfRecording) before = recording_of ("one", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("two", 0.5, 2);
    RfPhases with = {0}, without = {0};
    RfPhaseKind whole = RF_PHASE_WHOLE;
    g_assert_true (rf_phases_set (&with, RF_PHASE_EQUILIBRIUM, 600 * S, 3600 * S));
    g_autoptr (RfComparison) mixed
        = rf_comparison_new (&(RfRun){before, &with}, 1, &(RfRun){after, &without}, 1, NULL);
    g_assert_cmpint (mixed->outcome, ==, RF_OUTCOME_NOT_COMPARABLE);
    g_assert_cmpint (((RfUnlikeDetail *)mixed->unlike->pdata[0])->unlike, ==, RF_UNLIKE_PHASE);
    g_autoptr (RfComparison) both = rf_comparison_new (&(RfRun){before, &with}, 1, &(RfRun){after, &with}, 1, NULL);
    g_assert_cmpint (both->phase, ==, RF_PHASE_EQUILIBRIUM);
    g_assert_cmpint (both->outcome, ==, RF_OUTCOME_BETTER);
    g_autoptr (RfComparison) all = rf_comparison_new (&(RfRun){before, &with}, 1, &(RfRun){after, &without}, 1, &whole);
    g_assert_cmpint (all->outcome, ==, RF_OUTCOME_BETTER);
}

/* too short for anything: said, and not called alike */
static void
test_short (void)
{
    g_autoptr (RfRecording) before = rf_recording_new ();
    g_autoptr (RfRecording) after = rf_recording_new ();
    for (guint k = 0; k < 2; k++) {
        RfTable *table = rf_recording_add_table (k == 0 ? before : after, rf_table_new ("samples"));
        rf_table_add_column (table, "allocstalls_per_s");
        for (guint i = 0; i < 5; i++)
            rf_table_append (table, i * S, (float[]){i * (k + 1)});
    }
    g_autoptr (RfComparison) comparison = compare (before, after);
    g_assert_cmpint (comparison->outcome, ==, RF_OUTCOME_NOT_COMPARABLE);
    g_assert_cmpint (row_of (comparison, RF_METRIC_STALLS_TOTAL)->unlike, ==, RF_UNLIKE_SHORT);
    g_autoptr (RfComparison) none = rf_comparison_new (NULL, 0, NULL, 0, NULL);
    g_assert_cmpint (none->outcome, ==, RF_OUTCOME_NOT_COMPARABLE);
}

static void
test_tiles (void)
{
    g_autoptr (RfRecording) before = recording_of ("one", 1, 1);
    g_autoptr (RfRecording) after = recording_of ("two", 1, 2);
    for (guint i = 0; i < 20; i++) {
        add_tile (before, i, 20 + 10 * i);
        add_tile (after, i + 5, (20 + 10 * (i + 5)) * (i % 2 == 0 ? 0.8 : 0.75)); /* fifteen in common */
    }
    g_autoptr (RfComparison) comparison = compare (before, after);
    const RfComparisonRow *row = row_of (comparison, RF_METRIC_TILE_LOAD);
    g_assert_cmpint (row->outcome, ==, RF_OUTCOME_BETTER);
    g_assert_cmpfloat_with_epsilon (row->effect, 0.775, 0.01);
    g_assert_cmpint (row_of (comparison, RF_METRIC_TILE_WORST)->unlike, ==, RF_UNLIKE_SINGLE);
    g_array_set_size (after->events, 6);
    g_autoptr (RfComparison) few = compare (before, after);
    g_assert_cmpint (row_of (few, RF_METRIC_TILE_LOAD)->outcome, ==, RF_OUTCOME_SAME);
    g_array_set_size (after->events, 5);
    g_autoptr (RfComparison) fewer = compare (before, after);
    g_assert_cmpint (row_of (fewer, RF_METRIC_TILE_LOAD)->unlike, ==, RF_UNLIKE_TILES);
}

static void
test_units (void)
{
    RfRun runs[8];
    for (guint i = 0; i < 8; i++)
        runs[i] = (RfRun){recording_of ("run", i < 4 ? 1 : 0.8, 10 + i), NULL};
    g_autoptr (RfComparison) comparison = rf_comparison_new (runs, 4, runs + 4, 4, NULL);
    const RfComparisonRow *row = row_of (comparison, RF_METRIC_STALLS_TOTAL);
    g_assert_false (comparison->within);
    g_assert_cmpint (row->outcome, ==, RF_OUTCOME_BETTER);
    g_assert_cmpfloat (row->low, <, 0.8);
    g_assert_cmpfloat (row->high, >, 0.8);
    for (guint i = 0; i < 8; i++)
        rf_recording_free ((RfRecording *)runs[i].recording);
}

/* against values from tables */
static void
test_student (void)
{
    RfEstimate estimate;
    double p[] = {0.01, 0.04, 0.03, 0.005};
    g_assert_cmpfloat_with_epsilon (rf_t_quantile (4), 2.776445, 1e-5);
    g_assert_cmpfloat_with_epsilon (rf_t_quantile (30), 2.042272, 1e-5);
    g_assert_cmpfloat_with_epsilon (rf_t_two_sided (1, 1), 0.5, 1e-9);
    g_assert_cmpfloat_with_epsilon (rf_t_two_sided (2.776445, 4), 0.05, 1e-6);
    rf_holm (p, 4);
    g_assert_cmpfloat_with_epsilon (p[3], 0.02, 1e-12);
    g_assert_cmpfloat_with_epsilon (p[0], 0.03, 1e-12);
    g_assert_cmpfloat_with_epsilon (p[2], 0.06, 1e-12);
    g_assert_cmpfloat_with_epsilon (p[1], 0.06, 1e-12);
    /* Welch: sides with a zero, so no logarithms; t = 1.2418, df = 3.96 */
    g_assert_true (rf_estimate_units ((double[]){0, 2, 4}, 3, (double[]){2, 4, 6.4}, 3, &estimate));
    g_assert_false (estimate.ratio);
    g_assert_cmpfloat_with_epsilon (estimate.p, 0.2827, 0.001);
    g_assert_true (rf_estimate_units ((double[]){0, 0}, 2, (double[]){0, 0}, 2, &estimate));
    g_assert_true (estimate.constant);
    g_assert_true (rf_estimate_units ((double[]){0, 0}, 2, (double[]){1, 1}, 2, &estimate));
    g_assert_cmpfloat_with_epsilon (estimate.p, 1 / 3.0, 1e-9);
    g_assert_false (rf_estimate_units ((double[]){1}, 1, (double[]){2}, 1, &estimate));
}

/* three recordings of which no two are alike ask for more of them */
static void
test_needed (void)
{
    RfRun runs[6];
    static const double factors[] = {1, 2, 0.5, 1.2, 1.8, 0.6};
    for (guint i = 0; i < 6; i++)
        runs[i] = (RfRun){recording_of ("run", factors[i], 10 + i), NULL};
    g_autoptr (RfComparison) comparison = rf_comparison_new (runs, 3, runs + 3, 3, NULL);
    const RfComparisonRow *row = row_of (comparison, RF_METRIC_STALLS_TOTAL);
    g_assert_cmpint (row->outcome, ==, RF_OUTCOME_SAME);
    g_assert_cmpuint (row->needed, >, 3);
    g_autofree char *warning = rf_comparison_warning (comparison);
    g_assert_nonnull (strstr (warning, "20 %"));
    for (guint i = 0; i < 6; i++)
        rf_recording_free ((RfRecording *)runs[i].recording);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/comparison/effect", test_effect);
    g_test_add_func ("/app/comparison/none", test_none);
    g_test_add_func ("/app/comparison/zero", test_zero);
    g_test_add_func ("/app/comparison/unlike", test_unlike);
    g_test_add_func ("/app/comparison/phase", test_phase);
    g_test_add_func ("/app/comparison/short", test_short);
    g_test_add_func ("/app/comparison/tiles", test_tiles);
    g_test_add_func ("/app/comparison/units", test_units);
    g_test_add_func ("/app/comparison/student", test_student);
    g_test_add_func ("/app/comparison/needed", test_needed);
    return g_test_run ();
}
