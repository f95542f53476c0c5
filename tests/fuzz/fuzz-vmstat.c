#include "rf-fuzz.h"

#include "rf-vmstat.h"

RF_FUZZ (data, size)
{
    RfVmstat out;
    rf_vmstat_parse (data, size, &out);
    rf_fuzz_check (&out, sizeof out);
}
