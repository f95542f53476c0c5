#define G_LOG_DOMAIN "rf-message-bar"
#include "config.h"

#include "rf-message-bar.h"

#include "rf-fold.h"
#include "rf-label.h"
#include "rf-message.h"

#include <glib/gi18n.h>

struct _RfMessageBar {
    GtkWidget parent_instance;
    GtkWidget *revealer;
    GtkWidget *banner;
    GtkWidget *icon;
    GtkWidget *label;
    GtkWidget *action;
};

G_DEFINE_FINAL_TYPE (RfMessageBar, rf_message_bar, GTK_TYPE_WIDGET)

static guint action_signal;

static const char *const css_classes[] = {NULL, "good", "warning", "danger"};
static const char *const icons[] = {"dialog-information-symbolic", "rf-ok-symbolic", "dialog-warning-symbolic",
                                    "dialog-error-symbolic"};

static void
action_cb (GtkButton *button, gpointer data)
{
    g_signal_emit (data, action_signal, 0);
}

static void
close_cb (GtkButton *button, gpointer data)
{
    rf_message_bar_hide (RF_MESSAGE_BAR (data));
}

static void
rf_message_bar_dispose (GObject *object)
{
    RfMessageBar *self = RF_MESSAGE_BAR (object);
    g_clear_pointer (&self->revealer, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_message_bar_parent_class)->dispose (object);
}

static void
rf_message_bar_class_init (RfMessageBarClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_message_bar_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
    action_signal = g_signal_new ("action", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
rf_message_bar_init (RfMessageBar *self)
{
    self->revealer = gtk_revealer_new ();
    self->banner = rf_fold_new (RF_FOLD_NEVER, 10);
    gtk_widget_add_css_class (self->banner, "rf-banner");
    self->icon = gtk_image_new ();
    gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
    gtk_widget_set_margin_top (self->icon, 3);
    GtkWidget *fold = rf_fold_new (420, 8);
    gtk_widget_set_hexpand (fold, TRUE);
    self->label = rf_label_new (NULL, NULL);
    gtk_widget_set_hexpand (self->label, TRUE);
    gtk_widget_set_valign (self->label, GTK_ALIGN_CENTER);
    self->action = gtk_button_new ();
    gtk_widget_set_valign (self->action, GTK_ALIGN_CENTER);
    gtk_widget_set_halign (self->action, GTK_ALIGN_START);
    g_signal_connect (self->action, "clicked", G_CALLBACK (action_cb), self);
    rf_fold_append (RF_FOLD (fold), self->label);
    rf_fold_append (RF_FOLD (fold), self->action);
    GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");
    gtk_widget_add_css_class (close, "flat");
    gtk_widget_add_css_class (close, "circular");
    gtk_widget_set_valign (close, GTK_ALIGN_START);
    gtk_widget_set_tooltip_text (close, _ ("Close this message"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Close this message"),
                                    -1);
    g_signal_connect (close, "clicked", G_CALLBACK (close_cb), self);
    rf_fold_append (RF_FOLD (self->banner), self->icon);
    rf_fold_append (RF_FOLD (self->banner), fold);
    rf_fold_append (RF_FOLD (self->banner), close);
    gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->banner);
    gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
rf_message_bar_show_action (RfMessageBar *self, RfMessageKind kind, const char *text, const char *label)
{
    g_return_if_fail (RF_IS_MESSAGE_BAR (self) && text != NULL && (guint) kind < G_N_ELEMENTS (icons));
    for (guint i = 1; i < G_N_ELEMENTS (css_classes); i++)
        gtk_widget_remove_css_class (self->banner, css_classes[i]);
    if (css_classes[kind] != NULL)
        gtk_widget_add_css_class (self->banner, css_classes[kind]);
    gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icons[kind]);
    gtk_label_set_text (GTK_LABEL (self->label), text);
    gtk_button_set_label (GTK_BUTTON (self->action), label != NULL ? label : "");
    gtk_widget_set_visible (self->action, label != NULL);
    gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
rf_message_bar_show (RfMessageBar *self, RfMessageKind kind, const char *text)
{
    rf_message_bar_show_action (self, kind, text, NULL);
}

void
rf_message_bar_show_error (RfMessageBar *self, const GError *error)
{
    g_return_if_fail (RF_IS_MESSAGE_BAR (self) && error != NULL);
    if (rf_message_is_quiet (error)) {
        rf_message_bar_hide (self);
        return;
    }
    g_autofree char *text = rf_message_from_error (error);
    rf_message_bar_show (self, RF_MESSAGE_DANGER, text);
}

void
rf_message_bar_hide (RfMessageBar *self)
{
    g_return_if_fail (RF_IS_MESSAGE_BAR (self));
    gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    gtk_label_set_text (GTK_LABEL (self->label), "");
}

const char *
rf_message_bar_get_text (RfMessageBar *self)
{
    g_return_val_if_fail (RF_IS_MESSAGE_BAR (self), NULL);
    const char *text = gtk_label_get_text (GTK_LABEL (self->label));
    return *text != '\0' ? text : NULL;
}
