/* Children beside each other where there is room, below each other where there is not: "fold-width" pixels (at normal
 * text size) decide, and what the children need at least. Beside each other, children that expand share what is left.
 * For rows of buttons, for words with a card beside them, for a list row with its buttons; and, where nothing shall ever be
 * stacked, instead of a GtkBox with words that wrap: that one bisects heights to find widths and has its words shaped anew
 * for each, some fifty times before the first frame. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_FOLD (rf_fold_get_type ())
G_DECLARE_FINAL_TYPE (RfFold, rf_fold, RF, FOLD, GtkWidget)

#define RF_FOLD_NEVER (-1)

/** rf_fold_new: @fold_width: 0: fold as soon as the children do not fit in their natural width; 1: in their minimum;
 * RF_FOLD_NEVER */
GtkWidget *rf_fold_new (int fold_width, int spacing);
void rf_fold_append (RfFold *self, GtkWidget *child);

G_END_DECLS
