#define G_LOG_DOMAIN "rf-timeline"

#include "config.h"

#include "rf-timeline.h"

#define DEFAULT_SPAN_MS (5 * 60 * 1000)

struct _RfTimeline {
    GObject parent_instance;
    guint interval_ms;
    guint span;
    guint64 end;
    gboolean has_cursor;
    guint64 cursor;
    RfMoments moments;
};

G_DEFINE_FINAL_TYPE (RfTimeline, rf_timeline, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    SIGNAL_CURSOR_MOVED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
rf_timeline_class_init (RfTimelineClass *klass)
{
    signals[SIGNAL_CHANGED]
        = g_signal_new ("changed", RF_TYPE_TIMELINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_CURSOR_MOVED]
        = g_signal_new ("cursor-moved", RF_TYPE_TIMELINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_timeline_init (RfTimeline *self)
{
}

RfTimeline *
rf_timeline_new (guint interval_ms)
{
    RfTimeline *self = NULL;

    g_return_val_if_fail (interval_ms > 0, NULL);

    self = g_object_new (RF_TYPE_TIMELINE, NULL);
    self->interval_ms = interval_ms;
    self->span = MAX (2, DEFAULT_SPAN_MS / interval_ms);
    return self;
}

guint
rf_timeline_get_interval_ms (RfTimeline *self)
{
    g_return_val_if_fail (RF_IS_TIMELINE (self), 1);

    return self->interval_ms;
}

void
rf_timeline_set_span (RfTimeline *self, guint samples)
{
    g_return_if_fail (RF_IS_TIMELINE (self));

    samples = MAX (2, samples);
    if (self->span == samples)
        return;
    self->span = samples;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

guint
rf_timeline_get_span (RfTimeline *self)
{
    g_return_val_if_fail (RF_IS_TIMELINE (self), 2);

    return self->span;
}

static void
set_end (RfTimeline *self, guint64 end)
{
    if (self->end == end)
        return;
    self->end = end;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
rf_timeline_stop (RfTimeline *self, guint64 end)
{
    g_return_if_fail (RF_IS_TIMELINE (self));
    g_return_if_fail (end > 0);

    set_end (self, end);
}

void
rf_timeline_go (RfTimeline *self)
{
    g_return_if_fail (RF_IS_TIMELINE (self));

    set_end (self, 0);
}

guint64
rf_timeline_get_end (RfTimeline *self)
{
    g_return_val_if_fail (RF_IS_TIMELINE (self), 0);

    return self->end;
}

void
rf_timeline_show (RfTimeline *self, guint samples, const RfMoments *moments)
{
    g_return_if_fail (RF_IS_TIMELINE (self));
    g_return_if_fail (samples >= 2);

    rf_timeline_clear_cursor (self);
    self->span = samples;
    self->end = samples;
    self->moments = *moments;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

const RfMoments *
rf_timeline_get_moments (RfTimeline *self)
{
    g_return_val_if_fail (RF_IS_TIMELINE (self), NULL);

    return &self->moments;
}

void
rf_timeline_set_cursor (RfTimeline *self, guint64 number)
{
    g_return_if_fail (RF_IS_TIMELINE (self));

    if (self->has_cursor && self->cursor == number)
        return;
    self->has_cursor = TRUE;
    self->cursor = number;
    g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0);
}

void
rf_timeline_clear_cursor (RfTimeline *self)
{
    g_return_if_fail (RF_IS_TIMELINE (self));

    if (!self->has_cursor)
        return;
    self->has_cursor = FALSE;
    g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0);
}

gboolean
rf_timeline_get_cursor (RfTimeline *self, guint64 *number)
{
    g_return_val_if_fail (RF_IS_TIMELINE (self), FALSE);

    if (self->has_cursor && number != NULL)
        *number = self->cursor;
    return self->has_cursor;
}

void
rf_timeline_move_cursor (RfTimeline *self, gint64 samples, guint64 total)
{
    guint64 end, oldest, cursor;

    g_return_if_fail (RF_IS_TIMELINE (self));

    end = self->end > 0 ? MIN (self->end, total) : total;
    if (end == 0)
        return;
    oldest = end - MIN (end, self->span);
    cursor = CLAMP (self->has_cursor ? self->cursor : end - 1, oldest, end - 1);
    if (samples < 0)
        cursor -= MIN ((guint64)-samples, cursor - oldest);
    else
        cursor += MIN ((guint64)samples, end - 1 - cursor);
    rf_timeline_set_cursor (self, cursor);
}
