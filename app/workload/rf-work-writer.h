/* The buffered writer: a file that is written again and again, as a virtual machine, a download or a recording does. */
#pragma once

#include "rf-work-files.h"

G_BEGIN_DECLS

/** RfWorkWriter: @measuring: (atomic); the other fields may be read when the thread has ended and hold what was
 * measured */
typedef struct {
    const RfWorkPlan *plan;
    RfWorkFiles *files;
    gint measuring;
    guint64 mib;
    double seconds;
    double longest_ms;
    double longest_sync_ms;
} RfWorkWriter;

/** rf_work_writer_thread: a GThreadFunc; runs until rf_work_stopped() */
gpointer rf_work_writer_thread (gpointer data);

G_END_DECLS
