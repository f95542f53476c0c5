/* The guided tuning and the Changes page, walked through with buttons, against a made-up helper. With RF_PICTURES set to
 * a folder it also leaves a picture of every page there, light and dark, wide and 360 pixels narrow. */
#include "config.h"

#include "rf-fake-helper.h"
#include "rf-error.h"
#include "rf-history-page.h"
#include "rf-history-row.h"
#include "rf-message-bar.h"
#include "rf-screenshot.h"
#include "rf-setting-row.h"
#include "rf-state-bar.h"
#include "rf-test-growth.h"
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
    RfWizard *wizard;
    guint closed;
} Fixture;

static RfTheme *theme;

static void
count_cb (RfWizard *wizard, guint *counter)
{
    (*counter)++;
}

/* files of somebody else that come after ours */
static const char overruling[] = "== etc/sysctl.d/zz-mine.conf\n# mine\nvm.watermark_scale_factor = 33\n"
                                 "vm.dirty_ratio = 30\nvm.dirty_bytes = \"8\"\n"
                                 "= usr/lib/sysctl.d/10-distribution.conf vm.watermark_scale_factor=20\n"
                                 "== etc/sysctl.d/zz-secret.conf\n!errno EACCES\n";

static void
set_up (Fixture *f, gconstpointer machine)
{
    f->tree = rf_test_tree_new (machine);
    if (g_str_has_suffix (g_test_get_path (), "/overruled"))
        rf_test_tree_apply (f->tree, overruling);
    RfSysroot *sysroot = rf_test_tree_sysroot (f->tree);
    f->facts = rf_facts_read (sysroot);
    f->helper = rf_fake_helper_new (sysroot, f->facts);
    f->client = rf_client_new (f->helper->client);
    f->sampler = rf_sampler_new (sysroot, 1000, 600);
    f->window = gtk_window_new ();
    gtk_widget_add_css_class (f->window, "rf-window");
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1100, 760);
    f->wizard = RF_WIZARD (rf_wizard_new (f->client, f->sampler, f->facts));
    g_signal_connect (f->wizard, "closed", G_CALLBACK (count_cb), &f->closed);
    gtk_window_set_child (GTK_WINDOW (f->window), GTK_WIDGET (f->wizard));
    gtk_window_present (GTK_WINDOW (f->window));
    RF_ITERATE_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (f->wizard)));
    RF_ITERATE_UNTIL (rf_client_get_available (f->client));
}

static void
tear_down (Fixture *f, gconstpointer machine)
{
    g_object_add_weak_pointer (G_OBJECT (f->wizard), (gpointer *) &f->wizard);
    gtk_window_destroy (GTK_WINDOW (f->window));
    RF_ITERATE_UNTIL (f->wizard == NULL); /* nothing holds it any more */
    rf_test_settle (20);
    g_assert_finalize_object (f->sampler);
    RF_ITERATE_UNTIL (G_OBJECT (f->client)->ref_count == 1);
    g_assert_finalize_object (f->client);
    rf_fake_helper_free (f->helper);
    rf_facts_unref (f->facts);
    rf_test_tree_free (f->tree);
}

static void
picture (Fixture *f, const char *name)
{
    const char *folder = g_getenv ("RF_PICTURES");
    static const int sizes[][2] = {{1100, 760}, {360, 820}};
    if (folder == NULL)
        return;
    for (guint dark = 0; dark < 2; dark++) {
        g_clear_object (&theme);
        theme = rf_theme_new (gdk_display_get_default (), dark ? RF_THEME_DARK : RF_THEME_LIGHT);
        for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
            g_autoptr (GError) error = NULL;
            g_autofree char *file =
                g_strdup_printf ("%s/%s-%s-%d.png", folder, name, dark ? "dark" : "light", sizes[i][0]);
            (i == 1 ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (f->window, "rf-narrow");
            gtk_window_set_default_size (GTK_WINDOW (f->window), sizes[i][0], sizes[i][1]);
            rf_test_settle (500);
            /* right after a change of colours there may be no frame yet */
            for (guint tries = 0; tries < 5 && !rf_screenshot_save (GTK_WINDOW (f->window), file, NULL); tries++)
                rf_test_settle (300);
            rf_screenshot_save (GTK_WINDOW (f->window), file, &error);
            g_assert_no_error (error);
        }
    }
    gtk_widget_remove_css_class (f->window, "rf-narrow");
    gtk_window_set_default_size (GTK_WINDOW (f->window), 1100, 760);
    rf_test_settle (200);
}

