/* The heading of a page: words that can take the focus (a GtkLabel cannot), so that a screen reader says where one is
 * when the page changes. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_HEADING (rf_heading_get_type ())
G_DECLARE_FINAL_TYPE (RfHeading, rf_heading, RF, HEADING, GtkWidget)

GtkWidget *rf_heading_new (void);
void rf_heading_set_text (RfHeading *self, const char *text);
const char *rf_heading_get_text (RfHeading *self);
/** rf_heading_get_label: Returns: (transfer none): for alignment and width only */
GtkLabel *rf_heading_get_label (RfHeading *self);

G_END_DECLS
