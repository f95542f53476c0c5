#define G_LOG_DOMAIN "rf-wizard-review"
#include "config.h"

#include "rf-wizard-review.h"

#include "rf-message.h"
#include "rf-provenance-text.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

struct _RfWizardReview {
    RfWizardPage parent_instance;
    RfWizardModel *model;
    guint trial_seconds;
    GtkWidget *problem;
    GtkWidget *changes_section;
    GtkWidget *changes;
    GtkWidget *skipped;
    GtkWidget *places_section;
    GtkWidget *places;
};

G_DEFINE_FINAL_TYPE (RfWizardReview, rf_wizard_review, RF_TYPE_WIZARD_PAGE)

static void
add_change (RfWizardReview *self, guint index)
{
    const RfWizardRow *row = rf_wizard_model_get_row (self->model, index);
    const RfRecommendation *advice = row->advice;
    g_autoptr (RfProvenance) answer = rf_wizard_model_find_provenance (self->model, index, &row->value);
    g_autofree char *overruled = rf_provenance_overrule_text (answer);
    const RfValue *before = advice->has_current ? &advice->current : NULL;
    g_autofree char *title =
        rf_setting_title (advice->tunable, advice->instance, rf_wizard_model_get_facts (self->model));
    g_autofree char *change = rf_setting_change_text (advice->tunable, before, &row->value);
    g_autofree char *kernel = rf_setting_kernel_text (advice->tunable, advice->instance, before, &row->value);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
    GtkWidget *heading = rf_label_new (title, "rf-heading");
    GtkWidget *small = rf_label_new (kernel, "rf-kernel");
    gtk_label_set_wrap_mode (GTK_LABEL (small), PANGO_WRAP_CHAR);
    gtk_box_append (GTK_BOX (words), heading);
    gtk_box_append (GTK_BOX (words), rf_label_new (change, "rf-change"));
    gtk_box_append (GTK_BOX (words), small);
    if (overruled != NULL) {
        GtkWidget *warning = rf_label_new (overruled, "rf-caption");
        gtk_widget_add_css_class (warning, "warning");
        gtk_label_set_selectable (GTK_LABEL (warning), TRUE);
        gtk_box_append (GTK_BOX (words), warning);
    }
    gtk_widget_add_css_class (words, "rf-row");
    GtkWidget *item = gtk_list_box_row_new ();
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (item), words);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (item), FALSE);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_RELATION_LABELLED_BY, heading, NULL, -1);
    gtk_list_box_append (GTK_LIST_BOX (self->changes), item);
}

static void
add_place (RfWizardReview *self, const char *title, const char *path)
{
    gtk_list_box_append (GTK_LIST_BOX (self->places), rf_row_new (title, path));
}

/* The helper alone decides the paths; these are the ones of its contract, for a person to look at afterwards. */
static void
fill_places (RfWizardReview *self, const gboolean *backends)
{
    const RfFacts *facts = rf_wizard_model_get_facts (self->model);
    g_autofree char *time = rf_format_duration (self->trial_seconds);
    g_autofree char *now = g_strdup_printf (_ ("Only in the running system, for %s. A restart or the end of the trial "
                                               "brings back what was there before."),
                                            time);
    rf_boxed_list_clear (self->places);
    add_place (self, _ ("At once, on trial"), now);
    /* there the configuration of the system has it, see below */
    gboolean keeps = facts->immutable != RF_IMMUTABLE_NIXOS && facts->immutable != RF_IMMUTABLE_GUIX;
    if (keeps && backends[RF_BACKEND_SYSCTL])
        add_place (self, _ ("Kernel settings, if you keep them"), "/etc/sysctl.d/99-zz-ruckelfrei.conf");
    if (keeps && backends[RF_BACKEND_QUEUE])
        add_place (self, _ ("Drive settings, if you keep them"), "/etc/udev/rules.d/99-zz-ruckelfrei.rules");
    if (keeps && backends[RF_BACKEND_ZRAM])
        add_place (self, _ ("Compressed swap, if you keep it"),
                   facts->zram_generator ? "/etc/systemd/zram-generator.conf.d/90-ruckelfrei.conf"
                                         : _ ("The start-up service of Ruckelfrei sets it up at each start."));
    add_place (self, _ ("What was there before"),
               _ ("Noted under /var/lib/ruckelfrei before anything is written, so that it can be taken back even after "
                  "a power cut."));
}

