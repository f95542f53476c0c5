/* Reads lines of comma-separated values as recordings have them, from a descriptor, in one pass and with one buffer,
 * whatever the size of the file. A line is a line: a quoted field ends on it, so that a damaged line costs that line only.
 * What is read is anybody's; nothing here is believed. No allocation for a line. One thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_CSV_LINE_MAX: bytes of a line; a longer one counts as damaged */
#define RF_CSV_LINE_MAX (64 * 1024)
#define RF_CSV_FIELDS_MAX 4096

typedef struct _RfCsv RfCsv;

/** RfCsvField: @text: NUL-terminated, without the quotes; any bytes but NUL; valid until the next line is read */
typedef struct {
    char *text;
    gsize length;
} RfCsvField;

/**
 * RfCsvKind:
 * @RF_CSV_END: nothing follows
 * @RF_CSV_LINE: rf_csv_fields() are there
 * @RF_CSV_COMMENT: a line that begins with "#": one field, without it and the blanks behind
 * @RF_CSV_DAMAGED: a line that is none: a NUL, a quote that is not closed, too long, too many fields
 * @RF_CSV_FAILED: the descriptor could not be read; the error says why
 */
typedef enum {
    RF_CSV_END,
    RF_CSV_LINE,
    RF_CSV_COMMENT,
    RF_CSV_DAMAGED,
    RF_CSV_FAILED,
} RfCsvKind;

/** rf_csv_new: @fd: stays the caller's. @separator: ',' or what another program puts there */
RfCsv *rf_csv_new (int fd, char separator);
void rf_csv_free (RfCsv *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCsv, rf_csv_free)

/** rf_csv_set_keep_last: a last line without line end counts, as in files of others; at first it is dropped, because the
 * writer died over it and a cut number is a wrong number */
void rf_csv_set_keep_last (RfCsv *self, gboolean keep);

/** rf_csv_set_whole: lines are not taken apart: the one field is the line as it is, for who has a parser of its own */
void rf_csv_set_whole (RfCsv *self, gboolean whole);

/** rf_csv_next: empty lines are passed over, a carriage return at the end of a line and a byte order mark at the start of
 * the file too. @error is set with RF_CSV_FAILED only */
RfCsvKind rf_csv_next (RfCsv *self, GError **error);
/** rf_csv_fields: (transfer none): of the line that was read last */
RfCsvField *rf_csv_fields (RfCsv *self, guint *n);
/** rf_csv_line_number: of the line that was read last, from 1 */
guint64 rf_csv_line_number (const RfCsv *self);
/** rf_csv_is_torn: whether a last line was dropped; known at the end */
gboolean rf_csv_is_torn (const RfCsv *self);

/**
 * rf_csv_to_number:
 * @text: NUL-terminated, @length bytes
 *
 * A decimal number, with exponent or without, as g_ascii_strtod() has it but nothing else of what that takes (no
 * hexadecimal, no blank, no "nan"). Plain decimals of up to 15 digits, which is nearly all, take no detour.
 * Returns: FALSE if it is none, or not finite as a float
 */
gboolean rf_csv_to_number (const char *text, gsize length, double *out);

/** rf_csv_to_integer: digits with an optional "-"; FALSE if it is none or does not fit */
gboolean rf_csv_to_integer (const char *text, gsize length, gint64 *out);

/** rf_csv_append_text: adds @text as one field, quoted if it needs to be; @text has no line break */
void rf_csv_append_text (GString *line, const char *text);
/** rf_csv_append_number: nothing for NAN, integers exact, else up to nine digits; never looks at the locale */
void rf_csv_append_number (GString *line, double number);

G_END_DECLS
