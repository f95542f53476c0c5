#define G_LOG_DOMAIN "rf-live-recorder"
#include "config.h"

#include "rf-live-recorder.h"

struct _RfLiveRecorder {
    RfLive *live;
    RfRecorder *recorder;
    GHashTable *columns; /* table → its columns, NULL-terminated */
};

static void
table_cb (const char *table, const char *const *columns, gpointer data)
{
    RfLiveRecorder *self = data;
    g_hash_table_insert (self->columns, g_strdup (table), g_strdupv ((char **)columns));
}

static void
row_cb (const char *table, gint64 time_ns, const double *values, guint n, gpointer data)
{
    RfLiveRecorder *self = data;
    char **columns = g_hash_table_lookup (self->columns, table);
    if (columns != NULL && g_strv_length (columns) == n)
        rf_recorder_add_row (self->recorder, table, (const char *const *)columns, time_ns, values);
}

static void
event_cb (const RfEvent *event, gpointer data)
{
    RfLiveRecorder *self = data;
    rf_recorder_add_event (self->recorder, event);
}

RfLiveRecorder *
rf_live_recorder_start (const RfLiveOptions *options, RfRecorder *recorder)
{
    static const RfLiveSink sink = {.table = table_cb, .row = row_cb, .event = event_cb};
    RfLiveRecorder *self = g_new0 (RfLiveRecorder, 1);
    self->recorder = g_object_ref (recorder);
    self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_strfreev);
    self->live = rf_live_start (options, &sink, self);
    return self;
}

void
rf_live_recorder_stop (RfLiveRecorder *self)
{
    rf_live_stop (self->live);
    g_hash_table_unref (self->columns);
    g_object_unref (self->recorder);
    g_free (self);
}
