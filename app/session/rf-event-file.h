/* events.csv of a recording. Reads what anybody may have written; strict, bounded. One thread. */
#pragma once

#include "rf-table-file.h"

G_BEGIN_DECLS

/** RF_EVENTS_MAX: what a recording may have, 200 MiB of them */
#define RF_EVENTS_MAX 1000000

/** rf_events_read: adds to @events (element-type RfEvent) what @fd has, sorted by time. Returns: FALSE with RF_ERROR_INVALID
 * if there is no header, or with RF_ERROR_IO */
gboolean rf_events_read (int fd, GArray *events, RfTableNotes *notes, GError **error);

/** rf_events_write: the header, and a line for each of @events (element-type RfEvent) */
gboolean rf_events_write (const GArray *events, int fd, GError **error);

G_END_DECLS
