#define G_LOG_DOMAIN "rf-caller"
#include "config.h"

#include "rf-caller.h"
#include "rf-error.h"

#define BUS_TIMEOUT_MS 5000

struct _RfCallers {
    gatomicrefcount ref_count;
    GMutex mutex;
    GHashTable *names; /* char* → count */
    GHashTable *users; /* uid → count */
    guint total;
    GHashTable *waiting; /* char* → count */
    guint waiting_calls;
    guint waiting_others;
    GHashTable *owed;    /* "name serial" → whether it is a call */
    GHashTable *debtors; /* char* → Debt */
    guint owed_calls;
};

/* what one bus name is owed */
typedef struct {
    guint all;
    guint calls;
} Debt;

struct _RfCallSlot {
    RfCallers *callers;
    char *name;
    guint32 uid;
};

RfCallers *
rf_callers_new (void)
{
    RfCallers *self = g_new0 (RfCallers, 1);
    g_atomic_ref_count_init (&self->ref_count);
    g_mutex_init (&self->mutex);
    self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->users = g_hash_table_new (NULL, NULL);
    self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->owed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    self->debtors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    return self;
}

RfCallers *
rf_callers_ref (RfCallers *self)
{
    g_atomic_ref_count_inc (&self->ref_count);
    return self;
}

void
rf_callers_unref (RfCallers *self)
{
    if (!g_atomic_ref_count_dec (&self->ref_count))
        return;
    g_hash_table_unref (self->names);
    g_hash_table_unref (self->users);
    g_hash_table_unref (self->waiting);
    g_hash_table_unref (self->owed);
    g_hash_table_unref (self->debtors);
    g_mutex_clear (&self->mutex);
    g_free (self);
}

RfCallSlot *
rf_callers_enter (RfCallers *self, const char *name, guint32 uid, GError **error)
{
    g_mutex_lock (&self->mutex);
    guint by_name = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name));
    guint by_user = GPOINTER_TO_UINT (g_hash_table_lookup (self->users, GUINT_TO_POINTER (uid)));
    /* The more is taken the less one user gets, so that a few users together cannot shut out the others; and root, who
     * could end the helper anyway, is never shut out. */
    guint left = RF_CALLER_MAX_TOTAL - MIN (self->total, RF_CALLER_MAX_TOTAL);
    gboolean room
        = by_name < RF_CALLER_MAX_PER_NAME && by_user < RF_CALLER_MAX_PER_USER && (uid == 0 || by_user < left);
    if (room) {
        g_hash_table_insert (self->names, g_strdup (name), GUINT_TO_POINTER (by_name + 1));
        g_hash_table_insert (self->users, GUINT_TO_POINTER (uid), GUINT_TO_POINTER (by_user + 1));
        self->total++;
    }
    g_mutex_unlock (&self->mutex);
    if (!room) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_LIMIT, "too many calls are open: wait for one to be answered");
        return NULL;
    }
    RfCallSlot *slot = g_new0 (RfCallSlot, 1);
    slot->callers = rf_callers_ref (self);
    slot->name = g_strdup (name);
    slot->uid = uid;
    return slot;
}

void
rf_call_slot_free (RfCallSlot *slot)
{
    RfCallers *self = slot->callers;
    g_mutex_lock (&self->mutex);
    guint by_name = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, slot->name));
    guint by_user = GPOINTER_TO_UINT (g_hash_table_lookup (self->users, GUINT_TO_POINTER (slot->uid)));
    if (by_name > 1)
        g_hash_table_insert (self->names, g_strdup (slot->name), GUINT_TO_POINTER (by_name - 1));
    else
        g_hash_table_remove (self->names, slot->name);
    if (by_user > 1)
        g_hash_table_insert (self->users, GUINT_TO_POINTER (slot->uid), GUINT_TO_POINTER (by_user - 1));
    else
        g_hash_table_remove (self->users, GUINT_TO_POINTER (slot->uid));
    self->total--;
    g_mutex_unlock (&self->mutex);
    g_free (slot->name);
    g_free (slot);
    rf_callers_unref (self);
}

