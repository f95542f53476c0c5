/* Whether the machine runs on its battery, from /sys/class/power_supply (Documentation/ABI/testing/sysfs-class-power).
 * Asked for when it matters: it changes while a person looks. Thread-safe. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * rf_power_on_battery:
 *
 * Returns: TRUE if a battery of the machine itself (not of a mouse: "scope" is "Device") is being discharged and no
 *   supply says that it is online. Unknown, missing or unreadable is FALSE: nobody is warned without a reason.
 */
gboolean rf_power_on_battery (RfSysroot *sysroot);

G_END_DECLS
