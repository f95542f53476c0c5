/* The list of recordings with what can be done with each. Knows no file: the page does what its signals ask for. */
#pragma once

#include "rf-recordings.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_RECORDINGS_LIST (rf_recordings_list_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingsList, rf_recordings_list, RF, RECORDINGS_LIST, GtkWidget)

/* Signals: "open" (char *id); "rename", "export", "delete" likewise: from the menu of a row */

/** rf_recordings_list_new: @name: for screen readers */
GtkWidget *rf_recordings_list_new (const char *name);
/**
 * rf_recordings_list_show:
 * @summaries: (element-type RfRecordingSummary)
 * @without: (nullable): id of one that is not shown
 * @choosing: rows are only to be chosen: no menus, and what cannot be opened is left out
 *
 * Returns: how many are shown
 */
guint rf_recordings_list_show (RfRecordingsList *self, const GPtrArray *summaries, const char *without,
                               gboolean choosing);

G_END_DECLS
