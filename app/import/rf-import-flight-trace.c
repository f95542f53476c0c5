#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-import-flight.h"

#include "rf-array.h"

#include <math.h>
#include <string.h>

#define DAY_S 86400
#define HALF_DAY_S 43200
#define DAYS_MAX G_GINT64_CONSTANT (400)
#define SECTOR_BYTES 512.0
#define MINOR_BITS 20 /* dev_t of the kernel: include/linux/kdev_t.h */
#define STEP_S 900
#define EARLIEST_MINUTES (-12 * 60)
#define LATEST_MINUTES (14 * 60)

/* " name=123" somewhere in @line. Returns: FALSE if it is not there or no number */
static gboolean
number_after (const char *line, const char *name, gint64 *out)
{
    const char *at = g_strrstr (line, name);
    if (at == NULL)
        return FALSE;
    at += strlen (name);
    gsize length = strcspn (at, " ");
    g_autofree char *word = g_strndup (at, MIN (length, 32));
    return rf_import_integer (word, out);
}

/* "pid=10157 comm=Main Thread reclaim_us=38 nr_reclaimed=64": a thread may call itself anything */
static gboolean
parse_reclaim (const char *line, RfEvent *event)
{
    gint64 pid, us, pages;
    const char *name = strstr (line, " comm=");
    const char *end = g_strrstr (line, " reclaim_us=");
    if (!g_str_has_prefix (line, "pid=") || name == NULL || end == NULL || end < name + 6)
        return FALSE;
    g_autofree char *id = g_strndup (line + 4, (gsize)(name - line - 4));
    g_autofree char *comm = g_strndup (name + 6, (gsize)(end - name - 6));
    if (!rf_import_integer (id, &pid) || pid > G_MAXINT32 || !number_after (end, " reclaim_us=", &us)
        || us > G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC || !number_after (end, " nr_reclaimed=", &pages))
        return FALSE;
    event->kind = RF_EVENT_RECLAIM;
    event->pid = (gint32)pid; /* the process; the name is the thread's */
    event->duration_ns = us * 1000;
    event->amount = (double)pages;
    rf_import_event_text (event->process, sizeof event->process, comm);
    return TRUE;
}

/* "dev=271581186 sector=96323712 lat_ms=7 nr_sector=128" */
static gboolean
parse_io (const char *line, RfEvent *event)
{
    gint64 dev, ms, sectors;
    if (!number_after (line, "dev=", &dev) || dev > G_MAXUINT32 || !number_after (line, " lat_ms=", &ms)
        || ms > G_GINT64_CONSTANT (86400) * 1000 || !number_after (line, " nr_sector=", &sectors)
        || sectors > G_MAXUINT32)
        return FALSE;
    event->kind = RF_EVENT_IO;
    event->duration_ns = ms * 1000000;
    event->amount = (double)sectors * SECTOR_BYTES;
    g_snprintf (event->subject, sizeof event->subject, "%u:%u", (guint)(dev >> MINOR_BITS),
                (guint)(dev & ((1 << MINOR_BITS) - 1)));
    return TRUE;
}

static gboolean
parse_line (RfFlightTrace *self, const char *line, gint64 time_ns)
{
    RfEvent event = {.time_ns = time_ns};
    if (g_str_has_prefix (line, "KSWAPD_WAKE ")) {
        g_array_append_val (self->wakes, time_ns);
        return TRUE;
    }
    if (g_str_has_prefix (line, "KSWAPD_SLEEP ")) {
        self->n_sleeps++;
        return TRUE;
    }
    if (self->events->len >= RF_IMPORT_ROWS_MAX || (!parse_reclaim (line, &event) && !parse_io (line, &event)))
        return FALSE;
    g_array_append_val (self->events, event);
    return TRUE;
}

/* What bpftrace says itself, and the maps that it prints when it ends */
static gboolean
is_chatter (const char *line)
{
    return g_str_has_prefix (line, "WARNING: ") || g_str_has_prefix (line, "Attaching ") || line[0] == '@';
}

RfFlightTrace *
rf_flight_trace_new (RfImportText *text, GError **error)
{
    g_autoptr (RfFlightTrace) self = rf_new0 (RfFlightTrace, 1);
    self->events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    self->wakes = g_array_new (FALSE, FALSE, sizeof (gint64));
    gint64 day_s = 0;
    int last = -1;
    char *line;
    while ((line = rf_import_text_next (text)) != NULL) {
        int seconds;
        const char *rest;
        if (is_chatter (line))
            continue;
        if (!rf_import_clock (line, &seconds, &rest) || *rest != ' ') {
            rf_import_text_bad (text);
            continue;
        }
        /* lines of several CPUs may stand in another order, but not by hours */
        if (last >= 0 && seconds < last - HALF_DAY_S)
            day_s += DAY_S;
        else if (last >= 0 && seconds > last + HALF_DAY_S && day_s > 0)
            day_s -= DAY_S;
        last = seconds;
        if (day_s <= DAYS_MAX * DAY_S
            && parse_line (self, rest + 1, (day_s + seconds) * G_GINT64_CONSTANT (1000000000)))
            rf_import_text_good (text);
        else
            rf_import_text_bad (text);
    }
    if (!rf_import_text_finish (text, error))
        return NULL;
    return g_steal_pointer (&self);
}

