/* The button that puts a command into the clipboard and says that it has. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_copy_button_new: Returns: (transfer floating): copies nothing before rf_copy_button_set() */
GtkWidget *rf_copy_button_new (void);
/**
 * rf_copy_button_set:
 * @button: of rf_copy_button_new(); says "Copy" again
 * @text: (nullable): what it copies; a copy is kept
 * @name: (nullable): translated: what it is told as and its tooltip, where several buttons stand in one list
 */
void rf_copy_button_set (GtkWidget *button, const char *text, const char *name);

G_END_DECLS
