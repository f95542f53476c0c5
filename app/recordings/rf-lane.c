#define G_LOG_DOMAIN "rf-lane"
#include "config.h"

#include "rf-lane.h"

#include <math.h>
#include <stdlib.h>

/* neighbours that one cell of the next level stands for */
#define FANOUT 16
/* distances that the usual one is taken from; more would not make it truer */
#define DISTANCES 4096
/* so many usual distances without a row are a gap */
#define GAP_DISTANCES 3

typedef struct {
    float min; /* NAN: nothing is known */
    float max;
} Cell;

struct _RfLane {
    RfTable *table;
    guint column;
    gint64 interval_ns;
    GPtrArray *levels; /* of GArray of Cell, finest first; the rows themselves are below */
};

static void
cell_add (Cell *self, float min, float max)
{
    if (isnan (min))
        return;
    if (isnan (self->min) || min < self->min)
        self->min = min;
    if (isnan (self->max) || max > self->max)
        self->max = max;
}

static int
compare_int64 (const void *a, const void *b)
{
    const gint64 *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static gint64
median_distance (RfTable *table)
{
    const gsize rows = rf_table_n_rows (table);
    const gint64 *times = rf_table_times (table);
    if (rows < 2)
        return 0;
    const gsize step = MAX (1, (rows - 1) / DISTANCES);
    g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (gint64));
    for (gsize i = 1; i < rows; i += step) {
        gint64 distance = times[i] - times[i - 1];
        g_array_append_val (distances, distance);
    }
    qsort (distances->data, distances->len, sizeof (gint64), compare_int64);
    return g_array_index (distances, gint64, distances->len / 2);
}

RfLane *
rf_lane_new (RfTable *table, guint column)
{
    RfLane *self = g_new0 (RfLane, 1);
    self->table = rf_table_ref (table);
    self->column = column;
    self->interval_ns = median_distance (table);
    self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);

    const float *values = rf_table_values (table, column);
    gsize below = rf_table_n_rows (table);
    const Cell *cells = NULL;
    while (below > FANOUT) {
        const gsize count = (below + FANOUT - 1) / FANOUT;
        GArray *level = g_array_sized_new (FALSE, FALSE, sizeof (Cell), (guint)count);
        for (gsize i = 0; i < count; i++) {
            Cell cell = {NAN, NAN};
            for (gsize j = i * FANOUT; j < MIN (below, (i + 1) * FANOUT); j++)
                cell_add (&cell, cells != NULL ? cells[j].min : values[j], cells != NULL ? cells[j].max : values[j]);
            g_array_append_val (level, cell);
        }
        g_ptr_array_add (self->levels, level);
        cells = (const Cell *)(gconstpointer)level->data;
        below = count;
    }
    return self;
}

void
rf_lane_free (RfLane *self)
{
    rf_table_unref (self->table);
    g_ptr_array_unref (self->levels);
    g_free (self);
}

/* From the rows up: the ragged ends of each level are added one by one, the whole part in the middle by the level
 * above. */
static Cell
range_of (const RfLane *self, gsize first, gsize end)
{
    const float *values = rf_table_values (self->table, self->column);
    const Cell *cells = NULL;
    Cell out = {NAN, NAN};
    for (guint level = 0; first < end; level++) {
        const gboolean last = level == self->levels->len;
        while (first < end && (last || first % FANOUT != 0)) {
            cell_add (&out, cells != NULL ? cells[first].min : values[first],
                      cells != NULL ? cells[first].max : values[first]);
            first++;
        }
        while (first < end && end % FANOUT != 0) {
            end--;
            cell_add (&out, cells != NULL ? cells[end].min : values[end], cells != NULL ? cells[end].max : values[end]);
        }
        if (last)
            break;
        first /= FANOUT;
        end /= FANOUT;
        cells = (const Cell *)(gconstpointer)((GArray *)self->levels->pdata[level])->data;
    }
    return out;
}

gboolean
rf_lane_range (const RfLane *self, gsize first, gsize end, float *min, float *max)
{
    const Cell cell = range_of (self, first, MIN (end, rf_table_n_rows (self->table)));
    *min = cell.min;
    *max = cell.max;
    return !isnan (cell.min);
}

gint64
rf_lane_interval_ns (const RfLane *self)
{
    return self->interval_ns;
}

RfSeries *
rf_lane_series (const RfLane *self, gint64 start_ns, gint64 end_ns, guint cells)
{
    g_return_val_if_fail (end_ns > start_ns && cells > 0, NULL);

    RfSeries *series = rf_series_new (MAX (2, 2 * cells));
    const gint64 *times = rf_table_times (self->table);
    const gsize rows = rf_table_n_rows (self->table);
    const double width = (double)(end_ns - start_ns) / cells;
    gsize row = rf_table_seek (self->table, start_ns);
    float previous = NAN;
    if (row > 0)
        previous = rf_table_values (self->table, self->column)[row - 1];
    for (guint i = 0; i < cells; i++) {
        const gint64 until = i + 1 == cells ? end_ns : start_ns + (gint64)(width * (i + 1));
        const gsize next = rf_table_seek (self->table, until);
        const Cell cell = range_of (self, row, next);
        if (row == next) {
            /* between two rows that belong together, or in a gap */
            const gboolean together
                = row > 0 && row < rows && times[row] - times[row - 1] <= GAP_DISTANCES * self->interval_ns;
            if (!together)
                previous = NAN;
            rf_series_push (series, previous);
            rf_series_push (series, previous);
            continue;
        }
        row = next;
        previous = rf_table_values (self->table, self->column)[next - 1];
        /* the end of the stretch that lies nearer to its last value comes last */
        const gboolean rising = !(fabsf (previous - cell.min) < fabsf (cell.max - previous));
        rf_series_push (series, rising ? cell.min : cell.max);
        rf_series_push (series, rising ? cell.max : cell.min);
    }
    return series;
}
