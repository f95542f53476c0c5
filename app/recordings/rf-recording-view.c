#define G_LOG_DOMAIN "rf-recording-view"

#include "config.h"

#include "rf-recording-view.h"

#include <glib/gi18n.h>

#include "rf-event-summary.h"
#include "rf-fold.h"
#include "rf-graph-face.h"
#include "rf-label.h"
#include "rf-row.h"
#include "rf-tick-bar.h"
#include "rf-tunable-text.h"

/* of what is seen: how much closer, and how far, one press goes */
#define ZOOM_STEP 0.5
#define SCROLL_STEP 0.5
#define LONGEST 8
/* around a wait that somebody wants to see */
#define AROUND_NS (5 * G_GINT64_CONSTANT (1000000000))

typedef struct {
    RfEventKind kind;
    GtkLabel *label;
} KindWords;

struct _RfRecordingView {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkLabel *range;
    GtkWidget *closer;
    GtkWidget *wider;
    GtkWidget *whole;
    GtkWidget *scrollbar;
    GtkAdjustment *adjustment;
    GtkWidget *list_title;
    GtkWidget *list;

    const RfRecording *recording; /* what is told in words: NULL for a pair */
    RfStretch *stretch;
    gint64 wall_us; /* at time 0; 0: no wall clock */
    GArray *kinds;  /* of KindWords */
    gboolean in_adjustment;
};

G_DEFINE_FINAL_TYPE (RfRecordingView, rf_recording_view, GTK_TYPE_WIDGET)

static char *
moment (RfRecordingView *self, gint64 ns, gboolean fine)
{
    gint64 start, end;

    if (self->wall_us != 0)
        return rf_graph_face_moment (self->wall_us + ns / 1000, TRUE, fine);
    rf_stretch_get_whole (self->stretch, &start, &end);
    return rf_graph_face_moment ((ns - start) / 1000, FALSE, fine);
}

/* ---- what is seen ----------------------------------------------------------------------------------------------- */

static void
update_longest (RfRecordingView *self, gint64 start, gint64 end)
{
    g_autoptr (GPtrArray) longest = rf_event_longest (self->recording, start, end, LONGEST);

    rf_boxed_list_clear (self->list);
    gtk_widget_set_visible (self->list, longest->len > 0);
    gtk_widget_set_visible (self->list_title, longest->len > 0);
    for (guint i = 0; i < longest->len; i++) {
        const RfEvent *event = longest->pdata[i];
        g_autofree char *title = rf_event_text (event);
        g_autofree char *when = moment (self, event->time_ns, TRUE);
        /* Translators: below a wait: when it was, and what it was */
        g_autofree char *subtitle = g_strdup_printf (C_ ("events", "%1$s · %2$s"), when, rf_event_title (event->kind));
        GtkWidget *row = rf_row_new (title, subtitle);

        rf_row_set_leads (RF_ROW (row), TRUE);
        g_object_set_data (G_OBJECT (row), "rf-event", (gpointer)event);
        gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
}

static void
stretch_changed_cb (RfRecordingView *self)
{
    g_autofree char *from = NULL;
    g_autofree char *to = NULL;
    g_autofree char *length = NULL;
    g_autofree char *words = NULL;
    gint64 start, end, whole_start, whole_end, seconds;

    rf_stretch_get (self->stretch, &start, &end);
    rf_stretch_get_whole (self->stretch, &whole_start, &whole_end);
    from = moment (self, start, FALSE);
    to = moment (self, end, FALSE);
    seconds = (end - start) / 1000000000;
    length = rf_format_duration ((double)seconds);
    /* Translators: what is seen of a recording: from, to, how long: "21:14:05 to 21:20:05 (6 min)" */
    words = g_strdup_printf (_ ("%1$s to %2$s (%3$s)"), from, to, length);
    gtk_label_set_text (self->range, words);
    gtk_widget_set_sensitive (self->closer, end - start > RF_STRETCH_LEAST_NS);
    gtk_widget_set_sensitive (self->wider, !rf_stretch_is_whole (self->stretch));
    gtk_widget_set_sensitive (self->whole, !rf_stretch_is_whole (self->stretch));
    gtk_widget_set_visible (self->scrollbar, !rf_stretch_is_whole (self->stretch));

    self->in_adjustment = TRUE;
    /* in seconds: an adjustment counts in double */
    gtk_adjustment_configure (self->adjustment, (double)(start - whole_start) / 1e9, 0,
                              (double)(whole_end - whole_start) / 1e9, (double)(end - start) / 1e10,
                              (double)(end - start) / 1e9, (double)(end - start) / 1e9);
    self->in_adjustment = FALSE;

    for (guint i = 0; i < self->kinds->len; i++) {
        const KindWords *kind = &g_array_index (self->kinds, KindWords, i);
        RfEventSummary summary;
        g_autofree char *text = NULL;

        rf_event_summary_get (self->recording, kind->kind, start, end, &summary);
        text = rf_event_summary_text (&summary);
        gtk_label_set_text (kind->label, text);
    }
    if (self->recording != NULL)
        update_longest (self, start, end);
}

static void
adjusted_cb (GtkAdjustment *adjustment, RfRecordingView *self)
{
    gint64 start, end;

    if (self->in_adjustment)
        return;
    rf_stretch_get_whole (self->stretch, &start, &end);
    rf_stretch_scroll_to (self->stretch, start + (gint64)(gtk_adjustment_get_value (adjustment) * 1e9));
}

/* ---- what a person can do --------------------------------------------------------------------------------------- */

static void
zoom_in_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_stretch_zoom (RF_RECORDING_VIEW (widget)->stretch, ZOOM_STEP, 0.5);
}

