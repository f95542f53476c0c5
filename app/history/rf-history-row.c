#define G_LOG_DOMAIN "rf-history-row"
#include "config.h"

#include "rf-history-row.h"

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-pill.h"
#include "rf-provenance-text.h"
#include "rf-tunable-text.h"
#include "rf-who-set.h"

#include <glib/gi18n.h>

struct _RfHistoryRow {
    GtkListBoxRow parent_instance;
    char *record_id;
    const RfTunable *tunable;
    char *instance;
};

G_DEFINE_FINAL_TYPE (RfHistoryRow, rf_history_row, GTK_TYPE_LIST_BOX_ROW)

static guint revert_signal;

static gboolean
is (const RfDrift *drift, const char *verdict)
{
    return drift != NULL && g_str_equal (drift->verdict, verdict);
}

static GtkWidget *
new_pill (const RfRecord *record, const RfDrift *drift)
{
    if (is (drift, "drifted"))
        return rf_pill_new (RF_PILL_WARNING, C_ ("setting", "drifted"));
    if (is (drift, "unreachable"))
        return rf_pill_new (RF_PILL_NEUTRAL, C_ ("setting", "device gone"));
    if (is (drift, "file-missing") || is (drift, "file-edited"))
        return rf_pill_new (RF_PILL_WARNING, C_ ("setting", "file changed"));
    if (record->state == RF_RECORD_TRIAL)
        return rf_pill_new (RF_PILL_ACCENT, C_ ("setting", "on trial"));
    if (is (drift, "as-kept") && record->state == RF_RECORD_KEPT) /* not of a change that has stopped half-way */
        return rf_pill_new (RF_PILL_GOOD, C_ ("setting", "as kept"));
    return rf_pill_new (RF_PILL_NEUTRAL, rf_record_state_text (record->state));
}

/* Why it is not as it was kept, and what taking back does with it. */
static char *
drift_text (const RfRecordEntry *entry, const RfDrift *drift)
{
    if (is (drift, "drifted")) {
        g_autofree char *now = rf_value_text (entry->tunable, &drift->now);
        return g_strdup_printf (_ ("Somebody else has changed this since; it is %s now. Taking back leaves that alone "
                                   "unless you say otherwise."),
                                now);
    }
    if (is (drift, "unreachable"))
        return g_strdup (_ ("The device is not there at the moment. Taking back removes it from the settings that come "
                            "back at each start."));
    if (is (drift, "file-missing"))
        return g_strdup (_ ("It is active, but the file that brings it back at each start is missing. After a restart it "
                            "is as before."));
    if (is (drift, "file-edited"))
        return g_strdup (_ ("Somebody has edited the file that brings it back at each start. Taking back removes only "
                            "what is still Ruckelfrei’s own."));
    return NULL;
}

static char *
kernel_text (const RfRecordEntry *entry, const RfDrift *drift)
{
    char *text = rf_setting_kernel_text (entry->tunable, entry->instance, &entry->before, &entry->ours);
    if (!is (drift, "drifted"))
        return text;
    g_autofree char *change = text;
    g_autofree char *now = rf_value_raw_text (entry->tunable, &drift->now);
    /* TRANSLATORS: %1$s is "vm.swappiness 60 → 180", %2$s the value that is there now */
    return g_strdup_printf (_ ("%1$s, now %2$s"), change, now);
}

static void
revert_cb (RfHistoryRow *self)
{
    g_signal_emit (self, revert_signal, 0);
}

static void
rf_history_row_finalize (GObject *object)
{
    RfHistoryRow *self = RF_HISTORY_ROW (object);
    g_free (self->record_id);
    g_free (self->instance);
    G_OBJECT_CLASS (rf_history_row_parent_class)->finalize (object);
}

