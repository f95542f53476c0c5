/* What is not as it should be, met on the overview, in the guided tuning and on the Changes page, against a made-up helper
 * and made-up machines: the sentence is there, and its button does what it says. With RF_PICTURES set to a folder it
 * leaves pictures there. */
#include "config.h"

#include "rf-checker.h"
#include "rf-error.h"
#include "rf-fake-helper.h"
#include "rf-history-page.h"
#include "rf-overview-page.h"
#include "rf-screenshot.h"
#include "rf-state-bar.h"
#include "rf-test-tree.h"
#include "rf-test-ui.h"
#include "rf-theme.h"
#include "rf-wizard.h"

#include <string.h>

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfFakeHelper *helper;
    RfClient *client;
    RfSampler *sampler;
    GtkWidget *window;
} Fixture;

static void
set_up (Fixture *f, gconstpointer machine)
{
    f->tree = rf_test_tree_new (machine);
    RfSysroot *sysroot = rf_test_tree_sysroot (f->tree);
    f->facts = rf_facts_read (sysroot);
    f->helper = rf_fake_helper_new (sysroot, f->facts);
    f->client = rf_client_new (f->helper->client);
    f->sampler = rf_sampler_new (sysroot, 1000, 600);
    f->window = gtk_window_new ();
    gtk_widget_add_css_class (f->window, "rf-window");
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1100, 760);
    RF_ITERATE_UNTIL (rf_client_get_available (f->client) && rf_client_is_known (f->client));
}

static void
tear_down (Fixture *f, gconstpointer machine)
{
    gtk_window_destroy (GTK_WINDOW (f->window));
    rf_test_settle (20);
    RF_ITERATE_UNTIL (G_OBJECT (f->client)->ref_count == 1);
    g_assert_finalize_object (f->sampler);
    g_assert_finalize_object (f->client);
    rf_fake_helper_free (f->helper);
    rf_facts_unref (f->facts);
    rf_test_tree_free (f->tree);
}

static GtkWidget *
show (Fixture *f, GtkWidget *page)
{
    gtk_window_set_child (GTK_WINDOW (f->window), page);
    gtk_window_present (GTK_WINDOW (f->window));
    RF_ITERATE_UNTIL (gtk_widget_get_mapped (page));
    return page;
}

static GtkWidget *
show_overview (Fixture *f)
{
    g_autoptr (RfChecker) look = rf_checker_new (rf_test_tree_sysroot (f->tree));
    return show (f, rf_overview_page_new (f->sampler, f->facts, f->client, look));
}

static RfWizard *
show_wizard (Fixture *f)
{
    return RF_WIZARD (show (f, rf_wizard_new (f->client, f->sampler, f->facts)));
}

/* The bar of @state that can be seen, or NULL. */
static GtkWidget *
bar (GtkWidget *root, RfState state)
{
    if (!gtk_widget_get_visible (root) || !gtk_widget_get_child_visible (root))
        return NULL;
    if (RF_IS_STATE_BAR (root) && rf_state_bar_get_info (RF_STATE_BAR (root))->state == state)
        return root;
    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        GtkWidget *found = bar (w, state);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void
picture (Fixture *f, const char *name)
{
    const char *folder = g_getenv ("RF_PICTURES");
    int minimum = 0;
    gtk_widget_measure (gtk_window_get_child (GTK_WINDOW (f->window)), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL,
                        NULL, NULL);
    g_assert_cmpint (minimum, <=, 360);
    for (guint narrow = 0; folder != NULL && narrow < 2; narrow++) {
        g_autofree char *file = g_strdup_printf ("%s/state-%s-%s.png", folder, name, narrow ? "narrow" : "wide");
        gtk_window_set_default_size (GTK_WINDOW (f->window), narrow ? 360 : 1100, 760);
        rf_test_settle (500);
        for (guint tries = 0; tries < 5 && !rf_screenshot_save (GTK_WINDOW (f->window), file, NULL); tries++)
            rf_test_settle (300);
    }
}

static void
walk_to_review (Fixture *f, RfWizard *wizard)
{
    while (rf_wizard_get_stage (wizard) < RF_STAGE_REVIEW)
        rf_test_click (f->window, "Next: ");
}

/* ---- the helper */

static void
test_helper_missing (Fixture *f, gconstpointer data)
{
    GtkWidget *page = show_overview (f);
    g_assert_null (bar (page, RF_STATE_HELPER_MISSING));
    rf_fake_helper_die (f->helper);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_HELPER_MISSING) != NULL);
    picture (f, "helper-missing");
    rf_test_click (bar (page, RF_STATE_HELPER_MISSING), "Look again");
    rf_test_settle (100);
    g_assert_nonnull (bar (page, RF_STATE_HELPER_MISSING));
    RfWizard *wizard = show_wizard (f);
    g_assert_nonnull (bar (GTK_WIDGET (wizard), RF_STATE_HELPER_MISSING));
    rf_fake_helper_start (f->helper);
    RF_ITERATE_UNTIL (bar (GTK_WIDGET (wizard), RF_STATE_HELPER_MISSING) == NULL);
}

