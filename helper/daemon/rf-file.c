#define G_LOG_DOMAIN "rf-file"
#include "config.h"

#include "rf-file.h"
#include "rf-error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
rf_file_close_fd (int *fd)
{
    int keep = errno;
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
    errno = keep;
}

/* always FALSE, so that a caller can return it */
static gboolean
fail_errno (GError **error, const char *what, const char *path)
{
    int keep = errno;
    g_set_error (error, RF_ERROR, rf_error_from_errno (keep), "cannot %s '%s': %s", what, path, g_strerror (keep));
    return FALSE;
}

static gboolean
write_all (int fd, const char *text, gsize length)
{
    while (length > 0) {
        ssize_t done = write (fd, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return FALSE;
        text += done;
        length -= (gsize)done;
    }
    return TRUE;
}

/* a fixed name: what a crash leaves behind is overwritten and can never pile up */
static char *
temporary_of (const char *path)
{
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *name = g_path_get_basename (path);
    return g_strdup_printf ("%s/.%s.tmp", folder, name);
}

gboolean
rf_file_replace (const char *path, const char *text, mode_t mode, GError **error)
{
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *temporary_path = temporary_of (path);
    const char *temporary = strrchr (temporary_path, '/') + 1;
    g_auto (RfAutoFd) folder_fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0)
        return fail_errno (error, "open the folder", folder);
    if (unlinkat (folder_fd, temporary, 0) != 0 && errno != ENOENT)
        return fail_errno (error, "remove the old temporary file of", path);
    g_auto (RfAutoFd) fd = openat (folder_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_errno (error, "create a temporary file for", path);
    if (!write_all (fd, text, strlen (text)) || fchmod (fd, mode) != 0 || fsync (fd) != 0) {
        fail_errno (error, "write", path);
        unlinkat (folder_fd, temporary, 0);
        return FALSE;
    }
    if (renameat (folder_fd, temporary, folder_fd, name) != 0) {
        fail_errno (error, "replace", path);
        unlinkat (folder_fd, temporary, 0);
        return FALSE;
    }
    if (fsync (folder_fd) != 0)
        return fail_errno (error, "sync the folder of", path);
    return TRUE;
}

void
rf_file_forget (const char *path)
{
    g_autofree char *temporary = temporary_of (path);
    unlink (temporary);
}

gboolean
rf_file_remove (const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname (path);
    rf_file_forget (path);
    if (unlink (path) != 0)
        return errno == ENOENT || errno == ENOTDIR ? TRUE : fail_errno (error, "remove", path);
    g_auto (RfAutoFd) folder_fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0 || fsync (folder_fd) != 0)
        return fail_errno (error, "sync the folder of", path);
    return TRUE;
}

static gboolean
check_type (const struct stat *info, const char *path, GError **error)
{
    if (S_ISREG (info->st_mode))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' is %s", path,
                 S_ISLNK (info->st_mode) ? "a symbolic link" : "not a regular file");
    return FALSE;
}

static gboolean
check_owner (int fd, const char *path, gboolean owner_only, GError **error)
{
    struct stat info;
    if (fstat (fd, &info) != 0)
        return fail_errno (error, "inspect", path);
    if (!check_type (&info, path, error))
        return FALSE;
    if (owner_only && info.st_nlink != 1) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' is also known by another name (a hard link)", path);
        return FALSE;
    }
    if (owner_only && (info.st_uid != geteuid () || (info.st_mode & 022) != 0)) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' belongs to or can be written by another user", path);
        return FALSE;
    }
    return TRUE;
}

char *
rf_file_read (const char *path, gboolean owner_only, gsize *length, GError **error)
{
    struct stat before;
    /* some device nodes do something as soon as they are opened */
    if (lstat (path, &before) == 0 && !check_type (&before, path, error))
        return NULL;
    /* O_NONBLOCK: opening a named pipe must not wait */
    g_auto (RfAutoFd) fd = open (path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ELOOP) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' is a symbolic link", path);
        return NULL;
    }
    if (fd < 0) {
        fail_errno (error, "open", path);
        return NULL;
    }
    if (!check_owner (fd, path, owner_only, error))
        return NULL;
    g_autoptr (GString) text = g_string_new (NULL);
    for (;;) {
        char block[8192];
        ssize_t got = read (fd, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            fail_errno (error, "read", path);
            return NULL;
        }
        if (got == 0)
            break;
        g_string_append_len (text, block, got);
        if (text->len > RF_FILE_MAX) {
            g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' is too long", path);
            return NULL;
        }
    }
    if (length != NULL)
        *length = text->len;
    return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
rf_file_make_folder (const char *path, mode_t mode, GError **error)
{
    struct stat info;
    if (mkdir (path, mode) == 0) {
        g_autofree char *parent = g_path_get_dirname (path);
        g_auto (RfAutoFd) fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 || fsync (fd) != 0)
            return fail_errno (error, "sync the folder of", path);
        /* what the umask took away */
        return chmod (path, mode) == 0 ? TRUE : fail_errno (error, "set the mode of", path);
    }
    if (errno != EEXIST)
        return fail_errno (error, "create the folder", path);
    if (lstat (path, &info) != 0)
        return fail_errno (error, "inspect", path);
    if (!S_ISDIR (info.st_mode)) {
        g_set_error (error, RF_ERROR, RF_ERROR_JOURNAL, "'%s' is not a folder", path);
        return FALSE;
    }
    return TRUE;
}
