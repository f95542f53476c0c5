/* The metrics that come from events.csv. */
#define G_LOG_DOMAIN "rf-metrics-events"
#include "config.h"

#include "rf-metrics-private.h"

#include <math.h>
#include <string.h>

/* A histogram says how many requests lie between two edges, not where: they are spread evenly over that many points. */
#define POINTS_IN_BUCKET 8

/* one edge of one disk's histogram: its count so far */
typedef struct {
    gint64 edge_ns;
    double count;
} Bucket;

typedef struct {
    GArray *buckets;  /* of Bucket, ascending */
    RfCells *latency; /* of requests that were completed in the range */
    RfCells *slowest; /* (nullable): of single events */
} Disk;

static void
disk_free (gpointer data)
{
    Disk *self = data;
    g_array_unref (self->buckets);
    g_clear_pointer (&self->latency, rf_cells_free);
    g_clear_pointer (&self->slowest, rf_cells_free);
    g_free (self);
}

/* Returns: (transfer full) (nullable): the disk of "DISK write", NULL for anything else */
static char *
written_disk (const RfEvent *event)
{
    const char *blank = strrchr (event->subject, ' ');
    if (blank == NULL || blank == event->subject || !g_str_equal (blank + 1, "write"))
        return NULL;
    return g_strndup (event->subject, (gsize)(blank - event->subject));
}

static Disk *
disk_for (GHashTable *disks, const RfMetricsRun *run, char *name)
{
    Disk *disk = g_hash_table_lookup (disks, name);
    if (disk == NULL) {
        disk = g_new0 (Disk, 1);
        disk->buckets = g_array_new (FALSE, FALSE, sizeof (Bucket));
        disk->latency = rf_cells_new (RF_CELLS_QUANTILE, run->start_ns, run->end_ns);
        g_hash_table_insert (disks, g_strdup (name), disk);
    }
    return disk;
}

static gboolean
within (const RfMetricsRun *run, gint64 time_ns)
{
    return time_ns >= run->start_ns && time_ns < run->end_ns;
}

static Bucket *
bucket_for (Disk *disk, gint64 edge_ns)
{
    guint at = 0;
    while (at < disk->buckets->len && g_array_index (disk->buckets, Bucket, at).edge_ns < edge_ns)
        at++;
    if (at == disk->buckets->len || g_array_index (disk->buckets, Bucket, at).edge_ns != edge_ns) {
        Bucket bucket = {.edge_ns = edge_ns};
        g_array_insert_val (disk->buckets, at, bucket);
    }
    return &g_array_index (disk->buckets, Bucket, at);
}

/* @in_range: whether what was added since the line before belongs to it */
static void
add_histogram_line (Disk *disk, const RfMetricsRun *run, const RfEvent *event, gboolean in_range)
{
    Bucket *bucket = bucket_for (disk, event->duration_ns);
    gboolean has_lower = bucket > (Bucket *)(gpointer)disk->buckets->data;
    double upper = (double)event->duration_ns / 1e6;
    double lower = has_lower ? (double)bucket[-1].edge_ns / 1e6 : upper / 2;
    double added = event->amount >= bucket->count ? event->amount - bucket->count : event->amount;
    bucket->count = event->amount;
    if (!in_range || !(added > 0) || !isfinite (added))
        return;
    for (guint i = 0; i < POINTS_IN_BUCKET; i++)
        rf_cells_add (disk->latency, rf_metrics_cell (run, event->time_ns),
                      lower + (upper - lower) * (i + 0.5) / POINTS_IN_BUCKET, added / POINTS_IN_BUCKET);
}

static void
add_disks (RfMetricsRun *run, GHashTable *disks)
{
    guint n_latency = 0, n_slowest = 0;
    GHashTableIter iter;
    gpointer name, data;
    g_hash_table_iter_init (&iter, disks);
    while (g_hash_table_iter_next (&iter, &name, &data)) {
        Disk *disk = data;
        double p99 = rf_cells_value (disk->latency);
        if (!isnan (p99)) {
            rf_metrics_add (run, RF_METRIC_WRITE_LATENCY_P99, name, p99, g_steal_pointer (&disk->latency));
            n_latency++;
        }
        if (disk->slowest != NULL) {
            double slowest = rf_cells_value (disk->slowest);
            rf_metrics_add (run, RF_METRIC_WRITE_LATENCY_MAX, name, slowest, g_steal_pointer (&disk->slowest));
            n_slowest++;
        }
    }
    if (n_latency == 0)
        rf_metrics_missing (run, RF_METRIC_WRITE_LATENCY_P99, RF_MISSING_EVENTS);
    if (n_slowest == 0)
        rf_metrics_missing (run, RF_METRIC_WRITE_LATENCY_MAX, RF_MISSING_EVENTS);
}

