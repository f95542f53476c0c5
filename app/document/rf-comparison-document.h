/* A comparison as a document that can be given away: the verdict, what was compared, every number with its certainty,
 * and what must be known to believe it. Names of the computer and of people are left out. Pure. */
#pragma once

#include "rf-comparison.h"
#include "rf-document.h"
#include "rf-privacy.h"

G_BEGIN_DECLS

/**
 * rf_comparison_document_new:
 * @before, @after: the recordings that were compared
 * @privacy: what must not be in it
 *
 * Returns: (transfer full): in the language of the program; figures can be added to its end
 */
RfDocument *rf_comparison_document_new (const RfComparison *comparison, const RfRun *before, guint n_before,
                                        const RfRun *after, guint n_after, const RfPrivacy *privacy);

G_END_DECLS
