#define G_LOG_DOMAIN "rf-work-limits"
#include "config.h"

#include "rf-work-limits.h"

#include <errno.h>
#include <string.h>
#include <sys/vfs.h>

#include <glib/gi18n.h>

#include "rf-error.h"
#include "rf-power.h"
#include "rf-text.h"

#define MIB (1024 * 1024)
/* percent of the last ten seconds in which nothing could go on for want of memory */
#define PRESSURE_TOO_HIGH 10

/* The kinds of file system that lie on a drive, keep files without a name, and hold holes (include/uapi/linux/magic.h
 * and the sources of those that are not listed there). Of all others it is not known: in memory the files would take
 * what the plan does not count, FAT and ecryptfs would write the holes out. */
static const gint64 good_types[] = {
    0xef53,     /* ext2, ext3, ext4 */
    0x58465342, /* XFS */
    0x9123683e, /* btrfs */
    0xf2f52010, /* f2fs */
    0x2fc12fc1, /* ZFS */
    0xca451a4e, /* bcachefs */
};

/* @path: of one file with one number. "max" and what cannot be read is no limit. */
static guint64
read_limit (RfSysroot *sysroot, const char *folder, const char *name)
{
    guint64 number;
    g_autofree char *path = g_build_filename ("sys/fs/cgroup", folder, name, NULL);
    g_autofree char *text = rf_sysroot_read_line (sysroot, path);
    return text != NULL && rf_text_to_uint64 (text, &number) ? number : G_MAXUINT64;
}

static guint64
left_in (RfSysroot *sysroot, const char *folder, const char *limit_name, const char *used_name)
{
    guint64 limit = read_limit (sysroot, folder, limit_name);
    guint64 used = read_limit (sysroot, folder, used_name);
    if (limit == G_MAXUINT64 || used == G_MAXUINT64)
        return limit;
    return limit > used ? limit - used : 0;
}

/* @group: as /proc/self/cgroup names it; all groups above it count. Inside a container the name may be one that cannot
 * be seen from there; then what is mounted is the container's own group. */
static guint64
left_in_all (RfSysroot *sysroot, const char *root, const char *group, gboolean v2)
{
    guint64 left = G_MAXUINT64;
    g_autofree char *folder = g_build_filename (root, group, NULL);
    while (TRUE) {
        if (v2) {
            left = MIN (left, left_in (sysroot, folder, "memory.max", "memory.current"));
            left = MIN (left, left_in (sysroot, folder, "memory.high", "memory.current"));
        } else {
            left = MIN (left, left_in (sysroot, folder, "memory.limit_in_bytes", "memory.usage_in_bytes"));
        }
        char *slash = strrchr (folder, '/');
        if (slash == NULL || strlen (folder) <= strlen (root))
            return left;
        *slash = '\0';
    }
}

guint64
rf_work_container_left (RfSysroot *sysroot)
{
    guint64 left = G_MAXUINT64;
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/self/cgroup", NULL, NULL);
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        g_auto (GStrv) parts = g_strsplit (*line, ":", 3);
        if (g_strv_length (parts) != 3 || strstr (parts[2], "..") != NULL)
            continue;
        g_auto (GStrv) controllers = g_strsplit (parts[1], ",", -1);
        if (g_str_equal (parts[0], "0") && parts[1][0] == '\0')
            left = MIN (left, left_in_all (sysroot, "/", parts[2], TRUE));
        else if (g_strv_contains ((const char *const *)controllers, "memory"))
            left = MIN (left, left_in_all (sysroot, "/memory", parts[2], FALSE));
    }
    return left;
}

gboolean
rf_work_surroundings_read (RfSysroot *sysroot, const char *folder, RfWorkSurroundings *out, GError **error)
{
    struct statfs answer;
    rf_meminfo_read (sysroot, &out->memory);
    rf_pressure_read (sysroot, "memory", &out->pressure);
    out->container = rf_work_container_left (sysroot);
    out->on_battery = rf_power_on_battery (sysroot);
    if (statfs (folder, &answer) != 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "%s: %s", folder, g_strerror (errno));
        return FALSE;
    }
    out->folder_type = (gint64)(guint32)answer.f_type;
    out->folder_size = (guint64)answer.f_blocks * (guint64)answer.f_bsize;
    out->folder_available = (guint64)answer.f_bavail * (guint64)answer.f_bsize;
    return TRUE;
}

gboolean
rf_work_limits_disk_left (guint64 size, guint64 available)
{
    return available >= (guint64)RF_WORK_MIN_DISK * MIB && available >= size / 100 * RF_WORK_MIN_DISK_SHARE;
}