static void
assert_narrow (Fixture *f)
{
    int minimum = 0;
    gtk_widget_measure (GTK_WIDGET (f->wizard), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_assert_cmpint (minimum, <=, 360);
}

static void
walk_to_review (Fixture *f)
{
    static const RfWizardStage stages[] = {RF_STAGE_WELCOME, RF_STAGE_STEP_1, RF_STAGE_STEP_2, RF_STAGE_STEP_3,
                                           RF_STAGE_STEP_4};
    static const char *const names[] = {"welcome", "step-1", "step-2", "step-3", "step-4"};
    for (guint i = 0; i < G_N_ELEMENTS (stages); i++) {
        g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, stages[i]);
        g_assert_true (rf_test_sees (f->window, "Nothing has been changed yet."));
        assert_narrow (f);
        picture (f, names[i]);
        rf_test_click (f->window, "Next: ");
    }
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_REVIEW);
    assert_narrow (f);
}

static void
test_keep (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    g_assert_true (rf_test_sees (f->window, "will be changed"));
    g_assert_true (rf_test_sees (f->window, "/etc/sysctl.d/99-zz-ruckelfrei.conf"));
    picture (f, "review");
    g_assert_cmpuint (f->helper->applies, ==, 0); /* nothing before “Apply” */
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    g_assert_true (rf_test_sees (f->window, "Try it out"));
    g_assert_true (rf_test_sees (f->window, "written and read back"));
    picture (f, "trial");
    rf_test_click (f->window, "Give me 10 minutes");
    RF_ITERATE_UNTIL (f->helper->extends == 1);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "9:5") || rf_test_sees (f->window, "10:00"));
    RF_ITERATE_UNTIL (gtk_widget_is_sensitive (rf_test_find (f->window, GTK_TYPE_BUTTON, "Keep these settings")));
    rf_test_click (f->window, "Keep these settings");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_RESULT);
    g_assert_true (rf_test_sees (f->window, "The settings are kept"));
    g_assert_true (rf_test_sees (f->window, "too short for a verdict"));
    picture (f, "result-kept");
    rf_test_click (f->window, "Done");
    g_assert_cmpuint (f->closed, ==, 1);
}

static void
test_take_back (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_test_click (f->window, "Take everything back");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_RESULT);
    g_assert_true (rf_test_sees (f->window, "Everything is as it was before"));
    g_assert_true (rf_test_sees (f->window, "taken back on request"));
    picture (f, "result-taken-back");
    rf_test_click (f->window, "Start again");
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_WELCOME);
}

static void
test_guard (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_fake_helper_end_trial (f->helper, "guard-stalls");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_RESULT);
    g_assert_true (rf_test_sees (f->window, "far more often than before"));
    picture (f, "result-guard");
}

static const struct {
    const char *reason;
    const char *says;
    gboolean helper_leaves; /* before the window has asked it anything */
} ends_in_stall[] = {
    {"guard-pressure", "Everything waited for memory for too long.", FALSE},
    {"guard-stalls", "Programs waited for memory far more often than before.", TRUE},
    {"guard-oom", "The kernel had to end a program for lack of memory.", FALSE},
    {"timeout", "The time was over.", TRUE},
};

/* Memory is so short that the window itself stands still. The helper takes the trial back meanwhile, and whatever it has
 * said comes in one burst, or from a helper that is not there any more. Afterwards the window tells what happened. */
static void
test_stalled (Fixture *f, gconstpointer data)
{
    for (guint i = 0; i < G_N_ELEMENTS (ends_in_stall); i++) {
        walk_to_review (f);
        rf_test_click (f->window, "Apply");
        RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
        const char *id = ((RfRecord *) g_ptr_array_index (f->helper->records, i))->id;
        for (guint n = 0; n < 100; n++) {
            rf_helper1_emit_progress (f->helper->skeleton, id, "vm.swappiness", n, 100);
            rf_helper1_emit_records_changed (f->helper->skeleton);
        }
        rf_fake_helper_end_trial (f->helper, ends_in_stall[i].reason);
        for (guint n = 0; n < 100; n++) {
            rf_helper1_emit_trial_ended (f->helper->skeleton, id, ends_in_stall[i].reason);
            rf_helper1_emit_records_changed (f->helper->skeleton);
        }
        g_dbus_connection_flush_sync (f->helper->connection, NULL, NULL);
        if (ends_in_stall[i].helper_leaves)
            rf_fake_helper_die (f->helper);
        g_usleep (2 * G_USEC_PER_SEC); /* nothing of this program runs, but the thread that reads from the bus */
        if (ends_in_stall[i].helper_leaves) {
            rf_test_settle (300);
            g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_TRIAL);
            rf_fake_helper_start (f->helper);
        }
        RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_RESULT);
        g_assert_true (rf_test_sees (f->window, ends_in_stall[i].says));
        g_assert_true (rf_test_sees (f->window, "Everything is as it was before"));
        rf_test_settle (200);
        g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_RESULT);
        rf_test_click (f->window, "Start again");
    }
}

