/* The work of a measurement, with times that are told to it: lines, gaps, backlog, self-check. */
#include "config.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "rf-clock.h"
#include "rf-measure-backlog.h"
#include "rf-measurer.h"
#include "rf-test-tree.h"

#define NS_PER_SEC G_GINT64_CONSTANT (1000000000)
#define BEGIN (1000 * NS_PER_SEC)

typedef struct {
    RfTestTree *tree;
    RfMeasurer *measurer;
    RfMeasureOptions options;
    RfMeasureTime time;
    int readers[2];
    GString *samples; /* what was read so far */
    GString *events;
    gint64 *times; /* of the samples in it, from split() */
    guint n;
} Fixture;

static void
make_pipe (int *reader, int *writer)
{
    int ends[2];
    g_assert_true (g_unix_open_pipe (ends, FD_CLOEXEC, NULL));
    g_unix_set_fd_nonblocking (ends[0], TRUE, NULL);
    g_unix_set_fd_nonblocking (ends[1], TRUE, NULL);
    *reader = ends[0];
    *writer = ends[1];
}

static void
set_up (Fixture *self, gconstpointer data)
{
    g_autoptr (GError) error = NULL;
    int samples, events;
    self->options = (RfMeasureOptions)RF_MEASURE_OPTIONS_DEFAULT;
    self->tree = rf_test_tree_new ("laptop-8g");
    self->samples = g_string_new (NULL);
    self->events = g_string_new (NULL);
    make_pipe (&self->readers[0], &samples);
    make_pipe (&self->readers[1], &events);
    self->measurer = rf_measurer_new (rf_test_tree_sysroot (self->tree), &self->options, samples, events, &error);
    g_assert_no_error (error);
    self->time = (RfMeasureTime){.due_ns = BEGIN, .now_ns = BEGIN, .wall_us = 1796047380000000};
    rf_measurer_begin (self->measurer, &self->time);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
    g_clear_pointer (&self->measurer, rf_measurer_free);
    for (guint i = 0; i < 2; i++)
        if (self->readers[i] >= 0)
            close (self->readers[i]);
    rf_test_tree_free (self->tree);
    g_string_free (self->samples, TRUE);
    g_string_free (self->events, TRUE);
    g_free (self->times);
}

/* One sample, @late_us after it is due; the next one is due a tenth of a second later. */
static gboolean
tick (Fixture *self, gint64 late_us)
{
    self->time.now_ns = self->time.due_ns + late_us * 1000;
    gboolean read = rf_measurer_tick (self->measurer, &self->time);
    self->time.due_ns += NS_PER_SEC / self->options.hz;
    return read;
}

static void
take (int fd, GString *out)
{
    char block[4096];
    for (gssize got; (got = read (fd, block, sizeof block)) > 0;)
        g_string_append_len (out, block, got);
}

/* Reads like somebody who keeps up. */
static void
read_all (Fixture *self)
{
    gboolean done = FALSE;
    for (guint i = 0; i < 100000 && !done; i++) {
        done = rf_measurer_flush (self->measurer);
        take (self->readers[0], self->samples);
        take (self->readers[1], self->events);
    }
    g_assert_true (done);
}

/* Counts and remembers the samples of what was read; every line of it must be sound. */
static void
split (Fixture *self)
{
    g_auto (GStrv) lines = g_strsplit (self->samples->str, "\n", -1);
    g_auto (GStrv) names = rf_sample_header_parse (lines[0], strlen (lines[0]), NULL);
    g_assert_nonnull (names);
    guint n_columns = g_strv_length (names);
    g_autofree double *values = g_new0 (double, n_columns);
    g_free (self->times);
    self->times = g_new0 (gint64, g_strv_length (lines));
    self->n = 0;
    g_assert_true (g_str_has_suffix (self->samples->str, "\n"));
    for (guint i = 1; lines[i + 1] != NULL; i++) {
        RfSampleComment comment;
        if (lines[i][0] == '#')
            g_assert_true (rf_sample_comment_parse (lines[i], strlen (lines[i]), &comment));
        else
            g_assert_true (
                rf_sample_line_parse (lines[i], strlen (lines[i]), n_columns, &self->times[self->n++], values));
    }
}

