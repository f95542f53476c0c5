/* The helper's code on the real kernel. Its own files lie in a temporary folder, so nothing lands in /etc; the kernel's
 * values are changed for real. Needs root. */
#pragma once

#include "rf-facts.h"
#include "rf-journal.h"
#include "rf-test-tree.h"

G_BEGIN_DECLS

/** RfTestLive: @before: the machine's settings when it was made */
typedef struct {
    RfTestTree *tree;
    RfMachine *machine;
    RfFacts *facts;
    RfJournal *journal;
    char *before;
} RfTestLive;

/** rf_test_live_needs_root: skips the test and Returns: TRUE where there is no root */
gboolean rf_test_live_needs_root (void);

RfTestLive *rf_test_live_new (void);
/** rf_test_live_free: takes back whatever a test has left, and looks whether everything is as before. */
void rf_test_live_free (RfTestLive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTestLive, rf_test_live_free)

/** rf_test_live_settings: Returns: (transfer full): all of /proc/sys/vm, all queues and all swaps, as text */
char *rf_test_live_settings (RfSysroot *kernel);
void rf_test_live_assert_as_before (const RfTestLive *self);

/** rf_test_live_apply: lines as in rf_test_plan(). Returns: (transfer none): the record, on trial */
RfRecord *rf_test_live_apply (RfTestLive *self, const char *lines);
void rf_test_live_keep (RfTestLive *self, RfRecord *record);
/** rf_test_live_revert: every setting must go back. */
void rf_test_live_revert (RfTestLive *self, RfRecord *record);

/** rf_test_live_gentle_value: Returns: (transfer full): another value in range that moves the machine as little as
 * possible */
char *rf_test_live_gentle_value (const RfTunable *tunable, const RfFacts *facts, const RfValue *now);

G_END_DECLS
