#define G_LOG_DOMAIN "rf-power"
#include "config.h"

#include "rf-power.h"

static gboolean
attribute_is (RfSysroot *sysroot, const char *supply, const char *name, const char *wanted)
{
    g_autofree char *path = g_build_filename ("sys/class/power_supply", supply, name, NULL);
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    return text != NULL && g_str_equal (text, wanted);
}

gboolean
rf_power_on_battery (RfSysroot *sysroot)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), FALSE);
    g_auto (GStrv) supplies = rf_sysroot_list (sysroot, "sys/class/power_supply");
    gboolean discharging = FALSE;
    for (char **supply = supplies; *supply != NULL; supply++) {
        if (attribute_is (sysroot, *supply, "scope", "Device"))
            continue;
        /* "Mains" and "USB" tell whether they deliver; a battery's "online" would mean something else */
        if (!attribute_is (sysroot, *supply, "type", "Battery")) {
            if (attribute_is (sysroot, *supply, "online", "1"))
                return FALSE;
        } else {
            discharging = discharging || attribute_is (sysroot, *supply, "status", "Discharging");
        }
    }
    return discharging;
}
