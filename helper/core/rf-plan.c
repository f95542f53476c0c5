#define G_LOG_DOMAIN "rf-plan"
#include "config.h"

#include "rf-plan.h"
#include "rf-error.h"

#include <string.h>

#define INSTANCE_MAX 64

struct _RfPlan {
    gatomicrefcount ref_count;
    GPtrArray *changes; /* of RfChange, in catalogue order */
};

struct _RfPlanBuilder {
    GPtrArray *changes;
};

static void
change_free (gpointer data)
{
    RfChange *change = data;
    g_free (change->instance);
    g_free (change);
}

static RfChange *
change_new (const RfTunable *tunable, const char *instance, const RfValue *value)
{
    RfChange *change = g_new0 (RfChange, 1);
    change->tunable = tunable;
    change->instance = g_strdup (instance);
    change->value = *value;
    return change;
}

/* rows of the catalogue lie in one array, so their addresses have its order */
static int
compare_changes (gconstpointer a, gconstpointer b)
{
    const RfChange *x = *(const RfChange *const *)a, *y = *(const RfChange *const *)b;
    if (x->tunable != y->tunable)
        return x->tunable < y->tunable ? -1 : 1;
    return strcmp (x->instance, y->instance);
}

static RfPlan *
plan_new (GPtrArray *changes)
{
    RfPlan *self = g_new0 (RfPlan, 1);
    g_atomic_ref_count_init (&self->ref_count);
    self->changes = changes;
    g_ptr_array_sort (self->changes, compare_changes);
    return self;
}

RfPlan *
rf_plan_ref (RfPlan *self)
{
    g_return_val_if_fail (self != NULL, NULL);
    g_atomic_ref_count_inc (&self->ref_count);
    return self;
}

void
rf_plan_unref (RfPlan *self)
{
    g_return_if_fail (self != NULL);
    if (!g_atomic_ref_count_dec (&self->ref_count))
        return;
    g_ptr_array_unref (self->changes);
    g_free (self);
}

static const RfChange *
change_at (const RfPlan *self, guint index)
{
    return g_ptr_array_index (self->changes, index);
}

guint
rf_plan_length (const RfPlan *self)
{
    g_return_val_if_fail (self != NULL, 0);
    return self->changes->len;
}

const RfChange *
rf_plan_get (const RfPlan *self, guint index)
{
    g_return_val_if_fail (self != NULL && index < self->changes->len, NULL);
    return change_at (self, index);
}

gboolean
rf_plan_has_backend (const RfPlan *self, RfBackendKind backend)
{
    g_return_val_if_fail (self != NULL, FALSE);
    for (guint i = 0; i < self->changes->len; i++)
        if (change_at (self, i)->tunable->backend == backend)
            return TRUE;
    return FALSE;
}

static gboolean
instance_form_ok (const char *instance)
{
    gsize length = strlen (instance);
    if (length > INSTANCE_MAX)
        return FALSE;
    for (gsize i = 0; i < length; i++)
        if (!g_ascii_isgraph (instance[i]) || instance[i] == '/')
            return FALSE;
    return TRUE;
}

static RfChange *
parse_change (const char *id, const char *instance, GVariant *value, GError **error)
{
    const RfTunable *tunable = rf_tunable_find (id);
    if (tunable == NULL) {
        g_autofree char *safe = g_strescape (id, NULL);
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no setting '%.60s'", safe);
        return NULL;
    }
    if (!instance_form_ok (instance)) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s': malformed instance", id);
        return NULL;
    }
    RfValue parsed;
    if (!rf_value_from_variant (tunable->kind, value, &parsed, error)) {
        g_prefix_error (error, "'%s': ", id);
        return NULL;
    }
    return change_new (tunable, instance, &parsed);
}

