#define G_LOG_DOMAIN "rf-text"
#include "config.h"

#include "rf-text.h"

#include <string.h>

gboolean
rf_text_to_uint64 (const char *text, guint64 *out)
{
    g_return_val_if_fail (out != NULL, FALSE);
    if (text == NULL || !g_ascii_isdigit (text[0]) || (text[0] == '0' && text[1] != '\0'))
        return FALSE;
    guint64 value = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (!g_ascii_isdigit (*p))
            return FALSE;
        guint64 digit = (guint64)(*p - '0');
        if (value > (G_MAXUINT64 - digit) / 10)
            return FALSE;
        value = value * 10 + digit;
    }
    *out = value;
    return TRUE;
}

gboolean
rf_text_to_int64 (const char *text, gint64 *out)
{
    g_return_val_if_fail (out != NULL, FALSE);
    if (text == NULL)
        return FALSE;
    gboolean negative = text[0] == '-';
    guint64 magnitude;
    if (!rf_text_to_uint64 (negative ? text + 1 : text, &magnitude) || magnitude > G_MAXINT64
        || (negative && magnitude == 0))
        return FALSE;
    *out = negative ? -(gint64)magnitude : (gint64)magnitude;
    return TRUE;
}

gboolean
rf_text_scan_uint64 (const char **cursor, const char *end, guint64 *out)
{
    const char *p = *cursor;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (p >= end || !g_ascii_isdigit (*p))
        return FALSE;
    guint64 value = 0;
    for (; p < end && g_ascii_isdigit (*p); p++) {
        guint64 digit = (guint64)(*p - '0');
        if (value > (G_MAXUINT64 - digit) / 10)
            return FALSE;
        value = value * 10 + digit;
    }
    *out = value;
    *cursor = p;
    return TRUE;
}

gboolean
rf_text_next_line (const char **cursor, const char *end, const char **line, const char **line_end)
{
    if (*cursor >= end)
        return FALSE;
    const char *newline = memchr (*cursor, '\n', (gsize)(end - *cursor));
    *line = *cursor;
    *line_end = newline != NULL ? newline : end;
    *cursor = newline != NULL ? newline + 1 : end;
    return TRUE;
}

gboolean
rf_text_next_whole_line (const char **cursor, const char *end, const char **line, const char **line_end)
{
    const char *next = *cursor, *start, *stop;
    if (!rf_text_next_line (&next, end, &start, &stop))
        return FALSE;
    *cursor = next;
    if (stop == end)
        return FALSE;
    *line = start;
    *line_end = stop;
    return TRUE;
}

static inline gboolean
is_blank (char c)
{
    return (guchar)c <= ' ' && (c == ' ' || c == '\t' || c == '\n');
}

gboolean
rf_text_next_word (const char **cursor, const char *end, const char **word, gsize *length)
{
    const char *p = *cursor;
    while (p < end && is_blank (*p))
        p++;
    const char *start = p;
    while (p < end && !is_blank (*p))
        p++;
    *cursor = p;
    if (p == start)
        return FALSE;
    *word = start;
    *length = (gsize)(p - start);
    return TRUE;
}

gboolean
rf_text_scan_x100 (const char **cursor, const char *end, guint64 *out)
{
    const char *p = *cursor;
    guint64 whole;
    if (!rf_text_scan_uint64 (&p, end, &whole) || end - p < 3 || p[0] != '.' || !g_ascii_isdigit (p[1])
        || !g_ascii_isdigit (p[2]) || (end - p > 3 && g_ascii_isdigit (p[3])))
        return FALSE;
    guint64 hundredths = (guint64)(p[1] - '0') * 10 + (guint64)(p[2] - '0');
    if (whole > (G_MAXUINT64 - hundredths) / 100)
        return FALSE;
    *out = whole * 100 + hundredths;
    *cursor = p + 3;
    return TRUE;
}

char **
rf_text_brackets (const char *text, char **selected)
{
    g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *chosen = NULL;
    g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);
    for (char **word = words; *word != NULL; word++) {
        gsize length = strlen (*word);
        if (length == 0)
            continue;
        if (length > 2 && (*word)[0] == '[' && (*word)[length - 1] == ']') {
            g_autofree char *inner = g_strndup (*word + 1, length - 2);
            if (chosen == NULL)
                chosen = g_strdup (inner);
            g_ptr_array_add (tokens, g_steal_pointer (&inner));
        } else {
            g_ptr_array_add (tokens, g_strdup (*word));
        }
    }
    g_ptr_array_add (tokens, NULL);
    if (selected != NULL)
        *selected = g_steal_pointer (&chosen);
    return (char **)g_ptr_array_free (g_steal_pointer (&tokens), FALSE);
}

/* Unicode Standard Annex 9, "Directional Formatting Characters"; and the two that end a line or a paragraph. */
static gboolean
is_of_direction (gunichar c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *
rf_text_printable (const char *text)
{
    g_return_val_if_fail (text != NULL, NULL);
    g_autofree char *valid = g_utf8_make_valid (text, -1);
    GString *out = g_string_new (NULL);
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (c == '\n')
            g_string_append (out, "\\n");
        else if (c == '\t')
            g_string_append (out, "\\t");
        else if (g_unichar_iscntrl (c))
            g_string_append_printf (out, "\\x%02x", c);
        else if (is_of_direction (c))
            g_string_append_printf (out, "\\u%04x", c);
        else
            g_string_append_unichar (out, c);
    }
    return g_string_free (out, FALSE);
}

char *
rf_text_strip_newline (char *text)
{
    return g_strchomp (text);
}
