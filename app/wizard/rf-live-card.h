/* A card with a title, the current value in words, a graph and a sentence. Owns no data. */
#pragma once

#include "rf-graph.h"

G_BEGIN_DECLS

#define RF_TYPE_LIVE_CARD (rf_live_card_get_type ())
G_DECLARE_FINAL_TYPE (RfLiveCard, rf_live_card, RF, LIVE_CARD, GtkWidget)

/** rf_live_card_new: @value_class: CSS class of the value, "rf-value" or "rf-dim" */
GtkWidget *rf_live_card_new (const char *title, RfMeasure measure, const char *value_class);
RfGraph *rf_live_card_get_graph (RfLiveCard *self);
/** rf_live_card_set_text: @value, @caption (nullable); a screen reader gets both, at most every ten seconds */
void rf_live_card_set_text (RfLiveCard *self, const char *value, const char *caption);

G_END_DECLS
