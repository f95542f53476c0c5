/* Taking back: one setting, one record, everything, and once more what was left alone. */
#define G_LOG_DOMAIN "rf-history-page"
#include "config.h"

#include "rf-history-page-private.h"

#include "rf-current.h"
#include "rf-error.h"
#include "rf-history-ask.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

static void
left_free (gpointer data)
{
    RfHistoryLeft *left = data;
    g_free (left->record_id);
    g_free (left->instance);
    g_free (left);
}

GPtrArray *
rf_history_left_new_list (void)
{
    return g_ptr_array_new_with_free_func (left_free);
}

static void
update_sensitive (RfHistoryPage *self)
{
    gtk_widget_set_sensitive (self->revert_all, self->working == 0);
    gtk_widget_set_sensitive (self->active, self->working == 0);
    gtk_widget_set_sensitive (self->past, self->working == 0);
    if (self->working == 0)
        gtk_widget_set_visible (self->work, FALSE);
}

/* Emptying compressed swap takes long; everything else is done before a bar could be seen. */
void
rf_history_page_show_progress (RfHistoryPage *self, const char *id, const char *step, guint done, guint total)
{
    const RfTunable *tunable = rf_tunable_find (step);
    if (self->working == 0 || total == 0 || tunable == NULL || tunable->backend != RF_BACKEND_ZRAM)
        return;
    if (!gtk_widget_get_visible (self->work))
        gtk_widget_set_sensitive (self->work_cancel, TRUE);
    g_autofree char *moved = rf_format_bytes ((guint64) done << 20);
    g_autofree char *all = rf_format_bytes ((guint64) total << 20);
    g_autofree char *text = g_strdup_printf (_ ("Emptying the compressed swap: %1$s of %2$s"), moved, all);
    gtk_label_set_text (GTK_LABEL (self->work_text), text);
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->work_bar), MIN (1.0, (double) done / total));
    gtk_widget_set_visible (self->work, TRUE);
}

void
rf_history_page_cancel_work (RfHistoryPage *self)
{
    gtk_widget_set_sensitive (self->work_cancel, FALSE);
    gtk_label_set_text (GTK_LABEL (self->work_text), _ ("Cancelling…"));
    rf_client_cancel (self->client);
}

/* Taking back. */

static void
collect_left (RfHistoryPage *self, const RfRecord *record, const RfHistoryLeft *only)
{
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        if (entry->state != RF_ENTRY_LEFT_ALONE)
            continue;
        if (only != NULL && (entry->tunable != only->tunable || !g_str_equal (entry->instance, only->instance)))
            continue;
        RfHistoryLeft *left = g_new0 (RfHistoryLeft, 1);
        left->record_id = g_strdup (record->id);
        left->tunable = entry->tunable;
        left->instance = g_strdup (entry->instance);
        g_ptr_array_add (self->left, left);
    }
}

static guint
count_next_boot (const RfRecord *record)
{
    guint n = 0;
    for (guint i = 0; i < record->entries->len; i++)
        n += ((const RfRecordEntry *) g_ptr_array_index (record->entries, i))->state == RF_ENTRY_NEXT_BOOT ? 1 : 0;
    return n;
}

static void
say_outcome (RfHistoryPage *self, guint next_boot)
{
    if (self->left->len > 0) {
        g_autofree char *text = g_strdup_printf (
            ngettext ("%u setting was left alone, because somebody else has changed it since.",
                      "%u settings were left alone, because somebody else has changed them since.", self->left->len),
            self->left->len);
        rf_message_bar_show_action (self->bar, RF_MESSAGE_WARNING, text, _ ("Take back anyway"));
    } else if (next_boot > 0) {
        rf_message_bar_show (self->bar, RF_MESSAGE_WARNING,
                             _ ("Taken back. The compressed swap cannot be emptied now; it is gone after the next "
                                "restart."));
    } else {
        rf_message_bar_show (self->bar, RF_MESSAGE_GOOD, _ ("Taken back."));
    }
}

typedef struct {
    RfHistoryPage *page;
    RfHistoryLeft *only; /* the entry that was asked for, NULL for everything */
    gboolean force;
} Request;

static Request *
begin (RfHistoryPage *self, RfHistoryLeft *only, gboolean force)
{
    Request *request = g_new0 (Request, 1);
    request->page = g_object_ref (self);
    request->only = only;
    request->force = force;
    self->working++;
    update_sensitive (self);
    return request;
}

/* Returns: FALSE if the page is gone. */
static gboolean
end (Request *request)
{
    RfHistoryPage *self = request->page;
    self->working--;
    if (self->disposed)
        return FALSE;
    update_sensitive (self);
    rf_history_page_reload (self);
    return TRUE;
}

static void
request_free (Request *request)
{
    g_object_unref (request->page);
    g_clear_pointer (&request->only, left_free);
    g_free (request);
}

/* That it was cancelled is worth a word here: something had been going on for a while. */
static void
say_error (RfHistoryPage *self, const GError *error)
{
    if (g_error_matches (error, RF_ERROR, RF_ERROR_CANCELLED))
        rf_message_bar_show (self->bar, RF_MESSAGE_INFO,
                             _ ("Cancelled. What was being taken back is in force as before."));
    else
        rf_message_bar_show_error (self->bar, error);
}

