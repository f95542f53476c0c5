#define G_LOG_DOMAIN "rf-measure"
#include "config.h"

#include "rf-measurements.h"

#include <gio/gunixfdlist.h>
#include <string.h>

#include "rf-error.h"

typedef struct {
    RfMeasurements *all;
    char *id;
    char *owner;
    guint32 uid;
    gboolean trace;
    RfMeasurement *measurement;
    GDBusMethodInvocation *invocation; /* NULL: answered */
    gboolean started;
    guint watch;
    RfIdleLock *lock;
} Entry;

struct _RfMeasurements {
    RfHelper1 *object;
    RfSysroot *kernel;
    RfIdle *idle;
    void (*changed) (gpointer data);
    gpointer data;
    GMutex mutex; /* around the list; its entries belong to the main thread but for owner, uid and trace */
    GPtrArray *entries;
};

static void
entry_free (gpointer data)
{
    Entry *entry = data;
    if (entry->watch != 0)
        g_bus_unwatch_name (entry->watch);
    g_clear_pointer (&entry->measurement, rf_measurement_free);
    if (entry->invocation != NULL)
        g_dbus_method_invocation_return_error_literal (entry->invocation, RF_ERROR, RF_ERROR_FAILED, "the helper ends");
    if (entry->lock != NULL)
        rf_idle_unlock (entry->lock);
    g_free (entry->id);
    g_free (entry->owner);
    g_free (entry);
}

RfMeasurements *
rf_measurements_new (RfHelper1 *object, RfSysroot *kernel, RfIdle *idle, void (*changed) (gpointer data), gpointer data)
{
    RfMeasurements *self = g_new0 (RfMeasurements, 1);
    self->object = object;
    self->kernel = g_object_ref (kernel);
    self->idle = rf_idle_ref (idle);
    self->changed = changed;
    self->data = data;
    g_mutex_init (&self->mutex);
    self->entries = g_ptr_array_new_with_free_func (entry_free);
    return self;
}

void
rf_measurements_free (RfMeasurements *self)
{
    if (self == NULL)
        return;
    rf_measurements_stop_all (self);
    g_ptr_array_unref (self->entries);
    g_mutex_clear (&self->mutex);
    rf_idle_unref (self->idle);
    g_object_unref (self->kernel);
    g_free (self);
}

const char *
rf_measurements_refusal (const RfMeasurementsCount *count, guint32 uid, gboolean trace)
{
    if (count->of_caller > 0)
        return "a measurement of this caller is still running";
    if (trace && count->tracing > 0)
        return "another measurement is tracing already";
    if (count->all >= RF_MEASUREMENTS_MAX)
        return "too many measurements are running";
    if (uid != 0 && count->of_user >= RF_MEASUREMENTS_MAX_PER_USER)
        return "too many measurements of this user are running";
    return NULL;
}

gboolean
rf_measurements_check (RfMeasurements *self, const char *owner, guint32 uid, gboolean trace, GError **error)
{
    RfMeasurementsCount count = {0};
    g_mutex_lock (&self->mutex);
    for (guint i = 0; i < self->entries->len; i++) {
        const Entry *entry = g_ptr_array_index (self->entries, i);
        count.all++;
        count.of_user += entry->uid == uid;
        count.of_caller += g_str_equal (entry->owner, owner);
        count.tracing += entry->trace;
    }
    g_mutex_unlock (&self->mutex);
    const char *refusal = rf_measurements_refusal (&count, uid, trace);
    if (refusal != NULL)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_LIMIT, refusal);
    return refusal == NULL;
}

static void
remove_entry (RfMeasurements *self, Entry *entry)
{
    guint index = 0;
    g_mutex_lock (&self->mutex);
    gboolean found = g_ptr_array_find (self->entries, entry, &index);
    if (found)
        g_ptr_array_steal_index_fast (self->entries, index);
    g_mutex_unlock (&self->mutex);
    if (found)
        entry_free (entry);
}