/* A hint that is not true changes nothing. */
static void
test_false_hint (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_helper1_emit_trial_ended (f->helper->skeleton, "20261130T140300Z-1a2b3c4d", "timeout");
    rf_test_settle (200);
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_TRIAL);
}

static void
test_errors (Fixture *f, gconstpointer data)
{
    static const struct {
        RfError code;
        const char *says; /* NULL: nothing is said */
    } rows[] = {
        {RF_ERROR_NOT_AUTHORIZED, "You may not change settings"},
        {RF_ERROR_DISMISSED, NULL},
        {RF_ERROR_NO_AGENT, "no authentication agent"},
        {RF_ERROR_BUSY, "Another change or trial"},
        {RF_ERROR_REFUSED, "The kernel refused the value"},
    };
    walk_to_review (f);
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        f->helper->answer = rows[i].code;
        rf_test_click (f->window, "Apply");
        RF_ITERATE_UNTIL (f->helper->applies == i + 1 && rf_wizard_get_stage (f->wizard) == RF_STAGE_REVIEW);
        GtkWidget *bar = rf_test_find (f->window, RF_TYPE_STATE_BAR, NULL);
        g_assert_null (rf_test_find (f->window, RF_TYPE_MESSAGE_BAR, NULL)); /* nothing is said twice */
        if (rows[i].says == NULL) {
            g_assert_null (bar);
        } else {
            g_assert_nonnull (bar);
            g_assert_nonnull (strstr (rf_state_bar_get_info (RF_STATE_BAR (bar))->sentence, rows[i].says));
        }
        g_assert_true (rf_test_sees (f->window, "Nothing has been changed yet."));
        if (rows[i].code == RF_ERROR_NO_AGENT)
            picture (f, "review-error");
    }
}

static void
test_cancel (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    f->helper->hold_apply = TRUE;
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (f->helper->pending != NULL);
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_PROGRESS);
    picture (f, "progress");
    rf_test_click (f->window, "Cancel");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_REVIEW);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "Cancelled. Everything is as it was before."));
}

static void
test_helper_dies (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    f->helper->hold_apply = TRUE;
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (f->helper->pending != NULL);
    rf_fake_helper_die (f->helper);
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_REVIEW);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "The helper stopped in the middle"));
}

static void
test_skip_and_back (Fixture *f, gconstpointer data)
{
    RfWizardModel *model = rf_wizard_get_model (f->wizard);
    rf_test_click (f->window, "Next: ");
    guint n = rf_wizard_model_count (model);
    g_assert_cmpuint (n, >, 0);
    rf_test_click (f->window, "Skip this step");
    g_assert_true (rf_wizard_model_get_skipped (model, 0));
    g_assert_cmpuint (rf_wizard_model_count (model), <, n);
    rf_test_click (f->window, "Back");
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_STEP_1);
    rf_test_click (f->window, "Next: ");
    g_assert_false (rf_wizard_model_get_skipped (model, 0));
    g_assert_cmpuint (rf_wizard_model_count (model), ==, n);
}

static void
test_nothing_chosen (Fixture *f, gconstpointer data)
{
    rf_test_click (f->window, "Next: ");
    for (guint i = 0; i < 4; i++)
        rf_test_click (f->window, "Skip this step");
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_REVIEW);
    g_assert_true (rf_test_sees (f->window, "Nothing is chosen"));
    g_assert_false (gtk_widget_is_sensitive (rf_test_find (f->window, GTK_TYPE_BUTTON, "Apply")));
    picture (f, "review-empty");
}

static GtkWidget *
adjusted_row (Fixture *f)
{
    GtkWidget *button = rf_test_find (f->window, GTK_TYPE_TOGGLE_BUTTON, "Adjust");
    g_assert_nonnull (button);
    return gtk_widget_get_ancestor (button, RF_TYPE_SETTING_ROW);
}

