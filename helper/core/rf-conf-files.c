#define G_LOG_DOMAIN "rf-conf-files"
#include "config.h"

#include "rf-conf-files.h"

#include "rf-text.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 8
#define MAX_FILES 1024
#define MAX_QUOTE 160

void
rf_conf_file_free (RfConfFile *self)
{
    g_free (self->path);
    g_free (self->target);
    g_free (self->hidden_by);
    g_free (self->text);
    g_free (self);
}

/* Where @path leads in the end, relative to the root: the links of the machine are absolute, those of a tree for tests
 * must not leave it. NULL if it is no link, or goes in circles. */
static char *
follow (RfSysroot *sysroot, const char *path)
{
    g_autofree char *at = NULL;
    for (guint i = 0; i < MAX_LINKS; i++) {
        const char *from = at != NULL ? at : path;
        g_autofree char *link = rf_sysroot_readlink (sysroot, from);
        if (link == NULL)
            return g_steal_pointer (&at);
        g_autofree char *parent = g_path_get_dirname (from);
        g_autofree char *folder = g_strconcat ("/", parent, NULL);
        g_autofree char *absolute = g_canonicalize_filename (link, folder);
        g_free (at);
        at = g_strdup (absolute + 1);
    }
    return NULL;
}

/* @left: (inout): how many bytes may still be read */
static void
read_text (RfSysroot *sysroot, RfConfFile *file, gsize *left)
{
    const char *path = file->target != NULL ? file->target : file->path;
    g_autofree char *absolute = rf_sysroot_path (sysroot, path);
    struct stat info;
    RfAvail avail;
    if (g_str_equal (path, "dev/null") || stat (absolute, &info) != 0) {
        file->state = RF_CONF_MASK;
        return;
    }
    file->state = RF_CONF_UNREADABLE;
    if (!S_ISREG (info.st_mode) || info.st_size > RF_CONF_MAX_BYTES || (gsize)info.st_size > *left)
        return;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &file->length, &avail);
    if (text == NULL || file->length > RF_CONF_MAX_BYTES) {
        file->length = 0;
        return;
    }
    *left -= MIN (*left, file->length);
    file->text = g_steal_pointer (&text);
    file->state = file->length > 0 ? RF_CONF_READ : RF_CONF_MASK;
}

static RfConfFile *
read_file (RfSysroot *sysroot, const char *path, gsize *left)
{
    g_autofree char *absolute = rf_sysroot_path (sysroot, path);
    struct stat info;
    if (lstat (absolute, &info) != 0)
        return NULL;
    g_autoptr (RfConfFile) file = g_new0 (RfConfFile, 1);
    file->path = g_strdup (path);
    file->target = follow (sysroot, path);
    if (S_ISLNK (info.st_mode) && file->target == NULL)
        file->state = RF_CONF_MASK; /* in circles */
    else
        read_text (sysroot, file, left);
    return g_steal_pointer (&file);
}

RfConfFile *
rf_conf_file_read (RfSysroot *sysroot, const char *path)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && path != NULL, NULL);
    gsize left = RF_CONF_MAX_BYTES;
    return read_file (sysroot, path, &left);
}

static void
add_closed (const char *folder, GPtrArray *files)
{
    RfConfFile *closed = g_new0 (RfConfFile, 1);
    closed->path = g_strdup (folder);
    closed->state = RF_CONF_UNREADABLE;
    g_ptr_array_add (files, closed);
}

static void
add_folder (RfSysroot *sysroot, const char *folder, const char *suffix, GPtrArray *files, gsize *left)
{
    g_autofree char *absolute = rf_sysroot_path (sysroot, folder);
    if (g_file_test (absolute, G_FILE_TEST_IS_DIR) && access (absolute, R_OK | X_OK) != 0) {
        add_closed (folder, files);
        return;
    }
    g_auto (GStrv) names = rf_sysroot_list (sysroot, folder);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = g_build_filename (folder, *name, NULL);
        g_autofree char *full = rf_sysroot_path (sysroot, path);
        struct stat info;
        if ((*name)[0] == '.' || !g_str_has_suffix (*name, suffix) || lstat (full, &info) != 0
            || (!S_ISREG (info.st_mode) && !S_ISLNK (info.st_mode)))
            continue;
        /* what is left over could say anything: the folder counts as one that cannot be read */
        if (files->len >= MAX_FILES) {
            add_closed (folder, files);
            return;
        }
        RfConfFile *file = read_file (sysroot, path, left);
        if (file != NULL)
            g_ptr_array_add (files, file);
    }
}

