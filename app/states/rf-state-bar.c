#define G_LOG_DOMAIN "rf-state-bar"
#include "config.h"

#include "rf-state-bar.h"

#include "rf-copy-button.h"
#include "rf-fold.h"
#include "rf-label.h"

struct _RfStateBar {
    GtkWidget parent_instance;
    GtkWidget *banner;
    GtkWidget *icon;
    GtkWidget *sentence;
    GtkWidget *detail;
    GtkWidget *snippet;
    GtkWidget *buttons;
    GtkWidget *copy;
    GtkWidget *action;
    RfStateInfo *info;
};

G_DEFINE_FINAL_TYPE (RfStateBar, rf_state_bar, GTK_TYPE_WIDGET)

static guint action_signal;

static void
action_cb (RfStateBar *self)
{
    g_signal_emit (self, action_signal, 0, (guint)self->info->action);
}

static void
rf_state_bar_dispose (GObject *object)
{
    RfStateBar *self = RF_STATE_BAR (object);
    g_clear_pointer (&self->banner, gtk_widget_unparent);
    g_clear_pointer (&self->info, rf_state_info_free);
    G_OBJECT_CLASS (rf_state_bar_parent_class)->dispose (object);
}

static void
rf_state_bar_class_init (RfStateBarClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_state_bar_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
    action_signal = g_signal_new ("action", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
rf_state_bar_init (RfStateBar *self)
{
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    self->buttons = rf_fold_new (1, 8);
    self->banner = rf_fold_new (RF_FOLD_NEVER, 10);
    gtk_widget_add_css_class (self->banner, "rf-banner");
    self->icon = gtk_image_new ();
    gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
    gtk_widget_set_margin_top (self->icon, 3);
    self->sentence = rf_label_new (NULL, "rf-heading");
    self->detail = rf_label_new (NULL, NULL);
    self->snippet = rf_label_new (NULL, "rf-snippet");
    gtk_label_set_selectable (GTK_LABEL (self->snippet), TRUE);
    /* commands are read from left to right, whatever the language */
    gtk_widget_set_direction (self->snippet, GTK_TEXT_DIR_LTR);
    self->action = gtk_button_new_with_mnemonic ("");
    gtk_widget_set_halign (self->action, GTK_ALIGN_START);
    g_signal_connect_swapped (self->action, "clicked", G_CALLBACK (action_cb), self);
    rf_fold_append (RF_FOLD (self->buttons), self->action);
    self->copy = rf_copy_button_new ();
    rf_fold_append (RF_FOLD (self->buttons), self->copy);
    gtk_widget_set_hexpand (words, TRUE);
    gtk_box_append (GTK_BOX (words), self->sentence);
    gtk_box_append (GTK_BOX (words), self->detail);
    gtk_box_append (GTK_BOX (words), self->snippet);
    gtk_box_append (GTK_BOX (words), self->buttons);
    rf_fold_append (RF_FOLD (self->banner), self->icon);
    rf_fold_append (RF_FOLD (self->banner), words);
    gtk_widget_set_parent (self->banner, GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
rf_state_bar_new (void)
{
    return g_object_new (RF_TYPE_STATE_BAR, NULL);
}

static gboolean
is_same (const RfStateInfo *a, const RfStateInfo *b)
{
    return a != NULL && b != NULL && a->state == b->state && a->action == b->action
           && g_strcmp0 (a->sentence, b->sentence) == 0 && g_strcmp0 (a->detail, b->detail) == 0
           && g_strcmp0 (a->snippet, b->snippet) == 0;
}

static void
set_text (GtkWidget *label, const char *text)
{
    g_autofree char *shown = g_strchomp (g_strdup (text != NULL ? text : ""));
    gtk_label_set_text (GTK_LABEL (label), shown);
    gtk_widget_set_visible (label, text != NULL);
}

void
rf_state_bar_show (RfStateBar *self, RfStateInfo *info)
{
    g_return_if_fail (RF_IS_STATE_BAR (self));
    if (is_same (self->info, info)) {
        rf_state_info_free (info);
        return;
    }
    g_clear_pointer (&self->info, rf_state_info_free);
    self->info = info;
    gtk_widget_set_visible (GTK_WIDGET (self), info != NULL);
    if (info == NULL)
        return;
    const char *label = rf_state_action_label (info->action);
    gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                  info->grave ? "dialog-warning-symbolic" : "dialog-information-symbolic");
    (info->grave ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (self->banner, "warning");
    set_text (self->sentence, info->sentence);
    set_text (self->detail, info->detail);
    set_text (self->snippet, info->snippet);
    gtk_button_set_label (GTK_BUTTON (self->action), label != NULL ? label : "");
    gtk_widget_set_visible (self->action, label != NULL);
    rf_copy_button_set (self->copy, info->snippet, NULL);
    gtk_widget_set_visible (self->copy, info->snippet != NULL);
    gtk_widget_set_visible (self->buttons, label != NULL || info->snippet != NULL);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, info->sentence, -1);
}

const RfStateInfo *
rf_state_bar_get_info (RfStateBar *self)
{
    g_return_val_if_fail (RF_IS_STATE_BAR (self), NULL);
    return self->info;
}
