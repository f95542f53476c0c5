#include "config.h"

#include "rf-sample-line.h"

#include <math.h>
#include <string.h>

#include "rf-error.h"

static const char *const disks[] = {"nvme0n1", "sda", NULL};

static RfSample *
make_sample (void)
{
    RfSample *sample = g_new0 (RfSample, 1);
    sample->interval_s = 0.1;
    sample->disks = g_array_new (FALSE, FALSE, sizeof (RfDiskSample));
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        sample->value[i] = (double)i;
    sample->value[RF_COLUMN_ZRAM_RATIO] = NAN;
    sample->value[RF_COLUMN_LOAD] = 0.25;
    RfDiskSample disk = {.name = "sda", .read_iops = 1, .write_iops = 2, .read_latency_ms = NAN, .in_flight = 3.5};
    g_array_append_val (sample->disks, disk);
    return sample;
}

static guint
index_of (char **names, const char *name)
{
    for (guint i = 0; names[i] != NULL; i++)
        if (g_str_equal (names[i], name))
            return i;
    g_error ("no column %s", name);
}

static void
there_and_back (void)
{
    g_autofree char *header = rf_sample_line_header (disks);
    g_assert_true (g_str_has_prefix (header, "time_ns,interval_s,allocstalls_per_s,direct_reclaim_pages_per_s,"));
    g_assert_true (g_str_has_suffix (header, ",sda.utilisation,sda.in_flight,own_cpu_us,own_minor_faults,"
                                             "own_major_faults,own_reclaims,late_us,dropped\n"));
    g_auto (GStrv) names = rf_sample_header_parse (header, strlen (header) - 1, NULL);
    g_assert_nonnull (names);
    guint n = g_strv_length (names);
    g_assert_cmpuint (n, ==, 1 + RF_N_COLUMNS + 2 * 8 + 6);
    g_autoptr (RfSample) sample = make_sample ();
    const RfSampleCost cost = {.cpu_us = 120, .reclaims = -1, .late_us = 7, .dropped = 3};
    gsize size = rf_sample_line_max (2);
    g_autofree char *line = g_malloc (size);
    g_autofree double *values = g_new0 (double, n);
    gsize length = rf_sample_line_format (sample, 81234567890, disks, &cost, line, size);
    gint64 time_ns = 0;
    g_assert_cmpuint (length, ==, strlen (line));
    g_assert_true (rf_sample_line_parse (line, length - 1, n, &time_ns, values));
    g_assert_cmpint (time_ns, ==, 81234567890);
    g_assert_true (values[0] == 0.1);
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        g_assert_true (isnan (sample->value[i]) ? isnan (values[1 + i]) : values[1 + i] == sample->value[i]);
    g_assert_true (isnan (values[index_of (names, "nvme0n1.read_iops")]));
    g_assert_true (values[index_of (names, "sda.write_iops")] == 2);
    g_assert_true (values[index_of (names, "sda.in_flight")] == 3.5);
    g_assert_true (isnan (values[index_of (names, "sda.read_latency_ms")]));
    g_assert_true (values[index_of (names, "own_cpu_us")] == 120);
    g_assert_true (isnan (values[index_of (names, "own_reclaims")]));
    g_assert_true (values[index_of (names, "dropped")] == 3);
    /* too small a buffer gives nothing, never half a line */
    g_assert_cmpuint (rf_sample_line_format (sample, 81234567890, disks, &cost, line, length), ==, 0);
    length = rf_sample_line_format (sample, 1, disks, NULL, line, size);
    g_assert_true (g_str_has_suffix (line, ",,,,,,\n"));
}

static void
longest (void)
{
    g_autoptr (RfSample) sample = make_sample ();
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        sample->value[i] = -1.23456789012e-300;
    RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, 0);
    disk->read_iops = disk->write_iops = disk->read_bytes_per_s = disk->write_bytes_per_s = disk->read_latency_ms
        = disk->write_latency_ms = disk->utilisation = disk->in_flight = -9007199254740991.0;
    const char *const one[] = {"sda", NULL};
    const RfSampleCost cost = {G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64};
    gsize size = rf_sample_line_max (1);
    g_autofree char *line = g_malloc (size);
    g_assert_cmpuint (rf_sample_line_format (sample, G_MAXINT64, one, &cost, line, size), >, 600);
}

static void
headers_refused (void)
{
    static const char *const lines[] = {
        "",
        "time_ns",
        "time_ns,",
        "time,interval_s",
        "interval_s,time_ns",
        "time_ns,a,a",
        "time_ns,a,,b",
        "time_ns,a,time_ns",
        "time_ns,a\r",
        "time_ns,a\xff",
        "time_ns,a\"b",
    };
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
        g_autoptr (GError) error = NULL;
        g_auto (GStrv) names = rf_sample_header_parse (lines[i], strlen (lines[i]), &error);
        g_test_message ("%s", lines[i]);
        g_assert_null (names);
        g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    }
    g_autoptr (GString) wide = g_string_new ("time_ns");
    for (guint i = 0; i <= RF_SAMPLE_COLUMNS_MAX; i++)
        g_string_append_printf (wide, ",c%u", i);
    g_assert_null (rf_sample_header_parse (wide->str, wide->len, NULL));
}

