/* Who is calling: counts what each caller has open, by bus name, by user and in all, so that nobody can fill the helper
 * with requests or password dialogs. Thread-safe. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define RF_CALLER_MAX_PER_NAME 4
#define RF_CALLER_MAX_PER_USER 8
#define RF_CALLER_MAX_TOTAL 24

typedef struct _RfCallers RfCallers;
typedef struct _RfCallSlot RfCallSlot;

RfCallers *rf_callers_new (void);
RfCallers *rf_callers_ref (RfCallers *self);
void rf_callers_unref (RfCallers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCallers, rf_callers_unref)

/**
 * rf_callers_enter:
 * @name: unique bus name of the sender
 * @uid: its user, from the bus
 *
 * Returns: (transfer full) (nullable): to be given to rf_call_slot_free() when the call is answered; NULL with
 * RF_ERROR_LIMIT
 */
RfCallSlot *rf_callers_enter (RfCallers *self, const char *name, guint32 uid, GError **error);
void rf_call_slot_free (RfCallSlot *slot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCallSlot, rf_call_slot_free)

/**
 * rf_caller_uid:
 *
 * Asks the bus; blocks for a short time, not for the main thread.
 * Returns: FALSE with RF_ERROR_CALLER_GONE
 */
gboolean rf_caller_uid (GDBusConnection *bus, const char *name, guint32 *uid, GError **error);

G_END_DECLS
