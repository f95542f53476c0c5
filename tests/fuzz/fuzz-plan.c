#include "rf-fuzz.h"

#include "rf-plan.h"

/* What a caller sends as the plan of Apply: bytes of any kind, as GVariant takes them from a message. */
RF_FUZZ (data, size)
{
    g_autoptr (GBytes) bytes = g_bytes_new (data, size);
    g_autoptr (GVariant) variant
        = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (RF_PLAN_VARIANT_TYPE), bytes, FALSE));
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan = rf_plan_from_variant (variant, &error);
    g_assert_true ((plan != NULL) == (error == NULL));
    if (plan == NULL)
        return;
    guint n = rf_plan_length (plan);
    g_assert_true (n >= 1 && n <= RF_PLAN_MAX_CHANGES);
    g_autoptr (GVariant) back = g_variant_ref_sink (rf_plan_to_variant (plan));
    g_autoptr (RfPlan) again = rf_plan_from_variant (back, NULL);
    g_assert_nonnull (again);
    for (guint i = 0; i < n; i++) {
        const RfChange *first = rf_plan_get (plan, i), *second = rf_plan_get (again, i);
        g_assert_true (first->tunable == second->tunable);
        g_assert_cmpstr (first->instance, ==, second->instance);
        g_assert_true (rf_value_equal (&first->value, &second->value));
    }
}