RfPlan *
rf_plan_from_variant (GVariant *variant, GError **error)
{
    g_return_val_if_fail (variant != NULL, NULL);
    if (!g_variant_is_of_type (variant, G_VARIANT_TYPE (RF_PLAN_VARIANT_TYPE))) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "a plan is a list of (setting, instance, value)");
        return NULL;
    }
    gsize n = g_variant_n_children (variant);
    if (n == 0 || n > RF_PLAN_MAX_CHANGES) {
        g_set_error (error, RF_ERROR, n == 0 ? RF_ERROR_INVALID : RF_ERROR_LIMIT, "a plan has 1 to %d changes, not %zu",
                     RF_PLAN_MAX_CHANGES, n);
        return NULL;
    }
    g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (change_free);
    for (gsize i = 0; i < n; i++) {
        const char *id, *instance;
        g_autoptr (GVariant) value = NULL;
        g_variant_get_child (variant, i, "(&s&sv)", &id, &instance, &value);
        RfChange *change = parse_change (id, instance, value, error);
        if (change == NULL)
            return NULL;
        g_ptr_array_add (changes, change);
    }
    g_autoptr (RfPlan) plan = plan_new (g_steal_pointer (&changes));
    for (guint i = 1; i < plan->changes->len; i++)
        if (compare_changes (&plan->changes->pdata[i - 1], &plan->changes->pdata[i]) == 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' is in the plan twice",
                         change_at (plan, i)->tunable->id);
            return NULL;
        }
    return g_steal_pointer (&plan);
}

GVariant *
rf_plan_to_variant (const RfPlan *self)
{
    g_return_val_if_fail (self != NULL, NULL);
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE (RF_PLAN_VARIANT_TYPE));
    for (guint i = 0; i < self->changes->len; i++) {
        const RfChange *change = change_at (self, i);
        g_variant_builder_add (&builder, "(ssv)", change->tunable->id, change->instance,
                               rf_value_to_variant (&change->value));
    }
    return g_variant_builder_end (&builder);
}

static const RfChange *
find_change (const RfPlan *self, const char *id)
{
    for (guint i = 0; i < self->changes->len; i++)
        if (g_str_equal (change_at (self, i)->tunable->id, id))
            return change_at (self, i);
    return NULL;
}

gboolean
rf_plan_validate (const RfPlan *self, const RfFacts *facts, GError **error)
{
    g_return_val_if_fail (self != NULL && facts != NULL, FALSE);
    for (guint i = 0; i < self->changes->len; i++) {
        const RfChange *change = change_at (self, i);
        if (!rf_catalogue_available (change->tunable, change->instance, facts, error)
            || !rf_catalogue_check_value (change->tunable, facts, &change->value, error))
            return FALSE;
    }
    const RfChange *hard = find_change (self, "vm.dirty"), *background = find_change (self, "vm.dirty_background");
    if (hard != NULL && background != NULL && hard->value.n[1] == background->value.n[1]
        && background->value.n[0] >= hard->value.n[0]) {
        /* the kernel would silently use half the hard limit */
        g_set_error_literal (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'vm.dirty_background' must be below 'vm.dirty'");
        return FALSE;
    }
    return TRUE;
}

RfPlanBuilder *
rf_plan_builder_new (void)
{
    RfPlanBuilder *self = g_new0 (RfPlanBuilder, 1);
    self->changes = g_ptr_array_new_with_free_func (change_free);
    return self;
}

void
rf_plan_builder_free (RfPlanBuilder *self)
{
    if (self == NULL)
        return;
    g_ptr_array_unref (self->changes);
    g_free (self);
}

void
rf_plan_builder_unset (RfPlanBuilder *self, const RfTunable *tunable, const char *instance)
{
    g_return_if_fail (self != NULL && tunable != NULL && instance != NULL);
    for (guint i = 0; i < self->changes->len; i++) {
        const RfChange *change = g_ptr_array_index (self->changes, i);
        if (change->tunable == tunable && g_str_equal (change->instance, instance)) {
            g_ptr_array_remove_index (self->changes, i);
            return;
        }
    }
}

void
rf_plan_builder_set (RfPlanBuilder *self, const RfTunable *tunable, const char *instance, const RfValue *value)
{
    g_return_if_fail (self != NULL && tunable != NULL && instance != NULL && value != NULL);
    rf_plan_builder_unset (self, tunable, instance);
    g_ptr_array_add (self->changes, change_new (tunable, instance, value));
}

guint
rf_plan_builder_length (const RfPlanBuilder *self)
{
    g_return_val_if_fail (self != NULL, 0);
    return self->changes->len;
}

RfPlan *
rf_plan_builder_finish (const RfPlanBuilder *self, GError **error)
{
    g_return_val_if_fail (self != NULL, NULL);
    if (self->changes->len == 0) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "nothing was chosen");
        return NULL;
    }
    g_autoptr (GPtrArray) copy = g_ptr_array_new_with_free_func (change_free);
    for (guint i = 0; i < self->changes->len; i++) {
        const RfChange *change = g_ptr_array_index (self->changes, i);
        g_ptr_array_add (copy, change_new (change->tunable, change->instance, &change->value));
    }
    return plan_new (g_steal_pointer (&copy));
}
