#define G_LOG_DOMAIN "rf-recording-graphs"

#include "config.h"

#include "rf-recording-graphs.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "rf-monitor-cards-private.h"
#include "rf-tunable-text.h"

#define LATENCY_SUFFIX ".write_latency_ms"

static void
line_clear (gpointer data)
{
    RfRecordingLine *self = data;

    rf_lane_free (self->lane);
    g_free (self->label);
}

static void
graph_free (gpointer data)
{
    RfRecordingGraph *self = data;

    g_array_unref (self->lines);
    g_free (self);
}

static RfRecordingGraph *
graph_new (const char *title, const char *explanation, RfMeasure measure, double floor, char *(*format) (double))
{
    RfRecordingGraph *self = g_new0 (RfRecordingGraph, 1);

    self->title = title;
    self->explanation = explanation;
    self->measure = measure;
    self->floor = floor;
    self->format = format;
    self->lines = g_array_new (FALSE, FALSE, sizeof (RfRecordingLine));
    g_array_set_clear_func (self->lines, line_clear);
    return self;
}

/* Keeps the graph only if there is something to be seen. */
static void
add_graph (GPtrArray *graphs, RfRecordingGraph *graph)
{
    if (graph->lines->len > 0)
        g_ptr_array_add (graphs, graph);
    else
        graph_free (graph);
}

static void
add_line (RfRecordingGraph *graph, const RfRecordingTrack *track, RfTable *table, guint column, const char *label)
{
    RfRecordingLine line = {rf_lane_new (table, column), track->offset_ns, NULL};
    float min, max;

    if (graph->lines->len == RF_GRAPH_MAX_LINES || !rf_lane_range (line.lane, 0, G_MAXSIZE, &min, &max)) {
        line_clear (&line);
        return;
    }
    if (label != NULL && track->label != NULL)
        /* Translators: name of a line where two recordings lie over each other: "nvme0n1, before" */
        line.label = g_strdup_printf (C_ ("legend", "%1$s, %2$s"), label, track->label);
    else
        line.label = g_strdup (label != NULL ? label : track->label);
    g_array_append_val (graph->lines, line);
    /* cppcheck-suppress memleak ; the array owns it, and cppcheck does not know */
}

/* The thresholds are those of the last sample: mostly the settings were in force all the time. */
static void
remember_last (RfRecordingGraph *graph, const RfTable *table)
{
    const gsize rows = rf_table_n_rows (table);

    for (guint i = 0; i < RF_N_COLUMNS; i++) {
        const guint column = rf_table_find (table, rf_column_info (i)->name);

        graph->last.value[i]
            = column == RF_TABLE_NONE || rows == 0 ? NAN : (double)rf_table_values (table, column)[rows - 1];
        graph->last.avail[i] = isfinite (graph->last.value[i]) ? RF_AVAIL_OK : RF_AVAIL_NO_FIELD;
    }
}

static void
add_drives (RfRecordingGraph *graph, const RfRecordingTrack *track, RfTable *table)
{
    for (guint i = 0; i < rf_table_n_columns (table); i++) {
        const char *name = rf_table_column_name (table, i);

        if (g_str_has_suffix (name, LATENCY_SUFFIX)) {
            g_autofree char *disk = g_strndup (name, strlen (name) - strlen (LATENCY_SUFFIX));

            add_line (graph, track, table, i, disk);
        }
    }
}

static void
add_columns (RfRecordingGraph *graph, const RfRecordingTrack *track, RfTable *table)
{
    const RfMonitorCard *card = graph->card;

    for (guint i = 0; i < card->n_lines; i++) {
        const guint column = rf_table_find (table, rf_column_info (card->column[i])->name);

        if (column != RF_TABLE_NONE)
            add_line (graph, track, table, column, card->label[i] != NULL ? _ (card->label[i]) : NULL);
    }
}

static void
add_monitor_graphs (GPtrArray *graphs, const RfRecordingTrack *tracks, guint n_tracks)
{
    for (guint c = 0; c < rf_monitor_cards_count (); c++) {
        const RfMonitorCard *card = rf_monitor_cards_get (c);
        const gboolean drives = card->n_lines == 0;
        RfRecordingGraph *graph = NULL;

        /* throughput is a sum of two columns, and latency says what one would look for there */
        if (drives && card->disk_column != RF_DISK_COLUMN_LATENCY)
            continue;
        graph = graph_new (drives ? _ ("Write latency") : _ (card->title), _ (card->explanation), card->measure,
                           card->floor, card->format);
        graph->card = card;
        for (guint t = 0; t < n_tracks; t++) {
            RfTable *table = rf_recording_table (tracks[t].recording, "samples");

            if (table == NULL)
                continue;
            if (drives)
                add_drives (graph, &tracks[t], table);
            else
                add_columns (graph, &tracks[t], table);
            remember_last (graph, table);
        }
        add_graph (graphs, graph);
    }
}

