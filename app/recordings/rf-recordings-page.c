#define G_LOG_DOMAIN "rf-recordings-page"

#include "config.h"

#include "rf-recordings-page.h"

#include <glib/gi18n.h>

#include "rf-clamp.h"
#include "rf-comparison-list.h"
#include "rf-archive.h"
#include "rf-error.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-message-bar.h"
#include "rf-question.h"
#include "rf-recorder-card.h"
#include "rf-recording-loader.h"
#include "rf-recording-view.h"
#include "rf-recordings-list.h"
#include "rf-save-menu.h"

/* What is seen: "list"; "choose", the list again for the other half of a comparison; "loading"; "content", one recording or
 * a comparison. */
struct _RfRecordingsPage {
    GtkWidget parent_instance;
    GtkWidget *box;
    RfMessageBar *bar;
    GtkStack *stack;
    GtkWidget *back;
    GtkWidget *compare;
    GtkWidget *save; /* a box: its child belongs to what is loaded */
    GtkWidget *title;
    GtkWidget *lead;
    GtkWidget *recorder; /* NULL: no card to record with */
    RfRecordingsList *list;
    GtkWidget *empty;
    GtkSpinner *spinner;
    GtkBox *list_box;
    GtkWidget *content; /* a box: its child goes with what is loaded */

    RfRecordings *recordings;
    GPtrArray *summaries; /* NULL: not read yet */
    RfLoaded *loaded;
    char *shown; /* id of the recording that is open */
    gboolean choosing;
    RfDeskState desk_state; /* as it was when the list was read */
    GCancellable *cancellable; /* of what is loading */
};

G_DEFINE_FINAL_TYPE (RfRecordingsPage, rf_recordings_page, GTK_TYPE_WIDGET)

static char *
title_of (RfRecordingsPage *self, const char *id)
{
    for (guint i = 0; self->summaries != NULL && i < self->summaries->len; i++) {
        const RfRecordingSummary *summary = self->summaries->pdata[i];

        if (g_str_equal (summary->id, id))
            return rf_recording_summary_title (summary);
    }
    /* the list may be slower than what is open */
    if (self->loaded != NULL && g_strcmp0 (id, self->shown) == 0 && *self->loaded->recording[0]->name != '\0')
        return g_strdup (self->loaded->recording[0]->name);
    return g_strdup (id);
}

/* ---- what is seen ----------------------------------------------------------------------------------------------- */

static void
set_child (GtkWidget *box, GtkWidget *widget)
{
    GtkWidget *old = gtk_widget_get_first_child (box);

    if (old != NULL)
        gtk_box_remove (GTK_BOX (box), old);
    if (widget != NULL)
        gtk_box_append (GTK_BOX (box), widget);
}

static void
set_content (RfRecordingsPage *self, GtkWidget *widget)
{
    set_child (self->content, widget);
    set_child (self->save, widget != NULL ? rf_save_menu_new (self->loaded, self->bar) : NULL);
}

static void
set_words (RfRecordingsPage *self, const char *title, const char *lead)
{
    gtk_label_set_text (GTK_LABEL (self->title), title);
    gtk_label_set_text (GTK_LABEL (self->lead), lead);
    gtk_widget_set_visible (self->lead, *lead != '\0');
}

/* How many others there are that could be compared with what is open. */
static guint
others (RfRecordingsPage *self)
{
    guint n = 0;

    for (guint i = 0; self->summaries != NULL && i < self->summaries->len; i++) {
        const RfRecordingSummary *summary = self->summaries->pdata[i];

        n += summary->info != NULL && !summary->running && g_strcmp0 (summary->id, self->shown) != 0;
    }
    return n;
}

static void
show (RfRecordingsPage *self, const char *what)
{
    const gboolean list = g_str_equal (what, "list");
    const gboolean single = g_str_equal (what, "content") && self->loaded != NULL && self->loaded->comparison == NULL;

    gtk_stack_set_visible_child_name (self->stack, g_str_equal (what, "choose") ? "list" : what);
    gtk_widget_set_visible (self->back, !list);
    gtk_widget_set_visible (self->save, g_str_equal (what, "content"));
    if (self->recorder != NULL)
        gtk_widget_set_visible (self->recorder, list);
    gtk_widget_set_visible (self->compare, single && others (self) > 0);
    if (g_str_equal (what, "loading"))
        gtk_spinner_start (self->spinner);
    else
        gtk_spinner_stop (self->spinner);
}

