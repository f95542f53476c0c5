#define G_LOG_DOMAIN "rf-setting-row"
#include "config.h"

#include "rf-setting-row.h"

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-pill.h"
#include "rf-provenance-text.h"
#include "rf-tunable-text.h"
#include "rf-value-editor.h"
#include "rf-who-set.h"

#include <glib/gi18n.h>

/* Below this width the verdict and the button stand under the words; pixels. */
#define FOLD_WIDTH 560

struct _RfSettingRow {
    GtkListBoxRow parent_instance;
    RfWizardModel *model;
    guint index;
    GtkWidget *check;
    GtkWidget *no_check; /* keeps its place, so that all titles stand in one line */
    GtkWidget *change;
    GtkWidget *kernel;
    GtkWidget *overruled; /* what would set it to something else at the next start */
    RfValue overruled_for;
    GtkWidget *pill;
    GtkWidget *adjust;
    GtkWidget *revealer;
    GtkWidget *editor; /* made when it is opened first */
    gboolean updating;
};

G_DEFINE_FINAL_TYPE (RfSettingRow, rf_setting_row, GTK_TYPE_LIST_BOX_ROW)

static void
show_verdict (RfSettingRow *self, const RfWizardRow *row)
{
    static const RfPillKind kinds[] = {
        [RF_VERDICT_RECOMMENDED] = RF_PILL_GOOD, [RF_VERDICT_OPTIONAL] = RF_PILL_NEUTRAL,
        [RF_VERDICT_TRY] = RF_PILL_WARNING,      [RF_VERDICT_FINE] = RF_PILL_NEUTRAL,
        [RF_VERDICT_EXPERT] = RF_PILL_NEUTRAL,   [RF_VERDICT_REFUSED] = RF_PILL_NEUTRAL,
    };
    if (rf_wizard_row_is_edited (row))
        rf_pill_set (RF_PILL (self->pill), RF_PILL_ACCENT, _ ("adjusted"));
    else
        rf_pill_set (RF_PILL (self->pill), kinds[row->advice->verdict], rf_verdict_text (row->advice->verdict));
}

/* Asked once for each value: reading off who sets it takes more time than a key press should. */
static void
show_overruled (RfSettingRow *self, const RfValue *after)
{
    RfValue value = after != NULL ? *after : rf_value_absent ();
    if (!rf_value_equal (&value, &self->overruled_for)) {
        g_autoptr (RfProvenance) answer
            = after != NULL ? rf_wizard_model_find_provenance (self->model, self->index, after) : NULL;
        g_autofree char *text = answer != NULL ? rf_provenance_overrule_text (answer) : NULL;
        gtk_label_set_text (GTK_LABEL (self->overruled), text != NULL ? text : "");
        self->overruled_for = value;
    }
    gtk_widget_set_visible (self->overruled, *gtk_label_get_text (GTK_LABEL (self->overruled)) != '\0');
}

static void
update (RfSettingRow *self)
{
    const RfWizardRow *row = rf_wizard_model_get_row (self->model, self->index);
    const RfRecommendation *advice = row->advice;
    gboolean change = rf_wizard_row_is_change (row) && row->adjustable;
    const RfValue *before = advice->has_current ? &advice->current : NULL;
    const RfValue *after = change ? &row->value : NULL;
    g_autofree char *text = rf_setting_change_text (advice->tunable, before, after);
    g_autofree char *kernel = rf_setting_kernel_text (advice->tunable, advice->instance, before, after);

    self->updating = TRUE;
    gtk_label_set_text (GTK_LABEL (self->change), text);
    gtk_widget_set_visible (self->change, *text != '\0');
    gtk_label_set_text (GTK_LABEL (self->kernel), kernel);
    show_overruled (self, after);
    gtk_widget_set_visible (self->check, change);
    gtk_widget_set_visible (self->no_check, !change);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), row->selected);
    gtk_widget_set_visible (self->adjust, row->adjustable);
    show_verdict (self, row);
    if (self->editor != NULL)
        rf_value_editor_sync (RF_VALUE_EDITOR (self->editor));
    self->updating = FALSE;
}

static void
toggled_cb (RfSettingRow *self)
{
    if (!self->updating)
        rf_wizard_model_select (self->model, self->index, gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check)));
}

