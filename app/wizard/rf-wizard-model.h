/* What the wizard knows without any widget: the proposal for this machine, what the person ticked and adjusted, and the
 * plan that comes out of it. Reads current settings once; changes nothing. No GTK. Main thread. */
#pragma once

#include "rf-provenance.h"
#include "rf-recommendation.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define RF_TYPE_WIZARD_MODEL (rf_wizard_model_get_type ())
G_DECLARE_FINAL_TYPE (RfWizardModel, rf_wizard_model, RF, WIZARD_MODEL, GObject)

/** RF_WIZARD_N_STEPS: a step is an RfGroup below RF_GROUP_EXPERT; expert settings belong to the last step. */
#define RF_WIZARD_N_STEPS 4

/**
 * RfWizardRow: one setting of one device. Owned by the model, valid until the preset changes.
 * @advice: what is proposed and why
 * @adjustable: the person may choose a value here
 * @selected: ticked, and its value differs from the current one
 * @value: what it would be set to; meaningful if @has_value
 */
typedef struct {
    const RfRecommendation *advice;
    gboolean adjustable;
    gboolean selected;
    gboolean has_value;
    RfValue value;
} RfWizardRow;

/**
 * RfWizardModel signals: "changed" (): ticks or values changed; "rows-changed" (): the rows are other ones (preset).
 */

/** rf_wizard_model_new: reads current settings and one snapshot below @sysroot; keeps a reference on @facts */
RfWizardModel *rf_wizard_model_new (RfSysroot *sysroot, RfFacts *facts);

/** rf_wizard_model_set_preset: starts over with the values of @preset; forgets ticks and adjustments. */
void rf_wizard_model_set_preset (RfWizardModel *self, RfPreset preset);
RfPreset rf_wizard_model_get_preset (RfWizardModel *self);
RfFacts *rf_wizard_model_get_facts (RfWizardModel *self);

guint rf_wizard_model_n_rows (RfWizardModel *self);
/** rf_wizard_model_get_row: Returns: (transfer none) */
const RfWizardRow *rf_wizard_model_get_row (RfWizardModel *self, guint index);

/**
 * rf_wizard_model_find_provenance:
 * @planned: (nullable): as if this value were kept, see rf_provenance_find()
 *
 * Who sets the value of a row, from the files as they were when the model was made.
 * Returns: (transfer full)
 */
RfProvenance *rf_wizard_model_find_provenance (RfWizardModel *self, guint index, const RfValue *planned);

/** rf_wizard_row_step: 0 to RF_WIZARD_N_STEPS - 1 */
guint rf_wizard_row_step (const RfWizardRow *row);
/** rf_wizard_row_is_expert: shown only on demand */
gboolean rf_wizard_row_is_expert (const RfWizardRow *row);
/** rf_wizard_row_is_change: the value differs from the current one, so there is something to tick. */
gboolean rf_wizard_row_is_change (const RfWizardRow *row);
/** rf_wizard_row_is_edited: the person chose another value than the proposed one. */
gboolean rf_wizard_row_is_edited (const RfWizardRow *row);

/** rf_wizard_model_select: has no effect on a row that is not a change. */
void rf_wizard_model_select (RfWizardModel *self, guint index, gboolean selected);
/**
 * rf_wizard_model_set_value:
 *
 * Ticks the row if the value differs from the current one, unticks it otherwise.
 * Returns: FALSE if @value is not sensible for the row here (RF_ERROR_OUT_OF_RANGE, INVALID, UNAVAILABLE); then
 *   nothing changed
 */
gboolean rf_wizard_model_set_value (RfWizardModel *self, guint index, const RfValue *value, GError **error);
/** rf_wizard_model_reset: back to what was proposed, ticked as it was proposed. */
void rf_wizard_model_reset (RfWizardModel *self, guint index);
/** rf_wizard_model_get_choices: Returns: (transfer full): what a CHOICE or the algorithm of zram may be; never empty */
char **rf_wizard_model_get_choices (RfWizardModel *self, guint index);

/** rf_wizard_model_set_skipped: a skipped step changes nothing, whatever is ticked in it. */
void rf_wizard_model_set_skipped (RfWizardModel *self, guint step, gboolean skipped);
gboolean rf_wizard_model_get_skipped (RfWizardModel *self, guint step);

/** rf_wizard_model_is_included: ticked, and its step is not skipped */
gboolean rf_wizard_model_is_included (RfWizardModel *self, guint index);
/** rf_wizard_model_count: how many changes would be made by all steps */
guint rf_wizard_model_count (RfWizardModel *self);

/** rf_wizard_model_check: whether what is ticked fits together and this machine; nothing ticked is fine. */
gboolean rf_wizard_model_check (RfWizardModel *self, GError **error);
/** rf_wizard_model_build_plan: Returns: (transfer full) (nullable): validated; NULL if empty or not valid. */
RfPlan *rf_wizard_model_build_plan (RfWizardModel *self, GError **error);

G_END_DECLS
