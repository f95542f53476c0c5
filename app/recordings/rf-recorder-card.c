#define G_LOG_DOMAIN "rf-recorder-card"

#include "config.h"

#include "rf-recorder-card.h"

#include <glib/gi18n.h>

#include "rf-fold.h"
#include "rf-label.h"

enum {
    BUTTON_START,
    BUTTON_ANYWAY,
    BUTTON_CANCEL,
    BUTTON_MARK,
    BUTTON_WRITE,
    BUTTON_STOP,
    N_BUTTONS,
};

struct _RfRecorderCard {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkWidget *heading;
    GtkWidget *time;
    GtkWidget *marks;
    GtkWidget *words;
    GtkWidget *note;
    GtkWidget *options;
    GtkCheckButton *trace;
    GtkCheckButton *pre_roll;
    GtkWidget *button[N_BUTTONS];

    RfRecordingDesk *desk;
    RfClient *client;
    guint tick; /* while it is seen and runs */
};

G_DEFINE_FINAL_TYPE (RfRecorderCard, rf_recorder_card, GTK_TYPE_WIDGET)

static const char *
heading_of (RfDeskState state)
{
    switch (state) {
    case RF_DESK_DOUBTING:
        return _ ("Before you record");
    case RF_DESK_CHECKING:
    case RF_DESK_STARTING:
        return _ ("The recording begins…");
    case RF_DESK_PRE_ROLL:
        return _ ("The last two minutes are kept");
    case RF_DESK_RECORDING:
        return _ ("Recording");
    case RF_DESK_STOPPING:
        return _ ("The recording is being finished…");
    case RF_DESK_IDLE:
    default:
        return _ ("Record what happens");
    }
}

/* Returns: (transfer full) */
static char *
words_of (RfRecordingDesk *desk, RfDeskState state)
{
    switch (state) {
    case RF_DESK_DOUBTING:
        return g_strjoinv ("\n", (char **)rf_recording_desk_get_doubts (desk));
    case RF_DESK_STARTING:
        return g_strdup (_ ("The helper is asked. It may want your password."));
    case RF_DESK_PRE_ROLL:
        return g_strdup (_ ("Nothing is written yet. When it stutters, press the button: the recording then begins with "
                            "the two minutes before."));
    case RF_DESK_RECORDING:
        return g_strdup (_ ("Use your programs as always. You can close this window: the recording goes on. Press the "
                            "button or Ctrl+D when it stutters, so that you find the moment again."));
    case RF_DESK_CHECKING:
    case RF_DESK_STOPPING:
        return g_strdup ("");
    case RF_DESK_IDLE:
    default:
        break;
    }
    if (rf_recording_desk_get_outcome (desk) != NULL)
        return g_strdup (rf_recording_desk_get_outcome (desk));
    return g_strdup (_ ("Everything that the monitor shows, ten times a second, with graphics cards and X-Plane's frame "
                        "times where there are any. Nothing is changed."));
}

static void
set_words (GtkWidget *label, const char *words)
{
    if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), words) != 0)
        gtk_label_set_text (GTK_LABEL (label), words);
    gtk_widget_set_visible (label, *words != '\0');
}

static void
update_time (RfRecorderCard *self)
{
    const gint64 elapsed = rf_recording_desk_get_elapsed_s (self->desk);
    g_autofree char *words
        = g_strdup_printf ("%d:%02d:%02d", (int)(elapsed / 3600), (int)(elapsed / 60 % 60), (int)(elapsed % 60));

    set_words (self->time, words);
}

static gboolean
tick_cb (gpointer data)
{
    update_time (RF_RECORDER_CARD (data));
    return G_SOURCE_CONTINUE;
}

static void
update_tick (RfRecorderCard *self)
{
    const gboolean wanted = gtk_widget_get_mapped (GTK_WIDGET (self)) && gtk_widget_get_visible (self->time);

    if (wanted && self->tick == 0)
        self->tick = g_timeout_add_seconds (1, tick_cb, self);
    else if (!wanted)
        g_clear_handle_id (&self->tick, g_source_remove);
}

/* A button that goes takes the focus with it: the next one is what goes on. */
static void
keep_focus (RfRecorderCard *self)
{
    for (guint i = 0; i < N_BUTTONS; i++) {
        if (gtk_widget_get_visible (self->button[i]) && gtk_widget_get_sensitive (self->button[i])) {
            gtk_widget_grab_focus (self->button[i]);
            return;
        }
    }
}

