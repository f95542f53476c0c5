#include "rf-fuzz.h"

#include "rf-loadavg.h"

RF_FUZZ (data, size)
{
    RfLoadavg out;
    rf_loadavg_parse (data, size, &out);
    rf_fuzz_check (&out, sizeof out);
}
