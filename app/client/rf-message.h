/* From an error to a sentence that says what is wrong and what to do. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/** rf_message_from_error: Returns: (transfer full): one or two translated sentences; the untranslated detail only
 * where it helps ("The kernel refused the value. (…)") */
char *rf_message_from_error (const GError *error);

/** rf_message_from_measurement_error: the same for what a measurement can meet, in whose words nothing is changed.
 * Returns: (transfer full) */
char *rf_message_from_measurement_error (const GError *error);

/** rf_message_is_quiet: errors that need no message, because the person caused them (dismissed, cancelled). */
gboolean rf_message_is_quiet (const GError *error);

G_END_DECLS
