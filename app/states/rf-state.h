/* What is not as it should be, and what can be done about it: one sentence, a detail, text to copy, a button. One table for
 * the overview, the guided tuning, the Changes page and the terminal client. Pure: the same input gives the same states.
 * No GTK. Main thread. */
#pragma once

#include "rf-avail.h"
#include "rf-client.h"
#include "rf-facts.h"

G_BEGIN_DECLS

typedef enum {
    /* of the system and the helper, the gravest first */
    RF_STATE_HELPER_MISSING,
    RF_STATE_HELPER_OLDER,  /* than this program */
    RF_STATE_PROGRAM_OLDER, /* than the helper */
    RF_STATE_HALF_APPLIED,  /* stopped half-way and not all back yet */
    RF_STATE_CONTAINER,
    RF_STATE_READ_ONLY,
    RF_STATE_RECOVERED,     /* stopped half-way, and everything is back */
    RF_STATE_KERNEL_DRIFT,  /* values differ since another kernel runs */
    RF_STATE_IMMUTABLE,     /* NixOS, Guix: what is kept belongs into the system's configuration */
    RF_STATE_OSTREE,
    RF_STATE_NO_PSI,
    RF_STATE_BATTERY,
    /* of an attempt: rf_state_from_error() */
    RF_STATE_NOT_AUTHORIZED,
    RF_STATE_NO_AGENT,
    RF_STATE_NO_ANSWER, /* polkit or the helper */
    RF_STATE_REFUSED,   /* by the kernel */
    RF_STATE_JOURNAL,   /* notes about earlier changes cannot be read */
    RF_N_STATES,
} RfState;

/** RfStateAction: what the one button does */
typedef enum {
    RF_STATE_ACTION_NONE,
    RF_STATE_ACTION_LOOK_AGAIN,
    RF_STATE_ACTION_RESTART_HELPER,
    RF_STATE_ACTION_RESTART_PROGRAM,
    RF_STATE_ACTION_SHOW_CHANGES,
    RF_STATE_ACTION_TAKE_BACK,
    RF_STATE_ACTION_TRY_AGAIN,   /* after an error */
    RF_STATE_ACTION_APPLY_AGAIN, /* what has drifted, as a trial */
    RF_STATE_ACTION_ANYWAY,
    RF_STATE_ACTION_LEAVE_OUT,
    RF_STATE_N_ACTIONS,
} RfStateAction;

/**
 * RfStateInfo:
 * @grave: something does not work; otherwise it is to be known only
 * @sentence: what is wrong, translated
 * @detail: (nullable): what it means and what can be done, translated
 * @snippet: (nullable): to be copied; not translated, may have several lines
 * @tunable: (nullable): RF_STATE_REFUSED: the setting it is about, with
 * @instance: (nullable): its device
 */
typedef struct {
    RfState state;
    gboolean grave;
    char *sentence;
    char *detail;
    char *snippet;
    RfStateAction action;
    const RfTunable *tunable;
    char *instance;
} RfStateInfo;

void rf_state_info_free (RfStateInfo *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfStateInfo, rf_state_info_free)

/**
 * RfStateInput: what is known; everything may be missing.
 * @helper_known: the bus has said whether there is a helper
 * @bus_error: (nullable): why the bus cannot be reached
 * @restarting: the helper is being waited for
 * @helper_version: (nullable): of the helper that runs
 * @kernel_argument: (nullable): see rf_snippet_kernel_argument(), for psi=1
 * @records: (nullable) (element-type RfRecord): oldest first
 * @drift: (nullable) (element-type RfDrift)
 * @plan: (nullable): what is about to be applied, for text to copy
 * @now: seconds since 1970
 */
typedef struct {
    gboolean helper_known;
    gboolean helper_available;
    const GError *bus_error;
    gboolean restarting;
    const char *helper_version;
    const char *own_version;
    const RfFacts *facts;
    RfAvail psi;
    const char *kernel_argument;
    gboolean on_battery;
    const GPtrArray *records;
    const GPtrArray *drift;
    const RfPlan *plan;
    gint64 now;
} RfStateInput;

/**
 * rf_state_look:
 * @client: (nullable)
 *
 * Fills @input with what @client and the files below @sysroot say now; @records, @drift and @plan are the caller's. What it
 * points to belongs to @client and @facts.
 */
void rf_state_look (RfStateInput *input, RfClient *client, RfSysroot *sysroot, const RfFacts *facts);

/** rf_state_get: Returns: (transfer full) (nullable): what there is to say about @state; NULL if it does not hold */
RfStateInfo *rf_state_get (RfState state, const RfStateInput *input);

/** rf_state_list: Returns: (transfer full) (element-type RfStateInfo): all that hold, up to RF_STATE_BATTERY */
GPtrArray *rf_state_list (const RfStateInput *input);

/**
 * rf_state_from_error:
 * @plan: (nullable): what was to be applied
 *
 * Returns: (transfer full) (nullable): with the sentence of rf_message_from_error(); NULL if there is nothing to do about
 *   it, or if it needs no message
 */
RfStateInfo *rf_state_from_error (const GError *error, const RfPlan *plan);

/**
 * rf_state_partly_reverted:
 * @records: (nullable) (element-type RfRecord): what there is now; NULL if not known
 *
 * Returns: (transfer full): RF_STATE_JOURNAL after everything was to be taken back: the helper has taken back what it could
 *   read, and then says RF_ERROR_JOURNAL, so that "nothing is changed" would be wrong
 */
RfStateInfo *rf_state_partly_reverted (const GPtrArray *records);

/** rf_state_drift_plan: Returns: (transfer full) (nullable): what RF_STATE_KERNEL_DRIFT speaks of, to be applied again */
RfPlan *rf_state_drift_plan (const RfStateInput *input);

/** rf_state_action_label: Returns: (transfer none) (nullable): translated, with a mnemonic; NULL for none */
const char *rf_state_action_label (RfStateAction action);
const char *rf_state_nick (RfState state); /* "helper-missing": for programs, never translated */

/** rf_state_compare_versions: as numbers between dots: "0.9.0" < "0.10.0"; text behind them does not count */
int rf_state_compare_versions (const char *a, const char *b);

G_END_DECLS
