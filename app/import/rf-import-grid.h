/* Numbers that come in any order of time and column, as programs print one table below the other; in the end one table.
 * Pure. */
#pragma once

#include "rf-import-private.h"

G_BEGIN_DECLS

typedef struct _RfImportGrid RfImportGrid;

RfImportGrid *rf_import_grid_new (void);
void rf_import_grid_free (RfImportGrid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfImportGrid, rf_import_grid_free)

/** rf_import_grid_put: a later number for the same place wins. Returns: FALSE if there are too many numbers or columns
 */
gboolean rf_import_grid_put (RfImportGrid *self, gint64 time_us, const char *column, double value);
/** rf_import_grid_finish: @start_us: (out): the first time, which is 0 in the table. Returns: (transfer full)
 * (nullable) */
RfTable *rf_import_grid_finish (RfImportGrid *self, const char *name, gint64 *start_us);

G_END_DECLS
