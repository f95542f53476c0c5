#define G_LOG_DOMAIN "rf-sampler"

#include "config.h"

#include "rf-sampler.h"

#include <math.h>
#include <string.h>

#include "rf-clock.h"

typedef struct {
    RfSeries *series[RF_N_DISK_COLUMNS];
    guint64 seen; /* how many samples there were, this disk's last one included */
} RfDiskHistory;

struct _RfSampler {
    GObject parent_instance;
    RfSysroot *sysroot;
    RfSysroot *keeping; /* the same, but its files stay open */
    guint interval_ms;
    guint capacity;
    guint calm_every; /* intervals between two looks while nobody wants to see every one */
    guint holders;
    guint lively; /* holders that do */
    gboolean unseen;
    double left_over; /* of an interval, beyond the newest place */
    guint timer;
    guint timer_ms;
    gboolean paused; /* nobody was looking until now */
    RfSnapshot *snapshot;
    RfSample *sample;
    RfSeries *series[RF_N_COLUMNS];
    RfSeries *interval_s; /* what each sample covers */
    GHashTable *disks;    /* name → RfDiskHistory */
    RfMarks *marks;
};

G_DEFINE_FINAL_TYPE (RfSampler, rf_sampler, G_TYPE_OBJECT)

enum {
    SIGNAL_SAMPLED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

double
rf_disk_sample_latency_ms (const RfDiskSample *disk)
{
    const double reads = isfinite (disk->read_latency_ms) ? disk->read_iops : 0;
    const double writes = isfinite (disk->write_latency_ms) ? disk->write_iops : 0;
    double sum = 0;

    if (!(reads + writes > 0))
        return NAN;
    if (reads > 0)
        sum += reads * disk->read_latency_ms;
    if (writes > 0)
        sum += writes * disk->write_latency_ms;
    return sum / (reads + writes);
}

static void
disk_history_free (RfDiskHistory *history)
{
    for (guint i = 0; i < RF_N_DISK_COLUMNS; i++)
        g_clear_object (&history->series[i]);
    g_free (history);
}

/* A disk that comes later gets gaps for the time before, so that all series keep the same clock. */
static RfDiskHistory *
disk_history (RfSampler *self, const char *name)
{
    RfDiskHistory *history = g_hash_table_lookup (self->disks, name);
    const guint64 total = rf_series_total (self->interval_s);

    if (history != NULL)
        return history;
    history = g_new0 (RfDiskHistory, 1);
    for (guint i = 0; i < RF_N_DISK_COLUMNS; i++) {
        history->series[i] = rf_series_new (self->capacity);
        rf_series_push_gaps (history->series[i], total);
    }
    g_hash_table_insert (self->disks, g_strdup (name), history);
    return history;
}

static void
push_disks (RfSampler *self, const RfSample *sample)
{
    const guint64 total = rf_series_total (self->interval_s);
    GHashTableIter iter;
    gpointer value = NULL;

    for (guint i = 0; i < sample->disks->len; i++) {
        const RfDiskSample *disk = &g_array_index (sample->disks, RfDiskSample, i);
        RfDiskHistory *history = disk_history (self, disk->name);
        const double values[RF_N_DISK_COLUMNS] = {
            [RF_DISK_COLUMN_READ_LATENCY] = disk->read_latency_ms,
            [RF_DISK_COLUMN_WRITE_LATENCY] = disk->write_latency_ms,
            [RF_DISK_COLUMN_READ] = disk->read_bytes_per_s,
            [RF_DISK_COLUMN_WRITE] = disk->write_bytes_per_s,
            [RF_DISK_COLUMN_UTILISATION] = disk->utilisation,
            [RF_DISK_COLUMN_LATENCY] = rf_disk_sample_latency_ms (disk),
            [RF_DISK_COLUMN_TRAFFIC] = disk->read_bytes_per_s + disk->write_bytes_per_s,
        };

        for (guint column = 0; column < RF_N_DISK_COLUMNS; column++)
            rf_series_push (history->series[column], values[column]);
        history->seen = total + 1;
    }
    /* A disk that is gone (or was left out) must keep the clock, too; once nothing of it could be seen any more it is
     * forgotten, or drives that are plugged in again and again would add up. */
    g_hash_table_iter_init (&iter, self->disks);
    while (g_hash_table_iter_next (&iter, NULL, &value)) {
        RfDiskHistory *history = value;

        if (total + 1 - history->seen >= self->capacity) {
            g_hash_table_iter_remove (&iter);
            continue;
        }
        for (guint column = 0; column < RF_N_DISK_COLUMNS; column++) {
            if (rf_series_total (history->series[column]) <= total)
                rf_series_push (history->series[column], NAN);
        }
    }
}

/* Into one of @places places that the sample covers together: each has its share of what is counted, and all of the rest. */
static void
push_sample (RfSampler *self, const RfSample *sample, guint places)
{
    push_disks (self, sample);
    for (guint column = 0; column < RF_N_COLUMNS; column++) {
        const double share = rf_column_info (column)->measure == RF_MEASURE_COUNT ? 1.0 / places : 1;

        rf_series_push (self->series[column],
                        sample->avail[column] == RF_AVAIL_OK ? sample->value[column] * share : NAN);
    }
    rf_series_push (self->interval_s, sample->interval_s / places);
}

/* Seconds in which nobody looked are a gap in every line, not a straight one. */
static void
push_gaps (RfSampler *self, guint count)
{
    GHashTableIter iter;
    gpointer value = NULL;

    for (guint column = 0; column < RF_N_COLUMNS; column++)
        rf_series_push_gaps (self->series[column], count);
    rf_series_push_gaps (self->interval_s, count);
    g_hash_table_iter_init (&iter, self->disks);
    while (g_hash_table_iter_next (&iter, NULL, &value)) {
        RfDiskHistory *history = value;

        for (guint column = 0; column < RF_N_DISK_COLUMNS; column++)
            rf_series_push_gaps (history->series[column], count);
    }
}

static void
take_sample (RfSampler *self)
{
    RfSnapshot *now = rf_snapshot_read (self->keeping);
    const RfSnapshot *before = self->snapshot;
    RfSample *sample = NULL;
    guint passed = 1, places = 1;
    double intervals;

    if (before != NULL) {
        /* the graphs count time asleep too: what was before is not "a minute ago" in the morning */
        const gint64 us = now->monotonic_us - before->monotonic_us + now->asleep_us - before->asleep_us;

        /* every timer is a little late: what is left over is carried on, so that an hour is an hour of places */
        intervals = (double)us / 1000 / self->interval_ms + self->left_over;
        passed = (guint)CLAMP (intervals + 0.5, 1, self->capacity);
        self->left_over = CLAMP (intervals - passed, -0.5, 0.5);
        /* A rate over a pause says nothing about any second of it, so the counting starts anew. A timer that is late is
         * another thing: it is late when memory is short, and just those stalls must not get lost. */
        if (self->paused && passed > 1)
            before = NULL;
    }
    self->paused = FALSE;
    sample = rf_sample_derive (before, now);
    if (sample->interval_s > 0)
        places = MIN (passed, 2 * self->calm_every);
    push_gaps (self, passed - places);
    for (guint i = 0; i < places; i++)
        push_sample (self, sample, places);

    g_clear_pointer (&self->snapshot, rf_snapshot_free);
    g_clear_pointer (&self->sample, rf_sample_free);
    self->snapshot = now;
    self->sample = sample;
    if (!self->unseen)
        g_signal_emit (self, signals[SIGNAL_SAMPLED], 0);
}

static gboolean
tick_cb (gpointer data)
{
    take_sample (RF_SAMPLER (data));
    return G_SOURCE_CONTINUE;
}

/* After every change of who looks. */
static void
set_timer (RfSampler *self)
{
    const guint every = self->lively > 0 && !self->unseen ? 1 : self->calm_every;
    const guint wanted_ms = self->holders > 0 ? self->interval_ms * every : 0;

    if (wanted_ms == self->timer_ms)
        return;
    g_clear_handle_id (&self->timer, g_source_remove);
    if (wanted_ms > 0)
        self->timer = g_timeout_add (wanted_ms, tick_cb, self);
    self->timer_ms = wanted_ms;
}

/* Changing the page releases and holds at once: that must not count a moment twice. */
static gboolean
is_due (RfSampler *self)
{
    return self->snapshot == NULL
           || g_get_monotonic_time () - self->snapshot->monotonic_us >= (gint64)self->interval_ms * 750;
}

static void
rf_sampler_finalize (GObject *object)
{
    RfSampler *self = RF_SAMPLER (object);

    g_clear_handle_id (&self->timer, g_source_remove);
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        g_clear_object (&self->series[i]);
    g_clear_object (&self->interval_s);
    g_clear_pointer (&self->disks, g_hash_table_unref);
    g_clear_object (&self->marks);
    g_clear_pointer (&self->snapshot, rf_snapshot_free);
    g_clear_pointer (&self->sample, rf_sample_free);
    g_clear_object (&self->keeping);
    g_clear_object (&self->sysroot);
    G_OBJECT_CLASS (rf_sampler_parent_class)->finalize (object);
}

static void
rf_sampler_class_init (RfSamplerClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_sampler_finalize;

    signals[SIGNAL_SAMPLED]
        = g_signal_new ("sampled", RF_TYPE_SAMPLER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_sampler_init (RfSampler *self)
{
    self->marks = rf_marks_new ();
    self->disks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)disk_history_free);
}

RfSampler *
rf_sampler_new (RfSysroot *sysroot, guint interval_ms, guint capacity)
{
    RfSampler *self = NULL;

    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);
    g_return_val_if_fail (interval_ms > 0 && capacity >= 2, NULL);

