/* The app's side of the D-Bus contract: asynchronous calls with interactive authorisation allowed and a time-out long
 * enough for a password and a swapoff; knows whether the helper is installed. Never trusts a signal for state: a signal
 * only makes it read again by a method call, from the unique name that owns the bus name. No GTK. Main thread. */
#pragma once

#include "rf-plan.h"
#include "rf-record.h"

G_BEGIN_DECLS

#define RF_TYPE_CLIENT (rf_client_get_type ())
G_DECLARE_FINAL_TYPE (RfClient, rf_client, RF, CLIENT, GObject)

/** RfDrift: one row of Check. Owned by the array that holds it. */
typedef struct {
    char *record_id;
    const RfTunable *tunable;
    char *instance;
    RfValue now;   /* ABSENT if it cannot be read */
    char *verdict; /* "as-kept", "drifted", "unreachable", "file-missing", "file-edited" */
} RfDrift;
void rf_drift_free (RfDrift *self);

/**
 * RfClient signals: "records-changed" (), "progress" (char *id, char *step, guint done, guint total),
 * "trial-ended" (char *id, char *reason), "measurement-ended" (char *id, char *reason: stopped, caller-left, limit,
 * reader-gone, failed; the end of the pipes tells the same). Properties: "available" (gboolean): the helper is installed and answers or
 * can be started; "trial-id" (string), "trial-ends" (int64, CLOCK_BOOTTIME µs); "helper-version" (string): NULL while none
 * runs; "restarting" (gboolean).
 */

/** rf_client_new: @connection (nullable): NULL for the system bus; never blocks, connects in the background */
RfClient *rf_client_new (GDBusConnection *connection);

/** rf_client_get_available: whether a helper runs or can be started; FALSE until the bus has answered */
gboolean rf_client_get_available (RfClient *self);
const char *rf_client_get_trial_id (RfClient *self); /* NULL if none */
gint64 rf_client_get_trial_ends (RfClient *self);    /* CLOCK_BOOTTIME, µs; 0 if none */
const char *rf_client_get_helper_version (RfClient *self); /* "0.1.0"; NULL while no helper runs or it has not said it */
/** rf_client_is_known: whether the bus has said by now if there is a helper, or cannot be reached */
gboolean rf_client_is_known (RfClient *self);
/** rf_client_get_bus_error: Returns: (transfer none) (nullable): why the bus itself cannot be reached */
const GError *rf_client_get_bus_error (RfClient *self);
/** rf_client_look_again: asks the bus anew whether there is a helper, which may have been installed since */
void rf_client_look_again (RfClient *self);
/**
 * rf_client_restart_helper:
 *
 * Makes no call until the helper has left, which it does by itself when nobody needs it, and starts it again: after an
 * update the new program then. Nobody may end it, so with a trial or with another program's calls it stays; after a minute
 * this gives up. Calls made meanwhile wait.
 */
void rf_client_restart_helper (RfClient *self);
gboolean rf_client_is_restarting (RfClient *self);
/** rf_client_cancel: asks the helper to stop what it does for this program where it can be stopped; the call that waits
 * for it comes back with RF_ERROR_CANCELLED, or with its result if it was done already */
void rf_client_cancel (RfClient *self);

/*
 * The calls. One pair for each method of the helper, which io.github.ruckelfrei.Helper1.xml describes. @callback comes
 * in the main thread, @self lives until then. Errors of all of them: RF_ERROR as the helper gave it, or G_DBUS_ERROR
 * and G_IO_ERROR when it could not be reached; rf_message_from_error() has the words. A password dialog may open.
 */

/**
 * rf_client_apply_async:
 * @trial_seconds: length of the trial
 * @cancellable: (nullable): cancelling asks the helper to stop; the callback still comes when it has, with
 *   RF_ERROR_CANCELLED, or with a record if it was done already
 */
void rf_client_apply_async (RfClient *self, RfPlan *plan, guint trial_seconds, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full): the record on trial */
RfRecord *rf_client_apply_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_extend_async: the trial @id ends @seconds from now */
void rf_client_extend_async (RfClient *self, const char *id, guint seconds, GAsyncReadyCallback callback,
                             gpointer data);
gboolean rf_client_extend_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_keep_async: ends the trial @id and writes the files that bring it back at each start */
void rf_client_keep_async (RfClient *self, const char *id, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full): the record, now kept */
RfRecord *rf_client_keep_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_revert_async: takes one record back; @force: also what somebody else has changed since */
void rf_client_revert_async (RfClient *self, const char *id, gboolean force, GAsyncReadyCallback callback,
                             gpointer data);
/** Returns: (transfer full): the record; its entries tell what did not go back */
RfRecord *rf_client_revert_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_revert_entry_async: takes one setting of a kept record back; @instance (nullable) */
void rf_client_revert_entry_async (RfClient *self, const char *id, const RfTunable *tunable, const char *instance,
                                   gboolean force, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full): the record, which stays kept as long as another entry is applied */
RfRecord *rf_client_revert_entry_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_revert_all_async: takes everything back, newest first */
void rf_client_revert_all_async (RfClient *self, gboolean force, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfRecord): those that were worked on */
GPtrArray *rf_client_revert_all_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_list_async (RfClient *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfRecord): all, oldest first */
GPtrArray *rf_client_list_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_check_async: how each kept setting stands now */
void rf_client_check_async (RfClient *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfDrift) */
GPtrArray *rf_client_check_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_version_async: asks the helper, and starts it if it does not run */
void rf_client_version_async (RfClient *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full): "0.1.0" */
char *rf_client_version_finish (RfClient *self, GAsyncResult *result, GError **error);

/** RfMeasurementOptions: 0 stands for the helper's own number: 10 Hz, four hours, 5,000 µs. */
typedef struct {
    guint hz;
    guint limit_seconds;
    gboolean trace; /* needs an administrator's password */
    guint slow_io_us;
} RfMeasurementOptions;

/** RfMeasurementFiles: a measurement that runs. */
typedef struct {
    char *id;
    int samples; /* reading end of a pipe, closed at exec; set to -1 what you take over */
    int events;  /* likewise */
} RfMeasurementFiles;
void rf_measurement_files_free (RfMeasurementFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfMeasurementFiles, rf_measurement_files_free)

/**
 * rf_client_start_measurement_async: the helper measures from then on; with io.github.ruckelfrei.Helper1.xml for what comes
 * through the pipes. It ends with rf_client_stop_measurement_async(), with @self's connection, at the limit, or when
 * nobody reads. For words use rf_message_from_measurement_error(): where nothing can be traced the error is
 * RF_ERROR_UNAVAILABLE, and the same without trace works.
 */
void rf_client_start_measurement_async (RfClient *self, const RfMeasurementOptions *options,
                                        GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) */
RfMeasurementFiles *rf_client_start_measurement_finish (RfClient *self, GAsyncResult *result, GError **error);
/** rf_client_stop_measurement_async: the pipes end when what is in them was read; RF_ERROR_UNKNOWN if it has ended */
void rf_client_stop_measurement_async (RfClient *self, const char *id, GAsyncReadyCallback callback, gpointer data);
gboolean rf_client_stop_measurement_finish (RfClient *self, GAsyncResult *result, GError **error);

G_END_DECLS
