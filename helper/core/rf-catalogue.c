#define G_LOG_DOMAIN "rf-catalogue"
#include "config.h"

#include "rf-catalogue.h"
#include "rf-error.h"

#define MIB (G_GINT64_CONSTANT (1024) * 1024)

char **
rf_catalogue_instances (const RfTunable *tunable, const RfFacts *facts)
{
    g_return_val_if_fail (tunable != NULL && facts != NULL, NULL);
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    switch (tunable->instances) {
    case RF_INSTANCE_NVME:
        for (guint i = 0; i < facts->disks->len; i++) {
            const RfDisk *disk = g_ptr_array_index (facts->disks, i);
            if (rf_disk_is_tunable (disk))
                g_ptr_array_add (names, g_strdup (disk->name));
        }
        break;
    case RF_INSTANCE_READAHEAD:
        for (guint i = 0; i < facts->readahead->len; i++)
            g_ptr_array_add (names,
                             g_strdup (((const RfReadahead *)g_ptr_array_index (facts->readahead, i))->instance));
        break;
    case RF_INSTANCE_NONE:
    default:
        g_ptr_array_add (names, g_strdup (""));
    }
    g_ptr_array_add (names, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static gboolean
check_queue (const RfTunable *tunable, const char *instance, const RfFacts *facts, GError **error)
{
    g_auto (GStrv) names = rf_catalogue_instances (tunable, facts);
    if (!g_strv_contains ((const char *const *)names, instance)) {
        g_autofree char *safe = g_strescape (instance, NULL);
        g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "'%s' cannot be changed on '%.40s'", tunable->id, safe);
        return FALSE;
    }
    const RfDisk *disk = rf_facts_find_disk (facts, instance);
    gboolean missing = tunable->instances == RF_INSTANCE_NVME && disk != NULL
                       && ((g_str_equal (tunable->path, "scheduler") && !disk->has_scheduler)
                           || (g_str_equal (tunable->path, "wbt_lat_usec") && !disk->has_wbt));
    if (missing)
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "the kernel has no '%s' for '%s'", tunable->path, instance);
    return !missing;
}

static gboolean
check_zram (const RfFacts *facts, GError **error)
{
    if (facts->zram_owner == RF_ZRAM_OWNER_OURS)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE,
                             "Ruckelfrei's zram swap is there already: take it back first");
    else if (facts->zram_owner != RF_ZRAM_OWNER_NONE)
        g_set_error (error, RF_ERROR, RF_ERROR_FOREIGN, "zram is managed by another program (%s)",
                     rf_zram_owner_nick (facts->zram_owner));
    else if (!facts->zram_available)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "this kernel has no zram");
    else
        return TRUE;
    return FALSE;
}

gboolean
rf_catalogue_available (const RfTunable *tunable, const char *instance, const RfFacts *facts, GError **error)
{
    g_return_val_if_fail (tunable != NULL && instance != NULL && facts != NULL, FALSE);
    if (facts->container != NULL || facts->sysctl_read_only) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_READ_ONLY,
                             "kernel settings cannot be changed from inside a container: they belong to the host");
        return FALSE;
    }
    if ((tunable->needs & RF_NEEDS_64BIT) != 0 && !facts->is_64bit) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'%s' is left alone on 32-bit systems", tunable->id);
        return FALSE;
    }
    if (tunable->kernel_min > facts->kernel) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "'%s' needs Linux %u.%u or newer", tunable->id,
                     tunable->kernel_min / 1000, tunable->kernel_min % 1000);
        return FALSE;
    }
    switch (tunable->backend) {
    case RF_BACKEND_QUEUE:
        return check_queue (tunable, instance, facts, error);
    case RF_BACKEND_ZRAM:
    case RF_BACKEND_SYSCTL:
    default:
        if (instance[0] != '\0') {
            g_set_error (error, RF_ERROR, RF_ERROR_UNKNOWN, "'%s' has no instances", tunable->id);
            return FALSE;
        }
        return tunable->backend != RF_BACKEND_ZRAM || check_zram (facts, error);
    }
}

