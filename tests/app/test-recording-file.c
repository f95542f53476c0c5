/* A recording on disk and back, whole and damaged, ours and anybody's. */
#define G_LOG_DOMAIN "test-recording-file"
#include "config.h"

#include "rf-error.h"
#include "rf-event-file.h"
#include "rf-recording-file.h"
#include "rf-table-file.h"
#include "rf-test-tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define INI                                                                                                            \
    "[session]\nname=Evening flight\ncreated=2026-11-30T18:00:00Z\nended=2026-11-30T19:00:00Z\nend-reason=stopped\n"   \
    "source=helper\nworkload=xplane\nhz=10\ntraced=true\nanchor-monotonic-ns=1000000000\n"                             \
    "anchor-wall-us=1796061600000000\nprogram=ruckelfrei 0.1.0\nfuture-key=x\n\n[machine]\nkernel=6.1.0\nmodel=Desk\n\n" \
    "[settings-start]\nvm.swappiness=60\nblock.scheduler:nvme0n1=none\n\n[settings-end]\nvm.swappiness=10\n\n"         \
    "[marks]\n3000000000=It stuttered\n\n[self-check]\ntrusted=true\n\n[future]\na=b\n"
#define SAMPLES                                                                                                        \
    "time_ns,interval_s,free_bytes,nvme0n1.write_iops\n1000000000,0,5e9,\n1100000000,0.1,5000000001,12.5\n"            \
    "# gap 1100000000 2000000000 backlog\n2000000000,0.9,4e9,0\n# end stopped\n"                                       \
    "# self-check reclaim traced 3 counted 3; verdict trusted\n"
#define EVENTS                                                                                                         \
    "time_ns,kind,duration_ns,pid,tid,process,subject,amount\n1500000000,reclaim,2500000,10,11,\"a,\\xff b\",order 0,32\n" \
    "1200000000,io,7000000,,,,nvme0n1 write,4096\n3000000000,mark,0,,,,stuttered,\n"

static RfTestTree *
make (const char *ini, const char *samples, const char *events)
{
    RfTestTree *tree = rf_test_tree_new (NULL);
    rf_test_tree_mkdir (tree, "r");
    if (ini != NULL)
        rf_test_tree_set (tree, "r/session.ini", ini);
    if (samples != NULL)
        rf_test_tree_set (tree, "r/samples.csv", samples);
    if (events != NULL)
        rf_test_tree_set (tree, "r/events.csv", events);
    return tree;
}

static RfRecording *
load (RfTestTree *tree, RfRecordingState **state)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = rf_test_tree_path (tree, "r");
    RfRecording *recording = rf_recording_load (path, state, &error);
    g_assert_no_error (error);
    return recording;
}

static void
refuse (RfTestTree *tree, int code)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *path = rf_test_tree_path (tree, "r");
    RfRecordingState *state = NULL;
    g_assert_null (rf_recording_load (path, &state, &error));
    g_assert_null (state);
    g_assert_error (error, RF_ERROR, code);
}

static void
test_whole (void)
{
    g_autoptr (RfTestTree) tree = make (INI, SAMPLES, EVENTS);
    rf_test_tree_set (tree, "r/frames.csv", "time_ns,frame_ms\r\n5,16.6\r\n");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_true (state->ended && !state->torn && !state->cut && state->damaged == 0 && state->missing->len == 0);
    g_assert_null (rf_recording_state_text (state));
    g_assert_cmpstr (recording->name, ==, "Evening flight");
    g_assert_cmpstr (recording->workload, ==, "xplane");
    g_assert_cmpstr (recording->kernel, ==, "6.1.0");
    g_assert_cmpstr (recording->machine, ==, "Desk");
    g_assert_cmpstr (g_hash_table_lookup (recording->settings_start, "block.scheduler:nvme0n1"), ==, "none");
    g_assert_cmpstr (g_hash_table_lookup (recording->settings_end, "vm.swappiness"), ==, "10");
    g_assert_cmpuint (recording->untrusted->len, ==, 0);
    g_assert_cmpint (rf_recording_wall_us (recording, 2000000000), ==, G_GINT64_CONSTANT (1796061601000000));

    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), ==, 3);
    guint column = rf_table_find (samples, "nvme0n1.write_iops");
    g_assert_true (isnan (rf_table_values (samples, column)[0]));
    g_assert_cmpfloat (rf_table_values (samples, column)[1], ==, 12.5f);
    g_assert_cmpint (rf_table_times (samples)[2], ==, 2000000000);
    g_assert_nonnull (rf_recording_table (recording, "frames"));
    g_assert_cmpuint (recording->gaps->len, ==, 1);
    g_assert_cmpstr (g_array_index (recording->gaps, RfGap, 0).reason, ==, "backlog");

    g_assert_cmpuint (recording->events->len, ==, 3);
    const RfEvent *io = &g_array_index (recording->events, RfEvent, 0);
    const RfEvent *reclaim = &g_array_index (recording->events, RfEvent, 1);
    const RfEvent *mark = &g_array_index (recording->events, RfEvent, 2);
    g_assert_cmpint (io->kind, ==, RF_EVENT_IO);
    g_assert_cmpfloat (io->amount, ==, 4096);
    g_assert_cmpstr (reclaim->process, ==, "a,\\xff b");
    g_assert_cmpint (reclaim->tid, ==, 11);
    /* one mark, in the words of session.ini */
    g_assert_cmpstr (mark->subject, ==, "It stuttered");
}

