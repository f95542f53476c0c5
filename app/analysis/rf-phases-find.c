/* The change points. Free memory, the cache, clearing and stalls are each described by a straight line; where two lines in
 * place of one describe them best is a change point, if lines through the shuffled remainders hardly ever gain as much.
 * The same again for the two parts gives at most three. */
#define G_LOG_DOMAIN "rf-phases-find"
#include "config.h"

#include "rf-array.h"
#include "rf-phases.h"
#include "rf-random.h"
#include "rf-sample.h"

#include <math.h>

enum {
    STRETCHES = 240, /* at most */
    FEWEST = 24,     /* stretches in which phases are looked for */
    MARGIN = 6,      /* stretches in a phase, at least */
    SHUFFLES = 299,
    MOST_CUTS = 3,
};

/* a split counts if fewer than one in a hundred shuffles is as good */
#define MOST_BY_CHANCE 0.01
/* … and if two lines leave less than half of what one leaves (the logarithm of that, all signals together): levels that
 * swing for minutes without end have no phases, and shuffling alone does not see through them */
#define LEAST_GAIN 0.75
#define SHORTEST_S 300.0
#define SHORTEST_STRETCH_NS G_GINT64_CONSTANT (10000000000)
/* A level that moves by less than this share of what it moved in all is held. */
#define LEVEL_SHARE 0.2
#define SEED G_GUINT64_CONSTANT (0x5068617365733031)

typedef enum {
    SIGNAL_FREE,    /* its slope is the rate at which programs take memory */
    SIGNAL_CACHE,   /* available without being free: cache that can be dropped */
    SIGNAL_RECLAIM, /* logarithm of pages cleared a second, by kswapd and by programs */
    SIGNAL_STALLS,  /* logarithm */
    N_SIGNALS,
} Signal;

typedef struct {
    guint n;
    gint64 start_ns, stretch_ns;
    double *signals[N_SIGNALS]; /* NULL where it was not recorded */
    guint cut[MOST_CUTS]; /* first stretch of the part behind it */
    guint n_cuts;
    RfRandom random;
} Finder;

