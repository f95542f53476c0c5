/* The button "Save as…" of a recording and of a comparison: the document is made in a thread, without the names of the
 * computer and of people, and saved where the person wants it, or copied as Markdown. */
#pragma once

#include "rf-message-bar.h"
#include "rf-recording-loader.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_SAVE_MENU (rf_save_menu_get_type ())
G_DECLARE_FINAL_TYPE (RfSaveMenu, rf_save_menu, RF, SAVE_MENU, GtkWidget)

/* Actions: "report.html", "report.pdf", "report.markdown", "report.csv", "report.copy", "report.cancel" */

/** rf_save_menu_new: @loaded: takes a reference; @bar: (transfer none): tells how it went; takes a reference */
GtkWidget *rf_save_menu_new (RfLoaded *loaded, RfMessageBar *bar);
/** rf_save_menu_is_busy: whether a document is being made */
gboolean rf_save_menu_is_busy (RfSaveMenu *self);

G_END_DECLS
