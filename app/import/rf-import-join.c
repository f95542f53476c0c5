#define G_LOG_DOMAIN "rf-import"
#include "config.h"

#include "rf-error.h"
#include "rf-array.h"
#include "rf-import-private.h"

#include <glib/gi18n.h>

/* 31 years */
#define TIME_MAX_NS G_GINT64_CONSTANT (1000000000000000000)

/* Returns: (transfer full): @table, @shift_ns later */
static RfTable *
shifted (RfTable *table, gint64 shift_ns)
{
    guint columns = rf_table_n_columns (table);
    RfTable *moved = rf_table_new (rf_table_name (table));
    g_autofree float *row = rf_new0 (float, columns + 1);
    for (guint i = 0; i < columns; i++)
        rf_table_add_column (moved, rf_table_column_name (table, i));
    for (gsize at = 0; at < rf_table_n_rows (table); at++) {
        for (guint i = 0; i < columns; i++)
            row[i] = rf_table_values (table, i)[at];
        rf_table_append (moved, rf_table_times (table)[at] + shift_ns, row);
    }
    return moved;
}

static gboolean
refuse (GError **error, const char *why)
{
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, why);
    return FALSE;
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
    const RfGap *left = a, *right = b;
    return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

gboolean
rf_import_join (RfRecording *into, RfRecording *other, gint64 offset_ns, GError **error)
{
    gint64 start, end, other_start, other_end, shift;
    if (into->anchor_wall_us == 0)
        return refuse (error, _ ("The recording does not say when it was made, so nothing can be joined to it."));
    if (other->anchor_wall_us == 0)
        return refuse (error, _ ("When the file was recorded is not known, so it cannot be joined."));
    if (!rf_recording_span (into, &start, &end) || !rf_recording_span (other, &other_start, &other_end))
        return refuse (error, _ ("One of the two is empty."));
    /* session.ini may say anything: no sum below may leave 64 bits */
    const gint64 times[]
        = {start, end, other_start, other_end, offset_ns, into->anchor_monotonic_ns, other->anchor_monotonic_ns};
    for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
        if (times[i] < -TIME_MAX_NS || times[i] > TIME_MAX_NS)
            return refuse (error, _ ("The two share no time."));
    if (ABS (into->anchor_wall_us / 2 - other->anchor_wall_us / 2) > TIME_MAX_NS / 2000)
        return refuse (error, _ ("The two share no time."));
    shift = (other->anchor_wall_us - into->anchor_wall_us) * 1000 + offset_ns + into->anchor_monotonic_ns
            - other->anchor_monotonic_ns;
    if (other_end + shift < start || other_start + shift > end)
        return refuse (error, _ ("The two share no time."));
    for (guint i = 0; i < other->tables->len; i++)
        if (rf_recording_table (into, rf_table_name (other->tables->pdata[i])) != NULL)
            return refuse (error, _ ("The recording already has what the file would bring."));
    for (guint i = 0; i < other->tables->len; i++)
        rf_recording_add_table (into, shifted (other->tables->pdata[i], shift));
    g_ptr_array_set_size (other->tables, 0);
    for (guint i = 0; i < other->events->len; i++) {
        RfEvent event = g_array_index (other->events, RfEvent, i);
        event.time_ns += shift;
        g_array_append_val (into->events, event);
    }
    for (guint i = 0; i < other->gaps->len; i++) {
        RfGap gap = g_array_index (other->gaps, RfGap, i);
        gap.start_ns += shift;
        gap.end_ns += shift;
        g_array_append_val (into->gaps, gap);
    }
    rf_import_sort_events (into);
    g_array_sort (into->gaps, compare_gaps);
    return TRUE;
}
