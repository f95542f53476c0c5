#include "rf-fuzz.h"

#include "rf-surroundings.h"

RF_FUZZ (data, size)
{
    RfCounter tolerance = rf_surroundings_parse_tolerance (data, size);
    rf_fuzz_check (&tolerance, sizeof tolerance);
}
