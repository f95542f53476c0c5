/* Who is calling: counts what each caller has open, by bus name, by user and in all, so that nobody can fill the helper
 * with requests or password dialogs. Thread-safe. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define RF_CALLER_MAX_PER_NAME 4
/** RF_CALLER_MAX_PER_USER: and for all but root never more than are still free. */
#define RF_CALLER_MAX_PER_USER 8
/** RF_CALLER_MAX_TOTAL: of all users but root, who gets RF_CALLER_MAX_PER_USER on top. */
#define RF_CALLER_MAX_TOTAL 24

/** RF_CALLER_MAX_WAITING: messages of one bus name that nobody has looked at yet. */
#define RF_CALLER_MAX_WAITING 16
/** RF_CALLER_MAX_WAITING_CALLS: of all names, for a thread each; with the open calls below TasksMax of the unit. */
#define RF_CALLER_MAX_WAITING_CALLS 24
/** RF_CALLER_MAX_WAITING_OTHERS: of all names, for the main thread: properties, introspection. */
#define RF_CALLER_MAX_WAITING_OTHERS 256
/** RF_CALLER_MAX_OWED: answers that the bus has not taken yet, of all names (1.5 KiB each, if short); of one name at
 * most RF_CALLER_MAX_OWED_NAME and less the fewer are left. While others flood it, the bus takes ours last. */
#define RF_CALLER_MAX_OWED 16384
#define RF_CALLER_MAX_OWED_NAME 64
/** RF_CALLER_MAX_OWED_CALLS: of these, answers of our own methods, which can be long. */
#define RF_CALLER_MAX_OWED_CALLS 64
#define RF_CALLER_MAX_OWED_CALLS_NAME 8
/** RF_CALLER_MAX_BYTES: arguments of one message. The longest plan has a few KiB. */
#define RF_CALLER_MAX_BYTES (64 * 1024)

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
 * rf_callers_wait:
 * @call: whether a thread will be needed for it
 *
 * Counts a message that has come in, before anything is done for it; GIO's own queue has no limit.
 * Returns: whether there is room; then rf_callers_waited() is due when its turn has come
 */
gboolean rf_callers_wait (RfCallers *self, const char *name, gboolean call);
void rf_callers_waited (RfCallers *self, const char *name, gboolean call);

/**
 * RfCallerRoom:
 * @RF_CALLER_ROOM: go on
 * @RF_CALLER_REFUSE: there is only room for a short refusal
 * @RF_CALLER_DROP: there is not even room for that: no answer at all
 */
typedef enum {
    RF_CALLER_ROOM,
    RF_CALLER_REFUSE,
    RF_CALLER_DROP,
} RfCallerRoom;

/**
 * rf_callers_owe:
 * @serial: of the message that waits for an answer
 * @call: whether it is one of our own methods
 *
 * Unless it is to be dropped the answer is owed until rf_callers_paid(), which is due when the bus takes it.
 */
RfCallerRoom rf_callers_owe (RfCallers *self, const char *name, guint32 serial, gboolean call);
void rf_callers_paid (RfCallers *self, const char *name, guint32 serial);

/**
 * rf_caller_uid:
 *
 * Asks the bus; blocks for a short time, not for the main thread.
 * Returns: FALSE with RF_ERROR_CALLER_GONE
 */
gboolean rf_caller_uid (GDBusConnection *bus, const char *name, guint32 *uid, GError **error);

G_END_DECLS
