#define G_LOG_DOMAIN "rf-sysroot"
#include "config.h"

#include "rf-sysroot.h"
#include "rf-error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _RfSysroot {
    GObject parent_instance;
    char *root; /* NULL: the machine */
};

G_DEFINE_FINAL_TYPE (RfSysroot, rf_sysroot, G_TYPE_OBJECT)

static void
rf_sysroot_finalize (GObject *object)
{
    g_free (RF_SYSROOT (object)->root);
    G_OBJECT_CLASS (rf_sysroot_parent_class)->finalize (object);
}

static void
rf_sysroot_class_init (RfSysrootClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_sysroot_finalize;
}

static void
rf_sysroot_init (RfSysroot *self)
{
}

RfSysroot *
rf_sysroot_new (const char *root)
{
    RfSysroot *self = g_object_new (RF_TYPE_SYSROOT, NULL);
    if (root != NULL && !g_str_equal (root, "/"))
        self->root = g_canonicalize_filename (root, NULL);
    return self;
}

gboolean
rf_sysroot_is_machine (RfSysroot *self)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), FALSE);
    return self->root == NULL;
}

char *
rf_sysroot_path (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    g_return_val_if_fail (relative != NULL && relative[0] != '/', NULL);
    return g_strconcat (self->root != NULL ? self->root : "", "/", relative, NULL);
}

/* how a fixture says that the kernel fails here; the texts cannot occur in a kernel file */
static int
fixture_errno (const char *text)
{
    static const struct {
        const char *text;
        int value;
    } table[] = {
        {"!errno EOPNOTSUPP\n", EOPNOTSUPP},
        {"!errno EINVAL\n", EINVAL},
        {"!errno EACCES\n", EACCES},
        {"!errno EIO\n", EIO},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (g_str_equal (text, table[i].text))
            return table[i].value;
    return 0;
}

/* Returns NULL and sets errno on failure. Closes @fd. */
static char *
read_fd (int fd, gsize *length)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (;;) {
        char block[16384];
        ssize_t got = read (fd, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || text->len + (gsize)MAX (got, 0) > RF_SYSROOT_MAX_READ) {
            int keep = got < 0 ? errno : EFBIG;
            close (fd);
            errno = keep;
            return NULL;
        }
        if (got == 0)
            break;
        g_string_append_len (text, block, got);
    }
    close (fd);
    if (length != NULL)
        *length = text->len;
    return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
read_all (const char *path, gsize *length)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? read_fd (fd, length) : NULL;
}

char *
rf_sysroot_read_own (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    g_autofree char *path = rf_sysroot_path (self, relative);
    struct stat info;
    if (lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
        return NULL;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (info.st_uid == 0 || info.st_uid == geteuid ())
        && (info.st_mode & 022) == 0)
        return read_fd (fd, NULL);
    close (fd);
    return NULL;
}

static char *
read_errno (RfSysroot *self, const char *relative, gsize *length)
{
    g_autofree char *path = rf_sysroot_path (self, relative);
    if (path == NULL) {
        errno = EINVAL;
        return NULL;
    }
    g_autofree char *text = read_all (path, length);
    if (text == NULL)
        return NULL;
    int planted = self->root != NULL ? fixture_errno (text) : 0;
    if (planted != 0) {
        errno = planted;
        return NULL;
    }
    return g_steal_pointer (&text);
}

char *
rf_sysroot_read (RfSysroot *self, const char *relative, gsize *length, GError **error)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    char *text = read_errno (self, relative, length);
    if (text == NULL) {
        int keep = errno;
        g_set_error (error, RF_ERROR, rf_error_from_errno (keep), "cannot read '/%s': %s", relative, g_strerror (keep));
    }
    return text;
}

char *
rf_sysroot_read_avail (RfSysroot *self, const char *relative, gsize *length, RfAvail *avail)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self) && avail != NULL, NULL);
    char *text = read_errno (self, relative, length);
    int keep = errno;
    if (text != NULL)
        *avail = RF_AVAIL_OK;
    else if (keep == ENOENT || keep == ENOTDIR || keep == ENODEV)
        *avail = RF_AVAIL_NO_FILE;
    else if (keep == EOPNOTSUPP)
        *avail = RF_AVAIL_OFF;
    else if (keep == EACCES || keep == EPERM)
        *avail = RF_AVAIL_DENIED;
    else
        *avail = RF_AVAIL_MALFORMED;
    return text;
}

char *
rf_sysroot_read_line (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    char *text = read_errno (self, relative, NULL);
    return text != NULL ? g_strchomp (text) : NULL;
}

gboolean
rf_sysroot_exists (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), FALSE);
    g_autofree char *path = rf_sysroot_path (self, relative);
    return g_file_test (path, G_FILE_TEST_EXISTS);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
rf_sysroot_list (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    g_autofree char *path = rf_sysroot_path (self, relative);
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
        g_ptr_array_add (names, g_strdup (name));
    g_ptr_array_sort (names, compare_names);
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

char *
rf_sysroot_readlink (RfSysroot *self, const char *relative)
{
    g_return_val_if_fail (RF_IS_SYSROOT (self), NULL);
    g_autofree char *path = rf_sysroot_path (self, relative);
    return g_file_read_link (path, NULL);
}
