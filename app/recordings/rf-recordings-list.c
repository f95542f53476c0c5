#define G_LOG_DOMAIN "rf-recordings-list"

#include "config.h"

#include "rf-recordings-list.h"

#include <glib/gi18n.h>

#include "rf-label.h"
#include "rf-pill.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

/* below that a recording says little about an evening of flying; an hour of samples lasts from the first to the last of
 * them a little less */
#define SHORT_US (59 * 60 * (gint64)G_USEC_PER_SEC)

struct _RfRecordingsList {
    GtkWidget parent_instance;
    GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (RfRecordingsList, rf_recordings_list, GTK_TYPE_WIDGET)

enum {
    SIGNAL_OPEN,
    SIGNAL_RENAME,
    SIGNAL_EXPORT,
    SIGNAL_DELETE,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
activated_cb (GtkListBox *list, GtkListBoxRow *row, RfRecordingsList *self)
{
    g_signal_emit (self, signals[SIGNAL_OPEN], 0, g_object_get_data (G_OBJECT (row), "rf-id"));
}

static void
menu_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    const guint signal = g_str_equal (action, "recording-row.rename")   ? SIGNAL_RENAME
                         : g_str_equal (action, "recording-row.export") ? SIGNAL_EXPORT
                                                                        : SIGNAL_DELETE;

    g_signal_emit (widget, signals[signal], 0, g_variant_get_string (parameter, NULL));
}

static void
rf_recordings_list_dispose (GObject *object)
{
    g_clear_pointer (&RF_RECORDINGS_LIST (object)->list, gtk_widget_unparent);
    G_OBJECT_CLASS (rf_recordings_list_parent_class)->dispose (object);
}

static void
rf_recordings_list_class_init (RfRecordingsListClass *klass)
{
    static const char *const names[N_SIGNALS] = {"open", "rename", "export", "delete"};
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_recordings_list_dispose;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    for (guint i = 0; i < N_SIGNALS; i++)
        signals[i] = g_signal_new (names[i], RF_TYPE_RECORDINGS_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   1, G_TYPE_STRING);
    gtk_widget_class_install_action (widget_class, "recording-row.rename", "s", menu_action);
    gtk_widget_class_install_action (widget_class, "recording-row.export", "s", menu_action);
    gtk_widget_class_install_action (widget_class, "recording-row.delete", "s", menu_action);
}

static void
rf_recordings_list_init (RfRecordingsList *self)
{
}

GtkWidget *
rf_recordings_list_new (const char *name)
{
    RfRecordingsList *self = g_object_new (RF_TYPE_RECORDINGS_LIST, NULL);

    self->list = rf_boxed_list_new (name);
    gtk_widget_set_parent (self->list, GTK_WIDGET (self));
    g_signal_connect (self->list, "row-activated", G_CALLBACK (activated_cb), self);
    return GTK_WIDGET (self);
}

/* Of what is long nobody wants seconds, least of all "59 min 59 s" for an hour. */
static char *
length_text (gint64 us)
{
    gint64 seconds = us / G_USEC_PER_SEC;

    if (seconds >= 600)
        seconds = (seconds + 30) / 60 * 60;
    return rf_format_duration ((double)seconds);
}

/* "30 November, 21:14 · 1 h 22 min · X-Plane · 34 MiB" */
static char *
describe (const RfRecordingSummary *summary)
{
    g_autoptr (GString) out = g_string_new (NULL);
    g_autofree char *size = rf_format_disk_bytes (summary->size_bytes);

    if (summary->info == NULL) {
        g_string_append (out, _ ("Cannot be read: its description is damaged"));
        return g_string_free (g_steal_pointer (&out), FALSE);
    }
    if (summary->info->created_us != 0) {
        g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (summary->info->created_us / G_USEC_PER_SEC);
        g_autofree char *when = time != NULL ? g_date_time_format (time, _ ("%-e %B %Y, %H:%M")) : NULL;

        if (when != NULL)
            g_string_append_printf (out, "%s · ", when);
    }
    if (summary->duration_us >= 0) {
        g_autofree char *length = length_text (summary->duration_us);

        g_string_append_printf (out, "%s · ", length);
    }
    if (*summary->info->workload != '\0')
        g_string_append_printf (out, "%s · ", summary->info->workload);
    g_string_append (out, size);
    return g_string_free (g_steal_pointer (&out), FALSE);
}

static GtkWidget *
verdict (const RfRecordingSummary *summary)
{
    if (summary->running)
        return rf_pill_new (RF_PILL_ACCENT, _ ("recording"));
    if (summary->info == NULL)
        return rf_pill_new (RF_PILL_DANGER, _ ("damaged"));
    if (summary->info->trust == RF_TRUST_NO)
        return rf_pill_new (RF_PILL_WARNING, _ ("not trustworthy"));
    if (summary->duration_us >= 0 && summary->duration_us < SHORT_US)
        return rf_pill_new (RF_PILL_NEUTRAL, _ ("short"));
    return NULL;
}

static void
append_item (GMenu *menu, const char *label, const char *action, const char *id)
{
    GMenuItem *item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, action, "s", id);
    g_menu_append_item (menu, item);
    g_object_unref (item);
}

static GtkWidget *
menu_button (const RfRecordingSummary *summary, const char *title)
{
    GtkWidget *button = gtk_menu_button_new ();
    g_autoptr (GMenu) menu = g_menu_new ();
    /* Translators: a button that opens a menu; %s is the name of a recording */
    g_autofree char *name = g_strdup_printf (_ ("Actions: %s"), title);

    if (summary->info != NULL) {
        append_item (menu, _ ("_Rename…"), "recording-row.rename", summary->id);
        append_item (menu, _ ("_Export…"), "recording-row.export", summary->id);
    }
    append_item (menu, _ ("_Delete…"), "recording-row.delete", summary->id);
    gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
    gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
    gtk_widget_set_tooltip_text (button, name);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_sensitive (button, !summary->running);
    return button;
}

guint
rf_recordings_list_show (RfRecordingsList *self, const GPtrArray *summaries, const char *without, gboolean choosing)
{
    guint shown = 0;

    g_return_val_if_fail (RF_IS_RECORDINGS_LIST (self), 0);

    rf_boxed_list_clear (self->list);
    for (guint i = 0; i < summaries->len; i++) {
        const RfRecordingSummary *summary = summaries->pdata[i];
        const gboolean readable = summary->info != NULL && !summary->running;
        g_autofree char *title = rf_recording_summary_title (summary);
        g_autofree char *subtitle = describe (summary);
        GtkWidget *row = NULL;
        GtkWidget *pill = NULL;

        if (g_strcmp0 (summary->id, without) == 0 || (choosing && !readable))
            continue;
        row = rf_row_new (title, subtitle);
        pill = verdict (summary);
        if (pill != NULL) {
            gtk_widget_set_valign (pill, GTK_ALIGN_CENTER);
            rf_row_add_suffix (RF_ROW (row), pill);
        }
        if (!choosing)
            rf_row_add_suffix (RF_ROW (row), menu_button (summary, title));
        rf_row_set_leads (RF_ROW (row), readable);
        g_object_set_data_full (G_OBJECT (row), "rf-id", g_strdup (summary->id), g_free);
        gtk_list_box_append (GTK_LIST_BOX (self->list), row);
        shown++;
    }
    gtk_widget_set_visible (GTK_WIDGET (self), shown > 0);
    return shown;
}
