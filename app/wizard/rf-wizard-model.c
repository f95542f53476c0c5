#define G_LOG_DOMAIN "rf-wizard-model"
#include "config.h"

#include "rf-wizard-model.h"

#include "rf-error.h"

struct _RfWizardModel {
    GObject parent_instance;

    RfFacts *facts;
    RfCurrentSet *current;
    RfSnapshot *snapshot;
    RfProvenanceSources *sources;
    RfPreset preset;
    GPtrArray *advice; /* of RfRecommendation */
    GArray *rows;      /* of RfWizardRow, same order */
    gboolean skipped[RF_WIZARD_N_STEPS];
};

G_DEFINE_FINAL_TYPE (RfWizardModel, rf_wizard_model, G_TYPE_OBJECT)

enum {
    SIGNAL_CHANGED,
    SIGNAL_ROWS_CHANGED,
    N_SIGNALS
};

static guint signals[N_SIGNALS];

static RfWizardRow *
row_at (RfWizardModel *self, guint index)
{
    return &g_array_index (self->rows, RfWizardRow, index);
}

/* Ticked, value and all, as it was proposed. */
static void
reset_row (RfWizardRow *row)
{
    const RfRecommendation *advice = row->advice;
    row->has_value = advice->has_proposed || advice->has_current;
    if (advice->has_proposed)
        row->value = advice->proposed;
    else if (advice->has_current)
        row->value = advice->current;
    row->selected = advice->verdict == RF_VERDICT_RECOMMENDED && rf_wizard_row_is_change (row);
}

/* A preset is a choice of the person: what it changes is ticked, unless it was refused. Otherwise choosing one would do
 * nothing until every row is ticked by hand. */
static void
tick_preset (RfWizardModel *self, RfWizardRow *row)
{
    gboolean of_preset = row->advice->why == RF_WHY_PRESET || row->advice->why == RF_WHY_PRESET_CLAMPED;
    if (self->preset != RF_PRESET_MACHINE && of_preset && row->adjustable && rf_wizard_row_is_change (row))
        row->selected = TRUE;
}

static void
build_rows (RfWizardModel *self)
{
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    self->advice = rf_recommend (self->facts, self->current, self->snapshot, self->preset);
    g_array_set_size (self->rows, 0);
    for (guint i = 0; i < self->advice->len; i++) {
        const RfRecommendation *advice = g_ptr_array_index (self->advice, i);
        RfWizardRow row = {.advice = advice};
        reset_row (&row);
        /* something that is not there (no zram) can only be adjusted from a proposal */
        row.adjustable = advice->verdict != RF_VERDICT_REFUSED && row.has_value &&
                         row.value.kind == advice->tunable->kind &&
                         rf_catalogue_available (advice->tunable, advice->instance, self->facts, NULL);
        row.selected = row.selected && row.adjustable;
        tick_preset (self, &row);
        g_array_append_val (self->rows, row);
    }
}

static void
rf_wizard_model_finalize (GObject *object)
{
    RfWizardModel *self = RF_WIZARD_MODEL (object);
    g_clear_pointer (&self->rows, g_array_unref);
    g_clear_pointer (&self->advice, g_ptr_array_unref);
    g_clear_pointer (&self->current, rf_current_set_free);
    g_clear_pointer (&self->snapshot, rf_snapshot_free);
    g_clear_pointer (&self->sources, rf_provenance_sources_free);
    g_clear_pointer (&self->facts, rf_facts_unref);
    G_OBJECT_CLASS (rf_wizard_model_parent_class)->finalize (object);
}

static void
rf_wizard_model_class_init (RfWizardModelClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_wizard_model_finalize;
    signals[SIGNAL_CHANGED] =
        g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_ROWS_CHANGED] = g_signal_new ("rows-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_wizard_model_init (RfWizardModel *self)
{
    self->rows = g_array_new (FALSE, FALSE, sizeof (RfWizardRow));
}

RfWizardModel *
rf_wizard_model_new (RfSysroot *sysroot, RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && facts != NULL, NULL);
    RfWizardModel *self = g_object_new (RF_TYPE_WIZARD_MODEL, NULL);
    self->facts = rf_facts_ref (facts);
    self->current = rf_current_set_read (sysroot, facts);
    self->snapshot = rf_snapshot_read (sysroot);
    self->sources = rf_provenance_sources_read (sysroot, facts);
    build_rows (self);
    return self;
}

void
rf_wizard_model_set_preset (RfWizardModel *self, RfPreset preset)
{
    g_return_if_fail (RF_IS_WIZARD_MODEL (self) && (guint) preset < RF_N_PRESETS);
    if (self->preset == preset)
        return;
    self->preset = preset;
    for (guint i = 0; i < RF_WIZARD_N_STEPS; i++)
        self->skipped[i] = FALSE;
    build_rows (self);
    g_signal_emit (self, signals[SIGNAL_ROWS_CHANGED], 0);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

RfPreset
rf_wizard_model_get_preset (RfWizardModel *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), RF_PRESET_MACHINE);
    return self->preset;
}

RfFacts *
rf_wizard_model_get_facts (RfWizardModel *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), NULL);
    return self->facts;
}

guint
rf_wizard_model_n_rows (RfWizardModel *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), 0);
    return self->rows->len;
}

