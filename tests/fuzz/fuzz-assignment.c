/* What a person writes behind "ruckelfreictl apply", as ID=VALUE or ID@DEVICE=VALUE: what is accepted makes a plan of
 * one change, and its canonical form makes the same one. */
#include "rf-fuzz.h"

#include <string.h>

#include "rf-ctl.h"

static RfPlan *
parse (RfCtl *ctl, const char *text)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    g_autoptr (GError) error = NULL;
    gboolean ok = rf_ctl_parse_assignment (ctl, text, builder, &error);
    g_assert_true (ok == (error == NULL));
    RfPlan *plan = ok ? rf_plan_builder_finish (builder, NULL) : NULL;
    g_assert_true (ok == (plan != NULL));
    return plan;
}

RF_FUZZ (data, size)
{
    static RfCtl ctl;
    g_autofree char *text = g_strndup (data, size);
    if (strchr (text, '=') == NULL)
        return;
    if (ctl.facts == NULL) {
        g_autoptr (RfSysroot) nowhere = rf_sysroot_new ("/nonexistent");
        ctl.facts = rf_facts_read (nowhere);
    }
    g_autoptr (RfPlan) plan = parse (&ctl, text);
    if (plan == NULL)
        return;
    g_assert_cmpuint (rf_plan_length (plan), ==, 1);
    const RfChange *change = rf_plan_get (plan, 0);
    g_autofree char *value = rf_value_to_text (&change->value);
    g_autofree char *canonical = g_strdup_printf ("%s@%s=%s", change->tunable->id, change->instance, value);
    g_autoptr (RfPlan) again = parse (&ctl, canonical);
    g_assert_nonnull (again);
    g_assert_true (rf_value_equal (&change->value, &rf_plan_get (again, 0)->value));
}
