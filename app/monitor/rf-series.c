#define G_LOG_DOMAIN "rf-series"

#include "config.h"

#include "rf-series.h"

#include <math.h>

/* Each tier thins the one below by this. */
#define THINNING 4
/* A tier with fewer cells than this would be coarser than any picture needs. */
#define FEWEST_CELLS 128
/* Beyond the edge of a picture: what a painter needs to begin whole. */
#define SPARE_CELLS 16
#define MAX_TIERS 13

/* A float has 24 bits: a terabyte to 64 KiB, which is far below a pixel. */
typedef struct {
    float min;
    float max;
    float sum;
    guint count;
} Cell;

typedef struct {
    guint step; /* samples that share a cell */
    guint n_cells;
    Cell *cells;
} Tier;

struct _RfSeries {
    GObject parent_instance;
    double *recent;
    guint n_recent;
    Tier tiers[MAX_TIERS]; /* from fine to coarse */
    guint n_tiers;
    guint64 total;
};

G_DEFINE_FINAL_TYPE (RfSeries, rf_series, G_TYPE_OBJECT)

static void
rf_series_finalize (GObject *object)
{
    RfSeries *self = RF_SERIES (object);

    g_free (self->recent);
    for (guint i = 0; i < self->n_tiers; i++)
        g_free (self->tiers[i].cells);
    G_OBJECT_CLASS (rf_series_parent_class)->finalize (object);
}

static void
rf_series_class_init (RfSeriesClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_series_finalize;
}

static void
rf_series_init (RfSeries *self)
{
}

RfSeries *
rf_series_new (guint capacity)
{
    RfSeries *self = NULL;

    g_return_val_if_fail (capacity >= 2, NULL);

    self = g_object_new (RF_TYPE_SERIES, NULL);
    self->n_recent = MIN (capacity, RF_SERIES_RECENT);
    self->recent = g_new (double, self->n_recent);
    for (guint step = THINNING; capacity / step >= FEWEST_CELLS && self->n_tiers < MAX_TIERS; step *= THINNING) {
        Tier *tier = &self->tiers[self->n_tiers++];

        tier->step = step;
        tier->n_cells = MIN (capacity / step + 1, RF_SERIES_RECENT) + SPARE_CELLS;
        tier->cells = g_new (Cell, tier->n_cells);
    }
    return self;
}

static void
push_tier (const Tier *tier, guint64 number, double value)
{
    Cell *cell = &tier->cells[number / tier->step % tier->n_cells];

    if (number % tier->step == 0)
        *cell = (Cell){.min = NAN, .max = NAN};
    if (!isfinite (value))
        return;
    cell->min = fminf (cell->min, (float)value);
    cell->max = fmaxf (cell->max, (float)value);
    cell->sum += (float)value;
    cell->count++;
}

static void
push (RfSeries *self, double value)
{
    self->recent[self->total % self->n_recent] = value;
    for (guint i = 0; i < self->n_tiers; i++)
        push_tier (&self->tiers[i], self->total, value);
    self->total++;
}

void
rf_series_push (RfSeries *self, double value)
{
    g_return_if_fail (RF_IS_SERIES (self));

    push (self, value);
}

void
rf_series_push_gaps (RfSeries *self, guint64 count)
{
    guint64 kept, end;

    g_return_if_fail (RF_IS_SERIES (self));

    /* what lies further back than anything is kept is skipped */
    kept = self->n_recent;
    for (guint i = 0; i < self->n_tiers; i++)
        kept = MAX (kept, (guint64)self->tiers[i].n_cells * self->tiers[i].step);
    end = self->total + count;
    if (count > kept)
        self->total = end - kept;
    while (self->total < end)
        push (self, NAN);
}

guint
rf_series_length (RfSeries *self)
{
    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    return (guint)MIN (self->total, self->n_recent);
}

double
rf_series_get (RfSeries *self, guint back)
{
    g_return_val_if_fail (RF_IS_SERIES (self), NAN);

    if (back >= MIN (self->total, self->n_recent))
        return NAN;
    return self->recent[(self->total - 1 - back) % self->n_recent];
}

guint64
rf_series_total (RfSeries *self)
{
    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    return self->total;
}

static gboolean
is_recent (RfSeries *self, guint64 number)
{
    return number < self->total && self->total - number <= self->n_recent;
}