    self = g_object_new (RF_TYPE_SAMPLER, NULL);
    self->sysroot = g_object_ref (sysroot);
    self->keeping = rf_sysroot_new_keeping (sysroot);
    self->interval_ms = interval_ms;
    self->calm_every = 1;
    self->capacity = capacity;
    for (guint i = 0; i < RF_N_COLUMNS; i++)
        self->series[i] = rf_series_new (capacity);
    self->interval_s = rf_series_new (capacity);
    return self;
}

void
rf_sampler_set_calm_every (RfSampler *self, guint intervals)
{
    g_return_if_fail (RF_IS_SAMPLER (self));
    g_return_if_fail (intervals > 0);

    self->calm_every = intervals;
    set_timer (self);
}

void
rf_sampler_hold (RfSampler *self)
{
    g_return_if_fail (RF_IS_SAMPLER (self));

    if (self->holders++ == 0 && is_due (self))
        take_sample (self);
    set_timer (self);
}

void
rf_sampler_release (RfSampler *self)
{
    g_return_if_fail (RF_IS_SAMPLER (self));
    g_return_if_fail (self->holders > 0);

    self->paused = --self->holders == 0;
    set_timer (self);
}

void
rf_sampler_hold_lively (RfSampler *self)
{
    g_return_if_fail (RF_IS_SAMPLER (self));

    self->lively++;
    rf_sampler_hold (self);
    if (self->lively == 1 && is_due (self))
        take_sample (self);
}

