/* The disks' part of a sample: rates and latencies from two readings of /proc/diskstats. Pure; used by rf-sample. */
#pragma once

#include "rf-sample.h"

G_BEGIN_DECLS

/**
 * rf_disk_samples_derive:
 * @before: (nullable): NULL for the first reading
 * @interval_s: 0 for the first
 *
 * Returns: (transfer full) (element-type RfDiskSample): as RfSample.disks. The utilisation of a multipath head is that
 * of its busiest path.
 */
GArray *rf_disk_samples_derive (const RfDiskstats *before, const RfDiskstats *now, double interval_s);

G_END_DECLS
