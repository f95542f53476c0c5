/* Like compared with like: two sides of one or several recordings each, the same phase of all. Whether anything differs is
 * decided by two tests that must agree, corrected for the number of metrics (see rf-bootstrap.h); what is not alike is not
 * compared, with the reason. Pure, no GTK, one thread; the same input gives the same numbers. */
#pragma once

#include "rf-metrics.h"
#include "rf-phases.h"

G_BEGIN_DECLS

typedef enum {
    RF_OUTCOME_BETTER,
    RF_OUTCOME_WORSE,
    RF_OUTCOME_CHANGED, /* differs, but neither direction is better */
    RF_OUTCOME_SAME,    /* no measurable difference */
    RF_OUTCOME_NOT_COMPARABLE,
    RF_N_OUTCOMES,
} RfOutcome;

/** RfUnlike: why two sides, or one metric of them, are not compared */
typedef enum {
    RF_UNLIKE_NOT,
    RF_UNLIKE_SAME_RECORDING, /* one recording stands on both sides */
    RF_UNLIKE_EMPTY,
    RF_UNLIKE_UNTRUSTED,
    RF_UNLIKE_PHASE,
    RF_UNLIKE_WORKLOAD,
    RF_UNLIKE_MACHINE,
    RF_UNLIKE_KERNEL,
    RF_UNLIKE_SETTINGS,  /* they were changed within one recording, or differ within one side */
    RF_UNLIKE_MISSING,   /* the metric is not available on one side */
    RF_UNLIKE_TILES,     /* too few tiles that both sides loaded */
    RF_UNLIKE_SHORT,     /* too few independent stretches */
    RF_UNLIKE_SINGLE,    /* one number a recording: only several recordings tell */
    RF_N_UNLIKE,
} RfUnlike;

typedef enum {
    RF_EFFECT_NONE,
    RF_EFFECT_RATIO,      /* after by before */
    RF_EFFECT_DIFFERENCE, /* after less before: one side is zero */
} RfEffectKind;

/** RfRun: one recording of a side. @phases: (nullable): NULL: they are found here */
typedef struct {
    const RfRecording *recording;
    const RfPhases *phases;
} RfRun;

/**
 * RfComparisonRow:
 * @per_hour: @before and @after are for each hour (a total)
 * @before, @after: mean of the side's recordings, NAN if not available
 * @low, @high: 95 % interval of @effect
 * @p: corrected; NAN if not compared
 * @needed: recordings like these on each side to find a change of 20 %, 0 if these are enough or it cannot be told;
 *   G_MAXUINT: more than 99
 */
typedef struct {
    RfMetric metric;
    char *subject;
    gboolean per_hour;
    double before, after;
    RfMissing missing_before, missing_after;
    RfEffectKind effect_kind;
    double effect, low, high;
    double p;
    RfOutcome outcome;
    RfUnlike unlike;
    guint needed;
} RfComparisonRow;

/** RfUnlikeDetail: @before, @after: what differs: workloads, kernels; "" where there is nothing to name */
typedef struct {
    RfUnlike unlike;
    char *before;
    char *after;
} RfUnlikeDetail;

/**
 * RfComparison:
 * @phase: that was compared
 * @unlike: (element-type RfUnlikeDetail): reasons why nothing is compared; empty if it is
 * @within: one recording on each side: intervals come from stretches within them, and runs differ among each other more than that
 * @workload_unknown: nobody has said what ran, on either side
 * @rows: (element-type RfComparisonRow)
 * @outcome: of the whole: from the rows that people feel; RF_OUTCOME_CHANGED: some better, some worse
 * @needed: greatest of the rows that count
 */
typedef struct {
    RfPhaseKind phase;
    GPtrArray *unlike;
    guint n_before, n_after;
    gboolean within;
    gboolean workload_unknown;
    GPtrArray *rows;
    RfOutcome outcome;
    guint needed;
} RfComparison;

/** rf_comparison_new: @phase: NULL: the equilibrium if all have one, the whole if none has any phase. Never fails. */
RfComparison *rf_comparison_new (const RfRun *before, guint n_before, const RfRun *after, guint n_after,
                                 const RfPhaseKind *phase);
void rf_comparison_free (RfComparison *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfComparison, rf_comparison_free)

/* in words; all (transfer full) unless said otherwise */
/** rf_comparison_sentence: the verdict of the whole in one or two sentences */
char *rf_comparison_sentence (const RfComparison *self);
/** rf_comparison_warning: (nullable): what must be known before it is believed, and what to do */
char *rf_comparison_warning (const RfComparison *self);
/** rf_unlike_text: a sentence */
char *rf_unlike_text (const RfUnlikeDetail *detail);
/** rf_outcome_nick: (transfer none): "better", "worse", "changed", "same", "not-comparable" */
const char *rf_outcome_nick (RfOutcome outcome);
/** rf_outcome_text: (transfer none): translated: "no measurable difference" */
const char *rf_outcome_text (RfOutcome outcome);
/** rf_unlike_nick: (transfer none) */
const char *rf_unlike_nick (RfUnlike unlike);
/** rf_comparison_row_title: the metric and its subject: "Write latency, mean (nvme0n1)" */
char *rf_comparison_row_title (const RfComparisonRow *row);
/** rf_comparison_row_change: "−43 %", "+12 stalls an hour", "" if not compared */
char *rf_comparison_row_change (const RfComparisonRow *row);
/** rf_comparison_row_certainty: the interval: "−60 to −21 %"; "" if not compared */
char *rf_comparison_row_certainty (const RfComparisonRow *row);
/** rf_comparison_row_verdict: the outcome, with the reason if it is not compared */
char *rf_comparison_row_verdict (const RfComparisonRow *row);

G_END_DECLS