/* @column: its whole name, or what comes after the name of a card: "gpu0.utilisation". Several sources of the same graph
 * stand one after the other: our own tables, those of the case study's recorder, and those of MangoHud. */
static const struct {
    const char *table;
    const char *column;
    const char *title; /* NULL: more of the graph before */
    const char *explanation;
    RfMeasure measure;
    double floor;
    char *(*format) (double value);
} extras[] = {
    {"frames", "frame_ms", N_ ("Frame times"), N_ ("How long each frame took. A spike is what is felt as stutter."),
     RF_MEASURE_PLAIN, 40, rf_format_ms},
    {"gpu", "utilisation", N_ ("Graphics processor"),
     N_ ("How busy the graphics processor was. If it has nothing to do while the program runs, it waits for something "
         "else."),
     RF_MEASURE_RATIO, 1, NULL},
    {"gpu", "awake", NULL, NULL, RF_MEASURE_RATIO, 1, NULL}, /* Intel's tells no more */
    {"frames", "gpu_utilisation", NULL, NULL, RF_MEASURE_RATIO, 1, NULL},
    {"gpu", "vram_used_bytes", N_ ("Graphics memory"), N_ ("When it is full, textures move through main memory."),
     RF_MEASURE_BYTES, 256.0 * 1024 * 1024, NULL},
    {"frames", "vram_used_bytes", NULL, NULL, RF_MEASURE_BYTES, 256.0 * 1024 * 1024, NULL},
    {"memory", "free_bytes", N_ ("Free memory, finely"),
     N_ ("The same as “Free memory”, read more often by another program."), RF_MEASURE_BYTES, 256.0 * 1024 * 1024,
     NULL},
};

/* "gpu0" of "gpu0.utilisation", "" of "utilisation". Returns: (transfer full) (nullable): NULL if it is another column */
static char *
card_of (const char *name, const char *column)
{
    const gsize length = strlen (name);
    const gsize tail = strlen (column);

    if (!g_str_has_suffix (name, column))
        return NULL;
    if (length == tail)
        return g_strdup ("");
    return name[length - tail - 1] == '.' ? g_strndup (name, length - tail - 1) : NULL;
}

static guint
count_cards (RfTable *table, const char *column)
{
    guint n = 0;

    for (guint i = 0; i < rf_table_n_columns (table); i++) {
        g_autofree char *card = card_of (rf_table_column_name (table, i), column);

        n += card != NULL;
    }
    return n;
}

/* The name of a card is said only where there are several. */
static void
add_cards (RfRecordingGraph *graph, const RfRecordingTrack *track, const char *name, const char *column)
{
    RfTable *table = rf_recording_table (track->recording, name);
    const guint cards = table != NULL ? count_cards (table, column) : 0;

    for (guint i = 0; cards > 0 && i < rf_table_n_columns (table); i++) {
        g_autofree char *card = card_of (rf_table_column_name (table, i), column);

        if (card != NULL)
            add_line (graph, track, table, i, cards > 1 && *card != '\0' ? card : NULL);
    }
}

static void
add_extras (GPtrArray *graphs, const RfRecordingTrack *tracks, guint n_tracks)
{
    guint e = 0;

    while (e < G_N_ELEMENTS (extras)) {
        RfRecordingGraph *graph = graph_new (_ (extras[e].title), _ (extras[e].explanation), extras[e].measure,
                                             extras[e].floor, extras[e].format);

        do {
            for (guint t = 0; t < n_tracks; t++)
                add_cards (graph, &tracks[t], extras[e].table, extras[e].column);
            e++;
        } while (e < G_N_ELEMENTS (extras) && extras[e].title == NULL);
        add_graph (graphs, graph);
    }
}

GPtrArray *
rf_recording_graphs_new (const RfRecordingTrack *tracks, guint n_tracks)
{
    GPtrArray *graphs = g_ptr_array_new_with_free_func (graph_free);

    g_return_val_if_fail (n_tracks >= 1 && n_tracks <= RF_RECORDING_TRACKS_MAX, graphs);

    add_extras (graphs, tracks, n_tracks);
    add_monitor_graphs (graphs, tracks, n_tracks);
    return graphs;
}

RfSeries *
rf_recording_line_series (const RfRecordingLine *self, gint64 start_ns, gint64 end_ns)
{
    return rf_lane_series (self->lane, start_ns - self->offset_ns, end_ns - self->offset_ns, RF_RECORDING_GRAPHS_CELLS);
}
