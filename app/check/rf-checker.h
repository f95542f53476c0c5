/* One look at what has to be ruled out, for whoever shows it: reads in a thread of its own, because a file system may
 * take long to answer, keeps the results and says when they are there. Never looks by itself. Main thread. */
#pragma once

#include "rf-check.h"

G_BEGIN_DECLS

#define RF_TYPE_CHECKER (rf_checker_get_type ())
G_DECLARE_FINAL_TYPE (RfChecker, rf_checker, RF, CHECKER, GObject)

/* RfChecker signal: "changed" (): a look has begun or ended, or takes unusually long */

typedef RfCheckInput *(*RfCheckReader) (RfSysroot *sysroot);

RfChecker *rf_checker_new (RfSysroot *sysroot);
/** rf_checker_new_with: for tests: @reader runs in a thread; longer than @patience_ms is unusually long */
RfChecker *rf_checker_new_with (RfSysroot *sysroot, RfCheckReader reader, guint patience_ms);

/** rf_checker_start: looks again; nothing if a look is under way */
void rf_checker_start (RfChecker *self);
gboolean rf_checker_is_running (RfChecker *self);
/** rf_checker_is_slow: a look is under way and takes unusually long: a file system may not be answering */
gboolean rf_checker_is_slow (RfChecker *self);
/** rf_checker_get_results: Returns: (transfer none) (nullable) (element-type RfCheckResult): of the last look that came
 * to an end; valid until the next "changed" */
GPtrArray *rf_checker_get_results (RfChecker *self);
/** rf_checker_get_time: when that look ended, seconds since 1970; 0: there was none */
gint64 rf_checker_get_time (RfChecker *self);

G_END_DECLS
