#define G_LOG_DOMAIN "rf-monitor-page"

#include "config.h"

#include "rf-monitor-page-private.h"

#include "rf-clamp.h"
#include "rf-monitor-bar.h"
#include "rf-monitor-cards.h"
#include "rf-monitor-chooser.h"

G_DEFINE_FINAL_TYPE (RfMonitorPage, rf_monitor_page, GTK_TYPE_WIDGET)

enum {
    PROP_COMPACT = 1,
    PROP_PAUSED,
    N_PROPS
};

static GParamSpec *props[N_PROPS];

gboolean
rf_monitor_page_shows_compact (RfMonitorPage *self)
{
    return rf_monitor_choice_get_compact (self->choice) && rf_monitor_board_get_open (self->board) == NULL;
}

/* Between two texts of the numbers: one that changes four times a second cannot be read, and each change of a text makes
 * GTK measure the whole page anew, which costs more than drawing all its graphs. A little less than a second, as samples
 * may come once a second only. */
#define WORDS_EVERY_US (G_USEC_PER_SEC * 9 / 10)

static void
update_cards (RfMonitorPage *self)
{
    const RfSample *sample = rf_sampler_get_sample (self->sampler);

    if (self->paused)
        return;
    self->worded = sample != NULL ? sample->monotonic_us : 0;
    if (rf_monitor_page_shows_compact (self))
        rf_monitor_compact_update (self->compact);
    else
        rf_monitor_board_update (self->board);
}

static void
refresh_graph (RfGraphCard *card, gpointer data)
{
    rf_graph_refresh (rf_graph_card_get_graph (card));
}

static void
sampled_cb (RfSampler *sampler, RfMonitorPage *self)
{
    if (rf_sampler_get_sample (sampler)->monotonic_us - self->worded >= WORDS_EVERY_US)
        update_cards (self);
    else if (!self->paused && rf_monitor_page_shows_compact (self))
        rf_monitor_compact_foreach (self->compact, refresh_graph, NULL);
    else if (!self->paused)
        rf_monitor_board_foreach (self->board, refresh_graph, NULL);
}

/* All graphs of the page share the time that they show, the cursor and the marks. */
static void
connect_card (RfGraphCard *card, gpointer data)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (data);

    rf_graph_set_timeline (rf_graph_card_get_graph (card), self->timeline);
    rf_graph_set_marks (rf_graph_card_get_graph (card), rf_sampler_get_marks (self->sampler));
}

/* What is seen follows from the choice and from what is in full size, and is decided here and nowhere else. */
static void
update_view (RfMonitorPage *self)
{
    const guint minutes = rf_monitor_choice_get_minutes (self->choice);

    rf_timeline_set_span (self->timeline, minutes * 60 * 1000 / rf_timeline_get_interval_ms (self->timeline));
    gtk_widget_set_visible (GTK_WIDGET (self->compact), rf_monitor_page_shows_compact (self));
    gtk_widget_set_visible (GTK_WIDGET (self->board), !rf_monitor_page_shows_compact (self));
}

static void
choice_changed_cb (RfMonitorPage *self)
{
    update_view (self);
    update_cards (self);
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COMPACT]);
}

/* Stops what is seen; the sampler goes on, so that nothing is missing afterwards. */
static void
set_paused (RfMonitorPage *self, gboolean paused)
{
    const guint64 total = rf_series_total (rf_sampler_get_series (self->sampler, 0));

    if (paused == self->paused || total == 0)
        return;
    self->paused = paused;
    if (paused)
        rf_timeline_stop (self->timeline, total);
    else
        rf_timeline_go (self->timeline);
    update_cards (self);
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PAUSED]);
}

/* ---- what a person can do --------------------------------------------------------------------------------------- */

static void
open_graph (RfMonitorPage *self, const char *id)
{
    rf_monitor_board_open (self->board, id);
    update_view (self);
    update_cards (self);
}

static void
open_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    open_graph (RF_MONITOR_PAGE (widget), g_variant_get_string (parameter, NULL));
}

static void
close_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    open_graph (RF_MONITOR_PAGE (widget), NULL);
}

static void
step_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_monitor_board_step (RF_MONITOR_PAGE (widget)->board, g_variant_get_int32 (parameter));
}

