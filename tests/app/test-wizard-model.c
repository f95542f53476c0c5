/* The wizard without a window: what is proposed, ticked, adjusted and planned on the fixture machines. */
#include "config.h"

#include "rf-error.h"
#include "rf-test-tree.h"
#include "rf-wizard-model.h"

static const char *const machines[] = {"laptop-8g", "desktop-94g",    "sata-ssd-hdd",
                                       "virtio-vm", "nvme-multipath", "container"};

typedef struct {
    RfTestTree *tree;
    RfFacts *facts;
    RfWizardModel *model;
    guint changed;
    guint rows_changed;
} Fixture;

static void
count_cb (RfWizardModel *model, guint *counter)
{
    (*counter)++;
}

static void
set_up (Fixture *f, gconstpointer machine)
{
    f->tree = rf_test_tree_new (machine);
    f->facts = rf_facts_read (rf_test_tree_sysroot (f->tree));
    f->model = rf_wizard_model_new (rf_test_tree_sysroot (f->tree), f->facts);
    g_signal_connect (f->model, "changed", G_CALLBACK (count_cb), &f->changed);
    g_signal_connect (f->model, "rows-changed", G_CALLBACK (count_cb), &f->rows_changed);
}

static void
tear_down (Fixture *f, gconstpointer machine)
{
    g_assert_finalize_object (f->model);
    rf_facts_unref (f->facts);
    rf_test_tree_free (f->tree);
}

static guint
find_row (Fixture *f, const char *id)
{
    for (guint i = 0; i < rf_wizard_model_n_rows (f->model); i++)
        if (g_str_equal (rf_wizard_model_get_row (f->model, i)->advice->tunable->id, id))
            return i;
    g_error ("no row '%s'", id);
    return 0;
}

/* On every machine and with every preset: what is ticked fits, and nothing refused is ever ticked. */
static void
test_machines (Fixture *f, gconstpointer machine)
{
    for (int preset = 0; preset < RF_N_PRESETS; preset++) {
        g_autoptr (GError) error = NULL;
        rf_wizard_model_set_preset (f->model, (RfPreset) preset);
        guint n = rf_wizard_model_count (f->model);
        g_assert_true (rf_wizard_model_check (f->model, &error));
        g_assert_no_error (error);
        g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (f->model, &error);
        if (n == 0)
            g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
        else
            g_assert_cmpuint (rf_plan_length (plan), ==, n);
        for (guint i = 0; i < rf_wizard_model_n_rows (f->model); i++) {
            const RfWizardRow *row = rf_wizard_model_get_row (f->model, i);
            g_assert_cmpuint (rf_wizard_row_step (row), <, RF_WIZARD_N_STEPS);
            if (row->advice->verdict == RF_VERDICT_REFUSED)
                g_assert_false (row->adjustable || row->selected);
            if (row->selected)
                g_assert_true (rf_wizard_row_is_change (row));
        }
        if (f->facts->container != NULL)
            g_assert_cmpuint (n, ==, 0);
    }
}

