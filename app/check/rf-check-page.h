/* The Check page: what to look at before tuning on top, what is fine folded away below, then what cannot be known here.
 * Only shows; nothing is changed from here. */
#pragma once

#include <gtk/gtk.h>

#include "rf-checker.h"

G_BEGIN_DECLS

#define RF_TYPE_CHECK_PAGE (rf_check_page_get_type ())
G_DECLARE_FINAL_TYPE (RfCheckPage, rf_check_page, RF, CHECK_PAGE, GtkWidget)

/** rf_check_page_new: @look: shared with the overview; looks for the first time when somebody sees one of them */
GtkWidget *rf_check_page_new (RfChecker *look);

G_END_DECLS
