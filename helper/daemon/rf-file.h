/* The helper's own files: written whole or not at all, and on disk before the function returns. Paths are made by the
 * helper. Stateless; any thread. */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/** RF_FILE_MAX: bytes that a file of the helper may have; more is an error. */
#define RF_FILE_MAX (256 * 1024)

/** RF_FILE_UMASK: what main() sets. Files are made with 0600 whatever it is; a folder that others shall enter has its
 * mode from the first instant, so that a crash right after leaves no closed one behind. */
#define RF_FILE_UMASK 0022

/**
 * rf_file_replace:
 * @path: absolute; its folder must exist
 *
 * Temporary file in the same folder, fsync, rename, fsync of the folder. A link at @path is replaced, not followed.
 */
gboolean rf_file_replace (const char *path, const char *text, mode_t mode, GError **error);

/** rf_file_remove: removes it and what a crash may have left beside it, and fsyncs the folder. A file that is not there is
 * a success. */
gboolean rf_file_remove (const char *path, GError **error);

/** rf_file_forget: removes what a crash in rf_file_replace() may have left beside @path. */
void rf_file_forget (const char *path);

/**
 * rf_file_read:
 * @owner_only: refuse a file that others may write or that belongs to somebody else
 *
 * Regular files only, links are refused.
 * Returns: (transfer full) (nullable): text; NULL with RF_ERROR_UNAVAILABLE if there is none, RF_ERROR_JOURNAL if it is
 * not acceptable, else RF_ERROR_IO or READ_ONLY
 */
char *rf_file_read (const char *path, gboolean owner_only, gsize *length, GError **error);

/** rf_file_make_folder: makes the last folder of @path if it is missing and fsyncs its parent; a link is refused. */
gboolean rf_file_make_folder (const char *path, mode_t mode, GError **error);

/** RfAutoFd: closes at the end of the scope (GLib has this only since 2.76). */
typedef int RfAutoFd;
void rf_file_close_fd (int *fd);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfAutoFd, rf_file_close_fd)

G_END_DECLS
