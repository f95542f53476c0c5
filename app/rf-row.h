/* A row of a boxed list (.rf-boxed-list): something at the start, title, wrapping subtitle, and an arrow if it leads
 * somewhere. The words wrap, so a row is as narrow as it must be. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_ROW (rf_row_get_type ())
G_DECLARE_FINAL_TYPE (RfRow, rf_row, RF, ROW, GtkListBoxRow)

/** rf_row_new: @title, @subtitle (nullable): translated, no markup */
GtkWidget *rf_row_new (const char *title, const char *subtitle);
void rf_row_set_subtitle (RfRow *self, const char *subtitle);
/** rf_row_add_prefix: @widget: at the start, centred */
void rf_row_add_prefix (RfRow *self, GtkWidget *widget);
/** rf_row_add_suffix: @widget: at the end, before the arrow, centred */
void rf_row_add_suffix (RfRow *self, GtkWidget *widget);
/** rf_row_set_leads: whether the row can be activated and shows an arrow ("row-activated" of the list box) */
void rf_row_set_leads (RfRow *self, gboolean leads);

G_END_DECLS