void
rf_catalogue_range (const RfTunable *tunable, const RfFacts *facts, RfDirtyMode mode, gint64 *min, gint64 *max)
{
    g_return_if_fail (tunable != NULL && facts != NULL && min != NULL && max != NULL);
    gint64 ram = (gint64)MIN (facts->ram_bytes, (guint64)G_MAXINT64);
    gint64 low = tunable->hard_min, high = tunable->hard_max;
    if (g_str_equal (tunable->id, "vm.min_free_kbytes")) {
        /* beyond 5 % programs died under pressure, and the memory is lost to them in any case */
        high = MIN (high, ram / 20 / 1024);
    } else if (tunable->kind == RF_VALUE_DIRTY && mode == RF_DIRTY_BYTES) {
        /* less than some MiB makes every writer wait for the drive; more than a quarter is no limit any more */
        low = g_str_equal (tunable->id, "vm.dirty") ? 16 * MIB : 8 * MIB;
        high = ram / 4 / MIB * MIB;
    } else if (g_str_equal (tunable->id, "vm.swappiness") && facts->kernel < RF_KERNEL (5, 8)) {
        high = 100;
    } else if (tunable->kind == RF_VALUE_ZRAM) {
        /* at a ratio of 2:1, usual for zram, a disksize of all RAM can take half of it */
        high = MIN (high, ram / MIB * MIB);
    }
    *min = low;
    *max = MAX (low, high);
}

static gboolean
in_range (const RfTunable *tunable, gint64 number, gint64 min, gint64 max, GError **error)
{
    if (number >= min && number <= max)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE,
                 "'%s': %" G_GINT64_FORMAT " is outside %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, tunable->id, number,
                 min, max);
    return FALSE;
}

gboolean
rf_catalogue_check_value (const RfTunable *tunable, const RfFacts *facts, const RfValue *value, GError **error)
{
    g_return_val_if_fail (tunable != NULL && facts != NULL && value != NULL, FALSE);
    if (value->kind != tunable->kind) {
        g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "'%s' takes another kind of value", tunable->id);
        return FALSE;
    }
    gint64 min, max;
    RfDirtyMode mode = value->kind == RF_VALUE_DIRTY ? (RfDirtyMode)value->n[1] : RF_DIRTY_RATIO;
    rf_catalogue_range (tunable, facts, mode, &min, &max);
    switch (value->kind) {
    case RF_VALUE_CHOICE:
        return TRUE;
    case RF_VALUE_VECTOR:
        for (guint i = 0; i < 3; i++)
            if (!in_range (tunable, value->n[i], min, max, error))
                return FALSE;
        if (value->n[0] <= value->n[1] && value->n[1] <= value->n[2])
            return TRUE;
        g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s': minimum, default and maximum must rise",
                     tunable->id);
        return FALSE;
    case RF_VALUE_ZRAM:
        if (value->n[0] % facts->page_size != 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s': the size must be whole pages", tunable->id);
            return FALSE;
        }
        return in_range (tunable, value->n[0], min, max, error) && in_range (tunable, value->n[1], -1, 32767, error);
    default:
        /* the kernel rounds read-ahead down to pages, so anything else would read back otherwise */
        if (g_str_equal (tunable->id, "block.read_ahead_kb") && value->n[0] % (facts->page_size / 1024) != 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "'%s': must be a multiple of %u KiB", tunable->id,
                         facts->page_size / 1024);
            return FALSE;
        }
        return in_range (tunable, value->n[0], min, max, error);
    }
}

gboolean
rf_catalogue_check_memory (const RfTunable *tunable, const RfValue *value, guint64 available_bytes, GError **error)
{
    g_return_val_if_fail (tunable != NULL && value != NULL, FALSE);
    if (!g_str_equal (tunable->id, "vm.min_free_kbytes") || value->n[0] < 0
        || (guint64)value->n[0] <= available_bytes / 100 * 15 / 1024)
        return TRUE;
    g_set_error (error, RF_ERROR, RF_ERROR_NO_MEMORY,
                 "'%s': %" G_GINT64_FORMAT " KiB is more than 15 %% of the memory that is available now", tunable->id,
                 value->n[0]);
    return FALSE;
}
