/* The words for where a value comes from: used by the window and by the terminal client, so no GTK and no markup here.
 * All returned strings are (transfer full). Main thread. */
#pragma once

#include "rf-provenance.h"

G_BEGIN_DECLS

/** rf_setter_heading: standing alone: "/etc/sysctl.d/10-a.conf, line 3" */
char *rf_setter_heading (const RfSetter *setter);
/** rf_setter_line_text: what it sets there, as raw text: "vm.swappiness = 10", or the line itself; NULL: nothing to
 * show */
char *rf_setter_line_text (const RfSetter *setter);
/** rf_setter_fate_text: one or two sentences: what becomes of it at the next start, and why */
char *rf_setter_fate_text (const RfSetter *setter);

/** rf_provenance_live_text: "60", or "not available" */
char *rf_provenance_live_text (const RfProvenance *self);
/** rf_provenance_default_text: "60", or why it is not known */
char *rf_provenance_default_text (const RfProvenance *self);
/** rf_provenance_next_text: "10, from line 3 of /etc/sysctl.d/10-a.conf"; with a sentence if it is not certain */
char *rf_provenance_next_text (const RfProvenance *self);

/**
 * rf_provenance_overrule_text:
 * @self: asked for with the value that is planned, or for one that is kept
 *
 * Returns: (nullable): a sentence for each that stands against our value, one in a line; NULL if nothing does
 */
char *rf_provenance_overrule_text (const RfProvenance *self);

G_END_DECLS
