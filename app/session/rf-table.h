/* Numbers over time: one clock and any number of named columns, as a recording's CSV files have them. In memory a value
 * is a float: eight hours at 10 Hz with a hundred columns are 115 MB so, and seven digits are more than any counter
 * here is worth; sums are made in double. Pure, one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_TABLE_NONE: no such column */
#define RF_TABLE_NONE G_MAXUINT

typedef struct _RfTable RfTable;

/** rf_table_new: @name: "samples", "frames": the file's name without ".csv" */
RfTable *rf_table_new (const char *name);
RfTable *rf_table_ref (RfTable *self);
void rf_table_unref (RfTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTable, rf_table_unref)

const char *rf_table_name (const RfTable *self);

/** rf_table_add_column: before the first row. Returns: its number */
guint rf_table_add_column (RfTable *self, const char *name);
guint rf_table_n_columns (const RfTable *self);
/** rf_table_column_name: never translated, with its unit: "free_bytes" */
const char *rf_table_column_name (const RfTable *self, guint column);
/** rf_table_find: Returns: the number of the column of that name, RF_TABLE_NONE if there is none */
guint rf_table_find (const RfTable *self, const char *name);

/**
 * rf_table_append:
 * @time_ns: CLOCK_MONOTONIC, not before that of the row before
 * @values: as many as there are columns, NAN for what is not available
 *
 * Returns: FALSE, and nothing is added, if the time goes backwards
 */
gboolean rf_table_append (RfTable *self, gint64 time_ns, const float *values);
gsize rf_table_n_rows (const RfTable *self);
/** rf_table_times: Returns: (transfer none): of all rows, ascending; valid until the next row is added */
const gint64 *rf_table_times (const RfTable *self);
/** rf_table_values: Returns: (transfer none): one value a row; valid until the next row is added */
const float *rf_table_values (const RfTable *self, guint column);
/** rf_table_seek: Returns: the number of the first row at or after @time_ns, rf_table_n_rows() if there is none */
gsize rf_table_seek (const RfTable *self, gint64 time_ns);
/** rf_table_trim: drops all rows before @from_ns and after @to_ns (not before it). Returns: how many */
gsize rf_table_trim (RfTable *self, gint64 from_ns, gint64 to_ns);

G_END_DECLS
