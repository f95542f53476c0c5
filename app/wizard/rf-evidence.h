/* "Here, now": what this machine shows about the problem of one step, live. Reads the sampler's series only. */
#pragma once

#include "rf-facts.h"
#include "rf-sampler.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define RF_TYPE_EVIDENCE (rf_evidence_get_type ())
G_DECLARE_FINAL_TYPE (RfEvidence, rf_evidence, RF, EVIDENCE, GtkWidget)

/** rf_evidence_new: @step: as in the wizard, 0 to 3 */
GtkWidget *rf_evidence_new (RfSampler *sampler, RfFacts *facts, guint step);

G_END_DECLS
