/* Plain numbers, dirty pairs and vectors below /proc/sys. */
#define G_LOG_DOMAIN "rf-backend-sysctl"
#include "config.h"

#include "rf-backend.h"
#include "rf-error.h"

static gboolean
sysctl_read (const RfTarget *target, RfValue *out, GError **error)
{
    return rf_current_read (target->machine->kernel, target->facts, target->tunable, target->instance, out, error);
}

static gboolean
sysctl_check (const RfTarget *target, const RfValue *value, const RfValue *before, GError **error)
{
    /* A zero is never written to a pair: in bytes it is refused, and a background limit of zero in both members means
     * writing back without a pause. So such a state could not be restored. */
    if (before->kind == RF_VALUE_DIRTY && before->n[0] == 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'%s' is 0 now, which could not be restored",
                     target->tunable->id);
        return FALSE;
    }
    return TRUE;
}

/* Writing one member zeroes the other; of a pair only the active member is ever written. */
static gboolean
write_pair (const RfTarget *target, const RfValue *value, GError **error)
{
    if (value->n[0] <= 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s': zero is never written", target->tunable->id);
        return FALSE;
    }
    g_autofree char *path
        = g_strconcat (target->tunable->path, value->n[1] == RF_DIRTY_BYTES ? "_bytes" : "_ratio", NULL);
    g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value->n[0]);
    return rf_machine_write (target->machine, path, text, error);
}

static gboolean
sysctl_write (const RfTarget *target, const RfValue *value, const RfControl *control, GError **error)
{
    if (value->kind != target->tunable->kind) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' takes another kind of value", target->tunable->id);
        return FALSE;
    }
    if (value->kind == RF_VALUE_DIRTY)
        return write_pair (target, value, error);
    g_autofree char *text = rf_value_to_text (value);
    return rf_machine_write (target->machine, target->tunable->path, text, error);
}

const RfBackend rf_backend_sysctl = {
    .read = sysctl_read,
    .check = sysctl_check,
    .write = sysctl_write,
};
