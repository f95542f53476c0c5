/* A card of the monitor: title in words, current value large, the graph, a legend where there is more than one line,
 * and one sentence that says what it tells. Owns nothing but its widgets. */
#pragma once

#include "rf-graph.h"

G_BEGIN_DECLS

#define RF_TYPE_GRAPH_CARD (rf_graph_card_get_type ())
G_DECLARE_FINAL_TYPE (RfGraphCard, rf_graph_card, RF, GRAPH_CARD, GtkWidget)

/** rf_graph_card_new: @title, @explanation: translated sentences; @explanation (nullable) */
GtkWidget *rf_graph_card_new (const char *title, const char *explanation, RfMeasure measure);
/** rf_graph_card_get_graph: (transfer none): for floor, span, thresholds and marks; lines go through the card */
RfGraph *rf_graph_card_get_graph (RfGraphCard *self);
/** rf_graph_card_set_value: the current value as a person says it */
void rf_graph_card_set_value (RfGraphCard *self, const char *text);
/** rf_graph_card_set_suffix: @widget: stands where the value stands (a pill) */
void rf_graph_card_set_suffix (RfGraphCard *self, GtkWidget *widget);
/** rf_graph_card_set_words_first: the explanation stands above the graph, as on the overview */
void rf_graph_card_set_words_first (RfGraphCard *self);
void rf_graph_card_set_explanation (RfGraphCard *self, const char *explanation);
/** rf_graph_card_set_title: @css_class: (nullable): "good", "warning" or "danger" */
void rf_graph_card_set_title (RfGraphCard *self, const char *title, const char *css_class);
/**
 * rf_graph_card_set_topic: shows a button for the full size and one for help
 * @topic: parameter of their actions, "monitor.open" and "win.show-help"; also of Enter and a double click
 * @title: of the graph, translated, for the names of the buttons
 */
void rf_graph_card_set_topic (RfGraphCard *self, const char *topic, const char *title);
/** rf_graph_card_set_large: the card fills the page: no button for the full size, and a double click is
 * "monitor.close" */
void rf_graph_card_set_large (RfGraphCard *self, gboolean large);
/** rf_graph_card_set_small: without the explanation and the value, and with the buttons beside the title, for good */
void rf_graph_card_set_small (RfGraphCard *self);
/** rf_graph_card_add_line: @label (nullable): makes an entry of the legend */
void rf_graph_card_add_line (RfGraphCard *self, RfSeries *series, const char *label);
void rf_graph_card_clear_lines (RfGraphCard *self);
/** rf_graph_card_set_line_value: value of line @index in the legend */
void rf_graph_card_set_line_value (RfGraphCard *self, guint index, const char *text);
/** rf_graph_card_set_unavailable: @reason (nullable): shown instead of the graph, "" for nothing at all; NULL brings
 * the graph back */
void rf_graph_card_set_unavailable (RfGraphCard *self, const char *reason);
/** rf_graph_card_refresh: redraws; every tenth call also renews what a screen reader is told, so it is for new texts */
void rf_graph_card_refresh (RfGraphCard *self);

G_END_DECLS
