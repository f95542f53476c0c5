/* The methods of the helper, one pair of functions each: pack the arguments, unpack the answer. */
#define G_LOG_DOMAIN "rf-client"
#include "config.h"

#include "rf-client.h"
#include "rf-array.h"
#include "rf-client-private.h"

#include "rf-error.h"

#include <glib/gstdio.h>

static gpointer
parse_nothing (GVariant *reply, GUnixFDList *files, GError **error)
{
    return GINT_TO_POINTER (TRUE);
}

static gpointer
parse_record (GVariant *reply, GUnixFDList *files, GError **error)
{
    g_autoptr (GVariant) child = g_variant_get_child_value (reply, 0);
    return rf_record_from_variant (child, error);
}

static gpointer
parse_records (GVariant *reply, GUnixFDList *files, GError **error)
{
    g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify) rf_record_free);
    g_autoptr (GVariant) list = g_variant_get_child_value (reply, 0);
    for (gsize i = 0; i < g_variant_n_children (list); i++) {
        g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
        RfRecord *record = rf_record_from_variant (child, error);
        if (record == NULL)
            return NULL;
        g_ptr_array_add (records, record);
    }
    return g_steal_pointer (&records);
}

/* A value that cannot be read now comes as 's' "absent", whatever the kind of the tunable is. */
static gboolean
parse_now (const RfTunable *tunable, GVariant *variant, RfValue *out, GError **error)
{
    if (rf_value_from_variant (RF_VALUE_ABSENT, variant, out, NULL))
        return TRUE;
    return rf_value_from_variant (tunable->kind, variant, out, error);
}

static gpointer
parse_drift (GVariant *reply, GUnixFDList *files, GError **error)
{
    g_autoptr (GPtrArray) drift = g_ptr_array_new_with_free_func ((GDestroyNotify) rf_drift_free);
    g_autoptr (GVariantIter) iter = NULL;
    const char *record = NULL, *id = NULL, *instance = NULL, *verdict = NULL;
    GVariant *now = NULL;
    g_variant_get (reply, "(a(sssvs))", &iter);
    while (g_variant_iter_next (iter, "(&s&s&sv&s)", &record, &id, &instance, &now, &verdict)) {
        g_autoptr (GVariant) owned = now;
        RfValue value;
        const RfTunable *tunable = rf_tunable_find (id);
        if (tunable == NULL) /* a newer helper */
            continue;
        if (!parse_now (tunable, owned, &value, error))
            return NULL;
        RfDrift *row = g_new0 (RfDrift, 1);
        row->record_id = g_strdup (record);
        row->tunable = tunable;
        row->instance = g_strdup (instance);
        row->now = value;
        row->verdict = g_strdup (verdict);
        g_ptr_array_add (drift, row);
    }
    return g_steal_pointer (&drift);
}

void
rf_drift_free (RfDrift *self)
{
    if (self == NULL)
        return;
    g_free (self->record_id);
    g_free (self->instance);
    g_free (self->verdict);
    g_free (self);
}

static void
call_for_record (RfClient *self, const char *method, GVariant *parameters, GCancellable *cancellable,
                 GAsyncReadyCallback callback, gpointer data)
{
    rf_client_call (self, method, parameters, parse_record, (GDestroyNotify) rf_record_free, cancellable, callback,
                    data);
}

static void
call_for_array (RfClient *self, const char *method, GVariant *parameters, RfClientParse parse,
                GAsyncReadyCallback callback, gpointer data)
{
    rf_client_call (self, method, parameters, parse, (GDestroyNotify) g_ptr_array_unref, NULL, callback, data);
}

void
rf_client_apply_async (RfClient *self, RfPlan *plan, guint trial_seconds, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (plan != NULL);
    GVariantBuilder options;
    g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add (&options, "{sv}", "trial-seconds", g_variant_new_uint32 (trial_seconds));
    call_for_record (self, "Apply", g_variant_new ("(@a(ssv)a{sv})", rf_plan_to_variant (plan), &options), cancellable,
                     callback, data);
}

RfRecord *
rf_client_apply_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_extend_async (RfClient *self, const char *id, guint seconds, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (id != NULL);
    rf_client_call (self, "Extend", g_variant_new ("(su)", id, seconds), parse_nothing, NULL, NULL, callback, data);
}

gboolean
rf_client_extend_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error) != NULL;
}

void
rf_client_keep_async (RfClient *self, const char *id, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (id != NULL);
    call_for_record (self, "Keep", g_variant_new ("(s)", id), NULL, callback, data);
}

RfRecord *
rf_client_keep_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_revert_async (RfClient *self, const char *id, gboolean force, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (id != NULL);
    call_for_record (self, "Revert", g_variant_new ("(sb)", id, force), NULL, callback, data);
}

