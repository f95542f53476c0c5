#define G_LOG_DOMAIN "rf-value-editor"
#include "config.h"

#include "rf-value-editor.h"

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-message.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

#define MIB (1024.0 * 1024.0)
#define MAX_FIELDS 3

/* One number on the screen: a spin button, with a slider if there is only one. */
typedef struct {
    GtkAdjustment *adjustment;
    GtkWidget *row;
    GtkWidget *spin;
    double unit; /* of the value, for one step of the spin button: 1, or a MiB */
} Field;

struct _RfValueEditor {
    GtkWidget parent_instance;
    RfWizardModel *model;
    guint index;
    GtkWidget *box;
    GtkWidget *hint;  /* the sensible range */
    GtkWidget *error; /* why the number is not taken */
    GtkWidget *reset;
    GtkWidget *mode;   /* dirty pair: share or amount */
    GtkWidget *choice; /* choice, or algorithm */
    char **choices;
    Field fields[MAX_FIELDS];
    guint n_fields;
    gboolean syncing;
};

G_DEFINE_FINAL_TYPE (RfValueEditor, rf_value_editor, GTK_TYPE_WIDGET)

static void rebuild_range (RfValueEditor *self, RfDirtyMode mode);

static const RfTunable *
tunable_of (RfValueEditor *self)
{
    return rf_wizard_model_get_row (self->model, self->index)->advice->tunable;
}

static const char *
unit_text (const RfTunable *tunable)
{
    switch (tunable->unit) {
    case RF_UNIT_KIB:
        return _ ("KiB");
    case RF_UNIT_PER_10000:
        return _ ("ten-thousandths");
    case RF_UNIT_CENTISECONDS:
        return _ ("hundredths of a second");
    case RF_UNIT_MICROSECONDS:
        return _ ("µs");
    case RF_UNIT_BYTES:
        return _ ("bytes");
    case RF_UNIT_SECONDS:
        return _ ("seconds");
    case RF_UNIT_PERCENT:
        return _ ("%");
    case RF_UNIT_PAGES_LOG2:
        return _ ("powers of two");
    default:
        return NULL;
    }
}

/* A step that a person can use on a range of this size, and that keeps the value legal. */
static double
step_of (RfValueEditor *self, double span)
{
    const RfTunable *tunable = tunable_of (self);
    if (g_str_equal (tunable->id, "block.read_ahead_kb"))
        return 64;
    double step = 1;
    while (span / step > 1000)
        step *= 10;
    return step;
}

static RfDirtyMode
mode_of (RfValueEditor *self)
{
    return self->mode != NULL && gtk_drop_down_get_selected (GTK_DROP_DOWN (self->mode)) == 1 ? RF_DIRTY_BYTES
                                                                                             : RF_DIRTY_RATIO;
}

static gint64
field_value (const Field *field)
{
    return (gint64) (gtk_adjustment_get_value (field->adjustment) * field->unit + 0.5);
}

static RfValue
value_on_screen (RfValueEditor *self)
{
    const Field *f = self->fields;
    guint selected = self->choice != NULL ? gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice)) : 0;
    const char *word = self->choices != NULL && selected < g_strv_length (self->choices) ? self->choices[selected] : "";
    switch (tunable_of (self)->kind) {
    case RF_VALUE_CHOICE:
        return rf_value_choice (word);
    case RF_VALUE_DIRTY:
        return rf_value_dirty (mode_of (self), field_value (&f[0]));
    case RF_VALUE_VECTOR:
        return rf_value_vector (field_value (&f[0]), field_value (&f[1]), field_value (&f[2]));
    case RF_VALUE_ZRAM:
        return rf_value_zram (field_value (&f[0]), word, field_value (&f[1]));
    case RF_VALUE_INT:
    case RF_VALUE_ABSENT:
    default:
        return rf_value_int (field_value (&f[0]));
    }
}

static void
show_error (RfValueEditor *self, const GError *error)
{
    g_autofree char *text = error != NULL ? rf_message_from_error (error) : NULL;
    gtk_label_set_text (GTK_LABEL (self->error), text != NULL ? text : "");
    gtk_widget_set_visible (self->error, text != NULL);
}

