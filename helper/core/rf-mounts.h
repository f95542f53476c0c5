/* /proc/self/mountinfo: what is mounted where. rf_mounts_parse() is pure; all of it is thread-safe.
 * Format: Documentation/filesystems/proc.rst, 3.5. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfMount:
 * @major: of the file system's device; 0 for one that has no device of its own (tmpfs, but also btrfs)
 * @root: the folder of the file system that is mounted, "/" but for bind mounts and btrfs subvolumes
 * @target: where, octal escapes resolved
 * @source: what was given to mount: "/dev/mapper/vg-root", "proc"; octal escapes resolved
 * @options: those of the mount and, after a comma, those of the file system: "rw,noatime,rw,commit=60"
 * @read_only: of the mount or of the file system
 */
typedef struct {
    guint major;
    guint minor;
    char *root;
    char *target;
    char *type;
    char *source;
    char *options;
    gboolean read_only;
} RfMount;

/** rf_mounts_decode: Returns: (transfer full): @text with its octal escapes ("\\040") resolved; also for fstab(5) */
char *rf_mounts_decode (const char *text);

/**
 * rf_mounts_option:
 * @options: "rw,barrier=0,data=writeback"
 * @name: "barrier"
 *
 * Returns: (transfer full) (nullable): the value of the last option of that name, "" for one without a value, NULL if
 * there is none
 */
char *rf_mounts_option (const char *options, const char *name);

/** rf_mounts_parse: Returns: (transfer full) (element-type RfMount): lines that are not understood are left out. */
GPtrArray *rf_mounts_parse (const char *text, gsize length);

/** rf_mounts_read: Returns: (transfer full) (element-type RfMount): empty if the file cannot be read. */
GPtrArray *rf_mounts_read (RfSysroot *sysroot);

/**
 * rf_mounts_find:
 * @path: absolute, as seen by this process
 *
 * Returns: (transfer none) (nullable): the mount that @path lies on: the longest target, of equal ones the last
 */
const RfMount *rf_mounts_find (GPtrArray *mounts, const char *path);

G_END_DECLS
