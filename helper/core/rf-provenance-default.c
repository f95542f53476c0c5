#define G_LOG_DOMAIN "rf-provenance-default"
#include "config.h"

#include "rf-provenance-private.h"

#include <string.h>

/* What mainline has had unchanged through all versions that are supported here: mm/page_alloc.c, mm/vmscan.c,
 * mm/page-writeback.c, mm/swap.c, fs/dcache.c, include/net/tcp.h. */
static const struct {
    const char *id;
    RfDefaultKind kind;
    RfDirtyMode mode;
    gint64 number;
} table[] = {
    {"vm.min_free_kbytes", RF_DEFAULT_MEMORY, 0, 0},
    {"vm.watermark_scale_factor", RF_DEFAULT_KNOWN, 0, 10},
    {"vm.watermark_boost_factor", RF_DEFAULT_KNOWN, 0, 15000},
    {"vm.swappiness", RF_DEFAULT_KNOWN, 0, 60},
    {"vm.page-cluster", RF_DEFAULT_KNOWN, 0, 3},
    {"vm.vfs_cache_pressure", RF_DEFAULT_KNOWN, 0, 100},
    {"vm.dirty", RF_DEFAULT_KNOWN, RF_DIRTY_RATIO, 20},
    {"vm.dirty_background", RF_DEFAULT_KNOWN, RF_DIRTY_RATIO, 10},
    {"vm.dirty_expire_centisecs", RF_DEFAULT_KNOWN, 0, 3000},
    {"vm.dirty_writeback_centisecs", RF_DEFAULT_KNOWN, 0, 500},
    {"net.core.rmem_max", RF_DEFAULT_BUILD, 0, 0},
    {"net.core.wmem_max", RF_DEFAULT_BUILD, 0, 0},
    {"net.ipv4.tcp_rmem", RF_DEFAULT_MEMORY, 0, 0},
    {"net.ipv4.tcp_wmem", RF_DEFAULT_MEMORY, 0, 0},
    {"net.ipv4.tcp_keepalive_time", RF_DEFAULT_KNOWN, 0, 7200},
    {"net.ipv4.tcp_fin_timeout", RF_DEFAULT_KNOWN, 0, 60},
    {"swap.zram", RF_DEFAULT_NONE, 0, 0},
};

/* these kernels change exactly the values that this is about */
static gboolean
is_patched (const char *release)
{
    static const char *const builders[] = {"cachyos", "zen", "xanmod", "liquorix", "tkg", "bazzite", "ogc"};
    g_autofree char *lower = g_ascii_strdown (release != NULL ? release : "", -1);
    for (gsize i = 0; i < G_N_ELEMENTS (builders); i++)
        if (strstr (lower, builders[i]) != NULL)
            return TRUE;
    return FALSE;
}

/* block/elevator.c elevator_set_default(): none for several queues, else mq-deadline if it is built in; block/blk-wbt.c
 * wbt_default_latency_nsec(): 2 ms, 75 ms if it rotates; the read-ahead is made from the drive's io_opt since 6.17. */
static void
of_queue (const RfFacts *facts, const RfTunable *tunable, const char *instance, RfDefaultKind *kind, RfValue *value)
{
    const RfDisk *disk = rf_facts_find_disk (facts, instance);
    *kind = RF_DEFAULT_DEVICE;
    if (disk == NULL)
        return;
    if (g_str_equal (tunable->path, "scheduler") && disk->hw_queues > 1) {
        *kind = RF_DEFAULT_KNOWN;
        *value = rf_value_choice ("none");
    } else if (g_str_equal (tunable->path, "wbt_lat_usec")) {
        *kind = RF_DEFAULT_KNOWN;
        *value = rf_value_int (disk->rotational ? 75000 : 2000);
    } else if (g_str_equal (tunable->path, "read_ahead_kb") && disk->kind == RF_DISK_NVME
               && facts->kernel < RF_KERNEL (6, 17)) {
        *kind = RF_DEFAULT_KNOWN;
        *value = rf_value_int (128);
    }
}

void
rf_provenance_default (const RfFacts *facts, const RfTunable *tunable, const char *instance, RfDefaultKind *kind,
                       RfValue *value)
{
    *value = rf_value_absent ();
    *kind = RF_DEFAULT_BUILD;
    if (tunable->backend == RF_BACKEND_QUEUE) {
        of_queue (facts, tunable, instance, kind, value);
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        if (!g_str_equal (table[i].id, tunable->id))
            continue;
        *kind = table[i].kind;
        if (table[i].kind != RF_DEFAULT_KNOWN)
            return;
        if (g_str_has_prefix (table[i].id, "vm.") && is_patched (facts->kernel_release))
            *kind = RF_DEFAULT_BUILD;
        else
            *value = tunable->kind == RF_VALUE_DIRTY ? rf_value_dirty (table[i].mode, table[i].number)
                                                     : rf_value_int (table[i].number);
        return;
    }
}
