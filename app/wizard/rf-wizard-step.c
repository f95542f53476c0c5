#define G_LOG_DOMAIN "rf-wizard-step"
#include "config.h"

#include "rf-wizard-step.h"

#include "rf-evidence.h"
#include "rf-setting-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

struct _RfWizardStep {
    RfWizardPage parent_instance;
    RfWizardModel *model;
    guint step;
    GtkWidget *list;
    GtkWidget *expander;
    GtkWidget *expert_list;
    GtkWidget *empty;
    GtkWidget *problem; /* why the ticked values do not fit together */
};

G_DEFINE_FINAL_TYPE (RfWizardStep, rf_wizard_step, RF_TYPE_WIZARD_PAGE)

/* What there is to decide comes first, then what is fine, then what is refused. */
static guint
rank (const RfWizardRow *row)
{
    if (row->selected)
        return 0;
    if (row->advice->verdict == RF_VERDICT_REFUSED)
        return 3;
    return rf_wizard_row_is_change (row) ? 1 : 2;
}

static void
rebuild (RfWizardStep *self)
{
    guint plain = 0, expert = 0, n = rf_wizard_model_n_rows (self->model);
    rf_boxed_list_clear (self->list);
    rf_boxed_list_clear (self->expert_list);
    for (guint k = 0; k < 4 * n; k++) {
        guint i = k % n;
        const RfWizardRow *row = rf_wizard_model_get_row (self->model, i);
        if (rf_wizard_row_step (row) != self->step || rank (row) != k / n)
            continue;
        gboolean hidden = rf_wizard_row_is_expert (row);
        *(hidden ? &expert : &plain) += 1;
        gtk_list_box_append (GTK_LIST_BOX (hidden ? self->expert_list : self->list),
                             rf_setting_row_new (self->model, i));
    }
    gtk_widget_set_visible (self->list, plain > 0);
    gtk_widget_set_visible (self->expander, expert > 0);
    gtk_widget_set_visible (self->empty, plain == 0);
}

/* Only the combination of two rows can be wrong here; each value by itself is in its range. */
static void
check (RfWizardStep *self)
{
    g_autoptr (GError) error = NULL;
    gboolean fits = rf_wizard_model_check (self->model, &error);
    gtk_label_set_text (GTK_LABEL (self->problem),
                        fits ? ""
                             : _ ("Writing back must start below the largest amount that may wait. Please adjust one of "
                                  "the two."));
    gtk_widget_set_visible (self->problem, !fits);
    if (!fits)
        g_debug ("plan: %s", error->message);
    rf_wizard_page_set_complete (RF_WIZARD_PAGE (self), fits || rf_wizard_model_get_skipped (self->model, self->step));
}

static void
rf_wizard_step_enter (RfWizardPage *page)
{
    check (RF_WIZARD_STEP (page));
}

static void
rf_wizard_step_dispose (GObject *object)
{
    RfWizardStep *self = RF_WIZARD_STEP (object);
    if (self->model != NULL)
        g_signal_handlers_disconnect_by_data (self->model, self);
    g_clear_object (&self->model);
    G_OBJECT_CLASS (rf_wizard_step_parent_class)->dispose (object);
}

static void
rf_wizard_step_class_init (RfWizardStepClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_step_dispose;
    RF_WIZARD_PAGE_CLASS (klass)->enter = rf_wizard_step_enter;
}

static void
rf_wizard_step_init (RfWizardStep *self)
{
}

static const char *
empty_text (guint step)
{
    return step == RF_GROUP_NVME ? _ ("There is no NVMe drive here whose queue could be changed. SATA, rotating and "
                                      "zoned drives are left as they are: nothing is missing, “Next” goes on with swap.")
                                 : _ ("There is nothing to set in this step on this machine.");
}

GtkWidget *
rf_wizard_step_new (RfWizardModel *model, RfSampler *sampler, guint step)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (model) && step < RF_WIZARD_N_STEPS, NULL);
    RfWizardStep *self = g_object_new (RF_TYPE_WIZARD_STEP, NULL);
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    RfGroup group = (RfGroup) step;
    self->model = g_object_ref (model);
    self->step = step;
    rf_wizard_page_set_title (page, rf_group_headline (group));
    rf_wizard_page_set_lead (page, rf_group_problem (group));
    rf_wizard_page_set_aside (page, rf_evidence_new (sampler, rf_wizard_model_get_facts (model), step));

    self->list = rf_boxed_list_new (rf_group_title (group));
    self->empty = rf_label_new (empty_text (step), "rf-card");
    self->problem = rf_label_new (NULL, "danger");
    self->expander = gtk_expander_new (step == RF_GROUP_SWAP_TUNING ? rf_group_headline (RF_GROUP_EXPERT)
                                                                    : _ ("For experts"));
    rf_label_let_wrap (gtk_expander_get_label_widget (GTK_EXPANDER (self->expander)));
    self->expert_list = rf_boxed_list_new (rf_group_title (RF_GROUP_EXPERT));
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
    gtk_widget_set_margin_top (box, 8);
    gtk_box_append (GTK_BOX (box), rf_label_new (step == RF_GROUP_SWAP_TUNING
                                                        ? rf_group_problem (RF_GROUP_EXPERT)
                                                        : _ ("Only for those who measure before and after."),
                                                    "rf-caption"));
    gtk_box_append (GTK_BOX (box), self->expert_list);
    gtk_expander_set_child (GTK_EXPANDER (self->expander), box);
    rf_wizard_page_append (page, self->problem);
    rf_wizard_page_append (page, self->empty);
    rf_wizard_page_append (page, self->list);
    rf_wizard_page_append (page, self->expander);
    g_signal_connect_swapped (model, "rows-changed", G_CALLBACK (rebuild), self);
    g_signal_connect_swapped (model, "changed", G_CALLBACK (check), self);
    rebuild (self);
    check (self);
    return GTK_WIDGET (self);
}
