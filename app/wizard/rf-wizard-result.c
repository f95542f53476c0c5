#define G_LOG_DOMAIN "rf-wizard-result"
#include "config.h"

#include "rf-wizard-result.h"

#include "rf-comparison-list.h"
#include "rf-quick-test-card.h"
#include "rf-recording-loader.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

struct _RfWizardResult {
    RfWizardPage parent_instance;
    RfFacts *facts;
    RfQuickTest *test;
    RfRecordings *recordings;
    GCancellable *comparing;
    char *compared; /* the recording whose comparison is shown */
    GtkWidget *test_card;
    GtkWidget *comparison; /* a box for it */
    GtkWidget *icon;
    GtkWidget *next_list;
    GtkWidget *entries_heading;
    GtkWidget *entries_section;
    GtkWidget *entries;
};

G_DEFINE_FINAL_TYPE (RfWizardResult, rf_wizard_result, RF_TYPE_WIZARD_PAGE)

static const char *
next_text (RfReason reason)
{
    switch (reason) {
    case RF_REASON_GUARD_STALLS:
    case RF_REASON_GUARD_PRESSURE:
    case RF_REASON_GUARD_OOM:
        return _ ("Something in the trial came together with memory trouble. It need not have been the settings, but "
                  "going back is the safe side. Try again with fewer settings, or at a calmer moment.");
    case RF_REASON_TIMEOUT:
        return _ ("That is what happens when nobody decides. You can start again; “Give me 10 minutes” leaves more time "
                  "for trying.");
    case RF_REASON_USER:
        return _ ("You can start again with other values at any time.");
    case RF_REASON_CALLER_GONE:
        return _ ("A trial lasts only as long as the program that started it. You can start again.");
    case RF_REASON_RECOVERY:
        return _ ("The old values had been noted before, so they could be put back. You can start again.");
    case RF_REASON_NONE:
    case RF_REASON_FAILED:
    case RF_REASON_CANCELLED:
    default:
        return _ ("You can start again at any time.");
    }
}

static void
show_kept (RfWizardResult *self)
{
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), "rf-ok-symbolic");
    gtk_widget_add_css_class (self->icon, "good");
    rf_wizard_page_set_title (page, _ ("The settings are kept"));
    rf_wizard_page_set_lead (page, _ ("They are active now and come back at each start of the system."));
    gtk_list_box_append (GTK_LIST_BOX (self->next_list),
                         rf_row_new (_ ("Use the system as usual"),
                                     _ ("A few minutes are too short for a verdict. Whether programs wait less for "
                                        "memory shows over hours of daily use; the Monitor page counts it.")));
    gtk_list_box_append (GTK_LIST_BOX (self->next_list),
                         rf_row_new (_ ("Change your mind at any time"),
                                     _ ("On the Changes page one click takes everything back, or single settings.")));
}

static void
show_reverted (RfWizardResult *self, const RfRecord *record, guint not_back)
{
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), "edit-undo-symbolic");
    gtk_widget_remove_css_class (self->icon, "good");
    rf_wizard_page_set_title (page, not_back == 0 ? _ ("Everything is as it was before")
                                                  : _ ("Taken back, with exceptions"));
    rf_wizard_page_set_lead (page, rf_reason_text (record->reason));
    gtk_list_box_append (GTK_LIST_BOX (self->next_list),
                         rf_row_new (_ ("What to do next"), next_text (record->reason)));
}

/* What it has brought. */

static void
clear_comparison (RfWizardResult *self)
{
    GtkWidget *child = NULL;
    while ((child = gtk_widget_get_first_child (self->comparison)) != NULL)
        gtk_box_remove (GTK_BOX (self->comparison), child);
    g_clear_pointer (&self->compared, g_free);
}

/* Whoever sees no use in it shall not have to look for the way back. */
static void
offer_way_back (RfWizardResult *self, RfOutcome outcome)
{
    GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Take settings back…"));
    if (outcome == RF_OUTCOME_BETTER)
        return;
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (button)));
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.show-page");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", "changes");
    gtk_box_append (GTK_BOX (self->comparison),
                    rf_label_new (_ ("What brings nothing need not stay: on the Changes page settings can be taken back one by "
                                     "one or all together."),
                                  "rf-lead"));
    gtk_box_append (GTK_BOX (self->comparison), button);
}

static void
compared_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfWizardResult) self = RF_WIZARD_RESULT (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (RfLoaded) loaded = rf_recording_loader_load_finish (result, &error);
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    if (loaded == NULL) {
        gtk_box_append (GTK_BOX (self->comparison), rf_label_new (_ ("The recordings of the test could not be read."), "rf-next"));
        return;
    }
    gtk_box_append (GTK_BOX (self->comparison), rf_comparison_list_new (loaded->comparison, FALSE));
    offer_way_back (self, loaded->comparison->outcome);
}

