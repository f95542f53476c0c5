/* One graph: up to eight lines over time with threshold lines and marks; role "img" with a spoken label and
 * description. Never reads, never keeps data: it shows series that somebody else owns. Colours come from style.css. */
#pragma once

#include "rf-graph-face.h"
#include "rf-graph-paint.h"
#include "rf-marks.h"
#include "rf-sample.h"
#include "rf-series.h"
#include "rf-timeline.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_GRAPH (rf_graph_get_type ())
G_DECLARE_FINAL_TYPE (RfGraph, rf_graph, RF, GRAPH, GtkWidget)

/** rf_graph_new: @title (translated): accessible label; @measure: unit of the axis */
GtkWidget *rf_graph_new (const char *title, RfMeasure measure);
/** rf_graph_set_format: how the axis says its values, where the measure has no unit (milliseconds): @format returns
 * (transfer full) */
void rf_graph_set_format (RfGraph *self, char *(*format) (double value));
/** rf_graph_set_span: @samples: how many samples the width shows (300 at 1 Hz is five minutes) */
void rf_graph_set_span (RfGraph *self, guint samples);
/** rf_graph_set_timeline: keeps a reference; from now on @timeline says how many samples the width shows, where they
 * end and where the cursor is; with one the graph can be focused, and pointer and keys move the cursor of all its
 * graphs */
void rf_graph_set_timeline (RfGraph *self, RfTimeline *timeline);
/** rf_graph_set_marks: keeps a reference; shows them as they come */
void rf_graph_set_marks (RfGraph *self, RfMarks *marks);
/** rf_graph_add_line: keeps a reference on @series; colour by order (1 to 8); @label (nullable) (translated): named in
 * the graph's own legend above the plot */
void rf_graph_add_line (RfGraph *self, RfSeries *series, const char *label);
/** rf_graph_set_series: line @line, counted from 0, shows @series from now on, for what moves through a long recording
 */
void rf_graph_set_series (RfGraph *self, guint line, RfSeries *series);
void rf_graph_remove_lines (RfGraph *self);
/** rf_graph_set_legend: whether the names of the lines stand in the graph; TRUE at first */
void rf_graph_set_legend (RfGraph *self, gboolean legend);
typedef enum {
    RF_THRESHOLD_WARNING, /* dashed, orange: "kernel starts clearing" */
    RF_THRESHOLD_DANGER,  /* dashed, red: "programs wait" */
} RfThresholdKind;
/** rf_graph_set_threshold: a horizontal line with words at @value; NAN removes it. @index 0 to 3 */
void rf_graph_set_threshold (RfGraph *self, guint index, RfThresholdKind kind, double value, const char *label);
/** rf_graph_set_band: tints and hatches one side of a threshold: "here programs wait" */
void rf_graph_set_band (RfGraph *self, guint index, RfGraphBand band);
/** rf_graph_mark: a vertical line with words at the newest sample ("applied"); moves left with time. It goes into the
 * marks of the graph; without any it gets its own */
void rf_graph_mark (RfGraph *self, const char *label);
/** rf_graph_set_floor: the axis reaches at least up to @top, so that calm looks calm */
void rf_graph_set_floor (RfGraph *self, double top);
/** rf_graph_get_face: (transfer none): what was drawn last, to be looked at */
const RfGraphFace *rf_graph_get_face (RfGraph *self);
/** rf_graph_summary: (transfer full): the graph in words, see rf_graph_face_summary() */
char *rf_graph_summary (RfGraph *self);
/** rf_graph_set_summary: the sentence a screen reader gives; set at a sane rate by the owner */
void rf_graph_set_summary (RfGraph *self, const char *summary);
/** rf_graph_refresh: new samples are there: redraws if that changes the picture */
void rf_graph_refresh (RfGraph *self);

G_END_DECLS
