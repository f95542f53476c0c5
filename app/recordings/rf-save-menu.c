#define G_LOG_DOMAIN "rf-save-menu"

#include "config.h"

#include "rf-save-menu.h"

#include <glib/gi18n.h>
#include <string.h>

#include "rf-comparison-document.h"
#include "rf-document-pdf.h"
#include "rf-fold.h"
#include "rf-label.h"
#include "rf-monitor-save.h"
#include "rf-recording-document.h"
#include "rf-recording-figures.h"
#include "rf-weak.h"

/* what is ready sooner needs nobody to look at how it is made */
#define PATIENCE_MS 1000

typedef enum {
    FORMAT_HTML,
    FORMAT_PDF,
    FORMAT_MARKDOWN,
    FORMAT_CSV,
    FORMAT_COPY,
    N_FORMATS,
} Format;

static const struct {
    const char *action;
    const char *extension;
} formats[N_FORMATS] = {
    {"report.html", "html"}, {"report.pdf", "pdf"},   {"report.markdown", "md"},
    {"report.csv", "csv"},   {"report.copy", NULL},
};

struct _RfSaveMenu {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkWidget *button;
    GtkWidget *progress;
    GtkSpinner *spinner;
    RfLoaded *loaded;
    RfMessageBar *bar;
    GCancellable *cancellable; /* of what is being made */
    guint patience;
};

G_DEFINE_FINAL_TYPE (RfSaveMenu, rf_save_menu, GTK_TYPE_WIDGET)

/* ---- in a thread ------------------------------------------------------------------------------------------------ */

typedef struct {
    RfLoaded *loaded; /* a reference; nobody changes it */
    Format format;
} Job;

static void
job_free (gpointer data)
{
    Job *self = data;

    rf_loaded_unref (self->loaded);
    g_free (self);
}

static void
add_figures (RfDocument *document, const RfLoaded *loaded)
{
    RfRecordingTrack tracks[2] = {{loaded->recording[0], 0, NULL}};
    gint64 start = 0, end = 0, other_start, other_end;
    gint64 wall_us = rf_recording_wall_us (loaded->recording[0], 0);
    guint n = 1;

    rf_recording_span (loaded->recording[0], &start, &end);
    if (loaded->comparison != NULL) {
        tracks[0] = (RfRecordingTrack){loaded->recording[0], -rf_loaded_start (loaded, 0), _ ("before")};
        tracks[1] = (RfRecordingTrack){loaded->recording[1], -rf_loaded_start (loaded, 1), _ ("after")};
        end += tracks[0].offset_ns;
        if (rf_recording_span (loaded->recording[1], &other_start, &other_end))
            end = MAX (end, other_end + tracks[1].offset_ns);
        start = 0;
        wall_us = 0;
        n = 2;
    }
    if (end <= start)
        return;
    rf_document_add_heading (document, _ ("Graphs"));
    rf_recording_figures_add (document, tracks, n, start, end, n == 1 ? &loaded->phases[0] : NULL, wall_us);
}

static RfDocument *
make_document (const RfLoaded *loaded, const RfPrivacy *privacy)
{
    const RfRun before = {loaded->recording[0], &loaded->phases[0]};
    const RfRun after = {loaded->recording[1], &loaded->phases[1]};

    if (loaded->comparison != NULL)
        return rf_comparison_document_new (loaded->comparison, &before, 1, &after, 1, privacy);
    return rf_recording_document_new (loaded->recording[0], loaded->info[0], &loaded->phases[0], privacy);
}

static GBytes *
bytes_of (char *text)
{
    return g_bytes_new_take (text, strlen (text));
}

