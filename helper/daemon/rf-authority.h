/* Asks polkit. Whatever goes wrong is a refusal, each with its own error. The check blocks, so it is made in the thread
 * of the call, never in the main thread; the object itself is made in the main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _RfAuthority RfAuthority;

/** RF_AUTHORITY_SILENT_MS: polkit must answer within this time when nobody is to be asked. */
#define RF_AUTHORITY_SILENT_MS (20 * 1000)
/** RF_AUTHORITY_DIALOG_MS: how long a password dialog may stay open. */
#define RF_AUTHORITY_DIALOG_MS (5 * 60 * 1000)

/** rf_authority_new: without a polkit it still makes an object, which refuses. */
RfAuthority *rf_authority_new (guint silent_ms, guint dialog_ms);
void rf_authority_free (RfAuthority *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfAuthority, rf_authority_free)

/**
 * rf_authority_check:
 * @bus: where @sender is; it is watched while polkit thinks
 * @sender: unique name: the subject
 * @count: and
 * @settings: what polkit's message says will change, rendered by the helper
 * @interactive: whether the caller's message allows to ask for a password
 *
 * Returns: TRUE only on a clear yes. RF_ERROR_NOT_AUTHORIZED (no), DISMISSED (dialog closed), NO_AGENT (nobody to ask,
 * or asking was forbidden), AUTHORITY_GONE (absent, failing, too slow), CALLER_GONE
 */
gboolean rf_authority_check (RfAuthority *self, GDBusConnection *bus, const char *sender, const char *action,
                             guint count, const char *settings, gboolean interactive, GError **error);

G_END_DECLS