const RfWizardRow *
rf_wizard_model_get_row (RfWizardModel *self, guint index)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len, NULL);
    return row_at (self, index);
}

RfProvenance *
rf_wizard_model_find_provenance (RfWizardModel *self, guint index, const RfValue *planned)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len, NULL);
    const RfRecommendation *advice = row_at (self, index)->advice;
    return rf_provenance_find (self->sources, advice->tunable, advice->instance, planned);
}

guint
rf_wizard_row_step (const RfWizardRow *row)
{
    RfGroup group = row->advice->tunable->group;
    return group == RF_GROUP_EXPERT ? RF_GROUP_SWAP_TUNING : group;
}

gboolean
rf_wizard_row_is_expert (const RfWizardRow *row)
{
    return row->advice->tunable->group == RF_GROUP_EXPERT || row->advice->verdict == RF_VERDICT_EXPERT ||
           (row->advice->tunable->needs & RF_NEEDS_EXPERT) != 0;
}

gboolean
rf_wizard_row_is_change (const RfWizardRow *row)
{
    if (!row->has_value || row->value.kind == RF_VALUE_ABSENT)
        return FALSE;
    return !row->advice->has_current || !rf_value_equal (&row->value, &row->advice->current);
}

gboolean
rf_wizard_row_is_edited (const RfWizardRow *row)
{
    const RfRecommendation *advice = row->advice;
    if (!row->has_value)
        return FALSE;
    if (advice->has_proposed)
        return !rf_value_equal (&row->value, &advice->proposed);
    return advice->has_current && !rf_value_equal (&row->value, &advice->current);
}

void
rf_wizard_model_select (RfWizardModel *self, guint index, gboolean selected)
{
    g_return_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len);
    RfWizardRow *row = row_at (self, index);
    selected = selected && row->adjustable && rf_wizard_row_is_change (row);
    if (row->selected == selected)
        return;
    row->selected = selected;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static gboolean
check_value (RfWizardModel *self, const RfWizardRow *row, const RfValue *value, GError **error)
{
    if (!row->adjustable) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'%s' is not changed here", row->advice->tunable->id);
        return FALSE;
    }
    /* What is there now is always a legal choice, even where it lies outside our own range. */
    if (row->advice->has_current && rf_value_equal (value, &row->advice->current))
        return TRUE;
    return rf_catalogue_check_value (row->advice->tunable, self->facts, value, error);
}

gboolean
rf_wizard_model_set_value (RfWizardModel *self, guint index, const RfValue *value, GError **error)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len && value != NULL, FALSE);
    RfWizardRow *row = row_at (self, index);
    if (!check_value (self, row, value, error))
        return FALSE;
    if (rf_value_equal (&row->value, value))
        return TRUE;
    row->value = *value;
    row->selected = rf_wizard_row_is_change (row);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
    return TRUE;
}

void
rf_wizard_model_reset (RfWizardModel *self, guint index)
{
    g_return_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len);
    RfWizardRow *row = row_at (self, index);
    reset_row (row);
    row->selected = row->selected && row->adjustable;
    tick_preset (self, row);
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

char **
rf_wizard_model_get_choices (RfWizardModel *self, guint index)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len, NULL);
    const RfWizardRow *row = row_at (self, index);
    const char *const *words = rf_current_set_choices (self->current, row->advice->tunable, row->advice->instance);
    if (words != NULL && words[0] != NULL)
        return g_strdupv ((char **) words);
    /* the list is not known before the module is loaded: only what was proposed is certain */
    const char *only[] = {row->value.token, NULL};
    return g_strdupv ((char **) only);
}

void
rf_wizard_model_set_skipped (RfWizardModel *self, guint step, gboolean skipped)
{
    g_return_if_fail (RF_IS_WIZARD_MODEL (self) && step < RF_WIZARD_N_STEPS);
    if (self->skipped[step] == skipped)
        return;
    self->skipped[step] = skipped;
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

gboolean
rf_wizard_model_get_skipped (RfWizardModel *self, guint step)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && step < RF_WIZARD_N_STEPS, FALSE);
    return self->skipped[step];
}

gboolean
rf_wizard_model_is_included (RfWizardModel *self, guint index)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self) && index < self->rows->len, FALSE);
    const RfWizardRow *row = row_at (self, index);
    return row->selected && !self->skipped[rf_wizard_row_step (row)];
}

guint
rf_wizard_model_count (RfWizardModel *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), 0);
    guint n = 0;
    for (guint i = 0; i < self->rows->len; i++)
        n += rf_wizard_model_is_included (self, i) ? 1 : 0;
    return n;
}

gboolean
rf_wizard_model_check (RfWizardModel *self, GError **error)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), FALSE);
    if (rf_wizard_model_count (self) == 0)
        return TRUE;
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (self, error);
    return plan != NULL;
}

RfPlan *
rf_wizard_model_build_plan (RfWizardModel *self, GError **error)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (self), NULL);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    for (guint i = 0; i < self->rows->len; i++) {
        const RfWizardRow *row = row_at (self, i);
        if (rf_wizard_model_is_included (self, i))
            rf_plan_builder_set (builder, row->advice->tunable, row->advice->instance, &row->value);
    }
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, error);
    if (plan == NULL || !rf_plan_validate (plan, self->facts, error))
        return NULL;
    return g_steal_pointer (&plan);
}
