/* The page of recordings: their list, one of them over its whole time, and two compared. Reads and writes the user's own
 * folder only. Main thread; long work is done in threads. */
#pragma once

#include "rf-recording-desk.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_RECORDINGS_PAGE (rf_recordings_page_get_type ())
G_DECLARE_FINAL_TYPE (RfRecordingsPage, rf_recordings_page, RF, RECORDINGS_PAGE, GtkWidget)

/** rf_recordings_page_new: @folder: (nullable): where they are, NULL for the user's own */
GtkWidget *rf_recordings_page_new (const char *folder);
/** rf_recordings_page_add_recorder: a card above the list with which to record. @client: (nullable) */
void rf_recordings_page_add_recorder (RfRecordingsPage *self, RfRecordingDesk *desk, RfClient *client);
/** rf_recordings_page_look_again: reads the list anew, for when something has been recorded */
void rf_recordings_page_look_again (RfRecordingsPage *self);
/** rf_recordings_page_open: shows the recording @id */
void rf_recordings_page_open (RfRecordingsPage *self, const char *id);
/** rf_recordings_page_compare: shows @before and @after, both ids, over each other and in numbers */
void rf_recordings_page_compare (RfRecordingsPage *self, const char *before, const char *after);
/** rf_recordings_page_back: from what is open to the list. Returns: FALSE if the list is shown already */
gboolean rf_recordings_page_back (RfRecordingsPage *self);

G_END_DECLS