static void
range_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_monitor_choice_step_minutes (RF_MONITOR_PAGE (widget)->choice, g_variant_get_int32 (parameter));
}

static void
choose_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    GtkWidget *chooser = rf_monitor_chooser_new (RF_MONITOR_PAGE (widget)->choice);

    gtk_window_set_transient_for (GTK_WINDOW (chooser), GTK_WINDOW (gtk_widget_get_root (widget)));
    gtk_window_present (GTK_WINDOW (chooser));
}

/* Keys of the page; those with a modifier wherever in the window the focus is, as long as the page is seen. */
typedef struct {
    guint keyval;
    GdkModifierType modifiers;
    const char *action;
    int by; /* parameter of the action, where it has one */
} RfMonitorKey;

static const RfMonitorKey keys[] = {
    {GDK_KEY_p, GDK_CONTROL_MASK, "monitor.pause", 0},
    {GDK_KEY_Pause, 0, "monitor.pause", 0},
    {GDK_KEY_plus, GDK_CONTROL_MASK, "monitor.range", -1},
    {GDK_KEY_KP_Add, GDK_CONTROL_MASK, "monitor.range", -1},
    {GDK_KEY_minus, GDK_CONTROL_MASK, "monitor.range", 1},
    {GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, "monitor.range", 1},
    {GDK_KEY_m, GDK_CONTROL_MASK, "monitor.compact", 0},
    {GDK_KEY_g, GDK_CONTROL_MASK, "monitor.choose", 0},
    {GDK_KEY_s, GDK_CONTROL_MASK, "monitor.save-picture", 0},
    {GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "monitor.save-table", 0},
    {GDK_KEY_Up, 0, "monitor.step", -1},
    {GDK_KEY_Down, 0, "monitor.step", 1},
};

static gboolean
key_cb (GtkWidget *widget, GVariant *arguments, gpointer data)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);
    const RfMonitorKey *key = data;

    if (!gtk_widget_get_mapped (widget))
        return FALSE;
    if (g_str_equal (key->action, "monitor.step") && rf_monitor_board_get_open (self->board) == NULL)
        return FALSE;
    return gtk_widget_activate_action (widget, key->action, key->by != 0 ? "i" : NULL, key->by);
}

static void
add_keys (RfMonitorPage *self)
{
    GtkEventController *everywhere = gtk_shortcut_controller_new ();
    /* bare arrow keys move the focus in a window, unless something within has taken them before */
    GtkEventController *within = gtk_shortcut_controller_new ();

    gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (everywhere), GTK_SHORTCUT_SCOPE_GLOBAL);
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        gtk_shortcut_controller_add_shortcut (
            GTK_SHORTCUT_CONTROLLER (keys[i].modifiers == 0 ? within : everywhere),
            gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].keyval, keys[i].modifiers),
                              gtk_callback_action_new (key_cb, (gpointer)&keys[i], NULL)));
    gtk_widget_add_controller (GTK_WIDGET (self), everywhere);
    gtk_widget_add_controller (GTK_WIDGET (self), within);
}

/* ---- widget ----------------------------------------------------------------------------------------------------- */

static void
rf_monitor_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (object);

    switch (id) {
    case PROP_COMPACT:
        g_value_set_boolean (value, self->choice != NULL && rf_monitor_choice_get_compact (self->choice));
        break;
    case PROP_PAUSED:
        g_value_set_boolean (value, self->paused);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_monitor_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (object);

    switch (id) {
    case PROP_COMPACT:
        rf_monitor_choice_set_compact (self->choice, g_value_get_boolean (value));
        break;
    case PROP_PAUSED:
        set_paused (self, g_value_get_boolean (value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
rf_monitor_page_map (GtkWidget *widget)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);

    GTK_WIDGET_CLASS (rf_monitor_page_parent_class)->map (widget);
    self->sampled = g_signal_connect (self->sampler, "sampled", G_CALLBACK (sampled_cb), self);
    rf_sampler_hold_lively (self->sampler);
    update_cards (self);
}

static void
rf_monitor_page_unmap (GtkWidget *widget)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);

    g_clear_signal_handler (&self->sampled, self->sampler);
    rf_sampler_release_lively (self->sampler);
    GTK_WIDGET_CLASS (rf_monitor_page_parent_class)->unmap (widget);
}

