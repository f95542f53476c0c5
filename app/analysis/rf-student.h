/* What the tests of rf-bootstrap share. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** rf_student_sort: ascending */
void rf_student_sort (double *values, guint n);

G_END_DECLS
