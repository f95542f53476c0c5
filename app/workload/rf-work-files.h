/* The files of the load. None of them has a name, so however the process ends, the kernel takes them away. */
#pragma once

#include "rf-work-plan.h"

G_BEGIN_DECLS

/**
 * RfWorkFiles: file descriptors
 * @pool: scenery on the drive
 * @holes: an endless file of zeros that takes no room: reading it fills the file cache without the drive
 * @image: what the writer writes
 * @hot: small, read in every frame
 * @log: small, written now and then
 */
typedef struct {
    int pool;
    int holes;
    int image;
    int hot;
    int log;
} RfWorkFiles;

/** RF_WORK_HOLES: bytes of the endless file; RF_WORK_HOT: of the hot one */
#define RF_WORK_HOLES ((gint64)1 << 40)
#define RF_WORK_HOT ((gsize)32 * 1024 * 1024)

/**
 * rf_work_files_new:
 * @folder: exists, on a file system that rf_work_limits_judge() has allowed
 *
 * Returns: (transfer full) (nullable): NULL with RF_ERROR_IO
 */
RfWorkFiles *rf_work_files_new (const char *folder, const RfWorkPlan *plan, GError **error);
void rf_work_files_free (RfWorkFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfWorkFiles, rf_work_files_free)

/** RfWorkProgress: how far getting ready is, 0 to 1 */
typedef void (*RfWorkProgress) (double share);

/** rf_work_files_fill: writes pool and hot file to the drive. Returns: FALSE after a stop */
gboolean rf_work_files_fill (RfWorkFiles *self, const RfWorkPlan *plan, RfWorkProgress progress);

/**
 * rf_work_files_fill_cache:
 * @cursor: (inout): where in the endless file
 *
 * Fills the file cache until memory is in use as after some time of play: until the kernel begins to clear memory in
 * the background, at most @most_mib. Returns: MiB read
 */
guint64 rf_work_files_fill_cache (RfWorkFiles *self, RfSysroot *sysroot, guint64 most_mib, gint64 *cursor);

/** rf_work_files_drop: forgets what the cache has of a part of the pool, so that it is read from the drive */
void rf_work_files_drop (RfWorkFiles *self, gint64 offset, gint64 length);

G_END_DECLS
