/* Leaves when there is nothing to do: a timer that runs only while nobody holds a lock. Locks have names, so that a log
 * can say what keeps the helper. Any thread may lock and unlock; the callback comes in the default main context. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _RfIdle RfIdle;
typedef struct _RfIdleLock RfIdleLock;

/** rf_idle_new: @callback is called once when no lock was held for @timeout_ms. Starts at once. */
RfIdle *rf_idle_new (guint timeout_ms, GSourceFunc callback, gpointer data);
RfIdle *rf_idle_ref (RfIdle *self);
void rf_idle_unref (RfIdle *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfIdle, rf_idle_unref)

/** rf_idle_lock: @reason is a static string. */
RfIdleLock *rf_idle_lock (RfIdle *self, const char *reason);
void rf_idle_unlock (RfIdleLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfIdleLock, rf_idle_unlock)

G_END_DECLS
