#define G_LOG_DOMAIN "rf-csv"
#include "config.h"

#include "rf-csv.h"
#include "rf-error.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE (4 * RF_CSV_LINE_MAX)
#define EXACT_DIGITS 15 /* every whole number of so many digits is a double */

struct _RfCsv {
    int fd;
    char separator;
    gboolean keep_last;
    gboolean whole;
    gboolean at_end;
    gboolean torn;
    guint64 line;
    gsize start; /* of what is not yet given out */
    gsize end;
    guint n_fields;
    RfCsvField *fields;
    char *buffer; /* one byte more than is read, for the NUL of a last line */
};

RfCsv *
rf_csv_new (int fd, char separator)
{
    RfCsv *self = g_new0 (RfCsv, 1);
    self->fd = fd;
    self->separator = separator;
    self->fields = g_new (RfCsvField, RF_CSV_FIELDS_MAX);
    self->buffer = g_malloc (BUFFER_SIZE + 1);
    return self;
}

void
rf_csv_free (RfCsv *self)
{
    g_free (self->fields);
    g_free (self->buffer);
    g_free (self);
}

void
rf_csv_set_keep_last (RfCsv *self, gboolean keep)
{
    self->keep_last = keep;
}

void
rf_csv_set_whole (RfCsv *self, gboolean whole)
{
    self->whole = whole;
}

RfCsvField *
rf_csv_fields (RfCsv *self, guint *n)
{
    *n = self->n_fields;
    return self->fields;
}

guint64
rf_csv_line_number (const RfCsv *self)
{
    return self->line;
}

gboolean
rf_csv_is_torn (const RfCsv *self)
{
    return self->torn;
}

/* Makes room at the end and reads into it. */
static gboolean
fill (RfCsv *self, GError **error)
{
    memmove (self->buffer, self->buffer + self->start, self->end - self->start);
    self->end -= self->start;
    self->start = 0;
    gssize got;
    do
        got = read (self->fd, self->buffer + self->end, BUFFER_SIZE - self->end);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        int code = errno;
        g_set_error (error, RF_ERROR, (gint)rf_error_from_errno (code), "reading: %s", g_strerror (code));
        return FALSE;
    }
    self->at_end = got == 0;
    self->end += (gsize)got;
    return TRUE;
}

/* Passes over the rest of a line that is too long. */
static gboolean
skip_line (RfCsv *self, GError **error)
{
    while (TRUE) {
        char *stop = memchr (self->buffer + self->start, '\n', self->end - self->start);
        if (stop != NULL) {
            self->start = (gsize)(stop - self->buffer) + 1;
            return TRUE;
        }
        self->start = self->end;
        if (self->at_end)
            return TRUE;
        if (!fill (self, error))
            return FALSE;
    }
}

/* Takes the quotes off in place; *cursor is behind the closing one afterwards. */
static gboolean
unquote (char **cursor, const char *stop, RfCsvField *field)
{
    char *to = *cursor, *from = *cursor + 1;
    field->text = to;
    while (from < stop) {
        if (*from == '"') {
            if (from + 1 == stop || from[1] != '"') {
                field->length = (gsize)(to - field->text);
                *to = '\0';
                *cursor = from + 1;
                return TRUE;
            }
            from++;
        }
        *to++ = *from++;
    }
    return FALSE;
}

static gboolean
split (RfCsv *self, char *cursor, char *stop)
{
    const char separator = self->separator;
    guint n = 0;
    while (n < RF_CSV_FIELDS_MAX) {
        RfCsvField *field = &self->fields[n++];
        if (cursor < stop && *cursor == '"') {
            if (!unquote (&cursor, stop, field) || (cursor < stop && *cursor != separator))
                return FALSE;
        } else {
            field->text = cursor;
            while (cursor < stop && *cursor != separator)
                cursor++;
            field->length = (gsize)(cursor - field->text);
        }
        if (cursor == stop) {
            if (field->text + field->length == stop)
                *stop = '\0';
            self->n_fields = n;
            return TRUE;
        }
        if (field->text + field->length == cursor)
            *cursor = '\0';
        cursor++;
    }
    return FALSE;
}

