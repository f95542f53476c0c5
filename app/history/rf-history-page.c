#define G_LOG_DOMAIN "rf-history-page"
#include "config.h"

#include "rf-history-page-private.h"

#include "rf-clamp.h"
#include "rf-current.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-row.h"
#include "rf-tunable-text.h"

#include <glib/gi18n.h>

#define PAST_MAX 20 /* records; older ones are in the terminal client's list */

/* Only what concerns changes; the rest is on the overview. */
static const RfState shown_states[RF_HISTORY_N_STATES] = {
    RF_STATE_HELPER_MISSING, RF_STATE_HELPER_OLDER, RF_STATE_PROGRAM_OLDER, RF_STATE_HALF_APPLIED, RF_STATE_KERNEL_DRIFT,
};

G_DEFINE_FINAL_TYPE (RfHistoryPage, rf_history_page, GTK_TYPE_WIDGET)

static guint apply_again_signal;

static gboolean
is_active (const RfRecord *record)
{
    return record->state != RF_RECORD_REVERTED;
}

static char *
time_text (gint64 seconds)
{
    g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (seconds);
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    if (time == NULL)
        return g_strdup ("");
    if (g_date_time_get_year (time) == g_date_time_get_year (now))
        /* TRANSLATORS: date and time in the form that is usual in your language; see strftime(3) */
        return g_date_time_format (time, _ ("%-e %B, %H:%M"));
    /* TRANSLATORS: the same with the year, for what is older */
    return g_date_time_format (time, _ ("%-e %B %Y, %H:%M"));
}

static const RfDrift *
find_drift (RfHistoryPage *self, const RfRecord *record, const RfRecordEntry *entry)
{
    for (guint i = 0; self->drift != NULL && i < self->drift->len; i++) {
        const RfDrift *row = g_ptr_array_index (self->drift, i);
        if (row->tunable == entry->tunable && g_str_equal (row->instance, entry->instance) &&
            g_str_equal (row->record_id, record->id))
            return row;
    }
    return NULL;
}

/* Showing. */

/* How many settings are in force, by what will become of them. */
typedef struct {
    guint kept;
    guint trial;
    guint stopped; /* of changes that have stopped half-way */
    gint64 since;  /* of the oldest that is kept, otherwise of the oldest on trial; seconds since 1970 */
} InForce;

static void
count_in_force (InForce *count, const RfRecord *record)
{
    gboolean kept = record->state == RF_RECORD_KEPT;
    if (!kept && record->state != RF_RECORD_TRIAL) {
        count->stopped++;
        return;
    }
    guint *n = kept ? &count->kept : &count->trial;
    if (kept || count->kept == 0)
        count->since = *n > 0 ? MIN (count->since, record->created) : record->created;
    (*n)++;
}

static void
show_head (RfHistoryPage *self, const InForce *count)
{
    guint n = count->kept + count->trial + count->stopped, trial = count->trial;
    g_autofree char *when = time_text (count->since);
    g_autofree char *title = NULL, *lead = NULL;
    gtk_widget_set_visible (self->revert_all, n > 0);
    gtk_widget_set_visible (self->active, n > 0);
    gtk_widget_set_visible (self->empty, n == 0);
    if (n == 0) {
        gtk_label_set_text (self->title, _ ("The system runs with its own settings"));
        gtk_label_set_text (self->lead, _ ("Ruckelfrei has changed nothing that is in force now."));
        return;
    }
    title = g_strdup_printf (
        ngettext ("%u setting differs from your system’s own", "%u settings differ from your system’s own", n), n);
    if (count->stopped == n)
        lead = g_strdup (_ ("Left by a change that has stopped half-way. The helper puts it back when it starts again."));
    else if (count->stopped > 0)
        lead = g_strdup_printf (ngettext ("%u of them was left by a change that has stopped half-way. The helper puts it "
                                          "back when it starts again.",
                                          "%u of them were left by a change that has stopped half-way. The helper puts "
                                          "them back when it starts again.",
                                          count->stopped),
                                count->stopped);
    else if (trial == n)
        lead = g_strdup_printf (_ ("On trial since %s. Unless they are kept, they go back by themselves."), when);
    else if (trial > 0)
        lead = g_strdup_printf (
            ngettext ("Kept since %2$s. %1$u of them is only on trial and goes back by itself unless it is kept.",
                      "Kept since %2$s. %1$u of them are only on trial and go back by themselves unless they are kept.",
                      trial),
            trial, when);
    else
        lead = g_strdup_printf (ngettext ("Kept since %s. It survives a restart.",
                                          "Kept since %s. All of them survive a restart.", n),
                                when);
    gtk_label_set_text (self->title, title);
    gtk_label_set_text (self->lead, lead);
}

