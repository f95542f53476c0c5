/* Phases: known change points are found, noise has none, and what a person moves stays in order. */
#include "config.h"

#include <math.h>

#include "rf-phases.h"
#include "rf-random.h"

#define S G_GINT64_CONSTANT (1000000000)
#define GIB 1073741824.0

static double
normal (RfRandom *random)
{
    return sqrt (-2 * log (rf_random_unit (random))) * cos (2 * G_PI * rf_random_unit (random));
}

/* An hour of a machine with 64 GiB: free memory falls from 60 to 5 until @loaded, the cache grows until @full, and then kswapd
 * clears in bursts. 0 for both: only noise, of which each second remembers @memory_s. */
static RfRecording *
flight (guint loaded, guint full, double memory_s, guint64 seed)
{
    RfRecording *recording = rf_recording_new ();
    RfTable *table = rf_recording_add_table (recording, rf_table_new ("samples"));
    RfRandom random = {seed};
    double swing[2] = {0, 0}, keep = memory_s > 0 ? exp (-1 / memory_s) : 0;
    rf_table_add_column (table, "free_bytes");
    rf_table_add_column (table, "available_bytes");
    rf_table_add_column (table, "kswapd_pages_per_s");
    rf_table_add_column (table, "allocstalls_per_s");
    for (guint i = 0; i < 3600; i++) {
        for (guint k = 0; k < 2; k++)
            swing[k] = keep * swing[k] + sqrt (1 - keep * keep) * normal (&random);
        double free_gib = i < loaded ? 60 - 55.0 * i / loaded : 5;
        double cache_gib = loaded == 0 ? 30 : i < loaded ? 2 + 8.0 * i / loaded
                           : i < full ? 10 + 25.0 * (i - loaded) / (full - loaded) : 35;
        gboolean clears = i >= full && rf_random_unit (&random) < 0.2;
        float row[] = {(float)((free_gib + 0.3 * swing[0]) * GIB),
                       (float)((free_gib + cache_gib + 0.3 * swing[0] + 0.4 * swing[1]) * GIB),
                       clears ? (float)(1e4 * rf_random_unit (&random)) : 0,
                       clears && rf_random_unit (&random) < 0.05 ? 50 : 0};
        rf_table_append (table, i * S, row);
    }
    return recording;
}

static void
test_found (void)
{
    for (guint seed = 1; seed <= 5; seed++) {
        g_autoptr (RfRecording) recording = flight (600, 1800, 5, seed);
        RfPhases phases, again;
        rf_phases_find (recording, &phases);
        rf_phases_find (recording, &again);
        for (guint i = 0; i < RF_N_PHASES; i++) {
            g_assert_true (phases.found[i]);
            g_assert_cmpint (phases.start_ns[i], ==, again.start_ns[i]);
        }
        g_assert_cmpint (phases.start_ns[RF_PHASE_WARM_UP], ==, 0);
        g_assert_cmpint (ABS (phases.end_ns[RF_PHASE_WARM_UP] - 600 * S), <=, 60 * S);
        g_assert_cmpint (phases.end_ns[RF_PHASE_WARM_UP], ==, phases.start_ns[RF_PHASE_BUILD_UP]);
        g_assert_cmpint (ABS (phases.start_ns[RF_PHASE_EQUILIBRIUM] - 1800 * S), <=, 60 * S);
        g_assert_cmpint (phases.end_ns[RF_PHASE_EQUILIBRIUM], ==, 3599 * S + 1);
        g_assert_cmpint (rf_phases_at (&phases, 1200 * S), ==, RF_PHASE_BUILD_UP);
        g_assert_cmpint (rf_phases_at (&phases, 4000 * S), ==, RF_PHASE_WHOLE);
    }
}

static void
test_noise (void)
{
    for (guint seed = 1; seed <= 20; seed++) {
        g_autoptr (RfRecording) recording = flight (0, 0, seed % 2 == 0 ? 0 : 20, seed);
        RfPhases phases;
        rf_phases_find (recording, &phases);
        g_assert_false (rf_phases_any (&phases));
    }
}

/* it fills and fills: there is no equilibrium */
static void
test_unbalanced (void)
{
    g_autoptr (RfRecording) recording = flight (600, 3600, 5, 1);
    RfPhases phases;
    rf_phases_find (recording, &phases);
    g_assert_true (phases.found[RF_PHASE_WARM_UP]);
    g_assert_true (phases.found[RF_PHASE_BUILD_UP]);
    g_assert_false (phases.found[RF_PHASE_EQUILIBRIUM]);
}

