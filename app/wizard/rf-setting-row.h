/* One setting in a step of the wizard: tick, what it is, old → new, why, what it costs, the kernel's name in small
 * print, the verdict, and an editor that opens below. */
#pragma once

#include "rf-wizard-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_SETTING_ROW (rf_setting_row_get_type ())
G_DECLARE_FINAL_TYPE (RfSettingRow, rf_setting_row, RF, SETTING_ROW, GtkListBoxRow)

/** rf_setting_row_new: keeps a reference on @model and follows it */
GtkWidget *rf_setting_row_new (RfWizardModel *model, guint index);

G_END_DECLS
