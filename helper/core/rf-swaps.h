/* /proc/swaps. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfSwapEntry:
 * @path: (type filename): as a program would open it: octal escapes resolved, "(deleted)" cut off, "/dev" put
 *   before the bare name of a device whose mount is gone
 * @deleted: the file has been removed while in use: it can be emptied by no path any more
 * @is_file: a swap file, else a partition or another block device
 * @size_bytes: and @used_bytes: of the swap space; for zram not the memory it takes
 * @priority: higher is used first; -2 and below were given by the kernel
 */
typedef struct {
    char *path;
    gboolean deleted;
    gboolean is_file;
    guint64 size_bytes;
    guint64 used_bytes;
    gint priority;
} RfSwapEntry;

/**
 * RfSwaps:
 * @entries: (element-type RfSwapEntry): in the order of the file; owned, never NULL after a reader ran
 * @skipped: lines that were not understood
 * @avail: OK also when there is no swap: the list is empty then
 */
typedef struct {
    GPtrArray *entries;
    guint skipped;
    RfAvail avail;
} RfSwaps;

/** rf_swaps_parse: @out need not be initialised; free its content with rf_swaps_clear(). MALFORMED without heading. */
void rf_swaps_parse (const char *text, gsize length, RfSwaps *out);
/** rf_swaps_missing: no entries. A kernel without swap support has no file: NO_FILE. */
void rf_swaps_missing (RfAvail why, RfSwaps *out);
void rf_swaps_read (RfSysroot *sysroot, RfSwaps *out);
void rf_swaps_clear (RfSwaps *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfSwaps, rf_swaps_clear)

G_END_DECLS