static void
test_nothing (void)
{
    g_autoptr (RfRecording) empty = rf_recording_new ();
    g_autoptr (RfRecording) still = rf_recording_new ();
    RfTable *table = rf_recording_add_table (still, rf_table_new ("samples"));
    RfPhases phases;
    gint64 start, end;
    rf_table_add_column (table, "free_bytes");
    for (guint i = 0; i < 1000; i++)
        rf_table_append (table, i * S, (float[]){i % 3 == 0 ? NAN : 5});
    rf_phases_find (empty, &phases);
    g_assert_false (rf_phases_any (&phases));
    g_assert_false (rf_phases_range (&phases, empty, RF_PHASE_WHOLE, &start, &end));
    rf_phases_find (still, &phases);
    g_assert_false (rf_phases_any (&phases));
    g_assert_true (rf_phases_range (&phases, still, RF_PHASE_WHOLE, &start, &end));
    g_assert_cmpint (end, ==, 999 * S + 1);
    g_assert_false (rf_phases_range (&phases, still, RF_PHASE_EQUILIBRIUM, &start, &end));
}

static void
test_adjusted (void)
{
    RfPhases phases = {0};
    g_assert_true (rf_phases_set (&phases, RF_PHASE_BUILD_UP, 100, 200));
    g_assert_true (phases.adjusted);
    g_assert_true (rf_phases_set (&phases, RF_PHASE_EQUILIBRIUM, 150, 300)); /* the one before gives way */
    g_assert_cmpint (phases.end_ns[RF_PHASE_BUILD_UP], ==, 150);
    g_assert_false (rf_phases_set (&phases, RF_PHASE_WARM_UP, 120, 120));
    g_assert_false (rf_phases_set (&phases, RF_PHASE_WARM_UP, 0, 400)); /* longer than what comes after it */
    g_assert_true (rf_phases_set (&phases, RF_PHASE_WARM_UP, 0, 150));  /* covers the build-up */
    g_assert_false (phases.found[RF_PHASE_BUILD_UP]);
    g_assert_cmpint (phases.start_ns[RF_PHASE_EQUILIBRIUM], ==, 150);
}

static void
test_text (void)
{
    RfPhases phases = {0};
    static const char *const bad[] = {"",      "1",    "1 2 3", "2 1",    "1 1",   "-1 2", "1  2", " 1 2", "1 2 ",
                                      "1.0 2", "a b",  "1\n2",  "0x1 2",  "1 99999999999999999999"};
    g_assert_true (rf_phases_from_text (&phases, "build-up", "100 200"));
    g_assert_true (rf_phases_from_text (&phases, "adjusted", "true"));
    for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_false (rf_phases_from_text (&phases, "equilibrium", bad[i]));
    g_autofree char *huge = g_strnfill (100000, '1');
    g_assert_false (rf_phases_from_text (&phases, "equilibrium", huge));
    g_assert_false (rf_phases_from_text (&phases, "whole", "300 400"));
    g_assert_false (rf_phases_from_text (&phases, "lunch", "300 400"));
    g_assert_false (rf_phases_from_text (&phases, "adjusted", "yes"));
    g_assert_false (rf_phases_from_text (&phases, "equilibrium", "150 400")); /* overlaps */
    g_assert_false (rf_phases_from_text (&phases, "warm-up", "50 101"));
    g_assert_true (rf_phases_from_text (&phases, "equilibrium", "200 400"));
    g_autofree char *text = rf_phases_to_text (&phases, RF_PHASE_BUILD_UP);
    g_assert_cmpstr (text, ==, "100 200");
    g_assert_null (rf_phases_to_text (&phases, RF_PHASE_WARM_UP));
    g_assert_true (phases.adjusted);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/phases/found", test_found);
    g_test_add_func ("/app/phases/noise", test_noise);
    g_test_add_func ("/app/phases/unbalanced", test_unbalanced);
    g_test_add_func ("/app/phases/nothing", test_nothing);
    g_test_add_func ("/app/phases/adjusted", test_adjusted);
    g_test_add_func ("/app/phases/text", test_text);
    return g_test_run ();
}
