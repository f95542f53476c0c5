#define G_LOG_DOMAIN "rf-ctl-watch-live"
#include "config.h"

#include "rf-ctl.h"
#include "rf-live-private.h"
#include "rf-tunable-text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib-unix.h>
#include <glib/gi18n.h>

#define HEADING_EVERY 20

/* What is shown of a card; @title for a line of its own when it is missing, @heading above its column. */
static const struct {
    RfGpuColumn column;
    const char *title;
    const char *heading;
    int columns;
} shown[] = {
    /* TRANSLATORS: the second of each pair is the heading of a narrow column, at most 8 characters */
    {RF_GPU_UTILISATION, NC_ ("graphics card", "Load"), NC_ ("watch", "load"), 9},
    {RF_GPU_VRAM_USED, NC_ ("graphics card", "Memory in use"), NC_ ("watch", "VRAM"), 10},
    {RF_GPU_POWER, NC_ ("graphics card", "Power"), NC_ ("watch", "power"), 9},
    {RF_GPU_TEMPERATURE, NC_ ("graphics card", "Temperature"), NC_ ("watch", "temp."), 9},
    {RF_GPU_CLOCK, NC_ ("graphics card", "Clock"), NC_ ("watch", "clock"), 11},
};
#define CARD_COLUMNS 6
#define FRAME_COLUMNS 10

typedef struct {
    RfCtl *ctl;
    RfGpu cards[RF_GPUS_MAX];
    guint n;
    double values[RF_GPUS_MAX * RF_GPU_N_COLUMNS];
    gboolean ready;    /* it is known which cards there are */
    gboolean has_card; /* that can be read */
    gboolean has_row;
    guint frames; /* in this second */
    double frame_ms, gpu_ms, pause_ms;
    guint gpu_frames;
    GArray *events;
    guint lines;
    gboolean stop;
    gboolean due;
} Live;

static gboolean
stop_cb (gpointer data)
{
    Live *live = data;
    live->stop = TRUE;
    return G_SOURCE_CONTINUE;
}

static gboolean
due_cb (gpointer data)
{
    Live *live = data;
    live->due = TRUE;
    return G_SOURCE_CONTINUE;
}

static void
print_missing (const char *title, RfAvail avail)
{
    /* a rate comes with the second reading */
    if (avail != RF_AVAIL_OK && avail != RF_AVAIL_NO_BASELINE)
        rf_ctl_pair (g_dpgettext2 (NULL, "graphics card", title), rf_gpu_avail_text (avail));
}

