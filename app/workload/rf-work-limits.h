/* What forbids the load on this machine, now. Looking is apart from judging, so that every refusal can be tested.
 * Thread-safe. */
#pragma once

#include "rf-pressure.h"
#include "rf-work-plan.h"

G_BEGIN_DECLS

/** RF_WORK_MIN_AVAILABLE: MiB below which nothing is started */
#define RF_WORK_MIN_AVAILABLE 2048
/** RF_WORK_MIN_DISK: MiB that stay free on the drive in any case, and percent of it */
#define RF_WORK_MIN_DISK 2048
#define RF_WORK_MIN_DISK_SHARE 5

/**
 * RfWorkRefusal:
 * @RF_WORK_REFUSED_UNKNOWN: the kernel does not tell what is available
 * @RF_WORK_REFUSED_MEMORY: less than RF_WORK_MIN_AVAILABLE
 * @RF_WORK_REFUSED_SHARE: the plan takes more than RF_WORK_SHARE_TAKEN_OVER percent of what is available
 * @RF_WORK_REFUSED_CONTAINER: the container or the service that this runs in may have less memory than the plan takes
 * @RF_WORK_REFUSED_PRESSURE: programs wait for memory already
 * @RF_WORK_REFUSED_BATTERY: on battery
 * @RF_WORK_REFUSED_FOLDER: the folder's file system lies in memory, on the network, or is of a kind that is not known
 * @RF_WORK_REFUSED_FULL: too little would be left on the drive
 */
typedef enum {
    RF_WORK_ALLOWED,
    RF_WORK_REFUSED_UNKNOWN,
    RF_WORK_REFUSED_MEMORY,
    RF_WORK_REFUSED_SHARE,
    RF_WORK_REFUSED_CONTAINER,
    RF_WORK_REFUSED_PRESSURE,
    RF_WORK_REFUSED_BATTERY,
    RF_WORK_REFUSED_FOLDER,
    RF_WORK_REFUSED_FULL,
    RF_WORK_N_REFUSALS,
} RfWorkRefusal;

/**
 * RfWorkSurroundings:
 * @container: bytes that the control groups around this process still allow, G_MAXUINT64 without a limit
 * @folder_type: f_type of statfs(2)
 */
typedef struct {
    RfMeminfo memory;
    RfPressure pressure;
    guint64 container;
    gboolean on_battery;
    gint64 folder_type;
    guint64 folder_size;
    guint64 folder_available;
} RfWorkSurroundings;

/**
 * rf_work_surroundings_read:
 * @folder: must exist
 *
 * Returns: FALSE with RF_ERROR_IO if the folder cannot be looked at
 */
gboolean rf_work_surroundings_read (RfSysroot *sysroot, const char *folder, RfWorkSurroundings *out, GError **error);

/** rf_work_container_left: Returns: bytes; the least of all groups above this process, of cgroup v2 and v1 */
guint64 rf_work_container_left (RfSysroot *sysroot);

/** rf_work_limits_judge: @may_use_battery: the person has said so */
RfWorkRefusal rf_work_limits_judge (const RfWorkPlan *plan, const RfWorkSurroundings *around, gboolean may_use_battery);

/** rf_work_limits_disk_left: whether the drive of the folder still has what must stay free */
gboolean rf_work_limits_disk_left (guint64 size, guint64 available);

/** rf_work_refusal_nick: Returns: (transfer none): "memory", "battery", … for programs */
const char *rf_work_refusal_nick (RfWorkRefusal refusal);
/** rf_work_refusal_text: Returns: (transfer full): what is wrong and what can be done, in the language of the person */
char *rf_work_refusal_text (RfWorkRefusal refusal, const RfWorkPlan *plan, const RfWorkSurroundings *around);

G_END_DECLS
