/* A measurement on the real kernel, by the helper as a program of its own: no gap, no page fault of its own, and what
 * it costs. Needs root; changes nothing. */
#include "config.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-event.h"
#include "rf-sample-line.h"
#include "rf-service.h"
#include "rf-test-live.h"
#include "rf-test-program.h"
#include "rf-text.h"

#define SECONDS 8

typedef struct {
    GString *samples;
    GString *events;
    guint64 rss_kib; /* of the helper while it measures */
    guint64 locked_kib;
} Result;

static void
take (int fd, GString *out)
{
    char block[4096];
    gssize got = read (fd, block, sizeof block);
    if (got > 0)
        g_string_append_len (out, block, got);
}

static void
read_to_end (int fd, GString *out)
{
    gsize before;
    do {
        before = out->len;
        take (fd, out);
    } while (out->len > before);
}

/* Returns: FALSE where nothing can be traced */
static gboolean
measure (RfTestProgram *program, gboolean trace, Result *result)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GUnixFDList) files = NULL;
    GVariantBuilder options;
    gint32 samples_at = 0, events_at = 0;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&options, "{sv}", "limit-seconds", g_variant_new_uint32 (SECONDS));
    g_variant_builder_add (&options, "{sv}", "trace", g_variant_new_boolean (trace));
    g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
        program->caller, RF_SERVICE_NAME, RF_SERVICE_PATH, RF_SERVICE_NAME, "StartMeasurement",
        g_variant_new ("(a{sv})", &options), G_VARIANT_TYPE ("(shh)"), G_DBUS_CALL_FLAGS_NONE, 20000, NULL, &files,
        NULL, &error);
    if (trace && g_error_matches (error, RF_ERROR, RF_ERROR_UNAVAILABLE)) {
        g_test_message ("%s", error->message);
        return FALSE;
    }
    g_assert_no_error (error);
    g_variant_get (reply, "(&shh)", NULL, &samples_at, &events_at);
    int samples = g_unix_fd_list_get (files, samples_at, NULL), events = g_unix_fd_list_get (files, events_at, NULL);
    result->samples = g_string_new (NULL);
    result->events = g_string_new (NULL);
    take (samples, result->samples); /* waits for the first line */
    result->rss_kib = rf_test_program_status (program, "VmRSS:");
    result->locked_kib = rf_test_program_status (program, "VmLck:");
    read_to_end (samples, result->samples);
    read_to_end (events, result->events);
    close (samples);
    close (events);
    return TRUE;
}

typedef struct {
    guint n;
    guint gaps;
    double cpu_us, minor, major, late_us, reclaims; /* sums, and the greatest lateness; behind the first second */
    gboolean verdict, trusted;
} Summary;

static void
add_sample (Summary *out, char **names, const double *values)
{
    out->n++;
    if (out->n <= 10)
        return;
    for (guint i = 0; names[i] != NULL; i++) {
        if (g_str_equal (names[i], "own_cpu_us"))
            out->cpu_us += values[i];
        else if (g_str_equal (names[i], "own_minor_faults"))
            out->minor += values[i];
        else if (g_str_equal (names[i], "own_major_faults"))
            out->major += values[i];
        else if (g_str_equal (names[i], "own_reclaims"))
            out->reclaims += values[i];
        else if (g_str_equal (names[i], "late_us"))
            out->late_us = MAX (out->late_us, values[i]);
    }
}

static Summary
summarise (const GString *text)
{
    Summary out = {0};
    const char *cursor = text->str, *end = cursor + text->len, *line, *stop;
    g_assert_true (rf_text_next_whole_line (&cursor, end, &line, &stop));
    g_auto (GStrv) names = rf_sample_header_parse (line, (gsize)(stop - line), NULL);
    g_assert_nonnull (names);
    guint n_columns = g_strv_length (names);
    g_autofree double *values = g_new0 (double, n_columns);
    while (rf_text_next_whole_line (&cursor, end, &line, &stop)) {
        RfSampleComment comment;
        gint64 time_ns = 0;
        if (rf_sample_comment_parse (line, (gsize)(stop - line), &comment)) {
            out.gaps += comment.kind == RF_SAMPLE_GAP;
            out.verdict |= comment.kind == RF_SAMPLE_VERDICT;
            out.trusted |= comment.kind == RF_SAMPLE_VERDICT && comment.trusted;
            if (comment.kind != RF_SAMPLE_ANCHOR)
                g_test_message ("%.*s", (int)(stop - line), line);
            continue;
        }
        g_assert_true (rf_sample_line_parse (line, (gsize)(stop - line), n_columns, &time_ns, values));
        add_sample (&out, names, values);
    }
    return out;
}

static void
check (const char *what, Result *result, guint64 rss_before)
{
    Summary summary = summarise (result->samples);
    guint counted = summary.n - 10;
    g_test_message ("%s: %u samples, %u gaps, %.0f us of CPU a sample (%.3f %% of a core), at most %.0f us late, page "
                    "faults: %.0f minor, %.0f major; the helper has %" G_GUINT64_FORMAT " KiB, %" G_GUINT64_FORMAT
                    " KiB before, %" G_GUINT64_FORMAT " KiB locked",
                    what, summary.n, summary.gaps, summary.cpu_us / counted, summary.cpu_us / counted * 10 / 1e4,
                    summary.late_us, summary.minor, summary.major, result->rss_kib, rss_before, result->locked_kib);
    g_assert_cmpuint (summary.n, >=, SECONDS * 10 - 1);
    g_assert_cmpuint (summary.gaps, ==, 0);
    g_assert_cmpfloat (summary.minor, ==, 0);
    g_assert_cmpfloat (summary.major, ==, 0);
    /* 1 % of a core */
    g_assert_cmpfloat (summary.cpu_us / counted, <, 1000);
    g_assert_true (summary.verdict && summary.trusted);
    g_assert_cmpuint (result->locked_kib, >, 0);
    g_assert_cmpuint (result->rss_kib - rss_before, <, 32 * 1024);
    g_assert_true (g_str_has_prefix (result->events->str, RF_EVENT_HEADER "\n"));
    g_string_free (result->samples, TRUE);
    g_string_free (result->events, TRUE);
}

static void
test_measure (void)
{
    if (rf_test_live_needs_root ())
        return;
    g_autofree char *files = g_dir_make_tmp ("ruckelfrei-XXXXXX", NULL);
    g_autoptr (RfTestProgram) program = rf_test_program_new (NULL, files);
    Result result = {0};
    rf_test_program_start (program);
    guint64 before = rf_test_program_status (program, "VmRSS:");
    g_assert_true (measure (program, FALSE, &result));
    check ("without trace", &result, before);
    g_assert_cmpuint (rf_test_program_status (program, "VmLck:"), ==, 0);
    if (measure (program, TRUE, &result))
        check ("with trace", &result, before);
    else
        g_test_message ("nothing can be traced here");
    g_assert_true (rf_test_program_end (program, SIGTERM));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/measure", test_measure);
    return g_test_run ();
}
