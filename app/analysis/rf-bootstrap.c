#define G_LOG_DOMAIN "rf-bootstrap"
#include "config.h"

#include "rf-bootstrap.h"

#include "rf-array.h"
#include "rf-student.h"

#include <math.h>
#include <stdlib.h>

enum {
    RESAMPLES = 1999,
    SHUFFLES = 4999,
    ENOUGH = 250,     /* shuffles at least as far off: the probability is clearly no small one */
    MOST_BLOCKS = 40,
    LONG = 6,         /* a block is so many times as long as the process remembers */
    FEWEST_SUMS = 40, /* in which its memory is looked for */
};

#define SEED G_GUINT64_CONSTANT (0x527563656c667265)

/* mean and its squared standard error, of the ratio of two sums */
typedef struct {
    double value;
    double variance;
} Mean;

static Mean
mean_of (const RfBlock *blocks, guint n)
{
    double num = 0, den = 0, squares = 0;
    for (guint i = 0; i < n; i++) {
        num += blocks[i].num;
        den += blocks[i].den;
    }
    double value = num / den;
    for (guint i = 0; i < n; i++) {
        double rest = blocks[i].num - value * blocks[i].den;
        squares += rest * rest;
    }
    return (Mean){value, n > 1 ? squares * n / ((n - 1) * den * den) : 0};
}

/* how far apart, in standard errors; 0 by 0 is not apart */
static double
distance (Mean before, Mean after)
{
    double difference = fabs (after.value - before.value);
    double error = sqrt (before.variance + after.variance);
    double scale = fmax (fabs (before.value), fabs (after.value));
    if (difference <= 1e-12 * scale)
        return 0;
    return error > 0 ? difference / error : INFINITY;
}

/* For how many values @x remembers: 1 + 2 × the sum of its autocorrelations, up to a lag that is five times as long as what has
 * been found so far (Sokal's window): further out there is only noise. Returns: 0 if not even neighbours are more alike
 * than chance makes them */
static double
memory (double *x, guint n)
{
    double mean = 0, variance = 0, time = 1;
    for (guint i = 0; i < n; i++)
        mean += x[i] / n;
    for (guint i = 0; i < n; i++) {
        x[i] -= mean;
        variance += x[i] * x[i];
    }
    for (guint lag = 1; lag < n / 3 && lag < 5 * time && variance > 0; lag++) {
        double covariance = 0;
        for (guint i = lag; i < n; i++)
            covariance += x[i] * x[i - lag];
        if (lag == 1 && covariance < 2 / sqrt (n) * variance)
            return 0;
        time = fmax (1, time + 2 * covariance / variance);
    }
    return variance > 0 ? time : 0;
}

guint
rf_block_length (const RfCells *cells)
{
    guint least = MAX (1, (cells->n + MOST_BLOCKS - 1) / MOST_BLOCKS);
    g_autofree double *x = rf_new0 (double, MAX (cells->n, 1));
    double time = 1;
    /* Looked at second by second, a slow swing is lost in the noise of single bursts; in longer and longer sums it is not. */
    for (guint scale = 1; cells->n / scale >= FEWEST_SUMS; scale *= 4) {
        guint n = 0;
        for (guint first = 0; first + scale <= cells->n; first += scale) {
            double num = 0, den = 0;
            for (guint i = first; i < first + scale; i++) {
                num += cells->num[i];
                den += cells->den[i];
            }
            if (den > 0)
                x[n++] = num / den;
        }
        if (n >= FEWEST_SUMS)
            time = fmax (time, scale * memory (x, n));
    }
    return MAX (least, (guint)ceil (LONG * time));
}

static double
shuffled_p (const GArray *before, const GArray *after, RfRandom *random)
{
    guint na = before->len, n = na + after->len, far = 0, done = 0;
    g_autofree RfBlock *all = rf_new0 (RfBlock, n);
    for (guint i = 0; i < n; i++)
        all[i] = i < na ? g_array_index (before, RfBlock, i) : g_array_index (after, RfBlock, i - na);
    double seen = distance (mean_of (all, na), mean_of (all + na, n - na));
    while (done < SHUFFLES && far < ENOUGH) {
        for (guint i = 0; i < na; i++) {
            guint j = i + rf_random_below (random, n - i);
            RfBlock other = all[i];
            all[i] = all[j];
            all[j] = other;
        }
        if (distance (mean_of (all, na), mean_of (all + na, n - na)) >= seen * (1 - 1e-9))
            far++;
        done++;
    }
    return (far + 1.0) / (done + 1.0);
}

static double
resampled (const GArray *blocks, RfRandom *random)
{
    double num = 0, den = 0;
    for (guint i = 0; i < blocks->len; i++) {
        const RfBlock *block = &g_array_index (blocks, RfBlock, rf_random_below (random, blocks->len));
        num += block->num;
        den += block->den;
    }
    return num / den;
}

/* Percentiles of a bootstrap of @n blocks are too narrow by sqrt (n / (n - 1)) and by the difference of t and normal. */
static double
expanded_tail (guint n)
{
    return 0.5 * erfc (sqrt (n / (n - 1.0)) * rf_t_quantile (n - 1.0) / G_SQRT2);
}

/* @draws: sorted; its quantile, between two of them where it falls between */
static double
quantile (const double *draws, guint n, double q)
{
    double at = q * (n - 1);
    guint low = (guint)floor (at);
    guint high = MIN (low + 1, n - 1);
    if (!isfinite (draws[low]) || !isfinite (draws[high]))
        return draws[q < 0.5 ? low : high];
    return draws[low] + (draws[high] - draws[low]) * (at - low);
}

