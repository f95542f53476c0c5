#define G_LOG_DOMAIN "rf-comparison"
#include "config.h"

#include "rf-comparison.h"

#include "rf-array.h"
#include "rf-bootstrap.h"

#include <math.h>
#include <string.h>

/* What is a difference, and how the chance of a wrong one is shared out: to the metrics that people feel, to the others; a fifth
 * is kept back for what blocks of one recording still remember of each other. */
#define LEVEL 0.05
#define FELT_SHARE 0.65
#define OTHER_SHARE 0.15
/* the change that @needed is reckoned for, and the quantiles for 95 % certainty and 80 % power */
#define LEAST_CHANGE 1.2
#define QUANTILES (1.96 + 0.84)
#define MOST_NEEDED 99

typedef struct {
    const RfRun *runs;
    guint n;
    RfPhases *phases;
    GPtrArray **values; /* of each run */
} Side;

static void
row_free (gpointer data)
{
    RfComparisonRow *self = data;
    g_free (self->subject);
    g_free (self);
}

static void
detail_free (gpointer data)
{
    RfUnlikeDetail *self = data;
    g_free (self->before);
    g_free (self->after);
    g_free (self);
}

static void
add_unlike (RfComparison *self, RfUnlike unlike, const char *before, const char *after)
{
    for (guint i = 0; i < self->unlike->len; i++)
        if (((RfUnlikeDetail *)self->unlike->pdata[i])->unlike == unlike)
            return;
    RfUnlikeDetail *detail = g_new0 (RfUnlikeDetail, 1);
    detail->unlike = unlike;
    detail->before = g_strdup (before);
    detail->after = g_strdup (after);
    g_ptr_array_add (self->unlike, detail);
}

static const RfRun *
run_at (const Side *before, const Side *after, guint i)
{
    return i < before->n ? &before->runs[i] : &after->runs[i - before->n];
}

static void
find_phases (Side *side)
{
    side->phases = g_new0 (RfPhases, MAX (side->n, 1));
    for (guint i = 0; i < side->n; i++) {
        if (side->runs[i].phases != NULL)
            side->phases[i] = *side->runs[i].phases;
        else
            rf_phases_find (side->runs[i].recording, &side->phases[i]);
    }
}

/* the equilibrium if all have one; the whole if none has any phase; anything else is not alike */
static void
choose_phase (RfComparison *self, const Side *before, const Side *after, const RfPhaseKind *wanted)
{
    guint balanced = 0, none = 0, n = before->n + after->n;
    for (guint i = 0; i < n; i++) {
        const RfPhases *phases = i < before->n ? &before->phases[i] : &after->phases[i - before->n];
        balanced += phases->found[RF_PHASE_EQUILIBRIUM];
        none += !rf_phases_any (phases);
    }
    if (wanted != NULL)
        self->phase = *wanted;
    else
        self->phase = balanced == n || none < n ? RF_PHASE_EQUILIBRIUM : RF_PHASE_WHOLE;
    for (guint i = 0; i < n && self->phase != RF_PHASE_WHOLE; i++) {
        const RfPhases *phases = i < before->n ? &before->phases[i] : &after->phases[i - before->n];
        if (!phases->found[self->phase])
            add_unlike (self, RF_UNLIKE_PHASE, run_at (before, after, i)->recording->name, "");
    }
}

static gboolean
same_settings (GHashTable *a, GHashTable *b)
{
    GHashTableIter iter;
    gpointer key, value;
    if (g_hash_table_size (a) != g_hash_table_size (b))
        return FALSE;
    g_hash_table_iter_init (&iter, a);
    while (g_hash_table_iter_next (&iter, &key, &value))
        if (g_strcmp0 (g_hash_table_lookup (b, key), value) != 0)
            return FALSE;
    return TRUE;
}

/* A change of settings within the phase; without the settings at the end only the events know. */
static gboolean
settings_changed (const RfRecording *recording, gint64 start_ns, gint64 end_ns)
{
    gboolean known = FALSE;
    for (guint i = 0; i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);
        if (event->kind != RF_EVENT_APPLIED && event->kind != RF_EVENT_TAKEN_BACK)
            continue;
        known = TRUE;
        if (event->time_ns >= start_ns && event->time_ns < end_ns)
            return TRUE;
    }
    return !known && recording->settings_end != NULL
           && !same_settings (recording->settings_start, recording->settings_end);
}

