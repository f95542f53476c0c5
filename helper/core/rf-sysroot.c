#define G_LOG_DOMAIN "rf-sysroot"
#include "config.h"

#include "rf-sysroot.h"
#include "rf-error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is kept at most; whoever has more drives than that opens them again now and then. */
#define KEPT_MAX 128

typedef struct {
    int fd;
    gsize room; /* what was needed so far: the next reading takes one allocation */
} Kept;

struct _RfSysroot {
    GObject parent_instance;
    char *root;       /* NULL: the machine */
    GHashTable *kept; /* relative path → Kept; NULL: files are closed again at once */
};

G_DEFINE_FINAL_TYPE (RfSysroot, rf_sysroot, G_TYPE_OBJECT)

static void
rf_sysroot_finalize (GObject *object)
{
    g_free (RF_SYSROOT (object)->root);
    g_clear_pointer (&RF_SYSROOT (object)->kept, g_hash_table_unref);
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

static void
kept_free (gpointer data)
{
    close (((Kept *)data)->fd);
    g_free (data);
}

RfSysroot *
rf_sysroot_new_keeping (RfSysroot *like)
{
    g_return_val_if_fail (RF_IS_SYSROOT (like), NULL);
    RfSysroot *self = rf_sysroot_new (like->root);
    self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kept_free);
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

/* A pipe that nobody writes to, a socket or a terminal in the place of a file would hold whoever reads for ever, and a device
 * has no end. Returns -1 and sets errno on failure. */
static int
open_regular (const char *path)
{
    struct stat info;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || (fstat (fd, &info) == 0 && S_ISREG (info.st_mode)))
        return fd;
    close (fd);
    errno = EINVAL;
    return -1;
}

static char *
read_all (const char *path, gsize *length)
{
    int fd = open_regular (path);
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

/* Returns NULL and sets errno on failure. Never moves the descriptor's own position. */
static char *
read_from_start (Kept *kept, gsize *length)
{
    gsize room = kept->room, filled = 0;
    char *text = g_malloc (room + 1);
    ssize_t got;
    while ((got = pread (kept->fd, text + filled, room - filled, (off_t)filled)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || filled + (gsize)got > RF_SYSROOT_MAX_READ) {
            int keep = got < 0 ? errno : EFBIG;
            g_free (text);
            errno = keep;
            return NULL;
        }
        filled += (gsize)got;
        if (filled == room) {
            room *= 2;
            text = g_realloc (text, room + 1);
        }
    }
    text[filled] = '\0';
    kept->room = room;
    if (length != NULL)
        *length = filled;
    return text;
}

/* In a fixture a file is replaced by another of the same name, which the kernel's files never are. */
static gboolean
is_replaced (RfSysroot *self, int fd)
{
    struct stat info;
    return self->root != NULL && (fstat (fd, &info) != 0 || info.st_nlink == 0);
}

/* What fails is opened anew once: a drive may be gone (ENODEV) and another have come with its name. */
static char *
read_kept (RfSysroot *self, const char *relative, gsize *length)
{
    Kept *kept = g_hash_table_lookup (self->kept, relative);
    if (kept != NULL) {
        char *text = is_replaced (self, kept->fd) ? NULL : read_from_start (kept, length);
        if (text != NULL)
            return text;
        g_hash_table_remove (self->kept, relative);
    }
    g_autofree char *path = rf_sysroot_path (self, relative);
    int fd = path != NULL ? open_regular (path) : -1;
    if (fd < 0)
        return NULL;
    Kept fresh = {.fd = fd, .room = 4096};
    char *text = read_from_start (&fresh, length);
    if (text == NULL) {
        int keep = errno;
        close (fd);
        errno = keep;
        return NULL;
    }
    if (g_hash_table_size (self->kept) >= KEPT_MAX)
        g_hash_table_remove_all (self->kept);
    g_hash_table_insert (self->kept, g_strdup (relative), g_memdup2 (&fresh, sizeof fresh));
    return text;
}

static char *
read_errno (RfSysroot *self, const char *relative, gsize *length)
{
    g_autofree char *path = self->kept == NULL ? rf_sysroot_path (self, relative) : NULL;
    gsize filled = 0;
    if (length != NULL)
        *length = 0;
    if (self->kept == NULL && path == NULL) {
        errno = EINVAL;
        return NULL;
    }
    g_autofree char *text = path != NULL ? read_all (path, &filled) : read_kept (self, relative, &filled);
    if (text == NULL)
        return NULL;
    int planted = self->root != NULL ? fixture_errno (text) : 0;
    if (planted != 0) {
        errno = planted;
        return NULL;
    }
    if (length != NULL)
        *length = filled;
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