/* The cell of @tier that @number lies in; NULL if it has been overwritten. It may not be full yet. */
static const Cell *
tier_cell (RfSeries *self, const Tier *tier, guint64 number)
{
    const guint64 cell = number / tier->step;

    if (number >= self->total || (self->total - 1) / tier->step - cell >= tier->n_cells)
        return NULL;
    return &tier->cells[cell % tier->n_cells];
}

static void
from_value (double value, RfSeriesCell *out)
{
    const gboolean known = isfinite (value);

    *out = (RfSeriesCell){known ? value : NAN, known ? value : NAN, known ? value : 0, known ? 1 : 0};
}

static void
from_cell (const Cell *cell, double share, RfSeriesCell *out)
{
    *out = (RfSeriesCell){(double)cell->min, (double)cell->max, (double)cell->sum * share, cell->count * share};
}

guint
rf_series_older (RfSeries *self, guint64 start, guint64 end, RfSeriesCell *out)
{
    guint64 number;

    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    end = MIN (end, self->total);
    if (end <= start)
        return 0;
    number = end - 1;
    if (is_recent (self, number)) {
        from_value (self->recent[number % self->n_recent], out);
        return 1;
    }
    for (guint i = 0; i < self->n_tiers; i++) {
        const Tier *tier = &self->tiers[i];
        const Cell *cell = tier_cell (self, tier, number);
        const guint64 first = MAX (start, number / tier->step * tier->step);

        if (cell == NULL)
            continue;
        from_cell (cell, (double)(end - first) / tier->step, out);
        return (guint)(end - first);
    }
    return 0;
}

/* The largest piece that ends at @end and lies within @start: quick, where only the extremes count. */
static guint
largest_piece (RfSeries *self, guint64 start, guint64 end, RfSeriesCell *out)
{
    for (guint i = self->n_tiers; i-- > 0;) {
        const Tier *tier = &self->tiers[i];
        const Cell *cell = end % tier->step == 0 && end - start >= tier->step ? tier_cell (self, tier, end - 1) : NULL;

        if (cell != NULL) {
            from_cell (cell, 1, out);
            return tier->step;
        }
    }
    return rf_series_older (self, start, end, out);
}

gboolean
rf_series_range_between (RfSeries *self, guint64 start, guint64 end, double *min, double *max)
{
    double smallest = NAN;
    double largest = NAN;
    RfSeriesCell cell;
    guint count;

    g_return_val_if_fail (RF_IS_SERIES (self), FALSE);

    end = MIN (end, self->total);
    while (end > start && (count = largest_piece (self, start, end, &cell)) > 0) {
        smallest = fmin (smallest, cell.min);
        largest = fmax (largest, cell.max);
        end -= count;
    }
    if (isnan (smallest))
        return FALSE;
    *min = smallest;
    *max = largest;
    return TRUE;
}

gboolean
rf_series_range (RfSeries *self, guint count, double *min, double *max)
{
    g_return_val_if_fail (RF_IS_SERIES (self), FALSE);

    return rf_series_range_between (self, self->total - MIN (self->total, count), self->total, min, max);
}

guint
rf_series_step (RfSeries *self, guint64 reach, double wanted)
{
    guint step = 1;
    guint64 reached;

    g_return_val_if_fail (RF_IS_SERIES (self), 1);

    reached = self->n_recent;
    for (guint i = 0; i < self->n_tiers; i++) {
        const Tier *tier = &self->tiers[i];

        if (tier->step > wanted && reached >= reach)
            break;
        step = tier->step;
        reached = (guint64)tier->step * (tier->n_cells - SPARE_CELLS);
    }
    return step;
}

gboolean
rf_series_cell (RfSeries *self, guint step, guint64 number, RfSeriesCell *out)
{
    const Cell *cell = NULL;

    g_return_val_if_fail (RF_IS_SERIES (self), FALSE);

    if (number >= self->total / step)
        return FALSE;
    if (step == 1) {
        if (!is_recent (self, number))
            return FALSE;
        from_value (self->recent[number % self->n_recent], out);
        return out->count > 0;
    }
    for (guint i = 0; i < self->n_tiers; i++) {
        if (self->tiers[i].step == step)
            cell = tier_cell (self, &self->tiers[i], number * step);
    }
    if (cell == NULL || cell->count == 0)
        return FALSE;
    from_cell (cell, 1, out);
    return TRUE;
}

gsize
rf_series_bytes (RfSeries *self)
{
    gsize bytes;

    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    bytes = sizeof *self + self->n_recent * sizeof *self->recent;
    for (guint i = 0; i < self->n_tiers; i++)
        bytes += self->tiers[i].n_cells * sizeof *self->tiers[i].cells;
    return bytes;
}
