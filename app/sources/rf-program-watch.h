/* Whether a program still runs, by its number or its name. Looks only into /proc, at what every user may see. One
 * thread. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef struct _RfProgramWatch RfProgramWatch;

/** rf_program_watch_new_pid: @pid: above 0. It may be gone already; a later program that gets its number is not it. */
RfProgramWatch *rf_program_watch_new_pid (RfSysroot *sysroot, gint32 pid);

/**
 * rf_program_watch_new_name:
 * @name: as the kernel names it (the first 15 bytes count: comm) or as its file is called, whole and with its capital
 *   letters
 *
 * Among the programs of the user who asks; the one that started first, if there are several. It may start later, and
 * again.
 */
RfProgramWatch *rf_program_watch_new_name (RfSysroot *sysroot, const char *name);

void rf_program_watch_free (RfProgramWatch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfProgramWatch, rf_program_watch_free)

/**
 * rf_program_watch_running:
 * @now_ns: CLOCK_MONOTONIC; a name that was not there is looked for again after five seconds, because that reads a file
 *   of every program
 *
 * A program that has ended and waits to be collected by its parent does not run.
 */
gboolean rf_program_watch_running (RfProgramWatch *self, gint64 now_ns);

/** rf_program_watch_pid: Returns: 0 while it does not run */
gint32 rf_program_watch_pid (RfProgramWatch *self);

/** RfProcStat: of /proc/PID/stat. @name: between the brackets, may hold any byte but NUL, also brackets */
typedef struct {
    gint32 pid;
    char name[64];
    char state;
    guint64 start_ticks;
} RfProcStat;

/** rf_proc_stat_parse: pure; Documentation/filesystems/proc.rst, table 1-4. Returns: FALSE if anything of it is missing */
gboolean rf_proc_stat_parse (const char *text, gsize length, RfProcStat *out);

G_END_DECLS
