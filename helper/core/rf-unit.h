/* Units of systemd, as far as the disk tells of them. Links are only looked at, never followed: their targets are
 * absolute. Source: systemctl(1), "enable" and "mask". Thread-safe. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

/** rf_unit_masked: whether @unit can not be started at all */
gboolean rf_unit_masked (RfSysroot *sysroot, const char *unit);
/** rf_unit_enabled: whether @unit of the system ("tlp.service") would be started at boot */
gboolean rf_unit_enabled (RfSysroot *sysroot, const char *unit);

G_END_DECLS
