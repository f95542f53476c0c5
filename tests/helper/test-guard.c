#define G_LOG_DOMAIN "test-guard"
#include "config.h"

#include "rf-error.h"
#include "rf-guard.h"
#include "rf-test-tree.h"
#include "rf-trial.h"

/* Seconds of trouble: stalls a second and share of time in which everything waits, each from FROM to TO seconds. */
typedef struct {
    const char *name;
    double base_stalls; /* before the change; negative: no earlier sample */
    double base_full;
    double stalls;
    double full;
    guint from, to;
    guint kill_at; /* second of an OOM kill, 0: none */
    RfReason expected;
    guint expected_at; /* second */
} Row;

static RfGuardSample
sample (double second, double stalls, double full_s, guint kills)
{
    return (RfGuardSample){
        .time_us = (gint64)(second * G_USEC_PER_SEC) + 1000 * G_USEC_PER_SEC,
        .allocstalls = RF_COUNTER ((guint64)stalls),
        .full_total_us = RF_COUNTER ((guint64)(full_s * G_USEC_PER_SEC)),
        .full_avg10_x100 = RF_COUNTER (0),
        .oom_kills = RF_COUNTER (kills),
    };
}

static void
test_rows (void)
{
    static const Row rows[] = {
        {"calm", 0, 0, 0, 0, 0, 0, 0, RF_REASON_NONE, 0},
        {"a short burst is no trouble", 0, 0, 5000, 0.9, 10, 13, 0, RF_REASON_NONE, 0},
        {"filling the new reserve is no trouble", 0, 0, 5000, 0.9, 0, 4, 0, RF_REASON_NONE, 0},
        {"stalls that last", 0, 0, 500, 0, 10, 60, 0, RF_REASON_GUARD_STALLS, 15},
        {"few stalls", 0, 0, 90, 0, 10, 60, 0, RF_REASON_NONE, 0},
        {"as many stalls as before", 400, 0, 500, 0, 0, 60, 0, RF_REASON_NONE, 0},
        {"far more stalls than before", 400, 0, 2000, 0, 10, 60, 0, RF_REASON_GUARD_STALLS, 15},
        {"stalls without a baseline need pressure too", -1, 0, 500, 0, 10, 60, 0, RF_REASON_NONE, 0},
        {"stalls with pressure", -1, 0, 500, 0.1, 10, 60, 0, RF_REASON_GUARD_STALLS, 15},
        {"everything waits", 0, 0, 0, 0.4, 10, 60, 0, RF_REASON_GUARD_PRESSURE, 18},
        {"everything waits as before", 0, 0.4, 0, 0.5, 0, 60, 0, RF_REASON_NONE, 0},
        {"a kill", 0, 0, 0, 0, 0, 0, 3, RF_REASON_GUARD_OOM, 3},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (rows); i++) {
        const Row *row = &rows[i];
        RfGuard guard;
        double stalls = 10000, full = 100;
        RfGuardSample earlier = sample (-10, stalls, full, 7);
        if (row->base_stalls > 0)
            stalls += row->base_stalls * 10;
        full += row->base_full * 10;
        RfGuardSample before = sample (0, stalls, full, 7);
        rf_guard_init (&guard, row->base_stalls < 0 ? NULL : &earlier, &before);
        RfReason reason = RF_REASON_NONE;
        guint second = 0;
        while (reason == RF_REASON_NONE && second < 60) {
            second++;
            gboolean trouble = second > row->from && second <= row->to;
            stalls += trouble ? row->stalls : 0;
            full += trouble ? row->full : 0;
            RfGuardSample now = sample (second, stalls, full, row->kill_at != 0 && second >= row->kill_at ? 8 : 7);
            reason = rf_guard_feed (&guard, &now);
        }
        g_test_message ("%s: %s after %u s", row->name, rf_reason_nick (reason), second);
        g_assert_cmpstr (rf_reason_nick (reason), ==, rf_reason_nick (row->expected));
        if (row->expected != RF_REASON_NONE)
            g_assert_cmpuint (second, ==, row->expected_at);
    }
}

/* Nothing can be read (PSI is off, counters are missing): that is no trouble, and no crash. */
static void
test_missing (void)
{
    RfGuard guard;
    RfGuardSample none = {
        .time_us = 1,
        .allocstalls = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD),
        .full_total_us = RF_COUNTER_MISSING (RF_AVAIL_OFF),
        .full_avg10_x100 = RF_COUNTER_MISSING (RF_AVAIL_OFF),
        .oom_kills = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD),
    };
    rf_guard_init (&guard, NULL, &none);
    for (guint i = 0; i < 100; i++) {
        none.time_us += G_USEC_PER_SEC;
        g_assert_cmpint (rf_guard_feed (&guard, &none), ==, RF_REASON_NONE);
    }
}

/* Asleep for an hour between two samples, and the same time twice. */
static void
test_odd_times (void)
{
    RfGuard guard;
    RfGuardSample before = sample (0, 0, 0, 0), later = sample (3600, 200, 3, 0);
    rf_guard_init (&guard, &before, &before);
    g_assert_false (guard.stalls_known);
    g_assert_cmpint (rf_guard_feed (&guard, &later), ==, RF_REASON_NONE);
    g_assert_cmpint (rf_guard_feed (&guard, &later), ==, RF_REASON_NONE);
}

/* Hibernating frees memory by force, and what comes back stalls at first. All of it lies in the one sample that spans
 * the sleep, or in the seconds after it; trouble that goes on is trouble. */
