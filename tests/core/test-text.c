#include "config.h"

#include "rf-text.h"

#include <string.h>

static void
to_uint64 (void)
{
    static const struct {
        const char *text;
        gboolean ok;
        guint64 value;
    } table[] = {
        {"0", TRUE, 0},
        {"67584", TRUE, 67584},
        {"18446744073709551615", TRUE, G_MAXUINT64},
        {"18446744073709551616", FALSE, 0},
        {"010", FALSE, 0}, /* the kernel would store 8 */
        {"0x3c", FALSE, 0},
        {"+1", FALSE, 0},
        {"-1", FALSE, 0},
        {" 1", FALSE, 0},
        {"1 ", FALSE, 0},
        {"1\n", FALSE, 0},
        {"60abc", FALSE, 0},
        {"\"60\"", FALSE, 0},
        {"", FALSE, 0},
        {NULL, FALSE, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        guint64 value = 77;
        g_assert_cmpint (rf_text_to_uint64 (table[i].text, &value), ==, table[i].ok);
        g_assert_cmpuint (value, ==, table[i].ok ? table[i].value : 77);
    }
}

static void
to_int64 (void)
{
    gint64 value = 0;
    g_assert_true (rf_text_to_int64 ("-5", &value));
    g_assert_cmpint (value, ==, -5);
    g_assert_true (rf_text_to_int64 ("9223372036854775807", &value));
    g_assert_cmpint (value, ==, G_MAXINT64);
    g_assert_false (rf_text_to_int64 ("9223372036854775808", &value));
    g_assert_false (rf_text_to_int64 ("-0", &value));
    g_assert_false (rf_text_to_int64 ("--1", &value));
    g_assert_false (rf_text_to_int64 ("-", &value));
}

static void
scan (void)
{
    const char *text = "  12\t007 99999999999999999999 x";
    const char *cursor = text, *end = text + strlen (text);
    guint64 value = 0;
    g_assert_true (rf_text_scan_uint64 (&cursor, end, &value));
    g_assert_cmpuint (value, ==, 12);
    g_assert_true (rf_text_scan_uint64 (&cursor, end, &value));
    g_assert_cmpuint (value, ==, 7);
    const char *stuck = cursor;
    g_assert_false (rf_text_scan_uint64 (&cursor, end, &value));
    g_assert_true (cursor == stuck);
    g_assert_cmpuint (value, ==, 7);
}

static void
lines (void)
{
    const char *text = "a\n\nlast";
    const char *cursor = text, *end = text + strlen (text), *line, *line_end;
    g_assert_true (rf_text_next_line (&cursor, end, &line, &line_end));
    g_assert_cmpint (line_end - line, ==, 1);
    g_assert_true (rf_text_next_line (&cursor, end, &line, &line_end));
    g_assert_cmpint (line_end - line, ==, 0);
    g_assert_true (rf_text_next_line (&cursor, end, &line, &line_end));
    g_assert_cmpint (line_end - line, ==, 4);
    g_assert_false (rf_text_next_line (&cursor, end, &line, &line_end));
}

static void
brackets (void)
{
    g_autofree char *selected = NULL;
    g_auto (GStrv) tokens = rf_text_brackets ("[none] mq-deadline kyber bfq \n", &selected);
    g_assert_cmpstr (selected, ==, "none");
    g_assert_cmpuint (g_strv_length (tokens), ==, 4);
    g_assert_true (g_strv_contains ((const char *const *)tokens, "mq-deadline"));
    g_assert_false (g_strv_contains ((const char *const *)tokens, "deadline"));

    g_autofree char *nothing = NULL;
    g_auto (GStrv) bare = rf_text_brackets ("none\n", &nothing);
    g_assert_null (nothing);
    g_assert_cmpuint (g_strv_length (bare), ==, 1);
    g_auto (GStrv) empty = rf_text_brackets ("", NULL);
    g_assert_cmpuint (g_strv_length (empty), ==, 0);
}

static void
whole_lines (void)
{
    const char *text = "a 12\n\ncut 1";
    const char *cursor = text, *end = text + strlen (text), *line = NULL, *line_end = NULL;
    g_assert_true (rf_text_next_whole_line (&cursor, end, &line, &line_end));
    g_assert_cmpint (line_end - line, ==, 4);
    g_assert_true (rf_text_next_whole_line (&cursor, end, &line, &line_end));
    g_assert_cmpint (line_end - line, ==, 0);
    g_assert_false (rf_text_next_whole_line (&cursor, end, &line, &line_end));
    g_assert_true (cursor == end);
    g_assert_false (rf_text_next_whole_line (&cursor, end, &line, &line_end));
}

static void
words (void)
{
    const char *text = " \tone\ntwo  ";
    const char *cursor = text, *end = text + strlen (text), *word = NULL;
    gsize length = 0;
    g_assert_true (rf_text_next_word (&cursor, end, &word, &length));
    g_assert_true (rf_text_word_is (word, length, "one"));
    g_assert_false (rf_text_word_is (word, length, "on"));
    g_assert_false (rf_text_word_is (word, length, "ones"));
    g_assert_true (rf_text_next_word (&cursor, end, &word, &length));
    g_assert_true (rf_text_word_is (word, length, "two"));
    g_assert_false (rf_text_next_word (&cursor, end, &word, &length));
    g_assert_true (cursor == end);
}

static void
hundredths (void)
{
    static const struct {
        const char *text;
        gboolean ok;
        guint64 value;
    } table[] = {
        {"0.00", TRUE, 0},
        {"1.50 ", TRUE, 150},
        {" 12.34x", TRUE, 1234},
        {"1.500", FALSE, 0},
        {"1.5", FALSE, 0},
        {"1.5x", FALSE, 0},
        {"1,50", FALSE, 0},
        {"1", FALSE, 0},
        {"1.", FALSE, 0},
        {".50", FALSE, 0},
        {"-1.50", FALSE, 0},
        {"", FALSE, 0},
        {"184467440737095516.15", TRUE, G_MAXUINT64},
        {"184467440737095516.16", FALSE, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        const char *cursor = table[i].text;
        guint64 value = 77;
        g_assert_cmpint (rf_text_scan_x100 (&cursor, table[i].text + strlen (table[i].text), &value), ==, table[i].ok);
        g_assert_cmpuint (value, ==, table[i].ok ? table[i].value : 77);
        g_assert_true (table[i].ok || cursor == table[i].text);
    }
}

static void
printable (void)
{
    static const struct {
        const char *text, *shown;
    } table[] = {
        {"", ""},
        {"Platte „Größe“ 日本", "Platte „Größe“ 日本"},
        {"a\nb\tc\rd", "a\\nb\\tc\\x0dd"},
        {"\x1b[31m\x7f\x07", "\\x1b[31m\\x7f\\x07"},
        {"\xc2\x9b" "1m", "\\x9b1m"}, /* one character that begins a sequence, too */
        {"a\xe2\x80\xae" "b\xe2\x81\xa6" "c\xe2\x80\xa8", "a\\u202eb\\u2066c\\u2028"},
        {"\xff" "a", "\xef\xbf\xbd" "a"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autofree char *shown = rf_text_printable (table[i].text);
        g_assert_cmpstr (shown, ==, table[i].shown);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/text/to-uint64", to_uint64);
    g_test_add_func ("/core/text/to-int64", to_int64);
    g_test_add_func ("/core/text/scan", scan);
    g_test_add_func ("/core/text/lines", lines);
    g_test_add_func ("/core/text/brackets", brackets);
    g_test_add_func ("/core/text/whole-lines", whole_lines);
    g_test_add_func ("/core/text/words", words);
    g_test_add_func ("/core/text/hundredths", hundredths);
    g_test_add_func ("/core/text/printable", printable);
    return g_test_run ();
}
