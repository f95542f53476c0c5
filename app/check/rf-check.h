/* What to rule out before anything is tuned: one pure function a check, from what was read to a verdict, the evidence
 * in this machine's numbers and the next step. The same list in the window and in the terminal; no GTK. */
#pragma once

#include "rf-recommendation.h"
#include "rf-surroundings.h"

G_BEGIN_DECLS

typedef enum {
    RF_CHECK_FINE,
    RF_CHECK_LOOK,
    RF_CHECK_UNKNOWN, /* cannot be known here; the evidence says why */
    RF_N_CHECK_VERDICTS,
} RfCheckVerdict;

/**
 * RfCheckInput: everything that is looked at; owns it.
 * @available: MemAvailable, bytes
 * @kernel_argument: (nullable): what adds "psi=1" to the kernel's command line here, see rf_snippet_kernel_argument()
 * @plan_bytes: what the settings proposed for this machine keep free for good, bytes
 */
typedef struct {
    RfFacts *facts;
    RfSurroundings *around;
    RfCounter available;
    guint64 plan_bytes;
    char *kernel_argument;
} RfCheckInput;

/**
 * RfCheckResult: texts are translated unless said.
 * @id: machine word, never translated: "swap-drive", "old-quotes"
 * @danger: data or the next start is at stake
 * @title: what was looked at; with LOOK what was found
 * @evidence: one sentence, or one a line
 * @next: (nullable): what to do
 * @command: (nullable): exactly what to type for it, untranslated
 * @page: (nullable): the page that does it, as rf_window_show_page() takes it
 * @detail: (nullable): files, lines and names of the kernel, untranslated
 */
typedef struct {
    char *id;
    RfCheckVerdict verdict;
    gboolean danger;
    char *title;
    char *evidence;
    char *next;
    char *command;
    const char *page;
    char *detail;
} RfCheckResult;

/** rf_check_input_read: Returns: (transfer full): any thread, takes as long as the file systems take to answer */
RfCheckInput *rf_check_input_read (RfSysroot *sysroot);
void rf_check_input_free (RfCheckInput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCheckInput, rf_check_input_free)

/** rf_check_run: Returns: (transfer full) (element-type RfCheckResult): what to look at first, the gravest on top, then
 * what is fine, then what cannot be known; within each in the order of the table */
GPtrArray *rf_check_run (const RfCheckInput *input);

/** rf_check_count: how many of @results have this verdict */
guint rf_check_count (GPtrArray *results, RfCheckVerdict verdict);

/** rf_check_summary: Returns: (transfer full): how many things there are to look at, and the first two of them */
char *rf_check_summary (GPtrArray *results);

const char *rf_check_verdict_text (RfCheckVerdict verdict); /* "look here" */
const char *rf_check_verdict_nick (RfCheckVerdict verdict); /* "look", for --json */

G_END_DECLS