static void
lines_refused (void)
{
    static const char *const lines[] = {
        "",        "1",      "1,2",     "1,2,3,4",   "1,2,",        "x,2,3",
        "-1,2,3",  "1,2,3x", "1,2,inf", "1,2,0x1",   "1,2,3\n",     "1,2,3\r",
        " 1,2,3",  "1, 2,3", ",2,3",    "1,2,\"3\"", "# gap 1 2 x", "9223372036854775808,2,3",
        "1,2,nan", "01,2,3",
    };
    double values[2];
    gint64 time_ns = 77;
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
        if (g_str_equal (lines[i], "1,2,"))
            continue; /* an empty field is right */
        g_test_message ("%s", lines[i]);
        g_assert_false (rf_sample_line_parse (lines[i], strlen (lines[i]), 2, &time_ns, values));
        g_assert_cmpint (time_ns, ==, 77);
    }
    g_assert_true (rf_sample_line_parse ("1,2,", 4, 2, &time_ns, values));
    g_assert_true (values[0] == 2 && isnan (values[1]));
    g_assert_false (rf_sample_line_parse ("1,2,3\0", 6, 2, &time_ns, values));
}

static void
assert_comment (const RfSampleComment *comment, const char *expected)
{
    char line[256];
    RfSampleComment again;
    gsize length = rf_sample_comment_format (comment, line, sizeof line);
    g_assert_cmpstr (line, ==, expected);
    g_assert_cmpuint (length, ==, strlen (expected));
    g_assert_true (rf_sample_comment_parse (line, length - 1, &again));
    g_assert_cmpint (again.kind, ==, comment->kind);
    g_assert_cmpint (again.from_ns, ==, comment->from_ns);
    g_assert_cmpint (again.to_ns, ==, comment->to_ns);
    g_assert_cmpint (again.wall_us, ==, comment->wall_us);
    g_assert_cmpuint (again.found, ==, comment->found);
    g_assert_cmpuint (again.expected, ==, comment->expected);
    g_assert_cmpint (again.result, ==, comment->result);
    g_assert_cmpint (again.trusted, ==, comment->trusted);
    if (comment->kind != RF_SAMPLE_VERDICT)
        g_assert_cmpstr (again.word, ==, comment->word);
    g_assert_cmpuint (rf_sample_comment_format (comment, line, length), ==, 0);
}

static void
comments (void)
{
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_ANCHOR, .from_ns = 12, .wall_us = 1700000000000000},
                    "# anchor 12 1700000000000000\n");
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_GAP, .from_ns = 1, .to_ns = 2, .word = "backlog"},
                    "# gap 1 2 backlog\n");
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_END, .word = "caller-left"}, "# end caller-left\n");
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_CHECK,
                                       .word = "bytes:nvme0n1",
                                       .found = 5,
                                       .expected = G_MAXUINT64,
                                       .result = RF_SAMPLE_DIFFERS},
                    "# self-check bytes:nvme0n1 traced 5 counted 18446744073709551615 differs\n");
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_VERDICT, .trusted = TRUE}, "# self-check verdict trusted\n");
    assert_comment (&(RfSampleComment){.kind = RF_SAMPLE_VERDICT}, "# self-check verdict not-trusted\n");
}

static void
comments_refused (void)
{
    static const char *const lines[] = {
        "",
        "#",
        "# ",
        "gap 1 2 x",
        "#gap 1 2 x",
        "# gap 2 1 x",
        "# gap 1 2",
        "# gap 1 2 ",
        "# gap 1 2 x ",
        "# gap 1 2 x y",
        "# gap -1 2 x",
        "# gap 1  2 x",
        "# gap 1 2 x\r",
        "# gap 1 2 \xff",
        "# anchor 1",
        "# end",
        "# self-check verdict",
        "# self-check verdict maybe",
        "# self-check reclaim traced 1 counted x agrees",
        "# self-check reclaim traced 1 counted 1 perhaps",
        "# made by hand",
        "# end 0123456789012345678901234567890123456789012345678901234567890123",
    };
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
        RfSampleComment comment = {.from_ns = 77};
        g_test_message ("%s", lines[i]);
        g_assert_false (rf_sample_comment_parse (lines[i], strlen (lines[i]), &comment));
        g_assert_cmpint (comment.from_ns, ==, 77);
    }
    RfSampleComment comment;
    g_assert_false (rf_sample_comment_parse ("# end a\0", 8, &comment));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/sample-line/there-and-back", there_and_back);
    g_test_add_func ("/sample-line/longest", longest);
    g_test_add_func ("/sample-line/headers-refused", headers_refused);
    g_test_add_func ("/sample-line/lines-refused", lines_refused);
    g_test_add_func ("/sample-line/comments", comments);
    g_test_add_func ("/sample-line/comments-refused", comments_refused);
    return g_test_run ();
}
