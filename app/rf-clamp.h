/* Keeps its one child from growing too wide to read: the child is centred and at most "maximum-size" pixels wide. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_CLAMP (rf_clamp_get_type ())
G_DECLARE_FINAL_TYPE (RfClamp, rf_clamp, RF, CLAMP, GtkWidget)

/** rf_clamp_new: @maximum_size: pixels; 0 for the default of 900 */
GtkWidget *rf_clamp_new (int maximum_size, GtkWidget *child);
void rf_clamp_set_child (RfClamp *self, GtkWidget *child);

G_END_DECLS
