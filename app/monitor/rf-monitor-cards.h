/* What the cards of the monitor page show: one table, and one function that says a card's values in words. */
#pragma once

#include "rf-graph-card.h"
#include "rf-sampler.h"
#include "rf-series-table.h"

G_BEGIN_DECLS

typedef enum {
    RF_MONITOR_GROUP_MEMORY,
    RF_MONITOR_GROUP_DRIVES,
    RF_MONITOR_GROUP_CPU,
    RF_N_MONITOR_GROUPS,
} RfMonitorGroup;

/** RfMonitorCard: one kind of card; static, see rf_monitor_cards_get() */
typedef struct _RfMonitorCard RfMonitorCard;

guint rf_monitor_cards_count (void);
const RfMonitorCard *rf_monitor_cards_get (guint index);
/** rf_monitor_card_id: "free": also the id of its topic in the help */
const char *rf_monitor_card_id (const RfMonitorCard *card);
/** rf_monitor_cards_find: (nullable): the card with @id */
const RfMonitorCard *rf_monitor_cards_find (const char *id);
/** rf_monitor_cards_ids: Returns: (transfer container): the ids of all cards in their order, NULL-terminated */
const char **rf_monitor_cards_ids (void);
/** rf_monitor_card_title: translated */
const char *rf_monitor_card_title (const RfMonitorCard *card);
RfMonitorGroup rf_monitor_card_group (const RfMonitorCard *card);
const char *rf_monitor_group_title (RfMonitorGroup group);

/** rf_monitor_card_create: Returns: (transfer floating): the widget with its lines, without values yet */
GtkWidget *rf_monitor_card_create (const RfMonitorCard *card, RfSampler *sampler);
/** rf_monitor_card_update: writes the newest sample of @sampler into @widget */
void rf_monitor_card_update (const RfMonitorCard *card, RfGraphCard *widget, RfSampler *sampler);

/** rf_monitor_card_add_columns: what the card shows, as columns of a table; @columns: as rf_series_columns_new() */
void rf_monitor_card_add_columns (const RfMonitorCard *card, RfSampler *sampler, GArray *columns);

/** rf_monitor_cards_follow_disks: gives @widget one line a disk, made anew when a disk appears for the first time.
 * @legend: with names. Returns: how many lines there are */
guint rf_monitor_cards_follow_disks (RfGraphCard *widget, RfSampler *sampler, RfDiskColumn column, gboolean legend);

G_END_DECLS