void
rf_flight_trace_free (RfFlightTrace *self)
{
    g_array_unref (self->events);
    g_array_unref (self->wakes);
    g_free (self);
}

/* Returns: (transfer full): second → how many of them */
static GHashTable *
count_seconds (const RfFlightTrace *trace, guint *total)
{
    GHashTable *counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    gboolean reclaim = FALSE;
    *total = 0;
    for (guint i = 0; i < trace->events->len && !reclaim; i++)
        reclaim = g_array_index (trace->events, RfEvent, i).kind == RF_EVENT_RECLAIM;
    guint n = reclaim ? trace->events->len : trace->wakes->len;
    for (guint i = 0; i < n; i++) {
        const RfEvent *event = reclaim ? &g_array_index (trace->events, RfEvent, i) : NULL;
        if (event != NULL && event->kind != RF_EVENT_RECLAIM)
            continue;
        gint64 second = (event != NULL ? event->time_ns : g_array_index (trace->wakes, gint64, i)) / 1000000000;
        guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, &second));
        g_hash_table_insert (counts, g_memdup2 (&second, sizeof second), GUINT_TO_POINTER (count + 1));
        (*total)++;
    }
    return counts;
}

/* Returns: (transfer full): set of wall-clock seconds in which the samples saw it; a second more at each end, because
 * the clock was cut to seconds and the trace writes late */
static GHashTable *
seen_seconds (RfTable *samples, gint64 start_ns, gboolean reclaim)
{
    GHashTable *seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    guint column = rf_table_find (samples, reclaim ? "allocstalls_per_s" : "kswapd_pages_per_s");
    if (column == RF_TABLE_NONE)
        return seen;
    const float *values = rf_table_values (samples, column);
    const gint64 *times = rf_table_times (samples);
    for (gsize i = 1; i < rf_table_n_rows (samples); i++) {
        gint64 from = (start_ns + times[i - 1]) / 1000000000 - 1, to = (start_ns + times[i]) / 1000000000 + 1;
        if (!(values[i] > 0) || to - from > 60)
            continue;
        for (gint64 second = from; second <= to; second++)
            g_hash_table_add (seen, g_memdup2 (&second, sizeof second));
    }
    return seen;
}

static guint
score (GHashTable *counts, GHashTable *seen, gint64 shift_s)
{
    guint sum = 0;
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init (&iter, counts);
    while (g_hash_table_iter_next (&iter, &key, &value)) {
        gint64 second = *(gint64 *)key + shift_s;
        if (g_hash_table_contains (seen, &second))
            sum += GPOINTER_TO_UINT (value);
    }
    return sum;
}

gboolean
rf_flight_trace_offset (const RfFlightTrace *trace, RfTable *samples, gint64 start_ns, gint64 *shift_ns,
                        int *utc_offset_minutes)
{
    guint total = 0, best = 0, second = 0;
    gint64 best_shift = 0, best_offset = 0;
    g_autoptr (GHashTable) counts = count_seconds (trace, &total);
    gboolean reclaim = trace->events->len > 0 && total > 0 && g_hash_table_size (counts) > 0
                       && g_array_index (trace->events, RfEvent, 0).kind == RF_EVENT_RECLAIM;
    g_autoptr (GHashTable) seen = seen_seconds (samples, start_ns, reclaim);
    gint64 midnight_s = start_ns / 1000000000 / DAY_S * DAY_S;
    if (total == 0)
        return FALSE;
    for (int minutes = EARLIEST_MINUTES; minutes <= LATEST_MINUTES; minutes += STEP_S / 60)
        /* the local day of the first line may have begun before or after the day of UTC */
        for (int day = -1; day <= 1; day++) {
            gint64 shift = midnight_s + (gint64)day * DAY_S - (gint64)minutes * 60;
            guint points = score (counts, seen, shift);
            if (points > best) {
                second = best;
                best = points;
                best_shift = shift;
                best_offset = minutes;
            } else if (points > second && shift != best_shift) {
                second = points;
            }
        }
    /* nearly all of it has to fit at one place, and little of it at any other */
    if (best < total - total / 5 || second > best / 2)
        return FALSE;
    *shift_ns = best_shift * G_GINT64_CONSTANT (1000000000);
    *utc_offset_minutes = (int)best_offset;
    return TRUE;
}
