/* The one window: navigation, pages, the way into the guided tuning and back. Pages are made by their rooms; the window
 * only shows them. Main thread. */
#pragma once

#include "rf-facts.h"
#include "rf-recording-desk.h"
#include "rf-sampler.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_WINDOW (rf_window_get_type ())
G_DECLARE_FINAL_TYPE (RfWindow, rf_window, RF, WINDOW, GtkApplicationWindow)

/**
 * rf_window_new:
 * @desk: (nullable): where recordings are made; NULL: none can be
 * @settings: (nullable): where size and page are remembered; NULL: nowhere
 *
 * Keeps references on @sampler, @facts, @desk and @settings; makes the one RfClient, on the system bus.
 */
GtkWidget *rf_window_new (GtkApplication *app, RfSampler *sampler, RfFacts *facts, RfRecordingDesk *desk,
                          GSettings *settings);

/** rf_window_page_exists: whether @name is a page that --page and "win.show-page" know */
gboolean rf_window_page_exists (const char *name);
/** rf_window_page_name: Returns: (nullable): the name of destination @index in the order of the list at the side, NULL
 * behind the last; the guided tuning is none of them */
const char *rf_window_page_name (guint index);
/** rf_window_show_page: @name: "overview", "monitor", …; "recordings/ID" opens a recording, "recordings/ID/ID" compares */
void rf_window_show_page (RfWindow *self, const char *name);
/** rf_window_decide_trial: keeps or takes back the trial @id, if it is the one that this window runs. Returns: FALSE
 * otherwise */
gboolean rf_window_decide_trial (RfWindow *self, const char *id, gboolean keep);
/** rf_window_zoom_in: the monitor shows its shortest range: for pictures, which cannot wait for five minutes */
void rf_window_zoom_in (RfWindow *self);

G_END_DECLS
