/* The recording as the unit: Welch's t, and the correction for several metrics. */
#define G_LOG_DOMAIN "rf-student"
#include "config.h"

#include "rf-array.h"
#include "rf-bootstrap.h"
#include "rf-student.h"

#include <math.h>
#include <stdlib.h>

static int
compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void
rf_student_sort (double *values, guint n)
{
    qsort (values, n, sizeof *values, compare_doubles);
}

/* The continued fraction of the incomplete beta function, by Lentz's method (Abramowitz and Stegun 26.5.8). */
static double
beta_fraction (double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs (d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 300; m++) {
        for (int odd = 0; odd < 2; odd++) {
            double term = odd ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                              : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 + term * d;
            d = 1 / (fabs (d) < tiny ? tiny : d);
            c = 1 + term / c;
            c = fabs (c) < tiny ? tiny : c;
            value *= d * c;
        }
        if (fabs (d * c - 1) < 1e-14)
            break;
    }
    return value;
}

/* regularised, for a, b > 0 and 0 <= x <= 1 */
static double
incomplete_beta (double a, double b, double x)
{
    int sign;
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp (lgamma_r (a + b, &sign) - lgamma_r (a, &sign) - lgamma_r (b, &sign) + a * log (x)
                        + b * log1p (-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction (a, b, x) / a;
    return 1 - front * beta_fraction (b, a, 1 - x) / b;
}

double
rf_t_two_sided (double t, double df)
{
    if (isinf (t))
        return 0;
    return incomplete_beta (df / 2, 0.5, df / (df + t * t));
}

double
rf_t_quantile (double df)
{
    double low = 0, high = 1e4;
    for (guint i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (rf_t_two_sided (middle, df) > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high;
}

typedef struct {
    double mean;
    double squares;
} Side;

static Side
side_of (const double *values, guint n, gboolean logs)
{
    Side side = {0, 0};
    for (guint i = 0; i < n; i++)
        side.mean += (logs ? log (values[i]) : values[i]) / n;
    for (guint i = 0; i < n; i++) {
        double rest = (logs ? log (values[i]) : values[i]) - side.mean;
        side.squares += rest * rest;
    }
    return side;
}

/* squared standard error of the difference, and its degrees of freedom; a side of one borrows the other's scatter */
static double
error_of (Side a, guint na, Side b, guint nb, double *df)
{
    if (na == 1 || nb == 1) {
        *df = na + nb - 2.0;
        return (a.squares + b.squares) / *df * (1.0 / na + 1.0 / nb);
    }
    double va = a.squares / (na - 1.0) / na, vb = b.squares / (nb - 1.0) / nb;
    double divisor = va * va / (na - 1.0) + vb * vb / (nb - 1.0);
    *df = divisor > 0 ? (va + vb) * (va + vb) / divisor : na + nb - 2.0;
    return va + vb;
}

static double
choose (guint n, guint k)
{
    double ways = 1;
    for (guint i = 1; i <= k; i++)
        ways *= (double)(n - k + i) / i;
    return ways;
}

gboolean
rf_estimate_units (const double *before, guint n_before, const double *after, guint n_after, RfEstimate *estimate)
{
    gboolean logs = TRUE;
    double df = 1;
    *estimate = (RfEstimate){.p = NAN, .effect = NAN, .low = NAN, .high = NAN, .spread = NAN};
    if (n_before == 0 || n_after == 0 || n_before + n_after < 3)
        return FALSE;
    for (guint i = 0; i < n_before + n_after; i++)
        logs = logs && (i < n_before ? before[i] : after[i - n_before]) > 0;
    estimate->before = side_of (before, n_before, FALSE).mean;
    estimate->after = side_of (after, n_after, FALSE).mean;
    estimate->ratio = logs;
    Side a = side_of (before, n_before, logs), b = side_of (after, n_after, logs);
    double error = sqrt (error_of (a, n_before, b, n_after, &df));
    double difference = b.mean - a.mean, scale = fmax (fabs (a.mean), fabs (b.mean));
    gboolean apart = fabs (difference) > 1e-12 * scale, scatter = error > 1e-12 * scale;
    estimate->constant = !apart && !scatter;
    /* Without any scatter t would be without bounds; the arrangements of the recordings are not. */
    estimate->p = scatter ? rf_t_two_sided (difference / error, df)
                          : apart ? fmin (1, 2 / choose (n_before + n_after, n_before)) : 1;
    double half = rf_t_quantile (df) * error;
    estimate->effect = logs ? exp (difference) : difference;
    estimate->low = logs ? exp (difference - half) : difference - half;
    estimate->high = logs ? exp (difference + half) : difference + half;
    double mean = (fabs (estimate->before) + fabs (estimate->after)) / 2;
    estimate->spread = logs ? error : mean > 0 ? error / mean : 0;
    return TRUE;
}

void
rf_holm (double *p, guint n)
{
    g_autofree guint *order = rf_new0 (guint, MAX (n, 1));
    double least = 0;
    for (guint i = 0; i < n; i++) {
        guint at = i;
        for (; at > 0 && p[order[at - 1]] > p[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (guint i = 0; i < n; i++) {
        least = fmin (1, fmax (least, p[order[i]] * (n - i)));
        p[order[i]] = least;
    }
}