static void
fill_skipped (RfWizardReview *self)
{
    g_autoptr (GString) names = g_string_new (NULL);
    for (guint step = 0; step < RF_WIZARD_N_STEPS; step++)
        if (rf_wizard_model_get_skipped (self->model, step))
            g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", rf_group_title ((RfGroup) step));
    /* TRANSLATORS: %s is a list of step names */
    g_autofree char *text = g_strdup_printf (_ ("Skipped, so left as they are: %s."), names->str);
    gtk_label_set_text (GTK_LABEL (self->skipped), text);
    gtk_widget_set_visible (self->skipped, names->len > 0);
}

static void
refresh (RfWizardReview *self)
{
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    g_autoptr (GError) error = NULL;
    gboolean backends[RF_N_BACKENDS] = {FALSE};
    guint n = rf_wizard_model_count (self->model);
    rf_boxed_list_clear (self->changes);
    for (guint i = 0; i < rf_wizard_model_n_rows (self->model); i++) {
        const RfWizardRow *row = rf_wizard_model_get_row (self->model, i);
        if (!rf_wizard_model_is_included (self->model, i))
            continue;
        add_change (self, i);
        backends[row->advice->tunable->backend] = TRUE;
    }
    fill_places (self, backends);
    fill_skipped (self);
    gtk_widget_set_visible (self->changes_section, n > 0);
    gtk_widget_set_visible (self->places_section, n > 0);

    gboolean fits = rf_wizard_model_check (self->model, &error);
    g_autofree char *problem = fits ? NULL : rf_message_from_error (error);
    gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
    gtk_widget_set_visible (self->problem, !fits);
    rf_wizard_page_set_complete (page, n > 0 && fits);

    if (n == 0) {
        rf_wizard_page_set_title (page, _ ("Nothing is chosen"));
        rf_wizard_page_set_lead (page, _ ("No setting is ticked, so there is nothing to apply. That can be the right "
                                          "answer. Go back if you want to choose something."));
        return;
    }
    g_autofree char *title = g_strdup_printf (ngettext ("%u setting will be changed", "%u settings will be changed", n),
                                              n);
    rf_wizard_page_set_title (page, title);
    rf_wizard_page_set_lead (page, _ ("Nothing has been changed yet. “Apply” asks for an administrator password, writes "
                                      "these values and starts the trial."));
}

static void
rf_wizard_review_enter (RfWizardPage *page)
{
    refresh (RF_WIZARD_REVIEW (page));
}

static void
rf_wizard_review_dispose (GObject *object)
{
    g_clear_object (&RF_WIZARD_REVIEW (object)->model);
    G_OBJECT_CLASS (rf_wizard_review_parent_class)->dispose (object);
}

static void
rf_wizard_review_class_init (RfWizardReviewClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_review_dispose;
    RF_WIZARD_PAGE_CLASS (klass)->enter = rf_wizard_review_enter;
}

static GtkWidget *
append_list (RfWizardReview *self, const char *name, GtkWidget **section)
{
    GtkWidget *list = rf_boxed_list_new (name);
    *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    gtk_box_append (GTK_BOX (*section), rf_label_new (name, "rf-heading"));
    gtk_box_append (GTK_BOX (*section), list);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), *section);
    return list;
}

static void
rf_wizard_review_init (RfWizardReview *self)
{
    self->problem = rf_label_new (NULL, "danger");
    rf_wizard_page_append (RF_WIZARD_PAGE (self), self->problem);
    self->changes = append_list (self, _ ("What will be changed"), &self->changes_section);
    self->skipped = rf_label_new (NULL, "rf-caption");
    rf_wizard_page_append (RF_WIZARD_PAGE (self), self->skipped);
    self->places = append_list (self, _ ("Where it is written"), &self->places_section);
}

GtkWidget *
rf_wizard_review_new (RfWizardModel *model, guint trial_seconds)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (model), NULL);
    RfWizardReview *self = g_object_new (RF_TYPE_WIZARD_REVIEW, NULL);
    self->model = g_object_ref (model);
    self->trial_seconds = trial_seconds;
    refresh (self);
    return GTK_WIDGET (self);
}