static void
test_old_helper (Fixture *f, gconstpointer data)
{
    GtkWidget *page = show_overview (f);
    rf_fake_helper_die (f->helper);
    f->helper->version = "0.0.1";
    rf_fake_helper_start (f->helper);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_HELPER_OLDER) != NULL);
    picture (f, "helper-older");
    rf_test_click (bar (page, RF_STATE_HELPER_OLDER), "Restart the helper");
    g_assert_true (rf_client_is_restarting (f->client));
    /* once is enough */
    g_assert_null (rf_test_find (bar (page, RF_STATE_HELPER_OLDER), GTK_TYPE_BUTTON, "Restart the helper"));
    rf_fake_helper_die (f->helper); /* it had nothing to do any more */
    f->helper->version = NULL;
    rf_fake_helper_start (f->helper);
    RF_ITERATE_UNTIL (rf_client_get_helper_version (f->client) != NULL);
    g_assert_null (bar (page, RF_STATE_HELPER_OLDER));
    g_assert_false (rf_client_is_restarting (f->client));
}

static void
restart_cb (GSimpleAction *action, GVariant *parameter, gpointer count)
{
    (*(guint *) count)++;
}

static void
test_old_program (Fixture *f, gconstpointer data)
{
    g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
    g_autoptr (GSimpleAction) action = g_simple_action_new ("restart", NULL);
    guint restarts = 0;
    g_signal_connect (action, "activate", G_CALLBACK (restart_cb), &restarts);
    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
    gtk_widget_insert_action_group (f->window, "app", G_ACTION_GROUP (group));
    GtkWidget *page = show_overview (f);
    rf_helper1_set_version (f->helper->skeleton, "99.0");
    RF_ITERATE_UNTIL (bar (page, RF_STATE_PROGRAM_OLDER) != NULL);
    rf_test_click (bar (page, RF_STATE_PROGRAM_OLDER), "Restart this window");
    g_assert_cmpuint (restarts, ==, 1);
}

/* ---- the system */

static void
test_container (Fixture *f, gconstpointer data)
{
    GtkWidget *page = show_overview (f);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_CONTAINER) != NULL);
    picture (f, "container");
    rf_test_click (bar (page, RF_STATE_CONTAINER), "Copy");
    g_assert_nonnull (rf_test_find (bar (page, RF_STATE_CONTAINER), GTK_TYPE_BUTTON, "Copied"));
    RfWizard *wizard = show_wizard (f);
    g_assert_nonnull (bar (GTK_WIDGET (wizard), RF_STATE_CONTAINER));
    picture (f, "container-wizard");
}

static void
test_no_psi (Fixture *f, gconstpointer data)
{
    rf_test_tree_apply (f->tree, "= proc/pressure/memory !errno EOPNOTSUPP\n= etc/default/grub x\n"
                                 "= usr/sbin/update-grub x\n");
    GtkWidget *page = show_overview (f);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_NO_PSI) != NULL);
    const RfStateInfo *info = rf_state_bar_get_info (RF_STATE_BAR (bar (page, RF_STATE_NO_PSI)));
    g_assert_nonnull (strstr (info->snippet, "psi=1"));
    picture (f, "no-psi");
    RfWizard *wizard = show_wizard (f);
    rf_test_click (f->window, "Next: ");
    g_assert_nonnull (bar (GTK_WIDGET (wizard), RF_STATE_NO_PSI));
}

