#define G_LOG_DOMAIN "rf-wizard-result"
#include "config.h"

#include "rf-wizard-result.h"

#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

struct _RfWizardResult {
    RfWizardPage parent_instance;
    RfFacts *facts;
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
    if (kept)
        show_kept (self);
    else
        show_reverted (self, record, not_back);
}

static void
rf_wizard_result_dispose (GObject *object)
{
    g_clear_pointer (&RF_WIZARD_RESULT (object)->facts, rf_facts_unref);
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
rf_wizard_result_new (RfFacts *facts)
{
    g_return_val_if_fail (facts != NULL, NULL);
    RfWizardResult *self = g_object_new (RF_TYPE_WIZARD_RESULT, NULL);
    self->facts = rf_facts_ref (facts);
    return GTK_WIDGET (self);
}
