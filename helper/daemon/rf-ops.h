/* The calls by which the helper really changes the machine, in one table, so that tests can stand in for the kernel
 * and make any of them fail. Everything here takes names that the helper made itself, never a caller's text.
 * The table is constant while it is in use; the functions may be called from any thread. */
#pragma once

#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef struct _RfOps RfOps;

/**
 * RfOps:
 * @write_value: one write() of @text and a newline to an existing kernel file; 0 or an errno
 * @hot_add: makes a zram device (reading zram-control/hot_add does); 0 or an errno
 * @swap_on: swapon(2) with @priority, or the kernel's choice if it is negative; 0 or an errno
 * @swap_off: swapoff(2). Blocks while pages come back; a signal to the thread ends it with EINTR. 0 or an errno
 * @run: a fixed argv with a clean environment; waits for it
 * @load_zram: loads the module
 * @reload_systemd: makes systemd run its generators again and read its units; TRUE also where it does not run
 */
struct _RfOps {
    int (*write_value) (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text);
    int (*hot_add) (const RfOps *self, RfSysroot *kernel, guint *number);
    int (*swap_on) (const RfOps *self, RfSysroot *kernel, const char *device, int priority);
    int (*swap_off) (const RfOps *self, RfSysroot *kernel, const char *device);
    gboolean (*run) (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error);
    gboolean (*load_zram) (const RfOps *self, RfSysroot *kernel, GError **error);
    gboolean (*reload_systemd) (const RfOps *self, RfSysroot *kernel, GError **error);
    gpointer data;
};

/** rf_ops_machine: the real ones. Only for the sysroot that is the machine. */
const RfOps *rf_ops_machine (void);

#ifdef RF_TEST_BUILD
/** rf_ops_fixture: behaves on a folder as the kernel does on the machine (bracket lists, dirty pairs that zero their
 * partner, zram devices that come and go); a file without write permission is EROFS. Not in the installed program. */
const RfOps *rf_ops_fixture (void);
#endif

G_END_DECLS
