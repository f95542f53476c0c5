/* A recording as one file: a tar archive (POSIX.1-1988, "ustar"), compressed with gzip, which every file manager opens and
 * which needs no library beyond GIO. Only what a recording consists of goes in and comes out: session.ini and tables;
 * what else an archive holds (links, devices, paths that lead elsewhere, far too much) is refused. Any thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** RF_ARCHIVE_SUFFIX: of the names of such files */
#define RF_ARCHIVE_SUFFIX ".tar.gz"
/** RF_ARCHIVE_FILES_MAX, RF_ARCHIVE_BYTES_MAX: what one recording may consist of, unpacked */
#define RF_ARCHIVE_FILES_MAX 40
#define RF_ARCHIVE_BYTES_MAX (G_GUINT64_CONSTANT (4) * 1024 * 1024 * 1024)

/** rf_archive_is_member: whether a file of a recording may be called so: session.ini, or letters, digits and "-" with
 * ".csv" */
gboolean rf_archive_is_member (const char *name);

/**
 * rf_archive_write:
 * @folder: descriptor of the folder of a recording
 * @name: of the folder in the archive
 * @out: closed at the end
 *
 * Takes seconds for a long recording. Errors: G_IO_ERROR, also when cancelled
 */
gboolean rf_archive_write (int folder, const char *name, GOutputStream *out, GCancellable *cancellable, GError **error);

/**
 * rf_archive_read:
 * @in: not closed
 * @folder: descriptor of an empty folder; files appear in it, also on failure: the caller removes them
 * @name: (out) (transfer full): of the folder in the archive; "" if there is none. Not to be believed
 *
 * Errors: RF_ERROR_INVALID for what is no such archive or has something else in it, G_IO_ERROR
 */
gboolean rf_archive_read (GInputStream *in, int folder, char **name, GCancellable *cancellable, GError **error);

G_END_DECLS
