/* The whole picture of one graph: lines, grid and bands (rf-graph-paint) and all words, by cairo and pango alone, so
 * that the widget, a picture file and a test draw the same. Words never lie on each other and never leave the picture:
 * the less important one gives way. Plain fields that the owner sets; nothing here reads or keeps data. One thread. */
#pragma once

#include "rf-graph-paint.h"
#include "rf-sample.h"
#include "rf-timeline.h"

#include <pango/pangocairo.h>

G_BEGIN_DECLS

#define RF_GRAPH_MAX_BOXES 48

typedef struct {
    double x;
    double y;
    double width;
    double height;
} RfGraphBox;

/**
 * RfGraphFace: set with rf_graph_face_init(), freed with rf_graph_face_clear()
 * @view: span, end, mirrored, thresholds and bands are the owner's; lines go through rf_graph_face_add_line(); the rest
 *   is computed at every drawing. It holds a reference on every series and on the marks
 * @format: (nullable): how values are said where the measure has no unit
 * @floor: the axis reaches at least up to here
 * @interval_ms: from sample to sample; 0 where it is not known: then nothing is said about time
 * @moments: where samples have moments of their own, those are said instead
 * @has_cursor, @cursor: number of a sample
 * @legend: whether the names of the lines stand above the plot
 */
typedef struct {
    RfGraphView view;
    RfMeasure measure;
    char *(*format) (double value);
    double floor;
    guint interval_ms;
    RfMoments moments;
    gboolean has_cursor;
    guint64 cursor;
    gboolean legend;
    char *line_label[RF_GRAPH_MAX_LINES];
    char *threshold_label[RF_GRAPH_MAX_THRESHOLDS];
    /*< private >*/
    RfGraphPaint *paint;
    GHashTable *layouts; /* words → PangoLayout */
    RfGraphBox box[RF_GRAPH_MAX_BOXES];
    guint n_boxes;
    guint n_dropped;
    guint step; /* samples that shared a cell at the last drawing */
} RfGraphFace;

void rf_graph_face_init (RfGraphFace *self, RfMeasure measure);
void rf_graph_face_clear (RfGraphFace *self);
/** rf_graph_face_add_line: @label (nullable). Returns: FALSE if there are RF_GRAPH_MAX_LINES already */
gboolean rf_graph_face_add_line (RfGraphFace *self, RfSeries *series, const char *label);
/** rf_graph_face_set_series: line @line shows @series from now on */
void rf_graph_face_set_series (RfGraphFace *self, guint line, RfSeries *series);
void rf_graph_face_remove_lines (RfGraphFace *self);
/** rf_graph_face_set_marks: (nullable): keeps a reference */
void rf_graph_face_set_marks (RfGraphFace *self, RfMarks *marks);
/** rf_graph_face_forget_words: font or size of text has changed */
void rf_graph_face_forget_words (RfGraphFace *self);

/** rf_graph_face_top: Returns: the value that the axis would reach now */
double rf_graph_face_top (const RfGraphFace *self);
/** rf_graph_face_value: (transfer full): @value as the axis says it */
char *rf_graph_face_value (const RfGraphFace *self, double value);
/** rf_graph_face_when: (transfer full): when sample @number was: "2 min 5 s ago", or its moment: "21:14:05" */
char *rf_graph_face_when (const RfGraphFace *self, guint64 number);
/** rf_graph_face_moment: (transfer full): @us as a moment is said that @wall (see RfMoments) belongs to; @fine: with
 * tenths of a second */
char *rf_graph_face_moment (gint64 us, gboolean wall, gboolean fine);
/** rf_graph_face_cell: what is painted of line @line where sample @number lies; FALSE for a gap */
gboolean rf_graph_face_cell (const RfGraphFace *self, guint line, guint64 number, RfSeriesCell *out);
/**
 * rf_graph_face_readout: (transfer full): when it was, and the value of every line with its name
 * @separator: between them
 */
char *rf_graph_face_readout (const RfGraphFace *self, guint64 number, const char *separator);

/** rf_graph_face_summary: (transfer full): the graph in words: of every line the newest value and the lowest (where
 * there is a band below) or the highest one, and whether the first line was in a band */
char *rf_graph_face_summary (const RfGraphFace *self);

/**
 * rf_graph_face_draw:
 * @context: font and direction of the words
 * @width, @height: logical pixels
 * @scale: device pixels per logical one
 */
void rf_graph_face_draw (RfGraphFace *self, cairo_t *cr, PangoContext *context, int width, int height, int scale,
                         const RfGraphStyle *style);
/** rf_graph_face_boxes: (transfer none): where the words of the last drawing stand */
const RfGraphBox *rf_graph_face_boxes (const RfGraphFace *self, guint *count);
/** rf_graph_face_dropped: Returns: how many words of the axis, of thresholds and of the legend found no room at the
 * last drawing, and a readout that was shortened. Times, marks and the words of the grid may give way, and are not
 * counted */
guint rf_graph_face_dropped (const RfGraphFace *self);

G_END_DECLS
