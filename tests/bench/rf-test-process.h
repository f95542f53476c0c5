/* Made-up recordings of processes as real ones are: they remember, come in bursts, and are zero most of the time. */
#pragma once

#include "rf-recording.h"

G_BEGIN_DECLS

typedef enum {
    RF_PROCESS_STALLS,   /* bursts at random, of sizes that differ much; zero in three seconds of four */
    RF_PROCESS_EPISODES, /* bursts only in spells of pressure, of 20 s on the mean, a minute apart */
    RF_PROCESS_PRESSURE, /* shares of time, zero two thirds of the time, remembering for ten seconds */
    RF_PROCESS_LATENCY,  /* never zero, skewed, remembering for twenty seconds, one disk */
    RF_PROCESS_FRAMES,   /* ten frame times a second, with spells of late frames */
    RF_N_PROCESSES,
    RF_PROCESS_ALL = RF_N_PROCESSES, /* all at once, independent of each other */
} RfProcess;

const char *rf_process_name (RfProcess process);
/** rf_process_record: @minutes of it, once a second. @factor: how much more there is of everything than otherwise */
RfRecording *rf_process_record (RfProcess process, guint minutes, double factor, guint64 seed);

G_END_DECLS