/* Whether taking back is possible at once depends on what lies in the swap at this moment. */
static char *
note_text (RfHistoryPage *self, const RfRecordEntry *entry)
{
    if (entry->tunable->backend != RF_BACKEND_ZRAM || entry->ours.kind == RF_VALUE_ABSENT)
        return NULL;
    g_autoptr (RfSnapshot) snapshot = rf_snapshot_read (self->sysroot);
    return rf_zram_held_text (snapshot, self->facts->ram_bytes);
}

static void
show_active (RfHistoryPage *self)
{
    InForce count = {0};
    g_autoptr (RfProvenanceSources) sources = NULL;
    rf_boxed_list_clear (self->active);
    for (guint i = 0; i < self->records->len; i++) {
        const RfRecord *record = g_ptr_array_index (self->records, i);
        for (guint e = 0; is_active (record) && e < record->entries->len; e++) {
            const RfRecordEntry *entry = g_ptr_array_index (record->entries, e);
            if (entry->state != RF_ENTRY_APPLIED)
                continue;
            g_autofree char *note = note_text (self, entry);
            if (sources == NULL) /* some hundred files: only where there is something to say */
                sources = rf_provenance_sources_read (self->sysroot, self->facts);
            /* what is only on trial is asked for as if it were kept: that is what there is to decide */
            const RfValue *planned = record->state == RF_RECORD_KEPT ? NULL : &entry->ours;
            RfProvenance *provenance = rf_provenance_find (sources, entry->tunable, entry->instance, planned);
            GtkWidget *row
                = rf_history_row_new (record, entry, find_drift (self, record, entry), self->facts, note, provenance);
            g_signal_connect (row, "revert", G_CALLBACK (rf_history_page_revert_row), self);
            gtk_list_box_append (GTK_LIST_BOX (self->active), row);
            count_in_force (&count, record);
        }
    }
    show_head (self, &count);
}

static char *
past_text (RfHistoryPage *self, const RfRecord *record)
{
    GString *text = g_string_new (rf_reason_text (record->reason));
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, self->facts);
        g_autofree char *change = rf_setting_change_text (entry->tunable, &entry->before, &entry->ours);
        gboolean back = entry->state == RF_ENTRY_REVERTED || entry->state == RF_ENTRY_PLANNED;
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", title, change);
        if (!back)
            g_string_append_printf (text, " (%s)", rf_entry_state_text (entry->state));
    }
    return g_string_free (text, FALSE);
}

/* What was left alone then can still be brought back: a row of its own that asks. */
static void
add_left_rows (RfHistoryPage *self, const RfRecord *record)
{
    for (guint i = 0; i < record->entries->len; i++) {
        const RfRecordEntry *entry = g_ptr_array_index (record->entries, i);
        RfValue now;
        if (entry->state != RF_ENTRY_LEFT_ALONE)
            continue;
        gboolean known = rf_current_read (self->sysroot, self->facts, entry->tunable, entry->instance, &now, NULL);
        if (known && rf_value_equal (&now, &entry->before))
            continue; /* it has come back by other ways */
        g_autofree char *title = rf_setting_title (entry->tunable, entry->instance, self->facts);
        g_autofree char *found = known ? rf_value_text (entry->tunable, &now) : g_strdup (_ ("not known"));
        g_autofree char *before = rf_value_text (entry->tunable, &entry->before);
        /* TRANSLATORS: %1$s is a setting, %2$s and %3$s its values */
        g_autofree char *text = g_strdup_printf (_ ("%1$s was left alone: it is %2$s now, and was %3$s before."), title,
                                                 found, before);
        GtkWidget *row = rf_row_new (_ ("Take back anyway…"), text);
        rf_row_set_leads (RF_ROW (row), TRUE);
        g_object_set_data_full (G_OBJECT (row), "record", g_strdup (record->id), g_free);
        g_object_set_data (G_OBJECT (row), "entry", GUINT_TO_POINTER (i + 1));
        gtk_list_box_append (GTK_LIST_BOX (self->past), row);
    }
}

static void
show_past (RfHistoryPage *self)
{
    guint n = 0;
    rf_boxed_list_clear (self->past);
    for (guint i = self->records->len; i > 0 && n < PAST_MAX; i--) {
        const RfRecord *record = g_ptr_array_index (self->records, i - 1);
        if (is_active (record))
            continue;
        g_autofree char *when = time_text (record->changed);
        g_autofree char *text = past_text (self, record);
        gtk_list_box_append (GTK_LIST_BOX (self->past), rf_row_new (when, text));
        add_left_rows (self, record);
        n++;
    }
    gtk_widget_set_visible (self->past_box, n > 0);
}

