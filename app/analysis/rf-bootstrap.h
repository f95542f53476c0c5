/* Whether two sides differ, and by how much.
 *
 * One recording on each side: both are cut into blocks that are long against the memory of the process (from its autocorrelation),
 * so that the blocks are nearly independent. The interval of the effect is a block bootstrap's, widened for the number of
 * blocks (Hesterberg 2015, "expanded percentile"); the probability that chance made the difference comes from shuffling the
 * blocks between the sides (studentised: Janssen 1997, valid also where the sides scatter differently). Shuffling holds its level for
 * bursty values that are mostly zero, where a bootstrap alone does not.
 *
 * Several recordings on a side: the recording is the unit, and with two to ten of them a bootstrap's intervals are far too
 * narrow: Welch's t interval, of the logarithms where all are above zero.
 *
 * Pure, one thread, reproducible. */
#pragma once

#include "rf-cells.h"
#include "rf-random.h"

G_BEGIN_DECLS

/** RF_BOOTSTRAP_MIN_BLOCKS: fewer on a side prove nothing */
#define RF_BOOTSTRAP_MIN_BLOCKS 8

/**
 * RfEstimate:
 * @ratio: whether @effect, @low and @high are after by before; else after less before
 * @low, @high: 95 %
 * @p: not corrected
 * @spread: standard error of the logarithm of the ratio (or of the difference by the mean), NAN if it cannot be told
 * @constant: all values of both sides are equal: there is nothing to test
 */
typedef struct {
    double before, after;
    gboolean ratio;
    double effect, low, high;
    double p;
    double spread;
    gboolean constant;
} RfEstimate;

/** rf_block_length: Returns: cells in a block that is long against what @cells remember; at least a fortieth of them */
guint rf_block_length (const RfCells *cells);

/** rf_estimate_blocks: Returns: FALSE if there are fewer than RF_BOOTSTRAP_MIN_BLOCKS on a side */
gboolean rf_estimate_blocks (const RfCells *before, const RfCells *after, RfEstimate *estimate);
/** rf_estimate_units: one number a recording. Returns: FALSE if there are fewer than three in all, or none on one side */
gboolean rf_estimate_units (const double *before, guint n_before, const double *after, guint n_after,
                            RfEstimate *estimate);
/** rf_estimate_pairs: each with itself, all above zero (tiles). Returns: FALSE if there are fewer than six */
gboolean rf_estimate_pairs (const double *before, const double *after, guint n, RfEstimate *estimate);

/** rf_holm: corrects @n probabilities in place (Holm 1979) */
void rf_holm (double *p, guint n);

/** rf_t_two_sided: the probability of a t at least as far from 0. rf_t_quantile: the t that 97.5 % lie below */
double rf_t_two_sided (double t, double df);
double rf_t_quantile (double df);

G_END_DECLS
