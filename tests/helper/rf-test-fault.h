/* Stops a piece of work at one of its system calls, or makes that call fail. The work runs in a process of its own; the
 * kernel (a seccomp filter with user notification) hands every call that writes, renames, syncs, links, unlinks, makes
 * or truncates to the parent before it is carried out. That misses nothing, whatever library makes the call. State on
 * disk changes through such calls only, so "after a call" is the same as "before the next one", and the last point is
 * the end of the work. One run at a time. */
#pragma once

#include "rf-ops.h"

G_BEGIN_DECLS

/**
 * RfFaultKind:
 * @RF_FAULT_NONE: only counts
 * @RF_FAULT_KILL: SIGKILL instead of the call
 * @RF_FAULT_TORN: a write() is carried out for the first half of its bytes, then SIGKILL; other calls: as KILL
 * @RF_FAULT_SHORT: a write() takes half of its bytes and says so; other calls are carried out
 * @RF_FAULT_ERROR: the call fails with @errnum
 * @RF_FAULT_ERRORS: this call and all that come after it fail with @errnum, but writes to the kernel do not
 */
typedef enum {
    RF_FAULT_NONE,
    RF_FAULT_KILL,
    RF_FAULT_TORN,
    RF_FAULT_SHORT,
    RF_FAULT_ERROR,
    RF_FAULT_ERRORS,
} RfFaultKind;

/** RfFault: @at counts from 1; a number behind the last call lets the work run to its end. */
typedef struct {
    RfFaultKind kind;
    int errnum;
    guint at;
} RfFault;

#define RF_FAULT_MAX_NOTED 256

/**
 * RfFaultResult:
 * @points: calls that were seen
 * @killed: the process was ended by the fault
 * @ok: what the work returned
 * @writes: for each of the first calls, by number, whether it is a write() to a file, which can be done half
 * @call: the call that was hit, with its path, "" if none was
 * @message: the error of the work, "" if there is none
 */
typedef struct {
    guint points;
    gboolean killed;
    gboolean ok;
    int code;
    gboolean writes[RF_FAULT_MAX_NOTED];
    char call[256];
    char message[1024];
} RfFaultResult;

typedef gboolean (*RfFaultFunc) (gpointer data, GError **error);

/**
 * rf_fault_run:
 * @roots: (array zero-terminated=1): only calls on files below these folders are points
 *
 * Runs @func in a child process. Ends the test program if the harness itself does not work.
 */
void rf_fault_run (const RfFault *fault, const char *const *roots, RfFaultFunc func, gpointer data,
                   RfFaultResult *result);

/** rf_fault_kernel: for the functions of RfOps on a fixture, where one call of the kernel is several of ours: one point
 * with the name @what. Returns: 0, then do it between here and rf_fault_kernel_end(); or the errno to return instead. */
int rf_fault_kernel (const char *what);
void rf_fault_kernel_end (void);

/** rf_fault_ops: the fixture's, with each function as one point. */
RfOps rf_fault_ops (void);

G_END_DECLS