static void
show_list (RfRecordingsPage *self)
{
    guint shown;

    self->choosing = FALSE;
    set_content (self, NULL);
    g_clear_pointer (&self->loaded, rf_loaded_unref);
    g_clear_pointer (&self->shown, g_free);
    shown = self->summaries != NULL ? rf_recordings_list_show (self->list, self->summaries, NULL, FALSE) : 0;
    gtk_widget_set_visible (self->empty, self->summaries != NULL && shown == 0);
    set_words (self, _ ("Recordings"), _ ("What this system did while you flew, played or worked. Two of them can be compared."));
    show (self, "list");
}

static void
choose_other (RfRecordingsPage *self)
{
    g_autofree char *title = title_of (self, self->shown);
    /* Translators: %s is the name of a recording */
    g_autofree char *words = g_strdup_printf (_ ("Compare “%s” with…"), title);

    self->choosing = TRUE;
    rf_recordings_list_show (self->list, self->summaries, self->shown, TRUE);
    gtk_widget_set_visible (self->empty, FALSE);
    set_words (self, words, _ ("The older one counts as before, the newer one as after."));
    show (self, "choose");
}

static void
show_one (RfRecordingsPage *self)
{
    const RfRecording *recording = self->loaded->recording[0];
    g_autofree char *title = title_of (self, self->shown);
    g_autofree char *state = rf_recording_state_text (self->loaded->state[0]);
    g_autoptr (GString) doubts = g_string_new (state);

    for (guint i = 0; i < recording->untrusted->len; i++) {
        if (doubts->len > 0)
            g_string_append_c (doubts, ' ');
        /* Translators: %s is a reason in technical words */
        g_string_append_printf (doubts, _ ("Not trustworthy: %s."), (const char *)recording->untrusted->pdata[i]);
    }
    set_words (self, title, doubts->str);
    set_content (self, rf_recording_view_new (recording, &self->loaded->phases[0]));
    show (self, "content");
}

static void
show_two (RfRecordingsPage *self)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 20);
    const RfLoaded *loaded = self->loaded;

    set_words (self, _ ("Before and after"), rf_phase_title (loaded->comparison->phase));
    gtk_box_append (GTK_BOX (box), rf_comparison_list_new (loaded->comparison, FALSE));
    gtk_box_append (GTK_BOX (box), rf_recording_view_new_pair (loaded->recording[0], rf_loaded_start (loaded, 0),
                                                              loaded->recording[1], rf_loaded_start (loaded, 1)));
    set_content (self, box);
    show (self, "content");
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfRecordingsPage) self = RF_RECORDINGS_PAGE (data);
    g_autoptr (GError) error = NULL;
    RfLoaded *loaded = rf_recording_loader_load_finish (result, &error);

    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return; /* somebody went elsewhere meanwhile */
    g_clear_object (&self->cancellable);
    if (loaded == NULL) {
        rf_message_bar_show_error (self->bar, error);
        show_list (self);
        return;
    }
    set_content (self, NULL);
    g_clear_pointer (&self->loaded, rf_loaded_unref);
    self->loaded = loaded;
    if (loaded->comparison != NULL)
        show_two (self);
    else
        show_one (self);
}

static void
stop_loading (RfRecordingsPage *self)
{
    if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
}

static void
load (RfRecordingsPage *self, const char *before, const char *after)
{
    g_autofree char *first = rf_recordings_path (self->recordings, before);
    g_autofree char *second = after != NULL ? rf_recordings_path (self->recordings, after) : NULL;

    stop_loading (self);
    rf_message_bar_hide (self->bar);
    self->choosing = FALSE;
    if (first == NULL || (after != NULL && second == NULL))
        return;
    g_free (self->shown);
    self->shown = g_strdup (before);
    self->cancellable = g_cancellable_new ();
    set_words (self, _ ("Recordings"), "");
    show (self, "loading");
    rf_recording_loader_load_async (first, second, self->cancellable, loaded_cb, g_object_ref (self));
}