static void
rf_history_row_class_init (RfHistoryRowClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_history_row_finalize;
    revert_signal = g_signal_new ("revert", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
rf_history_row_init (RfHistoryRow *self)
{
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
    gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
}

static GtkWidget *
new_revert_button (RfHistoryRow *self, const char *title)
{
    GtkWidget *button = gtk_button_new_from_icon_name ("edit-undo-symbolic");
    /* TRANSLATORS: %s is a setting; tooltip and spoken name of a button */
    g_autofree char *name = g_strdup_printf (_ ("Take back: %s"), title);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_signal_connect_swapped (button, "clicked", G_CALLBACK (revert_cb), self);
    return button;
}

static void
append_warning (GtkWidget *words, const char *text)
{
    if (text == NULL)
        return;
    GtkWidget *label = rf_label_new (text, "rf-caption");
    gtk_widget_add_css_class (label, "warning");
    gtk_label_set_selectable (GTK_LABEL (label), TRUE);
    gtk_box_append (GTK_BOX (words), label);
}

GtkWidget *
rf_history_row_new (const RfRecord *record, const RfRecordEntry *entry, const RfDrift *drift, const RfFacts *facts,
                    const char *note, RfProvenance *provenance)
{
    g_return_val_if_fail (record != NULL && entry != NULL && provenance != NULL, NULL);
    RfHistoryRow *self = g_object_new (RF_TYPE_HISTORY_ROW, NULL);
    self->record_id = g_strdup (record->id);
    self->tunable = entry->tunable;
    self->instance = g_strdup (entry->instance);

    g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, facts);
    g_autofree char *change = rf_setting_change_text (entry->tunable, &entry->before, &entry->ours);
    g_autofree char *kernel = kernel_text (entry, drift);
    g_autofree char *why = drift_text (entry, drift);
    g_autofree char *overruled = rf_provenance_overrule_text (provenance);
    GtkWidget *fold = rf_fold_new (460, 10);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
    GtkWidget *end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    gtk_widget_set_valign (end, GTK_ALIGN_CENTER);
    GtkWidget *heading = rf_label_new (title, "rf-heading");
    GtkWidget *small = rf_label_new (kernel, "rf-kernel");
    gtk_label_set_wrap_mode (GTK_LABEL (small), PANGO_WRAP_CHAR);
    gtk_box_append (GTK_BOX (words), heading);
    gtk_box_append (GTK_BOX (words), rf_label_new (change, "rf-change"));
    gtk_box_append (GTK_BOX (words), small);
    if (note != NULL)
        gtk_box_append (GTK_BOX (words), rf_label_new (note, "rf-caption"));
    append_warning (words, why);
    append_warning (words, overruled);
    gtk_widget_set_hexpand (words, TRUE);
    GtkWidget *pill = new_pill (record, drift);
    gtk_widget_set_valign (pill, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (end), pill);
    /* a trial is one thing: it is kept or taken back as a whole */
    if (record->state == RF_RECORD_KEPT)
        gtk_box_append (GTK_BOX (end), new_revert_button (self, title));
    rf_fold_append (RF_FOLD (fold), words);
    rf_fold_append (RF_FOLD (fold), end);
    GtkWidget *outer = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append (GTK_BOX (outer), fold);
    gtk_box_append (GTK_BOX (outer), rf_who_set_new (provenance, title));
    gtk_widget_add_css_class (outer, "rf-row");
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), outer);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY, heading, NULL, -1);
    return GTK_WIDGET (self);
}

const char *
rf_history_row_get_record_id (RfHistoryRow *self)
{
    g_return_val_if_fail (RF_IS_HISTORY_ROW (self), NULL);
    return self->record_id;
}

const RfTunable *
rf_history_row_get_tunable (RfHistoryRow *self)
{
    g_return_val_if_fail (RF_IS_HISTORY_ROW (self), NULL);
    return self->tunable;
}

const char *
rf_history_row_get_instance (RfHistoryRow *self)
{
    g_return_val_if_fail (RF_IS_HISTORY_ROW (self), NULL);
    return self->instance;
}
