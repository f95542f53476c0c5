/* A measurement by the helper as a program of its own, with tracing, while the test does something else. */
#pragma once

#include "rf-recording.h"
#include "rf-sample-line.h"
#include "rf-test-program.h"

G_BEGIN_DECLS

typedef struct {
    RfTestProgram *program;
    char *id;
    GThread *samples; /* read the streams, into memory */
    GThread *events;
    GThread *pulse;      /* of real-time priority: looks when the helper's thread waits for a processor */
    int schedstat;       /* of that thread */
    GArray *standstills; /* (element-type RfGap) */
    gint ended;          /* atomic */
} RfTestTaking;

/**
 * RfTestTaken:
 * @recording: (transfer full): table "samples", events, gaps; untrusted if the self-check said so
 * @reclaim: what the self-check says of the threads that cleared memory
 * @standstills: (transfer full) (element-type RfGap): when the helper's thread wanted to run, and no processor was free
 * for it, or none ran at all, as the host of this machine wanted it
 */
typedef struct {
    RfRecording *recording;
    RfSampleComment reclaim;
    GArray *standstills;
} RfTestTaken;

/** rf_test_taking_start: 10 Hz. @self stays where it is until it is stopped. Returns: FALSE, and the test is skipped,
 * where nothing can be traced */
gboolean rf_test_taking_start (RfTestTaking *self, RfTestProgram *program, guint limit_s);
/** rf_test_taking_stop: an error ends the test. */
void rf_test_taking_stop (RfTestTaking *self, RfTestTaken *out);
void rf_test_taken_clear (RfTestTaken *self);

/** rf_test_taken_sum: of a column of the samples behind the first second, in which everything is touched for the first
 * time; @greatest: (out): of them */
double rf_test_taken_sum (const RfTestTaken *self, const char *column, double *greatest);
/** rf_test_taken_check: what must hold whatever the machine suffers from: no gap while anything ran, no page read back
 * and hardly a stall of the helper's own, at most 1 % of a core, and tracer and counters agree. Prints what it cost. */
void rf_test_taken_check (const RfTestTaken *self);

G_END_DECLS
