/* One result of the Check page: what was found, the evidence, what to do, and a button where something can be done with
 * a click. Copies what it shows. */
#pragma once

#include <gtk/gtk.h>

#include "rf-check.h"

G_BEGIN_DECLS

#define RF_TYPE_CHECK_ROW (rf_check_row_get_type ())
G_DECLARE_FINAL_TYPE (RfCheckRow, rf_check_row, RF, CHECK_ROW, GtkListBoxRow)

GtkWidget *rf_check_row_new (const RfCheckResult *result);

G_END_DECLS
