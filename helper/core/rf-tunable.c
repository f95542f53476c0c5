#define G_LOG_DOMAIN "rf-tunable"
#include "config.h"

#include "rf-tunable.h"

#define MIB (G_GINT64_CONSTANT (1024) * 1024)

/* The rows stand in the order in which they are safe to write: the scheduler before WBT (choosing a scheduler moves
 * WBT), the swap before what tunes it. Hard limits are narrower than the kernel's, which accepts nonsense: it has no
 * upper limit for min_free_kbytes and takes 0 for dirty_writeback_centisecs (periodic write-back off).
 * Sources: Documentation/admin-guide/sysctl/{vm,net}.rst, Documentation/block/queue-sysfs.rst,
 * Documentation/admin-guide/blockdev/zram.rst; kernel versions: watermark_scale_factor 4.6, watermark_boost_factor 5.0,
 * swappiness above 100 since 5.8. */
static const RfTunable table[] = {
    {"vm.min_free_kbytes", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_KIB,
     RF_RISK_HIGH, RF_NEEDS_64BIT, 0, "proc/sys/vm/min_free_kbytes", 4096, 4 * 1024 * 1024},
    {"vm.watermark_scale_factor", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_PER_10000,
     RF_RISK_LOW, RF_NEEDS_64BIT, RF_KERNEL (4, 6), "proc/sys/vm/watermark_scale_factor", 10, 300},
    {"vm.dirty_background", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_DIRTY, RF_UNIT_DIRTY,
     RF_RISK_MEDIUM, RF_NEEDS_64BIT, 0, "proc/sys/vm/dirty_background", 1, 40},
    {"vm.dirty", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_DIRTY, RF_UNIT_DIRTY, RF_RISK_MEDIUM,
     RF_NEEDS_64BIT, 0, "proc/sys/vm/dirty", 2, 60},
    {"vm.dirty_expire_centisecs", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT,
     RF_UNIT_CENTISECONDS, RF_RISK_LOW, RF_NEEDS_64BIT, 0, "proc/sys/vm/dirty_expire_centisecs", 100, 6000},
    {"vm.dirty_writeback_centisecs", RF_GROUP_MEMORY, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT,
     RF_UNIT_CENTISECONDS, RF_RISK_LOW, RF_NEEDS_64BIT, 0, "proc/sys/vm/dirty_writeback_centisecs", 100, 3000},

    {"block.scheduler", RF_GROUP_NVME, RF_BACKEND_QUEUE, RF_INSTANCE_NVME, RF_VALUE_CHOICE, RF_UNIT_NONE,
     RF_RISK_MEDIUM, RF_NEEDS_64BIT, 0, "scheduler", 0, 0},
    {"block.wbt_lat_usec", RF_GROUP_NVME, RF_BACKEND_QUEUE, RF_INSTANCE_NVME, RF_VALUE_INT, RF_UNIT_MICROSECONDS,
     RF_RISK_MEDIUM, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "wbt_lat_usec", 0, 100000},

    {"swap.zram", RF_GROUP_SWAP, RF_BACKEND_ZRAM, RF_INSTANCE_NONE, RF_VALUE_ZRAM, RF_UNIT_BYTES, RF_RISK_MEDIUM,
     RF_NEEDS_64BIT, 0, NULL, 256 * MIB, G_GINT64_CONSTANT (256) * 1024 * MIB},

    {"vm.page-cluster", RF_GROUP_SWAP_TUNING, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_PAGES_LOG2,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_SWAP, 0, "proc/sys/vm/page-cluster", 0, 6},
    {"vm.swappiness", RF_GROUP_SWAP_TUNING, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_NONE,
     RF_RISK_MEDIUM, RF_NEEDS_64BIT | RF_NEEDS_SWAP, 0, "proc/sys/vm/swappiness", 1, 200},
    {"vm.watermark_boost_factor", RF_GROUP_SWAP_TUNING, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT,
     RF_UNIT_PER_10000, RF_RISK_LOW, RF_NEEDS_64BIT, RF_KERNEL (5, 0), "proc/sys/vm/watermark_boost_factor", 0, 15000},
    {"block.read_ahead_kb", RF_GROUP_SWAP_TUNING, RF_BACKEND_QUEUE, RF_INSTANCE_READAHEAD, RF_VALUE_INT, RF_UNIT_KIB,
     RF_RISK_LOW, RF_NEEDS_64BIT, 0, "read_ahead_kb", 16, 16384},

    {"vm.vfs_cache_pressure", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_PERCENT,
     RF_RISK_MEDIUM, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/vm/vfs_cache_pressure", 20, 500},
    {"net.core.rmem_max", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_BYTES,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/core/rmem_max", 65536, 64 * MIB},
    {"net.core.wmem_max", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_BYTES,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/core/wmem_max", 65536, 64 * MIB},
    {"net.ipv4.tcp_rmem", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_VECTOR, RF_UNIT_BYTES,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/ipv4/tcp_rmem", 4096, 64 * MIB},
    {"net.ipv4.tcp_wmem", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_VECTOR, RF_UNIT_BYTES,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/ipv4/tcp_wmem", 4096, 64 * MIB},
    {"net.ipv4.tcp_keepalive_time", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_SECONDS,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/ipv4/tcp_keepalive_time", 60, 14400},
    {"net.ipv4.tcp_fin_timeout", RF_GROUP_EXPERT, RF_BACKEND_SYSCTL, RF_INSTANCE_NONE, RF_VALUE_INT, RF_UNIT_SECONDS,
     RF_RISK_LOW, RF_NEEDS_64BIT | RF_NEEDS_EXPERT, 0, "proc/sys/net/ipv4/tcp_fin_timeout", 10, 120},
};

static const char *const group_nicks[] = {"memory", "nvme", "swap", "swap-tuning", "expert"};
G_STATIC_ASSERT (G_N_ELEMENTS (group_nicks) == RF_N_GROUPS);

const RfTunable *
rf_tunable_find (const char *id)
{
    g_return_val_if_fail (id != NULL, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
        if (g_str_equal (table[i].id, id))
            return &table[i];
    return NULL;
}

const RfTunable *
rf_tunable_list (gsize *n)
{
    *n = G_N_ELEMENTS (table);
    return table;
}

const char *
rf_group_nick (RfGroup group)
{
    g_return_val_if_fail ((guint)group < RF_N_GROUPS, "");
    return group_nicks[group];
}
