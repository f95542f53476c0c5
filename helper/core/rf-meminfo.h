/* /proc/meminfo in bytes. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfMeminfo: all in bytes.
 * @available: MemAvailable (since 3.14): what programs can get without swapping
 * @swap_used: SwapTotal - SwapFree; the kernel prints no such line
 * @low_total: only on 32-bit kernels with high memory
 * @zswapped: what lies in zswap, uncompressed; @zswap: the memory it takes (since 5.19)
 */
typedef struct {
    RfCounter total;
    RfCounter free;
    RfCounter available;
    RfCounter buffers;
    RfCounter cached;
    RfCounter anon_pages;
    RfCounter shmem;
    RfCounter slab_reclaimable;
    RfCounter dirty;
    RfCounter writeback;
    RfCounter swap_total;
    RfCounter swap_free;
    RfCounter swap_used;
    RfCounter swap_cached;
    RfCounter zswap;
    RfCounter zswapped;
    RfCounter low_total;
    RfCounter high_total;
} RfMeminfo;

void rf_meminfo_parse (const char *text, gsize length, RfMeminfo *out);
/** rf_meminfo_missing: every field missing for the same reason */
void rf_meminfo_missing (RfAvail why, RfMeminfo *out);
void rf_meminfo_read (RfSysroot *sysroot, RfMeminfo *out);

G_END_DECLS