void
rf_recordings_page_open (RfRecordingsPage *self, const char *id)
{
    g_return_if_fail (RF_IS_RECORDINGS_PAGE (self));

    load (self, id, NULL);
}

void
rf_recordings_page_compare (RfRecordingsPage *self, const char *before, const char *after)
{
    g_return_if_fail (RF_IS_RECORDINGS_PAGE (self));

    load (self, before, after);
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static void
list_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    GError *error = NULL;
    GPtrArray *summaries = rf_recordings_list (RF_RECORDINGS_PAGE (source)->recordings, &error);

    if (summaries == NULL)
        g_task_return_error (task, error);
    else
        g_task_return_pointer (task, summaries, (GDestroyNotify)g_ptr_array_unref);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    RfRecordingsPage *self = RF_RECORDINGS_PAGE (source);
    g_autoptr (GError) error = NULL;
    GPtrArray *summaries = g_task_propagate_pointer (G_TASK (result), &error);

    if (summaries == NULL) {
        rf_message_bar_show_error (self->bar, error);
        return;
    }
    g_clear_pointer (&self->summaries, g_ptr_array_unref);
    self->summaries = summaries;
    if (self->shown == NULL)
        show_list (self);
    else if (self->loaded != NULL && !self->choosing && self->cancellable == NULL)
        show (self, "content"); /* now it is known whether there is anything to compare with */
}

void
rf_recordings_page_look_again (RfRecordingsPage *self)
{
    g_autoptr (GTask) task = NULL;

    g_return_if_fail (RF_IS_RECORDINGS_PAGE (self));

    task = g_task_new (self, NULL, listed_cb, NULL);
    g_task_run_in_thread (task, list_thread);
}

/* What is recorded appears in the list, and what has ended can be opened there. */
static void
desk_cb (RfRecordingsPage *self, RfRecordingDesk *desk)
{
    const RfDeskState state = rf_recording_desk_get_state (desk);

    if (state == self->desk_state)
        return;
    self->desk_state = state;
    if (state == RF_DESK_RECORDING || state == RF_DESK_IDLE)
        rf_recordings_page_look_again (self);
}

void
rf_recordings_page_add_recorder (RfRecordingsPage *self, RfRecordingDesk *desk, RfClient *client)
{
    g_return_if_fail (RF_IS_RECORDINGS_PAGE (self));
    g_return_if_fail (self->recorder == NULL);

    self->recorder = rf_recorder_card_new (desk, client);
    self->desk_state = rf_recording_desk_get_state (desk);
    gtk_box_prepend (self->list_box, self->recorder);
    g_signal_connect_object (desk, "changed", G_CALLBACK (desk_cb), self, G_CONNECT_SWAPPED);
}

static void
open_cb (RfRecordingsList *list, const char *id, RfRecordingsPage *self)
{
    g_autofree char *chosen = g_strdup (id);
    g_autofree char *shown = g_strdup (self->shown);

    if (!self->choosing)
        load (self, chosen, NULL);
    else if (g_strcmp0 (chosen, shown) < 0) /* an id is the time when it was made */
        load (self, chosen, shown);
    else
        load (self, shown, chosen);
}

/* ---- what can be done with one ---------------------------------------------------------------------------------- */

typedef struct {
    RfRecordingsPage *page; /* a reference */
    char *id;
    GtkEditable *entry; /* rename: in the question */
    GFile *file;        /* export */
    gboolean for_ever;
} Errand;

static Errand *
errand_new (RfRecordingsPage *self, const char *id)
{
    Errand *errand = g_new0 (Errand, 1);

    errand->page = g_object_ref (self);
    errand->id = g_strdup (id);
    return errand;
}

