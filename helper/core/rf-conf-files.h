/* Folders of configuration that belong to others, as systemd's programs read them: all files NAME of one kind in /etc,
 * /run, /usr/local/lib, /usr/lib (and /lib where that is a folder of its own), in the order of their names; of equal
 * names the first folder's counts and the others are hidden. Reads only, executes and follows nothing but links;
 * what comes back is immutable text, so any thread may use it.
 * Sources: sysctl.d(5), tmpfiles.d(5), udev(7); src/basic/conf-files.c of systemd 252. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/** RF_CONF_MAX_BYTES: a file of settings that is larger is nothing to read: RF_CONF_UNREADABLE. */
#define RF_CONF_MAX_BYTES (256 * 1024)
/** RF_CONF_MAX_TOTAL: what all files of one kind may have together, bytes; what is beyond is "cannot be read". */
#define RF_CONF_MAX_TOTAL (4 * 1024 * 1024)

/**
 * RfConfState:
 * @RF_CONF_READ: what is in it counts
 * @RF_CONF_MASK: counts, but says nothing: empty, a link to /dev/null or to nowhere. Hides the others of its name
 * @RF_CONF_HIDDEN: one of the same name goes before it
 * @RF_CONF_MASKED: and that one is a mask
 * @RF_CONF_UNREADABLE: is there and counts, but cannot be read by this user (or is no text that could be one)
 */
typedef enum {
    RF_CONF_READ,
    RF_CONF_MASK,
    RF_CONF_HIDDEN,
    RF_CONF_MASKED,
    RF_CONF_UNREADABLE,
} RfConfState;

/**
 * RfConfFile:
 * @path: relative to the sysroot, "etc/sysctl.d/10-a.conf"; of a folder that cannot be listed: the folder
 * @target: (nullable): where it leads if it is a link, relative to the sysroot as well
 * @hidden_by: (nullable): @path of the file that goes before it
 * @text: (nullable): NUL-terminated, @length bytes; also of a hidden file, for those who look for old advice in it
 */
typedef struct {
    char *path;
    char *target;
    char *hidden_by;
    char *text;
    gsize length;
    RfConfState state;
} RfConfFile;

void rf_conf_file_free (RfConfFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfConfFile, rf_conf_file_free)

/**
 * rf_conf_file_read:
 * @path: relative to the sysroot
 *
 * One file. Never waits for a FIFO. Links are followed below the sysroot, at most eight.
 * Returns: (transfer full) (nullable): NULL if there is nothing of that name
 */
RfConfFile *rf_conf_file_read (RfSysroot *sysroot, const char *path);

/**
 * rf_conf_files_read:
 * @folder: below each of the bases: "sysctl.d", "udev/rules.d"
 * @suffix: ".conf"
 *
 * Returns: (transfer full) (element-type RfConfFile): in the order in which they are read; what is hidden stands before
 *   what hides it
 */
GPtrArray *rf_conf_files_read (RfSysroot *sysroot, const char *folder, const char *suffix);

/** rf_conf_files_read_in: the same for other @bases, the one that goes before the others first; NULL-terminated. */
GPtrArray *rf_conf_files_read_in (RfSysroot *sysroot, const char *const *bases, const char *folder, const char *suffix);

/**
 * rf_conf_next_line:
 *
 * Like rf_text_next_line(), with the line ends of systemd's read_line(): LF, CR, NUL, and any run of different ones.
 */
gboolean rf_conf_next_line (const char **cursor, const char *end, const char **line, const char **line_end);

/** rf_conf_strip: cuts blanks, tabs and line ends from both ends of a piece of text. */
void rf_conf_strip (const char **start, const char **end);

/**
 * rf_conf_quote:
 *
 * Returns: (transfer full): the text between as valid UTF-8 without control characters, cut after 160 characters: what
 *   a person is shown of a line
 */
char *rf_conf_quote (const char *start, const char *end);

G_END_DECLS
