#include "config.h"

#include "rf-marks.h"
#include "rf-timeline.h"

static void
count_cb (gpointer object, guint *count)
{
    ++*count;
}

static void
test_cursor (void)
{
    static const struct {
        gint64 by;
        guint64 total;
        guint64 cursor;
    } moves[] = {
        {0, 0, 0}, /* nothing to point at */
        {-1, 500, 498},  {-100, 500, 400}, {1, 500, 401}, {G_MININT64 + 1, 500, 400}, {G_MAXINT64, 500, 499},
        {-5, 1000, 900}, /* it had left the picture */
        {-3, 50, 46},    /* fewer than fit */
        {-1000, 50, 0},
    };
    g_autoptr (RfTimeline) timeline = rf_timeline_new (250);
    guint moved = 0;
    guint changed = 0;
    guint64 number = 0;

    g_assert_cmpuint (rf_timeline_get_span (timeline), ==, 1200);
    rf_timeline_set_span (timeline, 100);
    g_signal_connect (timeline, "cursor-moved", G_CALLBACK (count_cb), &moved);
    g_signal_connect (timeline, "changed", G_CALLBACK (count_cb), &changed);
    for (guint i = 0; i < G_N_ELEMENTS (moves); i++) {
        rf_timeline_move_cursor (timeline, moves[i].by, moves[i].total);
        g_assert_cmpint (rf_timeline_get_cursor (timeline, &number), ==, moves[i].total > 0);
        g_assert_cmpuint (number, ==, moves[i].cursor);
    }
    g_assert_cmpuint (moved, ==, G_N_ELEMENTS (moves) - 1);
    rf_timeline_set_cursor (timeline, 0); /* there already */
    g_assert_cmpuint (moved, ==, G_N_ELEMENTS (moves) - 1);
    rf_timeline_clear_cursor (timeline);
    rf_timeline_clear_cursor (timeline);
    g_assert_cmpuint (moved, ==, G_N_ELEMENTS (moves));
    g_assert_false (rf_timeline_get_cursor (timeline, NULL));
    g_assert_cmpuint (changed, ==, 0);
}

static void
test_stopped (void)
{
    g_autoptr (RfTimeline) timeline = rf_timeline_new (1000);
    guint changed = 0;
    guint64 number = 0;

    g_signal_connect (timeline, "changed", G_CALLBACK (count_cb), &changed);
    g_assert_cmpuint (rf_timeline_get_end (timeline), ==, 0);
    rf_timeline_stop (timeline, 400);
    rf_timeline_stop (timeline, 400);
    g_assert_cmpuint (changed, ==, 1);
    /* the newest that is seen, whatever has come since */
    rf_timeline_move_cursor (timeline, 0, 900);
    g_assert_true (rf_timeline_get_cursor (timeline, &number));
    g_assert_cmpuint (number, ==, 399);
    rf_timeline_go (timeline);
    g_assert_cmpuint (changed, ==, 2);
    g_assert_cmpuint (rf_timeline_get_end (timeline), ==, 0);
    rf_timeline_set_span (timeline, 0);
    g_assert_cmpuint (rf_timeline_get_span (timeline), ==, 2);
    g_assert_cmpuint (changed, ==, 3);
}

static void
test_marks (void)
{
    g_autoptr (RfMarks) marks = rf_marks_new ();
    guint changed = 0;

    g_signal_connect (marks, "changed", G_CALLBACK (count_cb), &changed);
    for (guint i = 0; i < RF_MARKS_MAX + 10; i++)
        rf_marks_add (marks, i * 10, i % 2 == 0 ? RF_MARK_APPLIED : RF_MARK_TAKEN_BACK, "applied");
    g_assert_cmpuint (changed, ==, RF_MARKS_MAX + 10);
    g_assert_cmpuint (rf_marks_count (marks), ==, RF_MARKS_MAX);
    g_assert_cmpuint (rf_marks_get (marks, 0)->number, ==, 100);
    g_assert_cmpint (rf_marks_get (marks, 1)->kind, ==, RF_MARK_TAKEN_BACK);
    g_assert_cmpstr (rf_marks_get (marks, RF_MARKS_MAX - 1)->label, ==, "applied");
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/timeline/cursor", test_cursor);
    g_test_add_func ("/app/timeline/stopped", test_stopped);
    g_test_add_func ("/app/timeline/marks", test_marks);
    return g_test_run ();
}
