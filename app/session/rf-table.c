#define G_LOG_DOMAIN "rf-table"
#include "config.h"

#include "rf-table.h"

typedef struct {
    char *name;
    GArray *values; /* of float */
} Column;

struct _RfTable {
    gatomicrefcount refs;
    char *name;
    GArray *times; /* of gint64 */
    GArray *columns;
};

static void
column_clear (gpointer data)
{
    Column *self = data;
    g_free (self->name);
    g_array_unref (self->values);
}

static const Column *
column_at (const RfTable *self, guint column)
{
    g_assert (column < self->columns->len);
    return &g_array_index (self->columns, Column, column);
}

RfTable *
rf_table_new (const char *name)
{
    RfTable *self = g_new0 (RfTable, 1);
    g_atomic_ref_count_init (&self->refs);
    self->name = g_strdup (name);
    self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
    self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
    g_array_set_clear_func (self->columns, column_clear);
    return self;
}

RfTable *
rf_table_ref (RfTable *self)
{
    g_atomic_ref_count_inc (&self->refs);
    return self;
}

void
rf_table_unref (RfTable *self)
{
    if (!g_atomic_ref_count_dec (&self->refs))
        return;
    g_free (self->name);
    g_array_unref (self->times);
    g_array_unref (self->columns);
    g_free (self);
}

const char *
rf_table_name (const RfTable *self)
{
    return self->name;
}

guint
rf_table_add_column (RfTable *self, const char *name)
{
    g_assert (self->times->len == 0);
    Column column = {
        .name = g_strdup (name),
        .values = g_array_new (FALSE, FALSE, sizeof (float)),
    };
    g_array_append_val (self->columns, column);
    return self->columns->len - 1;
}

guint
rf_table_n_columns (const RfTable *self)
{
    return self->columns->len;
}

const char *
rf_table_column_name (const RfTable *self, guint column)
{
    return column_at (self, column)->name;
}

guint
rf_table_find (const RfTable *self, const char *name)
{
    for (guint i = 0; i < self->columns->len; i++)
        if (g_str_equal (column_at (self, i)->name, name))
            return i;
    return RF_TABLE_NONE;
}

gboolean
rf_table_append (RfTable *self, gint64 time_ns, const float *values)
{
    if (self->times->len > 0 && time_ns < g_array_index (self->times, gint64, self->times->len - 1))
        return FALSE;
    g_array_append_val (self->times, time_ns);
    for (guint i = 0; i < self->columns->len; i++)
        g_array_append_val (column_at (self, i)->values, values[i]);
    return TRUE;
}

gsize
rf_table_n_rows (const RfTable *self)
{
    return self->times->len;
}

const gint64 *
rf_table_times (const RfTable *self)
{
    return (const gint64 *)(gconstpointer)self->times->data;
}

const float *
rf_table_values (const RfTable *self, guint column)
{
    return (const float *)(gconstpointer)column_at (self, column)->values->data;
}

gsize
rf_table_seek (const RfTable *self, gint64 time_ns)
{
    gsize low = 0, high = self->times->len;
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (g_array_index (self->times, gint64, middle) < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
keep (GArray *array, gsize first, gsize last)
{
    g_array_set_size (array, (guint)last);
    g_array_remove_range (array, 0, (guint)first);
}

gsize
rf_table_trim (RfTable *self, gint64 from_ns, gint64 to_ns)
{
    gsize rows = self->times->len, first = rf_table_seek (self, from_ns);
    gsize last = to_ns < G_MAXINT64 ? rf_table_seek (self, to_ns + 1) : rows;
    if (first == 0 && last == rows)
        return 0;
    for (guint i = 0; i < self->columns->len; i++)
        keep (column_at (self, i)->values, first, last);
    keep (self->times, first, last);
    return rows - (last - first);
}
