/* Strict, locale-free reading of what the kernel prints. Pure functions, no allocation unless said, thread-safe. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/**
 * rf_text_to_uint64:
 * @text: digits only; no sign, blank, base prefix or trailing text is accepted
 * @out: written only on success
 *
 * Returns: whether @text is one canonical unsigned decimal (no leading zero but "0" itself) that fits.
 */
gboolean rf_text_to_uint64 (const char *text, guint64 *out);

/** rf_text_to_int64: like rf_text_to_uint64(), with an optional leading "-". */
gboolean rf_text_to_int64 (const char *text, gint64 *out);

/**
 * rf_text_scan_uint64:
 * @cursor: (inout): moved behind the number on success, untouched otherwise
 * @end: one past the last readable byte; the text need not be NUL-terminated
 * @out: written only on success
 *
 * Skips blanks and tabs (not newlines), then reads digits. Leading zeros are accepted, as the kernel pads columns.
 * Returns: FALSE if there is no digit or the number does not fit 64 bits.
 */
gboolean rf_text_scan_uint64 (const char **cursor, const char *end, guint64 *out);

/**
 * rf_text_next_line:
 * @cursor: (inout): start of the next line afterwards
 * @end: one past the last readable byte
 * @line: start of the line
 * @line_end: one past its last byte, without the newline
 *
 * Returns: FALSE at the end of the text. A last line without newline counts.
 */
gboolean rf_text_next_line (const char **cursor, const char *end, const char **line, const char **line_end);

/**
 * rf_text_next_whole_line:
 *
 * Like rf_text_next_line(), but a last line without newline is dropped: the kernel ends every line of a table with one,
 * so such a line was cut, and a cut number is a wrong number.
 */
gboolean rf_text_next_whole_line (const char **cursor, const char *end, const char **line, const char **line_end);

/**
 * rf_text_next_word:
 * @cursor: (inout): behind the word afterwards
 * @word: start of the word
 * @length: its bytes, at least 1
 *
 * The next run of bytes that are neither blank, tab nor newline. Returns: FALSE if there is none before @end.
 */
gboolean rf_text_next_word (const char **cursor, const char *end, const char **word, gsize *length);

/** rf_text_word_is: whether the @length bytes at @word are exactly @expected. */
static inline gboolean
rf_text_word_is (const char *word, gsize length, const char *expected)
{
    /* most words differ in their first letter from what is looked for */
    return (length == 0 || word[0] == expected[0]) && strlen (expected) == length
           && memcmp (word, expected, length) == 0;
}

/**
 * rf_text_scan_x100:
 * @cursor: (inout): moved behind the number on success, untouched otherwise
 *
 * A number with exactly two decimals and a point, as the kernel prints averages ("1.50" gives 150). Never looks at
 * the locale.
 */
gboolean rf_text_scan_x100 (const char **cursor, const char *end, guint64 *out);

/**
 * rf_text_brackets:
 * @text: what sysfs prints for a choice: "none [mq-deadline] kyber bfq \n"
 * @selected: (out) (optional) (transfer full) (nullable): the bracketed token, NULL if none is
 *
 * Returns: (transfer full): all tokens without brackets, in order; compare them whole, never as substrings.
 */
char **rf_text_brackets (const char *text, char **selected);

/**
 * rf_text_printable:
 * @text: anything, as names of files are
 *
 * What may be shown in a terminal or a window: valid UTF-8, and what would move the cursor, begin a sequence of a terminal,
 * make a new line or turn the direction of writing stands there as \n, \x1b or \u202e. A backslash stays one: this is for
 * the eyes and cannot be read back.
 * Returns: (transfer full)
 */
char *rf_text_printable (const char *text);

/**
 * rf_text_strip_newline:
 * Cuts trailing newlines and blanks of @text in place. Returns: @text.
 */
char *rf_text_strip_newline (char *text);

G_END_DECLS