gboolean
rf_callers_wait (RfCallers *self, const char *name, gboolean call)
{
    g_mutex_lock (&self->mutex);
    guint by_name = GPOINTER_TO_UINT (g_hash_table_lookup (self->waiting, name));
    guint *all = call ? &self->waiting_calls : &self->waiting_others;
    gboolean room
        = by_name < RF_CALLER_MAX_WAITING && *all < (call ? RF_CALLER_MAX_WAITING_CALLS : RF_CALLER_MAX_WAITING_OTHERS);
    if (room) {
        g_hash_table_insert (self->waiting, g_strdup (name), GUINT_TO_POINTER (by_name + 1));
        (*all)++;
    }
    g_mutex_unlock (&self->mutex);
    return room;
}

void
rf_callers_waited (RfCallers *self, const char *name, gboolean call)
{
    g_mutex_lock (&self->mutex);
    guint by_name = GPOINTER_TO_UINT (g_hash_table_lookup (self->waiting, name));
    guint *all = call ? &self->waiting_calls : &self->waiting_others;
    /* a call that has not come through the filter, as in a peer-to-peer test, was never counted */
    if (by_name > 0 && *all > 0) {
        (*all)--;
        if (by_name > 1)
            g_hash_table_insert (self->waiting, g_strdup (name), GUINT_TO_POINTER (by_name - 1));
        else
            g_hash_table_remove (self->waiting, name);
    }
    g_mutex_unlock (&self->mutex);
}

/* with the mutex held */
static RfCallerRoom
room_for (const RfCallers *self, const Debt *debt, gboolean call)
{
    guint left = RF_CALLER_MAX_OWED - g_hash_table_size (self->owed);
    guint left_calls = RF_CALLER_MAX_OWED_CALLS - self->owed_calls;
    /* a thousand names have to come before there is nothing left for the next one */
    if (left == 0 || debt->all >= MIN (RF_CALLER_MAX_OWED_NAME, left / 256 + 1))
        return RF_CALLER_DROP;
    if (call && debt->calls >= MIN (RF_CALLER_MAX_OWED_CALLS_NAME, left_calls))
        return RF_CALLER_REFUSE;
    return RF_CALLER_ROOM;
}

RfCallerRoom
rf_callers_owe (RfCallers *self, const char *name, guint32 serial, gboolean call)
{
    g_autofree char *key = g_strdup_printf ("%s %u", name, serial);
    static const Debt none;
    g_mutex_lock (&self->mutex);
    Debt *debt = g_hash_table_lookup (self->debtors, name);
    /* a serial that is used twice would be counted once */
    RfCallerRoom room
        = g_hash_table_contains (self->owed, key) ? RF_CALLER_DROP : room_for (self, debt != NULL ? debt : &none, call);
    if (room != RF_CALLER_DROP) {
        gboolean long_answer = call && room == RF_CALLER_ROOM;
        if (debt == NULL) {
            debt = g_new0 (Debt, 1);
            g_hash_table_insert (self->debtors, g_strdup (name), debt);
        }
        debt->all++;
        debt->calls += long_answer;
        self->owed_calls += long_answer;
        g_hash_table_insert (self->owed, g_steal_pointer (&key), GINT_TO_POINTER (long_answer));
    }
    g_mutex_unlock (&self->mutex);
    return room;
}

void
rf_callers_paid (RfCallers *self, const char *name, guint32 serial)
{
    g_autofree char *key = g_strdup_printf ("%s %u", name, serial);
    gpointer long_answer = NULL;
    g_mutex_lock (&self->mutex);
    if (g_hash_table_lookup_extended (self->owed, key, NULL, &long_answer)) {
        Debt *debt = g_hash_table_lookup (self->debtors, name);
        g_hash_table_remove (self->owed, key);
        self->owed_calls -= long_answer != NULL;
        debt->calls -= long_answer != NULL;
        if (--debt->all == 0)
            g_hash_table_remove (self->debtors, name);
    }
    g_mutex_unlock (&self->mutex);
}

gboolean
rf_caller_uid (GDBusConnection *bus, const char *name, guint32 *uid, GError **error)
{
    g_autoptr (GError) local = NULL;
    g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixUser",
        g_variant_new ("(s)", name), G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, BUS_TIMEOUT_MS, NULL, &local);
    if (reply == NULL) {
        g_set_error (error, RF_ERROR, RF_ERROR_CALLER_GONE, "the caller has left the bus: %s", local->message);
        return FALSE;
    }
    g_variant_get (reply, "(u)", uid);
    return TRUE;
}