static void
record_reverted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Request *request = data;
    RfHistoryPage *self = request->page;
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecord) record = rf_client_revert_finish (RF_CLIENT (source), result, &error);
    if (end (request)) {
        g_ptr_array_set_size (self->left, 0);
        if (record != NULL) {
            collect_left (self, record, NULL);
            say_outcome (self, count_next_boot (record));
        } else {
            say_error (self, error);
        }
    }
    request_free (request);
}

static void
all_reverted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Request *request = data;
    RfHistoryPage *self = request->page;
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) records = rf_client_revert_all_finish (RF_CLIENT (source), result, &error);
    if (end (request)) {
        g_ptr_array_set_size (self->left, 0);
        guint next_boot = 0;
        for (guint i = 0; records != NULL && i < records->len; i++) {
            collect_left (self, g_ptr_array_index (records, i), NULL);
            next_boot += count_next_boot (g_ptr_array_index (records, i));
        }
        /* what could be read is taken back all the same; the list that is on its way says what is left */
        self->unreadable = g_error_matches (error, RF_ERROR, RF_ERROR_JOURNAL);
        if (records != NULL)
            say_outcome (self, next_boot);
        else if (!self->unreadable)
            say_error (self, error);
    }
    request_free (request);
}

static void
entry_reverted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    Request *request = data;
    RfHistoryPage *self = request->page;
    g_autoptr (GError) error = NULL;
    g_autoptr (RfRecord) record = rf_client_revert_entry_finish (RF_CLIENT (source), result, &error);
    if (end (request)) {
        if (record != NULL && request->force && self->left->len > 0) {
            rf_history_page_force_next (self); /* the helper does one thing at a time */
        } else if (record != NULL) {
            if (!request->force)
                collect_left (self, record, request->only);
            say_outcome (self, count_next_boot (record));
        } else {
            say_error (self, error);
        }
    }
    request_free (request);
}

void
rf_history_page_revert_all (RfHistoryPage *self)
{
    rf_message_bar_hide (self->bar);
    rf_client_revert_all_async (self->client, FALSE, all_reverted_cb, begin (self, NULL, FALSE));
}

static void
revert_entry (RfHistoryPage *self, RfHistoryLeft *what, gboolean force)
{
    rf_client_revert_entry_async (self->client, what->record_id, what->tunable, what->instance, force,
                                  entry_reverted_cb, begin (self, what, force));
}

void
rf_history_page_revert_row (RfHistoryRow *row, RfHistoryPage *self)
{
    RfHistoryLeft *what = g_new0 (RfHistoryLeft, 1);
    what->record_id = g_strdup (rf_history_row_get_record_id (row));
    what->tunable = rf_history_row_get_tunable (row);
    what->instance = g_strdup (rf_history_row_get_instance (row));
    g_ptr_array_set_size (self->left, 0);
    rf_message_bar_hide (self->bar);
    revert_entry (self, what, FALSE);
}

void
rf_history_page_force_next (RfHistoryPage *self)
{
    rf_message_bar_hide (self->bar);
    if (self->left->len > 0)
        revert_entry (self, g_ptr_array_steal_index (self->left, self->left->len - 1), TRUE);
}

static void
asked_cb (guint bring_back, gpointer data)
{
    Request *request = data;
    RfHistoryPage *self = request->page;
    if (bring_back == 1 && !self->disposed && self->working == 0) {
        g_ptr_array_set_size (self->left, 0);
        rf_message_bar_hide (self->bar);
        revert_entry (self, g_steal_pointer (&request->only), TRUE);
    }
    request_free (request);
}

void
rf_history_page_ask_past (GtkListBox *list, GtkListBoxRow *row, RfHistoryPage *self)
{
    const char *id = g_object_get_data (G_OBJECT (row), "record");
    guint index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "entry"));
    for (guint i = 0; id != NULL && i < self->records->len; i++) {
        const RfRecord *record = g_ptr_array_index (self->records, i);
        if (!g_str_equal (record->id, id) || index > record->entries->len)
            continue;
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, index - 1);
        GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
        RfValue now;
        gboolean known = rf_current_read (self->sysroot, self->facts, entry->tunable, entry->instance, &now, NULL);
        Request *request = g_new0 (Request, 1);
        request->page = g_object_ref (self);
        request->only = g_new0 (RfHistoryLeft, 1);
        request->only->record_id = g_strdup (id);
        request->only->tunable = entry->tunable;
        request->only->instance = g_strdup (entry->instance);
        rf_history_ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, entry, known ? &now : NULL, self->facts,
                        asked_cb, request);
        return;
    }
}

void
rf_history_page_take_back_unfinished (RfHistoryPage *self)
{
    for (guint i = self->records->len; i-- > 0 && self->working == 0;) {
        const RfRecord *record = g_ptr_array_index (self->records, i);
        if (record->state == RF_RECORD_PENDING || record->state == RF_RECORD_KEEPING ||
            record->state == RF_RECORD_REVERTING)
            rf_client_revert_async (self->client, record->id, FALSE, record_reverted_cb, begin (self, NULL, FALSE));
    }
}
