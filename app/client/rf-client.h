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
 * "trial-ended" (char *id, char *reason). Properties: "available" (gboolean): the helper is installed and answers or
 * can be started; "trial-id" (string), "trial-ends" (int64, CLOCK_BOOTTIME µs).
 */

/** rf_client_new: @connection (nullable): NULL for the system bus; never blocks, connects in the background */
RfClient *rf_client_new (GDBusConnection *connection);

gboolean rf_client_get_available (RfClient *self);
const char *rf_client_get_trial_id (RfClient *self); /* NULL if none */
gint64 rf_client_get_trial_ends (RfClient *self);

void rf_client_apply_async (RfClient *self, RfPlan *plan, guint trial_seconds, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full): the record on trial */
RfRecord *rf_client_apply_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_extend_async (RfClient *self, const char *id, guint seconds, GAsyncReadyCallback callback,
                             gpointer data);
gboolean rf_client_extend_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_keep_async (RfClient *self, const char *id, GAsyncReadyCallback callback, gpointer data);
RfRecord *rf_client_keep_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_revert_async (RfClient *self, const char *id, gboolean force, GAsyncReadyCallback callback,
                             gpointer data);
RfRecord *rf_client_revert_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_revert_entry_async (RfClient *self, const char *id, const RfTunable *tunable, const char *instance,
                                   gboolean force, GAsyncReadyCallback callback, gpointer data);
RfRecord *rf_client_revert_entry_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_revert_all_async (RfClient *self, gboolean force, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfRecord) */
GPtrArray *rf_client_revert_all_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_list_async (RfClient *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfRecord) */
GPtrArray *rf_client_list_finish (RfClient *self, GAsyncResult *result, GError **error);
void rf_client_check_async (RfClient *self, GAsyncReadyCallback callback, gpointer data);
/** Returns: (transfer full) (element-type RfDrift) */
GPtrArray *rf_client_check_finish (RfClient *self, GAsyncResult *result, GError **error);

G_END_DECLS
