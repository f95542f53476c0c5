#define G_LOG_DOMAIN "rf-disk-sample"
#include "config.h"

#include "rf-disk-sample.h"

#include <math.h>
#include <string.h>

#include "rf-delta.h"

typedef enum {
    READS,
    READ_SECTORS,
    READ_MS,
    WRITES,
    WRITE_SECTORS,
    WRITE_MS,
    IO_MS,
    N_FIELDS,
} Field;

static const gsize offsets[N_FIELDS] = {
    [READS] = G_STRUCT_OFFSET (RfDiskRow, reads),
    [READ_SECTORS] = G_STRUCT_OFFSET (RfDiskRow, read_sectors),
    [READ_MS] = G_STRUCT_OFFSET (RfDiskRow, read_ms),
    [WRITES] = G_STRUCT_OFFSET (RfDiskRow, writes),
    [WRITE_SECTORS] = G_STRUCT_OFFSET (RfDiskRow, write_sectors),
    [WRITE_MS] = G_STRUCT_OFFSET (RfDiskRow, write_ms),
    [IO_MS] = G_STRUCT_OFFSET (RfDiskRow, io_ms),
};

/* One disk to be: the sum of its rows (several for a multipath head). */
typedef struct {
    char name[32];
    double sum[N_FIELDS];
    double busiest_ms;
    double in_flight;
    gboolean baseline;
} Total;

/* One counter can wrap in an interval, even two; that three fall at once means that the device is a new one. */
#define MAX_WRAPS 2

/* Returns: whether @now continues @before */
static gboolean
row_delta (const RfDiskRow *before, const RfDiskRow *now, double interval_s, guint64 delta[N_FIELDS])
{
    if (before->diskseq != 0 && now->diskseq != 0 && before->diskseq != now->diskseq)
        return FALSE;
    guint wraps = 0;
    for (guint i = 0; i < N_FIELDS; i++) {
        guint64 old = G_STRUCT_MEMBER (guint64, before, offsets[i]);
        guint64 new = G_STRUCT_MEMBER (guint64, now, offsets[i]);
        wraps += new < old;
        if (rf_counter_delta (RF_COUNTER (old), RF_COUNTER (new), interval_s, &delta[i]) != RF_AVAIL_OK)
            return FALSE;
    }
    return wraps <= MAX_WRAPS;
}

/* the order hardly ever changes between two readings */
static const RfDiskRow *
find_before (const RfDiskstats *before, guint index, const char *name)
{
    if (before == NULL || before->rows == NULL)
        return NULL;
    if (index < before->rows->len) {
        const RfDiskRow *row = &g_array_index (before->rows, RfDiskRow, index);
        if (g_str_equal (row->name, name))
            return row;
    }
    return rf_diskstats_find (before, name);
}

static Total *
find_total (GArray *totals, const char *name)
{
    /* rows of one head lie close together */
    for (guint i = totals->len; i > 0; i--) {
        Total *total = &g_array_index (totals, Total, i - 1);
        if (g_str_equal (total->name, name))
            return total;
    }
    Total fresh = {.in_flight = 0};
    g_strlcpy (fresh.name, name, sizeof fresh.name);
    g_array_append_val (totals, fresh);
    return &g_array_index (totals, Total, totals->len - 1);
}

static void
add_row (Total *total, const RfDiskRow *before, const RfDiskRow *now, double interval_s)
{
    /* some old drivers let the number fall below zero */
    total->in_flight += now->in_flight <= G_MAXINT32 ? (double)now->in_flight : NAN;
    guint64 delta[N_FIELDS];
    if (before == NULL || !row_delta (before, now, interval_s, delta))
        return;
    for (guint i = 0; i < N_FIELDS; i++)
        total->sum[i] += (double)delta[i];
    total->busiest_ms = MAX (total->busiest_ms, (double)delta[IO_MS]);
    total->baseline = TRUE;
}

static RfDiskSample
finish (const Total *total, double interval_s)
{
    RfDiskSample out = {.avail = RF_AVAIL_NO_BASELINE, .in_flight = total->in_flight};
    g_strlcpy (out.name, total->name, sizeof out.name);
    out.read_iops = out.write_iops = out.read_bytes_per_s = out.write_bytes_per_s = NAN;
    out.read_latency_ms = out.write_latency_ms = out.utilisation = NAN;
    if (!total->baseline)
        return out;
    const double *sum = total->sum;
    out.avail = RF_AVAIL_OK;
    out.read_iops = sum[READS] / interval_s;
    out.write_iops = sum[WRITES] / interval_s;
    out.read_bytes_per_s = sum[READ_SECTORS] * RF_SECTOR_BYTES / interval_s;
    out.write_bytes_per_s = sum[WRITE_SECTORS] * RF_SECTOR_BYTES / interval_s;
    if (sum[READS] > 0)
        out.read_latency_ms = sum[READ_MS] / sum[READS];
    if (sum[WRITES] > 0)
        out.write_latency_ms = sum[WRITE_MS] / sum[WRITES];
    /* the two clocks differ a little, so a busy disk can come out just above 1 */
    out.utilisation = MIN (total->busiest_ms / (interval_s * 1000), 1);
    return out;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
    return strcmp (((const RfDiskSample *)a)->name, ((const RfDiskSample *)b)->name);
}

static gboolean
is_head (GHashTable *heads, const RfDiskRow *row)
{
    return row->kind == RF_DISK_ROW_WHOLE && g_hash_table_contains (heads, row->name);
}

GArray *
rf_disk_samples_derive (const RfDiskstats *before, const RfDiskstats *now, double interval_s)
{
    g_autoptr (GHashTable) heads = g_hash_table_new (g_str_hash, g_str_equal);
    guint n_rows = now->rows != NULL ? now->rows->len : 0;
    for (guint i = 0; i < n_rows; i++) {
        RfDiskRow *row = &g_array_index (now->rows, RfDiskRow, i);
        if (row->kind == RF_DISK_ROW_PATH)
            g_hash_table_add (heads, row->head);
    }
    g_autoptr (GArray) totals = g_array_new (FALSE, FALSE, sizeof (Total));
    for (guint i = 0; i < n_rows; i++) {
        const RfDiskRow *row = &g_array_index (now->rows, RfDiskRow, i);
        gboolean path = row->kind == RF_DISK_ROW_PATH;
        /* newer kernels count on the head as well; adding both would double everything */
        if ((!path && row->kind != RF_DISK_ROW_WHOLE) || is_head (heads, row))
            continue;
        Total *total = find_total (totals, path ? row->head : row->name);
        add_row (total, find_before (before, i, row->name), row, interval_s);
    }
    GArray *samples = g_array_sized_new (FALSE, FALSE, sizeof (RfDiskSample), totals->len);
    for (guint i = 0; i < totals->len; i++) {
        RfDiskSample sample = finish (&g_array_index (totals, Total, i), interval_s);
        g_array_append_val (samples, sample);
    }
    g_array_sort (samples, compare_names);
    return samples;
}
