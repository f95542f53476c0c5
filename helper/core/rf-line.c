#define G_LOG_DOMAIN "rf-line"
#include "config.h"

#include "rf-line.h"

#include <math.h>
#include <string.h>

/* Whole numbers up to here are exact in a double. */
#define EXACT 9007199254740992.0
#define NUMBER_MAX 40

void
rf_line_start (RfLine *self, char *buffer, gsize size)
{
    *self = (RfLine){.size = size};
    self->buffer = buffer;
}

static void
put (RfLine *self, const char *bytes, gsize length)
{
    /* room for the newline and the NUL always stays */
    if (self->full || length + 2 > self->size - self->length) {
        self->full = TRUE;
        return;
    }
    memcpy (self->buffer + self->length, bytes, length);
    self->length += length;
}

static void
begin_field (RfLine *self)
{
    if (self->begun)
        put (self, ",", 1);
    self->begun = TRUE;
}

void
rf_line_text (RfLine *self, const char *text)
{
    begin_field (self);
    gboolean quoted = strpbrk (text, ",\"") != NULL;
    if (quoted)
        put (self, "\"", 1);
    for (const char *p = text; *p != '\0'; p++) {
        static const char digits[] = "0123456789abcdef";
        const guchar c = (guchar)*p;
        if (c == '"')
            put (self, "\"\"", 2);
        else if (g_ascii_iscntrl (*p))
            put (self, (char[]){'\\', 'x', digits[c >> 4], digits[c & 15]}, 4);
        else
            put (self, p, 1);
    }
    if (quoted)
        put (self, "\"", 1);
}

void
rf_line_integer (RfLine *self, gint64 value)
{
    char digits[NUMBER_MAX];
    int length = g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, value);
    begin_field (self);
    put (self, digits, (gsize)length);
}

void
rf_line_number (RfLine *self, double value)
{
    if (isfinite (value) && value == floor (value) && fabs (value) < EXACT) {
        rf_line_integer (self, (gint64)value);
        return;
    }
    begin_field (self);
    if (!isfinite (value))
        return;
    char digits[NUMBER_MAX];
    g_ascii_formatd (digits, sizeof digits, "%.9g", value);
    put (self, digits, strlen (digits));
}

void
rf_line_empty (RfLine *self)
{
    begin_field (self);
}

gsize
rf_line_end (RfLine *self)
{
    if (self->full)
        return 0;
    self->buffer[self->length++] = '\n';
    self->buffer[self->length] = '\0';
    return self->length;
}

/* A quoted field: from behind the first quote. Returns: behind the closing one, NULL if there is none or no room. */
static const char *
unquote (const char *p, const char *end, char *out, gsize size, gsize *length)
{
    for (;; p++) {
        if (p >= end || *length + 1 >= size)
            return NULL;
        if (*p == '"') {
            if (p + 1 >= end || p[1] != '"')
                return p + 1;
            p++;
        }
        out[(*length)++] = *p;
    }
}

static gboolean
is_clean (const char *text, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (g_ascii_iscntrl (text[i]))
            return FALSE;
    return g_utf8_validate_len (text, length, NULL);
}

gboolean
rf_line_next (const char **cursor, const char *end, char *out, gsize size)
{
    const char *p = *cursor;
    gsize length = 0;
    if (p == NULL)
        return FALSE;
    if (p < end && *p == '"') {
        p = unquote (p + 1, end, out, size, &length);
        if (p == NULL || (p < end && *p != ','))
            return FALSE;
    } else {
        for (; p < end && *p != ','; p++) {
            if (*p == '"' || length + 1 >= size)
                return FALSE;
            out[length++] = *p;
        }
    }
    if (!is_clean (out, length))
        return FALSE;
    out[length] = '\0';
    *cursor = p < end ? p + 1 : NULL;
    return TRUE;
}

/* What is not exact by the short way; rare. */
static gboolean
slow_number (const char *text, gsize length, double *out)
{
    char copy[NUMBER_MAX], *end = NULL;
    if (length >= sizeof copy)
        return FALSE;
    memcpy (copy, text, length);
    copy[length] = '\0';
    if (strspn (copy, "-+.0123456789e") != length)
        return FALSE;
    double value = g_ascii_strtod (copy, &end);
    if (*end != '\0' || !isfinite (value))
        return FALSE;
    *out = value;
    return TRUE;
}

static gboolean
scan_exponent (const char **cursor, const char *end, int *out)
{
    const char *p = *cursor;
    gboolean negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p >= end || end - p > 3)
        return FALSE;
    int value = 0;
    for (; p < end; p++) {
        if (!g_ascii_isdigit (*p))
            return FALSE;
        value = value * 10 + (*p - '0');
    }
    *out = negative ? -value : value;
    *cursor = p;
    return TRUE;
}

gboolean
rf_line_to_number (const char *text, gsize length, double *out)
{
    /* up to here powers of ten are exact in a double, so one multiplication or division rounds only once */
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text, *end = text + length;
    gboolean negative = p < end && *p == '-';
    guint64 digits = 0;
    guint n = 0;
    int fraction = 0, exponent = 0;
    if (negative)
        p++;
    const char *whole = p;
    for (; p < end && g_ascii_isdigit (*p) && n < 18; p++, n++)
        digits = digits * 10 + (guint64)(*p - '0');
    if (p == whole)
        return FALSE;
    if (p + 1 < end && *p == '.' && g_ascii_isdigit (p[1])) {
        for (p++; p < end && g_ascii_isdigit (*p) && n < 18; p++, n++, fraction--)
            digits = digits * 10 + (guint64)(*p - '0');
    }
    if (p < end && g_ascii_isdigit (*p)) /* too many for the short way */
        return slow_number (text, length, out);
    if (p < end && *p == 'e') {
        p++;
        if (!scan_exponent (&p, end, &exponent))
            return FALSE;
    }
    if (p != end)
        return FALSE;
    int power = fraction + exponent;
    if (digits >= (guint64)EXACT || power > 22 || power < -22)
        return slow_number (text, length, out);
    double value = power < 0 ? (double)digits / tens[-power] : (double)digits * tens[power];
    *out = negative ? -value : value;
    return TRUE;
}
