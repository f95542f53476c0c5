/* Takes a swap device out of use while somebody watches: swapoff(2) brings every page back first and can take minutes,
 * so it runs in a thread of its own and a signal to that thread ends it early (the kernel then puts the device back
 * into use). Blocking; call it from a worker thread. */
#pragma once

#include "rf-control.h"
#include "rf-machine.h"

G_BEGIN_DECLS

/**
 * rf_swapoff_find:
 * @used_kib: (out) (optional): what lies in it
 *
 * Returns: whether @device ("/dev/zram1") is in use as swap
 */
gboolean rf_swapoff_find (RfMachine *machine, const char *device, guint64 *used_kib);

/**
 * rf_swapoff_run:
 * @step: tunable id for the progress, which counts MiB brought back
 *
 * Returns: FALSE with RF_ERROR_CANCELLED (the device is in use as before), RF_ERROR_NO_MEMORY or another error
 */
gboolean rf_swapoff_run (RfMachine *machine, const char *device, const char *step, const RfControl *control,
                         GError **error);

G_END_DECLS
