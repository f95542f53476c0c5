/* Parts of rf_facts_read(), each in its own file. Not for anybody else. */
#pragma once

#include "rf-blocks.h"
#include "rf-facts.h"
#include "rf-uses.h"

G_BEGIN_DECLS

/** rf_disks_read: Returns: (transfer full) (element-type RfDisk): without mount points and layers. */
GPtrArray *rf_disks_read (RfSysroot *sysroot, const RfBlocks *blocks);

/** rf_readahead_read: fills readahead. Needs the disks with their mount points and layers. */
void rf_readahead_read (const RfUses *self, RfFacts *facts);

/** rf_layers_read: fills swaps, readahead and of each disk mount_points and layers. Needs facts->disks. */
void rf_layers_read (RfSysroot *sysroot, const RfBlocks *blocks, RfFacts *facts);

/** rf_zram_owner_read: fills what begins with zram_. Needs facts->swaps, kernel_release and ram_bytes. */
void rf_zram_owner_read (RfSysroot *sysroot, RfFacts *facts);

/** rf_virt_read: fills virtualisation, container, immutable and sysctl_read_only. Needs distribution_id. */
void rf_virt_read (RfSysroot *sysroot, RfFacts *facts);

G_END_DECLS
