#define G_LOG_DOMAIN "rf-monitor-chooser"

#include "config.h"

#include "rf-monitor-chooser.h"

#include <glib/gi18n.h>

#include "rf-fold.h"
#include "rf-monitor-cards.h"

struct _RfMonitorChooser {
    GtkWindow parent_instance;
    GtkListBox *list; /* rows are named by the id of their graph */
    GtkWidget *reset_button;
    RfMonitorChoice *choice;
};

G_DEFINE_FINAL_TYPE (RfMonitorChooser, rf_monitor_chooser, GTK_TYPE_WINDOW)

typedef struct {
    GtkWidget *check;
    GtkWidget *up;
    GtkWidget *down;
} RfChooserRow;

static RfChooserRow *
parts_of (GtkListBoxRow *row)
{
    return g_object_get_data (G_OBJECT (row), "rf-parts");
}

static const char *
id_of (GtkListBoxRow *row)
{
    return gtk_widget_get_name (GTK_WIDGET (row));
}

static GtkListBoxRow *
find_row (RfMonitorChooser *self, const char *id)
{
    GtkListBoxRow *row = NULL;

    for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++) {
        if (g_str_equal (id_of (row), id))
            return row;
    }
    return NULL;
}

/* Which rows are checked, where they stand and which way they can go, from the choice. A row that moves keeps the
 * focus. */
static void
follow_choice (RfMonitorChooser *self)
{
    const guint n = rf_monitor_choice_count (self->choice);

    for (guint i = 0; i < n; i++) {
        const char *id = rf_monitor_choice_get_id (self->choice, i);
        GtkListBoxRow *row = g_object_ref (find_row (self, id));
        const RfChooserRow *parts = parts_of (row);

        if (gtk_list_box_get_row_at_index (self->list, (int)i) != row) {
            gtk_list_box_remove (self->list, GTK_WIDGET (row));
            gtk_list_box_insert (self->list, GTK_WIDGET (row), (int)i);
        }
        gtk_check_button_set_active (GTK_CHECK_BUTTON (parts->check), rf_monitor_choice_get_shown (self->choice, id));
        gtk_widget_set_sensitive (parts->up, i > 0);
        gtk_widget_set_sensitive (parts->down, i + 1 < n);
        g_object_unref (row);
    }
    gtk_widget_set_sensitive (self->reset_button, !rf_monitor_choice_is_usual (self->choice));
}

static void
move (RfMonitorChooser *self, GtkListBoxRow *row, int by)
{
    const RfChooserRow *parts = parts_of (row);
    GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
    const int place = gtk_list_box_row_get_index (row) + by;

    if (place < 0 || !rf_monitor_choice_move (self->choice, id_of (row), (guint)place))
        return;
    if (focus == NULL || !gtk_widget_is_sensitive (focus)
        || (focus != GTK_WIDGET (row) && !gtk_widget_is_ancestor (focus, GTK_WIDGET (row))))
        focus = parts->check;
    gtk_widget_grab_focus (focus);
}

static RfMonitorChooser *
chooser_of (GtkWidget *widget)
{
    return RF_MONITOR_CHOOSER (gtk_widget_get_root (widget));
}

static GtkListBoxRow *
row_of (GtkWidget *widget)
{
    return GTK_LIST_BOX_ROW (gtk_widget_get_ancestor (widget, GTK_TYPE_LIST_BOX_ROW));
}

static void
up_cb (GtkWidget *button)
{
    move (chooser_of (button), row_of (button), -1);
}

static void
down_cb (GtkWidget *button)
{
    move (chooser_of (button), row_of (button), 1);
}

static gboolean
move_key_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
    move (chooser_of (widget), GTK_LIST_BOX_ROW (widget), g_variant_get_int32 (arguments));
    return TRUE;
}

static void
checked_cb (GtkCheckButton *check)
{
    rf_monitor_choice_set_shown (chooser_of (GTK_WIDGET (check))->choice, id_of (row_of (GTK_WIDGET (check))),
                                 gtk_check_button_get_active (check));
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row)
{
    GtkCheckButton *check = GTK_CHECK_BUTTON (parts_of (row)->check);

    gtk_check_button_set_active (check, !gtk_check_button_get_active (check));
}

static GdkContentProvider *
drag_prepare_cb (GtkDragSource *source, double x, double y, GtkListBoxRow *row)
{
    g_autoptr (GdkPaintable) icon = gtk_widget_paintable_new (GTK_WIDGET (row));

    gtk_drag_source_set_icon (source, icon, (int)x, (int)y);
    return gdk_content_provider_new_typed (G_TYPE_STRING, id_of (row));
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, GtkListBoxRow *row)
{
    return rf_monitor_choice_move (chooser_of (GTK_WIDGET (row))->choice, g_value_get_string (value),
                                   (guint)gtk_list_box_row_get_index (row));
}

