#define G_LOG_DOMAIN "rf-cells"
#include "config.h"

#include "rf-cells.h"

#include <math.h>

RfCells *
rf_cells_new (RfCellsKind kind, gint64 start_ns, gint64 end_ns)
{
    g_return_val_if_fail (end_ns >= start_ns, NULL);
    RfCells *self = g_new0 (RfCells, 1);
    self->kind = kind;
    self->n = (guint)MIN ((end_ns - start_ns + RF_CELL_NS - 1) / RF_CELL_NS, G_MAXINT32);
    self->num = g_new0 (double, self->n);
    self->den = g_new0 (double, self->n);
    if (kind == RF_CELLS_QUANTILE)
        self->points = g_array_new (FALSE, FALSE, sizeof (RfPoint));
    self->quantile = 0.99;
    return self;
}

void
rf_cells_free (RfCells *self)
{
    g_free (self->num);
    g_free (self->den);
    g_clear_pointer (&self->points, g_array_unref);
    g_free (self);
}

void
rf_cells_add (RfCells *self, guint cell, double num, double den)
{
    g_return_if_fail (cell < self->n);
    switch (self->kind) {
    case RF_CELLS_MAX:
        self->num[cell] = self->den[cell] > 0 ? fmax (self->num[cell], num) : num;
        self->den[cell] = 1;
        break;
    case RF_CELLS_QUANTILE: {
        RfPoint point = {.cell = cell, .value = (float)num, .weight = (float)den};
        g_array_append_val (self->points, point);
        self->num[cell] += num * den;
        self->den[cell] += den;
        break;
    }
    case RF_CELLS_SUM:
    default:
        self->num[cell] += num;
        self->den[cell] += den;
    }
}

static void
swap (RfPoint *a, RfPoint *b)
{
    RfPoint other = *a;
    *a = *b;
    *b = other;
}

/* Hoare's selection with weights: each round leaves out what lies surely below or above. Sorting all would cost ten times as
 * much, and frames are many. */
double
rf_quantile (RfPoint *points, gsize n, double quantile)
{
    double wanted = 0;
    for (gsize i = 0; i < n; i++)
        wanted += points[i].weight;
    if (!(wanted > 0))
        return NAN;
    wanted *= quantile;
    while (n > 1) {
        float pivot = points[n / 2].value;
        double below = 0, equal = 0;
        gsize low = 0, at = 0, high = n;
        while (at < high) {
            if (points[at].value < pivot) {
                below += points[at].weight;
                swap (&points[low++], &points[at++]);
            } else if (points[at].value > pivot) {
                swap (&points[at], &points[--high]);
            } else {
                equal += points[at++].weight;
            }
        }
        if (low > 0 && below >= wanted) {
            n = low;
        } else if (below + equal >= wanted || high == n) {
            return pivot;
        } else {
            wanted -= below + equal;
            points += high;
            n -= high;
        }
    }
    return points[0].value;
}

/* @first..@last - 1 of the cells; @point: where its points begin, moved to where they end */
static RfBlock
merge (const RfCells *self, guint first, guint last, gsize *point)
{
    RfBlock block = {0, 0};
    if (self->kind == RF_CELLS_QUANTILE) {
        const RfPoint *all = (const RfPoint *)(gconstpointer)self->points->data;
        gsize from = *point;
        while (*point < self->points->len && all[*point].cell < last)
            (*point)++;
        g_autofree RfPoint *own = g_memdup2 (all + from, (*point - from) * sizeof *own);
        double value = rf_quantile (own, *point - from, self->quantile);
        return isnan (value) ? block : (RfBlock){value, 1};
    }
    for (guint i = first; i < last; i++) {
        if (self->den[i] <= 0)
            continue;
        if (self->kind == RF_CELLS_MAX)
            block = (RfBlock){block.den > 0 ? fmax (block.num, self->num[i]) : self->num[i], 1};
        else
            block = (RfBlock){block.num + self->num[i], block.den + self->den[i]};
    }
    return block;
}

double
rf_cells_value (const RfCells *self)
{
    gsize point = 0;
    RfBlock block = merge (self, 0, self->n, &point);
    return block.den > 0 ? block.num / block.den : NAN;
}

GArray *
rf_cells_blocks (const RfCells *self, guint length)
{
    GArray *blocks = g_array_new (FALSE, FALSE, sizeof (RfBlock));
    gsize point = 0;
    g_return_val_if_fail (length > 0, blocks);
    for (guint first = 0; first < self->n; first += MIN (length, self->n - first)) {
        guint last = first + MIN (length, self->n - first);
        RfBlock block = merge (self, first, last, &point);
        if (block.den > 0 && (last - first) * 2 >= length)
            g_array_append_val (blocks, block);
    }
    return blocks;
}
