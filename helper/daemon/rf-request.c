#define G_LOG_DOMAIN "rf-request"
#include "config.h"

#include "rf-request.h"
#include "rf-error.h"
#include "rf-measurements.h"
#include "rf-record.h"
#include "rf-trial.h"

#include <string.h>

#define INSTANCE_MAX 64
#define DESCRIBE_MAX 8

typedef gboolean (*Parse) (GVariant *parameters, RfRequest *out, GError **error);

static gboolean
parse_options (GVariant *options, RfRequest *out, GError **error)
{
    gsize n = g_variant_n_children (options);
    out->seconds = RF_TRIAL_DEFAULT_SECONDS;
    if (n == 0)
        return TRUE;
    g_autoptr (GVariant) value = NULL;
    const char *key = NULL;
    g_variant_get_child (options, 0, "{&sv}", &key, &value);
    if (n > 1 || !g_str_equal (key, "trial-seconds") || !g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "the only option is 'trial-seconds', a number (u)");
        return FALSE;
    }
    out->seconds = g_variant_get_uint32 (value);
    return TRUE;
}

static gboolean
check_seconds (const RfRequest *request, GError **error)
{
    if (rf_trial_seconds_valid (request->seconds))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "a trial lasts %d to %d seconds", RF_TRIAL_MIN_SECONDS,
                 RF_TRIAL_MAX_SECONDS);
    return FALSE;
}

static gboolean
check_id (const RfRequest *request, GError **error)
{
    if (rf_record_id_valid (request->id))
        return TRUE;
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "this is not the id of a record");
    return FALSE;
}

static gboolean
parse_apply (GVariant *parameters, RfRequest *out, GError **error)
{
    g_autoptr (GVariant) plan = g_variant_get_child_value (parameters, 0);
    g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 1);
    if (!parse_options (options, out, error) || !check_seconds (out, error))
        return FALSE;
    out->plan = rf_plan_from_variant (plan, error);
    return out->plan != NULL;
}

static gboolean
parse_extend (GVariant *parameters, RfRequest *out, GError **error)
{
    g_variant_get (parameters, "(su)", &out->id, &out->seconds);
    return check_id (out, error) && check_seconds (out, error);
}

static gboolean
parse_keep (GVariant *parameters, RfRequest *out, GError **error)
{
    g_variant_get (parameters, "(s)", &out->id);
    return check_id (out, error);
}

static gboolean
parse_revert (GVariant *parameters, RfRequest *out, GError **error)
{
    g_variant_get (parameters, "(sb)", &out->id, &out->force);
    return check_id (out, error);
}

static gboolean
parse_revert_entry (GVariant *parameters, RfRequest *out, GError **error)
{
    const char *tunable = NULL;
    g_variant_get (parameters, "(s&ssb)", &out->id, &tunable, &out->instance, &out->force);
    if (!check_id (out, error))
        return FALSE;
    out->tunable = rf_tunable_find (tunable);
    if (out->tunable == NULL) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no such setting");
        return FALSE;
    }
    gboolean printable = strlen (out->instance) <= INSTANCE_MAX;
    for (const char *p = out->instance; printable && *p != '\0'; p++)
        printable = g_ascii_isgraph (*p);
    if (!printable)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "this is not the name of a device");
    return printable;
}

static gboolean
parse_revert_all (GVariant *parameters, RfRequest *out, GError **error)
{
    g_variant_get (parameters, "(b)", &out->force);
    return TRUE;
}

typedef struct {
    const char *key;
    guint32 *value;
    guint32 min, max;
} NumberOption;

static gboolean
parse_number_option (const NumberOption *option, GVariant *value, GError **error)
{
    if (!g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' is a number (u)", option->key);
        return FALSE;
    }
    *option->value = g_variant_get_uint32 (value);
    if (*option->value >= option->min && *option->value <= option->max)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s' is %u to %u", option->key, option->min, option->max);
    return FALSE;
}

static gboolean
parse_measure_option (RfMeasureOptions *out, const char *key, GVariant *value, GError **error)
{
    const NumberOption numbers[] = {
        {"hz", &out->hz, RF_MEASURE_MIN_HZ, RF_MEASURE_MAX_HZ},
        {"limit-seconds", &out->limit_s, RF_MEASURE_MIN_LIMIT, RF_MEASURE_MAX_LIMIT},
        {"slow-io-us", &out->slow_io_us, RF_MEASURE_MIN_SLOW_IO, RF_MEASURE_MAX_SLOW_IO},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
        if (g_str_equal (key, numbers[i].key))
            return parse_number_option (&numbers[i], value, error);
    gboolean sound = g_str_equal (key, "trace") && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN);
    if (sound)
        out->trace = g_variant_get_boolean (value);
    else
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID,
                             "the options are 'hz' (u), 'limit-seconds' (u), 'trace' (b) and 'slow-io-us' (u)");
    return sound;
}

