#define G_LOG_DOMAIN "rf-monitor-save"

#include "config.h"

#include "rf-monitor-save.h"

#include <glib/gi18n.h>

char *
rf_monitor_save_name (GDateTime *time, const char *extension)
{
    g_autofree char *stamp = g_date_time_format (time, "%Y-%m-%d-%H%M%S");

    return g_strdup_printf ("ruckelfrei-monitor-%s.%s", stamp, extension);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (GTask) task = G_TASK (data);
    g_autoptr (GError) error = NULL;
    g_autofree char *name = NULL;

    if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error)) {
        g_task_return_pointer (task, g_object_ref (source), g_object_unref);
        return;
    }
    name = g_file_get_parse_name (G_FILE (source));
    /* Translators: %1$s is a file, %2$s what the system says about it: "Permission denied" */
    g_task_return_new_error (task, error->domain, error->code, _ ("“%1$s” could not be written: %2$s"), name,
                             error->message);
}

/* A temporary file beside it takes its place when it is complete. */
static void
write_file (GTask *task, GFile *file)
{
    g_file_replace_contents_bytes_async (file, g_task_get_task_data (task), NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                         written_cb, task);
}

void
rf_monitor_save_write_async (GFile *file, GBytes *bytes, GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new (NULL, NULL, callback, data);

    g_task_set_task_data (task, g_bytes_ref (bytes), (GDestroyNotify)g_bytes_unref);
    write_file (task, file);
}

static void
response_cb (GtkNativeDialog *dialog, int response, GTask *task)
{
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

        write_file (task, file);
    } else {
        g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the person has closed the question");
        g_object_unref (task);
    }
    g_object_unref (dialog);
}

/* A window that closes while the question is open answers it: otherwise nobody would ever. */
static void
parent_closed_cb (GtkNativeDialog *dialog)
{
    gtk_native_dialog_hide (dialog);
    g_signal_emit_by_name (dialog, "response", GTK_RESPONSE_CANCEL);
}

void
rf_monitor_save_async (GtkWindow *parent, const char *title, const char *name, GBytes *bytes,
                       GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new (NULL, NULL, callback, data);
    GtkFileChooserNative *dialog
        = gtk_file_chooser_native_new (title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
    g_autoptr (GFile) home = g_file_new_for_path (g_get_home_dir ());

    g_task_set_task_data (task, g_bytes_ref (bytes), (GDestroyNotify)g_bytes_unref);
    gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), home, NULL);
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
    g_signal_connect (dialog, "response", G_CALLBACK (response_cb), task);
    g_signal_connect_object (parent, "destroy", G_CALLBACK (parent_closed_cb), dialog, G_CONNECT_SWAPPED);
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GFile *
rf_monitor_save_finish (GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer (G_TASK (result), error);
}
