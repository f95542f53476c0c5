#define G_LOG_DOMAIN "rf-idle"
#include "config.h"

#include "rf-idle.h"

struct _RfIdle {
    gatomicrefcount ref_count;
    GMutex mutex;
    guint locks;
    GSource *timer; /* NULL while locked */
    guint timeout_ms;
    GSourceFunc callback;
    gpointer data;
};

struct _RfIdleLock {
    RfIdle *idle;
    const char *reason;
};

static gboolean
timeout_cb (gpointer data)
{
    RfIdle *self = data;
    g_mutex_lock (&self->mutex);
    /* a lock may have come after the timer had fired */
    gboolean idle = self->locks == 0;
    g_mutex_unlock (&self->mutex);
    if (idle)
        self->callback (self->data);
    return G_SOURCE_REMOVE;
}

/* with the mutex held */
static void
stop_timer (RfIdle *self)
{
    if (self->timer == NULL)
        return;
    g_source_destroy (self->timer);
    g_clear_pointer (&self->timer, g_source_unref);
}

static void
start_timer (RfIdle *self)
{
    stop_timer (self);
    self->timer = g_timeout_source_new (self->timeout_ms);
    g_source_set_callback (self->timer, timeout_cb, self, NULL);
    g_source_attach (self->timer, NULL);
}

RfIdle *
rf_idle_new (guint timeout_ms, GSourceFunc callback, gpointer data)
{
    RfIdle *self = g_new0 (RfIdle, 1);
    g_atomic_ref_count_init (&self->ref_count);
    g_mutex_init (&self->mutex);
    self->timeout_ms = timeout_ms;
    self->callback = callback;
    self->data = data;
    start_timer (self);
    return self;
}

RfIdle *
rf_idle_ref (RfIdle *self)
{
    g_atomic_ref_count_inc (&self->ref_count);
    return self;
}

void
rf_idle_unref (RfIdle *self)
{
    if (!g_atomic_ref_count_dec (&self->ref_count))
        return;
    stop_timer (self);
    g_mutex_clear (&self->mutex);
    g_free (self);
}

RfIdleLock *
rf_idle_lock (RfIdle *self, const char *reason)
{
    RfIdleLock *lock = g_new0 (RfIdleLock, 1);
    lock->idle = rf_idle_ref (self);
    lock->reason = reason;
    g_mutex_lock (&self->mutex);
    self->locks++;
    stop_timer (self);
    g_mutex_unlock (&self->mutex);
    g_debug ("kept by '%s'", reason);
    return lock;
}

void
rf_idle_unlock (RfIdleLock *lock)
{
    RfIdle *self = lock->idle;
    g_mutex_lock (&self->mutex);
    if (--self->locks == 0)
        start_timer (self);
    g_mutex_unlock (&self->mutex);
    g_debug ("no longer kept by '%s'", lock->reason);
    g_free (lock);
    rf_idle_unref (self);
}