static void
zoom_out_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_stretch_zoom (RF_RECORDING_VIEW (widget)->stretch, 1 / ZOOM_STEP, 0.5);
}

static void
whole_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_stretch_show_whole (RF_RECORDING_VIEW (widget)->stretch);
}

static void
earlier_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_stretch_scroll (RF_RECORDING_VIEW (widget)->stretch, -SCROLL_STEP);
}

static void
later_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    rf_stretch_scroll (RF_RECORDING_VIEW (widget)->stretch, SCROLL_STEP);
}

/* With Ctrl the wheel zooms where the pointer is, with Shift or sideways it moves through time; else it is the page's.
 */
static gboolean
scroll_cb (GtkEventControllerScroll *controller, double dx, double dy, RfRecordingView *self)
{
    const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
    GdkEvent *event = gtk_event_controller_get_current_event (GTK_EVENT_CONTROLLER (controller));
    double x = 0, y = 0;

    if ((state & GDK_CONTROL_MASK) != 0 && dy != 0) {
        const int width = MAX (1, gtk_widget_get_width (GTK_WIDGET (self)));

        if (event != NULL)
            gdk_event_get_position (event, &x, &y);
        rf_stretch_zoom (self->stretch, dy > 0 ? 1 / 0.8 : 0.8, CLAMP (x / width, 0, 1));
        return TRUE;
    }
    if ((state & GDK_SHIFT_MASK) != 0 && dy != 0)
        dx = dy;
    if (dx == 0 || rf_stretch_is_whole (self->stretch))
        return FALSE;
    rf_stretch_scroll (self->stretch, dx / 10);
    return TRUE;
}

static void
wait_activated_cb (GtkListBox *list, GtkListBoxRow *row, RfRecordingView *self)
{
    const RfEvent *event = g_object_get_data (G_OBJECT (row), "rf-event");

    rf_stretch_set (self->stretch, event->time_ns - AROUND_NS, event->time_ns + event->duration_ns + AROUND_NS);
}

/* ---- making it -------------------------------------------------------------------------------------------------- */

static void
rf_recording_view_dispose (GObject *object)
{
    RfRecordingView *self = RF_RECORDING_VIEW (object);

    if (self->stretch != NULL)
        g_signal_handlers_disconnect_by_data (self->stretch, self);
    if (self->adjustment != NULL)
        g_signal_handlers_disconnect_by_data (self->adjustment, self);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_object (&self->stretch);
    g_clear_pointer (&self->kinds, g_array_unref);
    self->adjustment = NULL;
    G_OBJECT_CLASS (rf_recording_view_parent_class)->dispose (object);
}