static void
make (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    g_autoptr (RfSysroot) sysroot = rf_sysroot_new (NULL);
    g_autoptr (RfPrivacy) privacy = rf_privacy_new ();
    g_autoptr (RfDocument) document = NULL;
    GError *error = NULL;
    GBytes *bytes = NULL;

    rf_privacy_collect (privacy, sysroot);
    rf_privacy_collect_person (privacy);
    document = make_document (job->loaded, privacy);
    if (g_task_return_error_if_cancelled (task))
        return;
    if (job->format == FORMAT_HTML || job->format == FORMAT_PDF)
        add_figures (document, job->loaded);
    switch (job->format) {
    case FORMAT_HTML:
        bytes = bytes_of (rf_document_to_html (document, rf_document_figure_svg));
        break;
    case FORMAT_PDF:
        bytes = rf_document_to_pdf (document, &error);
        break;
    case FORMAT_CSV:
        bytes = bytes_of (rf_document_to_csv (document));
        break;
    case FORMAT_MARKDOWN:
    case FORMAT_COPY:
    case N_FORMATS:
        bytes = bytes_of (rf_document_to_markdown (document));
        break;
    }
    if (bytes == NULL)
        g_task_return_error (task, error);
    else
        g_task_return_pointer (task, bytes, (GDestroyNotify)g_bytes_unref);
}

/* ---- in the window ---------------------------------------------------------------------------------------------- */

static void
set_busy (RfSaveMenu *self, gboolean busy)
{
    g_clear_handle_id (&self->patience, g_source_remove);
    gtk_widget_set_sensitive (self->button, !busy);
    if (!busy) {
        gtk_spinner_stop (self->spinner);
        gtk_widget_set_visible (self->progress, FALSE);
        g_clear_object (&self->cancellable);
    }
}

static gboolean
patience_cb (gpointer data)
{
    RfSaveMenu *self = data;

    self->patience = 0;
    gtk_widget_set_visible (self->progress, TRUE);
    gtk_spinner_start (self->spinner);
    return G_SOURCE_REMOVE;
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfMessageBar) bar = data;
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = rf_monitor_save_finish (result, &error);
    g_autofree char *name = NULL;
    g_autofree char *text = NULL;

    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || gtk_widget_get_root (GTK_WIDGET (bar)) == NULL)
        return;
    if (file == NULL) {
        rf_message_bar_show (bar, RF_MESSAGE_DANGER, error->message);
        return;
    }
    name = g_file_get_parse_name (file);
    /* Translators: %s is a file */
    text = g_strdup_printf (_ ("Saved as “%s”."), name);
    rf_message_bar_show (bar, RF_MESSAGE_GOOD, text);
}

/* A name that sorts by time and needs no quoting. */
static char *
file_name (RfSaveMenu *self, Format format)
{
    g_autoptr (GDateTime) now = g_date_time_new_now_local ();
    g_autofree char *stamp = g_date_time_format (now, "%Y-%m-%d-%H%M%S");

    return g_strdup_printf ("ruckelfrei-%s-%s.%s", self->loaded->comparison != NULL ? "comparison" : "recording", stamp,
                            formats[format].extension);
}

static void
made_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfSaveMenu) self = rf_weak_take (data);
    const Job *job = g_task_get_task_data (G_TASK (result));
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);
    g_autofree char *name = NULL;
    GtkRoot *root = NULL;

    if (self == NULL || self->box == NULL) /* closed meanwhile */
        return;
    set_busy (self, FALSE);
    root = gtk_widget_get_root (GTK_WIDGET (self));
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || root == NULL)
        return;
    if (bytes == NULL) {
        rf_message_bar_show (self->bar, RF_MESSAGE_DANGER, error->message);
        return;
    }
    if (job->format == FORMAT_COPY) {
        g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

        gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
        rf_message_bar_show (self->bar, RF_MESSAGE_GOOD, _ ("Copied as Markdown. Paste it into your post."));
        return;
    }
    name = file_name (self, job->format);
    rf_monitor_save_async (GTK_WINDOW (root), _ ("Save the report"), name, bytes, saved_cb, g_object_ref (self->bar));
}

static void
format_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfSaveMenu *self = RF_SAVE_MENU (widget);
    g_autoptr (GTask) task = NULL;
    Job *job = NULL;

    if (self->cancellable != NULL)
        return;
    job = g_new0 (Job, 1);
    job->loaded = rf_loaded_ref (self->loaded);
    while (!g_str_equal (formats[job->format].action, action))
        job->format++;
    rf_message_bar_hide (self->bar);
    self->cancellable = g_cancellable_new ();
    set_busy (self, TRUE);
    self->patience = g_timeout_add (PATIENCE_MS, patience_cb, self);
    task = g_task_new (NULL, self->cancellable, made_cb, rf_weak_new (self));
    g_task_set_task_data (task, job, job_free);
    /* the thread ends when it gets there; nobody has to wait for it */
    g_task_set_return_on_cancel (task, TRUE);
    g_task_run_in_thread (task, make);
}

