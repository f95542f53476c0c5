/* A recording with a helper on a bus: it measures, refuses, has no events of the kernel, or dies. */
#define G_LOG_DOMAIN "test-recorder-helper"
#include "config.h"

#include "rf-error.h"
#include "rf-fake-helper.h"
#include "rf-recorder.h"
#include "rf-test-tree.h"

#include <glib/gstdio.h>

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfFakeHelper *helper;
    RfClient *client;
    RfRecordings *recordings;
    RfRecorder *recorder;
} Rig;

static void
rig_make (Rig *rig)
{
    rig->tree = rf_test_tree_new ("laptop-8g");
    rig->facts = rf_facts_read (rf_test_tree_sysroot (rig->tree));
    rig->helper = rf_fake_helper_new (rf_test_tree_sysroot (rig->tree), rig->facts);
    rig->client = rf_client_new (rig->helper->client);
    RF_ITERATE_UNTIL (rf_client_get_available (rig->client));
    g_autofree char *folder = rf_test_tree_path (rig->tree, "sessions");
    g_autofree char *runtime = rf_test_tree_path (rig->tree, "run-user");
    g_assert_cmpint (g_mkdir_with_parents (runtime, 0700), ==, 0);
    rig->recordings = rf_recordings_new (folder);
    rig->recorder = rf_recorder_new (rig->recordings, rf_test_tree_sysroot (rig->tree), runtime);
}

static void
rig_clear (Rig *rig)
{
    g_object_unref (rig->recorder);
    rf_recordings_free (rig->recordings);
    g_object_unref (rig->client);
    rf_fake_helper_free (rig->helper);
    rf_facts_unref (rig->facts);
    rf_test_tree_free (rig->tree);
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    GAsyncResult **slot = data;
    *slot = g_object_ref (result);
}

static void
start (Rig *rig, const RfRecorderOptions *options)
{
    g_autoptr (GAsyncResult) result = NULL;
    g_autoptr (GError) error = NULL;
    rf_recorder_start_async (rig->recorder, rig->client, options, NULL, result_cb, &result);
    RF_ITERATE_UNTIL (result != NULL);
    g_assert_true (rf_recorder_start_finish (rig->recorder, result, &error));
    g_assert_no_error (error);
}

/* Returns: what was recorded */
static RfSessionInfo *
stop (Rig *rig)
{
    g_autoptr (GAsyncResult) result = NULL;
    g_autoptr (GError) error = NULL;
    rf_recorder_stop_async (rig->recorder, result_cb, &result);
    RF_ITERATE_UNTIL (result != NULL);
    g_autofree char *id = rf_recorder_stop_finish (rig->recorder, result, &error);
    g_assert_no_error (error);
    g_autofree char *path = rf_recordings_path (rig->recordings, id);
    RfSessionInfo *info = rf_session_info_load (path, &error);
    g_assert_no_error (error);
    return info;
}

static void
test_measured (void)
{
    Rig rig;
    rig_make (&rig);
    start (&rig, &(RfRecorderOptions) {.hz = 20, .trace = TRUE, .limit_s = 600});
    g_assert_true (rf_recorder_is_measured (rig.recorder));
    g_assert_null (rf_recorder_get_refusal (rig.recorder));
    g_assert_cmpuint (rig.helper->measured_hz, ==, 20);
    g_assert_cmpuint (rig.helper->measured_limit, ==, 600);
    g_assert_true (rig.helper->measured_trace);
    rf_fake_helper_add_samples (rig.helper, 50);
    g_autoptr (RfSessionInfo) info = stop (&rig);
    g_assert_cmpstr (info->source, ==, "helper");
    g_assert_cmpstr (info->end_reason, ==, "stopped");
    g_assert_true (info->traced);
    /* what the helper said at its end was waited for */
    g_assert_cmpint (info->trust, ==, RF_TRUST_YES);
    g_autofree char *path = rf_recordings_path (rig.recordings, rf_recorder_get_id (rig.recorder));
    g_autoptr (RfRecording) recording = rf_recording_load (path, NULL, NULL);
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), ==, 50);
    rig_clear (&rig);
}

static void
test_no_events (void)
{
    Rig rig;
    rig_make (&rig);
    rig.helper->no_tracefs = TRUE;
    start (&rig, &(RfRecorderOptions) {.trace = TRUE});
    g_assert_true (rf_recorder_is_measured (rig.recorder));
    g_assert_error ((GError *)rf_recorder_get_refusal (rig.recorder), RF_ERROR, RF_ERROR_UNAVAILABLE);
    g_assert_false (rig.helper->measured_trace);
    g_autoptr (RfSessionInfo) info = stop (&rig);
    g_assert_cmpstr (info->source, ==, "helper");
    g_assert_false (info->traced);
    rig_clear (&rig);
}

static void
test_refused (void)
{
    Rig rig;
    rig_make (&rig);
    rig.helper->answer = RF_ERROR_NOT_AUTHORIZED;
    start (&rig, &(RfRecorderOptions) {.trace = TRUE});
    g_assert_false (rf_recorder_is_measured (rig.recorder));
    g_assert_error ((GError *)rf_recorder_get_refusal (rig.recorder), RF_ERROR, RF_ERROR_NOT_AUTHORIZED);
    g_autoptr (RfSessionInfo) info = stop (&rig);
    g_assert_cmpstr (info->source, ==, "window");
    rig_clear (&rig);
}

static void
test_ends_itself (void)
{
    static const struct {
        const char *said;
        const char *reason;
    } cases[] = {{"limit", "limit"}, {NULL, "helper-gone"}};
    for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
        Rig rig;
        rig_make (&rig);
        start (&rig, &(RfRecorderOptions) {0});
        rf_fake_helper_add_samples (rig.helper, 3);
        rf_fake_helper_end_measurement (rig.helper, cases[i].said, FALSE);
        RF_ITERATE_UNTIL (rf_recorder_get_state (rig.recorder) == RF_RECORDER_IDLE);
        g_autoptr (RfSessionInfo) info = stop (&rig);
        g_assert_cmpstr (info->end_reason, ==, cases[i].reason);
        g_assert_cmpint (info->trust, ==, cases[i].said != NULL ? RF_TRUST_NO : RF_TRUST_UNCHECKED);
        rig_clear (&rig);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/recorder-helper/measured", test_measured);
    g_test_add_func ("/app/recorder-helper/no-events", test_no_events);
    g_test_add_func ("/app/recorder-helper/refused", test_refused);
    g_test_add_func ("/app/recorder-helper/ends-itself", test_ends_itself);
    return g_test_run ();
}
