#define G_LOG_DOMAIN "rf-recording-figures"

#include "config.h"

#include "rf-recording-figures.h"

#include <math.h>

#include "rf-graph-face.h"

enum {
    SAMPLES = 2 * RF_RECORDING_GRAPHS_CELLS,
};

/* as palette-light.css has them; a document is read on white */
static const RfGraphStyle light = {
    .line = {
        {0.110, 0.435, 0.839, 1}, {0.690, 0.353, 0.000, 1}, {0.141, 0.475, 0.298, 1}, {0.545, 0.247, 0.690, 1},
        {0.702, 0.149, 0.247, 1}, {0.071, 0.502, 0.541, 1}, {0.478, 0.416, 0.000, 1}, {0.361, 0.361, 0.384, 1},
    },
    .grid = {0.863, 0.863, 0.878, 1},
    .warning = {0.596, 0.322, 0.000, 1},
    .danger = {0.722, 0.122, 0.173, 1},
    .mark = {0.110, 0.455, 0.275, 1},
    .text = {0.118, 0.118, 0.125, 1},
    .ground = {1, 1, 1, 1},
    .line_width = RF_GRAPH_LINE_WIDTH,
    .fill_alpha = RF_GRAPH_FILL_ALPHA,
};

/* height of the strip of phases, and the gap below it */
#define STRIP 14
#define STRIP_GAP 4

typedef struct {
    RfGraphFace face;
    RfPhases phases;
    gint64 start_ns;
    gint64 end_ns;
} Figure;

/* As in the window: one band a phase, its name in it where there is room. */
static void
draw_phases (const Figure *self, cairo_t *cr, PangoContext *context, double width)
{
    const double scale = width / (double)(self->end_ns - self->start_ns);

    for (guint i = 0; i < RF_N_PHASES; i++) {
        const double left = MAX (0, (double)(self->phases.start_ns[i] - self->start_ns) * scale);
        const double right = MIN (width, (double)(self->phases.end_ns[i] - self->start_ns) * scale);
        PangoLayout *words = NULL;
        int w, h;

        if (!self->phases.found[i] || right <= left)
            continue;
        cairo_set_source_rgb (cr, 0.86, 0.91, 0.97);
        cairo_rectangle (cr, left, 0, MAX (1, right - left - 1), STRIP);
        cairo_fill (cr);
        words = pango_layout_new (context);
        pango_layout_set_text (words, rf_phase_title (i), -1);
        pango_layout_get_pixel_size (words, &w, &h);
        if (w + 4 <= right - left) {
            cairo_set_source_rgb (cr, light.text.red, light.text.green, light.text.blue);
            cairo_move_to (cr, left + (right - left - w) / 2, (double)(STRIP - h) / 2);
            pango_cairo_show_layout (cr, words);
        }
        g_object_unref (words);
    }
}

static void
draw (gpointer figure, gpointer cairo, double width, double height)
{
    Figure *self = figure;
    const int top = rf_phases_any (&self->phases) ? STRIP + STRIP_GAP : 0;
    cairo_t *cr = cairo;
    PangoContext *context = pango_cairo_create_context (cr);
    PangoFontDescription *font = pango_font_description_from_string ("sans 8");

    cairo_set_source_rgb (cr, 1, 1, 1);
    cairo_paint (cr);
    pango_context_set_font_description (context, font);
    /* those of the drawing before belong to another context */
    rf_graph_face_forget_words (&self->face);
    if (top > 0)
        draw_phases (self, cr, context, width);
    cairo_save (cr);
    cairo_translate (cr, 0, top);
    /* lines are an image; on paper two of its points go into one of the page */
    rf_graph_face_draw (&self->face, cr, context, (int)width, (int)height - top, 2, &light);
    cairo_restore (cr);
    pango_font_description_free (font);
    g_object_unref (context);
}

static void
figure_free (gpointer data)
{
    Figure *self = data;

    rf_graph_face_clear (&self->face);
    g_free (self);
}

void
rf_recording_figures_add (RfDocument *document, const RfRecordingTrack *tracks, guint n_tracks, gint64 start_ns,
                          gint64 end_ns, const RfPhases *phases, gint64 wall_us)
{
    g_autoptr (GPtrArray) graphs = rf_recording_graphs_new (tracks, n_tracks);

    g_return_if_fail (end_ns > start_ns);

    for (guint i = 0; i < graphs->len; i++) {
        const RfRecordingGraph *graph = graphs->pdata[i];
        Figure *figure = g_new0 (Figure, 1);
        RfGraphFace *face = &figure->face;
        g_autofree char *summary = NULL;
        g_autofree char *caption = NULL;

        if (phases != NULL)
            figure->phases = *phases;
        figure->start_ns = start_ns;
        figure->end_ns = end_ns;
        rf_graph_face_init (face, graph->measure);
        face->format = graph->format;
        face->floor = graph->floor;
        face->legend = TRUE;
        face->view.span = SAMPLES;
        face->view.end = SAMPLES;
        face->moments = (RfMoments){
            .start_us = wall_us != 0 ? wall_us + start_ns / 1000 : 0,
            .step_us = (double)(end_ns - start_ns) / 1000 / SAMPLES,
            .wall = wall_us != 0,
        };
        for (guint j = 0; j < graph->lines->len; j++) {
            const RfRecordingLine *line = &g_array_index (graph->lines, RfRecordingLine, j);
            g_autoptr (RfSeries) series = rf_recording_line_series (line, start_ns, end_ns);

            rf_graph_face_add_line (face, series, line->label);
        }
        summary = rf_graph_face_summary (face);
        caption = g_strdup_printf ("%s: %s", graph->title, summary);
        rf_document_add_figure (document, caption, draw, figure, figure_free);
    }
}
