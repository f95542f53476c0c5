#include "rf-fuzz.h"

#include "rf-swaps.h"

RF_FUZZ (data, size)
{
    g_auto (RfSwaps) out = {0};
    rf_swaps_parse (data, size, &out);
    g_assert_true (out.avail == RF_AVAIL_OK || (out.entries->len == 0 && out.skipped == 0));
    for (guint i = 0; i < out.entries->len; i++) {
        const RfSwapEntry *entry = g_ptr_array_index (out.entries, i);
        g_assert_nonnull (entry->path);
        g_assert_cmpuint (entry->size_bytes % 1024, ==, 0);
    }
}
