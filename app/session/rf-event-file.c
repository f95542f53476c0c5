#define G_LOG_DOMAIN "rf-event-file"
#include "config.h"

#include "rf-csv.h"
#include "rf-error.h"
#include "rf-event-file.h"

#define WRITE_AT 65536

static gint
compare_time (gconstpointer a, gconstpointer b)
{
    const RfEvent *one = a, *other = b;
    return (one->time_ns > other->time_ns) - (one->time_ns < other->time_ns);
}

static gboolean
read_header (RfCsv *csv, GError **error)
{
    RfCsvKind kind;
    while ((kind = rf_csv_next (csv, error)) == RF_CSV_COMMENT)
        ;
    if (kind == RF_CSV_FAILED)
        return FALSE;
    guint n = 0;
    const RfCsvField *fields = rf_csv_fields (csv, &n);
    if (kind == RF_CSV_LINE && g_str_equal (fields[0].text, RF_EVENT_HEADER))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'events.csv' does not begin with a line of names");
    return FALSE;
}

gboolean
rf_events_read (int fd, GArray *events, RfTableNotes *notes, GError **error)
{
    g_autoptr (RfCsv) csv = rf_csv_new (fd, ',');
    rf_csv_set_whole (csv, TRUE);
    if (!read_header (csv, error))
        return FALSE;
    while (TRUE) {
        RfCsvKind kind = rf_csv_next (csv, error);
        guint n = 0;
        const RfCsvField *fields = rf_csv_fields (csv, &n);
        RfEvent event;
        if (kind == RF_CSV_FAILED)
            return FALSE;
        if (kind == RF_CSV_END)
            break;
        if (kind == RF_CSV_COMMENT)
            continue;
        if (kind == RF_CSV_DAMAGED || !rf_event_parse (fields[0].text, fields[0].length, &event)
            || event.time_ns > G_MAXINT64 / 2 || event.duration_ns > G_MAXINT64 / 2) {
            notes->damaged++;
            continue;
        }
        if (events->len >= RF_EVENTS_MAX) {
            notes->cut = TRUE;
            break;
        }
        g_array_append_val (events, event);
    }
    notes->torn = notes->torn || rf_csv_is_torn (csv);
    /* what the app notes stands between what the helper found out later */
    g_array_sort (events, compare_time);
    return TRUE;
}

gboolean
rf_events_write (const GArray *events, int fd, GError **error)
{
    g_autoptr (GString) text = g_string_new (RF_EVENT_HEADER "\n");
    for (guint i = 0; i < events->len; i++) {
        char line[RF_EVENT_LINE_MAX];
        gsize length = rf_event_format (&g_array_index (events, RfEvent, i), line, sizeof line);
        g_string_append_len (text, line, (gssize)length);
        if (text->len < WRITE_AT)
            continue;
        if (!rf_fd_write_all (fd, text->str, text->len, error))
            return FALSE;
        g_string_truncate (text, 0);
    }
    return rf_fd_write_all (fd, text->str, text->len, error);
}
