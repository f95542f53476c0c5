/* Saving what the page shows. */
#define G_LOG_DOMAIN "rf-monitor-page"

#include "config.h"

#include "rf-monitor-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "rf-monitor-bar.h"
#include "rf-monitor-cards.h"
#include "rf-monitor-save.h"
#include "rf-screenshot.h"

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfMonitorPage) self = RF_MONITOR_PAGE (data);
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = rf_monitor_save_finish (result, &error);
    g_autofree char *name = NULL;
    g_autofree char *text = NULL;

    /* the window may have been closed meanwhile, or the person does not want to save */
    if (self->scroller == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    if (file == NULL) {
        rf_message_bar_show (self->message, RF_MESSAGE_DANGER, error->message);
        return;
    }
    name = g_file_get_parse_name (file);
    /* Translators: %s is a file */
    text = g_strdup_printf (_ ("Saved as “%s”."), name);
    rf_message_bar_show (self->message, RF_MESSAGE_GOOD, text);
}

/* @bytes: (nullable): with @error */
static void
save (RfMonitorPage *self, GBytes *bytes, const GError *error, const char *question, const char *extension)
{
    g_autoptr (GDateTime) time = rf_monitor_bar_end (self->timeline, self->sampler);
    g_autofree char *name = rf_monitor_save_name (time, extension);

    if (error != NULL)
        rf_message_bar_show (self->message, RF_MESSAGE_DANGER, error->message);
    else
        rf_monitor_save_async (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), question, name, bytes, saved_cb,
                               g_object_ref (self));
}

/* What is saved is what is seen when the person asks for it, however long the question is open. */
static void
save_picture_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);
    GtkWidget *graphs = rf_monitor_page_shows_compact (self) ? GTK_WIDGET (self->compact) : GTK_WIDGET (self->board);
    g_autoptr (GDateTime) end = rf_monitor_bar_end (self->timeline, self->sampler);
    g_autofree char *range = rf_monitor_bar_range (self->choice);
    g_autofree char *time = g_date_time_format (end, "%x %X");
    /* Translators: words above a picture of the graphs: %1$s is "Last 5 minutes", %2$s a day and a time */
    g_autofree char *title = g_strdup_printf (_ ("%1$s, up to %2$s"), range, time);
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = rf_screenshot_take (graphs, title, &error);

    save (self, bytes, error, _ ("Save as picture"), "png");
}

static void
add_columns (RfGraphCard *card, gpointer data)
{
    gpointer *both = data;

    rf_monitor_card_add_columns (rf_monitor_cards_find (gtk_widget_get_name (GTK_WIDGET (card))), both[0], both[1]);
}

static void
save_table_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfMonitorPage *self = RF_MONITOR_PAGE (widget);
    const guint64 stopped = rf_timeline_get_end (self->timeline);
    const guint64 end = stopped > 0 ? stopped : rf_series_total (rf_sampler_get_series (self->sampler, 0));
    const guint64 span = rf_timeline_get_span (self->timeline);
    g_autoptr (GArray) columns = rf_series_columns_new ();
    g_autoptr (GPtrArray) shown = rf_monitor_board_shown (self->board);
    gpointer both[] = {self->sampler, columns};
    g_autoptr (GBytes) bytes = NULL;
    char *text = NULL;

    if (rf_monitor_page_shows_compact (self))
        rf_monitor_compact_foreach (self->compact, add_columns, both);
    else
        g_ptr_array_foreach (shown, (GFunc)(void (*) (void))add_columns, both);
    if (columns->len == 0 || end == 0) {
        rf_message_bar_show (self->message, RF_MESSAGE_INFO, _ ("There is nothing to save yet."));
        return;
    }
    text = rf_series_table (columns, end - MIN (end, span), end, rf_sampler_get_time (self->sampler, end - 1),
                            rf_timeline_get_interval_ms (self->timeline));
    bytes = g_bytes_new_take (text, strlen (text));
    save (self, bytes, NULL, _ ("Save as table"), "csv");
}

void
rf_monitor_page_install_saving (GtkWidgetClass *widget_class)
{
    gtk_widget_class_install_action (widget_class, "monitor.save-picture", NULL, save_picture_action);
    gtk_widget_class_install_action (widget_class, "monitor.save-table", NULL, save_table_action);
}
