/* Which part of a recording is seen: zooming and scrolling as numbers, so that graphs, strip and scroll bar agree.
 * Times are nanoseconds on the recording's clock. Signal "changed" (). One thread. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/** RF_STRETCH_LEAST_NS: nothing shorter is shown: two seconds */
#define RF_STRETCH_LEAST_NS (2 * G_GINT64_CONSTANT (1000000000))

#define RF_TYPE_STRETCH (rf_stretch_get_type ())
G_DECLARE_FINAL_TYPE (RfStretch, rf_stretch, RF, STRETCH, GObject)

/** rf_stretch_new: all from @start_ns to @end_ns is seen; it is made longer if it is below RF_STRETCH_LEAST_NS */
RfStretch *rf_stretch_new (gint64 start_ns, gint64 end_ns);

/** rf_stretch_get_whole: what there is to be seen */
void rf_stretch_get_whole (RfStretch *self, gint64 *start_ns, gint64 *end_ns);
void rf_stretch_get (RfStretch *self, gint64 *start_ns, gint64 *end_ns);
gboolean rf_stretch_is_whole (RfStretch *self);

/** rf_stretch_set: moved and shortened so that it lies in the whole */
void rf_stretch_set (RfStretch *self, gint64 start_ns, gint64 end_ns);
/** rf_stretch_zoom: @factor: of the length, 0.5 is closer; @at: what stays where it is, 0..1 of what is seen */
void rf_stretch_zoom (RfStretch *self, double factor, double at);
/** rf_stretch_scroll: by this part of what is seen, later if positive */
void rf_stretch_scroll (RfStretch *self, double part);
/** rf_stretch_scroll_to: the beginning of what is seen */
void rf_stretch_scroll_to (RfStretch *self, gint64 start_ns);
void rf_stretch_show_whole (RfStretch *self);

G_END_DECLS
