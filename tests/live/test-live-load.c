/* The real kernel, many times, and with devices that come and go meanwhile. Afterwards everything is as before. */
#define G_LOG_DOMAIN "test-live-load"
#include "config.h"

#include <math.h>
#include <errno.h>
#include <string.h>
#include <sys/swap.h>

#include "rf-backend.h"
#include "rf-current.h"
#include "rf-sampler.h"
#include "rf-test-growth.h"
#include "rf-test-live.h"
#include "rf-test-program.h"
#include "rf-test-rig.h"
#include "rf-text.h"

#define ZRAM "swap.zram 268435456 lz4 100"

/* all sysctls that may be changed here, with another value each */
static char *
gentle_plan (RfTestLive *live)
{
    gsize n = 0;
    const RfTunable *tunables = rf_tunable_list (&n);
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    for (gsize i = 0; i < n; i++) {
        RfTarget target = {live->machine, live->facts, &tunables[i], ""};
        RfValue now;
        if (tunables[i].backend != RF_BACKEND_SYSCTL
            || (tunables[i].group != RF_GROUP_MEMORY && tunables[i].group != RF_GROUP_SWAP_TUNING))
            continue;
        g_assert_true (rf_backend_read (&target, &now, NULL));
        g_autofree char *value = rf_test_live_gentle_value (&tunables[i], live->facts, &now);
        g_ptr_array_add (lines, g_strdup_printf ("%s %s", tunables[i].id, value));
    }
    g_ptr_array_add (lines, NULL);
    return g_strjoinv ("\n", (char **)lines->pdata);
}

static void
test_cycles (void)
{
    const guint cycles = rf_test_rounds (200, 2000);
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    g_autofree char *plan = gentle_plan (live);
    gint64 apply_us = 0, revert_us = 0, longest = 0;
    for (guint i = 1; i <= cycles; i++) {
        gint64 start = g_get_monotonic_time ();
        RfRecord *record = rf_test_live_apply (live, plan);
        gint64 applied = g_get_monotonic_time ();
        if (i % 20 == 0)
            rf_test_live_keep (live, record);
        gint64 kept = g_get_monotonic_time ();
        rf_test_live_revert (live, record);
        gint64 end = g_get_monotonic_time ();
        apply_us += applied - start;
        revert_us += end - kept;
        longest = MAX (longest, MAX (applied - start, end - kept));
        if (i % 20 == 0)
            rf_test_live_assert_as_before (live);
    }
    g_test_message ("%u cycles of %u settings: apply %.2f ms, take back %.2f ms on average, the longest %.1f ms",
                    cycles, (guint)g_strv_length (g_strsplit (plan, "\n", -1)), (double)apply_us / 1000 / cycles,
                    (double)revert_us / 1000 / cycles, (double)longest / 1000);
    rf_test_live_assert_as_before (live);
}

/* A zram of somebody else: reading this file makes one. Returns its name. */
static char *
add_zram (void)
{
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    g_file_get_contents ("/sys/class/zram-control/hot_add", &text, NULL, &error);
    g_assert_no_error (error);
    return g_strdup_printf ("zram%s", g_strchomp (text));
}

static void
write_kernel (RfTestLive *live, const char *path, const char *text)
{
    /* udev keeps a new device busy for a moment */
    int errnum = EBUSY;
    for (guint i = 0; i < 100 && errnum == EBUSY; i++) {
        if (i > 0)
            g_usleep (20 * 1000);
        errnum = live->machine->ops->write_value (live->machine->ops, live->machine->kernel, path, text);
    }
    g_assert_cmpint (errnum, ==, 0);
}

static void
remove_zram (RfTestLive *live, const char *name)
{
    g_autofree char *reset = g_strdup_printf ("sys/block/%s/reset", name);
    write_kernel (live, reset, "1");
    write_kernel (live, "sys/class/zram-control/hot_remove", name + strlen ("zram"));
}

static gboolean
can_zram (RfTestLive *live)
{
    if (live->facts->zram_owner == RF_ZRAM_OWNER_NONE && live->facts->zram_available
        && g_file_test ("/sys/class/zram-control/hot_add", G_FILE_TEST_EXISTS))
        return TRUE;
    g_test_skip ("this machine has a zram of somebody else, or none");
    return FALSE;
}

static gboolean
over_cb (gpointer data)
{
    *(gboolean *)data = TRUE;
    return G_SOURCE_REMOVE;
}

static void
run_for (guint ms)
{
    gboolean over = FALSE;
    g_timeout_add (ms, over_cb, &over);
    while (!over)
        g_main_context_iteration (NULL, TRUE);
}

