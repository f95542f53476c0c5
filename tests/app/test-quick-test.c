/* The quick test with a load that only says what the real one says: both halves, the plan that is taken over, the
 * frames that get into the recording, refusals, and cancelling, which leaves nothing. */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>

#include "rf-quick-test.h"
#include "rf-recording-file.h"
#include "rf-test-tree.h"

/* $1…: its arguments go into a file, so that the test can look at them */
#define LOAD                                                                                                           \
    "#!/bin/sh\n"                                                                                                      \
    "printf '%s\\n' \"$*\" >>\"$RF_TEST_SAID\"\n"                                                                      \
    "echo format=1; echo plan=ws=600,tiles=5; echo progress=measure 0.5\n"                                             \
    "if [ -e \"$RF_TEST_SAID.refuse\" ]; then echo refused=memory; echo 'Too little memory is free.' >&2; exit 3; "    \
    "fi\n"                                                                                                             \
    "if [ -e \"$RF_TEST_SAID.wait\" ]; then echo waiting >\"$RF_TEST_SAID.wait\"; cat; exit 4; fi\n"                   \
    "printf 'time_ns,frame_ms,cause\\n1000,16.7,none\\n2000,250.5,read\\nnonsense\\n' >&3\n"                           \
    "echo ended=time; echo end=complete\n"

typedef struct {
    RfTestTree *tree;
    RfSysroot *sysroot;
    char *folder;
    char *said;
    RfQuickTest *test;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
    g_autofree char *program = NULL;
    g_autofree char *runtime = NULL;

    f->tree = rf_test_tree_new (NULL);
    rf_test_tree_set (f->tree, "load", LOAD);
    rf_test_tree_mkdir (f->tree, "sessions");
    rf_test_tree_mkdir (f->tree, "run");
    program = rf_test_tree_path (f->tree, "load");
    runtime = rf_test_tree_path (f->tree, "run");
    f->folder = rf_test_tree_path (f->tree, "sessions");
    f->said = rf_test_tree_path (f->tree, "said");
    g_assert_cmpint (g_chmod (program, 0755), ==, 0);
    g_setenv ("RF_TEST_SAID", f->said, TRUE);
    g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
    f->sysroot = rf_sysroot_new (NULL);
    f->test = rf_quick_test_new (NULL, f->sysroot, f->folder);
    rf_quick_test_set_program (f->test, program, 1);
}

static void
teardown (Fixture *f, gconstpointer data)
{
    g_object_unref (f->test);
    while (g_main_context_iteration (NULL, FALSE))
        continue;
    g_object_unref (f->sysroot);
    g_free (f->folder);
    g_free (f->said);
    rf_test_tree_free (f->tree);
}

static void
run (Fixture *f, RfQuickTestSide side)
{
    rf_quick_test_start (f->test, side);
    while (rf_quick_test_get_state (f->test) != RF_QUICK_TEST_IDLE)
        g_main_context_iteration (NULL, TRUE);
}

static guint
count (Fixture *f)
{
    g_autoptr (RfRecordings) recordings = rf_recordings_new (f->folder);
    g_autoptr (GPtrArray) list = rf_recordings_list (recordings, NULL);

    return list->len;
}

static void
test_both (Fixture *f, gconstpointer data)
{
    g_autoptr (RfRecordings) recordings = rf_recordings_new (f->folder);
    g_autofree char *folder = NULL;
    g_autofree char *said = NULL;
    g_autoptr (RfRecording) recording = NULL;
    g_autoptr (GError) error = NULL;
    const RfTable *frames = NULL;

    /* "after" without "before" is nothing */
    rf_quick_test_start (f->test, RF_QUICK_TEST_AFTER);
    g_assert_cmpint (rf_quick_test_get_state (f->test), ==, RF_QUICK_TEST_IDLE);
    run (f, RF_QUICK_TEST_BEFORE);
    g_assert_null (rf_quick_test_get_problem (f->test));
    g_assert_nonnull (rf_quick_test_get_result (f->test, RF_QUICK_TEST_BEFORE));
    run (f, RF_QUICK_TEST_AFTER);
    g_assert_nonnull (rf_quick_test_get_result (f->test, RF_QUICK_TEST_AFTER));
    g_assert_cmpstr (rf_quick_test_get_result (f->test, RF_QUICK_TEST_AFTER), !=,
                     rf_quick_test_get_result (f->test, RF_QUICK_TEST_BEFORE));
    g_assert_true (g_file_get_contents (f->said, &said, NULL, NULL));
    g_assert_cmpstr (said, ==,
                     "--end-with-stdin --seconds 1 --frames /dev/fd/3\n"
                     "--end-with-stdin --seconds 1 --frames /dev/fd/3 --plan ws=600,tiles=5\n");

    folder = rf_recordings_path (recordings, rf_quick_test_get_result (f->test, RF_QUICK_TEST_AFTER));
    recording = rf_recording_load (folder, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (recording->workload, ==, "quick-test");
    frames = rf_recording_table (recording, "frames");
    g_assert_nonnull (frames);
    g_assert_cmpuint (rf_table_n_rows (frames), ==, 2);
    g_assert_cmpfloat (fabs ((double)rf_table_values (frames, 0)[1] - 250.5), <, 1e-3);
    g_assert_cmpuint (count (f), ==, 2);
}

static void
test_refused (Fixture *f, gconstpointer data)
{
    rf_test_tree_set (f->tree, "said.refuse", "");
    run (f, RF_QUICK_TEST_BEFORE);
    g_assert_null (rf_quick_test_get_result (f->test, RF_QUICK_TEST_BEFORE));
    g_assert_cmpstr (rf_quick_test_get_problem (f->test), ==, "Too little memory is free.");
    g_assert_cmpuint (count (f), ==, 0);
}

static void
test_cancelled (Fixture *f, gconstpointer data)
{
    g_autofree char *waits = g_strconcat (f->said, ".wait", NULL);

    rf_test_tree_set (f->tree, "said.wait", "");
    rf_quick_test_start (f->test, RF_QUICK_TEST_BEFORE);
    for (g_autofree char *text = NULL; g_strcmp0 (text, "waiting\n") != 0;) {
        g_main_context_iteration (NULL, FALSE);
        g_free (text);
        g_assert_true (g_file_get_contents (waits, &text, NULL, NULL));
    }
    rf_quick_test_cancel (f->test);
    while (rf_quick_test_get_state (f->test) != RF_QUICK_TEST_IDLE)
        g_main_context_iteration (NULL, TRUE);
    g_assert_null (rf_quick_test_get_result (f->test, RF_QUICK_TEST_BEFORE));
    g_assert_null (rf_quick_test_get_problem (f->test));
    g_assert_cmpuint (count (f), ==, 0);
}

static void
test_missing (Fixture *f, gconstpointer data)
{
    rf_quick_test_set_program (f->test, "/nonexistent/load", 1);
    run (f, RF_QUICK_TEST_BEFORE);
    g_assert_nonnull (rf_quick_test_get_problem (f->test));
    g_assert_cmpuint (count (f), ==, 0);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add ("/quick-test/both", Fixture, NULL, setup, test_both, teardown);
    g_test_add ("/quick-test/refused", Fixture, NULL, setup, test_refused, teardown);
    g_test_add ("/quick-test/cancelled", Fixture, NULL, setup, test_cancelled, teardown);
    g_test_add ("/quick-test/missing", Fixture, NULL, setup, test_missing, teardown);
    return g_test_run ();
}
