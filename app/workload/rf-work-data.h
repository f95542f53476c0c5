/* Data that compresses about 2 to 1, as real memory and files do for zram and btrfs, and the same in every run. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_WORK_MIB ((gsize)1024 * 1024)
#define RF_WORK_PAGE ((gsize)4096)

/** rf_work_random: @state: not 0, changed; xorshift64* (Vigna 2014). Returns: the next number */
guint64 rf_work_random (guint64 *state);

/** rf_work_fill: @length: a multiple of RF_WORK_PAGE. Half of each page is noise, the other half one word again and
 * again */
void rf_work_fill (guint64 *state, gpointer buffer, gsize length);

/**
 * rf_work_map:
 * Memory of the program's own, which never gets into a core file.
 * @huge: whether the kernel may use huge pages (for what is only there), or must not (for what is measured)
 * Returns: (nullable): NULL after rf_work_fail()
 */
gpointer rf_work_map (gsize length, gboolean huge);

/** rf_work_memory_file: Returns: memory that programs take as buffers for the graphics card are: as a file without a
 * place and without being mapped (memfd); -1 after rf_work_fail(). Closing it gives all of it back. */
int rf_work_memory_file (const char *name);

/** rf_work_write_all: Returns: FALSE with errno set */
gboolean rf_work_write_all (int fd, gconstpointer buffer, gsize length, gint64 offset);

G_END_DECLS
