/* One word for the whole process: go on or stop, and why. Whoever does something for long asks here at least ten times
 * a second. All functions may be called by any thread, rf_work_stop() also by a signal handler. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define RF_WORK_MS G_GINT64_CONSTANT (1000000)
#define RF_WORK_S G_GINT64_CONSTANT (1000000000)

/**
 * RfWorkEnd: why the load ended; the words are in rf_work_end_nick()
 * @RF_WORK_END_TIME: its time was over: the only end after which a result counts
 * @RF_WORK_END_SLOW: getting ready took too long
 */
typedef enum {
    RF_WORK_RUNNING,
    RF_WORK_END_TIME,
    RF_WORK_END_SIGNAL,
    RF_WORK_END_PARENT,
    RF_WORK_END_STDIN,
    RF_WORK_END_MEMORY,
    RF_WORK_END_PRESSURE,
    RF_WORK_END_SWAP,
    RF_WORK_END_BATTERY,
    RF_WORK_END_FULL,
    RF_WORK_END_SLOW,
    RF_WORK_END_FAILED,
    RF_WORK_N_ENDS,
} RfWorkEnd;

/** rf_work_stop: the first reason counts */
void rf_work_stop (RfWorkEnd why);
/** rf_work_fail: stops with RF_WORK_END_FAILED and a message with errno's words: "@what: No space left on device" */
void rf_work_fail (const char *what, int errnum);
RfWorkEnd rf_work_ended (void);
static inline gboolean
rf_work_stopped (void)
{
    return rf_work_ended () != RF_WORK_RUNNING;
}
/** rf_work_failure: Returns: (transfer full) (nullable): the first message of rf_work_fail() */
char *rf_work_failure (void);

/** rf_work_end_nick: Returns: (transfer none): "time", "signal", … */
const char *rf_work_end_nick (RfWorkEnd end);
/** rf_work_end_text: Returns: (transfer none): a sentence for the person, "" for RF_WORK_END_TIME */
const char *rf_work_end_text (RfWorkEnd end);

/** rf_work_now: Returns: CLOCK_MONOTONIC, ns */
gint64 rf_work_now (void);
/** rf_work_sleep_until: @due: ns. Returns: FALSE as soon as the process has to stop */
gboolean rf_work_sleep_until (gint64 due);
/** rf_work_in_background: this thread gives way to the frame loop: a little nicer, which needs no privilege */
void rf_work_in_background (void);

G_END_DECLS