static void
add_dragging (GtkListBoxRow *row)
{
    GtkDragSource *source = gtk_drag_source_new ();
    GtkDropTarget *target = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_MOVE);

    gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
    g_signal_connect (source, "prepare", G_CALLBACK (drag_prepare_cb), row);
    g_signal_connect (target, "drop", G_CALLBACK (drop_cb), row);
    gtk_widget_add_controller (GTK_WIDGET (row), GTK_EVENT_CONTROLLER (source));
    gtk_widget_add_controller (GTK_WIDGET (row), GTK_EVENT_CONTROLLER (target));
}

static void
add_moving_keys (GtkListBoxRow *row)
{
    static const struct {
        guint keyval;
        int by;
    } keys[] = {{GDK_KEY_Up, -1}, {GDK_KEY_KP_Up, -1}, {GDK_KEY_Down, 1}, {GDK_KEY_KP_Down, 1}};
    GtkEventController *controller = gtk_shortcut_controller_new ();

    for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
        GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].keyval, GDK_ALT_MASK),
                                                  gtk_callback_action_new (move_key_cb, NULL, NULL));

        gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (keys[i].by));
        gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
    }
    gtk_widget_add_controller (GTK_WIDGET (row), controller);
}

static GtkWidget *
moving_button (const char *icon, const char *name, GCallback clicked)
{
    GtkWidget *button = gtk_button_new_from_icon_name (icon);

    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    g_signal_connect (button, "clicked", clicked, NULL);
    return button;
}

static void
add_row (RfMonitorChooser *self, const char *id)
{
    const char *title = rf_monitor_card_title (rf_monitor_cards_find (id));
    GtkWidget *row = gtk_list_box_row_new ();
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = gtk_label_new (title);
    RfChooserRow *parts = g_new0 (RfChooserRow, 1);
    g_autofree char *up = NULL;
    g_autofree char *down = NULL;

    gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_widget_set_hexpand (label, TRUE);
    parts->check = gtk_check_button_new ();
    gtk_accessible_update_property (GTK_ACCESSIBLE (parts->check), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    /* Translators: a button; %s is the title of a graph */
    up = g_strdup_printf (_ ("Move up: %s"), title);
    /* Translators: a button; %s is the title of a graph */
    down = g_strdup_printf (_ ("Move down: %s"), title);
    parts->up = moving_button ("go-up-symbolic", up, G_CALLBACK (up_cb));
    parts->down = moving_button ("go-down-symbolic", down, G_CALLBACK (down_cb));
    gtk_box_append (GTK_BOX (box), parts->check);
    gtk_box_append (GTK_BOX (box), label);
    gtk_box_append (GTK_BOX (box), parts->up);
    gtk_box_append (GTK_BOX (box), parts->down);
    gtk_widget_add_css_class (box, "rf-chooser-row");
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
    gtk_widget_set_name (row, id);
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    g_object_set_data_full (G_OBJECT (row), "rf-parts", parts, g_free);
    add_dragging (GTK_LIST_BOX_ROW (row));
    add_moving_keys (GTK_LIST_BOX_ROW (row));
    gtk_list_box_append (self->list, row);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (parts->check), rf_monitor_choice_get_shown (self->choice, id));
    g_signal_connect (parts->check, "toggled", G_CALLBACK (checked_cb), NULL);
}

static void
rf_monitor_chooser_dispose (GObject *object)
{
    RfMonitorChooser *self = RF_MONITOR_CHOOSER (object);

    G_OBJECT_CLASS (rf_monitor_chooser_parent_class)->dispose (object);
    g_clear_object (&self->choice);
}

static void
rf_monitor_chooser_class_init (RfMonitorChooserClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_monitor_chooser_dispose;
    g_type_ensure (RF_TYPE_FOLD);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-monitor-chooser.ui");
    gtk_widget_class_bind_template_child (widget_class, RfMonitorChooser, list);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorChooser, reset_button);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
rf_monitor_chooser_init (RfMonitorChooser *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    g_signal_connect (self->list, "row-activated", G_CALLBACK (row_activated_cb), NULL);
}

GtkWidget *
rf_monitor_chooser_new (RfMonitorChoice *choice)
{
    RfMonitorChooser *self = NULL;

    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (choice), NULL);

    self = g_object_new (RF_TYPE_MONITOR_CHOOSER, NULL);
    self->choice = g_object_ref (choice);
    for (guint i = 0; i < rf_monitor_choice_count (choice); i++)
        add_row (self, rf_monitor_choice_get_id (choice, i));
    follow_choice (self);
    g_signal_connect_object (choice, "changed", G_CALLBACK (follow_choice), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (self->reset_button, "clicked", G_CALLBACK (rf_monitor_choice_reset), choice,
                             G_CONNECT_SWAPPED);
    return GTK_WIDGET (self);
}
