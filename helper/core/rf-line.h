/* One line of CSV, written into a buffer of the caller's and read back: what the tables of a recording are made of.
 * Nothing here allocates or looks at the locale. Pure, thread-safe. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RfLine: a line while it is written. */
typedef struct {
    char *buffer;
    gsize size;
    gsize length;
    gboolean begun; /* a field is there: the next one needs a comma */
    gboolean full;
} RfLine;

/** rf_line_start: @buffer has @size bytes, at least 2, and is the caller's. */
void rf_line_start (RfLine *self, char *buffer, gsize size);

/** rf_line_text: a field, quoted if it holds what CSV needs quotes for. Control bytes are written as \xNN. */
void rf_line_text (RfLine *self, const char *text);

/** rf_line_integer: a field with a whole number. */
void rf_line_integer (RfLine *self, gint64 value);

/** rf_line_number: a field: whole numbers exact (below 2^53), others with 9 significant digits; empty for what is no
 * finite number, which is how "not available" is written. */
void rf_line_number (RfLine *self, double value);

/** rf_line_empty: a field with nothing in it. */
void rf_line_empty (RfLine *self);

/** rf_line_end: ends the line with a newline and a NUL. Returns: bytes without the NUL; 0 if the buffer was too small.
 */
gsize rf_line_end (RfLine *self);

/**
 * rf_line_next:
 * @cursor: (inout): start of a field; behind it and its comma afterwards, NULL when it was the last one
 * @end: one past the last byte of the line, which has no newline any more
 * @out: (out caller-allocates): the field without its quotes, NUL-terminated
 * @size: bytes at @out
 *
 * Strict: a quote in the middle of a bare field, text behind a closing quote, a control byte, and what is no UTF-8 or
 * does not fit, are refused.
 * Returns: FALSE for those, and when @cursor is NULL
 */
gboolean rf_line_next (const char **cursor, const char *end, char *out, gsize size);

/**
 * rf_line_to_number:
 * @text: @length bytes, no blanks around them
 * @out: written only on success
 *
 * Returns: whether it is one finite decimal number ("12", "-0.5", "1.5e-07"); correctly rounded
 */
gboolean rf_line_to_number (const char *text, gsize length, double *out);

G_END_DECLS
