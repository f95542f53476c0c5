/* The form in which the load says what it found, "key=value" a line, and the reading of it. Keys are documented in
 * ruckelfrei-workload(1). What is not available has the value "n/a". Pure but for the writing; one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/** RF_WORK_FORMAT: changes when a key changes its meaning; new keys do not change it */
#define RF_WORK_FORMAT 1

/** RF_WORK_RESULT_LONGEST: bytes of a line that is still read */
#define RF_WORK_RESULT_LONGEST 4096

/** rf_work_line_double: Returns: (transfer full): "KEY=1.25\n" without regard to the locale, "KEY=n/a\n" if not finite
 */
char *rf_work_line_double (const char *key, double value, guint decimals);

typedef struct _RfWorkResult RfWorkResult;

/**
 * rf_work_result_parse:
 * @text: what the program has printed so far, not necessarily NUL-terminated
 *
 * A last line without newline is left out, as are lines that are none of ours. Of a key that comes several times
 * ("progress") the last counts.
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_INVALID if the first line does not say that this is a format
 * that is known here
 */
RfWorkResult *rf_work_result_parse (const char *text, gsize length, GError **error);
void rf_work_result_free (RfWorkResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfWorkResult, rf_work_result_free)

/** rf_work_result_get: Returns: (transfer none) (nullable): the value as it was printed */
const char *rf_work_result_get (const RfWorkResult *self, const char *key);
/** rf_work_result_number: Returns: NAN if the key is not there, "n/a" or no number */
double rf_work_result_number (const RfWorkResult *self, const char *key);
/** rf_work_result_is_complete: whether the program has said everything that it had to say (its last line is there) */
gboolean rf_work_result_is_complete (const RfWorkResult *self);
/** rf_work_result_is_whole: complete, and the load ran for the whole of its time: only such results may be compared */
gboolean rf_work_result_is_whole (const RfWorkResult *self);

G_END_DECLS
