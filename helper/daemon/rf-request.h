/* A call as it came over the bus, checked for form and from then on immutable: what was authorised is what is done.
 * Holds the one table of methods; what is not in it does not exist. Pure, any thread. */
#pragma once

#include "rf-facts.h"
#include "rf-guard.h"
#include "rf-measurer.h"
#include "rf-plan.h"

G_BEGIN_DECLS

#define RF_ACTION_APPLY "io.github.ruckelfrei.apply"
#define RF_ACTION_STORAGE "io.github.ruckelfrei.storage"
#define RF_ACTION_REVERT "io.github.ruckelfrei.revert"
#define RF_ACTION_MEASURE "io.github.ruckelfrei.measure"
#define RF_ACTION_TRACE "io.github.ruckelfrei.trace"

/**
 * RfGate: what polkit is asked before a method runs.
 * @RF_GATE_CLOSED: refused without asking; what a method that the table does not name gets
 * @RF_GATE_OPEN: not asked: reads only, or touches only what is the caller's own
 * @RF_GATE_CHANGE: RF_ACTION_STORAGE if queues or swap are concerned, else RF_ACTION_APPLY
 * @RF_GATE_REVERT: RF_ACTION_REVERT
 * @RF_GATE_MEASURE: RF_ACTION_TRACE if events are traced, else RF_ACTION_MEASURE
 */
typedef enum {
    RF_GATE_CLOSED,
    RF_GATE_OPEN,
    RF_GATE_CHANGE,
    RF_GATE_REVERT,
    RF_GATE_MEASURE,
} RfGate;

/**
 * RfRequest:
 * @plan: Apply
 * @facts: Apply: what the plan was validated against
 * @arrival: Apply: how memory was when the call came
 * @id: Extend, Keep, Revert, RevertEntry, StopMeasurement
 * @uid: of the caller, filled in by the gate
 * @measure: StartMeasurement
 */
typedef struct {
    const char *method;
    RfGate gate;
    RfPlan *plan;
    RfFacts *facts;
    RfGuardSample arrival;
    guint32 seconds;
    gboolean force;
    char *id;
    const RfTunable *tunable;
    char *instance;
    guint32 uid;
    RfMeasureOptions measure;
} RfRequest;

/** rf_request_gate: RF_GATE_CLOSED for any method that is not in the table. */
RfGate rf_request_gate (const char *method);

/** rf_request_known: whether @method is in the table with this @signature (of a message's header; NULL for none). */
gboolean rf_request_known (const char *method, const char *signature);

/**
 * rf_request_parse:
 * @parameters: the tuple of the call
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_INVALID, OUT_OF_RANGE, UNKNOWN or LIMIT; NOT_AUTHORIZED for a
 * method that is not in the table
 */
RfRequest *rf_request_parse (const char *method, GVariant *parameters, GError **error);
void rf_request_free (RfRequest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRequest, rf_request_free)

/** rf_request_describe_plan: Returns: (transfer full): "vm.swappiness = 100, block.scheduler (nvme0n1) = none", short.
 */
char *rf_request_describe_plan (const RfPlan *plan);
/** rf_request_describe: adds one setting to such a list, with "…" when it gets too long. @index: its number. */
void rf_request_describe (GString *out, guint index, const RfTunable *tunable, const char *instance,
                          const RfValue *value);

G_END_DECLS