static const char *
base_name (const RfConfFile *file)
{
    return strrchr (file->path, '/') + 1;
}

/* Marks what is hidden; @files are still in the order of the folders. */
static void
mark_hidden (GPtrArray *files)
{
    g_autoptr (GHashTable) first = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < files->len; i++) {
        RfConfFile *file = g_ptr_array_index (files, i);
        const RfConfFile *before = g_hash_table_lookup (first, base_name (file));
        if (before == NULL) {
            g_hash_table_insert (first, (gpointer)base_name (file), file);
            continue;
        }
        file->hidden_by = g_strdup (before->path);
        file->state = before->state == RF_CONF_MASK ? RF_CONF_MASKED : RF_CONF_HIDDEN;
    }
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
    const RfConfFile *left = *(const RfConfFile *const *)a, *right = *(const RfConfFile *const *)b;
    int order = strcmp (base_name (left), base_name (right));
    return order != 0 ? order : (right->hidden_by != NULL) - (left->hidden_by != NULL);
}

GPtrArray *
rf_conf_files_read_in (RfSysroot *sysroot, const char *const *bases, const char *folder, const char *suffix)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && folder != NULL && suffix != NULL, NULL);
    GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_conf_file_free);
    g_autofree char *lib = rf_sysroot_readlink (sysroot, "lib");
    gsize left = RF_CONF_MAX_TOTAL;
    for (; *bases != NULL; bases++) {
        g_autofree char *path = g_build_filename (*bases, folder, NULL);
        if (!g_str_equal (*bases, "lib") || lib == NULL)
            add_folder (sysroot, path, suffix, files, &left);
    }
    mark_hidden (files);
    g_ptr_array_sort (files, compare_files);
    return files;
}

GPtrArray *
rf_conf_files_read (RfSysroot *sysroot, const char *folder, const char *suffix)
{
    static const char *const bases[] = {"etc", "run", "usr/local/lib", "usr/lib", "lib", NULL};
    return rf_conf_files_read_in (sysroot, bases, folder, suffix);
}

static guint
end_kind (char c)
{
    return c == '\n' ? 1 : c == '\r' ? 2 : c == '\0' ? 4 : 0;
}

gboolean
rf_conf_next_line (const char **cursor, const char *end, const char **line, const char **line_end)
{
    const char *p = *cursor;
    if (p >= end)
        return FALSE;
    *line = p;
    while (p < end && end_kind (*p) == 0)
        p++;
    *line_end = p;
    for (guint seen = 0; p < end && end_kind (*p) != 0 && (seen & (end_kind (*p) | 4)) == 0; p++)
        seen |= end_kind (*p);
    *cursor = p;
    return TRUE;
}

static gboolean
is_space (char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void
rf_conf_strip (const char **start, const char **end)
{
    while (*start < *end && is_space (**start))
        (*start)++;
    while (*end > *start && is_space ((*end)[-1]))
        (*end)--;
}

char *
rf_conf_quote (const char *start, const char *end)
{
    gsize bytes = MIN ((gsize)(end - start), MAX_QUOTE * 4);
    g_autofree char *valid = g_utf8_make_valid (start, (gssize)bytes);
    g_autoptr (GString) out = g_string_new (NULL);
    guint n = 0;
    for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p), n++) {
        gunichar c = g_utf8_get_char (p);
        if (n == MAX_QUOTE)
            break;
        g_string_append_unichar (out, g_unichar_iscntrl (c) ? ' ' : c);
    }
    if (n == MAX_QUOTE || bytes < (gsize)(end - start))
        g_string_append (out, "…");
    return rf_text_printable (out->str);
}
