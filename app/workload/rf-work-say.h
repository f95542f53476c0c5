/* What the program prints: lines for programs on stdout, see rf-work-result.h, and tables of many lines into a file.
 * When nobody reads stdout any more the load stops. One thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void rf_work_say (const char *key, const char *value);
void rf_work_say_uint (const char *key, guint64 value);
/** rf_work_say_double: not finite is "n/a" */
void rf_work_say_double (const char *key, double value, guint decimals);

/**
 * rf_work_say_progress:
 * @phase: "prepare", "warm-up", "measure"
 * @share: 0 to 1
 *
 * At most twice a second, but always the end of a phase.
 */
void rf_work_say_progress (const char *phase, double share);

typedef struct _RfWorkTable RfWorkTable;

/**
 * rf_work_table_new:
 * @path: a file that is not there yet, which is made, or a pipe ("/dev/fd/3")
 * @header: the first line
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_IO; what is there is never overwritten
 */
RfWorkTable *rf_work_table_new (const char *path, const char *header, GError **error);
void rf_work_table_line (RfWorkTable *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/** rf_work_table_flush: Returns: FALSE if not all of it could be written, now or earlier */
gboolean rf_work_table_flush (RfWorkTable *self);
void rf_work_table_free (RfWorkTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfWorkTable, rf_work_table_free)

G_END_DECLS