static void
check_alike (RfComparison *self, const Side *before, const Side *after)
{
    const RfRecording *first = run_at (before, after, 0)->recording;
    for (guint i = 1; i < before->n + after->n; i++) {
        const RfRecording *other = run_at (before, after, i)->recording;
        if (!g_str_equal (first->workload, other->workload))
            add_unlike (self, RF_UNLIKE_WORKLOAD, first->workload, other->workload);
        if (!g_str_equal (first->machine, other->machine))
            add_unlike (self, RF_UNLIKE_MACHINE, first->machine, other->machine);
        if (!g_str_equal (first->kernel, other->kernel))
            add_unlike (self, RF_UNLIKE_KERNEL, first->kernel, other->kernel);
        for (guint j = 0; j < i; j++)
            if (run_at (before, after, j)->recording == other)
                add_unlike (self, RF_UNLIKE_SAME_RECORDING, other->name, "");
    }
    for (guint i = 0; i < before->n + after->n; i++) {
        const RfRecording *recording = run_at (before, after, i)->recording;
        const RfRecording *head = i < before->n ? first : after->runs[0].recording;
        if (recording->untrusted->len > 0)
            add_unlike (self, RF_UNLIKE_UNTRUSTED, recording->name, recording->untrusted->pdata[0]);
        if (!same_settings (head->settings_start, recording->settings_start))
            add_unlike (self, RF_UNLIKE_SETTINGS, head->name, recording->name);
    }
    self->workload_unknown = *first->workload == '\0';
}

static void
compute_side (RfComparison *self, Side *side)
{
    side->values = g_new0 (GPtrArray *, MAX (side->n, 1));
    for (guint i = 0; i < side->n; i++) {
        const RfRecording *recording = side->runs[i].recording;
        gint64 start_ns = 0, end_ns = 0;
        /* numbers are shown even where they are not compared; without the phase they are those of the whole */
        if (!rf_phases_range (&side->phases[i], recording, self->phase, &start_ns, &end_ns)
            && !rf_phases_range (&side->phases[i], recording, RF_PHASE_WHOLE, &start_ns, &end_ns))
            add_unlike (self, RF_UNLIKE_EMPTY, recording->name, "");
        if (settings_changed (recording, start_ns, end_ns))
            add_unlike (self, RF_UNLIKE_SETTINGS, recording->name, "");
        side->values[i] = rf_metrics_compute (recording, start_ns, end_ns);
    }
}

static void
side_clear (Side *side)
{
    for (guint i = 0; i < side->n && side->values != NULL; i++)
        g_ptr_array_unref (side->values[i]);
    g_free (side->values);
    g_free (side->phases);
}

/* a total by the hours that are known of it */
static double
comparable (const RfMetricValue *value)
{
    if (value == NULL || isnan (value->value))
        return NAN;
    if (!rf_metric_info (value->metric)->total || value->cells == NULL)
        return value->value;
    return rf_cells_value (value->cells) * 3600;
}

/* Returns: (transfer full) (nullable): the numbers of all runs; NULL, and why, if one has none */
static double *
side_numbers (const Side *side, RfMetric metric, const char *subject, double *mean, RfMissing *missing)
{
    g_autofree double *numbers = rf_new0 (double, MAX (side->n, 1));
    *mean = 0;
    *missing = RF_MISSING_NOT;
    for (guint i = 0; i < side->n; i++) {
        const RfMetricValue *value = rf_metrics_find (side->values[i], metric, subject);
        const RfMetricValue *plain = rf_metrics_find (side->values[i], metric, "");
        numbers[i] = comparable (value);
        *mean += numbers[i] / side->n;
        if (isnan (numbers[i]))
            *missing = value != NULL && value->missing != RF_MISSING_NOT ? value->missing
                       : plain != NULL && plain->missing != RF_MISSING_NOT ? plain->missing
                                                                           : RF_MISSING_EVENTS;
    }
    return isnan (*mean) || side->n == 0 ? NULL : g_steal_pointer (&numbers);
}

static double
tile_mean (const Side *side, const char *tile)
{
    double sum = 0;
    guint n = 0;
    for (guint i = 0; i < side->n; i++) {
        const RfMetricValue *value = rf_metrics_find (side->values[i], RF_METRIC_TILE_LOAD, tile);
        if (value != NULL && value->value > 0) {
            sum += value->value;
            n++;
        }
    }
    return n > 0 ? sum / n : NAN;
}

