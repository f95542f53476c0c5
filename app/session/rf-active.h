/* The one recording that a user makes at a time, found by other programs of the same user: a lock and a socket in
 * $XDG_RUNTIME_DIR/ruckelfrei. The lock goes with its process, however that ends. The folder has to be the user's own and
 * closed to the writing of others, and no link; a message of another user is passed over. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _RfActive RfActive;

/**
 * rf_active_claim:
 * @runtime: (nullable): NULL for $XDG_RUNTIME_DIR
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_BUSY if a recording is being made, or RF_ERROR_IO
 */
RfActive *rf_active_claim (const char *runtime, GError **error);
void rf_active_free (RfActive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfActive, rf_active_free)

/** rf_active_fd: readable when there is something to receive */
int rf_active_fd (const RfActive *self);
/** rf_active_receive: @time_ns: when it was said, CLOCK_MONOTONIC. Returns: (transfer full) (nullable): the text of a mark,
 * one line; NULL if there is nothing (more) */
char *rf_active_receive (RfActive *self, gint64 *time_ns);

/** rf_active_send_mark: marks the recording that is being made now. @time_ns: CLOCK_MONOTONIC. Returns: FALSE with
 * RF_ERROR_STATE if none is, or RF_ERROR_IO */
gboolean rf_active_send_mark (const char *runtime, gint64 time_ns, const char *text, GError **error);

G_END_DECLS