static void
test_nixos (Fixture *f, gconstpointer data)
{
    f->facts->immutable = RF_IMMUTABLE_NIXOS;
    RfWizard *wizard = show_wizard (f);
    GtkWidget *start = bar (GTK_WIDGET (wizard), RF_STATE_IMMUTABLE);
    g_assert_nonnull (start);
    g_assert_null (rf_state_bar_get_info (RF_STATE_BAR (start))->snippet);
    walk_to_review (f, wizard);
    GtkWidget *review = bar (GTK_WIDGET (wizard), RF_STATE_IMMUTABLE);
    g_assert_nonnull (review);
    g_autofree char *planned = g_strdup (rf_state_bar_get_info (RF_STATE_BAR (review))->snippet);
    g_assert_nonnull (strstr (planned, "boot.kernel.sysctl"));
    picture (f, "nixos-review");
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_TRIAL);
    GtkWidget *trial = bar (GTK_WIDGET (wizard), RF_STATE_IMMUTABLE);
    g_assert_nonnull (trial);
    g_assert_cmpstr (rf_state_bar_get_info (RF_STATE_BAR (trial))->snippet, ==, planned);
    rf_test_click (f->window, "Take everything back");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_RESULT);
    GtkWidget *result = bar (GTK_WIDGET (wizard), RF_STATE_IMMUTABLE);
    g_assert_nonnull (result);
    g_assert_cmpstr (rf_state_bar_get_info (RF_STATE_BAR (result))->snippet, ==, planned);
}

static void
test_battery (Fixture *f, gconstpointer data)
{
    rf_test_tree_apply (f->tree, "= sys/class/power_supply/BAT0/type Battery\n"
                                 "= sys/class/power_supply/BAT0/status Discharging\n");
    RfWizard *wizard = show_wizard (f);
    walk_to_review (f, wizard);
    g_assert_null (bar (GTK_WIDGET (wizard), RF_STATE_BATTERY));
    rf_test_click (f->window, "Apply");
    g_assert_cmpint (rf_wizard_get_stage (wizard), ==, RF_STAGE_REVIEW);
    g_assert_nonnull (bar (GTK_WIDGET (wizard), RF_STATE_BATTERY));
    picture (f, "battery");
    /* plugged in meanwhile: nothing speaks against it any more */
    rf_test_tree_set (f->tree, "sys/class/power_supply/BAT0/status", "Charging\n");
    g_assert_cmpuint (f->helper->applies, ==, 0);
    rf_test_tree_set (f->tree, "sys/class/power_supply/BAT0/status", "Discharging\n");
    rf_test_click (bar (GTK_WIDGET (wizard), RF_STATE_BATTERY), "Try anyway");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_TRIAL);
    g_assert_cmpuint (f->helper->applies, ==, 1);
}

/* ---- an attempt */

static void
test_refused (Fixture *f, gconstpointer data)
{
    RfWizard *wizard = show_wizard (f);
    RfWizardModel *model = rf_wizard_get_model (wizard);
    rf_wizard_model_set_preset (model, RF_PRESET_CASE_STUDY);
    walk_to_review (f, wizard);
    guint n = rf_wizard_model_count (model);
    g_assert_cmpuint (n, >, 1);
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (model, NULL);
    const RfChange *change = rf_plan_get (plan, 0);
    g_autofree char *detail = g_strdup_printf ("'%s' was set to '1' but reads back as '2'", change->tunable->id);
    f->helper->answer = RF_ERROR_MISMATCH;
    f->helper->detail = detail;
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (bar (GTK_WIDGET (wizard), RF_STATE_REFUSED) != NULL);
    picture (f, "refused");
    rf_test_click (bar (GTK_WIDGET (wizard), RF_STATE_REFUSED), "Leave it out");
    g_assert_cmpint (rf_wizard_get_stage (wizard), ==, RF_STAGE_REVIEW);
    g_assert_cmpuint (rf_wizard_model_count (model), ==, n - 1);
    g_assert_null (bar (GTK_WIDGET (wizard), RF_STATE_REFUSED));
    f->helper->answer = -1;
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_TRIAL);
}

