/* Makes a recording: starts a measurement of the helper and copies its two streams into a folder; without a helper it looks
 * itself, four times a second, with what anybody may read, and the recording says so (source = window). One at a time for
 * a user. Main thread; a thread of its own does the work.
 *
 * What a crash costs: a line is handed to the kernel at most half a second after it came, so the end of this program or of
 * the helper, however it comes, costs less than the last second. Nothing is forced onto the drive meanwhile: fdatasync()
 * would put a flush of the drive's cache and a commit of the file system's journal into every second of what is being
 * measured, and would itself wait in the very queue that is in question. The kernel writes a file of a few KiB a second by
 * itself within half a minute (vm.dirty_expire_centisecs), which is what a failure of the power may cost. At the end
 * everything is forced once. A write() that the kernel holds up (write-back) is waited for in the recorder's thread, and the
 * helper keeps what comes meanwhile, up to a minute. */
#pragma once

#include "rf-client.h"
#include "rf-event.h"
#include "rf-recordings.h"

G_BEGIN_DECLS

#define RF_TYPE_RECORDER (rf_recorder_get_type ())
G_DECLARE_FINAL_TYPE (RfRecorder, rf_recorder, RF, RECORDER, GObject)

typedef enum {
    RF_RECORDER_IDLE,
    RF_RECORDER_STARTING,  /* the helper is asked; a password dialog may be open */
    RF_RECORDER_PRE_ROLL,  /* the last two minutes are kept in memory, nothing is written */
    RF_RECORDER_RECORDING,
    RF_RECORDER_STOPPING,
} RfRecorderState;

/**
 * RfRecorderOptions:
 * @name, @workload: (nullable)
 * @hz: 1 to 50 of the helper; 0: 10
 * @trace: with the kernel's events; asks for a password
 * @pre_roll: begins with RF_RECORDER_PRE_ROLL
 * @limit_s: the helper ends by itself after this long; 0: a day
 */
typedef struct {
    const char *name;
    const char *workload;
    guint hz;
    gboolean trace;
    gboolean pre_roll;
    guint limit_s;
} RfRecorderOptions;

/**
 * RfRecorder signals: "changed" (): state, id or count of marks; "marked" (char *text); "ended" (char *reason): it is idle
 * again. @reason as in session.ini: "stopped", "limit", "reader-gone", "helper-gone", "disk-full", "write-failed" …
 */

/**
 * rf_recorder_new:
 * @recordings: lives as long as the recorder
 * @runtime: (nullable): folder in place of $XDG_RUNTIME_DIR, for tests
 */
RfRecorder *rf_recorder_new (const RfRecordings *recordings, RfSysroot *sysroot, const char *runtime);

/**
 * rf_recorder_start_async:
 * @client: (nullable): NULL: there is no helper
 * @cancellable: (nullable): gives up waiting for the helper
 */
void rf_recorder_start_async (RfRecorder *self, RfClient *client, const RfRecorderOptions *options,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/** Returns: FALSE with RF_ERROR_BUSY if a recording is being made, here or by another program, RF_ERROR_LIMIT (disk full),
 * READ_ONLY or IO if it cannot be written. A helper that is missing or refuses is no error: rf_recorder_get_refusal() */
gboolean rf_recorder_start_finish (RfRecorder *self, GAsyncResult *result, GError **error);

/** rf_recorder_start_streams_async: the second half, with streams as the helper's, which are taken; finish as above */
void rf_recorder_start_streams_async (RfRecorder *self, const RfRecorderOptions *options, int samples, int events,
                                      GAsyncReadyCallback callback, gpointer data);

/** rf_recorder_write: ends the pre-roll: the last two minutes and all that follows are written */
void rf_recorder_write (RfRecorder *self);
/** rf_recorder_mark: "it stuttered now"; ends the pre-roll, too. @text: may be empty */
void rf_recorder_mark (RfRecorder *self, const char *text);

/** rf_recorder_add_event: one that the app has noticed: tile, gpu-fall, applied, taken-back. Passed over if idle */
void rf_recorder_add_event (RfRecorder *self, const RfEvent *event);
/**
 * rf_recorder_add_row:
 * @table: "gpu", "frames": letters, digits and "-"
 * @columns: NULL-terminated, the same for each row of this table in one recording, without time_ns
 * @time_ns: CLOCK_MONOTONIC, not before that of the row before
 * @values: one for each column, NAN: not available
 */
void rf_recorder_add_row (RfRecorder *self, const char *table, const char *const *columns, gint64 time_ns,
                          const double *values);

/** rf_recorder_stop_async: the helper ends its measurement, what it still sends is written, and all is forced to the drive */
void rf_recorder_stop_async (RfRecorder *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (nullable): the id; NULL without error if nothing was written (pre-roll), or with the error
 * that ended it before */
char *rf_recorder_stop_finish (RfRecorder *self, GAsyncResult *result, GError **error);

/** rf_recorder_hurry: a stop that runs does not wait any longer for what the helper still has to say */
void rf_recorder_hurry (RfRecorder *self);

RfRecorderState rf_recorder_get_state (RfRecorder *self);
/** rf_recorder_get_id: (nullable): of the recording that is, or was last, written */
const char *rf_recorder_get_id (RfRecorder *self);
/** rf_recorder_get_started_us: CLOCK_MONOTONIC, when it was started; 0: never */
gint64 rf_recorder_get_started_us (RfRecorder *self);
guint rf_recorder_get_marks (RfRecorder *self);
/** rf_recorder_is_measured: whether the helper measures for the recording that is being made */
gboolean rf_recorder_is_measured (RfRecorder *self);
/** rf_recorder_get_refusal: (nullable): why this recording is made without the helper, or, if it is measured, without the
 * kernel's events; for rf_message_from_measurement_error() */
const GError *rf_recorder_get_refusal (RfRecorder *self);
/** rf_recorder_get_failure: (nullable): what ended the last recording before its time */
const GError *rf_recorder_get_failure (RfRecorder *self);

G_END_DECLS
