/* What happened in a recording, kind by kind, in words and by weight: for the recording view and for reports. Pure. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

/**
 * RfEventSummary:
 * @count: how many of the kind there are
 * @longest_ns: the longest, 0 where the kind has no duration
 * @total_ns: all together
 */
typedef struct {
    RfEventKind kind;
    guint count;
    gint64 longest_ns;
    gint64 total_ns;
} RfEventSummary;

/** rf_event_summary_kinds: Returns: (transfer none): the kinds that people ask about, in their order; @n: (out) */
const RfEventKind *rf_event_summary_kinds (guint *n);
/** rf_event_summary_get: of the events that begin in [@start_ns, @end_ns) */
void rf_event_summary_get (const RfRecording *recording, RfEventKind kind, gint64 start_ns, gint64 end_ns,
                           RfEventSummary *out);
/** rf_event_summary_text: (transfer full): "Programs cleared memory themselves: 369, the longest 9.5 ms" */
char *rf_event_summary_text (const RfEventSummary *self);
/** rf_event_title: (transfer none): translated: "Programs cleared memory themselves" */
const char *rf_event_title (RfEventKind kind);
/** rf_event_text: (transfer full): one event: "Main Thread, 9.5 ms" */
char *rf_event_text (const RfEvent *event);

/** rf_event_longest: Returns: (transfer container) (element-type RfEvent): at most @n waits (clearing memory, slow
 * requests, faults, scenery) that begin in [@start_ns, @end_ns), the longest first; they belong to @recording */
GPtrArray *rf_event_longest (const RfRecording *recording, gint64 start_ns, gint64 end_ns, guint n);

G_END_DECLS
