/* What rf-client.c and rf-client-calls.c share: one method call of the helper as a GTask. Not for others. */
#pragma once

#include "rf-client.h"

#include <gio/gunixfdlist.h>

G_BEGIN_DECLS

/** RfClientParse: turns a reply, with the files that came along (nullable), into what finish() returns; @error is set when
 * it gives NULL. */
typedef gpointer (*RfClientParse) (GVariant *reply, GUnixFDList *files, GError **error);

/** RfClientCall: one method call that waits for the connection or for its answer. */
typedef struct {
    const char *method;
    GVariant *parameters;
    RfClientParse parse;
    GDestroyNotify free_result;
    gulong cancel_handler;
    GCancellable *cancellable;
} RfClientCall;

/**
 * rf_client_call:
 * @parameters: (transfer floating)
 * @cancellable: (nullable): cancelling asks the helper to stop; the answer is still waited for, because only the
 *   helper knows whether everything is as before
 */
void rf_client_call (RfClient *self, const char *method, GVariant *parameters, RfClientParse parse,
                     GDestroyNotify free_result, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer data);
gpointer rf_client_call_finish (RfClient *self, GAsyncResult *result, GError **error);

G_END_DECLS