static void
test_adjust (Fixture *f, gconstpointer data)
{
    rf_test_click (f->window, "Next: ");
    GtkWidget *row = adjusted_row (f);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rf_test_find (row, GTK_TYPE_TOGGLE_BUTTON, "Adjust")), TRUE);
    rf_test_settle (400);
    GtkWidget *spin = rf_test_find (row, GTK_TYPE_SPIN_BUTTON, NULL);
    g_assert_nonnull (spin);
    picture (f, "step-1-adjust");
    double value = gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
    gtk_spin_button_spin (GTK_SPIN_BUTTON (spin), GTK_SPIN_STEP_FORWARD, 1);
    g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), >, value);
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, "adjusted"));
    GtkWidget *reset = rf_test_find (row, GTK_TYPE_BUTTON, "Use the proposed value");
    if (reset == NULL)
        reset = rf_test_find (row, GTK_TYPE_BUTTON, "Leave it as it is");
    g_assert_nonnull (reset);
    g_signal_emit_by_name (reset, "clicked");
    g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, value);
    g_assert_null (rf_test_find (row, GTK_TYPE_LABEL, "adjusted"));
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

static void
test_close_on_trial (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_wizard_request_close (f->wizard);
    RF_ITERATE_UNTIL (question (f) != NULL);
    rf_test_click (question (f), "Go on trying");
    g_assert_cmpuint (f->closed, ==, 0);
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_TRIAL);
    rf_wizard_request_close (f->wizard);
    if (g_getenv ("RF_PICTURES") != NULL) {
        g_autofree char *file = g_build_filename (g_getenv ("RF_PICTURES"), "question.png", NULL);
        rf_test_settle (300);
        g_assert_true (rf_screenshot_save (GTK_WINDOW (question (f)), file, NULL));
    }
    rf_test_click (question (f), "Take everything back");
    RF_ITERATE_UNTIL (f->closed == 1);
    const RfRecord *record = g_ptr_array_index (f->helper->records, 0);
    g_assert_cmpint (record->state, ==, RF_RECORD_REVERTED);
}

/* Whoever closes the window while the trial is just being kept is not asked; it closes when that is done. */
static void
test_close_while_deciding (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_test_click (f->window, "Keep these settings");
    rf_wizard_request_close (f->wizard);
    g_assert_null (question (f));
    RF_ITERATE_UNTIL (f->closed == 1);
    const RfRecord *record = g_ptr_array_index (f->helper->records, 0);
    g_assert_cmpint (record->state, ==, RF_RECORD_KEPT);
}

/* While the trial is only being made longer, the question comes afterwards, and once. */
static void
test_close_while_extending (Fixture *f, gconstpointer data)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_test_click (f->window, "Give me 10 minutes");
    rf_wizard_request_close (f->wizard);
    RF_ITERATE_UNTIL (question (f) != NULL);
    GtkWidget *first = question (f);
    rf_wizard_request_close (f->wizard);
    g_assert_true (question (f) == first);
    rf_test_click (question (f), "Keep");
    RF_ITERATE_UNTIL (f->closed == 1);
}

static void
test_accessible (Fixture *f, gconstpointer data)
{
    rf_test_click (f->window, "Next: ");
    GtkWidget *check = rf_test_find (f->window, GTK_TYPE_CHECK_BUTTON, NULL);
    g_assert_nonnull (check);
    gtk_test_accessible_assert_role (check, GTK_ACCESSIBLE_ROLE_CHECKBOX);
    g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL));
    GtkWidget *adjust = rf_test_find (f->window, GTK_TYPE_TOGGLE_BUTTON, "Adjust");
    g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (adjust), GTK_ACCESSIBLE_PROPERTY_LABEL));
    /* a new page begins at its heading */
    GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (f->window));
    g_assert_nonnull (focus);
    gtk_test_accessible_assert_role (focus, GTK_ACCESSIBLE_ROLE_HEADING);
}

/* The Changes page. */

static void
apply_and_keep (Fixture *f)
{
    walk_to_review (f);
    rf_test_click (f->window, "Apply");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_TRIAL);
    rf_test_click (f->window, "Keep these settings");
    RF_ITERATE_UNTIL (rf_wizard_get_stage (f->wizard) == RF_STAGE_RESULT);
}