static void
test_sleep (void)
{
    RfGuard guard;
    RfGuardSample now = sample (0, 0, 0, 0);
    rf_guard_init (&guard, NULL, &now);
    double stalls = 0, full = 0, night = 8 * 3600;
    RfReason reason = RF_REASON_NONE;
    guint second = 0;
    for (second = 1; second <= 60 && reason == RF_REASON_NONE; second++) {
        if (second == 20)
            full += 9, stalls += 100000;
        else if (second > 20 && second <= 24)
            full += 0.9, stalls += 5000;
        else if (second >= 40)
            full += 0.5;
        /* nine seconds pass while it goes to sleep, and a night that only the other clock counts */
        now = sample (second < 20 ? second : second + 9, stalls, full, 0);
        now.asleep_us = second < 20 ? 7 : (gint64)(night * G_USEC_PER_SEC);
        reason = rf_guard_feed (&guard, &now);
        if (second < 40)
            g_assert_cmpstr (rf_reason_nick (reason), ==, rf_reason_nick (RF_REASON_NONE));
    }
    g_assert_cmpstr (rf_reason_nick (reason), ==, rf_reason_nick (RF_REASON_GUARD_PRESSURE));
    g_assert_cmpuint (second, ==, 48);

    /* a kill counts, whenever it was */
    now = sample (100, 0, 0, 0);
    rf_guard_init (&guard, NULL, &now);
    now = sample (110, 0, 0, 1);
    now.asleep_us = (gint64)(night * G_USEC_PER_SEC);
    g_assert_cmpint (rf_guard_feed (&guard, &now), ==, RF_REASON_GUARD_OOM);

    /* asleep with the password dialog open: what happened then is no rate of stalls as before */
    RfGuardSample asked = sample (0, 0, 0, 0), answered = sample (10, 100000, 0, 0);
    answered.asleep_us = (gint64)(night * G_USEC_PER_SEC);
    rf_guard_init (&guard, &asked, &answered);
    g_assert_false (guard.stalls_known);
}

/* As real machines stutter, for which trials are made: thousands of stalls in one second, and again a quarter of a minute
 * later. In two recorded flights there were never more than two such seconds in a row, in the worse one 53,000 stalls in
 * 19 seconds of 82 minutes. A trial that does not help at once must not be lost for it, whatever the baseline was. */
static void
test_bursts (void)
{
    RfGuard guard;
    double stalls = 0, full = 0;
    RfGuardSample earlier = sample (-3, 0, 0, 0), now = sample (0, 0, 0, 0);
    rf_guard_init (&guard, &earlier, &now);
    for (guint second = 1; second <= 300; second++) {
        if (second % 15 < 2)
            full += 0.6, stalls += 7000;
        now = sample (second, stalls, full, 0);
        g_assert_cmpstr (rf_reason_nick (rf_guard_feed (&guard, &now)), ==, rf_reason_nick (RF_REASON_NONE));
    }
}

static void
test_read (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    RfGuardSample found;
    rf_guard_sample_read (rf_test_tree_sysroot (tree), &found);
    g_assert_true (rf_counter_ok (found.allocstalls));
    g_assert_true (rf_counter_ok (found.full_total_us));
    g_assert_true (rf_counter_ok (found.oom_kills));
    g_assert_cmpuint (found.allocstalls.value, >, 0);
}

static void
test_trial_length (void)
{
    g_autoptr (GError) error = NULL;
    gint64 end = 0;
    g_assert_false (rf_trial_seconds_valid (14));
    g_assert_true (rf_trial_seconds_valid (15));
    g_assert_true (rf_trial_seconds_valid (1800));
    g_assert_false (rf_trial_seconds_valid (1801));
    g_assert_true (rf_trial_extended_end (0, 100, 60, &end, NULL));
    g_assert_cmpint (end, ==, 100 + 60 * G_USEC_PER_SEC);
    gint64 late = (gint64)(RF_TRIAL_TOTAL_SECONDS - 60) * G_USEC_PER_SEC;
    g_assert_true (rf_trial_extended_end (0, late, 60, &end, NULL));
    g_assert_cmpint (end, ==, (gint64)RF_TRIAL_TOTAL_SECONDS * G_USEC_PER_SEC);
    g_assert_false (rf_trial_extended_end (0, late, 61, &end, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE);
}

static void
expired_cb (gpointer data)
{
    *(gint64 *)data = rf_trial_now ();
}

static void
test_trial_expires (void)
{
    gint64 start = rf_trial_now (), at = 0;
    g_autoptr (RfTrial) trial = rf_trial_new (1, expired_cb, &at, NULL);
    g_assert_cmpint (rf_trial_end (trial), >=, start + G_USEC_PER_SEC);
    while (at == 0)
        g_main_context_iteration (NULL, TRUE);
    g_assert_cmpint (at, >=, rf_trial_end (trial));
    g_autoptr (GError) error = NULL;
    g_assert_false (rf_trial_extend (trial, 60, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_STATE);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/helper/guard/rows", test_rows);
    g_test_add_func ("/helper/guard/missing", test_missing);
    g_test_add_func ("/helper/guard/odd-times", test_odd_times);
    g_test_add_func ("/helper/guard/sleep", test_sleep);
    g_test_add_func ("/helper/guard/bursts", test_bursts);
    g_test_add_func ("/helper/guard/read", test_read);
    g_test_add_func ("/helper/trial/length", test_trial_length);
    g_test_add_func ("/helper/trial/expires", test_trial_expires);
    return g_test_run ();
}
