#define G_LOG_DOMAIN "rf-json"
#include "config.h"

#include "rf-json.h"

#include <math.h>

struct _RfJson {
    GString *text;
    guint depth;
    gboolean first; /* nothing written yet in the innermost object or array */
    gboolean compact;
};

RfJson *
rf_json_new (void)
{
    RfJson *self = g_new0 (RfJson, 1);
    self->text = g_string_new (NULL);
    self->first = TRUE;
    return self;
}

void
rf_json_free (RfJson *self)
{
    g_string_free (self->text, TRUE);
    g_free (self);
}

void
rf_json_set_compact (RfJson *self, gboolean compact)
{
    self->compact = compact;
}

static void
append_quoted (GString *out, const char *raw)
{
    g_autofree char *valid = g_utf8_make_valid (raw, -1);
    g_string_append_c (out, '"');
    for (const char *p = valid; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            g_string_append_printf (out, "\\%c", *p);
        else if (*p == '\n')
            g_string_append (out, "\\n");
        else if ((guchar)*p < 0x20 || *p == 0x7f)
            g_string_append_printf (out, "\\u%04x", (guchar)*p);
        else
            g_string_append_c (out, *p);
    }
    g_string_append_c (out, '"');
}

static void
break_line (RfJson *self)
{
    if (self->compact || self->depth == 0)
        return;
    g_string_append_c (self->text, '\n');
    for (guint i = 0; i < self->depth; i++)
        g_string_append (self->text, "  ");
}

/* What stands before every value: comma, line break, key. */
static void
lead_in (RfJson *self, const char *key)
{
    if (!self->first)
        g_string_append (self->text, self->compact ? ", " : ",");
    self->first = FALSE;
    break_line (self);
    if (key != NULL) {
        append_quoted (self->text, key);
        g_string_append (self->text, ": ");
    }
}

static void
open_level (RfJson *self, const char *key, char bracket)
{
    lead_in (self, key);
    g_string_append_c (self->text, bracket);
    self->depth++;
    self->first = TRUE;
}

static void
close_level (RfJson *self, char bracket)
{
    g_return_if_fail (self->depth > 0);
    gboolean empty = self->first;
    self->depth--;
    self->first = FALSE;
    if (!empty && self->depth == 0 && !self->compact)
        g_string_append_c (self->text, '\n');
    else if (!empty)
        break_line (self);
    g_string_append_c (self->text, bracket);
}

void
rf_json_begin_object (RfJson *self, const char *key)
{
    open_level (self, key, '{');
}

void
rf_json_end_object (RfJson *self)
{
    close_level (self, '}');
}

void
rf_json_begin_array (RfJson *self, const char *key)
{
    open_level (self, key, '[');
}

void
rf_json_end_array (RfJson *self)
{
    close_level (self, ']');
}

void
rf_json_string (RfJson *self, const char *key, const char *text)
{
    if (text == NULL) {
        rf_json_null (self, key);
        return;
    }
    lead_in (self, key);
    append_quoted (self->text, text);
}

void
rf_json_int (RfJson *self, const char *key, gint64 number)
{
    lead_in (self, key);
    g_string_append_printf (self->text, "%" G_GINT64_FORMAT, number);
}

void
rf_json_uint (RfJson *self, const char *key, guint64 number)
{
    lead_in (self, key);
    g_string_append_printf (self->text, "%" G_GUINT64_FORMAT, number);
}

void
rf_json_double (RfJson *self, const char *key, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite (number)) {
        rf_json_null (self, key);
        return;
    }
    lead_in (self, key);
    /* whole numbers as such: 24223240192 and not 2.422324019e+10 */
    gboolean whole = fabs (number) < 1e15 && trunc (number) == number;
    g_string_append (self->text, g_ascii_formatd (buffer, sizeof buffer, whole ? "%.0f" : "%.10g", number));
}

void
rf_json_bool (RfJson *self, const char *key, gboolean flag)
{
    lead_in (self, key);
    g_string_append (self->text, flag ? "true" : "false");
}

void
rf_json_null (RfJson *self, const char *key)
{
    lead_in (self, key);
    g_string_append (self->text, "null");
}

const char *
rf_json_text (RfJson *self)
{
    g_return_val_if_fail (self->depth == 0, NULL);
    if (!g_str_has_suffix (self->text->str, "\n"))
        g_string_append_c (self->text, '\n');
    return self->text->str;
}