/* A column of the last sample that was read. */
static double
last_value (Fixture *self, const char *name)
{
    g_auto (GStrv) lines = g_strsplit (self->samples->str, "\n", -1);
    g_auto (GStrv) names = rf_sample_header_parse (lines[0], strlen (lines[0]), NULL);
    guint n_columns = g_strv_length (names), last = 0;
    g_autofree double *values = g_new0 (double, n_columns);
    gint64 time_ns = 0;
    for (guint i = 1; lines[i] != NULL; i++)
        if (g_ascii_isdigit (lines[i][0]))
            last = i;
    g_assert_true (rf_sample_line_parse (lines[last], strlen (lines[last]), n_columns, &time_ns, values));
    for (guint i = 0; i < n_columns; i++)
        if (g_str_equal (names[i], name))
            return values[i];
    g_error ("no column %s", name);
}

static guint
count (Fixture *self, const char *text)
{
    guint n = 0;
    for (const char *p = self->samples->str; (p = strstr (p, text)) != NULL; p++)
        n++;
    return n;
}

static void
test_lines (Fixture *self, gconstpointer data)
{
    for (guint i = 0; i < 30; i++)
        g_assert_true (tick (self, 40));
    rf_measurer_end (self->measurer, self->time.due_ns, "stopped");
    read_all (self);
    split (self);
    g_assert_cmpuint (self->n, ==, 30);
    for (guint i = 0; i < self->n; i++)
        g_assert_cmpint (self->times[i], ==, BEGIN + 40000 + i * NS_PER_SEC / 10);
    g_assert_nonnull (strstr (self->samples->str, "\n# anchor 1000000000000 1796047380000000\n"));
    g_assert_cmpuint (count (self, "# gap"), ==, 0);
    g_assert_true (last_value (self, "late_us") == 40);
    g_assert_true (last_value (self, "dropped") == 0);
    g_assert_true (last_value (self, "own_major_faults") == 0);
    g_assert_true (last_value (self, "own_cpu_us") >= 0);
    /* nothing is traced */
    g_assert_true (isnan (last_value (self, "own_reclaims")));
    g_assert_true (last_value (self, "available_bytes") > 0);
    g_assert_true (last_value (self, "interval_s") == 0.1);
    g_assert_true (last_value (self, "nvme0n1.read_iops") >= 0);
    g_assert_true (g_str_has_suffix (self->samples->str,
                                     "\n# end stopped\n# self-check samples traced 30 counted 31 agrees\n"
                                     "# self-check verdict trusted\n"));
    g_assert_cmpstr (self->events->str, ==, RF_EVENT_HEADER "\n");
}

/* A counter of the kernel goes on: rates come from the interval as it was, not as it should have been. */
static void
test_rates (Fixture *self, gconstpointer data)
{
    g_autofree char *vmstat = rf_test_tree_get (self->tree, "proc/vmstat");
    g_autofree char *later = NULL;
    tick (self, 0);
    g_auto (GStrv) lines = g_strsplit (vmstat, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        if (!g_str_has_prefix (lines[i], "pgmajfault "))
            continue;
        guint64 now = g_ascii_strtoull (strchr (lines[i], ' '), NULL, 10);
        g_free (lines[i]);
        lines[i] = g_strdup_printf ("pgmajfault %" G_GUINT64_FORMAT, now + 30);
    }
    later = g_strjoinv ("\n", lines);
    rf_test_tree_set (self->tree, "proc/vmstat", later);
    tick (self, 50000); /* 0.15 s after the first */
    read_all (self);
    g_assert_true (last_value (self, "interval_s") == 0.15);
    g_assert_true (last_value (self, "major_faults_per_s") == 200);
}

/* Nobody reads for a minute: nothing is lost. Nobody reads for longer: whole lines are, and it is said. */
static void
test_slow_reader (Fixture *self, gconstpointer data)
{
    const guint minute = RF_MEASURE_BACKLOG_SECONDS * self->options.hz;
    for (guint i = 0; i < minute; i++)
        g_assert_true (tick (self, 0));
    read_all (self);
    split (self);
    g_assert_cmpuint (self->n, ==, minute);
    g_assert_cmpuint (count (self, "# gap"), ==, 0);

    for (guint i = 0; i < 20 * minute; i++)
        g_assert_true (tick (self, 0));
    read_all (self);
    split (self);
    guint kept = self->n;
    g_assert_cmpuint (kept, >=, 2 * minute);
    g_assert_cmpuint (kept, <, 21 * minute);
    tick (self, 0);
    read_all (self);
    split (self);
    g_assert_cmpuint (self->n, ==, kept + 1);
    g_autofree char *gap = g_strdup_printf ("\n# gap %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " backlog\n",
                                            self->times[kept - 1], self->times[kept]);
    g_assert_nonnull (strstr (self->samples->str, gap));
    g_assert_cmpuint (count (self, "# gap"), ==, 1);
    g_assert_true (last_value (self, "dropped") == 21 * minute - kept);
    for (guint i = 1; i < kept; i++)
        g_assert_cmpint (self->times[i], ==, self->times[i - 1] + NS_PER_SEC / 10);
    /* so many samples are missing that nobody should rely on it */
    rf_measurer_end (self->measurer, self->time.due_ns, "limit");
    read_all (self);
    g_assert_true (g_str_has_suffix (self->samples->str, " differs\n# self-check verdict not-trusted\n"));
}

