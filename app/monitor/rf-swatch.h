/* The small coloured bar before a line's name in a legend. Decoration only: hidden from screen readers. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_SWATCH (rf_swatch_get_type ())
G_DECLARE_FINAL_TYPE (RfSwatch, rf_swatch, RF, SWATCH, GtkWidget)

/** rf_swatch_new: @line: 0 to 7, as in the graph */
GtkWidget *rf_swatch_new (guint line);

G_END_DECLS
