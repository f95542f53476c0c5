#define G_LOG_DOMAIN "rf-mounts"
#include "config.h"

#include "rf-mounts.h"

#include <string.h>

#include "rf-text.h"

static void
mount_free (gpointer data)
{
    RfMount *mount = data;
    g_free (mount->root);
    g_free (mount->target);
    g_free (mount->type);
    g_free (mount->source);
    g_free (mount->options);
    g_free (mount);
}

static gboolean
is_octal (char c)
{
    return c >= '0' && c <= '7';
}

/* blank, tab, newline and backslash are written as a backslash and three octal digits */
char *
rf_mounts_decode (const char *text)
{
    GString *out = g_string_new (NULL);
    for (const char *p = text; *p != '\0'; p++) {
        if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && is_octal (p[2]) && is_octal (p[3])) {
            g_string_append_c (out, (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0')));
            p += 3;
        } else {
            g_string_append_c (out, *p);
        }
    }
    return g_string_free (out, FALSE);
}

static gboolean
has_option (const char *options, const char *wanted)
{
    g_auto (GStrv) list = g_strsplit (options, ",", -1);
    return g_strv_contains ((const char *const *)list, wanted);
}

char *
rf_mounts_option (const char *options, const char *name)
{
    char *value = NULL;
    gsize length = strlen (name);
    g_auto (GStrv) list = g_strsplit (options, ",", -1);
    for (char **word = list; *word != NULL; word++) {
        if (strncmp (*word, name, length) != 0 || ((*word)[length] != '=' && (*word)[length] != '\0'))
            continue;
        g_free (value);
        value = g_strdup ((*word)[length] == '=' ? *word + length + 1 : "");
    }
    return value;
}

static gboolean
parse_device (const char *text, guint *major, guint *minor)
{
    guint64 a, b;
    g_auto (GStrv) parts = g_strsplit (text, ":", 3);
    if (g_strv_length (parts) != 2 || !rf_text_to_uint64 (parts[0], &a) || !rf_text_to_uint64 (parts[1], &b)
        || a > G_MAXUINT || b > G_MAXUINT)
        return FALSE;
    *major = (guint)a;
    *minor = (guint)b;
    return TRUE;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue": any number of tags */
static RfMount *
parse_line (const char *line)
{
    g_auto (GStrv) words = g_strsplit (line, " ", -1);
    guint n = g_strv_length (words);
    guint dash = 6;
    while (dash < n && !g_str_equal (words[dash], "-"))
        dash++;
    guint major, minor;
    if (dash + 2 >= n || !parse_device (words[2], &major, &minor))
        return NULL;
    RfMount *mount = g_new0 (RfMount, 1);
    mount->major = major;
    mount->minor = minor;
    mount->root = rf_mounts_decode (words[3]);
    mount->target = rf_mounts_decode (words[4]);
    mount->type = rf_mounts_decode (words[dash + 1]);
    mount->source = rf_mounts_decode (words[dash + 2]);
    mount->options = g_strjoin (",", words[5], words[dash + 3 < n ? dash + 3 : 5], NULL);
    mount->read_only = has_option (words[5], "ro") || (dash + 3 < n && has_option (words[dash + 3], "ro"));
    return mount;
}

GPtrArray *
rf_mounts_parse (const char *text, gsize length)
{
    GPtrArray *mounts = g_ptr_array_new_with_free_func (mount_free);
    const char *cursor = text, *end = text + length, *line, *line_end;
    while (rf_text_next_line (&cursor, end, &line, &line_end)) {
        g_autofree char *copy = g_strndup (line, (gsize)(line_end - line));
        RfMount *mount = parse_line (copy);
        if (mount != NULL)
            g_ptr_array_add (mounts, mount);
    }
    return mounts;
}

GPtrArray *
rf_mounts_read (RfSysroot *sysroot)
{
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/self/mountinfo", &length, NULL);
    return rf_mounts_parse (text != NULL ? text : "", length);
}

static gboolean
lies_below (const char *path, const char *target)
{
    gsize length = strlen (target);
    if (g_str_equal (target, "/"))
        return path[0] == '/';
    return strncmp (path, target, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const RfMount *
rf_mounts_find (GPtrArray *mounts, const char *path)
{
    const RfMount *best = NULL;
    for (guint i = 0; i < mounts->len; i++) {
        const RfMount *mount = mounts->pdata[i];
        if (lies_below (path, mount->target) && (best == NULL || strlen (mount->target) >= strlen (best->target)))
            best = mount;
    }
    return best;
}
