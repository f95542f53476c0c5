/* What a person has chosen for the monitor: the range, the compact view, which graphs are shown and in which order.
 * Kept in GSettings as lists of ids: ids that are not known any more are ignored, and a graph that is new appears beside
 * its neighbour. Signal "changed" (). No GTK. Main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define RF_TYPE_MONITOR_CHOICE (rf_monitor_choice_get_type ())
G_DECLARE_FINAL_TYPE (RfMonitorChoice, rf_monitor_choice, RF, MONITOR_CHOICE, GObject)

/**
 * rf_monitor_choice_new:
 * @settings: (nullable): NULL: nothing is remembered
 * @known: ids of all graphs in the program's own order, NULL-terminated
 */
RfMonitorChoice *rf_monitor_choice_new (GSettings *settings, const char *const *known);

/** rf_monitor_choice_get_minutes: 1, 5, 15 or 60 */
guint rf_monitor_choice_get_minutes (RfMonitorChoice *self);
/** rf_monitor_choice_set_minutes: what lies between is rounded up to the next of the four */
void rf_monitor_choice_set_minutes (RfMonitorChoice *self, guint minutes);
/** rf_monitor_choice_step_minutes: the next longer range (@by 1) or the next shorter one (-1), as far as there is one */
void rf_monitor_choice_step_minutes (RfMonitorChoice *self, int by);
/** rf_monitor_choice_ranges: Returns: (transfer none): the four, ascending; @n: (out) */
const guint *rf_monitor_choice_ranges (guint *n);

gboolean rf_monitor_choice_get_compact (RfMonitorChoice *self);
void rf_monitor_choice_set_compact (RfMonitorChoice *self, gboolean compact);

/** rf_monitor_choice_count: all graphs, shown or not */
guint rf_monitor_choice_count (RfMonitorChoice *self);
/** rf_monitor_choice_get_id: (transfer none): the graph at @place, 0 is the first */
const char *rf_monitor_choice_get_id (RfMonitorChoice *self, guint place);
gboolean rf_monitor_choice_get_shown (RfMonitorChoice *self, const char *id);
void rf_monitor_choice_set_shown (RfMonitorChoice *self, const char *id, gboolean shown);
/** rf_monitor_choice_move: puts @id at @place, others make room. Returns: whether that changed anything */
gboolean rf_monitor_choice_move (RfMonitorChoice *self, const char *id, guint place);
/** rf_monitor_choice_is_usual: whether all graphs are shown, in the program's own order */
gboolean rf_monitor_choice_is_usual (RfMonitorChoice *self);
/** rf_monitor_choice_reset: all graphs in the program's own order; the range and the compact view stay */
void rf_monitor_choice_reset (RfMonitorChoice *self);

G_END_DECLS
