/* The watchdog: ends the load when the person, the parent or the machine needs it to end, and the process when it does
 * not end by itself. What it decides with is pure and apart from what it reads. */
#pragma once

#include "rf-work-stop.h"
#include "rf-meminfo.h"

G_BEGIN_DECLS

/** RF_WORK_WATCH_N: looks that are remembered, ten a second */
#define RF_WORK_WATCH_N 128

/**
 * RfWorkLook: what is seen at one moment
 * @full_us: time in which nothing could go on for want of memory, since boot; missing where the kernel has no PSI
 */
typedef struct {
    gint64 time_ns;
    RfCounter total;
    RfCounter available;
    RfCounter swap_total;
    RfCounter swap_free;
    RfCounter full_us;
} RfWorkLook;

/** RfWorkDanger: the looks so far; all zero at first */
typedef struct {
    RfWorkLook looks[RF_WORK_WATCH_N];
    guint n;
    guint next;
    guint64 swap_free_at_first;
} RfWorkDanger;

/**
 * rf_work_danger_judge:
 * @look: the newest, is remembered
 *
 * Dangerous is: less than 4 % or 512 MiB available, whichever is less, but never less than 128 MiB; nothing went on for
 * 70 % of three seconds or 40 % of ten (systemd-oomd ends whole groups of programs at 50 to 60 % of twenty or thirty);
 * less than 10 % of swap left and some of it taken since the first look. Returns: RF_WORK_RUNNING or why the load has
 * to end
 */
RfWorkEnd rf_work_danger_judge (RfWorkDanger *self, const RfWorkLook *look);

/**
 * RfWorkWatch:
 * @sysroot: (not owned)
 * @folder: (not owned) (nullable): whose drive must not get full
 * @parent: who started us, asked for first of all; with its end the load ends
 * @stdin_ends: whether the end of stdin ends the load
 */
typedef struct {
    RfSysroot *sysroot;
    const char *folder;
    gint parent;
    gboolean stdin_ends;
    gboolean may_use_battery;
} RfWorkWatch;

/**
 * rf_work_watch_start:
 * @watch: stays as it is until the process ends
 * @longest_s: after so many seconds the kernel ends the process, whatever it does
 *
 * From here on SIGTERM, SIGINT, SIGHUP, SIGQUIT and SIGTSTP stop the load. The thread never ends: it also sees to it
 * that whoever is stuck after a stop does not keep the memory. Returns: FALSE with RF_ERROR_IO if the kernel's files
 * cannot be opened
 */
gboolean rf_work_watch_start (const RfWorkWatch *watch, guint longest_s, GError **error);

/** rf_work_first_victim: makes this process the first that is ended when memory is out, and never lets its memory be
 * written to a file when it crashes. Returns: FALSE with RF_ERROR_IO */
gboolean rf_work_first_victim (GError **error);

G_END_DECLS
