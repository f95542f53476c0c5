/* /proc/zoneinfo: free pages against the thresholds of each zone. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfZone: one zone of one node, in pages.
 * @name: "DMA32", "Normal", "Movable"
 * @min: below it programs clear memory themselves; @low: kswapd wakes up; @high: kswapd rests.
 *   All three contain the temporary boost after fragmentation
 * @managed: pages that the allocator has (since 3.8): the base of watermark_scale_factor; 0 for an empty zone
 */
typedef struct {
    guint node;
    char name[16];
    RfCounter free;
    RfCounter min;
    RfCounter low;
    RfCounter high;
    RfCounter managed;
} RfZone;

/**
 * RfZoneinfo:
 * @zones: (element-type RfZone): in the order of the file, with the empty ones; owned, never NULL after a reader ran
 * @free: sums over the zones that have memory. If one of them lacks the number, so does the sum
 */
typedef struct {
    GArray *zones;
    RfCounter free;
    RfCounter min;
    RfCounter low;
    RfCounter high;
    RfCounter managed;
} RfZoneinfo;

/** rf_zoneinfo_parse: @out need not be initialised; free its content with rf_zoneinfo_clear(). */
void rf_zoneinfo_parse (const char *text, gsize length, RfZoneinfo *out);
/** rf_zoneinfo_missing: no zones, every sum missing for the same reason */
void rf_zoneinfo_missing (RfAvail why, RfZoneinfo *out);
void rf_zoneinfo_read (RfSysroot *sysroot, RfZoneinfo *out);
void rf_zoneinfo_clear (RfZoneinfo *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RfZoneinfo, rf_zoneinfo_clear)

G_END_DECLS