static void
answer (Entry *entry)
{
    int fds[] = {rf_measurement_take_reader (entry->measurement, FALSE),
                 rf_measurement_take_reader (entry->measurement, TRUE)};
    g_autoptr (GUnixFDList) list = g_unix_fd_list_new_from_array (fds, G_N_ELEMENTS (fds)); /* takes them */
    rf_helper1_complete_start_measurement (entry->all->object, g_steal_pointer (&entry->invocation), list, entry->id,
                                           g_variant_new_handle (0), g_variant_new_handle (1));
}

static void
started_cb (RfMeasurement *measurement, const GError *error, gpointer data)
{
    Entry *entry = data;
    entry->started = error == NULL;
    if (error == NULL)
        answer (entry);
    else if (error->domain == RF_ERROR)
        g_dbus_method_invocation_return_gerror (g_steal_pointer (&entry->invocation), error);
    else
        g_dbus_method_invocation_return_error (g_steal_pointer (&entry->invocation), RF_ERROR, RF_ERROR_FAILED, "%s",
                                               error->message);
}

static void
ended_cb (RfMeasurement *measurement, RfMeasureEnd end, gpointer data)
{
    Entry *entry = data;
    RfMeasurements *self = entry->all;
    if (entry->started)
        rf_helper1_emit_measurement_ended (self->object, entry->id, rf_measure_end_nick (end));
    remove_entry (self, entry);
    self->changed (self->data);
}

static void
owner_vanished_cb (GDBusConnection *bus, const char *name, gpointer data)
{
    rf_measurement_stop (((Entry *)data)->measurement, RF_MEASURE_CALLER_LEFT);
}

void
rf_measurements_start (RfMeasurements *self, GDBusMethodInvocation *invocation, guint32 uid,
                       const RfMeasureOptions *options)
{
    static const RfMeasurementFuncs funcs = {started_cb, ended_cb};
    const char *owner = g_dbus_method_invocation_get_sender (invocation);
    g_autoptr (GError) error = NULL;
    Entry *entry = g_new0 (Entry, 1);
    entry->all = self;
    entry->id = g_strdup_printf ("%08x", g_random_int ());
    entry->owner = g_strdup (owner);
    entry->uid = uid;
    entry->trace = options->trace;
    /* asked again: a password may have been asked for since */
    if (rf_measurements_check (self, owner, uid, options->trace, &error))
        entry->measurement = rf_measurement_start (self->kernel, options, &funcs, entry, &error);
    if (entry->measurement == NULL) {
        g_dbus_method_invocation_return_gerror (invocation, error);
        entry_free (entry);
        return;
    }
    entry->invocation = invocation;
    entry->lock = rf_idle_lock (self->idle, "measurement");
    entry->watch = g_bus_watch_name_on_connection (g_dbus_method_invocation_get_connection (invocation), owner,
                                                   G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, owner_vanished_cb, entry, NULL);
    g_mutex_lock (&self->mutex);
    g_ptr_array_add (self->entries, entry);
    g_mutex_unlock (&self->mutex);
}

gboolean
rf_measurements_stop (RfMeasurements *self, const char *owner, const char *id, GError **error)
{
    for (guint i = 0; i < self->entries->len; i++) {
        const Entry *entry = g_ptr_array_index (self->entries, i);
        if (!g_str_equal (entry->id, id) || !g_str_equal (entry->owner, owner))
            continue;
        rf_measurement_stop (entry->measurement, RF_MEASURE_STOPPED);
        return TRUE;
    }
    g_set_error_literal (error, RF_ERROR, RF_ERROR_UNKNOWN, "this caller has no such measurement");
    return FALSE;
}

void
rf_measurements_stop_all (RfMeasurements *self)
{
    for (guint i = 0; i < self->entries->len; i++)
        rf_measurement_stop (((Entry *)g_ptr_array_index (self->entries, i))->measurement, RF_MEASURE_FAILED);
}

guint
rf_measurements_running (RfMeasurements *self)
{
    return self->entries->len;
}

gboolean
rf_measurement_id_valid (const char *id)
{
    return strlen (id) == 8 && strspn (id, "0123456789abcdef") == 8;
}
