/* A thin bar over the time that is seen: when something happened, as ticks, or in which phase it was, as bands with
 * their names. Decoration for those who see it: the words beside it say the same. */
#pragma once

#include "rf-stretch.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_TICK_BAR (rf_tick_bar_get_type ())
G_DECLARE_FINAL_TYPE (RfTickBar, rf_tick_bar, RF, TICK_BAR, GtkWidget)

/** rf_tick_bar_new: @color: a name of the palette, static: "rf_danger"; keeps a reference on @stretch */
GtkWidget *rf_tick_bar_new (RfStretch *stretch, const char *color);
/** rf_tick_bar_add: what happened from @start_ns to @end_ns, drawn at least one pixel wide; ascending by start */
void rf_tick_bar_add (RfTickBar *self, gint64 start_ns, gint64 end_ns);
/** rf_tick_bar_add_band: a stretch of time with its name, translated; every other one is tinted */
void rf_tick_bar_add_band (RfTickBar *self, gint64 start_ns, gint64 end_ns, const char *label);

G_END_DECLS
