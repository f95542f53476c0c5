#define G_LOG_DOMAIN "rf-marks"

#include "config.h"

#include "rf-marks.h"

struct _RfMarks {
    GObject parent_instance;
    GArray *marks; /* of RfMark */
};

G_DEFINE_FINAL_TYPE (RfMarks, rf_marks, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
mark_clear (RfMark *mark)
{
    g_clear_pointer (&mark->label, g_free);
}

static void
rf_marks_finalize (GObject *object)
{
    RfMarks *self = RF_MARKS (object);

    g_clear_pointer (&self->marks, g_array_unref);
    G_OBJECT_CLASS (rf_marks_parent_class)->finalize (object);
}

static void
rf_marks_class_init (RfMarksClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_marks_finalize;

    signals[SIGNAL_CHANGED]
        = g_signal_new ("changed", RF_TYPE_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_marks_init (RfMarks *self)
{
    self->marks = g_array_new (FALSE, FALSE, sizeof (RfMark));
    g_array_set_clear_func (self->marks, (GDestroyNotify)mark_clear);
}

RfMarks *
rf_marks_new (void)
{
    return g_object_new (RF_TYPE_MARKS, NULL);
}

void
rf_marks_add (RfMarks *self, guint64 number, RfMarkKind kind, const char *label)
{
    const RfMark mark = {.number = number, .kind = kind, .label = g_strdup (label)};

    g_return_if_fail (RF_IS_MARKS (self));

    if (self->marks->len == RF_MARKS_MAX)
        g_array_remove_index (self->marks, 0);
    g_array_append_val (self->marks, mark);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

guint
rf_marks_count (RfMarks *self)
{
    g_return_val_if_fail (RF_IS_MARKS (self), 0);

    return self->marks->len;
}

const RfMark *
rf_marks_get (RfMarks *self, guint index)
{
    g_return_val_if_fail (RF_IS_MARKS (self), NULL);
    g_return_val_if_fail (index < self->marks->len, NULL);

    return &g_array_index (self->marks, RfMark, index);
}
