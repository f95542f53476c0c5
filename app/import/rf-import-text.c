#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-import-private.h"
#include "rf-text.h"

#include <string.h>

#include <glib/gi18n.h>

#define WARNINGS_MAX 100

struct _RfImportText {
    char *label;
    char *data;
    char *cursor;
    char *end;
    char *converted; /* the line that was read last, if it had to be */
    GPtrArray *warnings;
    guint line;
    guint good;
    guint bad;
    guint first_bad;
    guint long_lines;
    gboolean comma;
    gboolean not_utf8;
};

void
rf_import_warn (GPtrArray *warnings, const char *format, ...)
{
    va_list list;
    va_start (list, format);
    g_autofree char *text = g_strdup_vprintf (format, list);
    va_end (list);
    if (warnings->len < WARNINGS_MAX && !g_ptr_array_find_with_equal_func (warnings, text, g_str_equal, NULL))
        g_ptr_array_add (warnings, g_steal_pointer (&text));
}

static const char *
refusal (const char *data, gsize length)
{
    static const struct {
        const char *magic;
        gsize length;
        const char *why;
    } signs[] = {
        {"\xfd"
         "7zXZ",
         5, N_ ("It is compressed; unpack it first.")},
        {"\x1f\x8b", 2, N_ ("It is compressed; unpack it first.")},
        {"\x28\xb5\x2f\xfd", 4, N_ ("It is compressed; unpack it first.")},
        {"BZh", 3, N_ ("It is compressed; unpack it first.")},
        {"PK\x03\x04", 4, N_ ("It is compressed; unpack it first.")},
        {"\xff\xfe", 2, N_ ("It is UTF-16 text; save it as UTF-8 first.")},
        {"\xfe\xff", 2, N_ ("It is UTF-16 text; save it as UTF-8 first.")},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
        if (length >= signs[i].length && memcmp (data, signs[i].magic, signs[i].length) == 0)
            return _ (signs[i].why);
    if (memchr (data, '\0', length) != NULL)
        return _ ("It is not a text.");
    return NULL;
}

RfImportText *
rf_import_text_new (const char *label, const char *data, gsize length, GPtrArray *warnings, GError **error)
{
    gsize whole = length;
    while (length > 0 && data[length - 1] == '\0')
        length--;
    if (length >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        length -= 3;
        whole -= 3;
    }
    const char *why = length > RF_IMPORT_BYTES_MAX ? _ ("It is too large.") : refusal (data, length);
    if (length == 0)
        why = _ ("It is empty.");
    if (why != NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, why);
        return NULL;
    }
    RfImportText *self = g_new0 (RfImportText, 1);
    self->label = g_strdup (label);
    self->data = g_malloc (length + 1);
    memcpy (self->data, data, length);
    self->data[length] = '\0';
    self->cursor = self->data;
    self->end = self->data + length;
    self->warnings = warnings;
    if (whole > length)
        rf_import_warn (warnings, _ ("The file ends with empty bytes, as after a crash. They were left out."));
    return self;
}

void
rf_import_text_free (RfImportText *self)
{
    g_free (self->label);
    g_free (self->data);
    g_free (self->converted);
    g_free (self);
}

GPtrArray *
rf_import_text_warnings (RfImportText *self)
{
    return self->warnings;
}

/* Old programs write names of folders as the system has them: on Windows often in its Western code page. */
static char *
to_utf8 (RfImportText *self, char *line, gsize length)
{
    if (g_utf8_validate_len (line, length, NULL))
        return line;
    self->not_utf8 = TRUE;
    g_free (self->converted);
    self->converted = g_convert (line, (gssize)length, "UTF-8", "WINDOWS-1252", NULL, NULL, NULL);
    if (self->converted == NULL)
        self->converted = g_utf8_make_valid (line, (gssize)length);
    return self->converted;
}

char *
rf_import_text_next (RfImportText *self)
{
    while (self->cursor < self->end) {
        char *line = self->cursor;
        char *end = memchr (line, '\n', (gsize)(self->end - line));
        if (end == NULL)
            end = self->end;
        self->cursor = end < self->end ? end + 1 : end;
        self->line++;
        if (end - line > (gssize)RF_IMPORT_LINE_MAX) {
            self->long_lines++;
            continue;
        }
        while (end > line && g_ascii_isspace (end[-1]))
            end--;
        *end = '\0';
        if (end > line && line[strspn (line, " \t\r\f\v")] != '\0')
            return to_utf8 (self, line, (gsize)(end - line));
    }
    return NULL;
}

