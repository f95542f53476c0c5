/* "Report a problem": shows the text of rf-report.h and copies it. Sends nothing. Main thread. */
#pragma once

#include <gtk/gtk.h>

#include "rf-client.h"
#include "rf-facts.h"

G_BEGIN_DECLS

#define RF_TYPE_REPORT_WINDOW (rf_report_window_get_type ())
G_DECLARE_FINAL_TYPE (RfReportWindow, rf_report_window, RF, REPORT_WINDOW, GtkWindow)

/** rf_report_window_new: reads the settings in force and asks the helper for its version and its records; the text is
 * complete when it has answered, or could not be reached */
GtkWidget *rf_report_window_new (GtkWindow *parent, RfClient *client, RfSysroot *sysroot, const RfFacts *facts);

/** rf_report_window_get_text: Returns: (transfer full) (nullable): what is shown, NULL as long as it is not complete */
char *rf_report_window_get_text (RfReportWindow *self);

G_END_DECLS