static gboolean
parse_start_measurement (GVariant *parameters, RfRequest *out, GError **error)
{
    g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 0);
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    out->measure = (RfMeasureOptions)RF_MEASURE_OPTIONS_DEFAULT;
    for (gsize i = 0; i < g_variant_n_children (options); i++) {
        g_autoptr (GVariant) value = NULL;
        const char *key = NULL;
        g_variant_get_child (options, i, "{&sv}", &key, &value);
        if (!parse_measure_option (&out->measure, key, value, error))
            return FALSE;
        if (!g_hash_table_add (seen, (gpointer)key)) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' is there twice", key);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean
parse_stop_measurement (GVariant *parameters, RfRequest *out, GError **error)
{
    g_variant_get (parameters, "(s)", &out->id);
    if (rf_measurement_id_valid (out->id))
        return TRUE;
    g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "this is not the id of a measurement");
    return FALSE;
}

static gboolean
parse_nothing (GVariant *parameters, RfRequest *out, GError **error)
{
    return TRUE;
}

/* The one list of what can be called. A method that is not here is refused, also if the interface has it. */
static const struct {
    const char *method;
    const char *signature;
    RfGate gate;
    Parse parse;
} table[] = {
    {"Apply", "(a(ssv)a{sv})", RF_GATE_CHANGE, parse_apply},
    {"Extend", "(su)", RF_GATE_CHANGE, parse_extend},
    {"Keep", "(s)", RF_GATE_CHANGE, parse_keep},
    {"Revert", "(sb)", RF_GATE_REVERT, parse_revert},
    {"RevertEntry", "(sssb)", RF_GATE_REVERT, parse_revert_entry},
    {"RevertAll", "(b)", RF_GATE_REVERT, parse_revert_all},
    {"ListRecords", "()", RF_GATE_OPEN, parse_nothing},
    {"Check", "()", RF_GATE_OPEN, parse_nothing},
    {"Cancel", "()", RF_GATE_OPEN, parse_nothing},
    {"StartMeasurement", "(a{sv})", RF_GATE_MEASURE, parse_start_measurement},
    {"StopMeasurement", "(s)", RF_GATE_OPEN, parse_stop_measurement},
};

RfGate
rf_request_gate (const char *method)
{
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (g_strcmp0 (table[i].method, method) == 0)
            return table[i].gate;
    return RF_GATE_CLOSED;
}

gboolean
rf_request_known (const char *method, const char *signature)
{
    g_autofree char *tuple = g_strdup_printf ("(%s)", signature != NULL ? signature : "");
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (g_strcmp0 (table[i].method, method) == 0)
            return g_str_equal (table[i].signature, tuple);
    return FALSE;
}

RfRequest *
rf_request_parse (const char *method, GVariant *parameters, GError **error)
{
    g_return_val_if_fail (parameters != NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        if (g_strcmp0 (table[i].method, method) != 0)
            continue;
        if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE (table[i].signature))) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' takes %s", method, table[i].signature);
            return NULL;
        }
        g_autoptr (RfRequest) self = g_new0 (RfRequest, 1);
        self->method = table[i].method;
        self->gate = table[i].gate;
        return table[i].parse (parameters, self, error) ? g_steal_pointer (&self) : NULL;
    }
    g_set_error_literal (error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED, "there is no such method");
    return NULL;
}

void
rf_request_free (RfRequest *self)
{
    if (self == NULL)
        return;
    g_clear_pointer (&self->plan, rf_plan_unref);
    g_clear_pointer (&self->facts, rf_facts_unref);
    g_free (self->id);
    g_free (self->instance);
    g_free (self);
}

void
rf_request_describe (GString *out, guint index, const RfTunable *tunable, const char *instance, const RfValue *value)
{
    if (index == DESCRIBE_MAX)
        g_string_append (out, ", …");
    if (index >= DESCRIBE_MAX)
        return;
    g_autofree char *text = rf_value_to_text (value);
    g_string_append_printf (out, "%s%s", index > 0 ? ", " : "", tunable->id);
    if (instance[0] != '\0')
        g_string_append_printf (out, " (%s)", instance);
    g_string_append_printf (out, " = %s", text);
}

char *
rf_request_describe_plan (const RfPlan *plan)
{
    GString *out = g_string_new (NULL);
    for (guint i = 0; i < rf_plan_length (plan); i++) {
        const RfChange *change = rf_plan_get (plan, i);
        rf_request_describe (out, i, change->tunable, change->instance, &change->value);
    }
    return g_string_free (out, FALSE);
}
