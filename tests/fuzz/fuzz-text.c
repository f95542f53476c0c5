#include "rf-fuzz.h"

#include <string.h>

#include "rf-text.h"

/* The words of a text cover everything in it but blanks, tabs and newlines. */
static void
check_words (const char *data, gsize size)
{
    const char *cursor = data, *end = data + size, *word;
    gsize length, covered = 0, expected = 0;
    while (rf_text_next_word (&cursor, end, &word, &length)) {
        g_assert_true (length > 0 && word >= data && word + length <= end);
        covered += length;
    }
    for (gsize i = 0; i < size; i++)
        expected += data[i] != ' ' && data[i] != '\t' && data[i] != '\n';
    g_assert_cmpuint (covered, ==, expected);
}

RF_FUZZ (data, size)
{
    const char *cursor = data, *end = data + size, *line, *line_end;
    guint64 number, again;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end))
        g_assert_true (line_end < end && *line_end == '\n');
    g_assert_true (cursor == end);
    while (cursor != NULL && rf_text_next_line (&cursor, end, &line, &line_end))
        g_assert_not_reached ();
    for (gsize i = 0; i < size; i++) {
        const char *scan = data + i;
        if (!rf_text_scan_uint64 (&scan, end, &number) && !rf_text_scan_x100 (&scan, end, &number))
            g_assert_true (scan == data + i);
        g_assert_true (scan >= data && scan <= end);
    }
    check_words (data, size);
    g_autofree char *text = g_strndup (data, size);
    if (rf_text_to_uint64 (text, &number)) {
        /* what is canonical prints as it was read */
        g_autofree char *printed = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
        g_assert_cmpstr (printed, ==, text);
        const char *scan = text;
        g_assert_true (rf_text_scan_uint64 (&scan, text + strlen (text), &again) && again == number);
    }
    gint64 negative;
    if (rf_text_to_int64 (text, &negative)) {
        g_autofree char *printed = g_strdup_printf ("%" G_GINT64_FORMAT, negative);
        g_assert_cmpstr (printed, ==, text);
    }
    g_autofree char *selected = NULL;
    g_auto (GStrv) words = rf_text_brackets (text, &selected);
    g_assert_true (selected == NULL || g_strv_contains ((const char *const *)words, selected));
}