RfRecord *
rf_client_revert_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_revert_entry_async (RfClient *self, const char *id, const RfTunable *tunable, const char *instance,
                              gboolean force, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (id != NULL && tunable != NULL);
    call_for_record (self, "RevertEntry",
                     g_variant_new ("(sssb)", id, tunable->id, instance != NULL ? instance : "", force), NULL,
                     callback, data);
}

RfRecord *
rf_client_revert_entry_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_revert_all_async (RfClient *self, gboolean force, GAsyncReadyCallback callback, gpointer data)
{
    call_for_array (self, "RevertAll", g_variant_new ("(b)", force), parse_records, callback, data);
}

GPtrArray *
rf_client_revert_all_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_list_async (RfClient *self, GAsyncReadyCallback callback, gpointer data)
{
    call_for_array (self, "ListRecords", g_variant_new ("()"), parse_records, callback, data);
}

GPtrArray *
rf_client_list_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_check_async (RfClient *self, GAsyncReadyCallback callback, gpointer data)
{
    call_for_array (self, "Check", g_variant_new ("()"), parse_drift, callback, data);
}

GPtrArray *
rf_client_check_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

static gpointer
parse_version (GVariant *reply, GUnixFDList *files, GError **error)
{
    g_autoptr (GVariant) value = NULL;
    if (g_variant_is_of_type (reply, G_VARIANT_TYPE ("(v)")))
        g_variant_get (reply, "(v)", &value);
    if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
        return g_variant_dup_string (value, NULL);
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "the version is no text");
    return NULL;
}

void
rf_client_version_async (RfClient *self, GAsyncReadyCallback callback, gpointer data)
{
    rf_client_call (self, "org.freedesktop.DBus.Properties.Get",
                    g_variant_new ("(ss)", "io.github.ruckelfrei.Helper1", "Version"), parse_version, g_free, NULL,
                    callback, data);
}

char *
rf_client_version_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

static void
measurement_files_free (gpointer data)
{
    rf_measurement_files_free (data);
}

void
rf_measurement_files_free (RfMeasurementFiles *self)
{
    if (self == NULL)
        return;
    if (self->samples >= 0)
        g_close (self->samples, NULL);
    if (self->events >= 0)
        g_close (self->events, NULL);
    g_free (self->id);
    g_free (self);
}

static gpointer
parse_measurement (GVariant *reply, GUnixFDList *files, GError **error)
{
    g_autoptr (RfMeasurementFiles) out = rf_new0 (RfMeasurementFiles, 1);
    gint32 samples = -1, events = -1;
    out->samples = out->events = -1;
    if (g_variant_is_of_type (reply, G_VARIANT_TYPE ("(shh)")))
        g_variant_get (reply, "(shh)", &out->id, &samples, &events);
    /* a handle is a number that the other side has chosen */
    gint n = files != NULL ? g_unix_fd_list_get_length (files) : 0;
    if (samples < 0 || samples >= n || events < 0 || events >= n || samples == events) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "the answer brings no files");
        return NULL;
    }
    out->samples = g_unix_fd_list_get (files, samples, error);
    out->events = out->samples >= 0 ? g_unix_fd_list_get (files, events, error) : -1;
    return out->events >= 0 ? g_steal_pointer (&out) : NULL;
}

static void
add_number (GVariantBuilder *options, const char *key, guint value)
{
    if (value != 0)
        g_variant_builder_add (options, "{sv}", key, g_variant_new_uint32 (value));
}

void
rf_client_start_measurement_async (RfClient *self, const RfMeasurementOptions *options, GAsyncReadyCallback callback,
                                   gpointer data)
{
    GVariantBuilder builder;
    g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
    add_number (&builder, "hz", options->hz);
    add_number (&builder, "limit-seconds", options->limit_seconds);
    add_number (&builder, "slow-io-us", options->slow_io_us);
    if (options->trace)
        g_variant_builder_add (&builder, "{sv}", "trace", g_variant_new_boolean (TRUE));
    rf_client_call (self, "StartMeasurement", g_variant_new ("(a{sv})", &builder), parse_measurement,
                    measurement_files_free, NULL, callback, data);
}

RfMeasurementFiles *
rf_client_start_measurement_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error);
}

void
rf_client_stop_measurement_async (RfClient *self, const char *id, GAsyncReadyCallback callback, gpointer data)
{
    g_return_if_fail (id != NULL);
    rf_client_call (self, "StopMeasurement", g_variant_new ("(s)", id), parse_nothing, NULL, NULL, callback, data);
}

gboolean
rf_client_stop_measurement_finish (RfClient *self, GAsyncResult *result, GError **error)
{
    return rf_client_call_finish (self, result, error) != NULL;
}