/* Nothing says in a recording that events were traced but the events of a trace: its histograms are written every ten
 * seconds, whether there was a stall or not. */
static gboolean
was_traced (const RfRecording *recording)
{
    for (guint i = 0; i < recording->events->len; i++)
        switch (g_array_index (recording->events, RfEvent, i).kind) {
        case RF_EVENT_RECLAIM:
        case RF_EVENT_IO:
        case RF_EVENT_IO_HISTOGRAM:
        case RF_EVENT_ORPHAN:
        case RF_EVENT_LOST:
            return TRUE;
        default:
            break;
        }
    return FALSE;
}

static void
add_traced (RfMetricsRun *run)
{
    if (!was_traced (run->recording)) {
        rf_metrics_missing (run, RF_METRIC_RECLAIM_WAIT, RF_MISSING_TRACE);
        rf_metrics_missing (run, RF_METRIC_WRITE_LATENCY_P99, RF_MISSING_TRACE);
        rf_metrics_missing (run, RF_METRIC_WRITE_LATENCY_MAX, RF_MISSING_TRACE);
        return;
    }
    g_autoptr (GHashTable) disks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, disk_free);
    RfCells *wait = rf_cells_new (RF_CELLS_SUM, run->start_ns, run->end_ns);
    double waited = 0;
    /* a second without an event is one without a wait */
    for (guint i = 0; i < wait->n; i++)
        wait->den[i] = i + 1 < wait->n ? 1 : (double)(run->end_ns - run->start_ns - (gint64)i * RF_CELL_NS) / 1e9;
    for (guint i = 0; i < run->recording->events->len; i++) {
        const RfEvent *event = &g_array_index (run->recording->events, RfEvent, i);
        gboolean in_range = within (run, event->time_ns);
        double ms = (double)event->duration_ns / 1e6;
        if (event->kind == RF_EVENT_RECLAIM && in_range) {
            wait->num[rf_metrics_cell (run, event->time_ns)] += ms;
            waited += ms;
        }
        if (event->kind != RF_EVENT_IO && event->kind != RF_EVENT_IO_HISTOGRAM)
            continue;
        g_autofree char *name = written_disk (event);
        if (name == NULL)
            continue;
        Disk *disk = disk_for (disks, run, name);
        if (event->kind == RF_EVENT_IO_HISTOGRAM) {
            add_histogram_line (disk, run, event, in_range);
        } else if (in_range) {
            if (disk->slowest == NULL)
                disk->slowest = rf_cells_new (RF_CELLS_MAX, run->start_ns, run->end_ns);
            rf_cells_add (disk->slowest, rf_metrics_cell (run, event->time_ns), ms, 1);
        }
    }
    rf_metrics_add (run, RF_METRIC_RECLAIM_WAIT, "", waited, wait);
    add_disks (run, disks);
}

typedef struct {
    double sum;
    guint n;
} Tile;

static void
add_tiles (RfMetricsRun *run)
{
    g_autoptr (GHashTable) tiles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    double worst = NAN;
    for (guint i = 0; i < run->recording->events->len; i++) {
        const RfEvent *event = &g_array_index (run->recording->events, RfEvent, i);
        if (event->kind != RF_EVENT_TILE || !within (run, event->time_ns))
            continue;
        Tile *tile = g_hash_table_lookup (tiles, event->subject);
        if (tile == NULL) {
            tile = g_new0 (Tile, 1);
            g_hash_table_insert (tiles, g_strdup (event->subject), tile);
        }
        tile->sum += (double)event->duration_ns / 1e6;
        tile->n++;
        worst = fmax (worst, (double)event->duration_ns / 1e6);
    }
    if (isnan (worst)) {
        rf_metrics_missing (run, RF_METRIC_TILE_WORST, RF_MISSING_EVENTS);
        rf_metrics_missing (run, RF_METRIC_TILE_LOAD, RF_MISSING_EVENTS);
        return;
    }
    rf_metrics_add (run, RF_METRIC_TILE_WORST, "", worst, NULL);
    GHashTableIter iter;
    gpointer name, data;
    g_hash_table_iter_init (&iter, tiles);
    while (g_hash_table_iter_next (&iter, &name, &data)) {
        const Tile *tile = data;
        rf_metrics_add (run, RF_METRIC_TILE_LOAD, name, tile->sum / tile->n, NULL);
    }
}

void
rf_metrics_events (RfMetricsRun *run)
{
    add_traced (run);
    add_tiles (run);
}