static void
set_interval (RfEstimate *estimate, double *draws, double tail, double centre)
{
    rf_student_sort (draws, RESAMPLES);
    estimate->low = fmin (quantile (draws, RESAMPLES, tail), centre);
    estimate->high = fmax (quantile (draws, RESAMPLES, 1 - tail), centre);
}

/* as a ratio where no draw comes near zero, else as a difference */
static void
bootstrap (const GArray *before, const GArray *after, RfRandom *random, RfEstimate *estimate)
{
    g_autofree double *ratio = rf_new0 (double, RESAMPLES), *difference = rf_new0 (double, RESAMPLES);
    double tail = expanded_tail (MIN (before->len, after->len));
    guint none = 0;
    for (guint i = 0; i < RESAMPLES; i++) {
        double a = resampled (before, random), b = resampled (after, random);
        none += a <= 0 || b <= 0;
        ratio[i] = a > 0 && b > 0 ? log (b / a) : 0;
        difference[i] = b - a;
    }
    estimate->ratio = estimate->before > 0 && estimate->after > 0 && none == 0;
    if (estimate->ratio) {
        double centre = log (estimate->after / estimate->before);
        set_interval (estimate, ratio, tail, centre);
        estimate->spread = (estimate->high - estimate->low) / (2 * 1.96);
        estimate->effect = exp (centre);
        estimate->low = exp (estimate->low);
        estimate->high = exp (estimate->high);
    } else {
        double scale = fabs (estimate->before) + fabs (estimate->after);
        estimate->effect = estimate->after - estimate->before;
        set_interval (estimate, difference, tail, estimate->effect);
        estimate->spread = scale > 0 ? (estimate->high - estimate->low) / (1.96 * scale) : NAN;
    }
}

static gboolean
all_equal (const GArray *before, const GArray *after)
{
    const RfBlock *first = &g_array_index (before, RfBlock, 0);
    double value = first->num / first->den;
    for (guint i = 0; i < before->len + after->len; i++) {
        const RfBlock *block = i < before->len ? &g_array_index (before, RfBlock, i)
                                               : &g_array_index (after, RfBlock, i - before->len);
        if (fabs (block->num / block->den - value) > 1e-12 * fabs (value))
            return FALSE;
    }
    return TRUE;
}

gboolean
rf_estimate_blocks (const RfCells *before, const RfCells *after, RfEstimate *estimate)
{
    guint length = MAX (rf_block_length (before), rf_block_length (after));
    g_autoptr (GArray) a = rf_cells_blocks (before, length);
    g_autoptr (GArray) b = rf_cells_blocks (after, length);
    RfRandom random = {SEED};
    *estimate = (RfEstimate){.p = NAN, .effect = NAN, .low = NAN, .high = NAN, .spread = NAN};
    if (a->len < RF_BOOTSTRAP_MIN_BLOCKS || b->len < RF_BOOTSTRAP_MIN_BLOCKS)
        return FALSE;
    estimate->before = mean_of ((RfBlock *)(gpointer)a->data, a->len).value;
    estimate->after = mean_of ((RfBlock *)(gpointer)b->data, b->len).value;
    estimate->constant = all_equal (a, b);
    if (estimate->constant) {
        estimate->ratio = estimate->before > 0;
        estimate->effect = estimate->low = estimate->high = estimate->ratio ? 1 : 0;
        estimate->spread = 0;
        estimate->p = 1;
        return TRUE;
    }
    estimate->p = shuffled_p (a, b, &random);
    bootstrap (a, b, &random, estimate);
    return TRUE;
}

gboolean
rf_estimate_pairs (const double *before, const double *after, guint n, RfEstimate *estimate)
{
    g_autoptr (GArray) logs = g_array_new (FALSE, FALSE, sizeof (RfBlock));
    g_autofree double *draws = rf_new0 (double, RESAMPLES);
    RfRandom random = {SEED};
    guint far = 0, done = 0;
    *estimate = (RfEstimate){.ratio = TRUE, .p = NAN, .spread = NAN};
    for (guint i = 0; i < n; i++) {
        RfBlock block = {log (after[i] / before[i]), 1};
        g_return_val_if_fail (isfinite (block.num), FALSE);
        g_array_append_val (logs, block);
        estimate->before += before[i] / n;
        estimate->after += after[i] / n;
    }
    if (n < 6)
        return FALSE;
    RfBlock *all = (RfBlock *)(gpointer)logs->data;
    Mean none = {0, 0}, mean = mean_of (all, n);
    for (guint i = 0; i < RESAMPLES; i++)
        draws[i] = resampled (logs, &random);
    set_interval (estimate, draws, expanded_tail (n), mean.value);
    estimate->spread = (estimate->high - estimate->low) / (2 * 1.96);
    estimate->effect = exp (mean.value);
    estimate->low = exp (estimate->low);
    estimate->high = exp (estimate->high);
    /* without an effect each pair could as well stand the other way round */
    double seen = distance (none, mean);
    for (; done < SHUFFLES && far < ENOUGH; done++) {
        for (guint i = 0; i < n; i++)
            if (rf_random_next (&random) >> 63)
                all[i].num = -all[i].num;
        far += distance (none, mean_of (all, n)) >= seen * (1 - 1e-9);
    }
    estimate->p = (far + 1.0) / (done + 1.0);
    return TRUE;
}