static void
rf_monitor_page_dispose (GObject *object)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (object);

    g_clear_pointer (&self->scroller, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_monitor_page_parent_class)->dispose (object);
    g_clear_object (&self->choice);
    g_clear_object (&self->timeline);
    g_clear_object (&self->sampler);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
    gtk_widget_class_install_property_action (widget_class, "monitor.compact", "compact");
    gtk_widget_class_install_property_action (widget_class, "monitor.pause", "paused");
    gtk_widget_class_install_action (widget_class, "monitor.open", "s", open_action);
    gtk_widget_class_install_action (widget_class, "monitor.close", NULL, close_action);
    gtk_widget_class_install_action (widget_class, "monitor.step", "i", step_action);
    gtk_widget_class_install_action (widget_class, "monitor.range", "i", range_action);
    gtk_widget_class_install_action (widget_class, "monitor.choose", NULL, choose_action);
    rf_monitor_page_install_saving (widget_class);
}

static void
rf_monitor_page_class_init (RfMonitorPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS (klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

    object_class->get_property = rf_monitor_page_get_property;
    object_class->set_property = rf_monitor_page_set_property;
    object_class->dispose = rf_monitor_page_dispose;
    widget_class->map = rf_monitor_page_map;
    widget_class->unmap = rf_monitor_page_unmap;
    props[PROP_COMPACT] = g_param_spec_boolean ("compact", NULL, NULL, FALSE, flags);
    props[PROP_PAUSED] = g_param_spec_boolean ("paused", NULL, NULL, FALSE, flags);
    g_object_class_install_properties (object_class, N_PROPS, props);
    install_actions (widget_class);

    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_MESSAGE_BAR);
    gtk_widget_class_set_template_from_resource (widget_class, "/io/github/ruckelfrei/Ruckelfrei/rf-monitor-page.ui");
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, scroller);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, content);
    gtk_widget_class_bind_template_child (widget_class, RfMonitorPage, message);
}

static void
rf_monitor_page_init (RfMonitorPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    add_keys (self);
}

GtkWidget *
rf_monitor_page_new (RfSampler *sampler, RfFacts *facts, GSettings *settings)
{
    RfMonitorPage *self = NULL;
    g_autofree const char **ids = rf_monitor_cards_ids ();

    g_return_val_if_fail (RF_IS_SAMPLER (sampler), NULL);

    self = g_object_new (RF_TYPE_MONITOR_PAGE, NULL);
    self->sampler = g_object_ref (sampler);
    self->choice = rf_monitor_choice_new (settings, ids);
    self->timeline = rf_timeline_new (rf_sampler_get_interval_ms (sampler));
    self->board = RF_MONITOR_BOARD (rf_monitor_board_new (sampler, self->choice));
    self->compact = RF_MONITOR_COMPACT (rf_monitor_compact_new (sampler, facts));
    gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->board));
    gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->compact));
    rf_monitor_board_foreach (self->board, connect_card, self);
    rf_monitor_compact_foreach (self->compact, connect_card, self);
    gtk_box_prepend (GTK_BOX (self->content), rf_monitor_bar_new (self->choice, self->timeline, sampler));
    update_view (self);
    g_signal_connect_object (self->choice, "changed", G_CALLBACK (choice_changed_cb), self, G_CONNECT_SWAPPED);
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COMPACT]);
    return GTK_WIDGET (self);
}

void
rf_monitor_page_zoom_in (RfMonitorPage *self)
{
    guint n_ranges = 0;

    g_return_if_fail (RF_IS_MONITOR_PAGE (self));

    rf_monitor_choice_set_minutes (self->choice, rf_monitor_choice_ranges (&n_ranges)[0]);
}

gboolean
rf_monitor_page_go_back (RfMonitorPage *self)
{
    g_return_val_if_fail (RF_IS_MONITOR_PAGE (self), FALSE);

    if (rf_monitor_board_get_open (self->board) == NULL)
        return FALSE;
    open_graph (self, NULL);
    return TRUE;
}