static void
update_buttons (RfRecorderCard *self, RfDeskState state)
{
    const gboolean visible[N_BUTTONS] = {
        [BUTTON_START] = state == RF_DESK_IDLE || state == RF_DESK_CHECKING || state == RF_DESK_STARTING,
        [BUTTON_ANYWAY] = state == RF_DESK_DOUBTING,
        [BUTTON_CANCEL] = state == RF_DESK_DOUBTING,
        [BUTTON_MARK] = state == RF_DESK_PRE_ROLL || state == RF_DESK_RECORDING,
        [BUTTON_WRITE] = state == RF_DESK_PRE_ROLL,
        [BUTTON_STOP] = state >= RF_DESK_PRE_ROLL,
    };
    gboolean had_focus = FALSE;

    for (guint i = 0; i < N_BUTTONS; i++)
        had_focus |= gtk_widget_is_focus (self->button[i]) && !visible[i];
    gtk_widget_set_sensitive (self->button[BUTTON_START], state == RF_DESK_IDLE);
    gtk_widget_set_sensitive (self->button[BUTTON_STOP], state != RF_DESK_STOPPING);
    /* what comes first, so that the focus always has a place to go to */
    for (guint i = 0; i < N_BUTTONS; i++) {
        if (visible[i])
            gtk_widget_set_visible (self->button[i], TRUE);
    }
    if (had_focus)
        keep_focus (self);
    for (guint i = 0; i < N_BUTTONS; i++)
        gtk_widget_set_visible (self->button[i], visible[i]);
}

static void
update (RfRecorderCard *self)
{
    const RfDeskState state = rf_recording_desk_get_state (self->desk);
    const gboolean writing = state == RF_DESK_RECORDING || state == RF_DESK_STOPPING;
    const guint count = rf_recording_desk_get_marks (self->desk);
    const char *note = rf_recording_desk_get_note (self->desk);
    g_autofree char *words = words_of (self->desk, state);
    g_autofree char *marks = g_strdup_printf (ngettext ("%u mark", "%u marks", count), count);

    set_words (self->heading, heading_of (state));
    set_words (self->words, words);
    set_words (self->note, note != NULL && state >= RF_DESK_PRE_ROLL ? note : "");
    set_words (self->marks, writing ? marks : "");
    update_time (self);
    gtk_widget_set_visible (self->time, writing);
    gtk_widget_set_visible (gtk_widget_get_parent (self->time), writing);
    gtk_widget_set_visible (self->options, state == RF_DESK_IDLE);
    update_buttons (self, state);
    update_tick (self);
}

static void
start_cb (RfRecorderCard *self)
{
    rf_recording_desk_start (self->desk, self->client, gtk_check_button_get_active (self->trace),
                             gtk_check_button_get_active (self->pre_roll));
}

static void
anyway_cb (RfRecorderCard *self)
{
    rf_recording_desk_start_anyway (self->desk);
}

static void
cancel_cb (RfRecorderCard *self)
{
    rf_recording_desk_cancel (self->desk);
}

static void
mark_cb (RfRecorderCard *self)
{
    rf_recording_desk_mark (self->desk);
}

static void
write_cb (RfRecorderCard *self)
{
    rf_recording_desk_write (self->desk);
}

static void
stop_cb (RfRecorderCard *self)
{
    rf_recording_desk_stop (self->desk);
}

static void
rf_recorder_card_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (rf_recorder_card_parent_class)->map (widget);
    update (RF_RECORDER_CARD (widget));
}

static void
rf_recorder_card_unmap (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (rf_recorder_card_parent_class)->unmap (widget);
    update_tick (RF_RECORDER_CARD (widget));
}

static void
rf_recorder_card_dispose (GObject *object)
{
    RfRecorderCard *self = RF_RECORDER_CARD (object);

    g_clear_handle_id (&self->tick, g_source_remove);
    g_clear_object (&self->desk);
    g_clear_object (&self->client);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_recorder_card_parent_class)->dispose (object);
}

