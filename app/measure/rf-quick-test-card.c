#define G_LOG_DOMAIN "rf-quick-test-card"

#include "config.h"

#include "rf-quick-test-card.h"

#include <glib/gi18n.h>

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-tunable-text.h"

struct _RfQuickTestCard {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkWidget *words;
    GtkWidget *problem;
    GtkWidget *progress_box;
    GtkWidget *bar;
    GtkWidget *remaining;
    GtkWidget *start;
    GtkWidget *cancel;

    RfQuickTest *test;
    RfQuickTestSide side;
};

G_DEFINE_FINAL_TYPE (RfQuickTestCard, rf_quick_test_card, GTK_TYPE_WIDGET)

static const char *
words_of (RfQuickTestCard *self)
{
    const gboolean before = rf_quick_test_get_result (self->test, RF_QUICK_TEST_BEFORE) != NULL;

    if (self->side == RF_QUICK_TEST_BEFORE)
        return before ? _ ("Measured. When you have kept settings, the same test shows what they bring.")
                      : _ ("Two minutes of a load that is always the same: scenery is loaded, files are written, "
                           "memory gets "
                           "scarce. The system may stutter meanwhile; please leave it alone. Nothing is changed.");
    if (rf_quick_test_get_result (self->test, RF_QUICK_TEST_AFTER) != NULL)
        return _ ("Measured.");
    return _ (
        "The same load as before, now with the settings that are kept. It shows what they have brought; what brings "
        "nothing can be taken back.");
}

static void
update (RfQuickTestCard *self)
{
    const gboolean running = rf_quick_test_get_state (self->test) != RF_QUICK_TEST_IDLE;
    const gboolean ours = running && rf_quick_test_get_running (self->test) == self->side;
    const gboolean measured = rf_quick_test_get_result (self->test, self->side) != NULL;
    const gboolean possible
        = self->side == RF_QUICK_TEST_BEFORE || rf_quick_test_get_result (self->test, RF_QUICK_TEST_BEFORE) != NULL;
    const char *problem = rf_quick_test_get_problem (self->test);
    guint remaining = 0;
    const double progress = rf_quick_test_get_progress (self->test, &remaining);
    g_autofree char *duration = rf_format_duration (remaining - remaining % 5);
    /* Translators: how long something still takes; %s is a duration */
    g_autofree char *left = g_strdup_printf (_ ("About %s left"), duration);

    gtk_label_set_text (GTK_LABEL (self->words), words_of (self));
    gtk_label_set_text (GTK_LABEL (self->problem), problem != NULL ? problem : "");
    gtk_widget_set_visible (self->problem,
                            problem != NULL && !running && rf_quick_test_get_running (self->test) == self->side);
    gtk_widget_set_visible (self->progress_box, ours);
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), progress);
    gtk_label_set_text (GTK_LABEL (self->remaining),
                        rf_quick_test_get_state (self->test) == RF_QUICK_TEST_ENDING ? _ ("Finishing…") : left);
    gtk_widget_set_visible (self->cancel, ours);
    gtk_widget_set_sensitive (self->cancel, rf_quick_test_get_state (self->test) != RF_QUICK_TEST_ENDING);
    gtk_widget_set_visible (self->start, !ours && possible);
    gtk_widget_set_sensitive (self->start, !running);
    gtk_button_set_label (GTK_BUTTON (self->start), measured ? _ ("Run it again") : _ ("Quick test (2 minutes)"));
    rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->start)));
}

static void
start_cb (RfQuickTestCard *self)
{
    rf_quick_test_start (self->test, self->side);
}

static void
cancel_cb (RfQuickTestCard *self)
{
    rf_quick_test_cancel (self->test);
}

static void
rf_quick_test_card_dispose (GObject *object)
{
    RfQuickTestCard *self = RF_QUICK_TEST_CARD (object);

    if (self->test != NULL)
        g_signal_handlers_disconnect_by_data (self->test, self);
    g_clear_object (&self->test);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_quick_test_card_parent_class)->dispose (object);
}

static void
rf_quick_test_card_class_init (RfQuickTestCardClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_quick_test_card_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
rf_quick_test_card_init (RfQuickTestCard *self)
{
    GtkWidget *buttons = rf_fold_new (0, 8);

    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    gtk_widget_add_css_class (self->box, "rf-card");
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    self->words = rf_label_new (NULL, NULL);
    self->problem = rf_label_new (NULL, "rf-next");
    self->progress_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    self->bar = gtk_progress_bar_new ();
    self->remaining = rf_label_new (NULL, "rf-caption");
    gtk_widget_add_css_class (self->bar, "rf-progress");
    gtk_widget_add_css_class (self->remaining, "rf-numeric");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Quick test"), -1);
    gtk_box_append (GTK_BOX (self->progress_box), self->bar);
    gtk_box_append (GTK_BOX (self->progress_box), self->remaining);
    self->start = gtk_button_new_with_label ("");
    self->cancel = gtk_button_new_with_mnemonic (_ ("_Cancel the test"));
    rf_fold_append (RF_FOLD (buttons), self->start);
    rf_fold_append (RF_FOLD (buttons), self->cancel);
    gtk_widget_set_halign (buttons, GTK_ALIGN_START);
    gtk_box_append (GTK_BOX (self->box), rf_label_new (_ ("Measure it"), "rf-heading"));
    gtk_box_append (GTK_BOX (self->box), self->words);
    gtk_box_append (GTK_BOX (self->box), self->problem);
    gtk_box_append (GTK_BOX (self->box), self->progress_box);
    gtk_box_append (GTK_BOX (self->box), buttons);
    g_signal_connect_swapped (self->start, "clicked", G_CALLBACK (start_cb), self);
    g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancel_cb), self);
}

GtkWidget *
rf_quick_test_card_new (RfQuickTest *test, RfQuickTestSide side)
{
    RfQuickTestCard *self = NULL;

    g_return_val_if_fail (RF_IS_QUICK_TEST (test), NULL);

    self = g_object_new (RF_TYPE_QUICK_TEST_CARD, NULL);
    self->test = g_object_ref (test);
    self->side = side;
    g_signal_connect_swapped (test, "changed", G_CALLBACK (update), self);
    update (self);
    return GTK_WIDGET (self);
}
