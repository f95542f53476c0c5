#define G_LOG_DOMAIN "rf-session-machine"
#include "config.h"

#include "rf-catalogue.h"
#include "rf-current.h"
#include "rf-session-machine.h"

#include <string.h>

static void
put (GHashTable *table, const char *key, const char *value)
{
    if (value != NULL && *value != '\0')
        g_hash_table_insert (table, g_strdup (key), g_strdup (value));
}

void
rf_session_info_take_machine (RfSessionInfo *self, const RfFacts *facts)
{
    g_autofree char *cpus = g_strdup_printf ("%u", facts->n_cpus);
    g_autofree char *ram = g_strdup_printf ("%" G_GUINT64_FORMAT, facts->ram_bytes);
    put (self->machine, "kernel", facts->kernel_release);
    put (self->machine, "distribution", facts->distribution);
    put (self->machine, "model", facts->machine_model);
    put (self->machine, "virtualisation", facts->virtualisation);
    put (self->machine, "cpus", cpus);
    put (self->machine, "ram-bytes", ram);
    for (guint i = 0, n = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = facts->disks->pdata[i];
        if (disk->kind == RF_DISK_LOOP || disk->kind == RF_DISK_ZRAM || disk->kind == RF_DISK_NVME_PATH)
            continue;
        g_autofree char *key = g_strdup_printf ("drive-%u", ++n);
        g_autofree char *value
            = g_strdup_printf ("%s %s %" G_GUINT64_FORMAT " %s", disk->name, rf_disk_kind_nick (disk->kind),
                               disk->size_bytes, disk->model != NULL ? disk->model : "");
        put (self->machine, key, g_strchomp (value));
    }
}

GHashTable *
rf_session_settings (RfSysroot *sysroot, const RfFacts *facts)
{
    GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    gsize n = 0;
    const RfTunable *tunables = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&tunables[i], facts);
        for (char **instance = instances; *instance != NULL; instance++) {
            RfValue value;
            if (!rf_current_read (sysroot, facts, &tunables[i], *instance, &value, NULL))
                continue;
            g_hash_table_insert (table,
                                 **instance != '\0' ? g_strconcat (tunables[i].id, ":", *instance, NULL)
                                                    : g_strdup (tunables[i].id),
                                 rf_value_to_text (&value));
        }
    }
    return table;
}

static gint
compare_text (gconstpointer a, gconstpointer b)
{
    return strcmp (*(const char *const *)a, *(const char *const *)b);
}

char **
rf_session_settings_differ (GHashTable *a, GHashTable *b)
{
    GPtrArray *found = g_ptr_array_new ();
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init (&iter, a);
    while (g_hash_table_iter_next (&iter, &key, &value))
        if (g_strcmp0 (value, g_hash_table_lookup (b, key)) != 0)
            g_ptr_array_add (found, g_strdup (key));
    g_hash_table_iter_init (&iter, b);
    while (g_hash_table_iter_next (&iter, &key, &value))
        if (!g_hash_table_contains (a, key))
            g_ptr_array_add (found, g_strdup (key));
    g_ptr_array_sort (found, compare_text);
    g_ptr_array_add (found, NULL);
    return (char **)g_ptr_array_free (found, FALSE);
}