static void
errand_free (gpointer data)
{
    Errand *self = data;

    g_object_unref (self->page);
    g_clear_object (&self->file);
    g_free (self->id);
    g_free (self);
}

static GtkWindow *
window_of (RfRecordingsPage *self)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

    return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static void ask_to_delete (RfRecordingsPage *self, const char *id, gboolean for_ever);

static void
deleted_answer (guint answer, gpointer data)
{
    Errand *errand = data;
    RfRecordingsPage *self = errand->page;
    g_autoptr (GError) error = NULL;

    if (answer == 1 && !rf_recordings_delete (self->recordings, errand->id, errand->for_ever, &error)) {
        if (!errand->for_ever && g_error_matches (error, RF_ERROR, RF_ERROR_STATE))
            ask_to_delete (self, errand->id, TRUE);
        else
            rf_message_bar_show_error (self->bar, error);
    }
    rf_recordings_page_look_again (self);
    errand_free (errand);
}

static void
ask_to_delete (RfRecordingsPage *self, const char *id, gboolean for_ever)
{
    Errand *errand = errand_new (self, id);
    g_autofree char *title = title_of (self, id);
    /* Translators: %s is the name of a recording */
    g_autofree char *heading = g_strdup_printf (_ ("Delete “%s”?"), title);
    GtkWindow *question = NULL;

    errand->for_ever = for_ever;
    question = rf_question_new (window_of (self), _ ("Delete a recording"), heading,
                                for_ever ? _ ("There is no trash for this folder. The recording would be gone for good.")
                                         : _ ("The recording goes to the trash, from where it can be brought back."),
                                deleted_answer, errand);
    rf_question_add_answer (question, _ ("_Keep it"), TRUE, NULL);
    rf_question_add_answer (question, for_ever ? _ ("_Delete for good") : _ ("_Move to the trash"), TRUE,
                            "destructive-action");
    gtk_window_present (question);
}

static void
delete_cb (RfRecordingsList *list, const char *id, RfRecordingsPage *self)
{
    ask_to_delete (self, id, FALSE);
}

static void
renamed_answer (guint answer, gpointer data)
{
    Errand *errand = data;
    g_autoptr (GError) error = NULL;

    if (answer == 1
        && !rf_recordings_rename (errand->page->recordings, errand->id, gtk_editable_get_text (errand->entry), &error))
        rf_message_bar_show_error (errand->page->bar, error);
    rf_recordings_page_look_again (errand->page);
    g_object_unref (errand->entry);
    errand_free (errand);
}

static void
rename_cb (RfRecordingsList *list, const char *id, RfRecordingsPage *self)
{
    Errand *errand = errand_new (self, id);
    g_autofree char *title = title_of (self, id);
    GtkWidget *entry = gtk_entry_new ();
    GtkWindow *question = rf_question_new (window_of (self), _ ("Rename a recording"), _ ("What shall it be called?"),
                                           _ ("The name is shown in the list and in reports."), renamed_answer, errand);

    gtk_editable_set_text (GTK_EDITABLE (entry), title);
    gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Name"), -1);
    errand->entry = g_object_ref_sink (GTK_EDITABLE (entry));
    rf_question_add_content (question, entry);
    rf_question_add_answer (question, _ ("_Cancel"), TRUE, NULL);
    rf_question_add_answer (question, _ ("_Rename"), TRUE, "suggested-action");
    gtk_window_present (question);
}

static void
export_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Errand *errand = data;
    GError *error = NULL;

    if (rf_recordings_export (errand->page->recordings, errand->id, errand->file, cancellable, &error))
        g_task_return_boolean (task, TRUE);
    else
        g_task_return_error (task, error);
}

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    RfRecordingsPage *self = RF_RECORDINGS_PAGE (source);
    const Errand *errand = g_task_get_task_data (G_TASK (result));
    g_autofree char *name = g_file_get_parse_name (errand->file);
    g_autofree char *words = NULL;
    g_autoptr (GError) error = NULL;

    if (!g_task_propagate_boolean (G_TASK (result), &error)) {
        /* Translators: %1$s is a file, %2$s what the system says about it: "Permission denied" */
        words = g_strdup_printf (_ ("“%1$s” could not be written: %2$s"), name, error->message);
        rf_message_bar_show (self->bar, RF_MESSAGE_DANGER, words);
        return;
    }
    /* Translators: %s is a file */
    words = g_strdup_printf (_ ("Exported to “%s”"), name);
    rf_message_bar_show (self->bar, RF_MESSAGE_GOOD, words);
}