/* what is loaded, saved and loaded again is the same */
static void
test_save (void)
{
    g_autoptr (RfTestTree) tree = make (INI, SAMPLES, EVENTS);
    g_autoptr (RfRecording) first = load (tree, NULL);
    g_autofree char *path = rf_test_tree_path (tree, "saved");
    g_autoptr (GError) error = NULL;
    g_assert_true (rf_recording_save (first, path, &error));
    g_assert_no_error (error);
    /* never over another */
    g_assert_false (rf_recording_save (first, path, &error));
    g_assert_nonnull (error);
    g_assert_true (rf_test_tree_exists (tree, "saved/samples.csv"));
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) second = rf_recording_load (path, &state, NULL);
    g_assert_nonnull (second);
    g_assert_null (rf_recording_state_text (state));
    g_assert_cmpstr (second->name, ==, first->name);
    g_assert_cmpstr (g_hash_table_lookup (second->settings_end, "vm.swappiness"), ==, "10");
    g_assert_cmpuint (second->events->len, ==, first->events->len);
    for (guint i = 0; i < first->events->len; i++)
        g_assert_cmpmem (&g_array_index (first->events, RfEvent, i), sizeof (RfEvent),
                         &g_array_index (second->events, RfEvent, i), sizeof (RfEvent));
    g_assert_cmpuint (second->gaps->len, ==, 1);
    const RfTable *a = rf_recording_table (first, "samples"), *b = rf_recording_table (second, "samples");
    for (guint i = 0; i < rf_table_n_columns (a); i++)
        g_assert_cmpmem (rf_table_values (a, i), 3 * sizeof (float), rf_table_values (b, i), 3 * sizeof (float));
}

static void
test_no_end (void)
{
    g_autoptr (RfTestTree) tree
        = make ("[session]\nsource=helper\nanchor-monotonic-ns=1\nanchor-wall-us=2\n",
                "time_ns,interval_s\n1,0\n2,0.1\n3,0.", "time_ns,kind,duration_ns,pid,tid,process,subject,amount\n2,io,3,,");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_false (state->ended);
    g_assert_true (state->torn);
    g_autofree char *text = rf_recording_state_text (state);
    g_assert_nonnull (strstr (text, "has no end"));
    g_assert_null (recording->settings_end);
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "samples")), ==, 2);
    g_assert_cmpuint (recording->events->len, ==, 0);
}

/* started, and nothing came */
static void
test_empty (void)
{
    g_autoptr (RfTestTree) tree = make ("[session]\nsource=window\n", "", "");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_cmpuint (state->missing->len, ==, 0);
    g_assert_cmpuint (recording->tables->len, ==, 0);
    gint64 start, end;
    g_assert_false (rf_recording_span (recording, &start, &end));
}

static void
test_damaged (void)
{
    g_autoptr (RfTestTree) tree
        = make (INI, "time_ns,a\n1,1\n2\n3,x\nx,3\n4,4\n3,5\n5,1,2\n# gap 9 8 x\n# gap 1 2\n6,6\n",
                "time_ns,kind,duration_ns,pid,tid,process,subject,amount\nx,io,,,,,,\n1,what,,,,,,\n1,io,-1,,,,,\n"
                "1,io,0,,,,\n1,io,0,99999999999,,,,\n1,io,0,,,,,nan\n7,io,0,,,,,\n");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_cmpuint (state->damaged, ==, 5 + 2 + 6);
    g_autofree char *text = rf_recording_state_text (state);
    g_assert_nonnull (strstr (text, "13 damaged lines"));
    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), ==, 3);
    g_assert_cmpfloat (rf_table_values (samples, 0)[2], ==, 6);
    g_assert_cmpuint (recording->events->len, ==, 2); /* and the mark of session.ini */
}

