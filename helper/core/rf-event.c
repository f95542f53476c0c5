#define G_LOG_DOMAIN "rf-event"
#include "config.h"

#include "rf-event.h"

#include <math.h>
#include <string.h>

#include "rf-line.h"
#include "rf-text.h"

static const char *const nicks[RF_N_EVENTS] = {
    [RF_EVENT_RECLAIM] = "reclaim",   [RF_EVENT_IO] = "io",           [RF_EVENT_IO_HISTOGRAM] = "io-histogram",
    [RF_EVENT_OOM_KILL] = "oom-kill", [RF_EVENT_FAULT] = "fault",     [RF_EVENT_SWAP_IN] = "swap-in",
    [RF_EVENT_ORPHAN] = "orphan",     [RF_EVENT_LOST] = "lost",       [RF_EVENT_TILE] = "tile",
    [RF_EVENT_GPU_FALL] = "gpu-fall", [RF_EVENT_APPLIED] = "applied", [RF_EVENT_TAKEN_BACK] = "taken-back",
    [RF_EVENT_FREEZE] = "freeze",     [RF_EVENT_MARK] = "mark",
};

const char *
rf_event_kind_nick (RfEventKind kind)
{
    g_return_val_if_fail ((guint)kind < RF_N_EVENTS, NULL);
    return nicks[kind];
}

gboolean
rf_event_kind_from_nick (const char *nick, RfEventKind *out)
{
    for (guint i = 0; i < RF_N_EVENTS; i++) {
        if (!g_str_equal (nick, nicks[i]))
            continue;
        *out = i;
        return TRUE;
    }
    return FALSE;
}

void
rf_event_set_text (char *out, gsize size, const char *bytes, gsize length)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = bytes, *end = bytes + length;
    gsize used = 0;
    while (p < end) {
        gunichar c = g_utf8_get_char_validated (p, end - p);
        gboolean whole = *p != '\0' && c != (gunichar)-1 && c != (gunichar)-2 && !g_ascii_iscntrl (*p);
        gsize step = whole ? (gsize)(g_utf8_next_char (p) - p) : 1, room = whole ? step : 4;
        if (used + room >= size)
            break;
        if (whole)
            memcpy (out + used, p, step);
        else
            memcpy (out + used, (char[]){'\\', 'x', digits[(guchar)*p >> 4], digits[(guchar)*p & 15]}, 4);
        used += room;
        p += step;
    }
    out[used] = '\0';
}

static void
put_id (RfLine *line, gint32 id)
{
    if (id > 0)
        rf_line_integer (line, id);
    else
        rf_line_empty (line);
}

gsize
rf_event_format (const RfEvent *self, char *buffer, gsize size)
{
    g_return_val_if_fail ((guint)self->kind < RF_N_EVENTS, 0);
    RfLine line;
    rf_line_start (&line, buffer, size);
    rf_line_integer (&line, self->time_ns);
    rf_line_text (&line, nicks[self->kind]);
    rf_line_integer (&line, self->duration_ns);
    put_id (&line, self->pid);
    put_id (&line, self->tid);
    rf_line_text (&line, self->process);
    rf_line_text (&line, self->subject);
    rf_line_number (&line, self->amount);
    return rf_line_end (&line);
}

static gboolean
next_time (const char **cursor, const char *end, gint64 *out)
{
    char field[24];
    return rf_line_next (cursor, end, field, sizeof field) && rf_text_to_int64 (field, out) && *out >= 0;
}

static gboolean
next_id (const char **cursor, const char *end, gint32 *out)
{
    char field[24];
    gint64 id = 0;
    if (!rf_line_next (cursor, end, field, sizeof field))
        return FALSE;
    if (field[0] != '\0' && (!rf_text_to_int64 (field, &id) || id <= 0 || id > G_MAXINT32))
        return FALSE;
    *out = (gint32)id;
    return TRUE;
}

static gboolean
next_number (const char **cursor, const char *end, double *out)
{
    char field[40];
    if (!rf_line_next (cursor, end, field, sizeof field))
        return FALSE;
    *out = NAN;
    return field[0] == '\0' || rf_line_to_number (field, strlen (field), out);
}

gboolean
rf_event_parse (const char *line, gsize length, RfEvent *out)
{
    RfEvent event = {0};
    const char *cursor = line, *end = line + length;
    char kind[24];
    if (!next_time (&cursor, end, &event.time_ns) || !rf_line_next (&cursor, end, kind, sizeof kind)
        || !rf_event_kind_from_nick (kind, &event.kind) || !next_time (&cursor, end, &event.duration_ns)
        || !next_id (&cursor, end, &event.pid) || !next_id (&cursor, end, &event.tid)
        || !rf_line_next (&cursor, end, event.process, sizeof event.process)
        || !rf_line_next (&cursor, end, event.subject, sizeof event.subject)
        || !next_number (&cursor, end, &event.amount) || cursor != NULL)
        return FALSE;
    *out = event;
    return TRUE;
}
