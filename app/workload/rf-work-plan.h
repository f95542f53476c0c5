/* How big the load is: computed once from the machine, printed as one line, and taken over by the next run, so that
 * before and after are the same load although settings have changed what MemAvailable says. Pure, thread-safe. */
#pragma once

#include "rf-meminfo.h"

G_BEGIN_DECLS

/** RF_WORK_SHARE_DEFAULT: percent of the available memory that a plan may take; _TAKEN_OVER: that one of an earlier run
 * may take, whose "available" was another */
#define RF_WORK_SHARE_DEFAULT 60
#define RF_WORK_SHARE_MIN 20
#define RF_WORK_SHARE_MAX 80
#define RF_WORK_SHARE_TAKEN_OVER 85

/**
 * RfWorkPlan: MiB where no unit is given
 * @base: free memory and file cache when the plan was made. Not MemAvailable: that one subtracts the reserves, so the
 *   settings under test would decide how much memory they are tested with
 * @working: memory of the frame loop, touched in every frame
 * @idle: memory that is touched now and then
 * @ballast: memory that is only there; takes up what other programs have freed or taken since the plan was made. 0:
 * none, and nothing is adapted
 * @set: memory of one set of scenery; @kept of them stay, one more is there while it is loaded
 * @loaders: threads that load a set together
 * @tiles: read from the drive for one set, @pool: what they are read from
 * @cache: file cache filled anew for one set
 * @image: file that the writer writes again and again, @rate a second and @surge more every five seconds
 * @period_ms: from one set to the next
 * @hz: frames a second; @frame_kib: memory taken and given back in each, KiB
 */
typedef struct {
    guint base;
    guint working;
    guint idle;
    guint ballast;
    guint set;
    guint kept;
    guint loaders;
    guint tiles;
    guint pool;
    guint cache;
    guint image;
    guint rate;
    guint surge;
    guint period_ms;
    guint hz;
    guint frame_kib;
    guint seed;
} RfWorkPlan;

/**
 * rf_work_plan_base:
 * @out: (out): MiB of free memory and file cache; shared memory is counted as cache by the kernel and is none
 *
 * Returns: FALSE if the kernel does not tell
 */
gboolean rf_work_plan_base (const RfMeminfo *memory, guint *out);

/**
 * rf_work_plan_compute:
 * @share: percent, RF_WORK_SHARE_MIN to _MAX: the plan takes at most so much of the available memory and of the base
 * @n_cpus: at least 1
 *
 * Returns: FALSE with RF_ERROR_UNAVAILABLE if the kernel does not tell what is available, or RF_ERROR_NO_MEMORY if so
 * little is that no plan makes sense
 */
gboolean rf_work_plan_compute (const RfMeminfo *memory, guint n_cpus, guint share, RfWorkPlan *out, GError **error);

/**
 * rf_work_plan_adapt:
 * @plan: (inout): the ballast is changed so that as much is left for the file cache as when the plan was made
 *
 * Returns: FALSE with RF_ERROR_CONFLICT if other programs have taken more than the ballast can give back
 */
gboolean rf_work_plan_adapt (RfWorkPlan *plan, const RfMeminfo *memory, GError **error);

/** rf_work_plan_memory: Returns: MiB of memory that is not file cache, at the most */
guint rf_work_plan_memory (const RfWorkPlan *plan);
/** rf_work_plan_disk: Returns: MiB that its files take on the drive */
guint rf_work_plan_disk (const RfWorkPlan *plan);
/** rf_work_plan_written: Returns: MiB that are written in a quick test of @seconds, with the warm-up */
guint64 rf_work_plan_written (const RfWorkPlan *plan, guint seconds);

/** rf_work_plan_to_text: Returns: (transfer full): "base=21504,working=600,…", one line without blanks */
char *rf_work_plan_to_text (const RfWorkPlan *plan);

/**
 * rf_work_plan_parse:
 * @text: as rf_work_plan_to_text() writes it: every name once, in any order, canonical decimals
 * @out: written only on success
 *
 * Returns: FALSE with RF_ERROR_INVALID or RF_ERROR_OUT_OF_RANGE; the message names what is wrong
 */
gboolean rf_work_plan_parse (const char *text, RfWorkPlan *out, GError **error);

G_END_DECLS