static void
finder_clear (Finder *self)
{
    for (guint i = 0; i < N_SIGNALS; i++)
        g_free (self->signals[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* Means of @column by stretch; a stretch without a value is as the one before. Returns: NULL if there is none at all */
static double *
stretch_means (const Finder *self, const RfTable *table, RfColumn column)
{
    guint number = rf_table_find (table, rf_column_info (column)->name);
    if (number == RF_TABLE_NONE)
        return NULL;
    g_autofree double *sum = rf_new0 (double, self->n);
    g_autofree guint *known = rf_new0 (guint, self->n);
    const float *values = rf_table_values (table, number);
    const gint64 *times = rf_table_times (table);
    gboolean any = FALSE;
    for (gsize i = 0; i < rf_table_n_rows (table); i++) {
        guint at = (guint)MIN ((times[i] - self->start_ns) / self->stretch_ns, (gint64)self->n - 1);
        if (isnan (values[i]))
            continue;
        sum[at] += values[i];
        known[at]++;
        any = TRUE;
    }
    if (!any)
        return NULL;
    guint first = 0;
    while (known[first] == 0)
        first++;
    double last = sum[first] / known[first];
    for (guint i = 0; i < self->n; i++)
        last = sum[i] = known[i] > 0 ? sum[i] / known[i] : last;
    return g_steal_pointer (&sum);
}

static void
take_logs (double *values, guint n)
{
    for (guint i = 0; values != NULL && i < n; i++)
        values[i] = log1p (fmax (0, values[i]));
}

static gboolean
finder_init (Finder *self, const RfRecording *recording)
{
    const RfTable *table = rf_recording_table (recording, "samples");
    if (table == NULL || rf_table_n_rows (table) < 2)
        return FALSE;
    const gint64 *times = rf_table_times (table);
    self->start_ns = times[0];
    gint64 span = times[rf_table_n_rows (table) - 1] - times[0];
    if ((double)span < SHORTEST_S * 1e9)
        return FALSE;
    self->stretch_ns = MAX (SHORTEST_STRETCH_NS, span / STRETCHES + 1);
    self->n = (guint)(span / self->stretch_ns);
    if (self->n < FEWEST)
        return FALSE;
    self->signals[SIGNAL_FREE] = stretch_means (self, table, RF_COLUMN_FREE);
    self->signals[SIGNAL_CACHE] = stretch_means (self, table, RF_COLUMN_AVAILABLE);
    if (self->signals[SIGNAL_FREE] == NULL)
        return FALSE;
    for (guint i = 0; self->signals[SIGNAL_CACHE] != NULL && i < self->n; i++)
        self->signals[SIGNAL_CACHE][i] -= self->signals[SIGNAL_FREE][i];
    g_autofree double *direct = stretch_means (self, table, RF_COLUMN_DIRECT_RECLAIM);
    self->signals[SIGNAL_RECLAIM] = stretch_means (self, table, RF_COLUMN_KSWAPD);
    for (guint i = 0; self->signals[SIGNAL_RECLAIM] != NULL && direct != NULL && i < self->n; i++)
        self->signals[SIGNAL_RECLAIM][i] += direct[i];
    self->signals[SIGNAL_STALLS] = stretch_means (self, table, RF_COLUMN_ALLOCSTALLS);
    take_logs (self->signals[SIGNAL_RECLAIM], self->n);
    take_logs (self->signals[SIGNAL_STALLS], self->n);
    self->random.state = SEED;
    return TRUE;
}

/* Sums of the first i values, so that a line through any part costs nothing. */
typedef struct {
    guint n;
    double *y, *xy, *yy;
} Sums;

static Sums
sums_new (const double *values, guint n)
{
    Sums self = {.n = n, .y = rf_new0 (double, n + 1), .xy = rf_new0 (double, n + 1), .yy = rf_new0 (double, n + 1)};
    for (guint i = 0; i < n; i++) {
        self.y[i + 1] = self.y[i] + values[i];
        self.xy[i + 1] = self.xy[i] + i * values[i];
        self.yy[i + 1] = self.yy[i] + values[i] * values[i];
    }
    return self;
}

static void
sums_clear (Sums *self)
{
    g_free (self->y);
    g_free (self->xy);
    g_free (self->yy);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

/* the line through @first..@last - 1; Returns: the sum of squares that it leaves */
static double
line (const Sums *self, guint first, guint last, double *slope, double *offset)
{
    double n = last - first, x = (first + last - 1) / 2.0;
    double y = (self->y[last] - self->y[first]) / n;
    double xx = n * (n * n - 1) / 12;
    double xy = self->xy[last] - self->xy[first] - n * x * y;
    *slope = xx > 0 ? xy / xx : 0;
    *offset = y - *slope * x;
    return fmax (0, self->yy[last] - self->yy[first] - n * y * y - *slope * xy);
}

/* Returns: how much better two lines are than one, in likelihood, at the best split */
static double
best_split (const Sums *sums, guint k, guint *cut)
{
    double best = 0, slope, offset;
    guint n = sums[0].n;
    for (guint at = MARGIN; at + MARGIN <= n; at++) {
        double score = 0;
        for (guint s = 0; s < k; s++) {
            double one = line (&sums[s], 0, n, &slope, &offset);
            double two = line (&sums[s], 0, at, &slope, &offset) + line (&sums[s], at, n, &slope, &offset);
            score += n * log (one / fmax (two, 1e-9 * one));
        }
        if (score > best) {
            best = score;
            *cut = at;
        }
    }
    return best;
}

/* Mean 0 and variance 1, so that sums of squares keep their digits. Returns: FALSE if all are equal */
static gboolean
normalise (const double *values, guint n, double *out)
{
    double mean = 0, squares = 0, scale = 0;
    for (guint i = 0; i < n; i++) {
        mean += values[i] / n;
        scale = fmax (scale, fabs (values[i]));
    }
    for (guint i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean) / n;
    if (!(sqrt (squares) > 1e-9 * scale))
        return FALSE;
    for (guint i = 0; i < n; i++)
        out[i] = (values[i] - mean) / sqrt (squares);
    return TRUE;
}

/* what the two lines leave of @values, in place. Returns: for how many stretches it remembers */
static double
take_remainders (double *values, guint n, guint cut)
{
    g_auto (Sums) sums = sums_new (values, n);
    double slope, offset, variance = 0, time = 1;
    for (guint i = 0; i < n; i++) {
        if (i == 0 || i == cut)
            line (&sums, i, i == 0 ? cut : n, &slope, &offset);
        values[i] -= offset + slope * i;
        variance += values[i] * values[i];
    }
    for (guint lag = 1; lag < n / 3 && lag < 5 * time && variance > 0; lag++) {
        double covariance = 0;
        for (guint i = lag; i < n; i++)
            covariance += values[i] * values[i - lag];
        time = fmax (1, time + 2 * covariance / variance);
    }
    return time;
}

/* chunks of @length, each begun anywhere in @from (in a ring): also few of them can be put together in many ways */
static void
shuffle_chunks (double *const *from, double *const *to, guint k, guint n, guint length, RfRandom *random)
{
    for (guint at = 0; at < n; at += length) {
        guint start = rf_random_below (random, n);
        for (guint i = 0; i < MIN (length, n - at); i++)
            for (guint s = 0; s < k; s++)
                to[s][at + i] = from[s][(start + i) % n];
    }
}

/* the best split of @first..@last - 1; Returns: FALSE if chance could have made it */
static gboolean
split (Finder *self, guint first, guint last, guint *cut)
{
    guint n = last - first, k = 0, as_good = 0, ignored = 0;
    double *values[N_SIGNALS], *shuffled[N_SIGNALS], time = 1;
    Sums sums[N_SIGNALS];
    if (n < FEWEST)
        return FALSE;
    g_autofree double *space = rf_new0 (double, (gsize)n * N_SIGNALS * 2);
    for (guint s = 0; s < N_SIGNALS; s++) {
        values[k] = space + (gsize)k * n;
        shuffled[k] = space + (gsize)(N_SIGNALS + k) * n;
        if (self->signals[s] != NULL && normalise (self->signals[s] + first, n, values[k]))
            k++;
    }
    if (k == 0)
        return FALSE;
    for (guint s = 0; s < k; s++)
        sums[s] = sums_new (values[s], n);
    double score = best_split (sums, k, cut);
    for (guint s = 0; s < k; s++) {
        sums_clear (&sums[s]);
        time = fmax (time, take_remainders (values[s], n, *cut));
    }
    for (guint i = 0; i < SHUFFLES; i++) {
        shuffle_chunks (values, shuffled, k, n, (guint)ceil (time), &self->random);
        for (guint s = 0; s < k; s++)
            sums[s] = sums_new (shuffled[s], n);
        as_good += best_split (sums, k, &ignored) >= score;
        for (guint s = 0; s < k; s++)
            sums_clear (&sums[s]);
    }
    *cut += first;
    return (as_good + 1.0) / (SHUFFLES + 1) < MOST_BY_CHANCE && score > LEAST_GAIN * n;
}

/* The clearest split of all, and then one in each of its parts. */
static void
find_cuts (Finder *self)
{
    guint middle = 0, left = 0, right = 0;
    if (!split (self, 0, self->n, &middle))
        return;
    if (split (self, 0, middle, &left))
        self->cut[self->n_cuts++] = left;
    self->cut[self->n_cuts++] = middle;
    if (split (self, middle, self->n, &right))
        self->cut[self->n_cuts++] = right;
}

/* the middle of @level over @first..@last - 1 */
static double
middle (const double *level, guint first, guint last)
{
    double sum = 0;
    for (guint i = first; i < last; i++)
        sum += level[i];
    return sum / (last - first);
}

static gboolean
holds_level (const double *level, guint first, guint n)
{
    if (level == NULL)
        return TRUE;
    double least = level[0], most = level[0];
    for (guint i = 1; i < n; i++) {
        least = fmin (least, level[i]);
        most = fmax (most, level[i]);
    }
    guint quarter = MAX (1, (n - first) / 4);
    double moved = fabs (middle (level, n - quarter, n) - middle (level, first, first + quarter));
    return moved <= LEVEL_SHARE * (most - least);
}

void
rf_phases_find (const RfRecording *recording, RfPhases *phases)
{
    g_auto (Finder) finder = {0};
    gint64 end_ns = 0, start_ns = 0;
    *phases = (RfPhases){0};
    if (!finder_init (&finder, recording))
        return;
    find_cuts (&finder);
    if (finder.n_cuts == 0)
        return;
    guint last = finder.cut[finder.n_cuts - 1];
    gboolean balanced = holds_level (finder.signals[SIGNAL_FREE], last, finder.n)
                        && holds_level (finder.signals[SIGNAL_CACHE], last, finder.n);
    rf_phases_range (phases, recording, RF_PHASE_WHOLE, &start_ns, &end_ns);
    start_ns = finder.start_ns;
    for (guint i = 0; i <= finder.n_cuts; i++) {
        gint64 until = i < finder.n_cuts ? finder.start_ns + finder.cut[i] * finder.stretch_ns : end_ns;
        RfPhaseKind kind = i == 0 ? RF_PHASE_WARM_UP : i == finder.n_cuts && balanced ? RF_PHASE_EQUILIBRIUM
                                                                                     : RF_PHASE_BUILD_UP;
        if (!phases->found[kind])
            phases->start_ns[kind] = start_ns;
        phases->found[kind] = TRUE;
        phases->end_ns[kind] = until;
        start_ns = until;
    }
}
