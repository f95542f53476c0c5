#include "rf-fuzz.h"

#include "rf-cpu-stat.h"

RF_FUZZ (data, size)
{
    RfCpuStat out;
    rf_cpu_stat_parse (data, size, &out);
    rf_fuzz_check (&out, G_STRUCT_OFFSET (RfCpuStat, n_cpus));
    if (rf_counter_ok (out.total))
        g_assert_cmpuint (out.busy.value, <=, out.total.value);
}
