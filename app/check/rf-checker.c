#define G_LOG_DOMAIN "rf-checker"
#include "config.h"

#include "rf-checker.h"

#define PATIENCE_MS 10000

struct _RfChecker {
    GObject parent_instance;
    RfSysroot *sysroot;
    RfCheckReader reader;
    guint patience_ms;
    GPtrArray *results;
    gint64 time;
    guint timeout;
    gboolean running;
    gboolean slow;
};

G_DEFINE_FINAL_TYPE (RfChecker, rf_checker, G_TYPE_OBJECT)

static guint changed_signal;

static void
rf_checker_finalize (GObject *object)
{
    RfChecker *self = RF_CHECKER (object);
    g_clear_handle_id (&self->timeout, g_source_remove);
    g_clear_pointer (&self->results, g_ptr_array_unref);
    g_object_unref (self->sysroot);
    G_OBJECT_CLASS (rf_checker_parent_class)->finalize (object);
}

static void
rf_checker_class_init (RfCheckerClass *klass)
{
    G_OBJECT_CLASS (klass)->finalize = rf_checker_finalize;
    changed_signal
        = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
rf_checker_init (RfChecker *self)
{
}

RfChecker *
rf_checker_new_with (RfSysroot *sysroot, RfCheckReader reader, guint patience_ms)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot) && reader != NULL, NULL);
    RfChecker *self = g_object_new (RF_TYPE_CHECKER, NULL);
    self->sysroot = g_object_ref (sysroot);
    self->reader = reader;
    self->patience_ms = patience_ms;
    return self;
}

RfChecker *
rf_checker_new (RfSysroot *sysroot)
{
    return rf_checker_new_with (sysroot, rf_check_input_read, PATIENCE_MS);
}

/* All that the thread gets: the checker itself lives and ends in the main thread. */
typedef struct {
    RfSysroot *sysroot;
    RfCheckReader reader;
} Request;

static void
request_free (gpointer data)
{
    Request *request = data;
    g_object_unref (request->sysroot);
    g_free (request);
}

static void
read_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Request *request = data;
    g_task_return_pointer (task, request->reader (request->sysroot), (GDestroyNotify)rf_check_input_free);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr (RfChecker) self = RF_CHECKER (data);
    g_autoptr (RfCheckInput) input = g_task_propagate_pointer (G_TASK (result), NULL);
    g_clear_handle_id (&self->timeout, g_source_remove);
    g_clear_pointer (&self->results, g_ptr_array_unref);
    self->results = rf_check_run (input);
    self->time = g_get_real_time () / G_USEC_PER_SEC;
    self->running = FALSE;
    self->slow = FALSE;
    g_signal_emit (self, changed_signal, 0);
}

static gboolean
slow_cb (gpointer data)
{
    RfChecker *self = RF_CHECKER (data);
    self->timeout = 0;
    self->slow = TRUE;
    g_signal_emit (self, changed_signal, 0);
    return G_SOURCE_REMOVE;
}

void
rf_checker_start (RfChecker *self)
{
    g_return_if_fail (RF_IS_CHECKER (self));
    if (self->running)
        return;
    g_autoptr (GTask) task = g_task_new (NULL, NULL, read_cb, g_object_ref (self));
    Request *request = g_new0 (Request, 1);
    request->sysroot = g_object_ref (self->sysroot);
    request->reader = self->reader;
    g_task_set_task_data (task, request, request_free);
    self->running = TRUE;
    self->timeout = g_timeout_add (self->patience_ms, slow_cb, self);
    g_task_run_in_thread (task, read_thread);
    g_signal_emit (self, changed_signal, 0);
}

gboolean
rf_checker_is_running (RfChecker *self)
{
    g_return_val_if_fail (RF_IS_CHECKER (self), FALSE);
    return self->running;
}

gboolean
rf_checker_is_slow (RfChecker *self)
{
    g_return_val_if_fail (RF_IS_CHECKER (self), FALSE);
    return self->slow;
}

GPtrArray *
rf_checker_get_results (RfChecker *self)
{
    g_return_val_if_fail (RF_IS_CHECKER (self), NULL);
    return self->results;
}

gint64
rf_checker_get_time (RfChecker *self)
{
    g_return_val_if_fail (RF_IS_CHECKER (self), 0);
    return self->time;
}
