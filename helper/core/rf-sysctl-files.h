/* What the files of sysctl settings say, as systemd-sysctl reads them at boot: every line with what becomes of it.
 * Which of several lines wins is the business of rf-provenance; here is only what is written where, and what nobody
 * reads. Nothing here knows a tunable or asks the kernel. Immutable once read, so any thread may use it. Sources:
 * sysctl.d(5), src/sysctl/sysctl.c of systemd 252; sysctl.conf(5) of procps. */
#pragma once

#include "rf-conf-files.h"

G_BEGIN_DECLS

/**
 * RfSysctlState:
 * @RF_SYSCTL_COUNTS: an assignment or an exclusion that is read at boot (a later line may still win)
 * @RF_SYSCTL_BROKEN: no assignment; passed over with a warning in the log
 * @RF_SYSCTL_HIDDEN: its file is hidden by one of the same name, see RfConfFile.hidden_by
 * @RF_SYSCTL_MASKED: and that one is a mask: somebody switched the file off
 * @RF_SYSCTL_UNREAD: in /etc/sysctl.conf, and nothing reads that at boot here
 */
typedef enum {
    RF_SYSCTL_COUNTS,
    RF_SYSCTL_BROKEN,
    RF_SYSCTL_HIDDEN,
    RF_SYSCTL_MASKED,
    RF_SYSCTL_UNREAD,
} RfSysctlState;

/**
 * RfSysctlLine:
 * @file: (transfer none): where it stands; belongs to the RfSysctlFiles
 * @line: from 1
 * @text: the line for a person, see rf_conf_quote()
 * @key: with slashes, "vm/swappiness"; a pattern if @glob; NULL if @broken
 * @value: NULL for an exclusion ("-key" without "=") and a broken line; not judged: may be empty or have quotes
 * @ignore_failure: "-key=value"
 */
typedef struct {
    const RfConfFile *file;
    guint line;
    char *text;
    char *key;
    char *value;
    gboolean ignore_failure;
    gboolean glob;
    RfSysctlState state;
} RfSysctlLine;

/**
 * RfSysctlFiles:
 * @files: (element-type RfConfFile): all of them, in the order in which they are read; those that cannot be read too
 * @lines: (element-type RfSysctlLine): all lines but comments and empty ones, in that order
 */
typedef struct {
    GPtrArray *files;
    GPtrArray *lines;
} RfSysctlFiles;

/**
 * rf_sysctl_files_read:
 *
 * All folders, and /etc/sysctl.conf. That file is only read at boot where a link in sysctl.d leads to it (Debian up to
 * 12, Ubuntu, Fedora: 99-sysctl.conf; Debian 13 has neither), or by procps's own start script where systemd does not
 * run; then it comes last. Returns: (transfer full)
 */
RfSysctlFiles *rf_sysctl_files_read (RfSysroot *sysroot);
void rf_sysctl_files_free (RfSysctlFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfSysctlFiles, rf_sysctl_files_free)

/**
 * rf_sysctl_lines_parse:
 * @text: (array length=length): anything, need not be NUL-terminated
 *
 * Pure. Returns: (transfer full) (element-type RfSysctlLine): with @file NULL, COUNTS or BROKEN
 */
GPtrArray *rf_sysctl_lines_parse (const char *text, gsize length);

/**
 * rf_sysctl_key_normalize:
 *
 * "vm.swappiness", "/vm/swappiness" → "vm/swappiness"; "net.ipv4.conf.eth0/200.forwarding" →
 * "net/ipv4/conf/eth0.200/forwarding": the first separator decides.
 * Returns: (transfer full)
 */
char *rf_sysctl_key_normalize (const char *key);

/**
 * rf_sysctl_number:
 *
 * The number that the kernel makes of what is written to a file of integers: "010" is 8, "0x3c" is 60, of "60 70" the
 * rest is ignored; quotes, units and an empty text are refused (proc_get_long() in kernel/sysctl.c). Returns: FALSE if
 * it refuses
 */
gboolean rf_sysctl_number (const char *text, gint64 *out);

G_END_DECLS
