/* The card with which a person records: what is to be chosen before, how long it runs, marks, and the end. Main thread. */
#pragma once

#include "rf-recording-desk.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_RECORDER_CARD (rf_recorder_card_get_type ())
G_DECLARE_FINAL_TYPE (RfRecorderCard, rf_recorder_card, RF, RECORDER_CARD, GtkWidget)

/** rf_recorder_card_new: @client: (nullable): without it the window's own looking is recorded */
GtkWidget *rf_recorder_card_new (RfRecordingDesk *desk, RfClient *client);

G_END_DECLS