static void
changed_cb (RfValueEditor *self)
{
    g_autoptr (GError) error = NULL;
    if (self->syncing)
        return;
    RfValue value = value_on_screen (self);
    rf_wizard_model_set_value (self->model, self->index, &value, &error);
    show_error (self, error);
}

static void
mode_changed_cb (RfValueEditor *self)
{
    if (self->syncing)
        return;
    const RfRecommendation *advice = rf_wizard_model_get_row (self->model, self->index)->advice;
    RfDirtyMode mode = mode_of (self);
    self->syncing = TRUE;
    rebuild_range (self, mode);
    /* in the other mode the number means something else: begin with what is known in that mode */
    double start = gtk_adjustment_get_lower (self->fields[0].adjustment);
    if (advice->has_proposed && advice->proposed.n[1] == mode)
        start = (double) advice->proposed.n[0] / self->fields[0].unit;
    else if (advice->has_current && advice->current.n[1] == mode)
        start = (double) advice->current.n[0] / self->fields[0].unit;
    gtk_adjustment_set_value (self->fields[0].adjustment, start);
    self->syncing = FALSE;
    changed_cb (self);
}

static void
reset_cb (RfValueEditor *self)
{
    rf_wizard_model_reset (self->model, self->index);
    rf_value_editor_sync (self);
}

static void
add_field (RfValueEditor *self, const char *name, const char *unit, gboolean slider)
{
    Field *field = &self->fields[self->n_fields++];
    field->unit = 1;
    field->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 10, 0));
    field->row = rf_fold_new (420, 8);
    GtkWidget *label = rf_label_new (name, "rf-caption");
    gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
    GtkWidget *spin = gtk_spin_button_new (field->adjustment, 1, 0);
    field->spin = spin;
    gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
    gtk_widget_set_halign (spin, GTK_ALIGN_START);
    gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
    gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    GtkWidget *unit_label = rf_label_new (unit, "rf-caption");
    gtk_widget_set_visible (unit_label, unit != NULL);
    gtk_widget_set_valign (unit_label, GTK_ALIGN_CENTER);
    g_object_set_data (G_OBJECT (field->row), "unit", unit_label);
    GtkWidget *number = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append (GTK_BOX (number), spin);
    gtk_box_append (GTK_BOX (number), unit_label);
    rf_fold_append (RF_FOLD (field->row), label);
    if (slider) {
        GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, field->adjustment);
        gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
        gtk_widget_set_hexpand (scale, TRUE);
        gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
        rf_fold_append (RF_FOLD (field->row), scale);
    }
    rf_fold_append (RF_FOLD (field->row), number);
    g_signal_connect_swapped (field->adjustment, "value-changed", G_CALLBACK (changed_cb), self);
    gtk_box_append (GTK_BOX (self->box), field->row);
}

static GtkWidget *
add_drop_down (RfValueEditor *self, const char *name, const char *const *words, GCallback callback)
{
    GtkWidget *row = rf_fold_new (280, 8);
    GtkWidget *label = rf_label_new (name, "rf-caption");
    gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
    GtkWidget *drop_down = gtk_drop_down_new_from_strings (words);
    gtk_widget_set_halign (drop_down, GTK_ALIGN_START);
    gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_signal_connect_swapped (drop_down, "notify::selected", callback, self);
    rf_fold_append (RF_FOLD (row), label);
    rf_fold_append (RF_FOLD (row), drop_down);
    gtk_box_append (GTK_BOX (self->box), row);
    return drop_down;
}

static void
set_range (Field *field, double lower, double upper, double unit, double step)
{
    field->unit = unit;
    /* the largest number has to be seen as a whole, with a little room for the cursor */
    g_autofree char *largest = g_strdup_printf ("%.0f0", upper / unit);
    gtk_editable_set_width_chars (GTK_EDITABLE (field->spin), (int) strlen (largest));
    gtk_adjustment_configure (field->adjustment, gtk_adjustment_get_value (field->adjustment), lower / unit,
                              upper / unit, step, step * 10, 0);
}

