/* How one kind of setting is read, checked and written. Three back-ends, chosen by the tunable's row; none of them
 * knows records, trials or callers. Stateless functions, any thread, one at a time. */
#pragma once

#include "rf-control.h"
#include "rf-current.h"
#include "rf-machine.h"

G_BEGIN_DECLS

/** RfTarget: what is written: one tunable on one instance of this machine. Borrowed pointers. */
typedef struct {
    RfMachine *machine;
    const RfFacts *facts;
    const RfTunable *tunable;
    const char *instance;
} RfTarget;

/**
 * RfBackend:
 * @read: the value now
 * @check: whether @value can be written here and the value from before can come back; nothing is changed
 * @write: brings the setting to @value; does not read back
 */
typedef struct {
    gboolean (*read) (const RfTarget *target, RfValue *out, GError **error);
    gboolean (*check) (const RfTarget *target, const RfValue *value, const RfValue *before, GError **error);
    gboolean (*write) (const RfTarget *target, const RfValue *value, const RfControl *control, GError **error);
} RfBackend;

/** rf_backend_for: Returns: (transfer none): never NULL */
const RfBackend *rf_backend_for (RfBackendKind kind);

/** rf_backend_read: the value of @target now. */
gboolean rf_backend_read (const RfTarget *target, RfValue *out, GError **error);

/**
 * rf_backend_set:
 * @effective: (out): what was read back
 *
 * Writes unless the value is there already, reads back and compares as numbers.
 * Returns: FALSE with RF_ERROR_MISMATCH if the kernel made something else of it
 */
gboolean rf_backend_set (const RfTarget *target, const RfValue *value, const RfControl *control, RfValue *effective,
                         GError **error);

/**
 * rf_backend_read_requests: nr_requests of the queue of @target, 0 if there is none.
 *
 * Choosing a scheduler resets it to the kernel's default for that one, also on the way back: block/elevator.c
 */
gint64 rf_backend_read_requests (const RfTarget *target);
/** rf_backend_restore_requests: writes it if it is another number now. */
gboolean rf_backend_restore_requests (const RfTarget *target, gint64 requests, GError **error);

/**
 * rf_backend_zram_mark: says that @device, which may be only foreseen, is ours with @value; see rf_zram_marker_parse().
 */
gboolean rf_backend_zram_mark (RfMachine *machine, const char *device, const RfValue *value, GError **error);

extern const RfBackend rf_backend_sysctl;
extern const RfBackend rf_backend_queue;
extern const RfBackend rf_backend_zram;

G_END_DECLS