/* One wrong time in a file would make everything that goes second by second endless. */
static void
test_far_times (void)
{
    g_autoptr (RfTestTree) tree = make (
        "[session]\nsource=helper\n",
        "time_ns,a\n-9223372036854775807,1\n1,1\n2,2\n700000000000000,3\n4611686018427387904,1\n9223372036854775807,1\n",
        "time_ns,kind,duration_ns,pid,tid,process,subject,amount\n3,io,4611686018427387903,,,,,\n4,io,5,,,,,\n"
        "4611686018427387903,io,0,,,,,\n");
    rf_test_tree_set (tree, "r/frames.csv", "time_ns,frame_ms\n# gap 5 9223372036854775807 late\n8000000000000000,1\n");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    gint64 start = 0, end = 0;
    g_assert_true (rf_recording_span (recording, &start, &end));
    g_assert_cmpint (start, ==, 1);
    g_assert_cmpint (end, ==, 9);
    g_assert_cmpuint (state->damaged, ==, 4 + 2 + 1);
    const RfTable *samples = rf_recording_table (recording, "samples");
    g_assert_cmpuint (rf_table_n_rows (samples), ==, 2);
    g_assert_cmpfloat (rf_table_values (samples, 0)[1], ==, 2);
    g_assert_cmpuint (rf_table_n_rows (rf_recording_table (recording, "frames")), ==, 0);

    /* the first sample is the measure: what is before it goes as well */
    rf_test_tree_set (tree, "r/samples.csv", "time_ns,a\n1000000000000000,1\n1000000000000001,2\n# gap 5 9223372036854775807 late\n");
    g_autoptr (RfRecordingState) second = NULL;
    g_autoptr (RfRecording) late = load (tree, &second);
    g_assert_true (rf_recording_span (late, &start, &end));
    g_assert_cmpint (start, ==, 1000000000000000);
    g_assert_cmpint (end, ==, 1000000000000001);
    g_assert_cmpuint (late->events->len, ==, 0);
    g_assert_cmpuint (late->gaps->len, ==, 0);
}

/* A hole costs nobody anything on disk, and hours to read. */
static void
test_endless_file (void)
{
    g_autoptr (RfTestTree) tree = make (INI, "time_ns,a\n1,1\n", "");
    rf_test_tree_set (tree, "r/frames.csv", "time_ns,frame_ms\n1,1\n");
    g_autofree char *path = rf_test_tree_path (tree, "r/frames.csv");
    g_assert_cmpint (truncate (path, G_GINT64_CONSTANT (1) << 42), ==, 0);
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_null (rf_recording_table (recording, "frames"));
    g_assert_nonnull (rf_recording_table (recording, "samples"));
    g_assert_cmpuint (state->missing->len, ==, 1);
    g_assert_true (g_str_has_prefix (state->missing->pdata[0], "frames.csv: "));
}

static void
test_no_header (void)
{
    static const char *const wrong[] = {"1,2\n3,4\n", "time_ns\n1\n", "time_ns,a,a\n", "time_ns,\n", "a,time_ns\n1,2\n",
                                        "time_ns,a\x1b[31m\n", "\177ELF\1\1\n", "# only\n"};
    for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
        g_autoptr (RfTestTree) tree = make (INI, wrong[i], wrong[i]);
        g_autoptr (RfRecordingState) state = NULL;
        g_autoptr (RfRecording) recording = load (tree, &state);
        g_assert_cmpuint (recording->tables->len, ==, 0);
        g_assert_cmpuint (state->missing->len, ==, 2);
        g_autofree char *text = rf_recording_state_text (state);
        g_assert_nonnull (strstr (text, "samples.csv"));
    }
}