static GtkWidget *
show_history (Fixture *f)
{
    GtkWidget *page = rf_history_page_new (f->client, rf_sampler_get_sysroot (f->sampler), f->facts);
    GtkWidget *stack = gtk_stack_new ();
    g_object_ref (f->wizard);
    gtk_window_set_child (GTK_WINDOW (f->window), NULL);
    gtk_stack_add_child (GTK_STACK (stack), GTK_WIDGET (page));
    gtk_stack_add_child (GTK_STACK (stack), GTK_WIDGET (f->wizard));
    g_object_unref (f->wizard);
    gtk_window_set_child (GTK_WINDOW (f->window), stack);
    return page;
}

static void
test_history (Fixture *f, gconstpointer data)
{
    apply_and_keep (f);
    f->helper->drift = TRUE;
    show_history (f);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "differ from your system’s own") ||
                      rf_test_sees (f->window, "differs from your system’s own"));
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "drifted"));
    g_assert_true (rf_test_sees (f->window, "Somebody else has changed this since"));
    picture (f, "changes");
    rf_test_click (f->window, "Take everything back");
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "was left alone"));
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "The system runs with its own settings"));
    picture (f, "changes-left-alone");
    RF_ITERATE_UNTIL (gtk_widget_is_sensitive (rf_test_find (f->window, GTK_TYPE_BUTTON, "Take back anyway")));
    rf_test_click (f->window, "Take back anyway");
    RF_ITERATE_UNTIL (f->helper->forced == 1);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "Taken back."));
    const RfRecord *record = g_ptr_array_index (f->helper->records, 0);
    for (guint i = 0; i < record->entries->len; i++)
        g_assert_cmpint (((RfRecordEntry *) g_ptr_array_index (record->entries, i))->state, ==, RF_ENTRY_REVERTED);
}

static void
test_history_empty (Fixture *f, gconstpointer data)
{
    show_history (f);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "The system runs with its own settings"));
    g_assert_null (rf_test_find (f->window, GTK_TYPE_BUTTON, "Take everything back"));
    picture (f, "changes-empty");
}

#define FACT "At the next start line 2 of /etc/sysctl.d/zz-mine.conf would set this to 0.33 % of memory."
#define SECRET "/etc/sysctl.d/zz-secret.conf may set this at the next start; this user cannot read it."

/* Everything about who sets a value, on the row, before anything is applied. */
static void
assert_who_set (Fixture *f, GType row_type, gboolean kept)
{
    GtkWidget *warning = rf_test_find (f->window, GTK_TYPE_LABEL, FACT);
    g_assert_nonnull (warning);
    GtkWidget *row = gtk_widget_get_ancestor (warning, row_type);
    g_assert_nonnull (row);
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, SECRET));
    GtkWidget *button = rf_test_find (row, GTK_TYPE_TOGGLE_BUTTON, "Who set this?");
    g_assert_nonnull (button);
    g_assert_true (gtk_widget_get_focusable (button));
    g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL));
    g_assert_null (rf_test_find (row, GTK_TYPE_LABEL, "/usr/lib/sysctl.d/10-distribution.conf, line 1"));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    GtkWidget *raw = rf_test_find (row, GTK_TYPE_LABEL, "/usr/lib/sysctl.d/10-distribution.conf, line 1");
    g_assert_nonnull (raw);
    g_assert_true (gtk_label_get_selectable (GTK_LABEL (raw)));
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, "vm.watermark_scale_factor = 33"));
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, "The kernel’s own: 0.1 % of memory"));
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, "At the next start: 0.33 % of memory, from line 2 of"));
    g_assert_nonnull (rf_test_find (row, GTK_TYPE_LABEL, "Overruled by something else in this list."));
    g_assert_cmpint (rf_test_find (row, GTK_TYPE_LABEL, "Written by Ruckelfrei.") != NULL, ==, kept);
}

static void
test_overruled (Fixture *f, gconstpointer data)
{
    rf_test_click (f->window, "Next: ");
    assert_who_set (f, RF_TYPE_SETTING_ROW, FALSE);
    /* the other member of a pair; the line with quotes does nothing, so it is not the one that is named */
    g_assert_true (rf_test_sees (f->window, "would set vm.dirty_ratio to 30 % of memory. Only one of the two limits can be "
                                            "in force"));
    assert_narrow (f);
    picture (f, "step-1-who-set");
    for (guint i = 0; i < 4; i++)
        rf_test_click (f->window, "Next: ");
    g_assert_cmpint (rf_wizard_get_stage (f->wizard), ==, RF_STAGE_REVIEW);
    g_assert_true (rf_test_sees (f->window, FACT));
    assert_narrow (f);
    picture (f, "review-overruled");
    g_assert_cmpuint (f->helper->applies, ==, 0);
}