/* each tile with itself; Returns: FALSE if too few were loaded on both sides */
static gboolean
compare_tiles (RfComparisonRow *row, const Side *before, const Side *after, RfEstimate *estimate)
{
    g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (double));
    g_autoptr (GArray) b = g_array_new (FALSE, FALSE, sizeof (double));
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint i = 0; i < before->n; i++)
        for (guint j = 0; j < before->values[i]->len; j++) {
            const RfMetricValue *value = before->values[i]->pdata[j];
            if (value->metric != RF_METRIC_TILE_LOAD || !g_hash_table_add (seen, value->subject))
                continue;
            double x = tile_mean (before, value->subject), y = tile_mean (after, value->subject);
            if (isnan (x) || isnan (y))
                continue;
            g_array_append_val (a, x);
            g_array_append_val (b, y);
        }
    gboolean enough = rf_estimate_pairs ((double *)(gpointer)a->data, (double *)(gpointer)b->data, a->len, estimate);
    row->before = a->len > 0 ? estimate->before : NAN;
    row->after = a->len > 0 ? estimate->after : NAN;
    row->unlike = enough ? RF_UNLIKE_NOT : RF_UNLIKE_TILES;
    return enough;
}

static guint
needed_runs (const RfEstimate *estimate, guint n, gboolean within)
{
    double runs = pow (QUANTILES * estimate->spread / log (LEAST_CHANGE), 2);
    if (isnan (runs) || estimate->constant)
        return 0;
    /* the standard error is that of @n runs; Student's t wants a little more than the normal where the runs are the unit */
    runs = within ? ceil (runs) : ceil (runs * n + 1);
    return runs <= n ? 0 : runs > MOST_NEEDED ? G_MAXUINT : (guint)runs;
}

static gboolean
estimate_row (RfComparison *self, RfComparisonRow *row, const Side *before, const Side *after, RfEstimate *estimate)
{
    if (row->metric == RF_METRIC_TILE_LOAD)
        return compare_tiles (row, before, after, estimate);
    g_autofree double *a = side_numbers (before, row->metric, row->subject, &row->before, &row->missing_before);
    g_autofree double *b = side_numbers (after, row->metric, row->subject, &row->after, &row->missing_after);
    if (a == NULL || b == NULL) {
        row->unlike = RF_UNLIKE_MISSING;
        return FALSE;
    }
    if (!self->within)
        return rf_estimate_units (a, before->n, b, after->n, estimate);
    const RfCells *x = rf_metrics_find (before->values[0], row->metric, row->subject)->cells;
    const RfCells *y = rf_metrics_find (after->values[0], row->metric, row->subject)->cells;
    row->unlike = x == NULL || y == NULL                ? RF_UNLIKE_SINGLE
                  : rf_estimate_blocks (x, y, estimate) ? RF_UNLIKE_NOT
                                                        : RF_UNLIKE_SHORT;
    return row->unlike == RF_UNLIKE_NOT;
}

static void
add_row (RfComparison *self, RfMetric metric, const char *subject, const Side *before, const Side *after)
{
    RfComparisonRow *row = g_new0 (RfComparisonRow, 1);
    RfEstimate estimate = {.p = NAN};
    row->metric = metric;
    row->subject = g_strdup (subject);
    row->per_hour = rf_metric_info (metric)->total;
    row->before = row->after = row->effect = row->low = row->high = row->p = NAN;
    row->outcome = RF_OUTCOME_NOT_COMPARABLE;
    g_ptr_array_add (self->rows, row);
    gboolean tested = estimate_row (self, row, before, after, &estimate);
    if (!tested || self->unlike->len > 0)
        return;
    row->effect_kind = estimate.ratio ? RF_EFFECT_RATIO : RF_EFFECT_DIFFERENCE;
    /* cells are per second */
    double scale = self->within && row->per_hour && !estimate.ratio ? 3600 : 1;
    row->effect = estimate.effect * scale;
    row->low = estimate.low * scale;
    row->high = estimate.high * scale;
    row->p = estimate.p;
    row->outcome = RF_OUTCOME_SAME;
    row->needed = needed_runs (&estimate, MIN (before->n, after->n), self->within || metric == RF_METRIC_TILE_LOAD);
}

/* Each metric, with each subject that either side knows. Hours and kinds of memory are for looking at; whether a backup runs
 * at seven is nobody's settings. */
static void
add_rows (RfComparison *self, const Side *before, const Side *after)
{
    for (guint metric = 0; metric < RF_N_METRICS; metric++) {
        g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
        if (metric == RF_METRIC_IOWAIT_HOUR || metric == RF_METRIC_MEMORY_KIND)
            continue;
        for (guint i = 0; i < before->n + after->n && metric != RF_METRIC_TILE_LOAD; i++) {
            const GPtrArray *values = i < before->n ? before->values[i] : after->values[i - before->n];
            for (guint j = 0; j < values->len; j++) {
                const RfMetricValue *value = values->pdata[j];
                if (value->metric == metric && *value->subject != '\0' && g_hash_table_add (seen, value->subject))
                    add_row (self, metric, value->subject, before, after);
            }
        }
        if (g_hash_table_size (seen) == 0)
            add_row (self, metric, "", before, after);
    }
}

