#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-import-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define YEAR_2000_S G_GINT64_CONSTANT (946684800)
#define YEAR_2100_S G_GINT64_CONSTANT (4102444800)

static gboolean
is_missing (const char *text, gsize length)
{
    static const char *const words[] = {"", "-", "nan", "-nan", "NaN", "N/A", "[N/A]", "[Not Supported]"};
    for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
        if (strlen (words[i]) == length && memcmp (words[i], text, length) == 0)
            return TRUE;
    return FALSE;
}

gboolean
rf_import_number (const char *field, gboolean *comma, double *out)
{
    char plain[64];
    while (*field == ' ' || *field == '\t')
        field++;
    gsize length = strlen (field);
    while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t'))
        length--;
    if (is_missing (field, length)) {
        *out = NAN;
        return TRUE;
    }
    if (length >= sizeof plain)
        return FALSE;
    memcpy (plain, field, length);
    plain[length] = '\0';

    char *at = plain;
    gboolean has_comma = FALSE;
    if (*at == '-' || *at == '+')
        at++;
    gsize digits = strspn (at, "0123456789");
    at += digits;
    if (*at == '.' || *at == ',') {
        has_comma = *at == ',';
        *at++ = '.';
        gsize more = strspn (at, "0123456789");
        digits += more;
        at += more;
    }
    if (digits == 0)
        return FALSE;
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '-' || *at == '+')
            at++;
        gsize more = strspn (at, "0123456789");
        if (more == 0)
            return FALSE;
        at += more;
    }
    if (*at != '\0')
        return FALSE;
    double number = g_ascii_strtod (plain, NULL);
    if (!(fabs (number) <= (double)FLT_MAX))
        return FALSE;
    if (has_comma)
        *comma = TRUE;
    *out = number;
    return TRUE;
}

gboolean
rf_import_integer (const char *text, gint64 *out)
{
    gsize length = strlen (text);
    if (length == 0 || length > 18 || strspn (text, "0123456789") != length)
        return FALSE;
    *out = g_ascii_strtoll (text, NULL, 10);
    return TRUE;
}

/* Up to six digits behind a point; more are cut off. Returns: FALSE if something else follows */
static gboolean
fraction (const char *text, const char **rest, gint64 *us)
{
    *us = 0;
    *rest = text;
    if (*text != '.' && *text != ',')
        return TRUE;
    gsize digits = strspn (text + 1, "0123456789");
    if (digits == 0)
        return FALSE;
    gint64 unit = 100000;
    for (gsize i = 1; i <= digits && unit > 0; i++, unit /= 10)
        *us += (text[i] - '0') * unit;
    *rest = text + 1 + digits;
    return TRUE;
}

gboolean
rf_import_epoch (const char *text, gint64 *us)
{
    while (*text == ' ')
        text++;
    gsize digits = strspn (text, "0123456789");
    if (digits < 9 || digits > 10)
        return FALSE;
    gint64 seconds = 0, part = 0;
    for (gsize i = 0; i < digits; i++)
        seconds = seconds * 10 + (text[i] - '0');
    const char *rest;
    if (!fraction (text + digits, &rest, &part) || *rest != '\0' || seconds < YEAR_2000_S || seconds >= YEAR_2100_S)
        return FALSE;
    *us = seconds * G_USEC_PER_SEC + part;
    return TRUE;
}

/* Reads up to @most digits, at least one */
static gboolean
digits_at (const char **text, guint least, guint most, int *out)
{
    int number = 0;
    guint n = 0;
    while (n < most && g_ascii_isdigit (**text)) {
        number = number * 10 + (**text - '0');
        (*text)++;
        n++;
    }
    *out = number;
    return n >= least;
}

static gboolean
literal_at (const char **text, char letter)
{
    if (**text != letter)
        return FALSE;
    (*text)++;
    return TRUE;
}

gboolean
rf_import_clock (const char *text, int *seconds, const char **rest)
{
    int h, m, s;
    if (!digits_at (&text, 1, 2, &h) || !literal_at (&text, ':') || !digits_at (&text, 2, 2, &m)
        || !literal_at (&text, ':') || !digits_at (&text, 2, 2, &s) || g_ascii_isdigit (*text))
        return FALSE;
    if (h > 23 || m > 59 || s > 60)
        return FALSE;
    *seconds = h * 3600 + m * 60 + s;
    *rest = text;
    return TRUE;
}