static void
test_changed_cb (RfWizardResult *self)
{
    const char *before = rf_quick_test_get_result (self->test, RF_QUICK_TEST_BEFORE);
    const char *after = rf_quick_test_get_result (self->test, RF_QUICK_TEST_AFTER);
    g_autofree char *first = NULL, *second = NULL;
    if (rf_quick_test_get_state (self->test) != RF_QUICK_TEST_IDLE || before == NULL || after == NULL ||
        g_strcmp0 (after, self->compared) == 0)
        return;
    g_cancellable_cancel (self->comparing);
    g_object_unref (self->comparing);
    self->comparing = g_cancellable_new ();
    clear_comparison (self);
    self->compared = g_strdup (after);
    first = rf_recordings_path (self->recordings, before);
    second = rf_recordings_path (self->recordings, after);
    rf_recording_loader_load_async (first, second, self->comparing, compared_cb, g_object_ref (self));
}

void
rf_wizard_result_set_record (RfWizardResult *self, const RfRecord *record)
{
    g_return_if_fail (RF_IS_WIZARD_RESULT (self) && record != NULL);
    gboolean kept = record->state == RF_RECORD_KEPT || record->state == RF_RECORD_KEEPING;
    guint not_back = 0, shown = 0;
    rf_boxed_list_clear (self->next_list);
    rf_boxed_list_clear (self->entries);
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, self->facts);
        gboolean expected = kept ? entry->state == RF_ENTRY_APPLIED
                                 : entry->state == RF_ENTRY_REVERTED || entry->state == RF_ENTRY_PLANNED;
        g_autofree char *change =
            kept && expected ? rf_setting_change_text (entry->tunable, &entry->before, &entry->ours) : NULL;
        not_back += !kept && !expected ? 1 : 0;
        if (expected && !kept)
            continue;
        gtk_list_box_append (GTK_LIST_BOX (self->entries),
                             rf_row_new (title, change != NULL ? change : rf_entry_state_text (entry->state)));
        shown++;
    }
    gtk_label_set_text (GTK_LABEL (self->entries_heading), kept ? _ ("What is kept") : _ ("What did not go back"));
    gtk_widget_set_visible (self->entries_section, shown > 0);
    gtk_widget_set_visible (self->test_card, kept && rf_quick_test_get_result (self->test, RF_QUICK_TEST_BEFORE) != NULL);
    gtk_widget_set_visible (self->comparison, kept);
    if (kept)
        show_kept (self);
    else
        show_reverted (self, record, not_back);
}

static void
rf_wizard_result_dispose (GObject *object)
{
    RfWizardResult *self = RF_WIZARD_RESULT (object);
    if (self->test != NULL)
        g_signal_handlers_disconnect_by_data (self->test, self);
    if (self->comparing != NULL)
        g_cancellable_cancel (self->comparing);
    g_clear_object (&self->comparing);
    g_clear_object (&self->test);
    g_clear_pointer (&self->recordings, rf_recordings_free);
    g_clear_pointer (&self->compared, g_free);
    g_clear_pointer (&self->facts, rf_facts_unref);
    G_OBJECT_CLASS (rf_wizard_result_parent_class)->dispose (object);
}

static void
rf_wizard_result_class_init (RfWizardResultClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_result_dispose;
}

static void
rf_wizard_result_init (RfWizardResult *self)
{
    RfWizardPage *page = RF_WIZARD_PAGE (self);
    rf_wizard_page_set_centered (page);
    self->icon = gtk_image_new ();
    gtk_image_set_pixel_size (GTK_IMAGE (self->icon), 64);
    gtk_widget_add_css_class (self->icon, "rf-dim");
    gtk_widget_set_margin_top (self->icon, 16);
    rf_wizard_page_set_above (page, self->icon);
    self->next_list = rf_boxed_list_new (_ ("What to do next"));
    self->entries_heading = rf_label_new (NULL, "rf-heading");
    self->entries = rf_boxed_list_new (_ ("Settings"));
    rf_wizard_page_append (page, self->next_list);
    self->entries_section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    gtk_box_append (GTK_BOX (self->entries_section), self->entries_heading);
    gtk_box_append (GTK_BOX (self->entries_section), self->entries);
    rf_wizard_page_append (page, self->entries_section);
}

GtkWidget *
rf_wizard_result_new (RfFacts *facts, RfQuickTest *test, const char *folder)
{
    g_return_val_if_fail (facts != NULL && RF_IS_QUICK_TEST (test), NULL);
    RfWizardResult *self = g_object_new (RF_TYPE_WIZARD_RESULT, NULL);
    self->facts = rf_facts_ref (facts);
    self->test = g_object_ref (test);
    self->recordings = rf_recordings_new (folder);
    self->comparing = g_cancellable_new ();
    self->test_card = rf_quick_test_card_new (test, RF_QUICK_TEST_AFTER);
    self->comparison = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), self->test_card);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), self->comparison);
    g_signal_connect_swapped (test, "changed", G_CALLBACK (test_changed_cb), self);
    return GTK_WIDGET (self);
}
