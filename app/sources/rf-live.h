/* Live sources beside a measurement: graphics cards once a second, X-Plane's frame times while it runs, and what both
 * mean. They are read in a thread of their own, because a driver may take its time; everything arrives in the main
 * context of whoever started, in the order of reading, with the times of reading. Costs next to nothing while there is
 * no card to read and no X-Plane. */
#pragma once

#include "rf-event.h"
#include "rf-gpu.h"
#include "rf-xplane-udp.h"

G_BEGIN_DECLS

/** RF_LIVE_PROGRAM: watched for "the card falls while the program runs" if nothing else is said: X-Plane 11 and 12 */
#define RF_LIVE_PROGRAM "X-Plane-x86_64"

/**
 * RfLiveOptions:
 * @sysroot: stays the caller's; not one that keeps files open
 * @gpu_interval_ms: between two readings of the cards, 100 to 10000; 0 for no cards
 * @xplane_port: RF_XPLANE_PORT; 0 for no frames
 * @xplane_hz: 1 to 99
 * @pid: the program to watch; 0: by @program
 * @program: (nullable): its name as rf_program_watch_new_name() takes it; NULL is RF_LIVE_PROGRAM
 */
typedef struct {
    RfSysroot *sysroot;
    guint gpu_interval_ms;
    guint16 xplane_port;
    guint xplane_hz;
    gint32 pid;
    const char *program;
} RfLiveOptions;

/** RF_LIVE_OPTIONS: what is right for a recording */
#define RF_LIVE_OPTIONS(root)                                                                                          \
    ((RfLiveOptions){.sysroot = (root), .gpu_interval_ms = 1000, .xplane_port = RF_XPLANE_PORT, .xplane_hz = 20})

/**
 * RfLiveSink: any of the functions may be NULL. Texts and arrays are valid during the call only.
 * @cards: once, before the first row of "gpu": all cards, also those that cannot be read, and the first sample of each: there
 *   is the reason for every number that it does not tell
 * @table: before the first row of a table: "gpu" with the columns "gpu0.utilisation" … of every card that can be read, its
 *   number that of @cards; "frames" with frame_ms, gpu_ms, pause_ms when X-Plane answers for the first time
 * @row: as many values as the table has columns; NAN for what is not available
 * @gap: in a table, nothing is known between the two times: "away" (X-Plane did not run)
 * @event: RF_EVENT_GPU_FALL (subject = name of the card, process = the program, amount = mean utilisation meanwhile),
 *   RF_EVENT_FREEZE (subject = "X-Plane"). They are told when they are over and may be older than the last row.
 */
typedef struct {
    void (*cards) (const RfGpu *cards, const RfGpuSample *first, guint n, gpointer user_data);
    void (*table) (const char *table, const char *const *columns, gpointer user_data);
    void (*row) (const char *table, gint64 time_ns, const double *values, guint n, gpointer user_data);
    void (*gap) (const char *table, gint64 from_ns, gint64 to_ns, const char *reason, gpointer user_data);
    void (*event) (const RfEvent *event, gpointer user_data);
} RfLiveSink;

typedef struct _RfLive RfLive;

/**
 * rf_live_start:
 *
 * Never fails: what cannot be read does not come. Delivers in the thread-default main context of the caller.
 */
RfLive *rf_live_start (const RfLiveOptions *options, const RfLiveSink *sink, gpointer user_data);

/** rf_live_stop: ends the thread, delivers what it has still read, and frees. Waits for a driver that is being asked. */
void rf_live_stop (RfLive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfLive, rf_live_stop)

G_END_DECLS
