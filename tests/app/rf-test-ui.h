/* What tests do with a window as a person does: look for what is written on things, click, wait. Needs a display. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_test_find: Returns: (transfer none) (nullable): the first widget of @type below @root that can be seen; with @text
 * (nullable) somewhere in its label, which only buttons and labels have. A mnemonic does not count. */
GtkWidget *rf_test_find (GtkWidget *root, GType type, const char *text);
/** rf_test_sees: whether a label with @text in it can be seen */
gboolean rf_test_sees (GtkWidget *root, const char *text);
/** rf_test_click: clicks the button with @text in its label; the test ends if there is none, or if it is insensitive */
void rf_test_click (GtkWidget *root, const char *text);
/** rf_test_settle: runs the main context for @ms milliseconds: for what must not happen, and for pictures */
void rf_test_settle (guint ms);

G_END_DECLS
