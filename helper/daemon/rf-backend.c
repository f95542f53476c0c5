#define G_LOG_DOMAIN "rf-backend"
#include "config.h"

#include "rf-backend.h"
#include "rf-error.h"

const RfBackend *
rf_backend_for (RfBackendKind kind)
{
    switch (kind) {
    case RF_BACKEND_QUEUE:
        return &rf_backend_queue;
    case RF_BACKEND_ZRAM:
        return &rf_backend_zram;
    case RF_BACKEND_SYSCTL:
    default:
        return &rf_backend_sysctl;
    }
}

gboolean
rf_backend_read (const RfTarget *target, RfValue *out, GError **error)
{
    return rf_backend_for (target->tunable->backend)->read (target, out, error);
}

gboolean
rf_backend_set (const RfTarget *target, const RfValue *value, const RfControl *control, RfValue *effective,
                GError **error)
{
    const RfBackend *backend = rf_backend_for (target->tunable->backend);
    RfValue now;
    if (!backend->read (target, &now, error))
        return FALSE;
    /* writing what is there already is not harmless: min_free_kbytes and WBT remember that somebody chose a value */
    /* "absent" is always carried out: it also clears what a crash has left half made */
    if ((value->kind == RF_VALUE_ABSENT || !rf_value_equal (&now, value))
        && (!backend->write (target, value, control, error) || !backend->read (target, &now, error)))
        return FALSE;
    if (!rf_value_equal (&now, value)) {
        g_autofree char *wanted = rf_value_to_text (value);
        g_autofree char *found = rf_value_to_text (&now);
        g_set_error (error, RF_ERROR, RF_ERROR_MISMATCH, "'%s'%s%s was set to '%s' but reads back as '%s'",
                     target->tunable->id, target->instance[0] != '\0' ? " of " : "", target->instance, wanted, found);
        return FALSE;
    }
    *effective = now;
    return TRUE;
}