gint64
rf_import_local (GTimeZone *zone, int year, int month, int day, int seconds)
{
    if (year < 2000 || year > 2099 || month < 1 || month > 12 || day < 1 || day > 31 || seconds < 0 || seconds > 86400)
        return 0;
    /* a leap second at the end of a day */
    int extra = seconds == 86400 ? 1 : 0;
    seconds -= extra;
    g_autoptr (GDateTime) time
        = g_date_time_new (zone, year, month, day, seconds / 3600, seconds / 60 % 60, (double)(seconds % 60));
    if (time == NULL || g_date_time_get_hour (time) != seconds / 3600)
        return 0;
    return (g_date_time_to_unix (time) + extra) * G_USEC_PER_SEC;
}

gboolean
rf_import_date_time (const char *text, GTimeZone *zone, gint64 *us)
{
    int year, month, day, seconds;
    gint64 part;
    while (*text == ' ')
        text++;
    if (!digits_at (&text, 4, 4, &year) || !literal_at (&text, '-') || !digits_at (&text, 2, 2, &month)
        || !literal_at (&text, '-') || !digits_at (&text, 2, 2, &day))
        return FALSE;
    if (*text != ' ' && *text != 'T')
        return FALSE;
    text++;
    if (!rf_import_clock (text, &seconds, &text) || !fraction (text, &text, &part))
        return FALSE;
    while (*text == ' ')
        text++;
    g_autoptr (GTimeZone) own = NULL;
    if (g_str_equal (text, "Z") || g_str_equal (text, "UTC") || g_str_equal (text, "GMT"))
        own = g_time_zone_new_utc ();
    else if (*text == '+' || *text == '-')
        own = g_time_zone_new_identifier (text);
    else if (*text != '\0')
        return FALSE;
    if (own == NULL && *text != '\0')
        return FALSE;
    gint64 whole = rf_import_local (own != NULL ? own : zone, year, month, day, seconds);
    if (whole == 0)
        return FALSE;
    *us = whole + part;
    return TRUE;
}

RfImportSheet *
rf_import_sheet_new (const char *table, char **header, guint n, const RfImportColumn *map)
{
    RfImportSheet *self = g_new0 (RfImportSheet, 1);
    self->table = rf_table_new (table);
    self->n_fields = n;
    for (guint i = 0; i < n; i++) {
        g_autofree char *name = g_strstrip (g_strdup (header[i]));
        self->column[i] = -1;
        for (const RfImportColumn *row = map; row->from != NULL; row++) {
            if (!g_str_equal (row->from, name))
                continue;
            guint column = rf_table_find (self->table, row->to);
            self->column[i] = (int)(column != RF_TABLE_NONE ? column : rf_table_add_column (self->table, row->to));
            self->scale[i] = row->scale;
            break;
        }
    }
    return self;
}

void
rf_import_sheet_free (RfImportSheet *self)
{
    g_clear_pointer (&self->table, rf_table_unref);
    g_free (self);
}

gboolean
rf_import_sheet_fill (RfImportSheet *self, RfImportText *text, char **fields, guint n)
{
    gboolean seen[RF_IMPORT_FIELDS_MAX] = {FALSE};
    guint columns = rf_table_n_columns (self->table);
    for (guint i = 0; i < columns; i++)
        self->row[i] = NAN;
    if (n != self->n_fields)
        return FALSE;
    for (guint i = 0; i < n; i++) {
        int column = self->column[i];
        double number;
        if (column < 0)
            continue;
        if (!rf_import_text_number (text, fields[i], &number))
            return FALSE;
        number *= self->scale[i];
        if (seen[column])
            number += (double)self->row[column];
        seen[column] = TRUE;
        self->row[column] = fabs (number) <= (double)FLT_MAX ? (float)number : NAN;
    }
    return TRUE;
}

gboolean
rf_import_sheet_append (RfImportSheet *self, gint64 time_ns)
{
    return rf_table_n_rows (self->table) < RF_IMPORT_ROWS_MAX && rf_table_append (self->table, time_ns, self->row);
}