/* The end is said also when the reader has let everything run full. */
static void
test_full_at_the_end (Fixture *self, gconstpointer data)
{
    for (guint i = 0; i < 30 * RF_MEASURE_BACKLOG_SECONDS * self->options.hz; i++)
        tick (self, 0);
    rf_measurer_end (self->measurer, self->time.due_ns, "stopped");
    read_all (self);
    split (self);
    g_autofree char *gap
        = g_strdup_printf ("\n# gap %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " backlog\n# end stopped\n",
                           self->times[self->n - 1], self->time.due_ns);
    g_assert_nonnull (strstr (self->samples->str, gap));
}

static void
test_late (Fixture *self, gconstpointer data)
{
    tick (self, 0);
    tick (self, 99999);
    read_all (self);
    g_assert_cmpuint (count (self, "# gap"), ==, 0);
    g_assert_true (last_value (self, "late_us") == 99999);
    /* the time of the next one has passed: it is missing, and not made up for */
    tick (self, 130000);
    read_all (self);
    g_assert_nonnull (strstr (self->samples->str, "\n# gap 1000199999000 1000330000000 late\n"));
    g_assert_true (last_value (self, "late_us") == 130000);
    /* and one that was left out because the work took too long */
    self->time.due_ns += NS_PER_SEC / 10;
    tick (self, 0);
    read_all (self);
    g_assert_nonnull (strstr (self->samples->str, "\n# gap 1000330000000 1000400000000 late\n"));
    tick (self, 0);
    read_all (self);
    g_assert_cmpuint (count (self, "# gap"), ==, 2);
}

/* The monotonic clock stands still meanwhile, but the other one goes on. */
static void
test_suspend (Fixture *self, gconstpointer data)
{
    tick (self, 0);
    tick (self, 0);
    self->time.asleep_us += G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC;
    self->time.wall_us += G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC;
    tick (self, 20);
    tick (self, 0);
    read_all (self);
    split (self);
    g_assert_nonnull (strstr (
        self->samples->str, "\n# anchor 1000200020000 1796050980000000\n# gap 1000100000000 1000200020000 suspend\n"));
    g_assert_cmpuint (count (self, "# gap"), ==, 1);
    /* no rate over a sleep */
    g_auto (GStrv) lines = g_strsplit (strstr (self->samples->str, "suspend\n"), "\n", 3);
    g_assert_true (g_str_has_prefix (lines[1], "1000200020000,0,,"));
}

static void
test_reader_gone (Fixture *self, gconstpointer data)
{
    g_assert_true (tick (self, 0));
    /* whoever does not want the events may close them */
    close (self->readers[1]);
    self->readers[1] = -1;
    rf_measurer_add_event (self->measurer, &(RfEvent){.kind = RF_EVENT_RECLAIM, .time_ns = 1, .amount = 1});
    for (guint i = 0; i < 3; i++)
        g_assert_true (tick (self, 0));
    close (self->readers[0]);
    self->readers[0] = -1;
    g_assert_false (tick (self, 0));
    rf_measurer_end (self->measurer, self->time.due_ns, "reader-gone");
    g_assert_true (rf_measurer_flush (self->measurer));
}

