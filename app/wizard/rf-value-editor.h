/* Lets a person choose the value of one row of the wizard, within what is sensible on this machine: a number with a
 * slider, a choice, a share or an amount for a dirty pair, three numbers, or size, algorithm and priority of zram.
 * Writes to the model at once and follows it. */
#pragma once

#include "rf-wizard-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_VALUE_EDITOR (rf_value_editor_get_type ())
G_DECLARE_FINAL_TYPE (RfValueEditor, rf_value_editor, RF, VALUE_EDITOR, GtkWidget)

/** rf_value_editor_new: @index: an adjustable row of @model; the editor keeps a reference on @model */
GtkWidget *rf_value_editor_new (RfWizardModel *model, guint index);
/** rf_value_editor_sync: shows the value that the model has now */
void rf_value_editor_sync (RfValueEditor *self);

G_END_DECLS
