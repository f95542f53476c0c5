/* Children in columns of one width: as many as fit with "column-width", at most "maximum-columns", one below that. All
 * cards of a row get the height of the tallest. Use it for cards and for anything that must stack on a small window. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_COLUMNS (rf_columns_get_type ())
G_DECLARE_FINAL_TYPE (RfColumns, rf_columns, RF, COLUMNS, GtkWidget)

/** rf_columns_new: @column_width: pixels a column needs at least; @maximum_columns: 1 or more */
GtkWidget *rf_columns_new (int column_width, int maximum_columns, int spacing);
void rf_columns_append (RfColumns *self, GtkWidget *child);

G_END_DECLS
