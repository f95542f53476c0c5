/* Asks where something is to be saved, and writes it there: whole or not at all, and never over a file that a person has
 * not agreed to lose. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** rf_monitor_save_name: Returns: (transfer full): a name that sorts by time and needs no quoting:
 * "ruckelfrei-monitor-2026-11-30-220812.png"; @extension: without dot */
char *rf_monitor_save_name (GDateTime *time, const char *extension);

/**
 * rf_monitor_save_async:
 * @parent: the question belongs to it
 * @title: of the question, translated
 * @name: proposed for the file
 * @bytes: what is written; keeps a reference
 */
void rf_monitor_save_async (GtkWindow *parent, const char *title, const char *name, GBytes *bytes,
                            GAsyncReadyCallback callback, gpointer data);
/** rf_monitor_save_finish: Returns: (transfer full): the file; NULL with G_IO_ERROR_CANCELLED if the person did not
 * want to, or with the reason why it could not be written, a whole sentence */
GFile *rf_monitor_save_finish (GAsyncResult *result, GError **error);

/** rf_monitor_save_write_async: the second half, for who knows the file; ends with rf_monitor_save_finish(), too */
void rf_monitor_save_write_async (GFile *file, GBytes *bytes, GAsyncReadyCallback callback, gpointer data);

G_END_DECLS
