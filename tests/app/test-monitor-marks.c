/* When the graphs get a mark: a table, and a made-up helper on a bus of its own that somebody else calls. */
#include "config.h"

#include "rf-fake-helper.h"
#include "rf-monitor-marks.h"
#include "rf-test-tree.h"

#define SINCE 1000

static void
test_judge (void)
{
    enum { NEVER = -1 };
    static const struct {
        int before;
        RfRecordState now;
        gint64 created;
        gint64 changed;
        RfReason reason;
        const char *expected;
    } table[] = {
        {NEVER, RF_RECORD_TRIAL, 1000, 1000, RF_REASON_NONE, "applied"},
        {NEVER, RF_RECORD_KEPT, 1001, 1002, RF_REASON_NONE, "applied"},
        {NEVER, RF_RECORD_PENDING, 1001, 1001, RF_REASON_NONE, NULL},
        /* what was there when the window was opened */
        {NEVER, RF_RECORD_KEPT, 10, 20, RF_REASON_NONE, NULL},
        {NEVER, RF_RECORD_KEPT, 990, 1003, RF_REASON_NONE, NULL},
        {NEVER, RF_RECORD_REVERTED, 10, 20, RF_REASON_USER, NULL},
        {NEVER, RF_RECORD_REVERTED, 10, 1003, RF_REASON_USER, "taken back"},
        {NEVER, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_FAILED, NULL},
        {RF_RECORD_PENDING, RF_RECORD_TRIAL, 1001, 1003, RF_REASON_NONE, "applied"},
        {RF_RECORD_TRIAL, RF_RECORD_TRIAL, 1001, 1003, RF_REASON_NONE, NULL},
        {RF_RECORD_TRIAL, RF_RECORD_KEEPING, 1001, 1003, RF_REASON_NONE, NULL},
        {RF_RECORD_KEEPING, RF_RECORD_KEPT, 1001, 1003, RF_REASON_NONE, NULL},
        {RF_RECORD_KEPT, RF_RECORD_REVERTING, 10, 1003, RF_REASON_USER, NULL},
        {RF_RECORD_REVERTING, RF_RECORD_REVERTED, 10, 1003, RF_REASON_USER, "taken back"},
        {RF_RECORD_TRIAL, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_TIMEOUT, "taken back"},
        {RF_RECORD_TRIAL, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_GUARD_OOM, "taken back"},
        {RF_RECORD_PENDING, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_FAILED, NULL},
        {RF_RECORD_PENDING, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_CANCELLED, NULL},
        {RF_RECORD_REVERTED, RF_RECORD_REVERTED, 1001, 1003, RF_REASON_USER, NULL},
    };

    for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
        const RfRecord record = {.state = table[i].now,
                                 .created = table[i].created,
                                 .changed = table[i].changed,
                                 .reason = table[i].reason};
        const RfRecordState before = (RfRecordState)MAX (table[i].before, 0);
        RfMarkKind kind = RF_MARK_APPLIED;
        const char *said = NULL;

        if (rf_monitor_marks_judge (table[i].before != NEVER ? &before : NULL, &record, SINCE, &kind))
            said = kind == RF_MARK_APPLIED ? "applied" : "taken back";
        g_test_message ("line %u", i);
        g_assert_cmpstr (said, ==, table[i].expected);
    }
}

static void
assert_marks (RfSampler *sampler, const char *expected)
{
    g_autoptr (GString) words = g_string_new (NULL);
    RfMarks *marks = rf_sampler_get_marks (sampler);

    for (guint i = 0; i < rf_marks_count (marks); i++)
        g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", rf_marks_get (marks, i)->label);
    g_assert_cmpstr (words->str, ==, expected);
}

static void
apply (RfClient *client)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    g_autoptr (RfPlan) plan = NULL;
    RfValue value = rf_value_int (10);

    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &value);
    plan = rf_plan_builder_finish (builder, NULL);
    rf_client_apply_async (client, plan, 60, NULL, NULL, NULL);
}

/* The window looks on while another program applies and takes back. */
static void
test_another_program (void)
{
    g_autoptr (RfTestTree) tree = rf_test_tree_new ("laptop-8g");
    g_autoptr (RfFacts) facts = rf_facts_read (rf_test_tree_sysroot (tree));
    RfFakeHelper *helper = rf_fake_helper_new (rf_test_tree_sysroot (tree), facts);
    RfClient *window = rf_client_new (helper->client);
    RfClient *terminal = rf_client_new (helper->client);
    RfSampler *sampler = rf_sampler_new (rf_test_tree_sysroot (tree), 1000, 600);
    RfMarks *marks = rf_sampler_get_marks (sampler);
    RfMonitorMarks *watcher = NULL;

    /* one record from before the window was opened: no news */
    helper->created = g_get_real_time () / G_USEC_PER_SEC - 3600;
    RF_ITERATE_UNTIL (rf_client_get_available (terminal));
    apply (terminal);
    RF_ITERATE_UNTIL (helper->records->len == 1);
    watcher = rf_monitor_marks_new (window, sampler);
    RF_ITERATE_UNTIL (rf_client_get_trial_id (window) != NULL);
    g_assert_cmpuint (rf_marks_count (marks), ==, 0);

    helper->created += 7200;
    apply (terminal);
    RF_ITERATE_UNTIL (rf_marks_count (marks) == 1);
    assert_marks (sampler, "applied");
    rf_fake_helper_end_trial (helper, "timeout");
    rf_helper1_emit_records_changed (helper->skeleton);
    RF_ITERATE_UNTIL (rf_marks_count (marks) == 2);
    assert_marks (sampler, "applied, taken back");
    /* the same list once more is no news, and a helper that goes and comes is none */
    rf_helper1_emit_records_changed (helper->skeleton);
    rf_fake_helper_die (helper);
    RF_ITERATE_UNTIL (rf_client_get_trial_id (window) == NULL);
    rf_fake_helper_start (helper);
    apply (terminal);
    RF_ITERATE_UNTIL (rf_marks_count (marks) == 3);
    assert_marks (sampler, "applied, taken back, applied");

    RF_ITERATE_UNTIL (G_OBJECT (watcher)->ref_count == 1);
    g_assert_finalize_object (watcher);
    RF_ITERATE_UNTIL (G_OBJECT (window)->ref_count == 1 && G_OBJECT (terminal)->ref_count == 1);
    g_assert_finalize_object (window);
    g_assert_finalize_object (terminal);
    g_assert_finalize_object (sampler);
    rf_fake_helper_free (helper);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/app/monitor-marks/judge", test_judge);
    g_test_add_func ("/app/monitor-marks/another-program", test_another_program);
    return g_test_run ();
}
