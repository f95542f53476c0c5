/* The scenery loader: some threads that load a set of scenery together, again and again: reads from the drive, file
 * cache that fills, and memory that is decompressed into. The oldest set is given back only when the new one is
 * complete. */
#pragma once

#include "rf-work-files.h"

G_BEGIN_DECLS

/**
 * RfWorkLoader: one thread of @plan->loaders
 * @seconds: (element-type float): how long each part of a set took while measured; belongs to the thread until it has
 * ended
 * @measuring: (atomic)
 */
typedef struct {
    const RfWorkPlan *plan;
    RfWorkFiles *files;
    guint index;
    gint measuring;
    GArray *seconds;
} RfWorkLoader;

/** rf_work_loader_new: @index: below plan->loaders. @seconds: for how long there is room for what is measured */
RfWorkLoader *rf_work_loader_new (const RfWorkPlan *plan, RfWorkFiles *files, guint index, guint seconds);
void rf_work_loader_free (RfWorkLoader *self);

/** rf_work_loader_thread: a GThreadFunc; runs until rf_work_stopped() */
gpointer rf_work_loader_thread (gpointer data);

/** rf_work_load_part: loads one part of a set: @part of @parts of the @number-th set into @memory. Returns: MiB that
 * were read and got in memory, 0 after a stop */
guint64 rf_work_load_part (const RfWorkPlan *plan, RfWorkFiles *files, guint64 number, guint part, int memory,
                           guint64 *state);

G_END_DECLS