static void
print_card (guint index, const RfGpu *card, const RfGpuSample *first)
{
    g_autofree char *heading = g_strdup_printf ("gpu%u: %s (%s)", index, card->name, card->driver);
    rf_ctl_print (0, heading);
    if (card->state != RF_GPU_READY) {
        rf_ctl_print (2, rf_gpu_state_text (card->state));
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
        print_missing (shown[i].title, first->avail[shown[i].column]);
    print_missing (NC_ ("graphics card", "Slowed by"), first->avail[RF_GPU_SLOWED]);
}

static void
cards_cb (const RfGpu *cards, const RfGpuSample *first, guint n, gpointer data)
{
    Live *live = data;
    live->n = MIN (n, RF_GPUS_MAX);
    memcpy (live->cards, cards, live->n * sizeof *cards);
    live->ready = TRUE;
    for (guint i = 0; i < live->n; i++)
        live->has_card = live->has_card || cards[i].state == RF_GPU_READY;
    if (live->ctl->json)
        return;
    for (guint i = 0; i < live->n; i++)
        print_card (i, &cards[i], &first[i]);
    if (n == 0)
        rf_ctl_print (0, _ ("No graphics card was found."));
    rf_ctl_print (0, _ ("Frame times appear while X-Plane runs."));
    g_print ("\n");
}

static void
row_cb (const char *table, gint64 time_ns, const double *values, guint n, gpointer data)
{
    Live *live = data;
    if (g_str_equal (table, "gpu")) {
        memcpy (live->values, values, MIN (n, G_N_ELEMENTS (live->values)) * sizeof *values);
        live->has_row = TRUE;
        return;
    }
    live->frames++;
    live->frame_ms += values[0];
    if (!isnan (values[1])) {
        live->gpu_ms += values[1];
        live->gpu_frames++;
    }
    if (!isnan (values[2]))
        live->pause_ms = fmax (live->pause_ms, values[2]);
}

static void
event_cb (const RfEvent *event, gpointer data)
{
    Live *live = data;
    g_array_append_val (live->events, *event);
}

/* The newest values of a card, NULL if there are none (yet). */
static const double *
values_of (const Live *live, guint index)
{
    const double *values = live->values;
    if (!live->has_row || live->cards[index].state != RF_GPU_READY)
        return NULL;
    for (guint i = 0; i < index; i++)
        values += live->cards[i].state == RF_GPU_READY ? RF_GPU_N_COLUMNS : 0;
    return values;
}

static char *
value_text (const double *values, RfGpuColumn column)
{
    double value = values != NULL ? values[column] : NAN;
    if (column == RF_GPU_UTILISATION && isnan (value) && values != NULL && !isnan (values[RF_GPU_AWAKE])) {
        g_autofree char *most = rf_format_percent (values[RF_GPU_AWAKE]);
        /* TRANSLATORS: at most this share */
        return g_strdup_printf (C_ ("watch", "≤ %s"), most);
    }
    if (isnan (value))
        return g_strdup ("–");
    switch (column) {
    case RF_GPU_UTILISATION:
        return rf_format_percent (value);
    case RF_GPU_VRAM_USED:
        return rf_format_bytes ((guint64)value);
    case RF_GPU_POWER:
        /* TRANSLATORS: watts */
        return g_strdup_printf (_ ("%.0f W"), value);
    case RF_GPU_TEMPERATURE:
        /* TRANSLATORS: degrees Celsius */
        return g_strdup_printf (_ ("%.0f °C"), value);
    default:
        /* TRANSLATORS: megahertz */
        return g_strdup_printf (_ ("%.0f MHz"), value);
    }
}

static void
print_cell (const char *text, int columns, gboolean right)
{
    g_autofree char *cell = rf_ctl_pad (text, columns, right);
    g_print ("%s", cell);
}

static void
print_heading (void)
{
    /* TRANSLATORS: headings of narrow columns: at most 6 characters */
    print_cell (C_ ("watch", "card"), CARD_COLUMNS, FALSE);
    for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
        print_cell (g_dpgettext2 (NULL, "watch", shown[i].heading), shown[i].columns, TRUE);
    /* TRANSLATORS: at most 9 characters: time of a frame */
    print_cell (C_ ("watch", "frame"), FRAME_COLUMNS, TRUE);
    /* TRANSLATORS: at most 14 characters: what holds the clock of the card down */
    g_print ("  %s\n", C_ ("watch", "slowed by"));
}

static void
print_line (const Live *live, const char *card, const double *values, const char *frame)
{
    double bits = values != NULL ? values[RF_GPU_SLOWED] : NAN;
    g_autofree char *slowed = isnan (bits) ? g_strdup ("–") : rf_gpu_slow_words ((guint)bits);
    print_cell (card, CARD_COLUMNS, FALSE);
    for (gsize i = 0; i < G_N_ELEMENTS (shown); i++) {
        g_autofree char *text = value_text (values, shown[i].column);
        print_cell (text, shown[i].columns, TRUE);
    }
    print_cell (frame, FRAME_COLUMNS, TRUE);
    g_print ("%s%s\n", slowed[0] != '\0' ? "  " : "", slowed);
}

static void
print_event (const RfEvent *event)
{
    g_autofree char *duration = rf_format_duration ((double)event->duration_ns / 1e9);
    g_autofree char *text
        = event->kind == RF_EVENT_FREEZE
              /* TRANSLATORS: %1$s is a program, %2$s a duration such as "1.5 s" */
              ? g_strdup_printf (_ ("%1$s stood still for %2$s."), event->subject, duration)
              /* TRANSLATORS: %1$s is a graphics card, %2$s a duration such as "2 s", %3$s a program */
              : g_strdup_printf (_ ("%1$s had next to nothing to do for %2$s while %3$s was running."), event->subject,
                                 duration, event->process);
    rf_ctl_print (2, text);
}

static void
print_text (const Live *live)
{
    g_autofree char *frame = live->frames > 0 ? rf_format_ms (live->frame_ms / live->frames) : g_strdup ("–");
    if (live->lines % HEADING_EVERY == 0)
        print_heading ();
    for (guint i = 0; i < live->events->len; i++)
        print_event (&g_array_index (live->events, RfEvent, i));
    for (guint i = 0; i < live->n; i++) {
        g_autofree char *name = g_strdup_printf ("gpu%u", i);
        if (live->cards[i].state == RF_GPU_READY)
            print_line (live, name, values_of (live, i), frame);
    }
    if (!live->has_card)
        print_line (live, "–", NULL, frame);
}

static void
json_card (RfJson *json, const RfGpu *card, const double *values)
{
    rf_json_begin_object (json, NULL);
    rf_json_string (json, "name", card->name);
    rf_json_string (json, "driver", card->driver);
    rf_json_string (json, "slot", card->slot[0] != '\0' ? card->slot : NULL);
    rf_json_string (json, "state", rf_gpu_state_nick (card->state));
    for (guint i = 0; i < RF_GPU_SLOWED; i++)
        rf_json_double (json, rf_gpu_column_name ((RfGpuColumn)i), values != NULL ? values[i] : NAN);
    if (values == NULL || isnan (values[RF_GPU_SLOWED])) {
        rf_json_null (json, "slowed");
    } else {
        g_autofree char *nicks = rf_gpu_slow_nicks ((guint)values[RF_GPU_SLOWED]);
        g_auto (GStrv) list = g_strsplit (nicks, ",", -1);
        rf_json_begin_array (json, "slowed");
        for (char **nick = list; *nick != NULL; nick++)
            rf_json_string (json, NULL, *nick);
        rf_json_end_array (json);
    }
    rf_json_end_object (json);
}

static void
print_json (const Live *live)
{
    g_autoptr (RfJson) json = rf_json_new ();
    rf_json_set_compact (json, TRUE);
    rf_json_begin_object (json, NULL);
    rf_json_int (json, "monotonic_us", g_get_monotonic_time ());
    rf_json_begin_array (json, "cards");
    for (guint i = 0; i < live->n; i++)
        json_card (json, &live->cards[i], values_of (live, i));
    rf_json_end_array (json);
    rf_json_uint (json, "frame_times", live->frames);
    rf_json_double (json, "frame_ms", live->frames > 0 ? live->frame_ms / live->frames : NAN);
    rf_json_double (json, "frame_gpu_ms", live->gpu_frames > 0 ? live->gpu_ms / live->gpu_frames : NAN);
    rf_json_double (json, "longest_pause_ms", live->pause_ms > 0 ? live->pause_ms : NAN);
    rf_json_begin_array (json, "events");
    for (guint i = 0; i < live->events->len; i++) {
        const RfEvent *event = &g_array_index (live->events, RfEvent, i);
        rf_json_begin_object (json, NULL);
        rf_json_string (json, "kind", rf_event_kind_nick (event->kind));
        rf_json_int (json, "monotonic_us", event->time_ns / 1000);
        rf_json_double (json, "duration_ms", (double)event->duration_ns / 1e6);
        rf_json_string (json, "subject", event->subject);
        rf_json_string (json, "program", event->process[0] != '\0' ? event->process : NULL);
        rf_json_end_object (json);
    }
    rf_json_end_array (json);
    rf_json_end_object (json);
    rf_ctl_print_json (json);
}

static void
look (Live *live)
{
    if (!live->ready || (live->has_card && !live->has_row))
        return; /* the driver takes its time */
    if (live->ctl->json)
        print_json (live);
    else
        print_text (live);
    if (fflush (stdout) != 0 || ferror (stdout) != 0)
        live->stop = TRUE; /* nobody will read more; main() says so */
    live->lines++;
    live->frames = live->gpu_frames = 0;
    live->frame_ms = live->gpu_ms = live->pause_ms = 0;
    g_array_set_size (live->events, 0);
}

RfExit
rf_ctl_watch_live (RfCtl *ctl)
{
    static const RfLiveSink sink = {.cards = cards_cb, .row = row_cb, .event = event_cb};
    Live live = {.ctl = ctl, .events = g_array_new (FALSE, FALSE, sizeof (RfEvent))};
    RfLiveOptions options = RF_LIVE_OPTIONS (ctl->sysroot);
    options.program = ctl->program;
    options.xplane_port = (guint16)ctl->xplane_port;
    guint sources[] = {
        g_unix_signal_add (SIGINT, stop_cb, &live),
        g_unix_signal_add (SIGTERM, stop_cb, &live),
        g_timeout_add_seconds (1, due_cb, &live),
    };
    RfLive *running = rf_live_start_for_test (&options, ctl->nvml, &sink, &live);
    while (!live.stop && (ctl->count == 0 || live.lines < (guint)ctl->count)) {
        g_main_context_iteration (NULL, TRUE);
        if (live.due)
            look (&live);
        live.due = FALSE;
    }
    rf_live_stop (running);
    for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
        g_source_remove (sources[i]);
    g_array_unref (live.events);
    return RF_EXIT_OK;
}