static void
cancel_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
    RfSaveMenu *self = RF_SAVE_MENU (widget);

    if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
}

static void
rf_save_menu_dispose (GObject *object)
{
    RfSaveMenu *self = RF_SAVE_MENU (object);

    if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
    g_clear_handle_id (&self->patience, g_source_remove);
    g_clear_pointer (&self->box, gtk_widget_unparent);
    g_clear_object (&self->bar);
    G_OBJECT_CLASS (rf_save_menu_parent_class)->dispose (object);
}

static void
rf_save_menu_finalize (GObject *object)
{
    g_clear_pointer (&RF_SAVE_MENU (object)->loaded, rf_loaded_unref);
    G_OBJECT_CLASS (rf_save_menu_parent_class)->finalize (object);
}

static void
rf_save_menu_class_init (RfSaveMenuClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

    G_OBJECT_CLASS (klass)->dispose = rf_save_menu_dispose;
    G_OBJECT_CLASS (klass)->finalize = rf_save_menu_finalize;
    gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
    for (guint i = 0; i < N_FORMATS; i++)
        gtk_widget_class_install_action (widget_class, formats[i].action, NULL, format_action);
    gtk_widget_class_install_action (widget_class, "report.cancel", NULL, cancel_action);
}

static GMenuModel *
make_menu (void)
{
    g_autoptr (GMenu) files = g_menu_new ();
    g_autoptr (GMenu) copy = g_menu_new ();
    GMenu *menu = g_menu_new ();

    /* Translators: kinds of files that a report can be saved as */
    g_menu_append (files, _ ("_Web page (HTML)…"), "report.html");
    g_menu_append (files, _ ("_PDF…"), "report.pdf");
    g_menu_append (files, _ ("_Markdown…"), "report.markdown");
    g_menu_append (files, _ ("_Table (CSV)…"), "report.csv");
    g_menu_append (copy, _ ("_Copy as Markdown, for forums"), "report.copy");
    g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
    g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
    return G_MENU_MODEL (menu);
}

static GtkWidget *
make_button (void)
{
    GtkWidget *button = gtk_menu_button_new ();
    g_autoptr (GMenuModel) menu = make_menu ();

    gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("_Save as…"));
    gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
    gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
    gtk_widget_set_tooltip_text (button, _ ("Names of the computer and of people, and serial numbers, are left out"));
    gtk_widget_set_halign (button, GTK_ALIGN_START);
    gtk_widget_set_valign (button, GTK_ALIGN_START);
    /* it looks like the buttons beside it */
    gtk_widget_add_css_class (gtk_widget_get_first_child (button), "rf-pill-button");
    return button;
}

static void
rf_save_menu_init (RfSaveMenu *self)
{
    GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));

    self->box = rf_fold_new (0, 8);
    self->button = make_button ();
    self->progress = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
    self->spinner = GTK_SPINNER (gtk_spinner_new ());
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->spinner), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Writing the report…"), -1);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "report.cancel");
    gtk_widget_add_css_class (cancel, "rf-pill-button");
    gtk_box_append (GTK_BOX (self->progress), GTK_WIDGET (self->spinner));
    gtk_box_append (GTK_BOX (self->progress), cancel);
    gtk_widget_set_visible (self->progress, FALSE);
    rf_fold_append (RF_FOLD (self->box), self->button);
    rf_fold_append (RF_FOLD (self->box), self->progress);
    gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
rf_save_menu_new (RfLoaded *loaded, RfMessageBar *bar)
{
    RfSaveMenu *self = g_object_new (RF_TYPE_SAVE_MENU, NULL);

    self->loaded = rf_loaded_ref (loaded);
    self->bar = g_object_ref (bar);
    return GTK_WIDGET (self);
}

gboolean
rf_save_menu_is_busy (RfSaveMenu *self)
{
    g_return_val_if_fail (RF_IS_SAVE_MENU (self), FALSE);

    return self->cancellable != NULL;
}
