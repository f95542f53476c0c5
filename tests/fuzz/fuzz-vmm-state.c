#include "rf-fuzz.h"

#include "rf-vmm-state.h"

RF_FUZZ (data, size)
{
    const RfCounter numbers[] = {rf_vmm_parse_mask (data, size), rf_vmm_parse_flag (data, size)};
    rf_fuzz_check (numbers, sizeof numbers);
    g_autofree char *chosen = rf_vmm_parse_choice (data, size);
    g_assert_true (chosen == NULL || chosen[0] != '\0');
}