static void
test_no_agent (Fixture *f, gconstpointer data)
{
    RfWizard *wizard = show_wizard (f);
    walk_to_review (f, wizard);
    f->helper->answer = RF_ERROR_NO_AGENT;
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (bar (GTK_WIDGET (wizard), RF_STATE_NO_AGENT) != NULL);
    const RfStateInfo *info = rf_state_bar_get_info (RF_STATE_BAR (bar (GTK_WIDGET (wizard), RF_STATE_NO_AGENT)));
    g_assert_true (g_str_has_prefix (info->snippet, "sudo ruckelfreictl apply vm."));
    picture (f, "no-agent");
    f->helper->answer = RF_ERROR_NOT_AUTHORIZED;
    rf_test_click (bar (GTK_WIDGET (wizard), RF_STATE_NO_AGENT), "Try again");
    RF_ITERATE_UNTIL (bar (GTK_WIDGET (wizard), RF_STATE_NOT_AUTHORIZED) != NULL);
    f->helper->answer = -1;
    rf_test_click (bar (GTK_WIDGET (wizard), RF_STATE_NOT_AUTHORIZED), "Try again");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (wizard) == RF_STAGE_TRIAL);
}

/* ---- the Changes page */

static RfRecord *
add_record (Fixture *f, const char *id, RfRecordState state, const char *kernel)
{
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue ours = rf_value_int (180);
    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &ours);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, NULL);
    RfRecord *record = rf_record_new_from_plan (plan, id, 1796047380);
    RfRecordEntry *entry = g_ptr_array_index (record->entries, 0);
    entry->before = rf_value_int (40);
    entry->effective = entry->ours;
    entry->state = RF_ENTRY_APPLIED;
    record->state = state;
    g_free (record->kernel_release);
    record->kernel_release = g_strdup (kernel);
    g_ptr_array_add (f->helper->records, record);
    return record;
}

static GtkWidget *
show_changes (Fixture *f)
{
    return show (f, rf_history_page_new (f->client, rf_test_tree_sysroot (f->tree), f->facts));
}

static GtkWidget *
question (Fixture *f)
{
    g_autoptr (GList) windows = gtk_window_list_toplevels ();
    for (GList *l = windows; l != NULL; l = l->next)
        if (gtk_window_get_transient_for (l->data) == GTK_WINDOW (f->window))
            return l->data;
    return NULL;
}

