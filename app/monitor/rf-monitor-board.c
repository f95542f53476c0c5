#define G_LOG_DOMAIN "rf-monitor-board"

#include "config.h"

#include "rf-monitor-board.h"

#include <glib/gi18n.h>

#include "rf-columns.h"
#include "rf-label.h"
#include "rf-monitor-cards.h"

#define COLUMN_WIDTH 320

struct _RfMonitorBoard {
    GtkWidget parent_instance;
    RfSampler *sampler;
    RfMonitorChoice *choice;
    GPtrArray *cards; /* of RfGraphCard, in the order of the table; the board holds them, shown or not */
    const char *open; /* out of the table; NULL: all are shown */
    char *standing;   /* the ids that are set up, to see what really changes */
};

G_DEFINE_FINAL_TYPE (RfMonitorBoard, rf_monitor_board, GTK_TYPE_WIDGET)

static RfGraphCard *
find_card (RfMonitorBoard *self, const char *id)
{
    for (guint i = 0; i < self->cards->len; i++) {
        if (g_str_equal (rf_monitor_card_id (rf_monitor_cards_get (i)), id))
            return self->cards->pdata[i];
    }
    return NULL;
}

/* Ids of what is chosen, in its order. */
static GPtrArray *
chosen (RfMonitorBoard *self)
{
    GPtrArray *ids = g_ptr_array_new ();

    for (guint i = 0; i < rf_monitor_choice_count (self->choice); i++) {
        const char *id = rf_monitor_choice_get_id (self->choice, i);

        if (rf_monitor_choice_get_shown (self->choice, id))
            g_ptr_array_add (ids, (gpointer)id);
    }
    return ids;
}

static char *
chosen_words (RfMonitorBoard *self)
{
    g_autoptr (GPtrArray) ids = chosen (self);

    g_ptr_array_add (ids, NULL);
    return g_strjoinv ("\n", (char **)ids->pdata);
}

static RfMonitorGroup
group_of (const char *id)
{
    return rf_monitor_card_group (rf_monitor_cards_find (id));
}

/* A heading makes sense as long as each group stands together. */
static gboolean
stand_in_groups (GPtrArray *ids)
{
    gboolean seen[RF_N_MONITOR_GROUPS] = {FALSE};

    for (guint i = 0; i < ids->len; i++) {
        const RfMonitorGroup group = group_of (ids->pdata[i]);

        if (i > 0 && group == group_of (ids->pdata[i - 1]))
            continue;
        if (seen[group])
            return FALSE;
        seen[group] = TRUE;
    }
    return TRUE;
}

static void
append (RfMonitorBoard *self, GtkWidget *child)
{
    gtk_widget_set_parent (child, GTK_WIDGET (self));
}

static void
take_down (RfMonitorBoard *self)
{
    GtkWidget *child = NULL;

    for (guint i = 0; i < self->cards->len; i++) {
        rf_graph_card_set_large (self->cards->pdata[i], FALSE);
        if (gtk_widget_get_parent (self->cards->pdata[i]) != NULL)
            gtk_widget_unparent (self->cards->pdata[i]);
    }
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
}

static GtkWidget *
add_button (GtkWidget *box, const char *icon, const char *name, const char *action, GVariant *target)
{
    GtkWidget *button = gtk_button_new_from_icon_name (icon);

    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    if (target != NULL)
        gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
    gtk_box_append (GTK_BOX (box), button);
    return button;
}

static void
set_up_full_size (RfMonitorBoard *self)
{
    GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    GtkWidget *back = gtk_button_new_with_mnemonic (_ ("_All graphs"));
    RfGraphCard *card = find_card (self, self->open);

    gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "monitor.close");
    gtk_widget_set_hexpand (back, TRUE);
    gtk_widget_set_halign (back, GTK_ALIGN_START);
    gtk_box_append (GTK_BOX (bar), back);
    add_button (bar, "go-up-symbolic", _ ("The graph before"), "monitor.step", g_variant_new_int32 (-1));
    add_button (bar, "go-down-symbolic", _ ("The next graph"), "monitor.step", g_variant_new_int32 (1));
    append (self, bar);
    rf_graph_card_set_large (card, TRUE);
    append (self, GTK_WIDGET (card));
}

static void
set_up_groups (RfMonitorBoard *self)
{
    g_autoptr (GPtrArray) ids = chosen (self);
    const gboolean headings = stand_in_groups (ids);
    GtkWidget *columns = NULL;

    for (guint i = 0; i < ids->len; i++) {
        const RfMonitorGroup group = group_of (ids->pdata[i]);

        if (headings && (i == 0 || group != group_of (ids->pdata[i - 1]))) {
            append (self, rf_label_new (rf_monitor_group_title (group), "rf-group-title"));
            columns = NULL;
        }
        if (columns == NULL) {
            columns = rf_columns_new (COLUMN_WIDTH, 2, 16);
            append (self, columns);
        }
        rf_columns_append (RF_COLUMNS (columns), GTK_WIDGET (find_card (self, ids->pdata[i])));
    }
    if (ids->len == 0) {
        GtkWidget *button = gtk_button_new_with_mnemonic (_ ("_Choose graphs…"));

        gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "monitor.choose");
        gtk_widget_set_halign (button, GTK_ALIGN_START);
        gtk_widget_add_css_class (button, "rf-pill-button");
        append (self, rf_label_new (_ ("No graph is chosen. Everything is recorded all the same."), "rf-lead"));
        append (self, button);
    }
}