static void
export_response_cb (GtkNativeDialog *dialog, int response, Errand *errand)
{
    g_autoptr (GTask) task = NULL;

    if (response == GTK_RESPONSE_ACCEPT) {
        errand->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
        task = g_task_new (errand->page, NULL, exported_cb, NULL);
        g_task_set_task_data (task, errand, errand_free);
        g_task_run_in_thread (task, export_thread);
    } else {
        errand_free (errand);
    }
    g_object_unref (dialog);
}

static void
export_cb (RfRecordingsList *list, const char *id, RfRecordingsPage *self)
{
    GtkFileChooserNative *dialog
        = gtk_file_chooser_native_new (_ ("Export a recording"), window_of (self), GTK_FILE_CHOOSER_ACTION_SAVE,
                                       _ ("_Save"), _ ("_Cancel"));
    g_autofree char *name = g_strdup_printf ("ruckelfrei-%s%s", id, RF_ARCHIVE_SUFFIX);

    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    g_signal_connect (dialog, "response", G_CALLBACK (export_response_cb), errand_new (self, id));
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
back_cb (RfRecordingsPage *self)
{
    const gboolean compared = self->loaded != NULL && self->loaded->comparison != NULL;

    stop_loading (self);
    rf_message_bar_hide (self->bar);
    if (self->choosing && !compared && self->loaded != NULL) {
        self->choosing = FALSE;
        show_one (self);
        return;
    }
    show_list (self);
    rf_recordings_page_look_again (self);
}

gboolean
rf_recordings_page_back (RfRecordingsPage *self)
{
    g_return_val_if_fail (RF_IS_RECORDINGS_PAGE (self), FALSE);

    if (!gtk_widget_get_visible (self->back))
        return FALSE;
    back_cb (self);
    return TRUE;
}

/* ---- making it -------------------------------------------------------------------------------------------------- */

static void
rf_recordings_page_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (rf_recordings_page_parent_class)->map (widget);
    rf_recordings_page_look_again (RF_RECORDINGS_PAGE (widget));
}

static void
rf_recordings_page_dispose (GObject *object)
{
    RfRecordingsPage *self = RF_RECORDINGS_PAGE (object);

    stop_loading (self);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_pointer (&self->loaded, rf_loaded_unref);
    g_clear_pointer (&self->summaries, g_ptr_array_unref);
    g_clear_pointer (&self->shown, g_free);
    G_OBJECT_CLASS (rf_recordings_page_parent_class)->dispose (object);
}

static void
rf_recordings_page_finalize (GObject *object)
{
    /* threads hold a reference on the page while they use it */
    g_clear_pointer (&RF_RECORDINGS_PAGE (object)->recordings, rf_recordings_free);
    G_OBJECT_CLASS (rf_recordings_page_parent_class)->finalize (object);
}

static void
rf_recordings_page_class_init (RfRecordingsPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_recordings_page_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_recordings_page_finalize;
    widget_class->map = rf_recordings_page_map;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_empty (void)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
    GtkWidget *words[] = {
        rf_label_new (_ ("Nothing has been recorded yet"), "rf-heading"),
        rf_label_new (_ ("Start a recording, use your program as always, and stop when you have had enough. An hour says "
                         "more than ten minutes."),
                      "rf-dim"),
    };

    gtk_widget_add_css_class (box, "rf-card");
    for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
        gtk_label_set_justify (GTK_LABEL (words[i]), GTK_JUSTIFY_CENTER);
        gtk_widget_set_halign (words[i], GTK_ALIGN_CENTER);
        gtk_box_append (GTK_BOX (box), words[i]);
    }
    gtk_widget_set_visible (box, FALSE);
    return box;
}

