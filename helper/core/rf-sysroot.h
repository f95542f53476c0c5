/* Every kernel path goes through one object that knows its root, so that tests hand in a folder instead of the machine.
 * Reads, never writes (writing is the daemon's: helper/daemon/rf-file). Immutable after creation, so any thread may use
 * it; but one that keeps files open belongs to one thread. Paths are relative to the root and never come from a caller of
 * the helper. */
#pragma once

#include <gio/gio.h>

#include "rf-avail.h"

G_BEGIN_DECLS

#define RF_TYPE_SYSROOT (rf_sysroot_get_type ())
G_DECLARE_FINAL_TYPE (RfSysroot, rf_sysroot, RF, SYSROOT, GObject)

/** RF_SYSROOT_MAX_READ: what a kernel text file may have at most, bytes; longer is an error, not a cut. */
#define RF_SYSROOT_MAX_READ (1024 * 1024)

/**
 * rf_sysroot_new:
 * @root: (nullable): folder that stands for "/", NULL for the machine itself
 */
RfSysroot *rf_sysroot_new (const char *root);

/**
 * rf_sysroot_new_keeping:
 * @like: whose root it takes
 *
 * For whoever reads the same files again and again: what the reading functions have read stays open and is read from its
 * start the next time. procfs and sysfs make their text anew then (Documentation/filesystems/seq_file.rst). What cannot
 * be read any more, as the files of a drive that was unplugged, is closed and opened by its name again. Up to 128
 * descriptors. To be used by one thread at a time.
 * Returns: (transfer full)
 */
RfSysroot *rf_sysroot_new_keeping (RfSysroot *like);

/** rf_sysroot_is_machine: whether this is the real "/" (system calls such as swapon make sense). */
gboolean rf_sysroot_is_machine (RfSysroot *self);

/** rf_sysroot_path: Returns: (transfer full) (type filename): the absolute path of @relative ("proc/vmstat"). */
char *rf_sysroot_path (RfSysroot *self, const char *relative);

/**
 * rf_sysroot_read:
 * @length: (out) (optional): bytes, without the added NUL; 0 on failure
 *
 * Reads a whole file with plain read() calls, as sysfs and procfs want it. What is no regular file (a pipe, a device) is
 * an error; it is never waited for. In a fixture tree a file whose content is
 * exactly "!errno NAME\n" (EOPNOTSUPP, EINVAL, EACCES, EIO) fails with that error, so that tests can show how the
 * kernel fails; on the machine itself the text has no meaning.
 * Returns: (transfer full) (nullable): NUL-terminated text, NULL with an RF_ERROR; the message names the file. The
 * errno is told apart with rf_sysroot_read_avail().
 */
char *rf_sysroot_read (RfSysroot *self, const char *relative, gsize *length, GError **error);

/**
 * rf_sysroot_read_avail:
 * @avail: (out): RF_AVAIL_OK, NO_FILE, OFF (EOPNOTSUPP), DENIED or MALFORMED (any other error)
 *
 * Like rf_sysroot_read(), for readers that carry the reason instead of an error.
 */
char *rf_sysroot_read_avail (RfSysroot *self, const char *relative, gsize *length, RfAvail *avail);

/**
 * rf_sysroot_read_own: Returns: (transfer full) (nullable): a file that the helper has written; NULL if it is not there,
 * or is a link, no regular file, somebody else's (neither root's nor ours) or open to the writing of others. Never waits.
 */
char *rf_sysroot_read_own (RfSysroot *self, const char *relative);

/** rf_sysroot_read_line: Returns: (transfer full) (nullable): the text without trailing newline, NULL if unreadable. */
char *rf_sysroot_read_line (RfSysroot *self, const char *relative);

/** rf_sysroot_exists: whether @relative exists (symlinks are followed). */
gboolean rf_sysroot_exists (RfSysroot *self, const char *relative);

/** rf_sysroot_list: Returns: (transfer full): the names in a folder, sorted by strcmp; empty if there is none. */
char **rf_sysroot_list (RfSysroot *self, const char *relative);

/** rf_sysroot_readlink: Returns: (transfer full) (nullable): the target of a symbolic link, as stored. */
char *rf_sysroot_readlink (RfSysroot *self, const char *relative);

G_END_DECLS
