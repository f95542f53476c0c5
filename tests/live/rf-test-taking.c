#define G_LOG_DOMAIN "rf-test-taking"
#include "config.h"

#include "rf-test-taking.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-event-file.h"
#include "rf-service.h"
#include "rf-text.h"

#define HZ 10
/* the unit's, see data/systemd/ruckelfrei-helper.service.in */
#define NICE -15
#define STANDSTILL_US 40000

/* the stream to its end, as a file */
static gpointer
read_to_end (gpointer data)
{
    int stream = GPOINTER_TO_INT (data);
    char block[16384];
    gssize n;
    int file = memfd_create ("rf-test-taking", MFD_CLOEXEC);
    while ((n = read (stream, block, sizeof block)) > 0)
        g_assert_cmpint (write (file, block, (gsize)n), ==, n);
    g_assert_cmpint (lseek (file, 0, SEEK_SET), ==, 0);
    close (stream);
    return GINT_TO_POINTER (file);
}

/* of the thread that measures; -1 where the kernel does not tell (CONFIG_SCHED_INFO) */
static int
open_schedstat (const char *pid)
{
    g_autofree char *tasks = g_strdup_printf ("/proc/%s/task", pid);
    g_autoptr (GDir) folder = g_dir_open (tasks, 0, NULL);
    const char *tid;
    g_assert_nonnull (folder);
    while ((tid = g_dir_read_name (folder)) != NULL) {
        g_autofree char *name = g_build_filename (tasks, tid, "comm", NULL);
        g_autofree char *file = g_build_filename (tasks, tid, "schedstat", NULL);
        g_autofree char *text = NULL;
        if (g_file_get_contents (name, &text, NULL, NULL) && g_str_equal (text, "rf-measure\n"))
            return open (file, O_RDONLY | O_CLOEXEC);
    }
    g_assert_not_reached ();
}

/* how long the thread has waited for a processor so far: the second number, see Documentation/scheduler/sched-stats.rst
 */
static gint64
waited_us (int schedstat)
{
    char text[128] = "";
    char *second = NULL;
    if (pread (schedstat, text, sizeof text - 1, 0) <= 0)
        return 0;
    g_ascii_strtoull (text, &second, 10);
    return (gint64)(g_ascii_strtoull (second, NULL, 10) / 1000);
}

static void
add_standstill (RfTestTaking *self, gint64 now_us, gint64 length_us)
{
    RfGap gap = {.start_ns = (now_us - length_us) * 1000, .end_ns = now_us * 1000};
    if (length_us > STANDSTILL_US)
        g_array_append_val (self->standstills, gap);
}

/* A thread that goes before everything else, and wants next to nothing. */
static gpointer
beat (gpointer data)
{
    RfTestTaking *self = data;
    const struct sched_param first = {.sched_priority = 1};
    gint64 last_us = g_get_monotonic_time (), last_waited_us = waited_us (self->schedstat);
    if (pthread_setschedparam (pthread_self (), SCHED_FIFO, &first) != 0)
        return NULL;
    while (!g_atomic_int_get (&self->ended)) {
        g_usleep (5000);
        gint64 now_us = g_get_monotonic_time (), now_waited_us = waited_us (self->schedstat);
        add_standstill (self, now_us, now_us - last_us);
        add_standstill (self, now_us, now_waited_us - last_waited_us);
        last_us = now_us;
        last_waited_us = now_waited_us;
    }
    return NULL;
}

gboolean
rf_test_taking_start (RfTestTaking *self, RfTestProgram *program, guint limit_s)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GUnixFDList) files = NULL;
    GVariantBuilder options;
    /* threads that it starts get it from the first one */
    id_t pid = (id_t)g_ascii_strtoll (g_subprocess_get_identifier (program->process), NULL, 10);
    g_assert_cmpint (setpriority (PRIO_PROCESS, pid, NICE), ==, 0);
    gint32 samples_at = 0, events_at = 0;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&options, "{sv}", "limit-seconds", g_variant_new_uint32 (limit_s));
    g_variant_builder_add (&options, "{sv}", "trace", g_variant_new_boolean (TRUE));
    g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
        program->caller, RF_SERVICE_NAME, RF_SERVICE_PATH, RF_SERVICE_NAME, "StartMeasurement",
        g_variant_new ("(a{sv})", &options), G_VARIANT_TYPE ("(shh)"), G_DBUS_CALL_FLAGS_NONE, 60000, NULL, &files,
        NULL, &error);
    if (g_error_matches (error, RF_ERROR, RF_ERROR_UNAVAILABLE)) {
        g_test_skip (error->message);
        return FALSE;
    }
    g_assert_no_error (error);
    self->program = program;
    g_variant_get (reply, "(shh)", &self->id, &samples_at, &events_at);
    self->samples
        = g_thread_new ("samples", read_to_end, GINT_TO_POINTER (g_unix_fd_list_get (files, samples_at, NULL)));
    self->events = g_thread_new ("events", read_to_end, GINT_TO_POINTER (g_unix_fd_list_get (files, events_at, NULL)));
    self->ended = 0;
    self->schedstat = open_schedstat (g_subprocess_get_identifier (program->process));
    self->standstills = g_array_new (FALSE, FALSE, sizeof (RfGap));
    self->pulse = g_thread_new ("pulse", beat, self);
    return TRUE;
}

