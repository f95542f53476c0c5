/* What this machine is, in words that fit on a line. No GTK. */
#pragma once

#include "rf-facts.h"

G_BEGIN_DECLS

/** rf_machine_text_summary: Returns: (transfer full): "32 GiB memory · 2 NVMe drives · swap on the drive that also
 * holds your data · Debian 12, Linux 6.1" */
char *rf_machine_text_summary (const RfFacts *facts);

G_END_DECLS
