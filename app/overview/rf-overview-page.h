/* The first page: how things are in one sentence, one button that says what to do, three cards, this machine, what
 * to check first, what Ruckelfrei has changed. Holds the sampler only while it is seen. Main thread. */
#pragma once

#include "rf-checker.h"
#include "rf-client.h"
#include "rf-facts.h"
#include "rf-sampler.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_OVERVIEW_PAGE (rf_overview_page_get_type ())
G_DECLARE_FINAL_TYPE (RfOverviewPage, rf_overview_page, RF, OVERVIEW_PAGE, GtkWidget)

/** rf_overview_page_new: uses the window's actions "win.show-page" and "win.guided-tuning"; @look: shared with the page
 * that shows all of it */
GtkWidget *rf_overview_page_new (RfSampler *sampler, RfFacts *facts, RfClient *client, RfChecker *look);

G_END_DECLS