static void
set_up (RfMonitorBoard *self)
{
    take_down (self);
    g_free (self->standing);
    self->standing = chosen_words (self);
    gtk_widget_set_vexpand (GTK_WIDGET (self), self->open != NULL);
    if (self->open != NULL)
        set_up_full_size (self);
    else
        set_up_groups (self);
    rf_monitor_board_update (self);
}

/* The range and the compact view are in the same choice: they take nothing down. */
static void
chosen_cb (RfMonitorBoard *self)
{
    g_autofree char *wanted = chosen_words (self);

    if (self->open == NULL && g_strcmp0 (wanted, self->standing) != 0)
        set_up (self);
}

static void
rf_monitor_board_dispose (GObject *object)
{
    RfMonitorBoard *self = RF_MONITOR_BOARD (object);

    if (self->cards != NULL)
        take_down (self);
    g_clear_pointer (&self->cards, g_ptr_array_unref);
    g_clear_pointer (&self->standing, g_free);
    g_clear_object (&self->sampler);
    g_clear_object (&self->choice);
    G_OBJECT_CLASS (rf_monitor_board_parent_class)->dispose (object);
}

static void
rf_monitor_board_class_init (RfMonitorBoardClass *klass)
{
    G_OBJECT_CLASS (klass)->dispose = rf_monitor_board_dispose;
    gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
rf_monitor_board_init (RfMonitorBoard *self)
{
    GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

    gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
    gtk_box_layout_set_spacing (layout, 12);
    self->cards = g_ptr_array_new_with_free_func (g_object_unref);
}

GtkWidget *
rf_monitor_board_new (RfSampler *sampler, RfMonitorChoice *choice)
{
    RfMonitorBoard *self = NULL;

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);
    g_return_val_if_fail (RF_IS_MONITOR_CHOICE (choice), NULL);

    self = g_object_new (RF_TYPE_MONITOR_BOARD, NULL);
    self->sampler = g_object_ref (sampler);
    self->choice = g_object_ref (choice);
    for (guint i = 0; i < rf_monitor_cards_count (); i++)
        g_ptr_array_add (self->cards, g_object_ref_sink (rf_monitor_card_create (rf_monitor_cards_get (i), sampler)));
    g_signal_connect_object (choice, "changed", G_CALLBACK (chosen_cb), self, G_CONNECT_SWAPPED);
    set_up (self);
    return GTK_WIDGET (self);
}

void
rf_monitor_board_update (RfMonitorBoard *self)
{
    g_return_if_fail (RF_IS_MONITOR_BOARD (self));

    for (guint i = 0; i < self->cards->len; i++) {
        if (gtk_widget_get_parent (self->cards->pdata[i]) != NULL)
            rf_monitor_card_update (rf_monitor_cards_get (i), self->cards->pdata[i], self->sampler);
    }
}

void
rf_monitor_board_foreach (RfMonitorBoard *self, void (*func) (RfGraphCard *card, gpointer data), gpointer data)
{
    g_return_if_fail (RF_IS_MONITOR_BOARD (self));

    g_ptr_array_foreach (self->cards, (GFunc)(void (*) (void))func, data);
}

GPtrArray *
rf_monitor_board_shown (RfMonitorBoard *self)
{
    GPtrArray *shown = NULL;
    g_autoptr (GPtrArray) ids = NULL;

    g_return_val_if_fail (RF_IS_MONITOR_BOARD (self), NULL);

    shown = g_ptr_array_new ();
    if (self->open != NULL) {
        g_ptr_array_add (shown, find_card (self, self->open));
        return shown;
    }
    ids = chosen (self);
    for (guint i = 0; i < ids->len; i++)
        g_ptr_array_add (shown, find_card (self, ids->pdata[i]));
    return shown;
}

void
rf_monitor_board_open (RfMonitorBoard *self, const char *id)
{
    const RfMonitorCard *card = NULL;
    const char *before = NULL;

    g_return_if_fail (RF_IS_MONITOR_BOARD (self));

    card = id != NULL ? rf_monitor_cards_find (id) : NULL;
    before = self->open;
    self->open = card != NULL ? rf_monitor_card_id (card) : NULL;
    if (self->open == before)
        return;
    set_up (self);
    /* the focus was on something that has been taken down: it stays with the graph that it was about */
    if (self->open != NULL || gtk_widget_get_parent (GTK_WIDGET (find_card (self, before))) != NULL)
        gtk_widget_child_focus (GTK_WIDGET (find_card (self, self->open != NULL ? self->open : before)),
                                GTK_DIR_TAB_FORWARD);
}

const char *
rf_monitor_board_get_open (RfMonitorBoard *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_BOARD (self), NULL);

    return self->open;
}

void
rf_monitor_board_step (RfMonitorBoard *self, int by)
{
    g_autoptr (GPtrArray) ids = NULL;

    g_return_if_fail (RF_IS_MONITOR_BOARD (self));

    ids = chosen (self);
    if (self->open == NULL || ids->len == 0)
        return;
    for (int i = 0; i < (int)ids->len; i++) {
        if (ids->pdata[i] == self->open || g_str_equal (ids->pdata[i], self->open)) {
            rf_monitor_board_open (self, ids->pdata[(i + by + (int)ids->len) % (int)ids->len]);
            return;
        }
    }
    /* it was opened from the compact view and is not among the chosen ones */
    rf_monitor_board_open (self, ids->pdata[by > 0 ? 0 : ids->len - 1]);
}
