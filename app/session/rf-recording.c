#define G_LOG_DOMAIN "rf-recording"
#include "config.h"

#include "rf-recording.h"

RfRecording *
rf_recording_new (void)
{
    RfRecording *self = g_new0 (RfRecording, 1);
    self->name = g_strdup ("");
    self->source = g_strdup ("");
    self->workload = g_strdup ("");
    self->kernel = g_strdup ("");
    self->machine = g_strdup ("");
    self->settings_start = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    self->untrusted = g_ptr_array_new_with_free_func (g_free);
    self->tables = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_table_unref);
    self->events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    self->gaps = g_array_new (FALSE, FALSE, sizeof (RfGap));
    return self;
}

void
rf_recording_free (RfRecording *self)
{
    g_free (self->name);
    g_free (self->source);
    g_free (self->workload);
    g_free (self->kernel);
    g_free (self->machine);
    g_hash_table_unref (self->settings_start);
    g_clear_pointer (&self->settings_end, g_hash_table_unref);
    g_ptr_array_unref (self->untrusted);
    g_ptr_array_unref (self->tables);
    g_array_unref (self->events);
    g_array_unref (self->gaps);
    g_free (self);
}

void
rf_recording_set (char **field, const char *text)
{
    g_autofree char *old = *field;
    *field = g_strdup (text);
}

RfTable *
rf_recording_table (const RfRecording *self, const char *name)
{
    for (guint i = 0; i < self->tables->len; i++)
        if (g_str_equal (rf_table_name (self->tables->pdata[i]), name))
            return self->tables->pdata[i];
    return NULL;
}

RfTable *
rf_recording_add_table (RfRecording *self, RfTable *table)
{
    g_assert (rf_recording_table (self, rf_table_name (table)) == NULL);
    g_ptr_array_add (self->tables, table);
    return table;
}

gboolean
rf_recording_span (const RfRecording *self, gint64 *start_ns, gint64 *end_ns)
{
    gint64 start = G_MAXINT64, end = G_MININT64;
    for (guint i = 0; i < self->tables->len; i++) {
        const RfTable *table = self->tables->pdata[i];
        gsize rows = rf_table_n_rows (table);
        if (rows == 0)
            continue;
        start = MIN (start, rf_table_times (table)[0]);
        end = MAX (end, rf_table_times (table)[rows - 1]);
    }
    for (guint i = 0; i < self->events->len; i++) {
        const RfEvent *event = &g_array_index (self->events, RfEvent, i);
        start = MIN (start, event->time_ns);
        end = MAX (end, event->time_ns + event->duration_ns);
    }
    if (start > end)
        return FALSE;
    *start_ns = start;
    *end_ns = end;
    return TRUE;
}

/* Returns: FALSE if it is empty */
static gboolean
find_first (const RfRecording *self, gint64 *first_ns)
{
    const RfTable *table = rf_recording_table (self, "samples");
    for (guint i = 0; i < self->tables->len && (table == NULL || rf_table_n_rows (table) == 0); i++)
        table = self->tables->pdata[i];
    if (table != NULL && rf_table_n_rows (table) > 0)
        *first_ns = rf_table_times (table)[0];
    else if (self->events->len > 0)
        *first_ns = g_array_index (self->events, RfEvent, 0).time_ns;
    else
        return FALSE;
    return TRUE;
}

guint64
rf_recording_trim (RfRecording *self)
{
    gint64 first_ns;
    guint64 dropped = 0;
    if (!find_first (self, &first_ns))
        return 0;
    gint64 middle_ns
        = CLAMP (first_ns, G_MININT64 + 2 * RF_RECORDING_SPAN_MAX_NS, G_MAXINT64 - 2 * RF_RECORDING_SPAN_MAX_NS);
    gint64 from_ns = middle_ns - RF_RECORDING_SPAN_MAX_NS, to_ns = middle_ns + RF_RECORDING_SPAN_MAX_NS;
    for (guint i = 0; i < self->tables->len; i++)
        dropped += rf_table_trim (self->tables->pdata[i], from_ns, to_ns);
    guint events = 0, gaps = 0;
    for (guint i = 0; i < self->events->len; i++) {
        const RfEvent *event = &g_array_index (self->events, RfEvent, i);
        if (event->time_ns >= from_ns && event->time_ns <= to_ns && event->duration_ns <= to_ns - event->time_ns)
            g_array_index (self->events, RfEvent, events++) = *event;
    }
    for (guint i = 0; i < self->gaps->len; i++) {
        const RfGap *gap = &g_array_index (self->gaps, RfGap, i);
        if (gap->start_ns >= from_ns && gap->end_ns <= to_ns)
            g_array_index (self->gaps, RfGap, gaps++) = *gap;
    }
    dropped += self->events->len - events + self->gaps->len - gaps;
    g_array_set_size (self->events, events);
    g_array_set_size (self->gaps, gaps);
    return dropped;
}

gint64
rf_recording_wall_us (const RfRecording *self, gint64 time_ns)
{
    if (self->anchor_wall_us == 0)
        return 0;
    return self->anchor_wall_us + (time_ns - self->anchor_monotonic_ns) / 1000;
}