static RfCsvKind
take_line (RfCsv *self, char *line, char *stop)
{
    if (memchr (line, '\0', (gsize)(stop - line)) != NULL)
        return RF_CSV_DAMAGED;
    gboolean comment = *line == '#';
    if (!comment && !self->whole)
        return split (self, line, stop) ? RF_CSV_LINE : RF_CSV_DAMAGED;
    while (comment && line < stop && (*line == '#' || *line == ' '))
        line++;
    *stop = '\0';
    self->fields[0] = (RfCsvField) {line, (gsize)(stop - line)};
    self->n_fields = 1;
    return comment ? RF_CSV_COMMENT : RF_CSV_LINE;
}

RfCsvKind
rf_csv_next (RfCsv *self, GError **error)
{
    gsize scanned = 0;
    self->n_fields = 0;
    while (TRUE) {
        char *line = self->buffer + self->start;
        gsize length = self->end - self->start;
        char *stop = length > scanned ? memchr (line + scanned, '\n', length - scanned) : NULL;
        scanned = length;
        gboolean last = stop == NULL && self->at_end;
        if (last && (length == 0 || !self->keep_last)) {
            self->torn = self->torn || length > 0;
            self->start = self->end;
            return RF_CSV_END;
        }
        if (stop == NULL && !last && length <= RF_CSV_LINE_MAX) {
            if (!fill (self, error))
                return RF_CSV_FAILED;
            continue;
        }
        self->line++;
        if (stop == NULL) /* the last one, or too long */
            stop = line + length;
        if (stop - line > RF_CSV_LINE_MAX)
            return skip_line (self, error) ? RF_CSV_DAMAGED : RF_CSV_FAILED;
        self->start = MIN (self->end, (gsize)(stop - self->buffer) + 1);
        scanned = 0;
        if (self->line == 1 && stop - line >= 3 && memcmp (line, "\xef\xbb\xbf", 3) == 0)
            line += 3;
        if (stop > line && stop[-1] == '\r')
            stop--;
        if (stop > line)
            return take_line (self, line, stop);
    }
}

static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static gboolean
slow_number (const char *text, gsize length, double *out)
{
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_isdigit (text[i]) && strchr ("+-.eE", text[i]) == NULL)
            return FALSE;
    char *end = NULL;
    double number = g_ascii_strtod (text, &end);
    if (end != text + length || length == 0 || !(fabs (number) <= (double)FLT_MAX))
        return FALSE;
    *out = number;
    return TRUE;
}

gboolean
rf_csv_to_number (const char *text, gsize length, double *out)
{
    const char *p = text, *end = text + length;
    gboolean negative = p < end && *p == '-';
    p += negative;
    guint64 digits = 0;
    guint n = 0, decimals = 0;
    for (; p < end && g_ascii_isdigit (*p); p++, n++)
        digits = digits * 10 + (guint64)(*p - '0');
    if (p < end && *p == '.' && n > 0)
        for (p++; p < end && g_ascii_isdigit (*p); p++, n++, decimals++)
            digits = digits * 10 + (guint64)(*p - '0');
    /* both the digits and the power are exact, so the one division rounds as it should */
    if (p != end || n == 0 || n > EXACT_DIGITS)
        return slow_number (text, length, out);
    double number = (double)digits / powers[decimals];
    *out = negative ? -number : number;
    return TRUE;
}

gboolean
rf_csv_to_integer (const char *text, gsize length, gint64 *out)
{
    const char *p = text, *end = text + length;
    gboolean negative = p < end && *p == '-';
    p += negative;
    if (p == end || end - p > 19)
        return FALSE;
    guint64 number = 0;
    for (; p < end; p++) {
        if (!g_ascii_isdigit (*p))
            return FALSE;
        number = number * 10 + (guint64)(*p - '0');
    }
    if (number > (guint64)G_MAXINT64)
        return FALSE;
    *out = negative ? -(gint64)number : (gint64)number;
    return TRUE;
}

void
rf_csv_append_text (GString *line, const char *text)
{
    if (text[strcspn (text, ",\"\r\n#")] == '\0') {
        g_string_append (line, text);
        return;
    }
    g_string_append_c (line, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            g_string_append_c (line, '"');
        g_string_append_c (line, *text == '\n' || *text == '\r' ? ' ' : *text);
    }
    g_string_append_c (line, '"');
}

void
rf_csv_append_number (GString *line, double number)
{
    if (!isfinite (number))
        return;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    gboolean whole = fabs (number) < 9e15 && floor (number) == number;
    g_string_append (line, g_ascii_formatd (text, sizeof text, whole ? "%.0f" : "%.9g", number));
}