static void
rf_recording_view_class_init (RfRecordingViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_recording_view_dispose;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_install_action (widget_class, "recording.zoom-in", NULL, zoom_in_action);
    gtk_widget_class_install_action (widget_class, "recording.zoom-out", NULL, zoom_out_action);
    gtk_widget_class_install_action (widget_class, "recording.whole", NULL, whole_action);
    gtk_widget_class_install_action (widget_class, "recording.earlier", NULL, earlier_action);
    gtk_widget_class_install_action (widget_class, "recording.later", NULL, later_action);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_plus, GDK_CONTROL_MASK, "recording.zoom-in", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Add, GDK_CONTROL_MASK, "recording.zoom-in", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_minus, GDK_CONTROL_MASK, "recording.zoom-out", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, "recording.zoom-out",
                                         NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_0, GDK_CONTROL_MASK, "recording.whole", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, GDK_CONTROL_MASK, "recording.earlier", NULL);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, GDK_CONTROL_MASK, "recording.later", NULL);
}

static GtkWidget *
icon_button (const char *icon, const char *name, const char *action)
{
    GtkWidget *button = gtk_button_new_from_icon_name (icon);

    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    return button;
}

static GtkWidget *
make_bar (RfRecordingView *self)
{
    GtkWidget *bar = rf_fold_new (0, 8);
    GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *range = rf_label_new (NULL, "rf-heading");

    gtk_widget_add_css_class (range, "rf-numeric");
    gtk_widget_set_hexpand (range, TRUE);
    self->range = GTK_LABEL (range);
    self->closer = icon_button ("zoom-in-symbolic", _ ("Closer"), "recording.zoom-in");
    self->wider = icon_button ("zoom-out-symbolic", _ ("Wider"), "recording.zoom-out");
    self->whole = icon_button ("zoom-fit-best-symbolic", _ ("All of it"), "recording.whole");
    gtk_box_append (GTK_BOX (buttons), self->wider);
    gtk_box_append (GTK_BOX (buttons), self->closer);
    gtk_box_append (GTK_BOX (buttons), self->whole);
    rf_fold_append (RF_FOLD (bar), range);
    rf_fold_append (RF_FOLD (bar), buttons);
    return bar;
}

static void
add_phases (RfRecordingView *self, const RfPhases *phases)
{
    g_autoptr (GString) words = g_string_new (NULL);
    GtkWidget *bar = NULL;

    if (phases == NULL || !rf_phases_any (phases)) {
        gtk_box_append (
            GTK_BOX (self->box),
            rf_label_new (_ ("No phases were found: nothing changes so that chance could not have made it."),
                          "rf-caption"));
        return;
    }
    bar = rf_tick_bar_new (self->stretch, "rf_accent");
    for (guint i = 0; i < RF_N_PHASES; i++) {
        g_autofree char *from = NULL;
        g_autofree char *to = NULL;

        if (!phases->found[i])
            continue;
        from = moment (self, phases->start_ns[i], FALSE);
        to = moment (self, phases->end_ns[i], FALSE);
        if (words->len > 0)
            g_string_append (words, "; ");
        /* Translators: a phase of a recording, from, to */
        g_string_append_printf (words, _ ("%1$s from %2$s to %3$s"), rf_phase_title (i), from, to);
        rf_tick_bar_add_band (RF_TICK_BAR (bar), phases->start_ns[i], phases->end_ns[i], rf_phase_title (i));
    }
    gtk_box_append (GTK_BOX (self->box), bar);
    gtk_box_append (GTK_BOX (self->box), rf_label_new (words->str, "rf-caption"));
}

static const char *
color_of (RfEventKind kind)
{
    switch (kind) {
    case RF_EVENT_RECLAIM:
    case RF_EVENT_OOM_KILL:
        return "rf_danger";
    case RF_EVENT_APPLIED:
    case RF_EVENT_TAKEN_BACK:
        return "rf_mark";
    case RF_EVENT_MARK:
    case RF_EVENT_TILE:
        return "rf_accent";
    default:
        return "rf_warning";
    }
}