static void
test_events (Fixture *self, gconstpointer data)
{
    RfEvent event = {.time_ns = BEGIN, .kind = RF_EVENT_RECLAIM, .duration_ns = 5, .pid = 1, .tid = 2, .amount = 32};
    g_strlcpy (event.process, "a,b", sizeof event.process);
    rf_measurer_add_event (self->measurer, &event);
    read_all (self);
    g_assert_cmpstr (self->events->str, ==, RF_EVENT_HEADER "\n1000000000000,reclaim,5,1,2,\"a,b\",,32\n");
    g_string_truncate (self->events, 0);
    /* nobody reads: some are lost, and it is said how many */
    const guint n = 5000;
    for (guint i = 0; i < n; i++)
        rf_measurer_add_event (self->measurer, &event);
    read_all (self);
    guint kept = 0;
    for (const char *p = self->events->str; (p = strstr (p, ",reclaim,")) != NULL; p++)
        kept++;
    g_assert_cmpuint (kept, >, 0);
    g_assert_cmpuint (kept, <, n);
    g_string_truncate (self->events, 0);
    rf_measurer_add_event (self->measurer, &event);
    read_all (self);
    g_autofree char *expected
        = g_strdup_printf ("1000000000000,lost,0,,,,,%u\n1000000000000,reclaim,5,1,2,\"a,b\",,32\n", n - kept);
    g_assert_cmpstr (self->events->str, ==, expected);
}

static void
test_check (void)
{
    static const struct {
        guint64 found, expected, least;
        RfSampleCheckResult result;
    } rows[] = {
        {0, 0, 1, RF_SAMPLE_TOO_FEW},       {99, 10, 100, RF_SAMPLE_TOO_FEW},  {100, 100, 100, RF_SAMPLE_AGREES},
        {95, 100, 100, RF_SAMPLE_AGREES},   {105, 100, 100, RF_SAMPLE_AGREES}, {94, 100, 100, RF_SAMPLE_DIFFERS},
        {106, 100, 100, RF_SAMPLE_DIFFERS}, {0, 1000, 100, RF_SAMPLE_DIFFERS}, {1000, 0, 100, RF_SAMPLE_DIFFERS},
    };
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        g_assert_cmpint (rf_measure_check (rows[i].found, rows[i].expected, rows[i].least), ==, rows[i].result);
}

static void
test_backlog (void)
{
    int reader, writer;
    make_pipe (&reader, &writer);
    g_autoptr (RfMeasureBacklog) backlog = rf_measure_backlog_new (writer, 1000, 100);
    g_autofree char *line = g_strnfill (900, 'x');
    g_assert_false (rf_measure_backlog_push (backlog, line, 901));
    g_assert_true (rf_measure_backlog_push (backlog, line, 900));
    g_assert_false (rf_measure_backlog_push (backlog, line, 1));
    g_assert_true (rf_measure_backlog_push_last (backlog, line, 100));
    g_assert_false (rf_measure_backlog_push_last (backlog, line, 1));
    g_assert_cmpuint (rf_measure_backlog_waiting (backlog), ==, 1000);
    g_assert_cmpint (rf_measure_backlog_flush (backlog), ==, RF_MEASURE_FLOW_EMPTY);
    g_autoptr (GString) found = g_string_new (NULL);
    take (reader, found);
    g_assert_cmpuint (found->len, ==, 1000);
    /* round and round, in pieces that do not divide the ring */
    g_autoptr (GString) expected = g_string_new (NULL);
    g_string_truncate (found, 0);
    for (guint i = 0; i < 500; i++) {
        g_autofree char *piece = g_strdup_printf ("%u piece of some length\n", i);
        g_string_append (expected, piece);
        g_assert_true (rf_measure_backlog_push (backlog, piece, strlen (piece)));
        if (i % 7 == 0) {
            rf_measure_backlog_flush (backlog);
            take (reader, found);
        }
    }
    rf_measure_backlog_flush (backlog);
    take (reader, found);
    g_assert_cmpstr (found->str, ==, expected->str);
    close (reader);
    g_assert_true (rf_measure_backlog_push (backlog, line, 1));
    g_assert_cmpint (rf_measure_backlog_flush (backlog), ==, RF_MEASURE_FLOW_GONE);
    g_assert_cmpint (rf_measure_backlog_flush (backlog), ==, RF_MEASURE_FLOW_GONE);
}

int
main (int argc, char **argv)
{
    signal (SIGPIPE, SIG_IGN);
    g_test_init (&argc, &argv, NULL);
#define TEST(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
    TEST ("/helper/measure/lines", test_lines);
    TEST ("/helper/measure/rates", test_rates);
    TEST ("/helper/measure/slow-reader", test_slow_reader);
    TEST ("/helper/measure/full-at-the-end", test_full_at_the_end);
    TEST ("/helper/measure/late", test_late);
    TEST ("/helper/measure/suspend", test_suspend);
    TEST ("/helper/measure/reader-gone", test_reader_gone);
    TEST ("/helper/measure/events", test_events);
    g_test_add_func ("/helper/measure/check", test_check);
    g_test_add_func ("/helper/measure/backlog", test_backlog);
    return g_test_run ();
}
