#define G_LOG_DOMAIN "rf-event-summary"

#include "config.h"

#include "rf-event-summary.h"

#include <glib/gi18n.h>

#include "rf-tunable-text.h"

static const RfEventKind kinds[] = {
    RF_EVENT_RECLAIM,  RF_EVENT_FREEZE,  RF_EVENT_SWAP_IN,  RF_EVENT_FAULT, RF_EVENT_IO,      RF_EVENT_TILE,
    RF_EVENT_GPU_FALL, RF_EVENT_OOM_KILL, RF_EVENT_MARK,  RF_EVENT_APPLIED, RF_EVENT_TAKEN_BACK,
};

const RfEventKind *
rf_event_summary_kinds (guint *n)
{
    *n = G_N_ELEMENTS (kinds);
    return kinds;
}

const char *
rf_event_title (RfEventKind kind)
{
    switch (kind) {
    case RF_EVENT_RECLAIM:
        return _ ("Programs cleared memory themselves");
    case RF_EVENT_IO:
        return _ ("Slow requests to drives");
    case RF_EVENT_OOM_KILL:
        return _ ("Programs ended by the kernel");
    case RF_EVENT_FAULT:
        return _ ("Programs waited for a file");
    case RF_EVENT_SWAP_IN:
        return _ ("Programs waited for swapped memory");
    case RF_EVENT_TILE:
        return _ ("Scenery loaded");
    case RF_EVENT_GPU_FALL:
        return _ ("Graphics processor without work");
    case RF_EVENT_FREEZE:
        return _ ("The picture stood still");
    case RF_EVENT_APPLIED:
        return _ ("Settings applied");
    case RF_EVENT_TAKEN_BACK:
        return _ ("Settings taken back");
    case RF_EVENT_MARK:
        return _ ("It stuttered");
    case RF_EVENT_IO_HISTOGRAM:
    case RF_EVENT_ORPHAN:
    case RF_EVENT_LOST:
    case RF_N_EVENTS:
        break;
    }
    return "";
}

static gsize
first_at (const RfRecording *recording, gint64 time_ns)
{
    gsize low = 0, high = recording->events->len;

    while (low < high) {
        const gsize middle = low + (high - low) / 2;

        if (g_array_index (recording->events, RfEvent, middle).time_ns < time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
rf_event_summary_get (const RfRecording *recording, RfEventKind kind, gint64 start_ns, gint64 end_ns,
                      RfEventSummary *out)
{
    *out = (RfEventSummary){.kind = kind};
    for (gsize i = first_at (recording, start_ns); i < recording->events->len; i++) {
        const RfEvent *event = &g_array_index (recording->events, RfEvent, i);

        if (event->time_ns >= end_ns)
            break;
        if (event->kind != kind)
            continue;
        out->count++;
        out->longest_ns = MAX (out->longest_ns, event->duration_ns);
        out->total_ns += event->duration_ns;
    }
}

char *
rf_event_summary_text (const RfEventSummary *self)
{
    g_autofree char *longest = rf_format_ms ((double)self->longest_ns / 1e6);
    g_autofree char *count = g_strdup_printf ("%'u", self->count);

    if (self->longest_ns == 0)
        /* Translators: what happened, and how often */
        return g_strdup_printf (C_ ("events", "%1$s: %2$s"), rf_event_title (self->kind), count);
    /* Translators: what happened, how often, and a duration */
    return g_strdup_printf (C_ ("events", "%1$s: %2$s, the longest %3$s"), rf_event_title (self->kind), count,
                            longest);
}

char *
rf_event_text (const RfEvent *event)
{
    const char *who = event->process[0] != '\0' ? event->process : event->subject;
    const gboolean both = event->process[0] != '\0' && event->subject[0] != '\0' && event->kind != RF_EVENT_RECLAIM;
    g_autofree char *duration = rf_format_ms ((double)event->duration_ns / 1e6);
    g_autofree char *what = both ? g_strdup_printf ("%s (%s)", who, event->subject) : g_strdup (who);

    if (event->duration_ns == 0)
        return g_steal_pointer (&what);
    if (*what == '\0')
        return g_steal_pointer (&duration);
    /* Translators: who waited, and how long: "Main Thread, 9.5 ms" */
    return g_strdup_printf (C_ ("events", "%1$s, %2$s"), what, duration);
}

static gboolean
is_wait (RfEventKind kind)
{
    return kind == RF_EVENT_RECLAIM || kind == RF_EVENT_IO || kind == RF_EVENT_FAULT || kind == RF_EVENT_SWAP_IN
           || kind == RF_EVENT_TILE || kind == RF_EVENT_FREEZE;
}

static int
compare_durations (gconstpointer a, gconstpointer b)
{
    const RfEvent *x = *(const RfEvent *const *)a, *y = *(const RfEvent *const *)b;

    if (x->duration_ns != y->duration_ns)
        return x->duration_ns < y->duration_ns ? 1 : -1;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

GPtrArray *
rf_event_longest (const RfRecording *recording, gint64 start_ns, gint64 end_ns, guint n)
{
    GPtrArray *out = g_ptr_array_new ();

    for (gsize i = first_at (recording, start_ns); i < recording->events->len; i++) {
        RfEvent *event = &g_array_index (recording->events, RfEvent, i);

        if (event->time_ns >= end_ns)
            break;
        if (is_wait (event->kind) && event->duration_ns > 0)
            g_ptr_array_add (out, event);
    }
    g_ptr_array_sort (out, compare_durations);
    g_ptr_array_set_size (out, (int)MIN (out->len, n));
    return out;
}
