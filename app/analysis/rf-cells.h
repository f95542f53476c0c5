/* A metric second by second: what a bootstrap draws from. A cell is one second; stretches of cells are merged into blocks
 * of any length, and the metric of a set of blocks is the sum of their @num by the sum of their @den. Pure, one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_CELL_NS G_GINT64_CONSTANT (1000000000)

typedef enum {
    RF_CELLS_SUM,      /* a mean or a total: sum of num by sum of den */
    RF_CELLS_MAX,      /* num = greatest value; a block's is the greatest of its cells' */
    RF_CELLS_QUANTILE, /* points; a block's is the quantile of its points */
} RfCellsKind;

/**
 * RfCells:
 * @num, @den: @n of them; den 0 where nothing is known
 * @points: (nullable) (element-type RfPoint): RF_CELLS_QUANTILE only, ascending by cell
 */
typedef struct {
    RfCellsKind kind;
    guint n;
    double *num;
    double *den;
    GArray *points;
    double quantile;
} RfCells;

typedef struct {
    guint32 cell;
    float value;
    float weight;
} RfPoint;

/** RfBlock: @num by @den is its value */
typedef struct {
    double num;
    double den;
} RfBlock;

/** rf_cells_new: for the time [@start_ns, @end_ns) */
RfCells *rf_cells_new (RfCellsKind kind, gint64 start_ns, gint64 end_ns);
void rf_cells_free (RfCells *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCells, rf_cells_free)

/** rf_cells_add: @cell: 0..n-1. For MAX: @num is the value and @den is 1; for QUANTILE: the value and its weight */
void rf_cells_add (RfCells *self, guint cell, double num, double den);
/** rf_cells_value: of the whole. Returns: NAN if nothing is known */
double rf_cells_value (const RfCells *self);
/** rf_cells_blocks: @length: cells in one; a rest shorter than half of it is left out, and so are blocks in which nothing is known.
 * Returns: (transfer full) (element-type RfBlock) */
GArray *rf_cells_blocks (const RfCells *self, guint length);
/** rf_quantile: the least value with at least @quantile of the weight at or below it; reorders @points. Returns: NAN if there are none */
double rf_quantile (RfPoint *points, gsize n, double quantile);

G_END_DECLS
