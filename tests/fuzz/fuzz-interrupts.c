#include "rf-fuzz.h"

#include "rf-interrupts.h"

RF_FUZZ (data, size)
{
    RfInterrupts out;
    rf_interrupts_parse (data, size, &out);
    rf_fuzz_check (&out.tlb_shootdowns, sizeof out.tlb_shootdowns);
    if (rf_counter_ok (out.tlb_shootdowns))
        g_assert_cmpuint (out.n_cpus, >, 0);
}
