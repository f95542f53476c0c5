/* /etc/fstab: what is mounted at the next start. Read, never written. rf_fstab_parse() is pure; thread-safe.
 * Format: fstab(5). */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfFstabEntry:
 * @source: "UUID=…", "/dev/…"; octal escapes resolved, as in @target
 * @options: "defaults" if the line names none
 * @line: in the file, from 1
 */
typedef struct {
    char *source;
    char *target;
    char *type;
    char *options;
    guint line;
} RfFstabEntry;

/** rf_fstab_parse: Returns: (transfer full) (element-type RfFstabEntry): lines with fewer than three words are left out
 */
GPtrArray *rf_fstab_parse (const char *text, gsize length);

/** rf_fstab_read: @avail: (out): NO_FILE is no fault: the machine mounts by other means */
GPtrArray *rf_fstab_read (RfSysroot *sysroot, RfAvail *avail);

G_END_DECLS
