#define G_LOG_DOMAIN "rf-help-window"

#include "config.h"

#include "rf-help-window.h"

#include <glib/gi18n.h>

#include "rf-clamp.h"
#include "rf-help-topics.h"
#include "rf-label.h"
#include "rf-row.h"

#define TEXT_WIDTH 620

struct _RfHelpWindow {
    GtkWindow parent_instance;
    GtkWidget *back_button;
    GtkWidget *stack;
    GtkWidget *contents;    /* scrolls the list of topics */
    GtkWidget *topic;       /* scrolls one topic */
    GtkWidget *topic_clamp; /* what the topic is put in */
};

G_DEFINE_FINAL_TYPE (RfHelpWindow, rf_help_window, GTK_TYPE_WINDOW)

static void
show_contents (RfHelpWindow *self)
{
    gtk_stack_set_visible_child (GTK_STACK (self->stack), self->contents);
    gtk_widget_set_visible (self->back_button, FALSE);
    gtk_window_set_title (GTK_WINDOW (self), _ ("Help"));
    gtk_widget_child_focus (self->contents, GTK_DIR_TAB_FORWARD);
}

static void
back_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    show_contents (RF_HELP_WINDOW (widget));
}

/* Escape leaves first the topic and then the help. */
static void
escape_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfHelpWindow *self = RF_HELP_WINDOW (widget);

    if (gtk_widget_get_visible (self->back_button))
        show_contents (self);
    else
        gtk_window_close (GTK_WINDOW (self));
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, RfHelpWindow *self)
{
    rf_help_window_show_topic (self, gtk_widget_get_name (GTK_WIDGET (row)));
}

static GtkWidget *
list_of_group (RfHelpWindow *self, RfHelpGroup group)
{
    GtkWidget *list = rf_boxed_list_new (rf_help_group_title (group));

    for (guint i = 0; i < rf_help_topics_count (); i++) {
        const RfHelpTopic *topic = rf_help_topics_get (i);
        GtkWidget *row = NULL;

        if (rf_help_topic_group (topic) != group)
            continue;
        row = rf_row_new (rf_help_topic_title (topic), NULL);
        gtk_widget_set_name (row, rf_help_topic_id (topic));
        rf_row_set_leads (RF_ROW (row), TRUE);
        gtk_list_box_append (GTK_LIST_BOX (list), row);
    }
    g_signal_connect (list, "row-activated", G_CALLBACK (row_activated_cb), self);
    return list;
}

static GtkWidget *
page_new (void)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

    gtk_widget_add_css_class (box, "rf-page");
    return box;
}

static GtkWidget *
scroller_new (GtkWidget *child)
{
    GtkWidget *scroller = gtk_scrolled_window_new ();

    gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
    return scroller;
}

static GtkWidget *
contents_new (RfHelpWindow *self)
{
    GtkWidget *box = page_new ();

    for (int group = 0; group < RF_N_HELP_GROUPS; group++) {
        gtk_box_append (GTK_BOX (box), rf_label_new (rf_help_group_title ((RfHelpGroup)group), "rf-group-title"));
        gtk_box_append (GTK_BOX (box), list_of_group (self, (RfHelpGroup)group));
    }
    return scroller_new (rf_clamp_new (TEXT_WIDTH, box));
}

static GtkWidget *
topic_page_new (const RfHelpTopic *topic)
{
    GtkWidget *box = page_new ();

    gtk_box_append (GTK_BOX (box), rf_label_new (rf_help_topic_title (topic), "rf-title"));
    for (guint i = 0; i < rf_help_topic_count_parts (topic); i++) {
        const char *heading = NULL;
        const char *text = rf_help_topic_part (topic, i, &heading);

        if (heading != NULL)
            gtk_box_append (GTK_BOX (box), rf_label_new (heading, "rf-group-title"));
        gtk_box_append (GTK_BOX (box), rf_label_new (text, "rf-help-text"));
    }
    return box;
}

static void
rf_help_window_class_init (RfHelpWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    gtk_widget_class_install_action (widget_class, "help.back", NULL, back_action);
    gtk_widget_class_install_action (widget_class, "help.escape", NULL, escape_action);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "help.escape", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "help.back", NULL);
}

static void
rf_help_window_init (RfHelpWindow *self)
{
    GtkWidget *header = gtk_header_bar_new ();

    self->back_button = gtk_button_new_from_icon_name ("go-previous-symbolic");
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->back_button), "help.back");
    gtk_widget_set_tooltip_text (self->back_button, _ ("All topics"));
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->back_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("All topics"),
                                    -1);
    gtk_header_bar_pack_start (GTK_HEADER_BAR (header), self->back_button);

    self->contents = contents_new (self);
    self->topic_clamp = rf_clamp_new (TEXT_WIDTH, NULL);
    self->topic = scroller_new (self->topic_clamp);
    /* there is nothing else to focus in a topic, and the keyboard has to scroll it */
    gtk_widget_set_focusable (self->topic, TRUE);
    self->stack = gtk_stack_new ();
    gtk_stack_add_child (GTK_STACK (self->stack), self->contents);
    gtk_stack_add_child (GTK_STACK (self->stack), self->topic);

    gtk_window_set_titlebar (GTK_WINDOW (self), header);
    gtk_window_set_child (GTK_WINDOW (self), self->stack);
    gtk_window_set_default_size (GTK_WINDOW (self), 640, 620);
    gtk_widget_add_css_class (GTK_WIDGET (self), "rf-window");
    show_contents (self);
}

GtkWidget *
rf_help_window_new (GtkWindow *parent)
{
    return g_object_new (RF_TYPE_HELP_WINDOW, "application", gtk_window_get_application (parent), "transient-for",
                         parent, "destroy-with-parent", TRUE, NULL);
}

void
rf_help_window_show_topic (RfHelpWindow *self, const char *id)
{
    const RfHelpTopic *topic = rf_help_topics_find (id);

    g_return_if_fail (RF_IS_HELP_WINDOW (self));

    if (topic == NULL) {
        show_contents (self);
        return;
    }
    rf_clamp_set_child (RF_CLAMP (self->topic_clamp), topic_page_new (topic));
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->topic)), 0);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->topic), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    rf_help_topic_title (topic), -1);
    gtk_stack_set_visible_child (GTK_STACK (self->stack), self->topic);
    gtk_widget_set_visible (self->back_button, TRUE);
    gtk_window_set_title (GTK_WINDOW (self), rf_help_topic_title (topic));
    gtk_widget_grab_focus (self->topic);
}
