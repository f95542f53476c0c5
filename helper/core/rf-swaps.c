#define G_LOG_DOMAIN "rf-swaps"
#include "config.h"

#include "rf-swaps.h"

#include <string.h>

#include "rf-text.h"

static void
entry_free (gpointer data)
{
    RfSwapEntry *entry = data;
    g_free (entry->path);
    g_free (entry);
}

static gboolean
is_octal (char c)
{
    return c >= '0' && c <= '7';
}

/* The kernel writes blank, tab, newline and backslash of a path as a backslash and three octal digits. */
static char *
decode (const char *text, gsize length)
{
    GString *out = g_string_sized_new (length);
    for (gsize i = 0; i < length; i++) {
        if (text[i] == '\\' && length - i > 3 && text[i + 1] <= '3' && is_octal (text[i + 1]) && is_octal (text[i + 2])
            && is_octal (text[i + 3])) {
            int byte = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
            g_string_append_c (out, (char)byte);
            i += 3;
        } else {
            g_string_append_c (out, text[i]);
        }
    }
    return g_string_free (out, FALSE);
}

static gboolean
scan_kib (const char **cursor, const char *end, guint64 *bytes)
{
    guint64 kib;
    if (!rf_text_scan_uint64 (cursor, end, &kib) || kib > G_MAXUINT64 / 1024)
        return FALSE;
    *bytes = kib * 1024;
    return TRUE;
}

static gboolean
scan_priority (const char **cursor, const char *end, gint *priority)
{
    const char *word, *rest;
    gsize length;
    if (!rf_text_next_word (cursor, end, &word, &length) || length > 11)
        return FALSE;
    char digits[12] = "";
    gint64 value;
    memcpy (digits, word, length);
    if (!rf_text_to_int64 (digits, &value) || value < G_MININT || value > G_MAXINT)
        return FALSE;
    *priority = (gint)value;
    return !rf_text_next_word (cursor, end, &rest, &length);
}

/* The kernel names a drive by the mount through which it was opened. Our helper has a /dev of its own, which is gone with
 * the helper: from then on its swap is called "/zram1", while /dev/zram1 still opens it. */
static char *
name_of_device (char *path)
{
    if (path[0] != '/' || strchr (path + 1, '/') != NULL)
        return path;
    char *full = g_strconcat ("/dev", path, NULL);
    g_free (path);
    return full;
}

/* "/dev/zram0    partition    8388604    0    100" */
static RfSwapEntry *
parse_row (const char *cursor, const char *end)
{
    const char *path, *type;
    gsize path_length, type_length;
    RfSwapEntry row = {0};
    if (!rf_text_next_word (&cursor, end, &path, &path_length) || !rf_text_next_word (&cursor, end, &type, &type_length)
        || !scan_kib (&cursor, end, &row.size_bytes) || !scan_kib (&cursor, end, &row.used_bytes)
        || !scan_priority (&cursor, end, &row.priority) || memchr (path, '\0', path_length) != NULL)
        return NULL;
    static const char deleted[] = "\\040(deleted)";
    gsize suffix = sizeof deleted - 1;
    if (path_length > suffix && memcmp (path + path_length - suffix, deleted, suffix) == 0) {
        row.deleted = TRUE;
        path_length -= suffix;
    }
    row.is_file = rf_text_word_is (type, type_length, "file");
    row.path = decode (path, path_length);
    if (!row.is_file)
        row.path = name_of_device (row.path);
    return g_memdup2 (&row, sizeof row);
}

void
rf_swaps_missing (RfAvail why, RfSwaps *out)
{
    out->entries = g_ptr_array_new_with_free_func (entry_free);
    out->skipped = 0;
    out->avail = why;
}

void
rf_swaps_parse (const char *text, gsize length, RfSwaps *out)
{
    rf_swaps_missing (RF_AVAIL_MALFORMED, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *word;
    gsize word_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (out->avail != RF_AVAIL_OK) {
            if (!rf_text_next_word (&line, line_end, &word, &word_length)
                || !rf_text_word_is (word, word_length, "Filename"))
                return;
            out->avail = RF_AVAIL_OK;
            continue;
        }
        RfSwapEntry *entry = parse_row (line, line_end);
        if (entry != NULL)
            g_ptr_array_add (out->entries, entry);
        else
            out->skipped++;
    }
}

void
rf_swaps_read (RfSysroot *sysroot, RfSwaps *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/swaps", &length, &avail);
    if (text != NULL)
        rf_swaps_parse (text, length, out);
    else
        rf_swaps_missing (avail, out);
}

void
rf_swaps_clear (RfSwaps *self)
{
    g_clear_pointer (&self->entries, g_ptr_array_unref);
}
