#define G_LOG_DOMAIN "rf-monitor-marks"

#include "config.h"

#include "rf-monitor-marks.h"

#include <glib/gi18n.h>

struct _RfMonitorMarks {
    GObject parent_instance;
    RfClient *client;
    RfSampler *sampler; /* NULL: somebody listens to the signal only */
    GHashTable *states; /* record id → RfRecordState */
    gint64 since;       /* seconds since 1970 */
    gboolean asking;
    gboolean ask_again;
};

G_DEFINE_FINAL_TYPE (RfMonitorMarks, rf_monitor_marks, G_TYPE_OBJECT)

static guint marked_signal;

static gboolean
is_written (RfRecordState state)
{
    return state == RF_RECORD_TRIAL || state == RF_RECORD_KEEPING || state == RF_RECORD_KEPT;
}

gboolean
rf_monitor_marks_judge (const RfRecordState *before, const RfRecord *now, gint64 since, RfMarkKind *kind)
{
    const gboolean was_pending = before == NULL ? now->created >= since : *before == RF_RECORD_PENDING;
    const gboolean was_written = before == NULL || is_written (*before) || *before == RF_RECORD_REVERTING;

    if (is_written (now->state) && was_pending) {
        *kind = RF_MARK_APPLIED;
        return TRUE;
    }
    /* what was refused or failed is a record, too, but nothing of it was ever there */
    if (now->state == RF_RECORD_REVERTED && was_written && now->reason != RF_REASON_FAILED
        && now->reason != RF_REASON_CANCELLED && (before != NULL || now->changed >= since)) {
        *kind = RF_MARK_TAKEN_BACK;
        return TRUE;
    }
    return FALSE;
}

static void
mark (RfMonitorMarks *self, RfMarkKind kind, const char *words)
{
    if (self->sampler != NULL)
        rf_sampler_mark (self->sampler, kind, words);
    g_signal_emit (self, marked_signal, 0, (guint)kind);
}

/* Several records that change at once ("take everything back") are one event for the one who looks. */
static void
look_at (RfMonitorMarks *self, GPtrArray *records)
{
    gboolean seen[2] = {FALSE, FALSE};

    for (guint i = 0; i < records->len; i++) {
        const RfRecord *record = records->pdata[i];
        RfRecordState *before = g_hash_table_lookup (self->states, record->id);
        RfMarkKind kind = RF_MARK_APPLIED;

        if (rf_monitor_marks_judge (before, record, self->since, &kind))
            seen[kind] = TRUE;
        if (before == NULL) {
            before = g_new (RfRecordState, 1);
            g_hash_table_insert (self->states, g_strdup (record->id), before);
        }
        *before = record->state;
    }
    if (seen[RF_MARK_TAKEN_BACK])
        /* Translators: words at a line in a graph: at this moment settings were taken back */
        mark (self, RF_MARK_TAKEN_BACK, C_ ("mark", "taken back"));
    if (seen[RF_MARK_APPLIED])
        /* Translators: words at a line in a graph: at this moment settings were applied */
        mark (self, RF_MARK_APPLIED, C_ ("mark", "applied"));
}

static void ask (RfMonitorMarks *self);

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfMonitorMarks) self = RF_MONITOR_MARKS (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_client_list_finish (RF_CLIENT (source), result, &error);

    self->asking = FALSE;
    if (records != NULL)
        look_at (self, records);
    else
        g_debug ("the records could not be read: %s", error->message);
    if (self->ask_again)
        ask (self);
}

static void
ask (RfMonitorMarks *self)
{
    self->ask_again = self->asking;
    if (self->asking)
        return;
    self->asking = TRUE;
    rf_client_list_async (self->client, listed_cb, g_object_ref (self));
}

static void
rf_monitor_marks_finalize (GObject *object)
{
    RfMonitorMarks *self = RF_MONITOR_MARKS (object);

    g_clear_object (&self->client);
    g_clear_object (&self->sampler);
    g_hash_table_unref (self->states);
    G_OBJECT_CLASS (rf_monitor_marks_parent_class)->finalize (object);
}

static void
rf_monitor_marks_class_init (RfMonitorMarksClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_monitor_marks_finalize;
    marked_signal = g_signal_new ("marked", RF_TYPE_MONITOR_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_UINT);
}

static void
rf_monitor_marks_init (RfMonitorMarks *self)
{
    self->states = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    self->since = g_get_real_time () / G_USEC_PER_SEC;
}

RfMonitorMarks *
rf_monitor_marks_new (RfClient *client, RfSampler *sampler)
{
    RfMonitorMarks *self = NULL;

    g_return_val_if_fail (RF_IS_CLIENT (client), NULL);
    g_return_val_if_fail (sampler == NULL || RF_IS_SAMPLER (sampler), NULL);

    self = g_object_new (RF_TYPE_MONITOR_MARKS, NULL);
    self->client = g_object_ref (client);
    g_set_object (&self->sampler, sampler);
    g_signal_connect_object (client, "records-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
    return self;
}
