#define G_LOG_DOMAIN "rf-unit"
#include "config.h"

#include "rf-unit.h"

gboolean
rf_unit_masked (RfSysroot *sysroot, const char *unit)
{
    g_autofree char *path = g_strconcat ("etc/systemd/system/", unit, NULL);
    g_autofree char *target = rf_sysroot_readlink (sysroot, path);
    return g_strcmp0 (target, "/dev/null") == 0;
}

gboolean
rf_unit_enabled (RfSysroot *sysroot, const char *unit)
{
    static const char *const bases[] = {"etc/systemd/system", "usr/lib/systemd/system", "lib/systemd/system"};
    if (rf_unit_masked (sysroot, unit))
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS (bases); i++) {
        g_auto (GStrv) folders = rf_sysroot_list (sysroot, bases[i]);
        for (char **folder = folders; *folder != NULL; folder++) {
            if (!g_str_has_suffix (*folder, ".wants") && !g_str_has_suffix (*folder, ".requires"))
                continue;
            g_autofree char *path = g_strdup_printf ("%s/%s/%s", bases[i], *folder, unit);
            g_autofree char *link = rf_sysroot_readlink (sysroot, path);
            if (link != NULL || rf_sysroot_exists (sysroot, path))
                return TRUE;
        }
    }
    return FALSE;
}
