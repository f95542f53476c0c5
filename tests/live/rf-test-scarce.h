/* Memory made scarce on the real machine, by huge pages that nobody uses, and everything put back afterwards, also when
 * the test is killed: a second process sees to it, which allocates nothing, is never the victim of the OOM killer, and
 * gives the memory back after some time whatever happens. Needs root. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef struct _RfTestScarce RfTestScarce;

/**
 * rf_test_scarce_new:
 * @left_mib: free memory and file cache that others keep. Not MemAvailable: that one subtracts the reserves, so that
 * the settings under test would decide with how much memory they are tested
 * @seconds: after so long it is over
 *
 * Remembers all of /proc/sys/vm that a test here changes, sets the kernel's own values, so that each run begins alike,
 * and takes the memory away. To be called before there is a zram of the test's own.
 *
 * Returns: (transfer full) (nullable): NULL where the machine has too little memory, or where somebody else uses huge
 * pages or zram; the test is skipped then
 */
RfTestScarce *rf_test_scarce_new (RfSysroot *kernel, guint left_mib, guint seconds);

/** rf_test_scarce_left: Returns: MiB of free memory and file cache now */
guint rf_test_scarce_left (RfSysroot *kernel);

/** rf_test_scarce_meminfo: @field: "MemFree:". Returns: MiB. Allocates nothing: also for the child of a process with
 * threads */
gint64 rf_test_scarce_meminfo (const char *field);

/** rf_test_scarce_set: @name: one of /proc/sys/vm that is put back at the end */
void rf_test_scarce_set (RfTestScarce *self, const char *name, const char *value);

/** rf_test_scarce_release: gives back the memory only: what was swapped out needs some */
void rf_test_scarce_release (RfTestScarce *self);

/** rf_test_scarce_end: gives everything back. Returns: whether it has been scarce until now */
gboolean rf_test_scarce_end (RfTestScarce *self);

G_END_DECLS
