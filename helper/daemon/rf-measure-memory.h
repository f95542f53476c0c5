/* Keeps the whole program in memory while it measures: whoever looks for stalls must not stall itself, and must not be
 * among those who wait for memory. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_MEASURE_STACK: bytes of a thread's stack in the helper: all of it is locked, for each thread. */
#define RF_MEASURE_STACK (512 * 1024)

/** rf_measure_memory_prepare: to be called in main() before there is a second thread: small stacks. */
void rf_measure_memory_prepare (void);

/**
 * rf_measure_memory_lock:
 *
 * From now on, until as many rf_measure_memory_unlock(), all pages stay in memory, also those to come, and memory that
 * is freed is kept for the next allocation instead of being given back. Where the limit (RLIMIT_MEMLOCK) forbids it the
 * measurement goes on without; its columns for page faults tell.
 * Returns: whether the memory is locked
 */
gboolean rf_measure_memory_lock (void);
void rf_measure_memory_unlock (void);

G_END_DECLS
