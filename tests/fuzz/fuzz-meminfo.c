#include "rf-fuzz.h"

#include "rf-meminfo.h"

RF_FUZZ (data, size)
{
    RfMeminfo out;
    rf_meminfo_parse (data, size, &out);
    rf_fuzz_check (&out, sizeof out);
    if (rf_counter_ok (out.swap_used))
        g_assert_cmpuint (out.swap_used.value, <=, out.swap_total.value);
}
