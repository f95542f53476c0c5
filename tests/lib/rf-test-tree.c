#define G_LOG_DOMAIN "rf-test-tree"
#include "config.h"

#include "rf-test-tree.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define MAX_INCLUDES 8

struct _RfTestTree {
    char *root;
    RfSysroot *sysroot;
    guint depth; /* of includes */
};

/* State of reading one text. */
typedef struct {
    RfTestTree *tree;
    char *folder;    /* of "=@" */
    char *open_path; /* the "==" file that is being filled */
    GString *content;
} Reading;

char *
rf_test_tree_path (const RfTestTree *self, const char *path)
{
    g_assert_true (path[0] != '/' && strstr (path, "..") == NULL);
    return path[0] != '\0' ? g_build_filename (self->root, path, NULL) : g_strdup (self->root);
}

static void
make_parents (const char *absolute)
{
    g_autofree char *folder = g_path_get_dirname (absolute);
    if (g_mkdir_with_parents (folder, 0755) != 0)
        g_error ("cannot make the folder '%s': %s", folder, g_strerror (errno));
}

void
rf_test_tree_set (RfTestTree *self, const char *path, const char *content)
{
    g_autofree char *absolute = rf_test_tree_path (self, path);
    make_parents (absolute);
    FILE *file = fopen (absolute, "we");
    if (file == NULL || fputs (content, file) < 0 || fclose (file) != 0)
        g_error ("cannot write '%s': %s", absolute, g_strerror (errno));
}

char *
rf_test_tree_get (const RfTestTree *self, const char *path)
{
    g_autofree char *absolute = rf_test_tree_path (self, path);
    char *content = NULL;
    return g_file_get_contents (absolute, &content, NULL, NULL) ? content : NULL;
}

gboolean
rf_test_tree_exists (const RfTestTree *self, const char *path)
{
    g_autofree char *absolute = rf_test_tree_path (self, path);
    GStatBuf info;
    return g_lstat (absolute, &info) == 0;
}

static void
remove_recursively (const char *absolute)
{
    GStatBuf info;
    if (g_lstat (absolute, &info) != 0)
        return;
    if (S_ISDIR (info.st_mode)) {
        g_autoptr (GDir) dir = g_dir_open (absolute, 0, NULL);
        for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
            g_autofree char *child = g_build_filename (absolute, name, NULL);
            remove_recursively (child);
        }
    }
    if (g_remove (absolute) != 0)
        g_error ("cannot remove '%s': %s", absolute, g_strerror (errno));
}

void
rf_test_tree_remove (RfTestTree *self, const char *path)
{
    g_assert_cmpstr (path, !=, "");
    g_autofree char *absolute = rf_test_tree_path (self, path);
    remove_recursively (absolute);
}

void
rf_test_tree_mkdir (RfTestTree *self, const char *path)
{
    g_autofree char *absolute = rf_test_tree_path (self, path);
    if (g_mkdir_with_parents (absolute, 0755) != 0)
        g_error ("cannot make the folder '%s': %s", absolute, g_strerror (errno));
}

void
rf_test_tree_symlink (RfTestTree *self, const char *path, const char *target)
{
    g_autofree char *absolute = rf_test_tree_path (self, path);
    make_parents (absolute);
    remove_recursively (absolute);
    if (symlink (target, absolute) != 0)
        g_error ("cannot link '%s': %s", absolute, g_strerror (errno));
}

static void
finish_file (Reading *reading)
{
    if (reading->open_path == NULL)
        return;
    while (g_str_has_suffix (reading->content->str, "\n\n") || g_str_equal (reading->content->str, "\n"))
        g_string_truncate (reading->content, reading->content->len - 1);
    rf_test_tree_set (reading->tree, reading->open_path, reading->content->str);
    g_string_truncate (reading->content, 0);
    g_clear_pointer (&reading->open_path, g_free);
}

static char *
full_path (const Reading *reading, const char *path)
{
    if (!g_str_has_prefix (path, "./"))
        return g_strdup (path);
    if (reading->folder == NULL)
        g_error ("'%s' comes before any \"=@\"", path);
    return g_build_filename (reading->folder, path + 2, NULL);
}

static void
include (RfTestTree *self, const char *name)
{
    const char *folder = g_getenv ("RF_TEST_FIXTURES");
    g_autofree char *file = g_strconcat (name, ".tree", NULL);
    g_autofree char *path = g_build_filename (folder != NULL ? folder : RF_TEST_FIXTURES, file, NULL);
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    if (!g_file_get_contents (path, &text, NULL, &error))
        g_error ("no such machine: %s", error->message);
    if (++self->depth > MAX_INCLUDES)
        g_error ("'%s' includes itself", name);
    rf_test_tree_apply (self, text);
    self->depth--;
}

static void
one_line_file (Reading *reading, const char *rest)
{
    const char *blank = strchr (rest, ' ');
    g_autofree char *path = blank != NULL ? g_strndup (rest, (gsize)(blank - rest)) : g_strdup (rest);
    g_autofree char *full = full_path (reading, path);
    g_autofree char *content = g_strconcat (blank != NULL ? blank + 1 : "", "\n", NULL);
    rf_test_tree_set (reading->tree, full, content);
}