void
rf_sampler_release_lively (RfSampler *self)
{
    g_return_if_fail (RF_IS_SAMPLER (self));
    g_return_if_fail (self->lively > 0);

    self->lively--;
    rf_sampler_release (self);
}

void
rf_sampler_set_unseen (RfSampler *self, gboolean unseen)
{
    g_return_if_fail (RF_IS_SAMPLER (self));

    if (self->unseen == unseen)
        return;
    self->unseen = unseen;
    set_timer (self);
    if (unseen || self->holders == 0)
        return;
    if (is_due (self))
        take_sample (self);
    else
        g_signal_emit (self, signals[SIGNAL_SAMPLED], 0);
}

guint
rf_sampler_get_interval_ms (RfSampler *self)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), 0);

    return self->interval_ms;
}

RfSysroot *
rf_sampler_get_sysroot (RfSampler *self)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);

    return self->sysroot;
}

const RfSample *
rf_sampler_get_sample (RfSampler *self)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);

    return self->sample;
}

const RfSnapshot *
rf_sampler_get_snapshot (RfSampler *self)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);

    return self->snapshot;
}

RfSeries *
rf_sampler_get_series (RfSampler *self, RfColumn column)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);
    g_return_val_if_fail (column < RF_N_COLUMNS, NULL);

    return self->series[column];
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
rf_sampler_get_disks (RfSampler *self)
{
    GPtrArray *names = NULL;
    GHashTableIter iter;
    gpointer key = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);

    names = g_ptr_array_new ();
    g_hash_table_iter_init (&iter, self->disks);
    while (g_hash_table_iter_next (&iter, &key, NULL))
        g_ptr_array_add (names, g_strdup (key));
    g_ptr_array_sort (names, compare_names);
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (names, FALSE);
}