static gboolean
is_good_type (gint64 type)
{
    for (gsize i = 0; i < G_N_ELEMENTS (good_types); i++)
        if (type == good_types[i])
            return TRUE;
    return FALSE;
}

RfWorkRefusal
rf_work_limits_judge (const RfWorkPlan *plan, const RfWorkSurroundings *around, gboolean may_use_battery)
{
    const RfCounter available = around->memory.available;
    const RfCounter full = around->pressure.full.avg10_x100;
    const guint64 needs = (guint64)rf_work_plan_memory (plan) * MIB;
    const guint64 disk = (guint64)rf_work_plan_disk (plan) * MIB;
    if (!rf_counter_ok (available))
        return RF_WORK_REFUSED_UNKNOWN;
    if (available.value < (guint64)RF_WORK_MIN_AVAILABLE * MIB)
        return RF_WORK_REFUSED_MEMORY;
    if (needs > available.value / 100 * RF_WORK_SHARE_TAKEN_OVER)
        return RF_WORK_REFUSED_SHARE;
    /* the file cache of a container counts against its limit as well */
    if (around->container != G_MAXUINT64 && needs + needs / 4 > around->container)
        return RF_WORK_REFUSED_CONTAINER;
    if (rf_counter_ok (full) && full.value > PRESSURE_TOO_HIGH * 100)
        return RF_WORK_REFUSED_PRESSURE;
    if (around->on_battery && !may_use_battery)
        return RF_WORK_REFUSED_BATTERY;
    if (!is_good_type (around->folder_type))
        return RF_WORK_REFUSED_FOLDER;
    if (around->folder_available < disk
        || !rf_work_limits_disk_left (around->folder_size, around->folder_available - disk))
        return RF_WORK_REFUSED_FULL;
    return RF_WORK_ALLOWED;
}

const char *
rf_work_refusal_nick (RfWorkRefusal refusal)
{
    static const char *const nicks[RF_WORK_N_REFUSALS]
        = {"none", "unknown", "memory", "share", "container", "pressure", "battery", "folder", "full"};
    g_return_val_if_fail ((guint)refusal < RF_WORK_N_REFUSALS, "none");
    return nicks[refusal];
}

char *
rf_work_refusal_text (RfWorkRefusal refusal, const RfWorkPlan *plan, const RfWorkSurroundings *around)
{
    const guint64 available = around->memory.available.value / MIB;
    switch (refusal) {
    case RF_WORK_REFUSED_UNKNOWN:
        return g_strdup (_ ("The kernel does not tell how much memory is available, so no safe size can be computed."));
    case RF_WORK_REFUSED_MEMORY:
        return g_strdup_printf (
            _ ("Only %u MiB of memory are available; the test needs at least %d MiB to be safe. Close "
               "some programs and try again."),
            (guint)available, RF_WORK_MIN_AVAILABLE);
    case RF_WORK_REFUSED_SHARE:
        return g_strdup_printf (
            _ ("The plan takes %u MiB of memory, but only %u MiB are available. Close what was not open "
               "when the plan was made, or start without a plan."),
            rf_work_plan_memory (plan), (guint)available);
    case RF_WORK_REFUSED_CONTAINER:
        return g_strdup_printf (
            _ ("This container or service may have only %u MiB more memory, less than the plan takes. "
               "Start the test outside of it."),
            (guint)(around->container / MIB));
    case RF_WORK_REFUSED_PRESSURE:
        return g_strdup (_ ("Programs are waiting for memory already. Wait until the computer is calm and try again."));
    case RF_WORK_REFUSED_BATTERY:
        return g_strdup (_ ("The computer runs on its battery. Plug it in, or allow it with --on-battery."));
    case RF_WORK_REFUSED_FOLDER:
        return g_strdup (
            _ ("The folder is not on a drive of this computer, or on a file system that is not known here. "
               "Choose another one with --folder."));
    case RF_WORK_REFUSED_FULL:
        return g_strdup_printf (
            _ ("The drive of the folder is nearly full: the test needs %u MiB for a short time and leaves "
               "at least %d MiB and %d %% free. Choose another folder with --folder."),
            rf_work_plan_disk (plan), RF_WORK_MIN_DISK, RF_WORK_MIN_DISK_SHARE);
    case RF_WORK_ALLOWED:
    case RF_WORK_N_REFUSALS:
    default:
        return g_strdup ("");
    }
}
