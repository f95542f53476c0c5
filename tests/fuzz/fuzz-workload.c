/* What the load prints, and the plan in it: what is read as a plan is written as the same plan again. */
#include "rf-fuzz.h"

#include <math.h>

#include "rf-work-plan.h"
#include "rf-work-result.h"

RF_FUZZ (data, size)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (RfWorkResult) result = rf_work_result_parse (data, size, &error);
    g_assert_true ((result == NULL) == (error != NULL));
    const char *plan_text = result != NULL ? rf_work_result_get (result, "plan") : NULL;
    if (result != NULL) {
        double number = rf_work_result_number (result, "frames");
        g_assert_true (isnan (number) || isfinite (number));
        g_assert_true (!rf_work_result_is_whole (result) || rf_work_result_is_complete (result));
    }
    RfWorkPlan plan, again;
    if (plan_text == NULL || !rf_work_plan_parse (plan_text, &plan, NULL))
        return;
    g_autofree char *text = rf_work_plan_to_text (&plan);
    g_assert_true (rf_work_plan_parse (text, &again, NULL));
    g_assert_cmpmem (&plan, sizeof plan, &again, sizeof again);
    g_assert_cmpuint (rf_work_plan_memory (&plan), >=, plan.ballast);
}