static void
test_foreign_ini (void)
{
    static const char *const wrong[]
        = {"", "x", "[other]\na=b\n", "[session]\nname=x\n", "[session]\nsource=\n", "[session]\nsource=helper\nhz=many\n",
           "[session]\nsource=helper\nhz=-1\n", "[session]\nsource=helper\ncreated=yesterday\n",
           "[session]\nsource=helper\ntraced=perhaps\n", "[session]\nsource=helper\nanchor-wall-us=99999999999999999999\n",
           "[session]\nsource=helper\nname=\xff\n", "[session]\nsource=help\\qer\n", "[session]\nsource=a\nrubbish\n"};
    for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
        g_autoptr (RfTestTree) tree = make (wrong[i], SAMPLES, EVENTS);
        g_test_message ("%s", wrong[i]);
        refuse (tree, RF_ERROR_INVALID);
    }
    g_autoptr (RfTestTree) missing = make (NULL, SAMPLES, EVENTS);
    refuse (missing, RF_ERROR_UNAVAILABLE);
    g_autofree char *huge = g_strnfill (RF_SESSION_INFO_MAX + 10, 'a');
    g_autoptr (RfTestTree) much = make (huge, SAMPLES, EVENTS);
    refuse (much, RF_ERROR_INVALID);
}

/* links and pipes are not followed and not waited for */
static void
test_no_files (void)
{
    g_autoptr (RfTestTree) tree = make (INI, NULL, NULL);
    g_autofree char *pipe = rf_test_tree_path (tree, "r/events.csv");
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
    rf_test_tree_set (tree, "elsewhere.csv", SAMPLES);
    rf_test_tree_symlink (tree, "r/samples.csv", "../elsewhere.csv");
    g_autoptr (RfRecordingState) state = NULL;
    g_autoptr (RfRecording) recording = load (tree, &state);
    g_assert_cmpuint (state->missing->len, ==, 2);
    g_assert_cmpuint (recording->tables->len, ==, 0);

    rf_test_tree_set (tree, "ini", INI);
    rf_test_tree_remove (tree, "r/session.ini");
    rf_test_tree_symlink (tree, "r/session.ini", "../ini");
    refuse (tree, RF_ERROR_UNAVAILABLE);
    rf_test_tree_remove (tree, "r");
    rf_test_tree_mkdir (tree, "real");
    rf_test_tree_set (tree, "real/session.ini", INI);
    rf_test_tree_symlink (tree, "r", "real");
    refuse (tree, RF_ERROR_UNAVAILABLE);
}

static void
test_info (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfSessionInfo) info = rf_session_info_parse (INI, strlen (INI), &error);
    g_assert_no_error (error);
    g_autofree char *text = rf_session_info_format (info);
    g_autoptr (RfSessionInfo) again = rf_session_info_parse (text, strlen (text), &error);
    g_assert_no_error (error);
    g_autofree char *twice = rf_session_info_format (again);
    g_assert_cmpstr (text, ==, twice);
    g_assert_cmpint (again->created_us, ==, G_GINT64_CONSTANT (1796061600000000));
    g_assert_cmpint (again->trust, ==, RF_TRUST_YES);
    g_assert_cmpuint (again->hz, ==, 10);
    g_assert_true (again->traced);

    /* names are one line, whatever was typed */
    rf_recording_set (&info->name, "  a\nb\t\x1b[31m\xff ");
    g_ptr_array_add (info->untrusted, g_strdup ("bytes\n[session]"));
    info->trust = RF_TRUST_NO;
    g_hash_table_insert (info->settings_start, g_strdup ("x=[y]"), g_strdup ("1"));
    g_autofree char *odd = rf_session_info_format (info);
    g_autoptr (RfSessionInfo) read = rf_session_info_parse (odd, strlen (odd), &error);
    g_assert_no_error (error);
    g_assert_cmpstr (read->name, ==, "a b  [31m\xef\xbf\xbd");
    g_assert_cmpint (read->trust, ==, RF_TRUST_NO);
    g_assert_cmpstr (read->untrusted->pdata[0], ==, "bytes [session]");
    g_assert_cmpuint (g_hash_table_size (read->settings_start), ==, 2);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/recording-file/whole", test_whole);
    g_test_add_func ("/app/recording-file/save", test_save);
    g_test_add_func ("/app/recording-file/no-end", test_no_end);
    g_test_add_func ("/app/recording-file/empty", test_empty);
    g_test_add_func ("/app/recording-file/damaged", test_damaged);
    g_test_add_func ("/app/recording-file/far-times", test_far_times);
    g_test_add_func ("/app/recording-file/endless-file", test_endless_file);
    g_test_add_func ("/app/recording-file/no-header", test_no_header);
    g_test_add_func ("/app/recording-file/foreign-ini", test_foreign_ini);
    g_test_add_func ("/app/recording-file/no-files", test_no_files);
    g_test_add_func ("/app/recording-file/info", test_info);
    return g_test_run ();
}
