/* Paints lines over time with cairo and nothing else: no GTK, no clock, no reading. It keeps what it has painted in an
 * image and moves that to the left when samples arrive, so that a second costs one new segment a line and not the whole
 * history. Where several samples share a pixel, it paints the band between their least and their greatest, from cells
 * of one size. Everything is painted segment by segment on whole device pixels, therefore the moved picture is bit by
 * bit the one that a full repaint would give (tests/app/test-graph-paint holds it). One thread. */
#pragma once

#include "rf-marks.h"
#include "rf-series.h"

#include <cairo.h>

G_BEGIN_DECLS

#define RF_GRAPH_MAX_LINES 8
#define RF_GRAPH_MAX_THRESHOLDS 4

typedef struct {
    double red;
    double green;
    double blue;
    double alpha;
} RfGraphColor;

/* As the window draws them. */
#define RF_GRAPH_LINE_WIDTH 1.75
#define RF_GRAPH_FILL_ALPHA 0.14

/** RfGraphStyle: colours and widths in logical pixels */
typedef struct {
    RfGraphColor line[RF_GRAPH_MAX_LINES];
    RfGraphColor grid;
    RfGraphColor warning;
    RfGraphColor danger;
    RfGraphColor mark;
    RfGraphColor text;
    RfGraphColor ground; /* what the graph stands on */
    double line_width;
    double fill_alpha; /* 0..1: below the first line */
} RfGraphStyle;

/** RfGraphBand: the side of a threshold that is tinted and hatched, because things go wrong there */
typedef enum {
    RF_GRAPH_BAND_NONE,
    RF_GRAPH_BAND_BELOW,
    RF_GRAPH_BAND_ABOVE,
} RfGraphBand;

/**
 * RfGraphView: what is to be seen
 * @series: all of them have the same clock: the same number of samples ever pushed
 * @span: samples that the width shows, at least 2
 * @end: number after the newest sample that is shown, where time has been stopped; 0 shows the newest there is
 * @top: value at the upper edge, above 0; the lower edge is 0
 * @threshold: NAN where there is none; @danger: its colour
 * @marks: (nullable)
 * @inset_top, @inset_bottom: logical pixels above and below the plot that stay free for words
 * @divisions: of the plot by lines of the grid; 0 is two
 */
typedef struct {
    RfSeries *series[RF_GRAPH_MAX_LINES];
    guint n_lines;
    guint span;
    guint64 end;
    double top;
    double threshold[RF_GRAPH_MAX_THRESHOLDS];
    gboolean danger[RF_GRAPH_MAX_THRESHOLDS];
    RfGraphBand band[RF_GRAPH_MAX_THRESHOLDS];
    RfMarks *marks;
    double inset_top;
    double inset_bottom;
    guint divisions;
    gboolean mirrored; /* right-to-left: the newest sample is on the left */
} RfGraphView;

typedef struct _RfGraphPaint RfGraphPaint;

RfGraphPaint *rf_graph_paint_new (void);
void rf_graph_paint_free (RfGraphPaint *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfGraphPaint, rf_graph_paint_free)

/** rf_graph_paint_forget: the next drawing paints everything: series have been exchanged for others */
void rf_graph_paint_forget (RfGraphPaint *self);
/** rf_graph_paint_draw: @width, @height: logical pixels; @scale: device pixels per logical one */
void rf_graph_paint_draw (RfGraphPaint *self, cairo_t *cr, int width, int height, int scale, const RfGraphView *view,
                          const RfGraphStyle *style);

/** rf_graph_paint_segments: segments of lines that the last draw had to paint: what it cost */
guint rf_graph_paint_segments (const RfGraphPaint *self);

/** rf_graph_paint_y: Returns: where @value lies, logical pixels from the top */
double rf_graph_paint_y (const RfGraphView *view, int height, double value);

/** rf_graph_paint_end: number after the newest sample that @view shows */
guint64 rf_graph_paint_end (const RfGraphView *view);
/** rf_graph_paint_step: how many samples share a cell at this size */
guint rf_graph_paint_step (const RfGraphView *view, int width, int scale);
/** rf_graph_paint_x: Returns: where sample @number lies, logical pixels; NAN if it is not in the picture */
double rf_graph_paint_x (const RfGraphView *view, int width, int scale, guint64 number);
/** rf_graph_paint_number: the sample that lies nearest to @x; FALSE if there was none yet */
gboolean rf_graph_paint_number (const RfGraphView *view, int width, int scale, double x, guint64 *number);

/**
 * rf_graph_paint_axis_top:
 * @largest: what must fit; NAN if nothing is known
 * @lowest: the axis never ends below, above 0
 * @binary: steps of 1, 2, 4, … times a power of two (memory), else 1, 2, 5 times a power of ten
 *
 * Returns: a round number that is at least both
 */
double rf_graph_paint_axis_top (double largest, double lowest, gboolean binary);

G_END_DECLS
