#define G_LOG_DOMAIN "rf-fstab"
#include "config.h"

#include "rf-fstab.h"

#include "rf-mounts.h"
#include "rf-text.h"

static void
entry_free (gpointer data)
{
    RfFstabEntry *entry = data;
    g_free (entry->source);
    g_free (entry->target);
    g_free (entry->type);
    g_free (entry->options);
    g_free (entry);
}

static RfFstabEntry *
parse_line (const char *line, const char *end, guint number)
{
    char *words[4] = {NULL};
    gsize n = 0, length;
    const char *word;
    while (n < G_N_ELEMENTS (words) && rf_text_next_word (&line, end, &word, &length) && (n > 0 || word[0] != '#')) {
        g_autofree char *copy = g_strndup (word, length);
        words[n++] = rf_mounts_decode (g_strchomp (copy)); /* a file from Windows has carriage returns */
    }
    if (n < 3) {
        for (gsize i = 0; i < n; i++)
            g_free (words[i]);
        return NULL;
    }
    RfFstabEntry *entry = g_new0 (RfFstabEntry, 1);
    entry->source = words[0];
    entry->target = words[1];
    entry->type = words[2];
    entry->options = words[3] != NULL ? words[3] : g_strdup ("defaults");
    entry->line = number;
    return entry;
}

GPtrArray *
rf_fstab_parse (const char *text, gsize length)
{
    GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);
    const char *cursor = text, *end = text + length, *line, *line_end;
    for (guint number = 1; rf_text_next_line (&cursor, end, &line, &line_end); number++) {
        RfFstabEntry *entry = parse_line (line, line_end, number);
        if (entry != NULL)
            g_ptr_array_add (entries, entry);
    }
    return entries;
}

GPtrArray *
rf_fstab_read (RfSysroot *sysroot, RfAvail *avail)
{
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "etc/fstab", &length, avail);
    return rf_fstab_parse (text != NULL ? text : "", length);
}
