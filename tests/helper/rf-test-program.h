/* The helper as a program of its own on the test bus, with the mock polkit beside it. */
#pragma once

#include <gio/gio.h>

#include "rf-test-polkit.h"

G_BEGIN_DECLS

typedef struct {
    GTestDBus *dbus;
    RfTestPolkit *polkit;
    GDBusConnection *caller;
    GSubprocess *process;
    char *kernel; /* NULL: the machine itself */
    char *files;
} RfTestProgram;

/** rf_test_connect: one more caller on the bus at @address. Returns: (transfer full): an error ends the test. */
GDBusConnection *rf_test_connect (const char *address);

/** rf_test_program_new: brings up the bus; @kernel and @files are what --sysroot and --state get. */
RfTestProgram *rf_test_program_new (const char *kernel, const char *files);
void rf_test_program_free (RfTestProgram *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTestProgram, rf_test_program_free)

/** rf_test_program_start: starts it and waits until its name is on the bus. */
void rf_test_program_start (RfTestProgram *self);
/** rf_test_program_end: sends @signal and waits; Returns: whether it left with code 0. */
gboolean rf_test_program_end (RfTestProgram *self, int signal);
/** rf_test_program_run: once, with one or two options, without the bus. Returns: its exit code. */
int rf_test_program_run (RfTestProgram *self, const char *option, const char *second);

/** rf_test_program_call: Returns: (transfer full): the reply; an error ends the test. */
GVariant *rf_test_program_call (RfTestProgram *self, const char *method, GVariant *parameters);
/** rf_test_program_apply: lines as in rf_test_plan(). Returns: (transfer full): the id on trial. */
char *rf_test_program_apply (RfTestProgram *self, const char *lines, guint32 seconds);
/** rf_test_program_wait_reverted: Returns: (transfer full): the reason, when the record has gone back. */
char *rf_test_program_wait_reverted (RfTestProgram *self, const char *id, guint seconds);
/** rf_test_program_status: a number of /proc/PID/status in KiB, as "VmRSS:". */
guint64 rf_test_program_status (RfTestProgram *self, const char *field);

G_END_DECLS
