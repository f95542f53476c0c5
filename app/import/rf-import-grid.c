#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-import-grid.h"

#include <float.h>
#include <math.h>

typedef struct {
    gint64 time_us;
    guint column;
    float value;
} Cell;

struct _RfImportGrid {
    GArray *cells;
    GPtrArray *names;
    GHashTable *columns; /* name → number + 1 */
};

RfImportGrid *
rf_import_grid_new (void)
{
    RfImportGrid *self = g_new0 (RfImportGrid, 1);
    self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
    self->names = g_ptr_array_new_with_free_func (g_free);
    self->columns = g_hash_table_new (g_str_hash, g_str_equal);
    return self;
}

void
rf_import_grid_free (RfImportGrid *self)
{
    g_array_unref (self->cells);
    g_hash_table_unref (self->columns);
    g_ptr_array_unref (self->names);
    g_free (self);
}

gboolean
rf_import_grid_put (RfImportGrid *self, gint64 time_us, const char *column, double value)
{
    guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->columns, column));
    if (self->cells->len >= RF_IMPORT_ROWS_MAX || (number == 0 && self->names->len >= RF_IMPORT_FIELDS_MAX))
        return FALSE;
    if (number == 0) {
        g_ptr_array_add (self->names, g_strdup (column));
        number = self->names->len;
        g_hash_table_insert (self->columns, self->names->pdata[number - 1], GUINT_TO_POINTER (number));
    }
    Cell cell = {
        .time_us = time_us,
        .column = number - 1,
        .value = fabs (value) <= (double)FLT_MAX ? (float)value : NAN,
    };
    g_array_append_val (self->cells, cell);
    return TRUE;
}

static int
compare_cells (gconstpointer a, gconstpointer b)
{
    const Cell *left = a, *right = b;
    return (left->time_us > right->time_us) - (left->time_us < right->time_us);
}

RfTable *
rf_import_grid_finish (RfImportGrid *self, const char *name, gint64 *start_us)
{
    float row[RF_IMPORT_FIELDS_MAX];
    guint columns = self->names->len;
    if (self->cells->len == 0)
        return NULL;
    g_array_sort (self->cells, compare_cells);
    *start_us = g_array_index (self->cells, Cell, 0).time_us;
    RfTable *table = rf_table_new (name);
    for (guint i = 0; i < columns; i++)
        rf_table_add_column (table, self->names->pdata[i]);
    for (guint at = 0; at < self->cells->len;) {
        gint64 now = g_array_index (self->cells, Cell, at).time_us;
        for (guint i = 0; i < columns; i++)
            row[i] = NAN;
        for (; at < self->cells->len && g_array_index (self->cells, Cell, at).time_us == now; at++) {
            const Cell *cell = &g_array_index (self->cells, Cell, at);
            row[cell->column] = cell->value;
        }
        rf_table_append (table, (now - *start_us) * 1000, row);
    }
    return table;
}
