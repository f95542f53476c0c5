#include "config.h"

#include "rf-error.h"
#include "rf-plan.h"

#include <string.h>

static RfPlan *
parse (const char *text, GError **error)
{
    g_autoptr (GVariant) variant = g_variant_new_parsed (text);
    g_variant_ref_sink (variant);
    return rf_plan_from_variant (variant, error);
}

static void
order (void)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfPlan) plan
        = parse ("[('block.wbt_lat_usec','nvme0n1',<int64 0>),('block.scheduler','nvme0n1',<'none'>),"
                 "('block.scheduler','nvme1n1',<'none'>),('vm.swappiness','',<int64 10>)]",
                 &error);
    g_assert_no_error (error);
    g_assert_cmpuint (rf_plan_length (plan), ==, 4);
    g_assert_cmpstr (rf_plan_get (plan, 0)->tunable->id, ==, "block.scheduler");
    g_assert_cmpstr (rf_plan_get (plan, 0)->instance, ==, "nvme0n1");
    g_assert_cmpstr (rf_plan_get (plan, 1)->instance, ==, "nvme1n1");
    g_assert_cmpstr (rf_plan_get (plan, 2)->tunable->id, ==, "block.wbt_lat_usec");
    g_assert_true (rf_plan_has_backend (plan, RF_BACKEND_QUEUE));
    g_assert_false (rf_plan_has_backend (plan, RF_BACKEND_ZRAM));

    g_autoptr (GVariant) variant = g_variant_ref_sink (rf_plan_to_variant (plan));
    g_autoptr (RfPlan) again = rf_plan_from_variant (variant, &error);
    g_assert_no_error (error);
    g_autoptr (GVariant) back = g_variant_ref_sink (rf_plan_to_variant (again));
    g_assert_true (g_variant_equal (variant, back));
}

static void
malformed (void)
{
    static const struct {
        const char *text;
        int code;
    } table[] = {
        {"@a(ssv) []", RF_ERROR_INVALID},
        {"[('vm.swappiness','')]", RF_ERROR_INVALID},
        {"[('vm.nr_hugepages','',<int64 1>)]", RF_ERROR_UNKNOWN},
        {"[('vm.swappiness\\nvm.x','',<int64 1>)]", RF_ERROR_UNKNOWN},
        {"[('','',<int64 1>)]", RF_ERROR_UNKNOWN},
        {"[('vm.swappiness','',<'60'>)]", RF_ERROR_INVALID},
        {"[('vm.swappiness','',<uint32 60>)]", RF_ERROR_INVALID},
        {"[('vm.swappiness','',<<int64 60>>)]", RF_ERROR_INVALID},
        {"[('vm.swappiness','../x',<int64 60>)]", RF_ERROR_INVALID},
        {"[('block.scheduler','nvme0n1\\n',<'none'>)]", RF_ERROR_INVALID},
        {"[('block.scheduler','n/a',<'none'>)]", RF_ERROR_INVALID},
        {"[('block.scheduler','nvme0n1',<'[none]'>)]", RF_ERROR_INVALID},
        {"[('vm.dirty','',<('both',int64 5)>)]", RF_ERROR_INVALID},
        {"[('vm.swappiness','',<int64 1>),('vm.swappiness','',<int64 2>)]", RF_ERROR_INVALID},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (GError) error = NULL;
        g_assert_null (parse (table[i].text, &error));
        g_assert_error (error, RF_ERROR, table[i].code);
    }
}

static void
too_many (void)
{
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE (RF_PLAN_VARIANT_TYPE));
    for (guint i = 0; i <= RF_PLAN_MAX_CHANGES; i++) {
        g_autofree char *name = g_strdup_printf ("nvme%un1", i);
        g_variant_builder_add (&builder, "(ssv)", "block.scheduler", name, g_variant_new_string ("none"));
    }
    g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_builder_end (&builder));
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_plan_from_variant (variant, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_LIMIT);
}

static void
builder (void)
{
    g_autoptr (RfPlanBuilder) self = rf_plan_builder_new ();
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_plan_builder_finish (self, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    const RfTunable *tunable = rf_tunable_find ("vm.swappiness");
    RfValue ten = rf_value_int (10), twenty = rf_value_int (20);
    rf_plan_builder_set (self, tunable, "", &ten);
    rf_plan_builder_set (self, tunable, "", &twenty);
    g_assert_cmpuint (rf_plan_builder_length (self), ==, 1);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (self, NULL);
    rf_plan_builder_unset (self, tunable, "");
    g_assert_cmpuint (rf_plan_builder_length (self), ==, 0);
    g_assert_cmpint (rf_plan_get (plan, 0)->value.n[0], ==, 20);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/core/plan/order", order);
    g_test_add_func ("/core/plan/malformed", malformed);
    g_test_add_func ("/core/plan/too-many", too_many);
    g_test_add_func ("/core/plan/builder", builder);
    return g_test_run ();
}
