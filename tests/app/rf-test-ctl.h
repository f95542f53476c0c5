/* Runs the terminal client as a process: arguments in, output and exit code out. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
    char *command; /* for messages */
    char *out;
    char *err;
    int code;
} RfTestRun;

void rf_test_run_free (RfTestRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTestRun, rf_test_run_free)

/**
 * rf_test_ctl_start:
 * @bus: (nullable): address of the system bus; NULL: there is none
 * @root: (nullable): folder for --sysroot
 * @flags: for stdin, stdout and stderr
 */
GSubprocess *rf_test_ctl_start (const char *bus, const char *root, const char *const *args, GSubprocessFlags flags);

/** rf_test_ctl_start_on_full_disk: without a bus; stdout is /dev/full, stderr a pipe */
GSubprocess *rf_test_ctl_start_on_full_disk (const char *root, const char *const *args);

/** rf_test_ctl_run: @machine: (nullable): name of a fixture. The main context runs meanwhile. */
RfTestRun *rf_test_ctl_run (const char *bus, const char *machine, const char *const *args);

/** rf_test_ctl_finish: waits for a started client */
RfTestRun *rf_test_ctl_finish (GSubprocess *process, const char *const *args);

G_END_DECLS