static void
rf_recorder_card_class_init (RfRecorderCardClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_recorder_card_dispose;
    widget_class->map = rf_recorder_card_map;
    widget_class->unmap = rf_recorder_card_unmap;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkCheckButton *
make_option (GtkWidget *box, const char *label)
{
    GtkWidget *check = gtk_check_button_new_with_mnemonic (label);
    GtkWidget *words = gtk_widget_get_last_child (check);

    rf_label_let_wrap (words);
    gtk_label_set_justify (GTK_LABEL (words), GTK_JUSTIFY_LEFT);
    gtk_label_set_xalign (GTK_LABEL (words), 0);
    gtk_box_append (GTK_BOX (box), check);
    return GTK_CHECK_BUTTON (check);
}

static GtkWidget *
make_buttons (RfRecorderCard *self)
{
    static const struct {
        const char *label;
        const char *css_class;
        void (*pressed) (RfRecorderCard *self);
    } buttons[N_BUTTONS] = {
        [BUTTON_START] = {N_ ("_Start recording"), "suggested-action", start_cb},
        [BUTTON_ANYWAY] = {N_ ("_Record anyway"), "suggested-action", anyway_cb},
        [BUTTON_CANCEL] = {N_ ("_Cancel"), NULL, cancel_cb},
        [BUTTON_MARK] = {N_ ("It stuttered _now"), "suggested-action", mark_cb},
        [BUTTON_WRITE] = {N_ ("_Begin without a mark"), NULL, write_cb},
        [BUTTON_STOP] = {N_ ("S_top"), NULL, stop_cb},
    };
    GtkWidget *box = rf_fold_new (0, 8);

    for (guint i = 0; i < N_BUTTONS; i++) {
        self->button[i] = gtk_button_new_with_mnemonic (_ (buttons[i].label));
        gtk_widget_add_css_class (self->button[i], "rf-pill-button");
        if (buttons[i].css_class != NULL)
            gtk_widget_add_css_class (self->button[i], buttons[i].css_class);
        rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (self->button[i])));
        g_signal_connect_swapped (self->button[i], "clicked", G_CALLBACK (buttons[i].pressed), self);
        rf_fold_append (RF_FOLD (box), self->button[i]);
    }
    gtk_widget_set_tooltip_text (self->button[BUTTON_MARK], _ ("Marks this moment in the recording (Ctrl+D)"));
    gtk_widget_set_halign (box, GTK_ALIGN_START);
    return box;
}

static void
rf_recorder_card_init (RfRecorderCard *self)
{
    GtkWidget *numbers = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

    self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
    gtk_widget_add_css_class (self->box, "rf-card");
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    self->heading = rf_label_new (NULL, "rf-heading");
    self->time = rf_label_new (NULL, "rf-value");
    self->marks = rf_label_new (NULL, "rf-dim");
    gtk_widget_add_css_class (self->time, "rf-numeric");
    gtk_widget_set_valign (self->marks, GTK_ALIGN_BASELINE);
    gtk_widget_set_valign (self->time, GTK_ALIGN_BASELINE);
    gtk_box_append (GTK_BOX (numbers), self->time);
    gtk_box_append (GTK_BOX (numbers), self->marks);
    self->words = rf_label_new (NULL, NULL);
    self->note = rf_label_new (NULL, "rf-dim");
    self->options = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
    self->trace = make_option (self->options,
                               _ ("With the _kernel's events: who waited, and for how long (asks for your password)"));
    self->pre_roll = make_option (self->options, _ ("_Only keep the last two minutes until I press a button"));
    gtk_box_append (GTK_BOX (self->box), self->heading);
    gtk_box_append (GTK_BOX (self->box), numbers);
    gtk_box_append (GTK_BOX (self->box), self->words);
    gtk_box_append (GTK_BOX (self->box), self->note);
    gtk_box_append (GTK_BOX (self->box), self->options);
    gtk_box_append (GTK_BOX (self->box), make_buttons (self));
}

GtkWidget *
rf_recorder_card_new (RfRecordingDesk *desk, RfClient *client)
{
    RfRecorderCard *self = NULL;

    g_return_val_if_fail (RF_IS_RECORDING_DESK (desk), NULL);

    self = g_object_new (RF_TYPE_RECORDER_CARD, NULL);
    self->desk = g_object_ref (desk);
    g_set_object (&self->client, client);
    g_signal_connect_object (desk, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    update (self);
    return GTK_WIDGET (self);
}