void
rf_import_text_good (RfImportText *self)
{
    self->good++;
}

void
rf_import_text_bad (RfImportText *self)
{
    if (self->bad++ == 0)
        self->first_bad = self->line;
}

gboolean
rf_import_text_number (RfImportText *self, const char *field, double *out)
{
    return rf_import_number (field, &self->comma, out);
}

static void
say (RfImportText *self, const char *sentence)
{
    if (self->label != NULL)
        rf_import_warn (self->warnings, "%s: %s", self->label, sentence);
    else
        rf_import_warn (self->warnings, "%s", sentence);
}

gboolean
rf_import_text_finish (RfImportText *self, GError **error)
{
    if (self->bad > 0) {
        g_autofree char *text
            = g_strdup_printf (ngettext ("%u line was not understood; it is line %u.",
                                         "%u lines were not understood; the first is line %u.", self->bad),
                               self->bad, self->first_bad);
        say (self, text);
    }
    if (self->long_lines > 0) {
        g_autofree char *text
            = g_strdup_printf (ngettext ("%u line is too long and was left out.",
                                         "%u lines are too long and were left out.", self->long_lines),
                               self->long_lines);
        say (self, text);
    }
    if (self->comma)
        say (self, _ ("Its numbers have decimal commas and were read as such."));
    if (self->not_utf8)
        say (self, _ ("It is not UTF-8 and was read as the Western code page of Windows."));
    if (self->good == 0 || self->bad + self->long_lines > self->good) {
        if (self->good == 0)
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("There is no line in it that can be used."));
        else
            g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, _ ("Most of it was not understood."));
        return FALSE;
    }
    return TRUE;
}

guint
rf_import_split (char *line, char separator, char **fields)
{
    guint n = 0;
    char *in = line;
    for (;;) {
        if (n == RF_IMPORT_FIELDS_MAX)
            return 0;
        char *out = in;
        fields[n++] = out;
        if (*in == '"') {
            in++;
            while (*in != '\0' && (in[0] != '"' || in[1] == '"')) {
                in += *in == '"' ? 1 : 0;
                *out++ = *in++;
            }
            if (*in == '\0')
                return 0;
            in++;
        }
        while (*in != '\0' && *in != separator)
            *out++ = *in++;
        gboolean last = *in == '\0';
        *out = '\0';
        if (last)
            return n;
        in++;
    }
}

guint
rf_import_words (char *line, char **fields)
{
    guint n = 0;
    char *at = line;
    for (;;) {
        at += strspn (at, " \t");
        if (*at == '\0')
            return n;
        if (n == RF_IMPORT_FIELDS_MAX)
            return 0;
        fields[n++] = at;
        at += strcspn (at, " \t");
        if (*at != '\0')
            *at++ = '\0';
    }
}

char
rf_import_separator (const char *line)
{
    static const char all[] = {',', ';', '\t'};
    char best = ',';
    guint most = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++) {
        guint n = 0;
        for (const char *at = strchr (line, all[i]); at != NULL; at = strchr (at + 1, all[i]))
            n++;
        if (n > most) {
            most = n;
            best = all[i];
        }
    }
    return best;
}

int
rf_import_find (char **fields, guint n, const char *name)
{
    for (guint i = 0; i < n; i++)
        if (g_str_equal (fields[i], name))
            return (int)i;
    return -1;
}

void
rf_import_event_text (char *field, gsize size, const char *text)
{
    g_autofree char *printable = rf_text_printable (text);
    gsize length = strlen (printable);
    if (length >= size) {
        const char *cut = g_utf8_find_prev_char (printable, printable + size);
        length = cut != NULL ? (gsize)(cut - printable) : 0;
    }
    memcpy (field, printable, length);
    field[length] = '\0';
}

gboolean
rf_import_add_event (RfRecording *recording, const RfEvent *event)
{
    if (recording->events->len >= RF_IMPORT_ROWS_MAX)
        return FALSE;
    g_array_append_val (recording->events, *event);
    return TRUE;
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
    const RfEvent *left = a, *right = b;
    return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

void
rf_import_sort_events (RfRecording *recording)
{
    g_array_sort (recording->events, compare_events);
}
