#define G_LOG_DOMAIN "rf-recording-board"

#include "config.h"

#include "rf-recording-board.h"

#include <glib/gi18n.h>
#include <math.h>

#include "rf-columns.h"
#include "rf-monitor-cards-private.h"

enum {
    SAMPLES = 2 * RF_RECORDING_GRAPHS_CELLS,
};
#define CARD_WIDTH 330

struct _RfRecordingBoard {
    GtkWidget parent_instance;
    GtkWidget *columns;
    RfStretch *stretch;
    RfTimeline *timeline;
    GPtrArray *graphs; /* of RfRecordingGraph */
    GPtrArray *cards;  /* of RfGraphCard, as many; children of the columns */
    gint64 wall_us;
};

G_DEFINE_FINAL_TYPE (RfRecordingBoard, rf_recording_board, GTK_TYPE_WIDGET)

/* What a person would ask of this stretch: how bad it was at its worst. */
static void
update_value (RfGraphCard *card)
{
    RfGraph *graph = rf_graph_card_get_graph (card);
    const RfGraphFace *face = rf_graph_get_face (graph);
    double greatest = NAN;
    g_autofree char *words = NULL;
    g_autofree char *summary = NULL;

    for (guint i = 0; i < face->view.n_lines; i++) {
        double low, high;

        if (rf_series_range (face->view.series[i], SAMPLES, &low, &high))
            greatest = fmax (greatest, high);
    }
    if (isfinite (greatest)) {
        g_autofree char *value = rf_graph_face_value (face, greatest);

        /* Translators: above a graph of a recording: the highest value that is seen */
        words = g_strdup_printf (_ ("up to %s"), value);
    }
    rf_graph_card_set_value (card, words != NULL ? words : "–");
    summary = rf_graph_summary (graph);
    rf_graph_set_summary (graph, summary);
}

static void
stretch_changed_cb (RfRecordingBoard *self)
{
    RfMoments moments = {.wall = self->wall_us != 0};
    gint64 start, end, whole_start, whole_end;

    rf_stretch_get (self->stretch, &start, &end);
    rf_stretch_get_whole (self->stretch, &whole_start, &whole_end);
    moments.start_us = moments.wall ? self->wall_us + start / 1000 : (start - whole_start) / 1000;
    moments.step_us = (double)(end - start) / 1000 / SAMPLES;
    rf_timeline_show (self->timeline, SAMPLES, &moments);
    for (guint i = 0; i < self->graphs->len; i++) {
        const RfRecordingGraph *graph = self->graphs->pdata[i];
        RfGraphCard *card = self->cards->pdata[i];

        for (guint j = 0; j < graph->lines->len; j++) {
            const RfRecordingLine *line = &g_array_index (graph->lines, RfRecordingLine, j);
            g_autoptr (RfSeries) series = rf_recording_line_series (line, start, end);

            rf_graph_set_series (rf_graph_card_get_graph (card), j, series);
        }
        update_value (card);
    }
}

static void
add_card (RfRecordingBoard *self, const RfRecordingGraph *graph)
{
    RfGraphCard *card = RF_GRAPH_CARD (rf_graph_card_new (graph->title, graph->explanation, graph->measure));

    rf_graph_set_floor (rf_graph_card_get_graph (card), graph->floor);
    rf_graph_set_format (rf_graph_card_get_graph (card), graph->format);
    for (guint i = 0; i < graph->lines->len; i++) {
        g_autoptr (RfSeries) empty = rf_series_new (2);

        rf_graph_card_add_line (card, empty, g_array_index (graph->lines, RfRecordingLine, i).label);
    }
    if (graph->card != NULL && graph->card->thresholds != NULL)
        graph->card->thresholds (rf_graph_card_get_graph (card), &graph->last);
    rf_graph_set_timeline (rf_graph_card_get_graph (card), self->timeline);
    rf_columns_append (RF_COLUMNS (self->columns), GTK_WIDGET (card));
    g_ptr_array_add (self->cards, card);
}

static void
rf_recording_board_dispose (GObject *object)
{
    RfRecordingBoard *self = RF_RECORDING_BOARD (object);

    if (self->stretch != NULL)
        g_signal_handlers_disconnect_by_data (self->stretch, self);
    g_clear_object (&self->stretch);
    g_clear_object (&self->timeline);
    g_clear_pointer (&self->columns, gtk_widget_unparent);
    g_clear_pointer (&self->cards, g_ptr_array_unref);
    g_clear_pointer (&self->graphs, g_ptr_array_unref);
    G_OBJECT_CLASS (rf_recording_board_parent_class)->dispose (object);
}

static void
rf_recording_board_class_init (RfRecordingBoardClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_recording_board_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
rf_recording_board_init (RfRecordingBoard *self)
{
    self->cards = g_ptr_array_new ();
    self->columns = rf_columns_new (CARD_WIDTH, 2, 16);
    gtk_widget_set_parent (self->columns, GTK_WIDGET (self));
    /* its interval is never said: the samples have moments of their own */
    self->timeline = rf_timeline_new (1);
}

GtkWidget *
rf_recording_board_new (const RfRecordingTrack *tracks, guint n_tracks, RfStretch *stretch, gint64 wall_us)
{
    RfRecordingBoard *self = NULL;

    g_return_val_if_fail (RF_IS_STRETCH (stretch), NULL);

    self = g_object_new (RF_TYPE_RECORDING_BOARD, NULL);
    self->stretch = g_object_ref (stretch);
    self->wall_us = wall_us;
    self->graphs = rf_recording_graphs_new (tracks, n_tracks);
    for (guint i = 0; i < self->graphs->len; i++)
        add_card (self, self->graphs->pdata[i]);
    g_signal_connect_swapped (stretch, "changed", G_CALLBACK (stretch_changed_cb), self);
    stretch_changed_cb (self);
    return GTK_WIDGET (self);
}
