/* What the rules of the recommender share. Rows start as "fine, nothing to say"; a rule changes its row and reads
 * everything else. Pure: no files, no clock. */
#pragma once

#include "rf-recommendation.h"

G_BEGIN_DECLS

#define RF_MIB (G_GUINT64_CONSTANT (1024) * 1024)
#define RF_GIB (RF_MIB * 1024)

/**
 * RfAdvice: what every rule may look at.
 * @head_start: distance low-min now, bytes; 0: unknown
 * @limit: nr_dirty_threshold in bytes, or not available
 * @background_limit: nr_dirty_background_threshold in bytes, or not available
 * @available: MemAvailable in bytes, or not available
 */
typedef struct {
    const RfFacts *facts;
    const RfCurrentSet *current;
    RfPreset preset;
    guint64 head_start;
    RfCounter limit;
    RfCounter background_limit;
    RfCounter available;
} RfAdvice;

void rf_advice_set (RfRecommendation *row, RfVerdict verdict, RfReasonId why);
void rf_advice_propose (RfRecommendation *row, RfVerdict verdict, RfReasonId why, RfValue value);
/** rf_advice_has_swap: whether swap of (one of) the kinds is active; zram counts as @zram, everything else as @disk */
gboolean rf_advice_has_swap (const RfFacts *facts, gboolean zram, gboolean disk);

/* one rule each; @row has a readable current value */
void rf_advice_scale_factor (const RfAdvice *advice, RfRecommendation *row);
void rf_advice_dirty (const RfAdvice *advice, RfRecommendation *row);
void rf_advice_zram (const RfAdvice *advice, RfRecommendation *row);
void rf_advice_page_cluster (const RfAdvice *advice, RfRecommendation *row);
void rf_advice_swappiness (const RfAdvice *advice, RfRecommendation *row);

/** rf_advice_preset: lays the chosen preset over a row that the rules have filled; does nothing for a refused row. */
void rf_advice_preset (const RfAdvice *advice, RfRecommendation *row);
/** rf_advice_scale_factor_cost: additional bytes kept free with @factor */
guint64 rf_advice_scale_factor_cost (const RfAdvice *advice, gint64 factor);

G_END_DECLS
