#define G_LOG_DOMAIN "rf-machine"
#include "config.h"

#include "rf-machine.h"
#include "rf-catalogue.h"
#include "rf-error.h"

#include <errno.h>

RfMachine *
rf_machine_new (RfSysroot *kernel, RfSysroot *files, const RfOps *ops)
{
    g_return_val_if_fail (RF_IS_SYSROOT (kernel) && RF_IS_SYSROOT (files) && ops != NULL, NULL);
    RfMachine *self = g_new0 (RfMachine, 1);
    g_atomic_ref_count_init (&self->ref_count);
    self->kernel = g_object_ref (kernel);
    self->files = g_object_ref (files);
    self->ops = ops;
    self->boot_id = rf_sysroot_read_line (kernel, "proc/sys/kernel/random/boot_id");
    if (self->boot_id == NULL)
        self->boot_id = g_strdup ("unknown");
    self->kernel_release = rf_sysroot_read_line (kernel, "proc/sys/kernel/osrelease");
    if (self->kernel_release == NULL)
        self->kernel_release = g_strdup ("unknown");
    return self;
}

RfMachine *
rf_machine_ref (RfMachine *self)
{
    g_atomic_ref_count_inc (&self->ref_count);
    return self;
}

void
rf_machine_unref (RfMachine *self)
{
    if (!g_atomic_ref_count_dec (&self->ref_count))
        return;
    g_object_unref (self->kernel);
    g_object_unref (self->files);
    g_free (self->boot_id);
    g_free (self->kernel_release);
    g_free (self);
}

gboolean
rf_machine_write (RfMachine *self, const char *relative, const char *text, GError **error)
{
    int errnum = self->ops->write_value (self->ops, self->kernel, relative, text);
    if (errnum == 0)
        return TRUE;
    g_set_error (error, RF_ERROR, rf_error_from_errno (errnum), "writing '%s' to '/%s' failed: %s", text, relative,
                 g_strerror (errnum));
    return FALSE;
}

gboolean
rf_machine_find_stable_id (const RfFacts *facts, const RfTunable *tunable, const char *instance, char **stable_id)
{
    if (tunable->instances == RF_INSTANCE_NONE) {
        *stable_id = NULL;
        return instance[0] == '\0';
    }
    const RfDisk *disk = rf_facts_find_disk (facts, instance);
    const RfReadahead *readahead = NULL;
    if (tunable->instances == RF_INSTANCE_READAHEAD) {
        readahead = rf_facts_find_readahead (facts, instance);
        /* unmounted since: nothing is offered for it, but what was changed is still there to be taken back */
        if (readahead == NULL && (disk == NULL || !rf_disk_may_be_read_ahead (disk)))
            return FALSE;
    } else if (disk == NULL) {
        return FALSE;
    }
    if (readahead != NULL && readahead->stable_id != NULL)
        *stable_id = g_strdup (readahead->stable_id);
    else if (disk != NULL && disk->stable_id != NULL)
        *stable_id = g_strdup (disk->stable_id);
    else if (disk != NULL && disk->diskseq != 0)
        *stable_id = g_strdup_printf ("diskseq:%" G_GUINT64_FORMAT, disk->diskseq);
    else
        *stable_id = NULL;
    return TRUE;
}

char *
rf_machine_find_instance (const RfFacts *facts, const RfTunable *tunable, const char *instance, const char *stable_id)
{
    g_autofree char *now = NULL;
    if (rf_machine_find_stable_id (facts, tunable, instance, &now) && g_strcmp0 (now, stable_id) == 0)
        return g_strdup (instance);
    if (stable_id == NULL || g_str_has_prefix (stable_id, "diskseq:"))
        return NULL;
    g_auto (GStrv) names = rf_catalogue_instances (tunable, facts);
    const char *found = NULL;
    guint n = 0;
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *other = NULL;
        if (!rf_machine_find_stable_id (facts, tunable, names[i], &other) || g_strcmp0 (other, stable_id) != 0)
            continue;
        found = names[i];
        n++;
    }
    return n == 1 ? g_strdup (found) : NULL;
}
