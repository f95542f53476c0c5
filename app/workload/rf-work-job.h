/* One run of the load: what both modes have in common. One thread. */
#pragma once

#include "rf-work-idle.h"
#include "rf-work-say.h"
#include "rf-work-stop.h"

G_BEGIN_DECLS

/** RF_WORK_PREPARE_S: how long getting ready may take; RF_WORK_WARM_UP_S: under load before it is measured */
#define RF_WORK_PREPARE_S 180
#define RF_WORK_WARM_UP_S 5

/**
 * RfWorkJob:
 * @seconds: measured; in the latency mode for each load
 * @period_us: of the periodic thread
 * @quiet: no words for people
 * @table: (nullable): where frames or wake-ups go
 * @files, @idle: NULL until rf_work_job_prepare()
 */
typedef struct {
    RfSysroot *sysroot;
    RfWorkPlan plan;
    const char *folder;
    guint seconds;
    guint period_us;
    gboolean fifo;
    gboolean quiet;
    RfWorkTable *table;

    RfWorkFiles *files;
    RfWorkIdle *idle;
    gint64 cache_cursor;
} RfWorkJob;

/** rf_work_job_prepare: makes files and idle memory. Returns: FALSE after a stop */
gboolean rf_work_job_prepare (RfWorkJob *self);
/** rf_work_job_fill_cache: see rf_work_files_fill_cache(); the rest of the memory at the most */
void rf_work_job_fill_cache (RfWorkJob *self);
/** rf_work_job_clear: gives back memory and drive */
void rf_work_job_clear (RfWorkJob *self);

/**
 * rf_work_join:
 * @threads: (element-type GThread): emptied
 *
 * Waits until they have ended; the watchdog ends the process if one is stuck. Only to be called after a stop.
 */
void rf_work_join (GPtrArray *threads);

/** rf_work_quick: the quick test: measures, stops with RF_WORK_END_TIME and prints. rf_work_latency: the periodic mode.
 * After an earlier stop they print what there is. */
void rf_work_quick (RfWorkJob *job);
void rf_work_latency (RfWorkJob *job);

/** rf_work_latency_limit: Returns: whether so many wake-ups can be kept */
gboolean rf_work_latency_limit (guint seconds, guint period_us);

/** rf_work_latency_may_fifo: Returns: whether a thread may have real-time priority here; to be asked before there are
 * threads */
gboolean rf_work_latency_may_fifo (void);

/** RF_WORK_N_LOADS: of the periodic mode, with one that does nothing */
#define RF_WORK_N_LOADS 6

G_END_DECLS
