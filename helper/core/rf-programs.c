#define G_LOG_DOMAIN "rf-programs"
#include "config.h"

#include "rf-programs.h"

#include "rf-unit.h"

#include <string.h>

/* @units: of the system, or of a person's session with @of_session; @files: in force as long as they lie there */
static const struct {
    const char *name;
    const char *units[3];
    const char *files[3];
    gboolean of_session;
} table[RF_N_PROGRAMS] = {
    [RF_PROGRAM_TUNED] = {"TuneD", {"tuned.service"}},
    [RF_PROGRAM_TLP] = {"TLP", {"tlp.service"}},
    [RF_PROGRAM_CACHYOS]
    = {"CachyOS", {NULL}, {"usr/lib/sysctl.d/70-cachyos-settings.conf", "usr/lib/sysctl.d/99-cachyos-settings.conf"}},
    [RF_PROGRAM_POP] = {"Pop!_OS",
                        {"pop-zram-config.service"},
                        {"etc/sysctl.d/10-pop-default-settings.conf", "usr/lib/sysctl.d/10-pop-default-settings.conf"}},
    [RF_PROGRAM_SYSTEM76]
    = {"system76",
       {"com.system76.PowerDaemon.service", "com.system76.Scheduler.service", "system76-scheduler.service"}},
    [RF_PROGRAM_GAMEMODE] = {"GameMode", {"gamemoded.service"}, {NULL}, TRUE},
    [RF_PROGRAM_OOMD] = {"systemd-oomd", {"systemd-oomd.service"}},
    [RF_PROGRAM_EARLYOOM] = {"earlyoom", {"earlyoom.service"}},
    [RF_PROGRAM_NOHANG] = {"nohang", {"nohang-desktop.service", "nohang.service"}},
    [RF_PROGRAM_FSTRIM_TIMER] = {"fstrim", {"fstrim.timer"}},
};

static gboolean
lies_in (RfSysroot *sysroot, const char *folder, const char *name)
{
    g_autofree char *path = g_strdup_printf ("%s/%s", folder, name);
    g_autofree char *link = rf_sysroot_readlink (sysroot, path);
    return link != NULL || rf_sysroot_exists (sysroot, path);
}

/* systemd makes a link "invocation:UNIT" for each active unit and a control group for each that has processes */
static gboolean
runs (RfSysroot *sysroot, const char *unit)
{
    g_autofree char *invocation = g_strconcat ("invocation:", unit, NULL);
    return lies_in (sysroot, "run/systemd/units", invocation) || lies_in (sysroot, "sys/fs/cgroup/system.slice", unit)
           || lies_in (sysroot, "sys/fs/cgroup/systemd/system.slice", unit);
}

/* the services of a session: user.slice/user-1000.slice/user@1000.service/app.slice/UNIT */
static gboolean
runs_in_session (RfSysroot *sysroot, const char *unit)
{
    g_auto (GStrv) users = rf_sysroot_list (sysroot, "sys/fs/cgroup/user.slice");
    for (char **user = users; *user != NULL; user++) {
        if (!g_str_has_prefix (*user, "user-") || !g_str_has_suffix (*user, ".slice"))
            continue;
        g_autofree char *uid = g_strndup (*user + 5, strlen (*user) - 5 - 6);
        g_autofree char *manager = g_strdup_printf ("sys/fs/cgroup/user.slice/%s/user@%s.service", *user, uid);
        g_autofree char *apps = g_strconcat (manager, "/app.slice", NULL);
        if (lies_in (sysroot, apps, unit) || lies_in (sysroot, manager, unit))
            return TRUE;
    }
    return FALSE;
}

static RfProgramState
state_of_unit (RfSysroot *sysroot, const char *unit, gboolean of_session)
{
    static const char *const folders[] = {"etc/systemd", "usr/local/lib/systemd", "usr/lib/systemd", "lib/systemd"};
    const char *kind = of_session ? "user" : "system";
    if (of_session ? runs_in_session (sysroot, unit) : runs (sysroot, unit))
        return RF_PROGRAM_RUNNING;
    if (rf_unit_masked (sysroot, unit))
        return RF_PROGRAM_ABSENT;
    if (!of_session && rf_unit_enabled (sysroot, unit))
        return RF_PROGRAM_ENABLED;
    for (gsize i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *folder = g_strdup_printf ("%s/%s", folders[i], kind);
        if (lies_in (sysroot, folder, unit))
            return RF_PROGRAM_INSTALLED;
    }
    return RF_PROGRAM_ABSENT;
}

void
rf_programs_read (RfSysroot *sysroot, RfPrograms *out)
{
    g_return_if_fail (RF_IS_SYSROOT (sysroot));
    out->known = rf_sysroot_exists (sysroot, "run/systemd/system"); /* sd_booted(3) */
    for (gsize id = 0; id < RF_N_PROGRAMS; id++) {
        out->state[id] = RF_PROGRAM_ABSENT;
        for (gsize i = 0; i < G_N_ELEMENTS (table[id].units) && table[id].units[i] != NULL; i++)
            out->state[id] = MAX (out->state[id], state_of_unit (sysroot, table[id].units[i], table[id].of_session));
        for (gsize i = 0; i < G_N_ELEMENTS (table[id].files) && table[id].files[i] != NULL; i++)
            if (rf_sysroot_exists (sysroot, table[id].files[i]))
                out->state[id] = RF_PROGRAM_RUNNING;
    }
}

const char *
rf_program_name (RfProgramId id)
{
    g_return_val_if_fail ((guint)id < RF_N_PROGRAMS, NULL);
    return table[id].name;
}

const char *
rf_program_evidence (RfProgramId id)
{
    g_return_val_if_fail ((guint)id < RF_N_PROGRAMS, NULL);
    return table[id].units[0] != NULL ? table[id].units[0] : table[id].files[0];
}
