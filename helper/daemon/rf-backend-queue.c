/* Attributes of a block queue, and the read-ahead of a bdi. */
#define G_LOG_DOMAIN "rf-backend-queue"
#include "config.h"

#include "rf-backend.h"
#include "rf-error.h"
#include "rf-text.h"

static char *
attribute_path (const RfTarget *target, GError **error)
{
    const RfReadahead *readahead = target->tunable->instances == RF_INSTANCE_READAHEAD
                                       ? rf_facts_find_readahead (target->facts, target->instance)
                                       : NULL;
    if (readahead != NULL)
        return g_strdup (readahead->path);
    /* only a name that the facts list becomes part of a path */
    const RfDisk *disk = rf_facts_find_disk (target->facts, target->instance);
    if (disk != NULL && (target->tunable->instances == RF_INSTANCE_NVME || rf_disk_may_be_read_ahead (disk)))
        return g_strdup_printf ("sys/block/%s/queue/%s", target->instance, target->tunable->path);
    g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "there is no device '%s' now", target->instance);
    return NULL;
}

static gboolean
queue_read (const RfTarget *target, RfValue *out, GError **error)
{
    return rf_current_read (target->machine->kernel, target->facts, target->tunable, target->instance, out, error);
}

static gboolean
queue_check (const RfTarget *target, const RfValue *value, const RfValue *before, GError **error)
{
    if (value->kind != RF_VALUE_CHOICE)
        return TRUE;
    g_auto (GStrv) choices = rf_current_choices (target->machine->kernel, target->tunable, target->instance);
    /* whole words: "mq" is not "mq-deadline" */
    if (choices != NULL && g_strv_contains ((const char *const *)choices, value->token))
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s' of '%s' cannot be '%s' on this kernel",
                 target->tunable->id, target->instance, value->token);
    return FALSE;
}

static gboolean
queue_write (const RfTarget *target, const RfValue *value, const RfControl *control, GError **error)
{
    g_autofree char *path = attribute_path (target, error);
    if (path == NULL)
        return FALSE;
    if (value->kind != target->tunable->kind) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' takes another kind of value", target->tunable->id);
        return FALSE;
    }
    g_autofree char *text = rf_value_to_text (value);
    return rf_machine_write (target->machine, path, text, error);
}

static char *
requests_path (const RfTarget *target)
{
    gboolean scheduler
        = target->tunable->backend == RF_BACKEND_QUEUE && g_str_equal (target->tunable->path, "scheduler");
    return scheduler && rf_facts_find_disk (target->facts, target->instance) != NULL
               ? g_strdup_printf ("sys/block/%s/queue/nr_requests", target->instance)
               : NULL;
}

gint64
rf_backend_read_requests (const RfTarget *target)
{
    g_autofree char *path = requests_path (target);
    g_autofree char *text = path != NULL ? rf_sysroot_read_line (target->machine->kernel, path) : NULL;
    gint64 number = 0;
    return text != NULL && rf_text_to_int64 (text, &number) && number > 0 && number <= G_MAXINT32 ? number : 0;
}

gboolean
rf_backend_restore_requests (const RfTarget *target, gint64 requests, GError **error)
{
    gint64 now = rf_backend_read_requests (target);
    if (requests <= 0 || now == 0 || now == requests)
        return TRUE;
    g_autofree char *path = requests_path (target);
    g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, requests);
    return rf_machine_write (target->machine, path, text, error);
}

const RfBackend rf_backend_queue = {
    .read = queue_read,
    .check = queue_check,
    .write = queue_write,
};