static GtkWidget *
make_head (RfRecordingsPage *self)
{
    GtkWidget *head = rf_fold_new (620, 16);
    GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
    GtkWidget *buttons = rf_fold_new (0, 8);

    self->title = rf_label_new (NULL, "rf-title");
    self->lead = rf_label_new (NULL, "rf-lead");
    gtk_box_append (GTK_BOX (words), self->title);
    gtk_box_append (GTK_BOX (words), self->lead);
    gtk_widget_set_hexpand (words, TRUE);
    self->back = gtk_button_new_with_mnemonic (_ ("_All recordings"));
    self->compare = gtk_button_new_with_mnemonic (_ ("Co_mpare with…"));
    for (guint i = 0; i < 2; i++) {
        GtkWidget *button = i == 0 ? self->back : self->compare;

        gtk_widget_add_css_class (button, "rf-pill-button");
        gtk_widget_set_valign (button, GTK_ALIGN_START);
        gtk_widget_set_halign (button, GTK_ALIGN_START);
        rf_label_let_wrap (gtk_button_get_child (GTK_BUTTON (button)));
        rf_fold_append (RF_FOLD (buttons), button);
    }
    g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (back_cb), self);
    g_signal_connect_swapped (self->compare, "clicked", G_CALLBACK (choose_other), self);
    self->save = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    rf_fold_append (RF_FOLD (buttons), self->save);
    rf_fold_append (RF_FOLD (head), words);
    rf_fold_append (RF_FOLD (head), buttons);
    return head;
}

static GtkWidget *
make_stack (RfRecordingsPage *self)
{
    GtkWidget *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

    self->stack = GTK_STACK (gtk_stack_new ());
    gtk_stack_set_vhomogeneous (self->stack, FALSE);
    gtk_stack_set_hhomogeneous (self->stack, FALSE);
    self->list = RF_RECORDINGS_LIST (rf_recordings_list_new (_ ("Recordings")));
    self->empty = make_empty ();
    self->list_box = GTK_BOX (list);
    gtk_box_append (GTK_BOX (list), GTK_WIDGET (self->list));
    gtk_box_append (GTK_BOX (list), self->empty);
    self->spinner = GTK_SPINNER (gtk_spinner_new ());
    gtk_widget_set_size_request (GTK_WIDGET (self->spinner), 32, 32);
    gtk_widget_set_halign (GTK_WIDGET (self->spinner), GTK_ALIGN_CENTER);
    gtk_widget_set_valign (GTK_WIDGET (self->spinner), GTK_ALIGN_START);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->spinner), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Reading…"), -1);
    self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    gtk_stack_add_named (self->stack, list, "list");
    gtk_stack_add_named (self->stack, GTK_WIDGET (self->spinner), "loading");
    gtk_stack_add_named (self->stack, self->content, "content");
    return GTK_WIDGET (self->stack);
}

static void
rf_recordings_page_init (RfRecordingsPage *self)
{
    GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 16);

    gtk_widget_add_css_class (page, "rf-page");
    self->bar = g_object_new (RF_TYPE_MESSAGE_BAR, NULL);
    gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->bar));
    gtk_box_append (GTK_BOX (page), make_head (self));
    gtk_box_append (GTK_BOX (page), make_stack (self));
    self->box = gtk_scrolled_window_new ();
    gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->box), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->box), rf_clamp_new (1100, page));
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
    g_signal_connect (self->list, "open", G_CALLBACK (open_cb), self);
    g_signal_connect (self->list, "rename", G_CALLBACK (rename_cb), self);
    g_signal_connect (self->list, "export", G_CALLBACK (export_cb), self);
    g_signal_connect (self->list, "delete", G_CALLBACK (delete_cb), self);
}

GtkWidget *
rf_recordings_page_new (const char *folder)
{
    RfRecordingsPage *self = g_object_new (RF_TYPE_RECORDINGS_PAGE, NULL);

    self->recordings = rf_recordings_new (folder);
    show_list (self);
    return GTK_WIDGET (self);
}
