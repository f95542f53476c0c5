/* A whole table: its header, its samples, its comments; each line that is understood must be sound. */
#include "rf-fuzz.h"

#include <math.h>

#include "rf-sample-line.h"
#include "rf-text.h"

static void
check_comment (const char *line, gsize length)
{
    RfSampleComment comment, again;
    char text[256];
    if (!rf_sample_comment_parse (line, length, &comment))
        return;
    gsize written = rf_sample_comment_format (&comment, text, sizeof text);
    g_assert_cmpuint (written, ==, length + 1);
    g_assert_true (rf_sample_comment_parse (text, written - 1, &again));
    g_assert_cmpmem (text, length, line, length);
}

RF_FUZZ (data, size)
{
    const char *cursor = data, *end = data + size, *line, *stop;
    if (size == 0 || !rf_text_next_whole_line (&cursor, end, &line, &stop))
        return;
    g_auto (GStrv) names = rf_sample_header_parse (line, (gsize)(stop - line), NULL);
    guint n = names != NULL ? g_strv_length (names) : 3;
    g_assert_cmpuint (n, <=, RF_SAMPLE_COLUMNS_MAX);
    g_autofree double *values = g_new0 (double, n);
    while (rf_text_next_whole_line (&cursor, end, &line, &stop)) {
        gint64 time_ns = -1;
        check_comment (line, (gsize)(stop - line));
        if (!rf_sample_line_parse (line, (gsize)(stop - line), n, &time_ns, values))
            continue;
        g_assert_cmpint (time_ns, >=, 0);
        for (guint i = 0; i < n; i++)
            g_assert_false (isinf (values[i]));
    }
}
