/* Switches of the memory management that change what our numbers mean: transparent huge pages, the multi-generational
 * LRU, zswap. They are read and shown, never set. The parsers are pure; rf_vmm_state_read() reads some small files. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfVmmState:
 * @thp_enabled: (nullable): "always", "madvise", "never"; NULL with @thp_avail
 * @thp_defrag: (nullable): "always", "defer", "defer+madvise", "madvise", "never"
 * @lru_gen: bit mask of /sys/kernel/mm/lru_gen/enabled: 0 off, bit 0 the main switch; NO_FILE without CONFIG_LRU_GEN
 * @lru_gen_min_ttl_ms: above 0 the kernel kills programs early instead of evicting what was used in that time
 * @zswap_enabled: 1 or 0; NO_FILE if the kernel has no zswap
 * @zswap_compressor: (nullable)
 */
typedef struct {
    char *thp_enabled;
    char *thp_defrag;
    RfAvail thp_avail;
    RfCounter lru_gen;
    RfCounter lru_gen_min_ttl_ms;
    RfCounter zswap_enabled;
    RfCounter zswap_max_pool_percent;
    char *zswap_compressor;
} RfVmmState;

/** rf_vmm_state_read: @out need not be initialised; rf_vmm_state_clear() frees it. */
void rf_vmm_state_read (RfSysroot *sysroot, RfVmmState *out);
void rf_vmm_state_clear (RfVmmState *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfVmmState, rf_vmm_state_clear)

/** rf_vmm_parse_choice: Returns: (transfer full) (nullable): the one bracketed word of "always [madvise] never\n" */
char *rf_vmm_parse_choice (const char *text, gsize length);
/** rf_vmm_parse_mask: "0x0007\n"; MALFORMED without the 0x, with more than 16 digits or with anything behind */
RfCounter rf_vmm_parse_mask (const char *text, gsize length);
/** rf_vmm_parse_flag: "Y\n", "1\n" give 1; "N\n", "0\n" give 0; MALFORMED otherwise */
RfCounter rf_vmm_parse_flag (const char *text, gsize length);

G_END_DECLS