/* @text: lines without the "# self-check " before them */
static void
read_check (const char *text, RfTestTaken *out)
{
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        RfSampleComment comment;
        g_autofree char *line = g_strconcat ("# self-check ", lines[i], NULL);
        g_test_message ("%s", line);
        g_assert_true (rf_sample_comment_parse (line, strlen (line), &comment));
        if (comment.kind == RF_SAMPLE_CHECK && g_str_equal (comment.word, "reclaim"))
            out->reclaim = comment;
        if (comment.kind == RF_SAMPLE_VERDICT && !comment.trusted)
            g_ptr_array_add (out->recording->untrusted, g_strdup (text));
    }
}

void
rf_test_taking_stop (RfTestTaking *self, RfTestTaken *out)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfTableNotes) notes = rf_table_notes_new ();
    g_autoptr (RfTableNotes) event_notes = rf_table_notes_new ();
    g_autoptr (GVariant) reply
        = rf_test_program_call (self->program, "StopMeasurement", g_variant_new ("(s)", self->id));
    int samples = GPOINTER_TO_INT (g_thread_join (self->samples)),
        events = GPOINTER_TO_INT (g_thread_join (self->events));
    memset (out, 0, sizeof *out);
    g_atomic_int_set (&self->ended, 1);
    g_thread_join (self->pulse);
    close (self->schedstat);
    out->standstills = g_steal_pointer (&self->standstills);
    out->recording = rf_recording_new ();
    rf_recording_set (&out->recording->source, "helper");
    RfTable *table = rf_table_read (samples, "samples", notes, &error);
    g_assert_no_error (error);
    rf_recording_add_table (out->recording, table);
    rf_events_read (events, out->recording->events, event_notes, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (notes->damaged + event_notes->damaged, ==, 0);
    g_assert_false (notes->torn || event_notes->torn);
    g_array_append_vals (out->recording->gaps, notes->gaps->data, notes->gaps->len);
    g_assert_cmpstr (notes->end_reason, ==, "stopped");
    g_assert_nonnull (notes->self_check);
    read_check (notes->self_check, out);
    close (samples);
    close (events);
    g_free (self->id);
}

void
rf_test_taken_clear (RfTestTaken *self)
{
    g_clear_pointer (&self->recording, rf_recording_free);
    g_clear_pointer (&self->standstills, g_array_unref);
}

double
rf_test_taken_sum (const RfTestTaken *self, const char *column, double *greatest)
{
    const RfTable *table = rf_recording_table (self->recording, "samples");
    guint number = rf_table_find (table, column);
    double sum = 0;
    g_assert_cmpuint (number, !=, RF_TABLE_NONE);
    const float *values = rf_table_values (table, number);
    for (gsize i = HZ; i < rf_table_n_rows (table); i++) {
        g_assert_false (isnan (values[i]));
        sum += (double)values[i];
        if (greatest != NULL)
            *greatest = MAX (*greatest, (double)values[i]);
    }
    return sum;
}

/* whether the sample before the gap, or the one behind it, was late for want of a processor */
static gboolean
is_standstill (const RfTestTaken *self, const RfGap *gap)
{
    for (guint i = 0; i < self->standstills->len; i++) {
        const RfGap *standstill = &g_array_index (self->standstills, RfGap, i);
        if (standstill->end_ns >= gap->start_ns && standstill->start_ns <= gap->end_ns)
            return TRUE;
    }
    return FALSE;
}

void
rf_test_taken_check (const RfTestTaken *self)
{
    const RfTable *table = rf_recording_table (self->recording, "samples");
    double late_us = 0, dearest_us = 0;
    gsize n = rf_table_n_rows (table);
    g_assert_cmpuint (n, >, 2 * HZ);
    double cpu_us = rf_test_taken_sum (self, "own_cpu_us", &dearest_us) / (double)(n - HZ);
    rf_test_taken_sum (self, "late_us", &late_us);
    double major = rf_test_taken_sum (self, "own_major_faults", NULL);
    double reclaims = rf_test_taken_sum (self, "own_reclaims", NULL);
    g_test_message (
        "%" G_GSIZE_FORMAT " samples, %u gaps, %u events: %.0f us of CPU a sample (%.3f %% of a core), %.0f us at "
        "most; at most %.0f us late; %u times without a processor; own major faults %.0f, own reclaims %.0f; reclaims "
        "traced %" G_GUINT64_FORMAT ", counted %" G_GUINT64_FORMAT,
        n, self->recording->gaps->len, self->recording->events->len, cpu_us, cpu_us * HZ / 1e4, dearest_us, late_us,
        self->standstills->len, major, reclaims, self->reclaim.found, self->reclaim.expected);
    guint gaps = 0;
    for (guint i = 0; i < self->recording->gaps->len; i++) {
        const RfGap *gap = &g_array_index (self->recording->gaps, RfGap, i);
        gboolean standstill = is_standstill (self, gap);
        g_test_message ("gap of %.1f ms: %s%s", (double)(gap->end_ns - gap->start_ns) / 1e6, gap->reason,
                        standstill ? ", as no processor was free" : "");
        gaps += !standstill;
    }
    g_assert_cmpuint (gaps, ==, 0);
    g_assert_cmpfloat (major, ==, 0);
    /* what it writes and looks up takes a page now and then, and when every program has to clear memory, it has to, too
     */
    g_assert_cmpfloat (reclaims, <=, MAX (2, (double)self->reclaim.expected / 100));
    g_assert_cmpfloat (cpu_us * HZ, <=, 1e4);
    if (self->recording->gaps->len > 0 && self->recording->untrusted->len > 0)
        g_test_incomplete ("no processor was free for too long");
    else
        g_assert_cmpuint (self->recording->untrusted->len, ==, 0);
}
