#define G_LOG_DOMAIN "rf-sysctl-files"
#include "config.h"

#include "rf-sysctl-files.h"

#include <string.h>

#define CLASSIC "etc/sysctl.conf"

static void
line_free (RfSysctlLine *self)
{
    g_free (self->text);
    g_free (self->key);
    g_free (self->value);
    g_free (self);
}

char *
rf_sysctl_key_normalize (const char *key)
{
    g_return_val_if_fail (key != NULL, NULL);
    g_autofree char *swapped = g_strdup (key);
    char *first = strpbrk (swapped, "/.");
    if (first != NULL && *first == '.')
        for (char *p = first; *p != '\0'; p++) {
            if (*p == '.')
                *p = '/';
            else if (*p == '/')
                *p = '.';
        }
    /* the slashes of a path are simplified: none at its ends, no two in a row */
    g_autoptr (GString) out = g_string_new (NULL);
    for (const char *p = swapped; *p != '\0'; p++)
        if (*p != '/' || (out->len > 0 && p[1] != '/' && p[1] != '\0'))
            g_string_append_c (out, *p);
    return g_string_free (g_steal_pointer (&out), FALSE);
}

static RfSysctlLine *
parse_line (const char *start, const char *end)
{
    RfSysctlLine *self = g_new0 (RfSysctlLine, 1);
    self->text = rf_conf_quote (start, end);
    const char *equals = memchr (start, '=', (gsize)(end - start));
    const char *key_end = equals != NULL ? equals : end;
    gboolean minus = *start == '-';
    if (equals == NULL && !minus) {
        self->state = RF_SYSCTL_BROKEN;
        return self;
    }
    const char *key = start + (minus ? 1 : 0);
    rf_conf_strip (&key, &key_end);
    g_autofree char *raw = g_strndup (key, (gsize)(key_end - key));
    self->key = rf_sysctl_key_normalize (raw);
    self->glob = strpbrk (self->key, "*?[") != NULL;
    if (equals != NULL) {
        const char *value = equals + 1;
        rf_conf_strip (&value, &end);
        self->value = g_strndup (value, (gsize)(end - value));
        self->ignore_failure = minus;
    }
    return self;
}

GPtrArray *
rf_sysctl_lines_parse (const char *text, gsize length)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify)line_free);
    const char *cursor = text, *start, *stop;
    for (guint number = 1; rf_conf_next_line (&cursor, text + length, &start, &stop); number++) {
        rf_conf_strip (&start, &stop);
        if (start == stop || *start == '#' || *start == ';')
            continue;
        RfSysctlLine *line = parse_line (start, stop);
        line->line = number;
        g_ptr_array_add (lines, line);
    }
    return lines;
}

static RfSysctlState
state_in (RfConfState file, RfSysctlState line)
{
    if (file == RF_CONF_HIDDEN)
        return RF_SYSCTL_HIDDEN;
    if (file == RF_CONF_MASKED)
        return RF_SYSCTL_MASKED;
    return line;
}

static void
add_lines (RfSysctlFiles *self, const RfConfFile *file, gboolean unread)
{
    if (file->text == NULL)
        return;
    g_autoptr (GPtrArray) lines = rf_sysctl_lines_parse (file->text, file->length);
    for (guint i = 0; i < lines->len; i++) {
        RfSysctlLine *line = g_ptr_array_index (lines, i);
        line->file = file;
        line->state = unread ? RF_SYSCTL_UNREAD : state_in (file->state, line->state);
    }
    g_ptr_array_extend_and_steal (self->lines, g_steal_pointer (&lines));
}

/* whether procps's own script does the work of systemd-sysctl: Devuan, or Debian with another init */
static gboolean
without_systemd (RfSysroot *sysroot)
{
    return !rf_sysroot_exists (sysroot, "run/systemd/system") && rf_sysroot_exists (sysroot, "etc/init.d/procps");
}

RfSysctlFiles *
rf_sysctl_files_read (RfSysroot *sysroot)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);
    RfSysctlFiles *self = g_new0 (RfSysctlFiles, 1);
    self->files = rf_conf_files_read (sysroot, "sysctl.d", ".conf");
    self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify)line_free);
    gboolean linked = FALSE;
    for (guint i = 0; i < self->files->len; i++) {
        const RfConfFile *file = g_ptr_array_index (self->files, i);
        add_lines (self, file, FALSE);
        linked = linked || (file->hidden_by == NULL && g_strcmp0 (file->target, CLASSIC) == 0);
    }
    RfConfFile *classic = linked ? NULL : rf_conf_file_read (sysroot, CLASSIC);
    if (classic == NULL)
        return self;
    g_ptr_array_add (self->files, classic);
    add_lines (self, classic, !without_systemd (sysroot));
    return self;
}

void
rf_sysctl_files_free (RfSysctlFiles *self)
{
    g_ptr_array_unref (self->lines);
    g_ptr_array_unref (self->files);
    g_free (self);
}

gboolean
rf_sysctl_number (const char *text, gint64 *out)
{
    g_return_val_if_fail (text != NULL && out != NULL, FALSE);
    while (*text == ' ' || *text == '\t')
        text++;
    gboolean negative = *text == '-';
    text += negative ? 1 : 0;
    guint base = 10;
    if (text[0] == '0' && g_ascii_tolower (text[1]) == 'x' && g_ascii_isxdigit (text[2])) {
        base = 16;
        text += 2;
    } else if (text[0] == '0') {
        base = 8;
    }
    guint64 value = 0;
    const char *start = text;
    for (; g_ascii_isxdigit (*text) && (guint)g_ascii_xdigit_value (*text) < base; text++) {
        guint64 digit = (guint64)g_ascii_xdigit_value (*text);
        if (value > (G_MAXINT64 - digit) / base)
            return FALSE;
        value = value * base + digit;
    }
    if (text == start || (*text != '\0' && *text != ' ' && *text != '\t' && *text != '\n'))
        return FALSE;
    *out = negative ? -(gint64)value : (gint64)value;
    return TRUE;
}