static void
adjust_cb (RfSettingRow *self)
{
    gboolean open = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->adjust));
    if (open && self->editor == NULL) {
        self->editor = rf_value_editor_new (self->model, self->index);
        gtk_widget_add_css_class (self->editor, "rf-editor");
        gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->editor);
    }
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), open);
    gtk_accessible_update_state (GTK_ACCESSIBLE (self->adjust), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static void
rf_setting_row_dispose (GObject *object)
{
    RfSettingRow *self = RF_SETTING_ROW (object);
    if (self->model != NULL)
        g_signal_handlers_disconnect_by_data (self->model, self);
    g_clear_object (&self->model);
    G_OBJECT_CLASS (rf_setting_row_parent_class)->dispose (object);
}

static void
rf_setting_row_class_init (RfSettingRowClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_setting_row_dispose;
}

static void
rf_setting_row_init (RfSettingRow *self)
{
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
    gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
    /* the controls in it are reached by themselves; the row would only be one more stop */
    gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

/* Reason, cost and doubt are whole sentences: one line each, the first is the one that matters. */
static void
append_sentences (GtkWidget *words, const RfRecommendation *advice)
{
    g_autofree char *reason = rf_recommendation_reason (advice);
    g_autofree char *cost = rf_recommendation_cost (advice);
    g_autofree char *doubt = rf_recommendation_doubt (advice);
    if (reason != NULL && *reason != '\0')
        gtk_box_append (GTK_BOX (words), rf_label_new (reason, "rf-caption"));
    if (cost != NULL) {
        /* TRANSLATORS: %s is one or two sentences about what a setting costs */
        g_autofree char *text = g_strdup_printf (_ ("Cost: %s"), cost);
        gtk_box_append (GTK_BOX (words), rf_label_new (text, "rf-caption"));
    }
    if (doubt != NULL) {
        /* TRANSLATORS: %s is one or two sentences about what is not certain */
        g_autofree char *text = g_strdup_printf (_ ("Uncertain: %s"), doubt);
        gtk_box_append (GTK_BOX (words), rf_label_new (text, "rf-caption"));
    }
}

static void
build (RfSettingRow *self)
{
    const RfRecommendation *advice = rf_wizard_model_get_row (self->model, self->index)->advice;
    g_autofree char *title =
        rf_setting_title (advice->tunable, advice->instance, rf_wizard_model_get_facts (self->model));
    GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *fold = rf_fold_new (FOLD_WIDTH, 10);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
    GtkWidget *end = rf_fold_new (0, 10);
    GtkWidget *heading = rf_label_new (title, "rf-heading");

    self->check = gtk_check_button_new ();
    gtk_widget_set_valign (self->check, GTK_ALIGN_START);
    /* TRANSLATORS: %s is a setting; spoken name of the box that is ticked to change it */
    g_autofree char *check_name = g_strdup_printf (_ ("Change: %s"), title);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL, check_name, -1);
    g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (toggled_cb), self);

    self->change = rf_label_new (NULL, "rf-change");
    self->kernel = rf_label_new (NULL, "rf-kernel");
    gtk_label_set_wrap_mode (GTK_LABEL (self->kernel), PANGO_WRAP_CHAR);
    gtk_box_append (GTK_BOX (words), heading);
    gtk_box_append (GTK_BOX (words), self->change);
    append_sentences (words, advice);
    gtk_box_append (GTK_BOX (words), self->kernel);
    self->overruled = rf_label_new (NULL, "rf-caption");
    gtk_widget_add_css_class (self->overruled, "warning");
    gtk_label_set_selectable (GTK_LABEL (self->overruled), TRUE);
    self->overruled_for = rf_value_absent ();
    gtk_box_append (GTK_BOX (words), self->overruled);
    gtk_widget_set_hexpand (words, TRUE);

    self->pill = rf_pill_new (RF_PILL_NEUTRAL, "");
    gtk_widget_set_valign (self->pill, GTK_ALIGN_CENTER);
    gtk_widget_set_halign (self->pill, GTK_ALIGN_START);
    self->adjust = gtk_toggle_button_new_with_label (_ ("Adjust…"));
    gtk_widget_set_valign (self->adjust, GTK_ALIGN_CENTER);
    gtk_widget_set_halign (self->adjust, GTK_ALIGN_START);
    /* TRANSLATORS: %s is a setting; spoken name of the button that opens its editor */
    g_autofree char *adjust_name = g_strdup_printf (_ ("Adjust: %s"), title);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->adjust), GTK_ACCESSIBLE_PROPERTY_LABEL, adjust_name, -1);
    g_signal_connect_swapped (self->adjust, "toggled", G_CALLBACK (adjust_cb), self);
    rf_fold_append (RF_FOLD (end), self->pill);
    rf_fold_append (RF_FOLD (end), self->adjust);
    gtk_widget_set_valign (end, GTK_ALIGN_CENTER);

    rf_fold_append (RF_FOLD (fold), words);
    rf_fold_append (RF_FOLD (fold), end);
    gtk_widget_set_hexpand (fold, TRUE);
    self->no_check = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_set_size_request (self->no_check, 16, -1);
    gtk_box_append (GTK_BOX (line), self->check);
    gtk_box_append (GTK_BOX (line), self->no_check);
    gtk_box_append (GTK_BOX (line), fold);
    self->revealer = gtk_revealer_new ();
    gtk_box_append (GTK_BOX (outer), line);
    GtkWidget *who = rf_who_set_new (rf_wizard_model_find_provenance (self->model, self->index, NULL), title);
    gtk_widget_set_margin_start (who, 28); /* below the words */
    gtk_box_append (GTK_BOX (outer), who);
    gtk_box_append (GTK_BOX (outer), self->revealer);
    gtk_widget_add_css_class (outer, "rf-row");
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), outer);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, heading, NULL, -1);
}

GtkWidget *
rf_setting_row_new (RfWizardModel *model, guint index)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (model), NULL);
    RfSettingRow *self = g_object_new (RF_TYPE_SETTING_ROW, NULL);
    self->model = g_object_ref (model);
    self->index = index;
    build (self);
    g_signal_connect_swapped (model, "changed", G_CALLBACK (update), self);
    update (self);
    return GTK_WIDGET (self);
}