/* Once it is kept, the same stands on the Changes page, from the files as they are then. */
static void
test_history_overruled (Fixture *f, gconstpointer data)
{
    apply_and_keep (f);
    rf_test_tree_set (f->tree, "etc/sysctl.d/99-zz-ruckelfrei.conf", "vm.watermark_scale_factor = 195\n");
    show_history (f);
    RF_ITERATE_UNTIL (rf_test_sees (f->window, "from your system’s own"));
    assert_who_set (f, RF_TYPE_HISTORY_ROW, TRUE);
    picture (f, "changes-overruled");
    /* whoever has put that right sees it at the next look */
    rf_test_tree_remove (f->tree, "etc/sysctl.d/zz-mine.conf");
    rf_test_tree_remove (f->tree, "etc/sysctl.d/zz-secret.conf");
    rf_helper1_emit_records_changed (f->helper->skeleton);
    RF_ITERATE_UNTIL (!rf_test_sees (f->window, FACT));
    g_assert_false (rf_test_sees (f->window, SECRET));
}

/* Again and again in one window: what a run has needed is free again. */
static void
test_growth (Fixture *f, gconstpointer data)
{
    const guint runs = rf_test_rounds (100, 2000);
    RfTestFootprint first = {0}, before = {0}, last = {0};
    gint64 least = G_MAXINT64;
    for (guint run = 1; run <= runs; run++) {
        test_take_back (f, data);
        /* what was done before is remembered, but by the helper, which is in this process here */
        g_ptr_array_set_size (f->helper->records, 0);
        rf_test_footprint_read ("self", &last);
        if (run % (runs / 10) == 0) {
            g_autofree char *when = g_strdup_printf ("after %u runs", run);
            rf_test_footprint_print (when, &last);
            if (before.memory_kib != 0)
                least = MIN (least, (gint64)last.memory_kib - (gint64)before.memory_kib);
            before = last;
        }
        if (run == runs / 5)
            first = last;
    }
    /* What every run leaves behind shows in every tenth of them; a cache or a thread's heap is a step that comes once. */
    g_assert_cmpint (least, <=, runs / 10 * 4);
    rf_test_footprint_assert_steady (&first, &last, 16 * 1024);
}

int
main (int argc, char **argv)
{
    gtk_test_init (&argc, &argv, NULL);
    theme = rf_theme_new (gdk_display_get_default (), RF_THEME_LIGHT);
    /* what is seen must not depend on how far a movement has got */
    g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
#define ADD(name, machine, func) g_test_add ("/wizard/" name, Fixture, machine, set_up, func, tear_down)
    ADD ("keep", "laptop-8g", test_keep);
    ADD ("take-back", "desktop-94g", test_take_back);
    ADD ("guard", "laptop-8g", test_guard);
    ADD ("stalled", "laptop-8g", test_stalled);
    ADD ("false-hint", "laptop-8g", test_false_hint);
    ADD ("errors", "laptop-8g", test_errors);
    ADD ("cancel", "laptop-8g", test_cancel);
    ADD ("helper-dies", "laptop-8g", test_helper_dies);
    ADD ("skip-and-back", "laptop-8g", test_skip_and_back);
    ADD ("nothing-chosen", "sata-ssd-hdd", test_nothing_chosen);
    ADD ("adjust", "laptop-8g", test_adjust);
    ADD ("close-on-trial", "laptop-8g", test_close_on_trial);
    ADD ("close-while-deciding", "laptop-8g", test_close_while_deciding);
    ADD ("close-while-extending", "laptop-8g", test_close_while_extending);
    ADD ("accessible", "laptop-8g", test_accessible);
    ADD ("history", "laptop-8g", test_history);
    ADD ("history-empty", "laptop-8g", test_history_empty);
    ADD ("overruled", "desktop-94g", test_overruled);
    ADD ("history/overruled", "laptop-8g", test_history_overruled);
    if (g_test_slow ())
        g_test_add ("/bench/wizard-runs", Fixture, "laptop-8g", set_up, test_growth, tear_down);
    int status = g_test_run ();
    g_clear_object (&theme);
    return status;
}
