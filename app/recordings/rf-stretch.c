#define G_LOG_DOMAIN "rf-stretch"

#include "config.h"

#include "rf-stretch.h"

#include <math.h>

struct _RfStretch {
    GObject parent_instance;
    gint64 whole_start;
    gint64 whole_end;
    gint64 start;
    gint64 end;
};

G_DEFINE_FINAL_TYPE (RfStretch, rf_stretch, G_TYPE_OBJECT)

static guint signal_changed;

static void
rf_stretch_class_init (RfStretchClass *klass)
{
    signal_changed = g_signal_new ("changed", RF_TYPE_STRETCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_stretch_init (RfStretch *self)
{
}

RfStretch *
rf_stretch_new (gint64 start_ns, gint64 end_ns)
{
    RfStretch *self = g_object_new (RF_TYPE_STRETCH, NULL);

    self->start = self->whole_start = start_ns;
    self->end = self->whole_end = MAX (end_ns, start_ns + RF_STRETCH_LEAST_NS);
    return self;
}

void
rf_stretch_get_whole (RfStretch *self, gint64 *start_ns, gint64 *end_ns)
{
    g_return_if_fail (RF_IS_STRETCH (self));

    *start_ns = self->whole_start;
    *end_ns = self->whole_end;
}

void
rf_stretch_get (RfStretch *self, gint64 *start_ns, gint64 *end_ns)
{
    g_return_if_fail (RF_IS_STRETCH (self));

    *start_ns = self->start;
    *end_ns = self->end;
}

gboolean
rf_stretch_is_whole (RfStretch *self)
{
    g_return_val_if_fail (RF_IS_STRETCH (self), TRUE);

    return self->start == self->whole_start && self->end == self->whole_end;
}

void
rf_stretch_set (RfStretch *self, gint64 start_ns, gint64 end_ns)
{
    gint64 length;

    g_return_if_fail (RF_IS_STRETCH (self));

    length = CLAMP (end_ns - start_ns, RF_STRETCH_LEAST_NS, self->whole_end - self->whole_start);
    start_ns = CLAMP (start_ns, self->whole_start, self->whole_end - length);
    if (start_ns == self->start && start_ns + length == self->end)
        return;
    self->start = start_ns;
    self->end = start_ns + length;
    g_signal_emit (self, signal_changed, 0);
}

void
rf_stretch_zoom (RfStretch *self, double factor, double at)
{
    double length, wanted, still;
    gint64 start;

    g_return_if_fail (RF_IS_STRETCH (self));
    g_return_if_fail (factor > 0);

    length = (double)(self->end - self->start);
    wanted = CLAMP (length * factor, (double)RF_STRETCH_LEAST_NS, (double)(self->whole_end - self->whole_start));
    still = (double)self->start + length * CLAMP (at, 0, 1);
    start = (gint64)llround (still - wanted * CLAMP (at, 0, 1));
    rf_stretch_set (self, start, start + (gint64)llround (wanted));
}

void
rf_stretch_scroll (RfStretch *self, double part)
{
    g_return_if_fail (RF_IS_STRETCH (self));

    rf_stretch_scroll_to (self, self->start + (gint64)llround ((double)(self->end - self->start) * part));
}

void
rf_stretch_scroll_to (RfStretch *self, gint64 start_ns)
{
    g_return_if_fail (RF_IS_STRETCH (self));

    rf_stretch_set (self, start_ns, start_ns + (self->end - self->start));
}

void
rf_stretch_show_whole (RfStretch *self)
{
    g_return_if_fail (RF_IS_STRETCH (self));

    rf_stretch_set (self, self->whole_start, self->whole_end);
}
