/* A table of a recording as a CSV file: "time_ns" first, one line a row, "# gap FROM_NS TO_NS REASON" where nothing is
 * known. What is read is checked and bounded; a damaged line costs that line. One thread. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

/** RF_TABLE_VALUES_MAX: numbers in one table, half a GiB of them: 24 hours at 10 Hz with 150 columns */
#define RF_TABLE_VALUES_MAX (128u * 1024 * 1024)

/**
 * RfTableNotes: what a file says beside its rows, and how well it could be read
 * @gaps: (element-type RfGap): ascending by start
 * @end_reason: (nullable): of "# end REASON", which the helper writes when it stops
 * @self_check: (nullable): what stands behind "# self-check"
 * @damaged: lines that could not be read
 * @torn: the last line was not complete and is left out
 * @cut: the file has more than a table may have; the rest is left out
 */
typedef struct {
    GArray *gaps;
    char *end_reason;
    char *self_check;
    guint64 damaged;
    gboolean torn;
    gboolean cut;
} RfTableNotes;

RfTableNotes *rf_table_notes_new (void);
void rf_table_notes_free (RfTableNotes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTableNotes, rf_table_notes_free)

/**
 * rf_table_read:
 * @fd: read from where it stands; stays the caller's
 * @name: of the table
 * @notes: what is found is added
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_INVALID if the first line is no header that begins with
 *   "time_ns", or with RF_ERROR_IO
 */
RfTable *rf_table_read (int fd, const char *name, RfTableNotes *notes, GError **error);

/** rf_table_write: the header and all rows, with @gaps (nullable) (element-type RfGap) between them */
gboolean rf_table_write (const RfTable *self, const GArray *gaps, int fd, GError **error);

/** rf_fd_write_all: for small writers: everything, or RF_ERROR_IO (RF_ERROR_LIMIT if the disk or the quota is full) */
gboolean rf_fd_write_all (int fd, const char *bytes, gsize length, GError **error);

G_END_DECLS