static void
test_recommended (Fixture *f, gconstpointer machine)
{
    g_autoptr (GError) error = NULL;
    guint i = find_row (f, "vm.watermark_scale_factor");
    const RfWizardRow *row = rf_wizard_model_get_row (f->model, i);
    g_assert_cmpint (row->advice->verdict, ==, RF_VERDICT_RECOMMENDED);
    g_assert_true (row->selected);
    g_autoptr (RfPlan) plan = rf_wizard_model_build_plan (f->model, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (rf_plan_length (plan), ==, 1);
    g_assert_true (rf_value_equal (&rf_plan_get (plan, 0)->value, &row->advice->proposed));
    rf_wizard_model_select (f->model, i, FALSE);
    g_assert_cmpuint (f->changed, ==, 1);
    g_assert_cmpuint (rf_wizard_model_count (f->model), ==, 0);
    rf_wizard_model_select (f->model, i, FALSE); /* no news */
    g_assert_cmpuint (f->changed, ==, 1);
}

static void
test_adjust (Fixture *f, gconstpointer machine)
{
    g_autoptr (GError) error = NULL;
    guint i = find_row (f, "vm.watermark_scale_factor");
    const RfWizardRow *row = rf_wizard_model_get_row (f->model, i);
    RfValue other = rf_value_int (77), outside = rf_value_int (5000), current = row->advice->current;
    RfValue wrong = rf_value_choice ("none");
    g_assert_true (rf_wizard_model_set_value (f->model, i, &other, &error));
    g_assert_true (row->selected && rf_wizard_row_is_edited (row));
    g_assert_false (rf_wizard_model_set_value (f->model, i, &outside, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE);
    g_clear_error (&error);
    g_assert_false (rf_wizard_model_set_value (f->model, i, &wrong, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_INVALID);
    g_clear_error (&error);
    g_assert_cmpint (row->value.n[0], ==, 77); /* what was refused changed nothing */

    /* the value that is there is no change, and cannot be ticked */
    g_assert_true (rf_wizard_model_set_value (f->model, i, &current, &error));
    g_assert_false (row->selected);
    rf_wizard_model_select (f->model, i, TRUE);
    g_assert_false (row->selected);
    rf_wizard_model_reset (f->model, i);
    g_assert_true (row->selected);
    g_assert_false (rf_wizard_row_is_edited (row));
    g_assert_true (rf_value_equal (&row->value, &row->advice->proposed));
}

/* A row that is fine becomes a change when the person wants another value. */
static void
test_adjust_fine (Fixture *f, gconstpointer machine)
{
    guint i = find_row (f, "vm.swappiness");
    const RfWizardRow *row = rf_wizard_model_get_row (f->model, i);
    g_assert_false (row->selected);
    g_assert_true (row->adjustable);
    RfValue value = rf_value_int (row->advice->current.n[0] == 10 ? 11 : 10);
    g_assert_true (rf_wizard_model_set_value (f->model, i, &value, NULL));
    g_assert_true (row->selected);
    g_assert_true (rf_wizard_model_is_included (f->model, i));
}

static void
test_skip (Fixture *f, gconstpointer machine)
{
    guint i = find_row (f, "vm.watermark_scale_factor");
    rf_wizard_model_set_skipped (f->model, 0, TRUE);
    g_assert_true (rf_wizard_model_get_row (f->model, i)->selected); /* remembered */
    g_assert_false (rf_wizard_model_is_included (f->model, i));
    g_assert_cmpuint (rf_wizard_model_count (f->model), ==, 0);
    rf_wizard_model_set_skipped (f->model, 0, FALSE);
    g_assert_true (rf_wizard_model_is_included (f->model, i));
}

/* Writing back must start below the limit; the kernel would silently use half of it. */
static void
test_pair (Fixture *f, gconstpointer machine)
{
    g_autoptr (GError) error = NULL;
    guint hard = find_row (f, "vm.dirty"), background = find_row (f, "vm.dirty_background");
    RfValue low = rf_value_dirty (RF_DIRTY_BYTES, 64 << 20), high = rf_value_dirty (RF_DIRTY_BYTES, 128 << 20);
    g_assert_true (rf_wizard_model_set_value (f->model, hard, &low, NULL));
    g_assert_true (rf_wizard_model_set_value (f->model, background, &high, NULL));
    g_assert_false (rf_wizard_model_check (f->model, &error));
    g_assert_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE);
    g_assert_null (rf_wizard_model_build_plan (f->model, NULL));
    g_assert_true (rf_wizard_model_set_value (f->model, hard, &high, NULL));
    g_assert_true (rf_wizard_model_set_value (f->model, background, &low, NULL));
    g_assert_true (rf_wizard_model_check (f->model, NULL));
}

static void
test_preset (Fixture *f, gconstpointer machine)
{
    guint machine_count = rf_wizard_model_count (f->model);
    rf_wizard_model_set_skipped (f->model, 1, TRUE);
    rf_wizard_model_set_preset (f->model, RF_PRESET_AUDIO);
    g_assert_cmpuint (f->rows_changed, ==, 1);
    g_assert_false (rf_wizard_model_get_skipped (f->model, 1));
    /* choosing it is a decision: its values are ticked */
    const RfWizardRow *dirty = rf_wizard_model_get_row (f->model, find_row (f, "vm.dirty"));
    g_assert_true (dirty->selected);
    g_assert_cmpint (dirty->value.n[1], ==, RF_DIRTY_BYTES);
    g_assert_cmpuint (rf_wizard_model_count (f->model), >, machine_count);
    rf_wizard_model_set_preset (f->model, RF_PRESET_MACHINE);
    g_assert_cmpuint (rf_wizard_model_count (f->model), ==, machine_count);
}

static void
test_choices (Fixture *f, gconstpointer machine)
{
    g_auto (GStrv) words = rf_wizard_model_get_choices (f->model, find_row (f, "block.scheduler"));
    g_assert_true (g_strv_contains ((const char *const *) words, "none"));
    g_assert_false (g_strv_contains ((const char *const *) words, "noop"));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS (machines); i++) {
        g_autofree char *path = g_strconcat ("/wizard-model/machines/", machines[i], NULL);
        g_test_add (path, Fixture, machines[i], set_up, test_machines, tear_down);
    }
#define ADD(name, func) g_test_add ("/wizard-model/" name, Fixture, "laptop-8g", set_up, func, tear_down)
    ADD ("recommended", test_recommended);
    ADD ("adjust", test_adjust);
    ADD ("adjust-fine", test_adjust_fine);
    ADD ("skip", test_skip);
    ADD ("pair", test_pair);
    ADD ("preset", test_preset);
    ADD ("choices", test_choices);
    return g_test_run ();
}