/* The row of a list with @title, or NULL. */
static GtkWidget *
find_row (GtkWidget *root, const char *title)
{
    if (GTK_IS_LABEL (root) && g_str_equal (gtk_label_get_text (GTK_LABEL (root)), title))
        return gtk_widget_get_ancestor (root, GTK_TYPE_LIST_BOX_ROW);
    for (GtkWidget *w = gtk_widget_get_first_child (root); w != NULL; w = gtk_widget_get_next_sibling (w)) {
        GtkWidget *found = find_row (w, title);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void
activate (GtkWidget *row)
{
    g_signal_emit_by_name (gtk_widget_get_ancestor (row, GTK_TYPE_LIST_BOX), "row-activated", row);
}

static void
test_force_later (Fixture *f, gconstpointer data)
{
    RfRecord *record = add_record (f, "20261130T140300Z-1a2b3c4d", RF_RECORD_REVERTED, "6.1.0");
    RfRecordEntry *entry = g_ptr_array_index (record->entries, 0);
    entry->state = RF_ENTRY_LEFT_ALONE;
    record->reason = RF_REASON_USER;
    rf_test_tree_set (f->tree, "proc/sys/vm/swappiness", "77\n");
    GtkWidget *page = show_changes (f);
    RF_ITERATE_UNTIL (find_row (page, "Take back anyway…") != NULL);
    picture (f, "left-alone");
    activate (find_row (page, "Take back anyway…"));
    RF_ITERATE_UNTIL (question (f) != NULL);
    g_assert_nonnull (rf_test_find (question (f), GTK_TYPE_BUTTON, "Leave it at 77"));
    rf_test_click (question (f), "Leave it at 77");
    RF_ITERATE_UNTIL (question (f) == NULL);
    g_assert_cmpuint (f->helper->forced, ==, 0);
    activate (find_row (page, "Take back anyway…"));
    RF_ITERATE_UNTIL (question (f) != NULL);
    rf_test_click (question (f), "Bring back 40");
    RF_ITERATE_UNTIL (f->helper->forced == 1);
    RF_ITERATE_UNTIL (find_row (page, "Take back anyway…") == NULL);
    /* what is as before by other ways needs no question */
    entry->state = RF_ENTRY_LEFT_ALONE;
    rf_test_tree_set (f->tree, "proc/sys/vm/swappiness", "40\n");
    rf_helper1_emit_records_changed (f->helper->skeleton);
    rf_test_settle (200);
    g_assert_null (find_row (page, "Take back anyway…"));
}

static void
test_long_way_back (Fixture *f, gconstpointer data)
{
    add_record (f, "20261130T140300Z-1a2b3c4d", RF_RECORD_KEPT, f->facts->kernel_release);
    GtkWidget *page = show_changes (f);
    RF_ITERATE_UNTIL (rf_test_find (page, GTK_TYPE_BUTTON, "Take everything back") != NULL);
    f->helper->hold_revert = TRUE;
    rf_test_click (page, "Take everything back");
    RF_ITERATE_UNTIL (f->helper->pending != NULL);
    g_assert_null (rf_test_find (page, GTK_TYPE_BUTTON, "Cancel"));
    rf_helper1_emit_progress (f->helper->skeleton, "20261130T140300Z-1a2b3c4d", "vm.swappiness", 1, 1);
    rf_helper1_emit_progress (f->helper->skeleton, "20261130T140300Z-1a2b3c4d", "swap.zram", 300, 1200);
    RF_ITERATE_UNTIL (rf_test_find (page, GTK_TYPE_BUTTON, "Cancel") != NULL);
    picture (f, "emptying");
    rf_test_click (page, "Cancel");
    RF_ITERATE_UNTIL (rf_test_find (page, GTK_TYPE_BUTTON, "Cancel") == NULL);
    RF_ITERATE_UNTIL (gtk_widget_is_sensitive (rf_test_find (page, GTK_TYPE_BUTTON, "Take everything back")));
    g_assert_cmpint (((RfRecord *) g_ptr_array_index (f->helper->records, 0))->state, ==, RF_RECORD_KEPT);
}

static void
plan_cb (GtkWidget *page, const RfPlan *plan, gint64 *value)
{
    *value = rf_plan_get (plan, 0)->value.n[0];
}

static void
test_kernel_drift (Fixture *f, gconstpointer data)
{
    gint64 again = 0;
    add_record (f, "20261130T140300Z-1a2b3c4d", RF_RECORD_KEPT, "4.19.0-1");
    f->helper->drift = TRUE;
    GtkWidget *overview = show_overview (f);
    RF_ITERATE_UNTIL (bar (overview, RF_STATE_KERNEL_DRIFT) != NULL);
    g_assert_nonnull (rf_test_find (bar (overview, RF_STATE_KERNEL_DRIFT), GTK_TYPE_BUTTON, "Look at it"));
    GtkWidget *page = show_changes (f);
    g_signal_connect (page, "apply-again", G_CALLBACK (plan_cb), &again);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_KERNEL_DRIFT) != NULL);
    picture (f, "kernel-drift");
    rf_test_click (bar (page, RF_STATE_KERNEL_DRIFT), "Apply again as a trial");
    g_assert_cmpint (again, ==, 180);
    RfWizard *wizard = show_wizard (f);
    g_autoptr (RfPlanBuilder) builder = rf_plan_builder_new ();
    RfValue value = rf_value_int (177);
    rf_plan_builder_set (builder, rf_tunable_find ("vm.swappiness"), "", &value);
    g_autoptr (RfPlan) plan = rf_plan_builder_finish (builder, NULL);
    rf_wizard_propose (wizard, plan);
    g_assert_cmpint (rf_wizard_get_stage (wizard), ==, RF_STAGE_REVIEW);
    g_assert_cmpuint (rf_wizard_model_count (rf_wizard_get_model (wizard)), ==, 1);
}