/* A value that is there now may lie outside our range; it stays reachable, so that nothing moves by itself. */
static void
include (gint64 value, gint64 *min, gint64 *max)
{
    *min = MIN (*min, value);
    *max = MAX (*max, value);
}

static void
rebuild_range (RfValueEditor *self, RfDirtyMode mode)
{
    const RfWizardRow *row = rf_wizard_model_get_row (self->model, self->index);
    const RfTunable *tunable = row->advice->tunable;
    RfFacts *facts = rf_wizard_model_get_facts (self->model);
    gint64 min = 0, max = 0;
    rf_catalogue_range (tunable, facts, mode, &min, &max);

    RfValue low = row->value, high = row->value;
    low.n[0] = min;
    high.n[0] = max;
    if (tunable->kind == RF_VALUE_DIRTY)
        low.n[1] = high.n[1] = mode;
    if (tunable->kind == RF_VALUE_VECTOR || tunable->kind == RF_VALUE_ZRAM)
        low.kind = high.kind = RF_VALUE_INT;
    g_autofree char *from = rf_value_text (tunable, &low);
    g_autofree char *to = rf_value_text (tunable, &high);
    /* TRANSLATORS: the smallest and the largest sensible value with their units */
    g_autofree char *hint = g_strdup_printf (_ ("Sensible on this machine: %1$s to %2$s."), from, to);
    gtk_label_set_text (GTK_LABEL (self->hint), tunable->kind == RF_VALUE_CHOICE ? "" : hint);
    gtk_widget_set_visible (self->hint, tunable->kind != RF_VALUE_CHOICE);

    gboolean in_mib = tunable->kind == RF_VALUE_ZRAM || (tunable->kind == RF_VALUE_DIRTY && mode == RF_DIRTY_BYTES);
    double unit = in_mib ? MIB : 1;
    for (guint i = 0; i < self->n_fields; i++) {
        gint64 lower = min, upper = max;
        if (tunable->kind == RF_VALUE_ZRAM && i == 1) {
            set_range (&self->fields[i], -1, 32767, 1, 1);
            continue;
        }
        if (tunable->kind != RF_VALUE_DIRTY || row->value.n[1] == mode)
            include (row->value.n[i], &lower, &upper);
        set_range (&self->fields[i], (double) lower, (double) upper, unit,
                   step_of (self, (double) (upper - lower) / unit));
    }
    if (self->mode != NULL) {
        GtkWidget *label = g_object_get_data (G_OBJECT (self->fields[0].row), "unit");
        /* xgettext:no-c-format */
        const char *share = _ ("% of memory");
        gtk_label_set_text (GTK_LABEL (label), mode == RF_DIRTY_BYTES ? _ ("MiB") : share);
    }
}

static void
build (RfValueEditor *self)
{
    const RfTunable *tunable = tunable_of (self);
    const char *title = rf_tunable_title (tunable);
    const char *modes[] = {_ ("Share of memory"), _ ("Fixed amount"), NULL};
    GtkWidget *explanation = rf_label_new (rf_tunable_explanation (tunable), NULL);
    gtk_box_append (GTK_BOX (self->box), explanation);
    switch (tunable->kind) {
    case RF_VALUE_CHOICE:
        self->choices = rf_wizard_model_get_choices (self->model, self->index);
        self->choice = add_drop_down (self, title, (const char *const *) self->choices, G_CALLBACK (changed_cb));
        break;
    case RF_VALUE_DIRTY:
        self->mode = add_drop_down (self, _ ("Given as"), modes, G_CALLBACK (mode_changed_cb));
        add_field (self, title, "", TRUE);
        break;
    case RF_VALUE_VECTOR:
        add_field (self, _ ("Smallest"), unit_text (tunable), FALSE);
        add_field (self, _ ("At the start"), unit_text (tunable), FALSE);
        add_field (self, _ ("Largest"), unit_text (tunable), FALSE);
        break;
    case RF_VALUE_ZRAM:
        add_field (self, _ ("Size before compression"), _ ("MiB"), TRUE);
        add_field (self, _ ("Priority over other swap"), NULL, FALSE);
        self->choices = rf_wizard_model_get_choices (self->model, self->index);
        self->choice = add_drop_down (self, _ ("Compression"), (const char *const *) self->choices,
                                      G_CALLBACK (changed_cb));
        break;
    case RF_VALUE_INT:
    case RF_VALUE_ABSENT:
    default:
        add_field (self, title, unit_text (tunable), TRUE);
    }
    gtk_box_append (GTK_BOX (self->box), self->hint);
    gtk_box_append (GTK_BOX (self->box), self->error);
    gtk_box_append (GTK_BOX (self->box), self->reset);
}

