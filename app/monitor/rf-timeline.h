/* What all graphs of a page show of the time: how far back it reaches, whether it has been stopped, and the one instant
 * that a cursor points at, so that all of them say their values of the same moment. Samples are numbered as in
 * rf-series.h. Knows no graph and no widget. Signals "changed" (): reach or end; "cursor-moved" (). One thread. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define RF_TYPE_TIMELINE (rf_timeline_get_type ())
G_DECLARE_FINAL_TYPE (RfTimeline, rf_timeline, RF, TIMELINE, GObject)

/** rf_timeline_new: @interval_ms: from sample to sample. Shows five minutes at first */
RfTimeline *rf_timeline_new (guint interval_ms);
guint rf_timeline_get_interval_ms (RfTimeline *self);

/** rf_timeline_set_span: @samples: how many the width of a graph shows, at least 2 */
void rf_timeline_set_span (RfTimeline *self, guint samples);
guint rf_timeline_get_span (RfTimeline *self);

/** rf_timeline_stop: from now on all graphs end with the sample before @end, while sampling goes on; @end above 0 */
void rf_timeline_stop (RfTimeline *self, guint64 end);
void rf_timeline_go (RfTimeline *self);
/** rf_timeline_get_end: 0 while time goes on */
guint64 rf_timeline_get_end (RfTimeline *self);

/**
 * RfMoments: which moments the samples stand for, where it is not "so long before now": in a recording
 * @start_us: of sample 0: microseconds since 1970 if @wall, else since the recording began
 * @step_us: from sample to sample; 0: samples have no moments of their own
 */
typedef struct {
    gint64 start_us;
    double step_us;
    gboolean wall;
} RfMoments;

/** rf_timeline_show: shows samples 0 to @samples, at least 2, at these moments, and forgets the cursor */
void rf_timeline_show (RfTimeline *self, guint samples, const RfMoments *moments);
/** rf_timeline_get_moments: (transfer none) */
const RfMoments *rf_timeline_get_moments (RfTimeline *self);

/** rf_timeline_set_cursor: @number: of a sample */
void rf_timeline_set_cursor (RfTimeline *self, guint64 number);
void rf_timeline_clear_cursor (RfTimeline *self);
/** rf_timeline_get_cursor: @number: (out) (optional). Returns: whether there is a cursor */
gboolean rf_timeline_get_cursor (RfTimeline *self, guint64 *number);
/** rf_timeline_move_cursor: by @samples, later if positive, within what is seen; without a cursor it begins at the
 * newest sample. @total: samples that there are */
void rf_timeline_move_cursor (RfTimeline *self, gint64 samples, guint64 total);

G_END_DECLS