static void
test_half_applied (Fixture *f, gconstpointer data)
{
    RfRecord *record = add_record (f, "20261130T140300Z-1a2b3c4d", RF_RECORD_REVERTING, "6.1.0");
    GtkWidget *overview = show_overview (f);
    RF_ITERATE_UNTIL (bar (overview, RF_STATE_HALF_APPLIED) != NULL);
    g_assert_nonnull (rf_test_find (bar (overview, RF_STATE_HALF_APPLIED), GTK_TYPE_BUTTON, "Look at it"));
    GtkWidget *page = show_changes (f);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_HALF_APPLIED) != NULL);
    picture (f, "half-applied");
    g_assert_true (rf_test_sees (page, "Left by a change that has stopped half-way."));
    g_assert_false (rf_test_sees (page, "survives a restart"));
    g_assert_false (rf_test_sees (page, "as kept"));
    rf_test_click (bar (page, RF_STATE_HALF_APPLIED), "Put it back now");
    RF_ITERATE_UNTIL (record->state == RF_RECORD_REVERTED);
    RF_ITERATE_UNTIL (bar (page, RF_STATE_HALF_APPLIED) == NULL);
}

/* The helper takes back what it can read and says that it could not read all: that is not "nothing is changed". */
static void
test_unreadable_notes (Fixture *f, gconstpointer data)
{
    RfRecord *record = add_record (f, "20261130T140300Z-1a2b3c4d", RF_RECORD_KEPT, f->facts->kernel_release);
    GtkWidget *page = show_changes (f);
    RF_ITERATE_UNTIL (rf_test_find (page, GTK_TYPE_BUTTON, "Take everything back") != NULL);
    f->helper->answer = RF_ERROR_JOURNAL;
    rf_test_click (page, "Take everything back");
    RF_ITERATE_UNTIL (bar (page, RF_STATE_JOURNAL) != NULL);
    g_assert_true (rf_test_sees (page, "Not all that the readable notes tell of"));
    g_assert_true (rf_test_sees (page, "revert --all --force"));
    g_assert_false (rf_test_sees (page, "nothing is changed"));
    picture (f, "unreadable-notes");
    record->state = RF_RECORD_REVERTED;
    rf_helper1_emit_records_changed (f->helper->skeleton);
    RF_ITERATE_UNTIL (rf_test_sees (page, "All that the readable notes tell of is taken back."));
    record->state = RF_RECORD_KEPT;
    rf_helper1_emit_records_changed (f->helper->skeleton);
    RF_ITERATE_UNTIL (rf_test_find (page, GTK_TYPE_BUTTON, "Take everything back") != NULL);
    f->helper->answer = -1;
    rf_test_click (page, "Take everything back");
    RF_ITERATE_UNTIL (bar (page, RF_STATE_JOURNAL) == NULL);
}

int
main (int argc, char **argv)
{
    gtk_test_init (&argc, &argv, NULL);
    g_autoptr (RfTheme) theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#define ADD(name, machine, func) g_test_add ("/states/" name, Fixture, machine, set_up, func, tear_down)
    ADD ("helper-missing", "laptop-8g", test_helper_missing);
    ADD ("old-helper", "laptop-8g", test_old_helper);
    ADD ("old-program", "laptop-8g", test_old_program);
    ADD ("container", "container", test_container);
    ADD ("no-psi", "laptop-8g", test_no_psi);
    ADD ("nixos", "laptop-8g", test_nixos);
    ADD ("battery", "laptop-8g", test_battery);
    ADD ("refused", "laptop-8g", test_refused);
    ADD ("no-agent", "laptop-8g", test_no_agent);
    ADD ("force-later", "laptop-8g", test_force_later);
    ADD ("long-way-back", "laptop-8g", test_long_way_back);
    ADD ("kernel-drift", "laptop-8g", test_kernel_drift);
    ADD ("half-applied", "laptop-8g", test_half_applied);
    ADD ("unreadable-notes", "laptop-8g", test_unreadable_notes);
    return g_test_run ();
}