RfMarks *
rf_sampler_get_marks (RfSampler *self)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);

    return self->marks;
}

/* Samples that have passed since the newest one: none while somebody looks, many where nobody has for a while. */
static double
intervals_since (RfSampler *self)
{
    const gint64 now_us = g_get_monotonic_time () + rf_clock_asleep ();

    if (self->snapshot == NULL)
        return 0;
    return (double)(now_us - self->snapshot->monotonic_us - self->snapshot->asleep_us) / 1000 / self->interval_ms
           + self->left_over;
}

void
rf_sampler_mark (RfSampler *self, RfMarkKind kind, const char *label)
{
    guint64 total;

    g_return_if_fail (RF_IS_SAMPLER (self));
    g_return_if_fail (label != NULL);

    total = rf_series_total (self->interval_s);
    rf_marks_add (self->marks, total - MIN (total, 1) + (guint64)MAX (intervals_since (self), 0), kind, label);
}

gint64
rf_sampler_get_time (RfSampler *self, guint64 number)
{
    double ahead;

    g_return_val_if_fail (RF_IS_SAMPLER (self), 0);

    ahead = (double)number - ((double)rf_series_total (self->interval_s) - 1) - intervals_since (self);
    return g_get_real_time () + (gint64)(ahead * self->interval_ms * 1000);
}

RfSeries *
rf_sampler_get_disk_series (RfSampler *self, const char *disk, RfDiskColumn column)
{
    RfDiskHistory *history = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (self), NULL);
    g_return_val_if_fail (disk != NULL && column < RF_N_DISK_COLUMNS, NULL);

    history = g_hash_table_lookup (self->disks, disk);
    return history != NULL ? history->series[column] : NULL;
}

double
rf_sampler_sum (RfSampler *self, RfColumn column, double seconds, double *covered)
{
    g_return_val_if_fail (RF_IS_SAMPLER (self), NAN);

    return rf_sampler_sum_between (self, column, 0, (guint)ceil (seconds * 1000 / self->interval_ms), covered);
}

double
rf_sampler_sum_between (RfSampler *self, RfColumn column, guint from, guint to, double *covered)
{
    RfMeasure measure;
    guint64 total, start, end;
    guint count;
    RfSeriesCell value, interval;
    double sum = 0;
    double known = 0;

    g_return_val_if_fail (RF_IS_SAMPLER (self), NAN);
    g_return_val_if_fail (column < RF_N_COLUMNS, NAN);

    measure = rf_column_info (column)->measure;
    total = rf_series_total (self->interval_s);
    start = total - MIN (total, to);
    end = total - MIN (total, from);
    /* both have the same clock and the same capacity, so they are thinned alike */
    while ((count = rf_series_older (self->series[column], start, end, &value)) > 0
           && rf_series_older (self->interval_s, start, end, &interval) == count) {
        const double mean_s = interval.sum / interval.count;

        end -= count;
        if (!(value.count > 0) || !(mean_s > 0))
            continue;
        sum += measure == RF_MEASURE_COUNT ? value.sum : value.sum * mean_s;
        known += value.count * mean_s;
    }
    if (covered != NULL)
        *covered = known;
    return known > 0 ? sum : NAN;
}
