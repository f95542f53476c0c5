/* The loads of the periodic mode: each does one thing as fast as it can while a thread elsewhere wants to be woken in
 * time. */
#pragma once

#include "rf-work-files.h"

G_BEGIN_DECLS

/** RF_WORK_LOAD_MIB_PER_S: what a load writes at the most, so that a fast drive is not worn out */
#define RF_WORK_LOAD_MIB_PER_S 300

typedef enum {
    RF_WORK_LOAD_NONE,
    RF_WORK_LOAD_MEMORY,
    RF_WORK_LOAD_PROC,
    RF_WORK_LOAD_WRITE,
    RF_WORK_LOAD_COPY,
    RF_WORK_LOAD_READ,
    RF_WORK_N_LOAD_KINDS,
} RfWorkLoadKind;

/** RfWorkLoad: @stop: (atomic); @bytes and @seconds may be read when the thread has ended */
typedef struct {
    RfWorkLoadKind kind;
    const RfWorkPlan *plan;
    RfWorkFiles *files;
    gint stop;
    guint64 bytes;
    double seconds;
} RfWorkLoad;

/** rf_work_load_nick: Returns: (transfer none): "none", "memory", "proc", "write", "copy", "read" */
const char *rf_work_load_nick (RfWorkLoadKind kind);

/** rf_work_load_thread: a GThreadFunc; runs until @stop or rf_work_stopped() */
gpointer rf_work_load_thread (gpointer data);

G_END_DECLS
