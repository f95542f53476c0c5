/* What the helper's tests share: a fixture machine with journal and facts, plans from text, and ops that fail on
 * demand. */
#pragma once

#include "rf-applier.h"
#include "rf-backend.h"
#include "rf-error.h"
#include "rf-journal.h"
#include "rf-keeper.h"
#include "rf-persist.h"
#include "rf-recovery.h"
#include "rf-reverter.h"
#include "rf-test-tree.h"

G_BEGIN_DECLS

/**
 * RfTestRig:
 * @ops: the fixture's; a test may replace functions in it
 * @before: everything below proc and sys at the start
 */
typedef struct {
    RfTestTree *tree;
    RfOps ops;
    RfMachine *machine;
    RfJournal *journal;
    RfFacts *facts;
    char *before;
} RfTestRig;

RfTestRig *rf_test_rig_new (const char *fixture);
void rf_test_rig_free (RfTestRig *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTestRig, rf_test_rig_free)

/** rf_test_rig_reopen: as a new process would find it: machine, facts and journal read anew. */
void rf_test_rig_reopen (RfTestRig *self);
/** rf_test_rig_reboot: the same with another boot id, without /run and without zram devices. */
void rf_test_rig_reboot (RfTestRig *self);

/** rf_test_rig_state: Returns: (transfer full): a dump of proc and sys */
char *rf_test_rig_state (RfTestRig *self);
void rf_test_rig_assert_as_before (RfTestRig *self);
/** rf_test_rig_load_zram: makes a zram swap and takes it back, once: the kernel's module stays, and counts as "before"
 * from now on. */
void rf_test_rig_load_zram (RfTestRig *self);

/** rf_test_rig_fail_write: from now on writing a file whose path ends so fails with @errnum; NULL: no more. */
void rf_test_rig_fail_write (RfTestRig *self, const char *suffix, int errnum);
/** rf_test_rig_crash_at: write number @n from now on ends the work as a crash would: FALSE from then on. 0: off. */
void rf_test_rig_crash_at (RfTestRig *self, guint n);

/** rf_test_plan: from lines "tunable[@instance] value", separated by newlines. */
RfPlan *rf_test_plan (const char *lines);

/** rf_test_rig_apply: Returns: (transfer none): the record on trial; ends the test on failure. */
RfRecord *rf_test_rig_apply (RfTestRig *self, const char *lines);
/** rf_test_rig_try_apply: prepare, add, run; the record if it got as far as the journal. */
RfRecord *rf_test_rig_try_apply (RfTestRig *self, const char *lines, GError **error);
void rf_test_rig_keep (RfTestRig *self, RfRecord *record);
void rf_test_rig_revert (RfTestRig *self, RfRecord *record);
void rf_test_rig_assert_file (RfTestRig *self, const char *path, const char *content);
void rf_test_rig_assert_entry (const RfRecord *record, guint index, RfEntryState state);

G_END_DECLS
