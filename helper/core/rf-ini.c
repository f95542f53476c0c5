#define G_LOG_DOMAIN "rf-ini"
#include "config.h"

#include "rf-ini.h"

#include <string.h>

#include "rf-conf-files.h"

static void
ini_line_free (gpointer data)
{
    RfIniLine *line = data;
    g_free (line->section);
    g_free (line->key);
    g_free (line->value);
    g_free (line->text);
    g_free (line);
}

GPtrArray *
rf_ini_parse (const char *text, gsize length)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func (ini_line_free);
    g_autofree char *section = g_strdup ("");
    const char *cursor = text, *start, *stop;
    for (guint number = 1; rf_conf_next_line (&cursor, text + length, &start, &stop); number++) {
        rf_conf_strip (&start, &stop);
        if (start == stop || *start == '#' || *start == ';')
            continue;
        if (*start == '[' && stop[-1] == ']' && stop - start > 2) {
            g_free (section);
            section = g_strndup (start + 1, (gsize)(stop - start - 2));
            continue;
        }
        const char *equals = memchr (start, '=', (gsize)(stop - start));
        if (equals == NULL || equals == start)
            continue;
        const char *key_end = equals, *key = start, *value = equals + 1, *value_end = stop;
        rf_conf_strip (&key, &key_end);
        rf_conf_strip (&value, &value_end);
        RfIniLine *line = g_new0 (RfIniLine, 1);
        line->line = number;
        line->section = g_strdup (section);
        line->key = g_strndup (key, (gsize)(key_end - key));
        line->value = g_strndup (value, (gsize)(value_end - value));
        line->text = rf_conf_quote (start, stop);
        g_ptr_array_add (lines, line);
    }
    return lines;
}

static void
tmpfiles_line_free (gpointer data)
{
    RfTmpfilesLine *line = data;
    g_free (line->path);
    g_free (line->argument);
    g_free (line->text);
    g_free (line);
}

/* one field, which may stand in quotes; NULL at the end */
static char *
next_field (const char **cursor)
{
    const char *p = *cursor + strspn (*cursor, " \t");
    char quote = '\0';
    if (*p == '"' || *p == '\'')
        quote = *p++;
    g_autoptr (GString) field = g_string_new (NULL);
    if (*p == '\0')
        return NULL;
    for (; *p != '\0' && (quote != '\0' ? *p != quote : *p != ' ' && *p != '\t'); p++) {
        if (*p == '\\' && p[1] != '\0')
            p++;
        g_string_append_c (field, *p);
    }
    *cursor = *p == quote && quote != '\0' ? p + 1 : p;
    return g_string_free (g_steal_pointer (&field), FALSE);
}

static RfTmpfilesLine *
parse_tmpfiles (const char *text)
{
    g_autofree char *type = next_field (&text);
    if (type == NULL || type[0] != 'w' || strspn (type + 1, "+!-=~^$?") != strlen (type + 1))
        return NULL;
    g_autofree char *path = next_field (&text);
    if (path == NULL || path[0] != '/' || strchr (path, '%') != NULL)
        return NULL;
    for (guint i = 0; i < 4; i++) /* mode, user, group, age */
        g_free (next_field (&text));
    text += strspn (text, " \t");
    RfTmpfilesLine *line = g_new0 (RfTmpfilesLine, 1);
    line->glob = strpbrk (path, "*?[") != NULL;
    line->append = strchr (type, '+') != NULL;
    line->path = g_steal_pointer (&path);
    if (strpbrk (type, "~^") == NULL && strchr (text, '%') == NULL && !g_str_has_suffix (text, "\\"))
        line->argument = g_strcompress (text);
    return line;
}

GPtrArray *
rf_tmpfiles_parse (const char *text, gsize length)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func (tmpfiles_line_free);
    const char *cursor = text, *start, *stop;
    for (guint number = 1; rf_conf_next_line (&cursor, text + length, &start, &stop); number++) {
        rf_conf_strip (&start, &stop);
        if (start == stop || *start != 'w')
            continue;
        g_autofree char *copy = g_strndup (start, (gsize)(stop - start));
        RfTmpfilesLine *line = parse_tmpfiles (copy);
        if (line == NULL)
            continue;
        line->line = number;
        line->text = rf_conf_quote (start, stop);
        g_ptr_array_add (lines, line);
    }
    return lines;
}
