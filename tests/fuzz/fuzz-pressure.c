#include "rf-fuzz.h"

#include "rf-pressure.h"

RF_FUZZ (data, size)
{
    RfPressure out;
    rf_pressure_parse (data, size, &out);
    rf_fuzz_check (&out, sizeof out);
}
