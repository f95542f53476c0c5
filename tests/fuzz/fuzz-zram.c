#include "rf-fuzz.h"

#include "rf-zram.h"

RF_FUZZ (data, size)
{
    RfZramStat out;
    RfZramTotals totals;
    double ratio = -1;
    rf_zram_stat_parse (data, size, &out);
    rf_fuzz_check (&out, sizeof out);
    rf_zram_totals_init (&totals);
    rf_zram_totals_add (&totals, RF_COUNTER (1 << 20), &out);
    rf_zram_totals_add (&totals, out.mem_limit, &out);
    RfAvail avail = rf_zram_ratio (totals.stored, totals.mem_used, &ratio);
    g_assert_cmpint (avail == RF_AVAIL_OK, ==, ratio > 0);
}
