/* When something was applied or taken back, so that every graph shows it, also one that is made later. Samples are
 * numbered as in rf-series.h. Keeps the newest RF_MARKS_MAX. Signal "changed" (). One thread. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define RF_MARKS_MAX 64

typedef enum {
    RF_MARK_APPLIED,
    RF_MARK_TAKEN_BACK,
} RfMarkKind;

typedef struct {
    guint64 number; /* the sample that was the newest; it may be about to come */
    RfMarkKind kind;
    char *label; /* translated */
} RfMark;

#define RF_TYPE_MARKS (rf_marks_get_type ())
G_DECLARE_FINAL_TYPE (RfMarks, rf_marks, RF, MARKS, GObject)

RfMarks *rf_marks_new (void);
/** rf_marks_add: @label: one or two words ("applied") */
void rf_marks_add (RfMarks *self, guint64 number, RfMarkKind kind, const char *label);
guint rf_marks_count (RfMarks *self);
/** rf_marks_get: (transfer none): @index: 0 was added first */
const RfMark *rf_marks_get (RfMarks *self, guint index);

G_END_DECLS
