/* Does a process grow? Its numbers at several moments, printed, and compared between the first and the last. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    guint64 memory_kib; /* anonymous memory: what it has allocated, without what it maps from files */
    guint threads;
    guint descriptors;
} RfTestFootprint;

/** rf_test_footprint_read: @pid: decimal, or "self" */
void rf_test_footprint_read (const char *pid, RfTestFootprint *out);

/** rf_test_footprint_print: one line "# WHEN: ..." */
void rf_test_footprint_print (const char *when, const RfTestFootprint *self);

/**
 * rf_test_footprint_assert_steady:
 * @slack_kib: what the allocator may keep in another way; below what any leak makes of the rounds in between
 */
void rf_test_footprint_assert_steady (const RfTestFootprint *first, const RfTestFootprint *last, guint64 slack_kib);

/** rf_test_rounds: @in_ci, or @weekly where RF_WEEKLY is "yes" */
guint rf_test_rounds (guint in_ci, guint weekly);

G_END_DECLS