static void
sampled_cb (RfSampler *sampler, guint *count)
{
    const RfSample *sample = rf_sampler_get_sample (sampler);
    for (guint i = 0; i < RF_N_COLUMNS; i++) {
        if (sample->avail[i] != RF_AVAIL_OK)
            continue;
        g_assert_true (isfinite (sample->value[i]));
        g_assert_cmpfloat (sample->value[i], >=, 0);
        if (rf_column_info (i)->measure == RF_MEASURE_RATIO)
            g_assert_cmpfloat (sample->value[i], <=, 1);
    }
    for (guint i = 0; i < sample->disks->len; i++)
        g_assert_false (g_str_has_prefix (g_array_index (sample->disks, RfDiskSample, i).name, "zram"));
    ++*count;
}

static void
call (RfTestProgram *program, const char *method, GVariant *parameters)
{
    g_autoptr (GVariant) reply = rf_test_program_call (program, method, parameters);
}

/* While the app looks and a trial runs, zram devices of others are made, filled, and removed. */
static void
come_and_go (const char *plan)
{
    const guint rounds = rf_test_rounds (20, 500);
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    if (!can_zram (live))
        return;
    g_autoptr (RfTestTree) files = rf_test_tree_new (NULL);
    g_autoptr (RfTestProgram) program = rf_test_program_new (NULL, rf_test_tree_root (files));
    g_autoptr (RfSampler) sampler = rf_sampler_new (live->machine->kernel, 10, 1000);
    guint samples = 0;
    g_signal_connect (sampler, "sampled", G_CALLBACK (sampled_cb), &samples);
    rf_sampler_hold (sampler);
    rf_test_program_start (program);
    g_autofree char *id = rf_test_program_apply (program, plan, 1800);
    g_autofree char *on_trial = rf_test_live_settings (live->machine->kernel);
    for (guint i = 0; i < rounds; i++) {
        g_autofree char *name = add_zram ();
        g_autofree char *size = g_strdup_printf ("sys/block/%s/disksize", name);
        run_for (15);
        if (i % 2 == 0)
            write_kernel (live, size, "67108864");
        call (program, "Check", NULL);
        run_for (15);
        remove_zram (live, name);
        call (program, "Check", NULL);
        run_for (15);
    }
    g_autofree char *still = rf_test_live_settings (live->machine->kernel);
    g_assert_true (g_str_equal (still, on_trial));
    call (program, "Revert", g_variant_new ("(sb)", id, FALSE));
    rf_test_live_assert_as_before (live);
    g_test_message ("%u samples while %u devices came and went", samples, rounds);
    g_assert_cmpuint (samples, >=, rounds);
    rf_sampler_release (sampler);
}

static void
test_zram_of_others (void)
{
    come_and_go ("vm.swappiness 100\nvm.page-cluster 0");
}

static void
test_zram_beside_ours (void)
{
    come_and_go (ZRAM "\nvm.page-cluster 0");
}

/* Somebody takes our own zram away during the trial, and perhaps makes another one that gets its number. */
static void
test_ours_taken_away (void)
{
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    if (!can_zram (live))
        return;
    for (guint foreign = 0; foreign < 3; foreign++) {
        g_autofree char *theirs = NULL;
        RfRecord *record = rf_test_live_apply (live, ZRAM "\nvm.page-cluster 0");
        g_autofree char *marker = NULL;
        g_assert_true (g_file_get_contents ("/run/ruckelfrei/zram", &marker, NULL, NULL));
        g_auto (GStrv) words = g_strsplit (marker, " ", 2);
        g_autofree char *node = g_strconcat ("/dev/", words[0], NULL);
        g_assert_cmpint (swapoff (node), ==, 0);
        remove_zram (live, words[0]);
        if (foreign > 0) {
            /* of another size, of the same */
            theirs = add_zram ();
            g_assert_cmpstr (theirs, ==, words[0]);
            g_autofree char *size = g_strdup_printf ("sys/block/%s/disksize", theirs);
            write_kernel (live, size, foreign == 1 ? "134217728" : "268435456");
        }
        g_autoptr (GError) error = NULL;
        rf_reverter_run (live->machine, live->facts, live->journal, record, FALSE, RF_REASON_USER, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
        g_assert_false (g_file_test ("/run/ruckelfrei/zram", G_FILE_TEST_EXISTS));
        if (theirs != NULL) {
            g_autofree char *folder = g_strdup_printf ("/sys/block/%s", theirs);
            g_assert_true (g_file_test (folder, G_FILE_TEST_EXISTS));
            remove_zram (live, theirs);
        }
        rf_test_live_assert_as_before (live);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/load/cycles", test_cycles);
    g_test_add_func ("/live/load/zram-of-others", test_zram_of_others);
    g_test_add_func ("/live/load/zram-beside-ours", test_zram_beside_ours);
    g_test_add_func ("/live/load/ours-taken-away", test_ours_taken_away);
    return g_test_run ();
}
