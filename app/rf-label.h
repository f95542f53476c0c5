/* Labels and lists as every page of the window has them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_label_new: Returns: (transfer floating): a wrapping label, start-aligned, with a CSS class; both (nullable) */
GtkWidget *rf_label_new (const char *text, const char *css_class);
/** rf_label_let_wrap: the words of @label, which GTK made for a button or an expander, take a second line before they
 * make a narrow window wider */
void rf_label_let_wrap (GtkWidget *label);
/** rf_boxed_list_new: Returns: (transfer floating): an empty boxed list with @name for screen readers */
GtkWidget *rf_boxed_list_new (const char *name);
/** rf_boxed_list_clear: takes all rows out */
void rf_boxed_list_clear (GtkWidget *list);

G_END_DECLS