/* Holm's correction and not that of Benjamini and Hochberg: a single wrong "better" is wrong advice, so it is the chance of
 * any that has to stay below 5 %, and the metrics depend on each other in ways that the latter does not allow for. What
 * people feel gets most of it, as the main verdict stands on those. A metric that is the same everywhere is no test. */
static void
correct (RfComparison *self, gboolean felt, double share)
{
    g_autofree double *p = rf_new0 (double, MAX (self->rows->len, 1));
    guint n = 0;
    for (guint pass = 0; pass < 2; pass++) {
        guint at = 0;
        for (guint i = 0; i < self->rows->len; i++) {
            RfComparisonRow *row = self->rows->pdata[i];
            if (row->outcome != RF_OUTCOME_SAME || rf_metric_info (row->metric)->felt != felt || row->before == row->after)
                continue;
            if (pass == 0)
                p[n++] = row->p;
            else
                row->p = fmin (1, p[at++] / share);
        }
        if (pass == 0)
            rf_holm (p, n);
    }
}

static void
judge_row (RfComparisonRow *row)
{
    double none = row->effect_kind == RF_EFFECT_RATIO ? 1 : 0;
    RfBetter better = rf_metric_info (row->metric)->better;
    if (row->outcome != RF_OUTCOME_SAME)
        return;
    if (!(row->p <= LEVEL) || (row->low <= none && row->high >= none))
        return;
    row->needed = 0;
    if (better == RF_BETTER_NEITHER)
        row->outcome = RF_OUTCOME_CHANGED;
    else
        row->outcome = (row->effect < none) == (better == RF_BETTER_LOWER) ? RF_OUTCOME_BETTER : RF_OUTCOME_WORSE;
}

static void
judge (RfComparison *self)
{
    guint count[RF_N_OUTCOMES] = {0};
    correct (self, TRUE, FELT_SHARE);
    correct (self, FALSE, OTHER_SHARE);
    for (guint i = 0; i < self->rows->len; i++) {
        RfComparisonRow *row = self->rows->pdata[i];
        judge_row (row);
        if (!rf_metric_info (row->metric)->felt)
            continue;
        count[row->outcome]++;
        self->needed = MAX (self->needed, row->needed);
    }
    if (count[RF_OUTCOME_BETTER] > 0 && count[RF_OUTCOME_WORSE] > 0)
        self->outcome = RF_OUTCOME_CHANGED;
    else if (count[RF_OUTCOME_BETTER] > 0)
        self->outcome = RF_OUTCOME_BETTER;
    else if (count[RF_OUTCOME_WORSE] > 0)
        self->outcome = RF_OUTCOME_WORSE;
    else
        self->outcome = count[RF_OUTCOME_SAME] > 0 ? RF_OUTCOME_SAME : RF_OUTCOME_NOT_COMPARABLE;
}

RfComparison *
rf_comparison_new (const RfRun *before, guint n_before, const RfRun *after, guint n_after, const RfPhaseKind *phase)
{
    RfComparison *self = g_new0 (RfComparison, 1);
    Side a = {.runs = before, .n = n_before}, b = {.runs = after, .n = n_after};
    self->unlike = g_ptr_array_new_with_free_func (detail_free);
    self->rows = g_ptr_array_new_with_free_func (row_free);
    self->n_before = n_before;
    self->n_after = n_after;
    self->within = n_before == 1 && n_after == 1;
    self->phase = RF_PHASE_WHOLE;
    if (n_before == 0 || n_after == 0) {
        add_unlike (self, RF_UNLIKE_EMPTY, "", "");
        self->outcome = RF_OUTCOME_NOT_COMPARABLE;
        return self;
    }
    find_phases (&a);
    find_phases (&b);
    choose_phase (self, &a, &b, phase);
    check_alike (self, &a, &b);
    compute_side (self, &a);
    compute_side (self, &b);
    add_rows (self, &a, &b);
    judge (self);
    side_clear (&a);
    side_clear (&b);
    return self;
}

void
rf_comparison_free (RfComparison *self)
{
    g_ptr_array_unref (self->unlike);
    g_ptr_array_unref (self->rows);
    g_free (self);
}
