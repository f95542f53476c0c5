/* What stands between the bus and the service, in the thread of the call: limits, form, sense, polkit; in this order,
 * so that nobody is asked for a password for nothing. Touches only thread-safe objects and immutable data. */
#pragma once

#include "rf-authority.h"
#include "rf-caller.h"
#include "rf-idle.h"
#include "rf-index.h"
#include "rf-measurements.h"
#include "rf-request.h"

G_BEGIN_DECLS

/**
 * RfGateContext: borrowed by all calls, lives as long as the service.
 * @busy: atomic; a job runs
 * @on_trial: atomic; there is a trial
 */
typedef struct {
    RfMachine *machine;
    RfIndex *index;
    RfCallers *callers;
    RfAuthority *authority;
    RfIdle *idle;
    RfMeasurements *measurements;
    gint busy;
    gint on_trial;
} RfGateContext;

/**
 * rf_gate_watch:
 *
 * From now on every message from @bus is counted as it comes in, and refused with RF_ERROR_LIMIT if its sender, or all
 * together, have too many waiting, or if it is too long or brings files; and dropped without a word if the bus has not
 * even taken the refusals of before. Without it a flood would fill the memory of the helper.
 * Returns: to be given to g_dbus_connection_remove_filter()
 */
guint rf_gate_watch (RfGateContext *self, GDBusConnection *bus);

/**
 * rf_gate_admit:
 *
 * On success the parsed request hangs on the invocation (rf_gate_take_request()), with the caller's slot and a lock
 * against idle exit, which are released together with it. Otherwise the error has been returned to the caller.
 */
gboolean rf_gate_admit (RfGateContext *self, GDBusMethodInvocation *invocation);

/** rf_gate_take_request: Returns: (transfer full): once for each admitted call. */
RfRequest *rf_gate_take_request (GDBusMethodInvocation *invocation);

G_END_DECLS