static RfStateInput
look (RfHistoryPage *self)
{
    RfStateInput input = {.records = self->records, .drift = self->drift};
    rf_state_look (&input, self->client, self->sysroot, self->facts);
    return input;
}

static void
show_states (RfHistoryPage *self)
{
    RfStateInput input = look (self);
    for (guint i = 0; i < G_N_ELEMENTS (shown_states); i++)
        rf_state_bar_show (RF_STATE_BAR (self->state_bar[i]), rf_state_get (shown_states[i], &input));
}

static void
state_action_cb (RfStateBar *bar, guint action, RfHistoryPage *self)
{
    RfStateInput input = look (self);
    g_autoptr (RfPlan) plan = NULL;
    switch ((RfStateAction) action) {
    case RF_STATE_ACTION_LOOK_AGAIN:
        rf_client_look_again (self->client);
        rf_history_page_reload (self);
        break;
    case RF_STATE_ACTION_RESTART_HELPER:
        rf_client_restart_helper (self->client);
        break;
    case RF_STATE_ACTION_RESTART_PROGRAM:
        gtk_widget_activate_action (GTK_WIDGET (self), "app.restart", NULL);
        break;
    case RF_STATE_ACTION_TAKE_BACK:
        rf_history_page_take_back_unfinished (self);
        break;
    case RF_STATE_ACTION_APPLY_AGAIN:
        plan = rf_state_drift_plan (&input);
        if (plan != NULL)
            g_signal_emit (self, apply_again_signal, 0, plan);
        break;
    default:
        g_return_if_reached ();
    }
}

static void
show_all (RfHistoryPage *self)
{
    show_states (self);
    if (self->records == NULL)
        return;
    show_active (self);
    show_past (self);
    rf_state_bar_show (RF_STATE_BAR (self->notes_bar),
                       self->unreadable ? rf_state_partly_reverted (self->records) : NULL);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfHistoryPage) self = RF_HISTORY_PAGE (data);
    g_autoptr (GError) error = NULL;
    GPtrArray *drift = rf_client_check_finish (RF_CLIENT (source), result, &error);
    self->listing = FALSE;
    if (self->disposed) {
        g_clear_pointer (&drift, g_ptr_array_unref);
        return;
    }
    if (drift == NULL) /* the list is still right, only "as kept" is not known */
        g_debug ("check: %s", error->message);
    g_clear_pointer (&self->drift, g_ptr_array_unref);
    self->drift = drift;
    show_all (self);
    if (self->list_again)
        rf_history_page_reload (self);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfHistoryPage) self = RF_HISTORY_PAGE (data);
    g_autoptr (GError) error = NULL;
    GPtrArray *records = rf_client_list_finish (RF_CLIENT (source), result, &error);
    if (self->disposed) {
        g_clear_pointer (&records, g_ptr_array_unref);
        return;
    }
    if (records == NULL) {
        self->listing = FALSE;
        gtk_label_set_text (self->title, _ ("What has been changed is not known"));
        gtk_label_set_text (self->lead, "");
        gtk_widget_set_visible (self->empty, FALSE); /* it would say with a green tick that nothing is changed */
        if (rf_client_get_available (self->client))  /* else the bar of the state says the same */
            rf_message_bar_show_error (self->bar, error);
        if (self->list_again) /* something has happened since: a helper that ended in between is there again */
            rf_history_page_reload (self);
        return;
    }
    g_clear_pointer (&self->records, g_ptr_array_unref);
    self->records = records;
    rf_client_check_async (self->client, checked_cb, g_object_ref (self));
}

void
rf_history_page_reload (RfHistoryPage *self)
{
    if (self->listing) {
        self->list_again = TRUE;
        return;
    }
    self->list_again = FALSE;
    self->listing = TRUE;
    rf_client_list_async (self->client, listed_cb, g_object_ref (self));
}

static void
records_changed_cb (RfHistoryPage *self)
{
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        rf_history_page_reload (self);
}

static void
rf_history_page_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (rf_history_page_parent_class)->map (widget);
    show_states (RF_HISTORY_PAGE (widget));
    rf_history_page_reload (RF_HISTORY_PAGE (widget));
}

