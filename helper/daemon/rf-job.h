/* One piece of work on the machine, in a thread of its own (never in the shared pool, which open password dialogs may
 * fill): as long as it runs nobody else touches the journal. Created, told to stop and finished in the main thread. */
#pragma once

#include "rf-control.h"
#include "rf-journal.h"
#include "rf-request.h"

G_BEGIN_DECLS

typedef enum {
    RF_JOB_APPLY,
    RF_JOB_KEEP,
    RF_JOB_REVERT,
    RF_JOB_REVERT_ENTRY,
    RF_JOB_REVERT_ALL,
} RfJobKind;

typedef struct _RfJob RfJob;

/** RfJobDoneFunc: in the main thread; @job is freed afterwards. @error is NULL on success. */
typedef void (*RfJobDoneFunc) (RfJob *job, const GError *error, gpointer data);
/** RfJobProgressFunc: in the main thread. @id: record */
typedef void (*RfJobProgressFunc) (const char *id, const char *step, guint done, guint total, gpointer data);

/**
 * RfJob:
 * @request: (nullable) (owned): NULL for what the helper does by itself
 * @invocation: (nullable): whom to answer
 * @record_id: what it works on; for an apply known only afterwards
 * @touched: (element-type char*): ids of the records that the job has worked on
 */
struct _RfJob {
    RfJobKind kind;
    RfMachine *machine;
    RfJournal *journal;
    RfRequest *request;
    GDBusMethodInvocation *invocation;
    char *owner;
    char *record_id;
    RfReason reason;
    gboolean force;
    GPtrArray *touched;
    GCancellable *cancellable;
    RfJobDoneFunc done;
    RfJobProgressFunc progress;
    gpointer data;

    GThread *thread;
    GError *error;
};

/** rf_job_new: @request and @invocation are taken; both may be NULL. */
RfJob *rf_job_new (RfJobKind kind, RfMachine *machine, RfJournal *journal, RfRequest *request,
                   GDBusMethodInvocation *invocation);
/** rf_job_start: @data outlives the job. */
void rf_job_start (RfJob *self, RfJobProgressFunc progress, RfJobDoneFunc done, gpointer data);
void rf_job_cancel (RfJob *self);

G_END_DECLS
