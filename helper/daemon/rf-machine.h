/* What the helper works on: the kernel's files, the place of its own files, and the calls. Immutable and shared by
 * reference, so any thread may use it. In the installed program both roots are "/"; tests hand in folders, and a test
 * on the real kernel hands in "/" and a folder, so that nothing of it lands in /etc. */
#pragma once

#include "rf-facts.h"
#include "rf-ops.h"
#include "rf-tunable.h"

G_BEGIN_DECLS

/**
 * RfMachine:
 * @kernel: root of proc, sys and of the zram marker below run
 * @files: root of var/lib/ruckelfrei, etc and run/udev
 * @boot_id: tells one boot from the next; "unknown" if the kernel does not say
 */
typedef struct {
    gatomicrefcount ref_count;
    RfSysroot *kernel;
    RfSysroot *files;
    const RfOps *ops;
    char *boot_id;
    char *kernel_release;
} RfMachine;

RfMachine *rf_machine_new (RfSysroot *kernel, RfSysroot *files, const RfOps *ops);
RfMachine *rf_machine_ref (RfMachine *self);
void rf_machine_unref (RfMachine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfMachine, rf_machine_unref)

/** rf_machine_write: one kernel value; the error names file and value. READ_ONLY, REFUSED, UNAVAILABLE or IO. */
gboolean rf_machine_write (RfMachine *self, const char *relative, const char *text, GError **error);

/**
 * rf_machine_find_stable_id:
 * @stable_id: (out) (transfer full): the identity of @instance now, NULL if the tunable has no instances
 *
 * The facts' stable id, else "diskseq:N", which holds until the next boot only.
 * Returns: FALSE if there is no such instance.
 */
gboolean rf_machine_find_stable_id (const RfFacts *facts, const RfTunable *tunable, const char *instance,
                                    char **stable_id);

/**
 * rf_machine_find_instance:
 * @instance: its name when @stable_id was noted
 * @stable_id: (nullable): as from rf_machine_find_stable_id()
 *
 * The kernel numbers drives, mapped devices and btrfs anew at each boot.
 * Returns: (transfer full) (nullable): the name of that device now; NULL if it is not there, or if it cannot be told
 * which of two it is
 */
char *rf_machine_find_instance (const RfFacts *facts, const RfTunable *tunable, const char *instance,
                                const char *stable_id);

G_END_DECLS
