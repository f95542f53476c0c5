#define G_LOG_DOMAIN "rf-series"

#include "config.h"

#include "rf-series.h"

#include <math.h>

struct _RfSeries {
    GObject parent_instance;
    double *values;
    guint capacity;
    guint64 total;
};

G_DEFINE_FINAL_TYPE (RfSeries, rf_series, G_TYPE_OBJECT)

static void
rf_series_finalize (GObject *object)
{
    RfSeries *self = RF_SERIES (object);

    g_free (self->values);
    G_OBJECT_CLASS (rf_series_parent_class)->finalize (object);
}

static void
rf_series_class_init (RfSeriesClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_series_finalize;
}

static void
rf_series_init (RfSeries *self)
{
}

RfSeries *
rf_series_new (guint capacity)
{
    RfSeries *self = NULL;

    g_return_val_if_fail (capacity >= 2, NULL);

    self = g_object_new (RF_TYPE_SERIES, NULL);
    self->values = g_new (double, capacity);
    self->capacity = capacity;
    return self;
}

void
rf_series_push (RfSeries *self, double value)
{
    g_return_if_fail (RF_IS_SERIES (self));

    self->values[self->total % self->capacity] = value;
    self->total++;
}

void
rf_series_push_gaps (RfSeries *self, guint64 count)
{
    guint64 kept;

    g_return_if_fail (RF_IS_SERIES (self));

    kept = MIN (count, self->capacity);
    self->total += count - kept;
    for (guint64 i = 0; i < kept; i++)
        rf_series_push (self, NAN);
}

guint
rf_series_length (RfSeries *self)
{
    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    return (guint)MIN (self->total, self->capacity);
}

double
rf_series_get (RfSeries *self, guint back)
{
    g_return_val_if_fail (RF_IS_SERIES (self), NAN);

    if (back >= MIN (self->total, self->capacity))
        return NAN;
    return self->values[(self->total - 1 - back) % self->capacity];
}

guint64
rf_series_total (RfSeries *self)
{
    g_return_val_if_fail (RF_IS_SERIES (self), 0);

    return self->total;
}

gboolean
rf_series_range (RfSeries *self, guint count, double *min, double *max)
{
    double smallest = INFINITY;
    double largest = -INFINITY;

    g_return_val_if_fail (RF_IS_SERIES (self), FALSE);

    count = MIN (count, rf_series_length (self));
    for (guint back = 0; back < count; back++) {
        const double value = rf_series_get (self, back);

        if (isfinite (value)) {
            smallest = MIN (smallest, value);
            largest = MAX (largest, value);
        }
    }
    if (smallest > largest)
        return FALSE;
    *min = smallest;
    *max = largest;
    return TRUE;
}
