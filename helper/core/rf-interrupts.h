/* /proc/interrupts: TLB shootdowns. There is no such counter in /proc/vmstat of a normal kernel. Pure, thread-safe. */
#pragma once

#include "rf-avail.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

/**
 * RfInterrupts:
 * @tlb_shootdowns: sum of the row "TLB:" (x86 only, elsewhere NO_FIELD) over all CPUs that are online. Each CPU counts
 *   in 32 bits, so the sum can fall by 2^32
 * @n_cpus: columns that were summed; when it changes, the sum of before cannot be compared
 */
typedef struct {
    RfCounter tlb_shootdowns;
    guint n_cpus;
} RfInterrupts;

void rf_interrupts_parse (const char *text, gsize length, RfInterrupts *out);
/** rf_interrupts_missing: every field missing for the same reason */
void rf_interrupts_missing (RfAvail why, RfInterrupts *out);
void rf_interrupts_read (RfSysroot *sysroot, RfInterrupts *out);

G_END_DECLS
