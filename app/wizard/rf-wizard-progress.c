#define G_LOG_DOMAIN "rf-wizard-progress"
#include "config.h"

#include "rf-wizard-progress.h"

#include "rf-tunable-text.h"

#include <glib/gi18n.h>

#define PULSE_MS 100

struct _RfWizardProgress {
    RfWizardPage parent_instance;
    RfClient *client;
    GtkWidget *bar;
    GtkWidget *step;
    guint pulse; /* until the helper says how far it is */
    gboolean cancelling;
};

G_DEFINE_FINAL_TYPE (RfWizardProgress, rf_wizard_progress, RF_TYPE_WIZARD_PAGE)

static gboolean
pulse_cb (gpointer data)
{
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (RF_WIZARD_PROGRESS (data)->bar));
    return G_SOURCE_CONTINUE;
}

static void
progress_cb (RfWizardProgress *self, const char *id, const char *step, guint done, guint total)
{
    if (self->cancelling)
        return;
    g_clear_handle_id (&self->pulse, g_source_remove);
    const RfTunable *tunable = rf_tunable_find (step);
    const char *name = tunable != NULL ? rf_tunable_title (tunable) : _ ("Writing the changes");
    g_autofree char *text = total > 0 ? g_strdup_printf (_ ("%1$s (%2$u of %3$u)"), name, done, total) : g_strdup (name);
    gtk_label_set_text (GTK_LABEL (self->step), text);
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), total > 0 ? MIN (1.0, (double) done / total) : 0);
}

static void
rf_wizard_progress_enter (RfWizardPage *page)
{
    RfWizardProgress *self = RF_WIZARD_PROGRESS (page);
    self->cancelling = FALSE;
    rf_wizard_page_set_title (page, _ ("Applying…"));
    rf_wizard_page_set_lead (page, _ ("If a password dialog appears, please enter the password of an administrator. "
                                      "Then the old values are noted and the new ones written and read back."));
    gtk_label_set_text (GTK_LABEL (self->step), _ ("Waiting for permission…"));
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), 0);
    if (self->pulse == 0)
        self->pulse = g_timeout_add (PULSE_MS, pulse_cb, self);
}

static void
rf_wizard_progress_leave (RfWizardPage *page)
{
    g_clear_handle_id (&RF_WIZARD_PROGRESS (page)->pulse, g_source_remove);
}

static void
rf_wizard_progress_dispose (GObject *object)
{
    RfWizardProgress *self = RF_WIZARD_PROGRESS (object);
    g_clear_handle_id (&self->pulse, g_source_remove);
    if (self->client != NULL)
        g_signal_handlers_disconnect_by_data (self->client, self);
    g_clear_object (&self->client);
    G_OBJECT_CLASS (rf_wizard_progress_parent_class)->dispose (object);
}

static void
rf_wizard_progress_class_init (RfWizardProgressClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_wizard_progress_dispose;
    RF_WIZARD_PAGE_CLASS (klass)->enter = rf_wizard_progress_enter;
    RF_WIZARD_PAGE_CLASS (klass)->leave = rf_wizard_progress_leave;
}

static void
rf_wizard_progress_init (RfWizardProgress *self)
{
    rf_wizard_page_set_centered (RF_WIZARD_PAGE (self));
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
    gtk_widget_set_halign (box, GTK_ALIGN_FILL);
    gtk_widget_set_margin_top (box, 24);
    self->bar = gtk_progress_bar_new ();
    gtk_widget_add_css_class (self->bar, "rf-progress");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Progress of applying"), -1);
    self->step = rf_label_new (NULL, "rf-caption");
    gtk_label_set_xalign (GTK_LABEL (self->step), 0.5F);
    gtk_box_append (GTK_BOX (box), self->bar);
    gtk_box_append (GTK_BOX (box), self->step);
    rf_wizard_page_append (RF_WIZARD_PAGE (self), box);
}

GtkWidget *
rf_wizard_progress_new (RfClient *client)
{
    g_return_val_if_fail (RF_IS_CLIENT (client), NULL);
    RfWizardProgress *self = g_object_new (RF_TYPE_WIZARD_PROGRESS, NULL);
    self->client = g_object_ref (client);
    g_signal_connect_swapped (client, "progress", G_CALLBACK (progress_cb), self);
    return GTK_WIDGET (self);
}

void
rf_wizard_progress_set_cancelling (RfWizardProgress *self)
{
    g_return_if_fail (RF_IS_WIZARD_PROGRESS (self));
    self->cancelling = TRUE;
    rf_wizard_page_set_title (RF_WIZARD_PAGE (self), _ ("Cancelling…"));
    gtk_label_set_text (GTK_LABEL (self->step), _ ("What has been written so far is put back."));
    if (self->pulse == 0)
        self->pulse = g_timeout_add (PULSE_MS, pulse_cb, self);
}
