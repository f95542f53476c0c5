/* Tables of a recording: order of time, finding rows and columns; and what span and wall clock a recording has. */
#include "config.h"

#include <math.h>

#include "rf-recording.h"

static void
test_table (void)
{
    g_autoptr (RfTable) table = rf_table_new ("samples");
    g_assert_cmpuint (rf_table_add_column (table, "free_bytes"), ==, 0);
    g_assert_cmpuint (rf_table_add_column (table, "dirty_bytes"), ==, 1);
    g_assert_cmpuint (rf_table_find (table, "dirty_bytes"), ==, 1);
    g_assert_cmpuint (rf_table_find (table, "dirty"), ==, RF_TABLE_NONE);
    g_assert_cmpuint (rf_table_seek (table, 0), ==, 0);

    g_assert_true (rf_table_append (table, 100, (float[]){1, NAN}));
    g_assert_true (rf_table_append (table, 200, (float[]){2, 20}));
    g_assert_true (rf_table_append (table, 200, (float[]){3, 30}));
    g_assert_false (rf_table_append (table, 199, (float[]){4, 40}));
    g_assert_cmpuint (rf_table_n_rows (table), ==, 3);
    g_assert_cmpfloat (rf_table_values (table, 0)[2], ==, 3);
    g_assert_true (isnan (rf_table_values (table, 1)[0]));
    g_assert_cmpuint (rf_table_seek (table, 99), ==, 0);
    g_assert_cmpuint (rf_table_seek (table, 101), ==, 1);
    g_assert_cmpuint (rf_table_seek (table, 200), ==, 1);
    g_assert_cmpuint (rf_table_seek (table, 201), ==, 3);
}

static void
test_recording (void)
{
    g_autoptr (RfRecording) recording = rf_recording_new ();
    gint64 start, end;
    g_assert_false (rf_recording_span (recording, &start, &end));
    g_assert_cmpint (rf_recording_wall_us (recording, 5), ==, 0);

    RfTable *frames = rf_recording_add_table (recording, rf_table_new ("frames"));
    rf_table_add_column (frames, "frame_ms");
    g_assert_false (rf_recording_span (recording, &start, &end));
    g_assert_true (rf_table_append (frames, 3000000, (float[]){16}));
    RfEvent event = {.time_ns = 2000000, .duration_ns = 5000000, .kind = RF_EVENT_RECLAIM};
    g_array_append_val (recording->events, event);
    g_assert_true (rf_recording_span (recording, &start, &end));
    g_assert_cmpint (start, ==, 2000000);
    g_assert_cmpint (end, ==, 7000000);
    g_assert_true (rf_recording_table (recording, "frames") == frames);
    g_assert_null (rf_recording_table (recording, "samples"));

    recording->anchor_monotonic_ns = 2000000;
    recording->anchor_wall_us = 1000;
    g_assert_cmpint (rf_recording_wall_us (recording, 3000000), ==, 2000);
    rf_recording_set (&recording->name, "Evening flight");
    g_assert_cmpstr (recording->name, ==, "Evening flight");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/recording/table", test_table);
    g_test_add_func ("/recording/whole", test_recording);
    return g_test_run ();
}
