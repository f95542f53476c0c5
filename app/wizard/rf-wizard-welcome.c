#define G_LOG_DOMAIN "rf-wizard-welcome"
#include "config.h"

#include "rf-wizard-welcome.h"

#include "rf-machine-text.h"
#include "rf-quick-test-card.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

struct _RfWizardWelcome {
    RfWizardPage parent_instance;
    RfWizardModel *model;
    RfQuickTest *test;
};

G_DEFINE_FINAL_TYPE (RfWizardWelcome, rf_wizard_welcome, RF_TYPE_WIZARD_PAGE)

static void
append_list (RfWizardWelcome *self, const char *heading, GtkWidget *list)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    gtk_box_append (GTK_BOX (box), rf_label_new (heading, "rf-heading"));
    gtk_box_append (GTK_BOX (box), list);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), box);
}

static void
add_what_happens (RfWizardWelcome *self)
{
    static const struct {
        const char *title;
        const char *text;
    } rows[] = {
        {N_ ("Look and decide"),
         N_ ("Four steps show what this system does, what would be changed, what it costs and how certain it is. You "
             "decide about every setting and can skip every step.")},
        {N_ ("Try it out"),
         N_ ("“Apply” asks for an administrator password and starts a trial. If you do nothing, or if memory gets into "
             "trouble, everything goes back by itself.")},
        {N_ ("Keep it or take it back"),
         N_ ("Only what you keep survives a restart. Even then one click on the Changes page takes everything back.")},
    };
    GtkWidget *list = rf_boxed_list_new (_ ("What will happen"));
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
        g_autofree char *number = g_strdup_printf ("%u", i + 1);
        GtkWidget *row = rf_row_new (_ (rows[i].title), _ (rows[i].text));
        GtkWidget *badge = gtk_label_new (number);
        gtk_widget_add_css_class (badge, "rf-step-number");
        rf_row_add_prefix (RF_ROW (row), badge);
        gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
    append_list (self, _ ("What will happen"), list);
}

static void
add_machine (RfWizardWelcome *self)
{
    const RfFacts *facts = rf_wizard_model_get_facts (self->model);
    /* a virtual machine has no model; its system is the next best name */
    const char *name = facts->machine_model != NULL  ? facts->machine_model
                       : facts->distribution != NULL ? facts->distribution
                                                     : _ ("This machine");
    GtkWidget *list = rf_boxed_list_new (_ ("This machine"));
    g_autofree char *text = rf_machine_text_summary (facts);
    gtk_list_box_append (GTK_LIST_BOX (list), rf_row_new (name, text));
    append_list (self, _ ("This machine"), list);
}

static void
preset_cb (GtkCheckButton *button, RfWizardWelcome *self)
{
    if (gtk_check_button_get_active (button))
        rf_wizard_model_set_preset (self->model,
                                    (RfPreset)GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "preset")));
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
    GtkCheckButton *button = g_object_get_data (G_OBJECT (row), "button");
    if (button != NULL)
        gtk_check_button_set_active (button, TRUE);
}

static void
add_presets (RfWizardWelcome *self)
{
    GtkWidget *list = rf_boxed_list_new (_ ("Values to start from"));
    GtkCheckButton *group = NULL;
    for (int i = 0; i < RF_N_PRESETS; i++) {
        GtkWidget *row = rf_row_new (rf_preset_title ((RfPreset)i), rf_preset_explanation ((RfPreset)i));
        GtkWidget *button = gtk_check_button_new ();
        gtk_check_button_set_group (GTK_CHECK_BUTTON (button), group);
        group = group == NULL ? GTK_CHECK_BUTTON (button) : group;
        g_object_set_data (G_OBJECT (button), "preset", GINT_TO_POINTER (i));
        gtk_check_button_set_active (GTK_CHECK_BUTTON (button), i == (int)rf_wizard_model_get_preset (self->model));
        gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                        rf_preset_title ((RfPreset)i), -1);
        g_signal_connect (button, "toggled", G_CALLBACK (preset_cb), self);
        rf_row_add_prefix (RF_ROW (row), button);
        /* the whole row is the target, not the small circle alone */
        gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
        gtk_widget_set_focusable (row, FALSE);
        g_object_set_data (G_OBJECT (row), "button", button);
        gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
    append_list (self, _ ("Values to start from"), list);
    g_signal_connect (list, "row-activated", G_CALLBACK (row_activated_cb), NULL);
}

/* Who goes on while it runs would be measured, too. */
static void
test_changed_cb (RfWizardWelcome *self)
{
    rf_wizard_page_set_complete (RF_WIZARD_PAGE (self), rf_quick_test_get_state (self->test) == RF_QUICK_TEST_IDLE);
}

static void
rf_wizard_welcome_dispose (GObject *object)
{
    RfWizardWelcome *self = RF_WIZARD_WELCOME (object);
    if (self->test != NULL)
        g_signal_handlers_disconnect_by_data (self->test, self);
    g_clear_object (&self->test);
    g_clear_object (&self->model);
    G_OBJECT_CLASS (rf_wizard_welcome_parent_class)->dispose (object);
}

static void
rf_wizard_welcome_class_init (RfWizardWelcomeClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_welcome_dispose;
}

static void
rf_wizard_welcome_init (RfWizardWelcome *self)
{
    rf_wizard_page_set_title (RF_WIZARD_PAGE (self), _ ("Fix it step by step"));
    rf_wizard_page_set_lead (RF_WIZARD_PAGE (self),
                             _ ("Ruckelfrei looks at where programs wait for memory and drives on this system, and "
                                "proposes settings against it. Nothing is changed until you press “Apply”, and "
                                "everything can be taken back."));
}

GtkWidget *
rf_wizard_welcome_new (RfWizardModel *model, RfQuickTest *test)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (model) && RF_IS_QUICK_TEST (test), NULL);
    RfWizardWelcome *self = g_object_new (RF_TYPE_WIZARD_WELCOME, NULL);
    self->model = g_object_ref (model);
    self->test = g_object_ref (test);
    add_what_happens (self);
    add_machine (self);
    add_presets (self);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), rf_quick_test_card_new (test, RF_QUICK_TEST_BEFORE));
    g_signal_connect_swapped (test, "changed", G_CALLBACK (test_changed_cb), self);
    return GTK_WIDGET (self);
}
