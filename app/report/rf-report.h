/* The text that goes with a report of a problem: versions, facts, settings, records, messages. In English, because those
 * read it who mend the program. Pure; no widgets. */
#pragma once

#include "rf-facts.h"
#include "rf-privacy.h"
#include "rf-recommendation.h"
#include "rf-record.h"

G_BEGIN_DECLS

/** RfReport: what a report is made of. Borrowed, all of it. Everything may be NULL but @program, @facts and @privacy. */
typedef struct {
    const char *program; /* "ruckelfrei", "ruckelfreictl" */
    const char *helper_version;
    const char *helper_error; /* why there is no version and no record */
    const char *toolkit;      /* "GTK 4.8.3, Wayland" */
    const char *desktop;      /* as the session calls itself */
    const RfFacts *facts;
    const RfCurrentSet *current;
    GPtrArray *records;          /* of RfRecord, oldest first */
    const char *const *messages; /* oldest first */
    const RfPrivacy *privacy;
} RfReport;

/** rf_report_text: Returns: (transfer full): some dozen lines. Whatever comes from outside of the program has gone through
 * rf_privacy_clean(); stable ids, paths and names of volumes are not in it at all. */
char *rf_report_text (const RfReport *report);

G_END_DECLS
