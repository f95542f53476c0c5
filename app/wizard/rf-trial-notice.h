/* Tells a person who does not see the window what happens to the trial: that it ends in a moment, or that it has gone back
 * by itself. One desktop notification at a time, withdrawn when it is not needed any more. Decides nothing about the trial;
 * the actions of the notification are the application's. Main thread. */
#pragma once

#include "rf-record.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/** RF_TRIAL_NOTICE_SECONDS: how long before the end */
#define RF_TRIAL_NOTICE_SECONDS 20

typedef enum {
    RF_NOTICE_NONE,
    RF_NOTICE_ENDING,
    RF_NOTICE_WENT_BACK,
} RfNotice;

/**
 * rf_trial_notice_decide:
 * @remaining_us: of the running trial; ignored if it has ended
 * @ended: (nullable): the record of a trial that has ended
 * @seen: a window of the program has the focus
 *
 * Pure. Returns: what a person has to be told now
 */
RfNotice rf_trial_notice_decide (gint64 remaining_us, const RfRecord *ended, gboolean seen);
/** rf_trial_notice_ending_text: Returns: (transfer full): @settings: how many go back */
char *rf_trial_notice_ending_text (guint settings, gint64 remaining_us);
/** rf_trial_notice_went_back_text: Returns: (transfer full): why, and whether everything is as before */
char *rf_trial_notice_went_back_text (const RfRecord *ended);

#define RF_TYPE_TRIAL_NOTICE (rf_trial_notice_get_type ())
G_DECLARE_FINAL_TYPE (RfTrialNotice, rf_trial_notice, RF, TRIAL_NOTICE, GObject)

RfTrialNotice *rf_trial_notice_new (void);
/** rf_trial_notice_start: @ends: CLOCK_BOOTTIME, µs. What was told of an earlier trial is withdrawn. */
void rf_trial_notice_start (RfTrialNotice *self, const RfRecord *record, gint64 ends);
void rf_trial_notice_set_ends (RfTrialNotice *self, gint64 ends);
/** rf_trial_notice_end: @record: how it has ended */
void rf_trial_notice_end (RfTrialNotice *self, const RfRecord *record);

G_END_DECLS
