#define G_LOG_DOMAIN "rf-trace-format"
#include "config.h"

#include "rf-trace-format.h"

#include <string.h>

#include "rf-text.h"

/* "offset:8;" */
static gboolean
parse_number (const char **cursor, const char *end, const char *key, guint64 max, guint64 *out)
{
    const char *word;
    gsize length, key_length = strlen (key);
    if (!rf_text_next_word (cursor, end, &word, &length) || length < key_length || memcmp (word, key, key_length) != 0)
        return FALSE;
    const char *number = word + key_length, *word_end = word + length;
    return number < word_end && g_ascii_isdigit (*number) && rf_text_scan_uint64 (&number, word_end, out) && *out <= max
           && number + 1 == word_end && *number == ';';
}

static gboolean
starts_with (const char *text, gsize length, const char *start)
{
    return length >= strlen (start) && memcmp (text, start, strlen (start)) == 0;
}

/* "__data_loc char[] cmd", "char rwbs[8]", "unsigned long pfn" */
static gboolean
parse_declaration (const char *text, const char *end, RfTraceField *out)
{
    while (text < end && *text == ' ')
        text++;
    const char *name = end;
    while (name > text && name[-1] != ' ')
        name--;
    const char *name_end = memchr (name, '[', (gsize)(end - name));
    out->shape = RF_TRACE_PLAIN;
    if (starts_with (text, (gsize)(end - text), "__data_loc "))
        out->shape = RF_TRACE_DATA_LOC;
    else if (starts_with (text, (gsize)(end - text), "__rel_loc "))
        out->shape = RF_TRACE_REL_LOC;
    else if (name_end != NULL)
        out->shape = RF_TRACE_ARRAY;
    if (name_end == NULL)
        name_end = end;
    gsize length = (gsize)(name_end - name);
    /* without a type before it, it is no declaration */
    if (name == text || length == 0 || length >= sizeof out->name)
        return FALSE;
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_isalnum (name[i]) && name[i] != '_')
            return FALSE;
    memset (out->name, 0, sizeof out->name);
    memcpy (out->name, name, length);
    return TRUE;
}

/* kernel/trace/trace_events.c, f_show(): "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n" */
static gboolean
parse_field (const char *line, const char *line_end, RfTraceField *out)
{
    guint64 offset, size, is_signed;
    const char *word;
    gsize length;
    if (!starts_with (line, (gsize)(line_end - line), "\tfield:"))
        return FALSE;
    line += strlen ("\tfield:");
    const char *semicolon = memchr (line, ';', (gsize)(line_end - line));
    if (semicolon == NULL || !parse_declaration (line, semicolon, out))
        return FALSE;
    line = semicolon + 1;
    if (!parse_number (&line, line_end, "offset:", RF_TRACE_FIELD_END_MAX, &offset)
        || !parse_number (&line, line_end, "size:", RF_TRACE_FIELD_END_MAX, &size)
        || !parse_number (&line, line_end, "signed:", 1, &is_signed)
        || rf_text_next_word (&line, line_end, &word, &length) || offset + size > RF_TRACE_FIELD_END_MAX)
        return FALSE;
    out->offset = (guint32)offset;
    out->size = (guint32)size;
    out->is_signed = is_signed == 1;
    return TRUE;
}

/* Up to the end or "print fmt:". Returns: how many, 0 on failure. */
static guint
parse_fields (const char *cursor, const char *end, RfTraceField *out)
{
    guint count = 0;
    const char *line, *line_end;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (starts_with (line, (gsize)(line_end - line), "print fmt:"))
            break;
        /* a blank line stands between what all events have and the rest */
        if (line == line_end)
            continue;
        if (count == RF_TRACE_FIELDS_MAX || !parse_field (line, line_end, &out[count]))
            return 0;
        count++;
    }
    return count;
}

guint
rf_trace_fields_parse (const char *text, gsize length, RfTraceField *out)
{
    return length > 0 ? parse_fields (text, text + length, out) : 0;
}

gboolean
rf_trace_format_parse (const char *text, gsize length, RfTraceFormat *out)
{
    RfTraceFormat format = {0};
    const char *cursor = text, *end, *line, *line_end, *word;
    gsize word_length;
    guint64 id;
    if (length == 0)
        return FALSE;
    end = text + length;
    if (!rf_text_next_whole_line (&cursor, end, &line, &line_end)
        || !rf_text_next_word (&line, line_end, &word, &word_length) || !rf_text_word_is (word, word_length, "name:")
        || !rf_text_next_word (&line, line_end, &word, &word_length) || word_length >= sizeof format.name
        || memchr (word, '\0', word_length) != NULL)
        return FALSE;
    memcpy (format.name, word, word_length);
    if (!rf_text_next_whole_line (&cursor, end, &line, &line_end)
        || !rf_text_next_word (&line, line_end, &word, &word_length) || !rf_text_word_is (word, word_length, "ID:")
        || !rf_text_scan_uint64 (&line, line_end, &id) || line != line_end || id > G_MAXUINT16)
        return FALSE;
    format.id = (guint16)id;
    if (!rf_text_next_whole_line (&cursor, end, &line, &line_end)
        || !rf_text_word_is (line, (gsize)(line_end - line), "format:"))
        return FALSE;
    format.n_fields = parse_fields (cursor, end, format.fields);
    if (format.n_fields == 0)
        return FALSE;
    *out = format;
    return TRUE;
}

const RfTraceField *
rf_trace_fields_find (const RfTraceField *fields, guint n_fields, const char *name)
{
    for (guint i = 0; i < n_fields; i++)
        if (strcmp (fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

const RfTraceField *
rf_trace_format_find (const RfTraceFormat *self, const char *name)
{
    return rf_trace_fields_find (self->fields, self->n_fields, name);
}

gboolean
rf_trace_field_number (const RfTraceField *self, const guint8 *record, gsize length, guint64 *out)
{
    const guint8 *at = record + self->offset;
    guint8 one;
    guint16 two;
    guint32 four;
    if ((gsize)self->offset + self->size > length)
        return FALSE;
    switch (self->size) {
    case 1:
        one = *at;
        *out = self->is_signed ? (guint64)(gint8)one : one;
        return TRUE;
    case 2:
        memcpy (&two, at, sizeof two);
        *out = self->is_signed ? (guint64)(gint16)two : two;
        return TRUE;
    case 4:
        memcpy (&four, at, sizeof four);
        *out = self->is_signed ? (guint64)(gint32)four : four;
        return TRUE;
    case 8:
        memcpy (out, at, sizeof *out);
        return TRUE;
    default:
        return FALSE;
    }
}

gsize
rf_trace_field_bytes (const RfTraceField *self, const guint8 *record, gsize length, const char **bytes)
{
    gsize offset = self->offset, size = self->size;
    guint32 place;
    if (offset + size > length || self->shape == RF_TRACE_PLAIN)
        return 0;
    if (self->shape != RF_TRACE_ARRAY) {
        if (size != sizeof place)
            return 0;
        memcpy (&place, record + offset, sizeof place);
        offset = (self->shape == RF_TRACE_REL_LOC ? offset + size : 0) + (place & 0xffff);
        size = place >> 16;
        if (offset + size > length)
            return 0;
    }
    *bytes = (const char *)record + offset;
    return strnlen (*bytes, size);
}