/* One bar a kind that there is, with its words. */
static void
add_kinds (RfRecordingView *self)
{
    guint n;
    const RfEventKind *kinds = rf_event_summary_kinds (&n);

    for (guint k = 0; k < n; k++) {
        KindWords words = {.kind = kinds[k]};
        GtkWidget *group = NULL;
        GtkWidget *bar = NULL;

        for (guint i = 0; i < self->recording->events->len; i++) {
            const RfEvent *event = &g_array_index (self->recording->events, RfEvent, i);

            if (event->kind != kinds[k])
                continue;
            if (bar == NULL)
                bar = rf_tick_bar_new (self->stretch, color_of (kinds[k]));
            rf_tick_bar_add (RF_TICK_BAR (bar), event->time_ns, event->time_ns + event->duration_ns);
        }
        if (bar == NULL)
            continue;
        group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
        words.label = GTK_LABEL (rf_label_new (NULL, "rf-numeric"));
        gtk_box_append (GTK_BOX (group), GTK_WIDGET (words.label));
        gtk_box_append (GTK_BOX (group), bar);
        gtk_box_append (GTK_BOX (self->box), group);
        g_array_append_val (self->kinds, words);
    }
}

static void
rf_recording_view_init (RfRecordingView *self)
{
    GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

    self->kinds = g_array_new (FALSE, FALSE, sizeof (KindWords));
    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
    g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
    gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

static void
build (RfRecordingView *self, const RfRecordingTrack *tracks, guint n_tracks, const RfPhases *phases)
{
    gtk_box_append (GTK_BOX (self->box), make_bar (self));
    self->adjustment = gtk_adjustment_new (0, 0, 1, 0.1, 1, 1);
    self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->scrollbar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Part of the recording that is seen"), -1);
    gtk_box_append (GTK_BOX (self->box), self->scrollbar);
    if (n_tracks == 1) {
        add_phases (self, phases);
        add_kinds (self);
    }
    gtk_box_append (GTK_BOX (self->box), rf_recording_board_new (tracks, n_tracks, self->stretch, self->wall_us));
    self->list_title = rf_label_new (_ ("The longest waits"), "rf-group-title");
    self->list = rf_boxed_list_new (_ ("The longest waits"));
    g_signal_connect (self->list, "row-activated", G_CALLBACK (wait_activated_cb), self);
    gtk_widget_set_visible (self->list_title, FALSE);
    gtk_widget_set_visible (self->list, FALSE);
    gtk_box_append (GTK_BOX (self->box), self->list_title);
    gtk_box_append (GTK_BOX (self->box), self->list);
    g_signal_connect (self->adjustment, "value-changed", G_CALLBACK (adjusted_cb), self);
    g_signal_connect_swapped (self->stretch, "changed", G_CALLBACK (stretch_changed_cb), self);
    stretch_changed_cb (self);
}

GtkWidget *
rf_recording_view_new (const RfRecording *recording, const RfPhases *phases)
{
    RfRecordingView *self = g_object_new (RF_TYPE_RECORDING_VIEW, NULL);
    const RfRecordingTrack track = {recording, 0, NULL};
    gint64 start = 0, end = 0;

    rf_recording_span (recording, &start, &end);
    self->recording = recording;
    self->stretch = rf_stretch_new (start, end);
    self->wall_us = rf_recording_wall_us (recording, 0);
    build (self, &track, 1, phases);
    return GTK_WIDGET (self);
}

GtkWidget *
rf_recording_view_new_pair (const RfRecording *before, gint64 before_start_ns, const RfRecording *after,
                            gint64 after_start_ns)
{
    RfRecordingView *self = g_object_new (RF_TYPE_RECORDING_VIEW, NULL);
    const RfRecordingTrack tracks[] = {
        {before, -before_start_ns, _ ("before")},
        {after, -after_start_ns, _ ("after")},
    };
    gint64 start[2] = {0, 0}, end[2] = {0, 0};

    rf_recording_span (before, &start[0], &end[0]);
    rf_recording_span (after, &start[1], &end[1]);
    self->stretch = rf_stretch_new (0, MAX (end[0] - before_start_ns, end[1] - after_start_ns));
    build (self, tracks, 2, NULL);
    return GTK_WIDGET (self);
}

RfStretch *
rf_recording_view_get_stretch (RfRecordingView *self)
{
    g_return_val_if_fail (RF_IS_RECORDING_VIEW (self), NULL);

    return self->stretch;
}
