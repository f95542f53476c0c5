/* The countdown of the one trial. Counts CLOCK_BOOTTIME, so that time asleep counts too: a laptop that wakes up after
 * the end goes back at once. Knows times and an id, not values. Main thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define RF_TRIAL_MIN_SECONDS 15
#define RF_TRIAL_MAX_SECONDS 1800
#define RF_TRIAL_DEFAULT_SECONDS 60
/** RF_TRIAL_TOTAL_SECONDS: no trial lasts longer in all. */
#define RF_TRIAL_TOTAL_SECONDS (2 * 60 * 60)

typedef struct _RfTrial RfTrial;
typedef void (*RfTrialFunc) (gpointer data);

/** rf_trial_now: CLOCK_BOOTTIME in microseconds */
gint64 rf_trial_now (void);

/** rf_trial_seconds_valid: whether a caller may ask for this length. */
gboolean rf_trial_seconds_valid (guint32 seconds);

/**
 * rf_trial_extended_end:
 * @end: (out): the new end
 *
 * Pure. Returns: FALSE with RF_ERROR_OUT_OF_RANGE if the trial would last longer than RF_TRIAL_TOTAL_SECONDS in all.
 */
gboolean rf_trial_extended_end (gint64 start, gint64 now, guint32 seconds, gint64 *end, GError **error);

/** rf_trial_new: @expired is called once when the time is over. NULL with RF_ERROR_FAILED if there is no timer. */
RfTrial *rf_trial_new (guint32 seconds, RfTrialFunc expired, gpointer data, GError **error);
void rf_trial_free (RfTrial *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfTrial, rf_trial_free)

gboolean rf_trial_extend (RfTrial *self, guint32 seconds, GError **error);
/** rf_trial_end: CLOCK_BOOTTIME in microseconds */
gint64 rf_trial_end (const RfTrial *self);

G_END_DECLS
