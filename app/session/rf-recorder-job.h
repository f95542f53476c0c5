/* What a recording does while it runs, in a thread of its own that is the only one to touch the files: reads both streams,
 * or looks itself if there are none, writes, listens for marks of other programs, ends. Inside the recorder; it takes
 * messages and gives notices. */
#pragma once

#include "rf-active.h"
#include "rf-event.h"
#include "rf-recordings.h"
#include "rf-sysroot.h"

G_BEGIN_DECLS

typedef struct _RfRecorderJob RfRecorderJob;

/**
 * RfRecorderNotice:
 * @RF_RECORDER_NOTICE_ARMED: the pre-roll is being kept
 * @RF_RECORDER_NOTICE_WRITING: from now on everything is written; text is the id
 * @RF_RECORDER_NOTICE_MARKED: text is that of the mark
 * @RF_RECORDER_NOTICE_OVER: the last one; text is the reason that session.ini has, error is set if it did not end well
 */
typedef enum {
    RF_RECORDER_NOTICE_ARMED,
    RF_RECORDER_NOTICE_WRITING,
    RF_RECORDER_NOTICE_MARKED,
    RF_RECORDER_NOTICE_OVER,
} RfRecorderNotice;

/** RfRecorderJobFunc: comes in the thread of the job */
typedef void (*RfRecorderJobFunc) (RfRecorderNotice notice, const char *text, const GError *error, gpointer data);

/**
 * RfRecorderJobConfig: all is copied or taken
 * @samples, @events: descriptors to read, taken; -1 both: looks itself
 * @active: (transfer full): the claim
 * @info: (transfer full): what is known at the start: name, workload, hz, traced
 */
typedef struct {
    const RfRecordings *recordings; /* lives as long as the job */
    RfSysroot *sysroot;
    RfActive *active;
    RfSessionInfo *info;
    int samples;
    int events;
    gboolean pre_roll;
    RfRecorderJobFunc notice;
    gpointer data;
} RfRecorderJobConfig;

/** rf_recorder_job_new: starts the thread */
RfRecorderJob *rf_recorder_job_new (const RfRecorderJobConfig *config);
/** rf_recorder_job_free: waits for the thread, which is to be over or told to stop */
void rf_recorder_job_free (RfRecorderJob *self);

/* The messages. From any thread. */
/** rf_recorder_job_write: ends the pre-roll */
void rf_recorder_job_write (RfRecorderJob *self);
void rf_recorder_job_mark (RfRecorderJob *self, gint64 time_ns, const char *text);
void rf_recorder_job_event (RfRecorderJob *self, const RfEvent *event);
/** rf_recorder_job_row: @header: of the table, with its end; @line: with its end */
void rf_recorder_job_row (RfRecorderJob *self, const char *table, const char *header, const char *line);
/** rf_recorder_job_stop: @reason: for session.ini; what the streams still have is read until they end, for @patience_ms at
 * most */
void rf_recorder_job_stop (RfRecorderJob *self, const char *reason, guint patience_ms);

G_END_DECLS
