/* One event of a measurement: what events.csv has a line for. Plain, copied by value. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
    RF_EVENT_RECLAIM,      /* time = begin; process = thread's name; subject = "order N"; amount = pages reclaimed */
    RF_EVENT_IO,           /* a slow request; process = who issued it, may be empty; subject = "DISK read"; amount = bytes */
    RF_EVENT_IO_HISTOGRAM, /* subject as with IO; duration = upper edge of the bucket; amount = count so far */
    RF_EVENT_OOM_KILL,     /* pid and process of the victim */
    RF_EVENT_FAULT,
    RF_EVENT_SWAP_IN,
    RF_EVENT_ORPHAN,       /* amount = how many so far */
    RF_EVENT_LOST,         /* amount = events lost since the last such line */
    RF_EVENT_TILE,
    RF_EVENT_GPU_FALL,
    RF_EVENT_APPLIED,
    RF_EVENT_TAKEN_BACK,
    RF_EVENT_MARK,
    RF_N_EVENTS
} RfEventKind;

/**
 * RfEvent:
 * @time_ns: CLOCK_MONOTONIC
 * @duration_ns: 0 where the kind has none
 * @process: and @subject: valid UTF-8, cut at whole characters
 */
typedef struct {
    gint64 time_ns;
    gint64 duration_ns;
    RfEventKind kind;
    gint32 pid, tid;
    double amount;
    char process[64];
    char subject[96];
} RfEvent;

G_END_DECLS
