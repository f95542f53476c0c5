/* All measurements that run: whose they are, how many there may be, and when they end. The helper stays as long as
 * there is one. Main thread, but for rf_measurements_check(). */
#pragma once

#include "rf-helper1-generated.h"
#include "rf-idle.h"
#include "rf-measurement.h"

G_BEGIN_DECLS

/** RF_MEASUREMENTS_MAX: of all callers; one of a bus name, and one that traces. */
#define RF_MEASUREMENTS_MAX 4
/** RF_MEASUREMENTS_MAX_PER_USER: so that one is left for somebody else; not for root. */
#define RF_MEASUREMENTS_MAX_PER_USER 3

typedef struct _RfMeasurements RfMeasurements;

/**
 * rf_measurements_new:
 * @object: (not owned): emits the signal
 * @kernel: what is measured
 * @changed: called when one has ended
 */
RfMeasurements *rf_measurements_new (RfHelper1 *object, RfSysroot *kernel, RfIdle *idle,
                                     void (*changed) (gpointer data), gpointer data);
/** rf_measurements_free: ends all that still run, and waits for their threads. */
void rf_measurements_free (RfMeasurements *self);

/** RfMeasurementsCount: how many run: in all, of one user, of one caller, with a trace. */
typedef struct {
    guint all;
    guint of_user;
    guint of_caller;
    guint tracing;
} RfMeasurementsCount;

/** rf_measurements_refusal: Returns: (transfer none) (nullable): why there is no room for one more. Pure. */
const char *rf_measurements_refusal (const RfMeasurementsCount *count, guint32 uid, gboolean trace);

/**
 * rf_measurements_check:
 * @owner: unique bus name
 * @uid: its user
 *
 * Whether there is room for one more, before anybody is asked for a password. Any thread.
 * Returns: FALSE with RF_ERROR_LIMIT
 */
gboolean rf_measurements_check (RfMeasurements *self, const char *owner, guint32 uid, gboolean trace, GError **error);

/** rf_measurements_start: answers @invocation (transfer full) as soon as the first sample is due, or it has failed. */
void rf_measurements_start (RfMeasurements *self, GDBusMethodInvocation *invocation, guint32 uid,
                            const RfMeasureOptions *options);

/** rf_measurements_stop: Returns: FALSE with RF_ERROR_UNKNOWN if @owner has none of this @id */
gboolean rf_measurements_stop (RfMeasurements *self, const char *owner, const char *id, GError **error);

/** rf_measurements_stop_all: the helper ends. */
void rf_measurements_stop_all (RfMeasurements *self);

/** rf_measurements_running: how many have not ended yet */
guint rf_measurements_running (RfMeasurements *self);

/** rf_measurement_id_valid: whether @id looks like one: eight hexadecimal digits */
gboolean rf_measurement_id_valid (const char *id);

G_END_DECLS
