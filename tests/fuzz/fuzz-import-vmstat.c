#include "rf-fuzz-import.h"

RF_FUZZ (data, size)
{
    rf_fuzz_import (data, size, RF_IMPORT_VMSTAT, NULL);
}
