/* The quick test: the load of ruckelfrei-workload, always the same, while the helper measures; once before a change and
 * once during its trial. What comes out are two recordings that can be compared. Starts a process, not as root; nothing
 * of it survives this program. Main thread. */
#pragma once

#include "rf-client.h"
#include "rf-recordings.h"

G_BEGIN_DECLS

#define RF_TYPE_QUICK_TEST (rf_quick_test_get_type ())
G_DECLARE_FINAL_TYPE (RfQuickTest, rf_quick_test, RF, QUICK_TEST, GObject)

/** RF_QUICK_TEST_SECONDS: how long is measured; with getting ready it takes about two minutes */
#define RF_QUICK_TEST_SECONDS 90

typedef enum {
    RF_QUICK_TEST_BEFORE,
    RF_QUICK_TEST_AFTER,
    RF_N_QUICK_TESTS,
} RfQuickTestSide;

typedef enum {
    RF_QUICK_TEST_IDLE,
    RF_QUICK_TEST_STARTING,
    RF_QUICK_TEST_RUNNING,
    RF_QUICK_TEST_ENDING,
} RfQuickTestState;

/** RfQuickTest signal: "changed" (): state, progress, a result or a refusal */

/**
 * rf_quick_test_new:
 * @client: (nullable): without it the window's own looking is recorded
 * @folder: (nullable): of the recordings; NULL for the user's own
 */
RfQuickTest *rf_quick_test_new (RfClient *client, RfSysroot *sysroot, const char *folder);
/** rf_quick_test_set_program: another program than the installed one, and how long it is told to measure; for tests */
void rf_quick_test_set_program (RfQuickTest *self, const char *program, guint seconds);

/** rf_quick_test_start: "after" takes over the plan of "before", so that the load is the same; without a "before" it is
 * refused. Nothing happens while one runs. */
void rf_quick_test_start (RfQuickTest *self, RfQuickTestSide side);
/** rf_quick_test_cancel: ends it; what was recorded of it is thrown away */
void rf_quick_test_cancel (RfQuickTest *self);

RfQuickTestState rf_quick_test_get_state (RfQuickTest *self);
/** rf_quick_test_get_running: which of the two, while it is not idle */
RfQuickTestSide rf_quick_test_get_running (RfQuickTest *self);
/** rf_quick_test_get_progress: 0..1; @remaining_s: (out): seconds, about */
double rf_quick_test_get_progress (RfQuickTest *self, guint *remaining_s);
/** rf_quick_test_get_result: (nullable): the id of the recording of @side */
const char *rf_quick_test_get_result (RfQuickTest *self, RfQuickTestSide side);
/** rf_quick_test_get_problem: (nullable): why the last one gave no result, translated sentences */
const char *rf_quick_test_get_problem (RfQuickTest *self);

G_END_DECLS
