/* One setting as the line of a configuration file: what the helper writes below /etc, and what the app proposes to write
 * where /etc is made by somebody else. Pure, thread-safe. */
#pragma once

#include "rf-tunable.h"
#include "rf-value.h"

G_BEGIN_DECLS

/** rf_setting_line_key: Returns: (transfer full): "vm.dirty_bytes": of a pair the member that @value sets, because a line
 * for the other one would zero it again */
char *rf_setting_line_key (const RfTunable *tunable, const RfValue *value);
/** rf_setting_line_value: Returns: (transfer full): what stands behind the key: "268435456" */
char *rf_setting_line_value (const RfValue *value);
/**
 * rf_setting_line_udev:
 * @instance: name of the device now, @stable_id: what it is recognised by
 *
 * Returns: (transfer full): one udev rule with its newline. Whatever stands in @stable_id, it stays within its quotes.
 */
char *rf_setting_line_udev (const RfTunable *tunable, const char *instance, const char *stable_id, const RfValue *value);

G_END_DECLS