static void
rf_value_editor_dispose (GObject *object)
{
    RfValueEditor *self = RF_VALUE_EDITOR (object);
    for (guint i = 0; i < self->n_fields; i++) {
        g_signal_handlers_disconnect_by_data (self->fields[i].adjustment, self);
        g_clear_object (&self->fields[i].adjustment);
    }
    self->n_fields = 0;
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_object (&self->model);
    G_OBJECT_CLASS (rf_value_editor_parent_class)->dispose (object);
}

static void
rf_value_editor_finalize (GObject *object)
{
    g_strfreev (RF_VALUE_EDITOR (object)->choices);
    G_OBJECT_CLASS (rf_value_editor_parent_class)->finalize (object);
}

static void
rf_value_editor_class_init (RfValueEditorClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_value_editor_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_value_editor_finalize;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
rf_value_editor_init (RfValueEditor *self)
{
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    self->hint = rf_label_new (NULL, "rf-caption");
    self->error = rf_label_new (NULL, "danger");
    gtk_widget_set_visible (self->error, FALSE);
    self->reset = gtk_button_new ();
    gtk_widget_set_halign (self->reset, GTK_ALIGN_START);
    g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (reset_cb), self);
}

GtkWidget *
rf_value_editor_new (RfWizardModel *model, guint index)
{
    g_return_val_if_fail (RF_IS_WIZARD_MODEL (model), NULL);
    RfValueEditor *self = g_object_new (RF_TYPE_VALUE_EDITOR, NULL);
    self->model = g_object_ref (model);
    self->index = index;
    self->syncing = TRUE;
    build (self);
    self->syncing = FALSE;
    rf_value_editor_sync (self);
    return GTK_WIDGET (self);
}

static void
select_word (RfValueEditor *self, const char *word)
{
    for (guint i = 0; self->choices != NULL && self->choices[i] != NULL; i++)
        if (g_str_equal (self->choices[i], word))
            gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), i);
}

void
rf_value_editor_sync (RfValueEditor *self)
{
    g_return_if_fail (RF_IS_VALUE_EDITOR (self));
    const RfWizardRow *row = rf_wizard_model_get_row (self->model, self->index);
    const RfTunable *tunable = row->advice->tunable;
    if (self->syncing)
        return;
    RfValue shown = self->n_fields > 0 || self->choice != NULL ? value_on_screen (self) : row->value;
    self->syncing = TRUE;
    RfDirtyMode mode = tunable->kind == RF_VALUE_DIRTY ? (RfDirtyMode) row->value.n[1] : RF_DIRTY_RATIO;
    if (self->mode != NULL)
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->mode), mode == RF_DIRTY_BYTES ? 1 : 0);
    rebuild_range (self, mode);
    /* what the person is just typing is not overwritten by its own echo */
    if (!rf_value_equal (&shown, &row->value)) {
        for (guint i = 0; i < self->n_fields; i++)
            gtk_adjustment_set_value (self->fields[i].adjustment, (double) row->value.n[i] / self->fields[i].unit);
        if (self->choice != NULL)
            select_word (self, row->value.token);
        show_error (self, NULL);
    }
    gtk_button_set_label (GTK_BUTTON (self->reset), row->advice->has_proposed ? _ ("Use the proposed value")
                                                                             : _ ("Leave it as it is"));
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->reset)));
    gtk_widget_set_sensitive (self->reset, rf_wizard_row_is_edited (row));
    self->syncing = FALSE;
}