static void
directive (Reading *reading, const char *line)
{
    const char *rest = strchr (line, ' ');
    if (rest == NULL || line[0] != '=')
        g_error ("not understood in a .tree file: '%s'", line);
    g_autofree char *word = g_strndup (line, (gsize)(rest - line));
    rest++;
    g_autofree char *path = full_path (reading, rest);
    if (g_str_equal (word, "==")) {
        reading->open_path = g_steal_pointer (&path);
    } else if (g_str_equal (word, "=")) {
        one_line_file (reading, rest);
    } else if (g_str_equal (word, "=>")) {
        g_auto (GStrv) parts = g_strsplit (path, " -> ", 2);
        if (g_strv_length (parts) != 2)
            g_error ("a link without target: '%s'", line);
        rf_test_tree_symlink (reading->tree, parts[0], parts[1]);
    } else if (g_str_equal (word, "=/")) {
        rf_test_tree_mkdir (reading->tree, path);
    } else if (g_str_equal (word, "=@")) {
        g_free (reading->folder);
        reading->folder = g_steal_pointer (&path);
    } else if (g_str_equal (word, "=-")) {
        rf_test_tree_remove (reading->tree, path);
    } else if (g_str_equal (word, "=<")) {
        include (reading->tree, rest);
    } else {
        g_error ("not understood in a .tree file: '%s'", line);
    }
}

void
rf_test_tree_apply (RfTestTree *self, const char *text)
{
    Reading reading = {.tree = self, .content = g_string_new (NULL)};
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if ((*line)[0] == '=') {
            finish_file (&reading);
            directive (&reading, *line);
        } else if (reading.open_path != NULL) {
            g_string_append_printf (reading.content, "%s\n", *line);
        } else if ((*line)[0] != '\0' && (*line)[0] != '#') {
            g_error ("not understood in a .tree file: '%s'", *line);
        }
    }
    finish_file (&reading);
    g_string_free (reading.content, TRUE);
    g_free (reading.folder);
}

RfTestTree *
rf_test_tree_new (const char *machine)
{
    RfTestTree *self = g_new0 (RfTestTree, 1);
    g_autoptr (GError) error = NULL;
    /* the helper believes no file that others may write to, and with some people's umask every group may */
    umask (0022);
    /* hundreds of small files: twenty times faster in memory (3.7 s instead of 79 s for test-facts on a busy disk) */
    if (g_getenv ("TMPDIR") == NULL && g_access ("/dev/shm", W_OK) == 0)
        self->root = g_mkdtemp (g_strdup ("/dev/shm/ruckelfrei-test-XXXXXX"));
    else
        self->root = g_dir_make_tmp ("ruckelfrei-test-XXXXXX", &error);
    g_assert_no_error (error);
    self->sysroot = rf_sysroot_new (self->root);
    if (machine != NULL)
        include (self, machine);
    return self;
}

void
rf_test_tree_free (RfTestTree *self)
{
    if (self == NULL)
        return;
    remove_recursively (self->root);
    g_object_unref (self->sysroot);
    g_free (self->root);
    g_free (self);
}

const char *
rf_test_tree_root (const RfTestTree *self)
{
    return self->root;
}

RfSysroot *
rf_test_tree_sysroot (const RfTestTree *self)
{
    return self->sysroot;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
dump_folder (const char *absolute, const char *path, GString *out)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GDir) dir = g_dir_open (absolute, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
        g_ptr_array_add (names, g_strdup (name));
    g_ptr_array_sort (names, compare_names);
    if (names->len == 0)
        g_string_append_printf (out, "=/ %s\n", path);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *child = g_build_filename (absolute, names->pdata[i], NULL);
        g_autofree char *child_path
            = path[0] != '\0' ? g_build_filename (path, names->pdata[i], NULL) : g_strdup (names->pdata[i]);
        g_autofree char *target = g_file_read_link (child, NULL);
        g_autofree char *content = NULL;
        if (target != NULL) {
            g_string_append_printf (out, "=> %s -> %s\n", child_path, target);
        } else if (g_file_test (child, G_FILE_TEST_IS_DIR)) {
            dump_folder (child, child_path, out);
        } else {
            g_file_get_contents (child, &content, NULL, NULL);
            g_string_append_printf (out, "== %s\n%s", child_path, content != NULL ? content : "");
        }
    }
}

char *
rf_test_tree_dump (const RfTestTree *self, const char *path)
{
    GString *out = g_string_new (NULL);
    g_autofree char *absolute = rf_test_tree_path (self, path);
    if (g_file_test (absolute, G_FILE_TEST_IS_DIR))
        dump_folder (absolute, path, out);
    return g_string_free (out, FALSE);
}

char *
rf_test_strv (char **strings)
{
    return strings != NULL ? g_strjoinv (", ", strings) : g_strdup ("(null)");
}
