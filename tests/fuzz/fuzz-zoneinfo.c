#include "rf-fuzz.h"

#include <string.h>

#include "rf-zoneinfo.h"

RF_FUZZ (data, size)
{
    g_auto (RfZoneinfo) out = {0};
    rf_zoneinfo_parse (data, size, &out);
    rf_fuzz_check (&out.free, sizeof out - G_STRUCT_OFFSET (RfZoneinfo, free));
    for (guint i = 0; i < out.zones->len; i++) {
        const RfZone *zone = &g_array_index (out.zones, RfZone, i);
        g_assert_cmpuint (strnlen (zone->name, sizeof zone->name), <, sizeof zone->name);
        rf_fuzz_check (&zone->free, sizeof *zone - G_STRUCT_OFFSET (RfZone, free));
    }
}
