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

/** rf_setting_row_change_text: Returns: (transfer full): "0.1 % of memory → 1.25 % of memory" */
char *rf_setting_change_text (const RfTunable *tunable, const RfValue *before, const RfValue *after);
/** rf_setting_kernel_text: Returns: (transfer full): "vm.watermark_scale_factor 10 → 125" */
char *rf_setting_kernel_text (const RfTunable *tunable, const char *instance, const RfValue *before,
                              const RfValue *after);
/** rf_setting_title: Returns: (transfer full): with the device where there is one */
char *rf_setting_title (const RfTunable *tunable, const char *instance, const RfFacts *facts);

G_END_DECLS
