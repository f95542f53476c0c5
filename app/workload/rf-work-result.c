#define G_LOG_DOMAIN "rf-work-result"
#include "config.h"

#include "rf-work-result.h"

#include <math.h>
#include <string.h>

#include "rf-error.h"
#include "rf-text.h"

#define MOST_KEYS 1000

struct _RfWorkResult {
    GHashTable *values; /* owned strings */
};

char *
rf_work_line_double (const char *key, double value, guint decimals)
{
    char form[8], number[G_ASCII_DTOSTR_BUF_SIZE + 32];
    if (!isfinite (value))
        return g_strdup_printf ("%s=n/a\n", key);
    g_snprintf (form, sizeof form, "%%.%uf", MIN (decimals, 9));
    /* 1e300 would not fit; nothing here is measured in such numbers */
    g_ascii_formatd (number, sizeof number, form, CLAMP (value, -1e15, 1e15));
    return g_strdup_printf ("%s=%s\n", key, number);
}

void
rf_work_result_free (RfWorkResult *self)
{
    g_hash_table_unref (self->values);
    g_free (self);
}

static gboolean
is_key (const char *text, gsize length)
{
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_islower (text[i]) && !g_ascii_isdigit (text[i]) && strchr ("-_.", text[i]) == NULL)
            return FALSE;
    return length > 0;
}

static void
take_line (RfWorkResult *self, const char *line, const char *end)
{
    const char *equals = memchr (line, '=', (gsize)(end - line));
    if (equals == NULL || end - line > RF_WORK_RESULT_LONGEST || !is_key (line, (gsize)(equals - line))
        || memchr (line, '\0', (gsize)(end - line)) != NULL || !g_utf8_validate (equals, end - equals, NULL))
        return;
    g_autofree char *key = g_strndup (line, (gsize)(equals - line));
    if (g_hash_table_size (self->values) < MOST_KEYS || g_hash_table_contains (self->values, key))
        g_hash_table_replace (self->values, g_steal_pointer (&key), g_strndup (equals + 1, (gsize)(end - equals - 1)));
}

RfWorkResult *
rf_work_result_parse (const char *text, gsize length, GError **error)
{
    g_autofree char *first = g_strdup_printf ("format=%d\n", RF_WORK_FORMAT);
    if (length < strlen (first) || memcmp (text, first, strlen (first)) != 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                             "not the output of ruckelfrei-workload, or of another version");
        return NULL;
    }
    RfWorkResult *self = g_new0 (RfWorkResult, 1);
    self->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    const char *cursor = text, *line, *line_end;
    while (rf_text_next_whole_line (&cursor, text + length, &line, &line_end))
        take_line (self, line, line_end);
    return self;
}

const char *
rf_work_result_get (const RfWorkResult *self, const char *key)
{
    return g_hash_table_lookup (self->values, key);
}

double
rf_work_result_number (const RfWorkResult *self, const char *key)
{
    const char *text = rf_work_result_get (self, key);
    char *end = NULL;
    if (text == NULL || (!g_ascii_isdigit (text[0]) && text[0] != '-'))
        return NAN;
    double number = g_ascii_strtod (text, &end);
    return *end == '\0' && isfinite (number) ? number : NAN;
}

gboolean
rf_work_result_is_complete (const RfWorkResult *self)
{
    return g_strcmp0 (rf_work_result_get (self, "end"), "complete") == 0;
}

gboolean
rf_work_result_is_whole (const RfWorkResult *self)
{
    return rf_work_result_is_complete (self) && g_strcmp0 (rf_work_result_get (self, "ended"), "time") == 0;
}