static void
rf_history_page_dispose (GObject *object)
{
    RfHistoryPage *self = RF_HISTORY_PAGE (object);
    self->disposed = TRUE;
    if (self->client != NULL)
        g_signal_handlers_disconnect_by_data (self->client, self);
    gtk_widget_dispose_template (GTK_WIDGET (self), RF_TYPE_HISTORY_PAGE);
    g_clear_object (&self->client);
    g_clear_object (&self->sysroot);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_clear_pointer (&self->records, g_ptr_array_unref);
    g_clear_pointer (&self->drift, g_ptr_array_unref);
    g_clear_pointer (&self->left, g_ptr_array_unref);
    G_OBJECT_CLASS (rf_history_page_parent_class)->dispose (object);
}

static void
rf_history_page_class_init (RfHistoryPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
    G_OBJECT_CLASS (klass)->dispose = rf_history_page_dispose;
    widget_class->map = rf_history_page_map;
    apply_again_signal = g_signal_new ("apply-again", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_POINTER);
    g_type_ensure (RF_TYPE_CLAMP);
    g_type_ensure (RF_TYPE_FOLD);
    g_type_ensure (RF_TYPE_MESSAGE_BAR);
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/io/github/ruckelfrei/Ruckelfrei/rf-history-page.ui");
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, scroller);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, bar);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, title);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, lead);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, revert_all);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, active);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, empty);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, past_box);
    gtk_widget_class_bind_template_child (widget_class, RfHistoryPage, past);
    gtk_widget_class_bind_template_callback (widget_class, rf_history_page_revert_all);
    gtk_widget_class_bind_template_callback (widget_class, rf_history_page_force_next);
}

/* Below the message bar: what is going on, and what is not as it should be. */
static void
add_work_and_states (RfHistoryPage *self)
{
    GtkBox *content = GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->bar)));
    self->work = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
    self->work_text = rf_label_new (NULL, NULL);
    self->work_bar = gtk_progress_bar_new ();
    self->work_cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
    gtk_widget_add_css_class (self->work, "rf-card");
    gtk_widget_add_css_class (self->work_bar, "rf-progress");
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->work_bar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Progress of taking back"), -1);
    gtk_widget_set_halign (self->work_cancel, GTK_ALIGN_START);
    gtk_widget_set_visible (self->work, FALSE);
    g_signal_connect_swapped (self->work_cancel, "clicked", G_CALLBACK (rf_history_page_cancel_work), self);
    gtk_box_append (GTK_BOX (self->work), self->work_text);
    gtk_box_append (GTK_BOX (self->work), self->work_bar);
    gtk_box_append (GTK_BOX (self->work), self->work_cancel);
    gtk_box_insert_child_after (content, self->work, GTK_WIDGET (self->bar));
    self->notes_bar = rf_state_bar_new ();
    gtk_box_insert_child_after (content, self->notes_bar, self->work);
    for (guint i = G_N_ELEMENTS (self->state_bar); i-- > 0;) {
        self->state_bar[i] = rf_state_bar_new ();
        g_signal_connect (self->state_bar[i], "action", G_CALLBACK (state_action_cb), self);
        gtk_box_insert_child_after (content, self->state_bar[i], self->work);
    }
}

static void
rf_history_page_init (RfHistoryPage *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    add_work_and_states (self);
    g_signal_connect (self->past, "row-activated", G_CALLBACK (rf_history_page_ask_past), self);
    self->left = rf_history_left_new_list ();
    gtk_label_set_text (self->title, _ ("Changes"));
    gtk_label_set_text (self->lead, _ ("Asking the helper what has been changed…"));
    gtk_widget_set_visible (self->revert_all, FALSE);
    gtk_widget_set_visible (self->active, FALSE);
    gtk_widget_set_visible (self->empty, FALSE);
    gtk_widget_set_visible (self->past_box, FALSE);
}

GtkWidget *
rf_history_page_new (RfClient *client, RfSysroot *sysroot, RfFacts *facts)
{
    g_return_val_if_fail (RF_IS_CLIENT (client) && RF_IS_SYSROOT (sysroot) && facts != NULL, NULL);
    RfHistoryPage *self = g_object_new (RF_TYPE_HISTORY_PAGE, NULL);
    self->client = g_object_ref (client);
    self->sysroot = g_object_ref (sysroot);
    self->facts = rf_facts_ref (facts);
    g_signal_connect_swapped (client, "records-changed", G_CALLBACK (records_changed_cb), self);
    g_signal_connect_swapped (client, "progress", G_CALLBACK (rf_history_page_show_progress), self);
    g_signal_connect_swapped (client, "notify::available", G_CALLBACK (show_states), self);
    g_signal_connect_swapped (client, "notify::helper-version", G_CALLBACK (show_states), self);
    g_signal_connect_swapped (client, "notify::restarting", G_CALLBACK (show_states), self);
    return GTK_WIDGET (self);
}
