#define G_LOG_DOMAIN "rf-wizard-page"
#include "config.h"

#include "rf-wizard-page.h"

#include "rf-clamp.h"
#include "rf-fold.h"
#include "rf-heading.h"

/* Beside each other, heading and card need this much; pixels. */
#define ASIDE_WIDTH 760
#define ASIDE_CARD_WIDTH 300
#define PAGE_WIDTH 980

typedef struct {
    GtkWidget *scroller;
    GtkWidget *content;
    GtkWidget *head;
    GtkWidget *title;
    GtkWidget *lead;
    gboolean complete;
    gboolean applying;
} RfWizardPagePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (RfWizardPage, rf_wizard_page, GTK_TYPE_WIDGET)

enum {
    PROP_TITLE = 1,
    PROP_LEAD,
    PROP_COMPLETE,
    PROP_APPLYING,
    N_PROPS
};

static GParamSpec *properties[N_PROPS];

#define PRIVATE(self) ((RfWizardPagePrivate *) rf_wizard_page_get_instance_private (self))

static void
rf_wizard_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfWizardPagePrivate *self = PRIVATE (RF_WIZARD_PAGE (object));
    switch (id) {
    case PROP_TITLE:
        g_value_set_string (value, rf_heading_get_text (RF_HEADING (self->title)));
        break;
    case PROP_LEAD:
        g_value_set_string (value, gtk_label_get_text (GTK_LABEL (self->lead)));
        break;
    case PROP_COMPLETE:
        g_value_set_boolean (value, self->complete);
        break;
    case PROP_APPLYING:
        g_value_set_boolean (value, self->applying);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_wizard_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfWizardPage *self = RF_WIZARD_PAGE (object);
    switch (id) {
    case PROP_TITLE:
        rf_wizard_page_set_title (self, g_value_get_string (value));
        break;
    case PROP_LEAD:
        rf_wizard_page_set_lead (self, g_value_get_string (value));
        break;
    case PROP_COMPLETE:
        rf_wizard_page_set_complete (self, g_value_get_boolean (value));
        break;
    case PROP_APPLYING:
        rf_wizard_page_set_applying (self, g_value_get_boolean (value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_wizard_page_dispose (GObject *object)
{
    RfWizardPagePrivate *self = PRIVATE (RF_WIZARD_PAGE (object));
    g_clear_pointer (&self->scroller, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_wizard_page_parent_class)->dispose (object);
}

static void
rf_wizard_page_class_init (RfWizardPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
    object_class->get_property = rf_wizard_page_get_property;
    object_class->set_property = rf_wizard_page_set_property;
    object_class->dispose = rf_wizard_page_dispose;
    properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
    properties[PROP_LEAD] = g_param_spec_string ("lead", NULL, NULL, NULL, flags);
    properties[PROP_COMPLETE] = g_param_spec_boolean ("complete", NULL, NULL, TRUE, flags);
    properties[PROP_APPLYING] = g_param_spec_boolean ("applying", NULL, NULL, FALSE, flags);
    g_object_class_install_properties (object_class, N_PROPS, properties);
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
rf_wizard_page_init (RfWizardPage *page)
{
    RfWizardPagePrivate *self = PRIVATE (page);
    self->complete = TRUE;
    self->scroller = gtk_scrolled_window_new ();
    gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_widget_set_vexpand (self->scroller, TRUE);
    self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 16);
    gtk_widget_add_css_class (self->content, "rf-page");

    self->title = rf_heading_new ();
    self->lead = rf_label_new (NULL, "rf-lead");
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    gtk_box_append (GTK_BOX (words), self->title);
    gtk_box_append (GTK_BOX (words), self->lead);
    gtk_widget_set_hexpand (words, TRUE);
    self->head = rf_fold_new (ASIDE_WIDTH, 20);
    rf_fold_append (RF_FOLD (self->head), words);
    gtk_box_append (GTK_BOX (self->content), self->head);

    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), rf_clamp_new (PAGE_WIDTH, self->content));
    gtk_widget_set_parent (self->scroller, GTK_WIDGET (page));
}

void
rf_wizard_page_set_title (RfWizardPage *self, const char *title)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    rf_heading_set_text (RF_HEADING (PRIVATE (self)->title), title);
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

void
rf_wizard_page_set_lead (RfWizardPage *self, const char *lead)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    GtkWidget *label = PRIVATE (self)->lead;
    gtk_label_set_text (GTK_LABEL (label), lead != NULL ? lead : "");
    gtk_widget_set_visible (label, lead != NULL && *lead != '\0');
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LEAD]);
}

void
rf_wizard_page_set_centered (RfWizardPage *self)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    GtkWidget *labels[] = {GTK_WIDGET (rf_heading_get_label (RF_HEADING (PRIVATE (self)->title))), PRIVATE (self)->lead};
    for (guint i = 0; i < G_N_ELEMENTS (labels); i++) {
        gtk_label_set_xalign (GTK_LABEL (labels[i]), 0.5F);
        gtk_label_set_justify (GTK_LABEL (labels[i]), GTK_JUSTIFY_CENTER);
        gtk_label_set_max_width_chars (GTK_LABEL (labels[i]), 72);
        gtk_label_set_natural_wrap_mode (GTK_LABEL (labels[i]), GTK_NATURAL_WRAP_WORD);
        gtk_widget_set_halign (labels[i], GTK_ALIGN_CENTER);
    }
}

void
rf_wizard_page_set_complete (RfWizardPage *self, gboolean complete)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    if (PRIVATE (self)->complete == complete)
        return;
    PRIVATE (self)->complete = complete;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPLETE]);
}

gboolean
rf_wizard_page_get_complete (RfWizardPage *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_PAGE (self), FALSE);
    return PRIVATE (self)->complete;
}

void
rf_wizard_page_set_applying (RfWizardPage *self, gboolean applying)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    if (PRIVATE (self)->applying == applying)
        return;
    PRIVATE (self)->applying = applying;
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_APPLYING]);
}

gboolean
rf_wizard_page_get_applying (RfWizardPage *self)
{
    g_return_val_if_fail (RF_IS_WIZARD_PAGE (self), FALSE);
    return PRIVATE (self)->applying;
}

void
rf_wizard_page_set_above (RfWizardPage *self, GtkWidget *widget)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    gtk_box_prepend (GTK_BOX (PRIVATE (self)->content), widget);
}

void
rf_wizard_page_set_aside (RfWizardPage *self, GtkWidget *widget)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    gtk_widget_set_size_request (widget, ASIDE_CARD_WIDTH, -1);
    gtk_widget_set_valign (widget, GTK_ALIGN_START);
    rf_fold_append (RF_FOLD (PRIVATE (self)->head), widget);
}

void
rf_wizard_page_append (RfWizardPage *self, GtkWidget *child)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    gtk_box_append (GTK_BOX (PRIVATE (self)->content), child);
}

void
rf_wizard_page_enter (RfWizardPage *self)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    gtk_adjustment_set_value (
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (PRIVATE (self)->scroller)), 0);
    if (RF_WIZARD_PAGE_GET_CLASS (self)->enter != NULL)
        RF_WIZARD_PAGE_GET_CLASS (self)->enter (self);
}

void
rf_wizard_page_leave (RfWizardPage *self)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    if (RF_WIZARD_PAGE_GET_CLASS (self)->leave != NULL)
        RF_WIZARD_PAGE_GET_CLASS (self)->leave (self);
}

void
rf_wizard_page_focus (RfWizardPage *self)
{
    g_return_if_fail (RF_IS_WIZARD_PAGE (self));
    gtk_widget_grab_focus (PRIVATE (self)->title);
}
