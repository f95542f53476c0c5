/* A comparison as a page tells it: the verdict in one sentence, what must be known before it is believed, and one row a
 * number with before, after, change, certainty and verdict. Copies what it shows. */
#pragma once

#include "rf-comparison.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_COMPARISON_LIST (rf_comparison_list_get_type ())
G_DECLARE_FINAL_TYPE (RfComparisonList, rf_comparison_list, RF, COMPARISON_LIST, GtkWidget)

/** rf_comparison_list_new: @heading: whether the verdict stands on top as the title of the page */
GtkWidget *rf_comparison_list_new (const RfComparison *comparison, gboolean heading);

G_END_DECLS
