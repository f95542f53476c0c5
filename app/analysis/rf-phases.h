/* The phases of a recording: warm-up, build-up, equilibrium. Found from the data: free
 * memory, the cache, clearing and stalls are each described by a straight line, and a change point is where two lines in place
 * of one describe them best; it counts only if lines through shuffled remainders hardly ever gain as much. The last part
 * is called the equilibrium only if free memory and the cache hold their level in it. None found is a result. Pure, no GTK, one thread. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

/** RfPhaseKind: RF_PHASE_WHOLE is the whole recording, for functions that take a phase; it is never "found" */
typedef enum {
    RF_PHASE_WARM_UP,
    RF_PHASE_BUILD_UP,
    RF_PHASE_EQUILIBRIUM,
    RF_N_PHASES,
    RF_PHASE_WHOLE = RF_N_PHASES,
} RfPhaseKind;

/** RfPhases: plain, copied by value; an empty one is { 0 }. Bands are [start, end), CLOCK_MONOTONIC nanoseconds, ascending
 * and without overlap. @adjusted: a person has moved one; finding must not replace them */
typedef struct {
    gboolean found[RF_N_PHASES];
    gint64 start_ns[RF_N_PHASES];
    gint64 end_ns[RF_N_PHASES];
    gboolean adjusted;
} RfPhases;

/** rf_phases_find: what the data show; none if there is no change that chance could not have made, or if it is shorter
 * than five minutes. The same recording gives the same phases. */
void rf_phases_find (const RfRecording *recording, RfPhases *phases);
gboolean rf_phases_any (const RfPhases *self);
/** rf_phases_at: Returns: the phase at @time_ns, RF_PHASE_WHOLE if there is none */
RfPhaseKind rf_phases_at (const RfPhases *self, gint64 time_ns);

/**
 * rf_phases_set: as a person wants it; neighbours give way, and one that is covered is no longer there.
 *
 * Returns: FALSE, and nothing is changed, if it is empty or would change the order of the phases
 */
gboolean rf_phases_set (RfPhases *self, RfPhaseKind kind, gint64 start_ns, gint64 end_ns);

/** rf_phases_range: the band of @kind; for RF_PHASE_WHOLE all of @recording. Returns: FALSE if there is none */
gboolean rf_phases_range (const RfPhases *self, const RfRecording *recording, RfPhaseKind kind, gint64 *start_ns,
                          gint64 *end_ns);

/* In words and in session.ini, group [phases]:  warm-up=START_NS END_NS  …  adjusted=true */
/** rf_phase_nick: Returns: (transfer none): "warm-up", "build-up", "equilibrium", "whole" */
const char *rf_phase_nick (RfPhaseKind kind);
gboolean rf_phase_from_nick (const char *nick, RfPhaseKind *kind);
/** rf_phase_title: Returns: (transfer none): translated: "Warm-up" */
const char *rf_phase_title (RfPhaseKind kind);
/** rf_phase_explanation: Returns: (transfer none): translated: what happens in it, one sentence */
const char *rf_phase_explanation (RfPhaseKind kind);
/** rf_phases_to_text: Returns: (transfer full) (nullable): the value for the key rf_phase_nick (@kind), NULL if not found */
char *rf_phases_to_text (const RfPhases *self, RfPhaseKind kind);
/**
 * rf_phases_from_text: reads one line of the group. @key: a nick, or "adjusted"
 *
 * Returns: FALSE, and nothing is changed, for an unknown key, two numbers that are no range, or an overlap with those that are
 * there already
 */
gboolean rf_phases_from_text (RfPhases *self, const char *key, const char *text);

G_END_DECLS
