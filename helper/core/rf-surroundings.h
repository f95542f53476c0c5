/* What to rule out before anything is tuned: everything around the settings that can cause stutter by itself. Read once
 * for each look, unlike the facts it may have changed by the next. Reads only, as an ordinary user; may wait for file
 * systems to answer, so not for the thread that draws. */
#pragma once

#include "rf-facts.h"
#include "rf-fstab.h"
#include "rf-mounts.h"
#include "rf-old-advice.h"
#include "rf-programs.h"
#include "rf-space.h"
#include "rf-swaps.h"
#include "rf-vmm-state.h"

G_BEGIN_DECLS

#define RF_SLEEP_UNLIMITED G_MAXINT32

/**
 * RfNvmeSleep: how deep an NVMe controller may sleep by itself (APST).
 * @name: of the controller, "nvme0"
 * @tolerance_us: power/pm_qos_latency_tolerance_us: states whose entry and exit together take longer are not used; 0:
 * none are; RF_SLEEP_UNLIMITED: all are; NO_FILE: the controller does not sleep by itself, the kernel shows the file
 * only where it does (drivers/nvme/host/core.c). Which states it has, only root can ask it
 */
typedef struct {
    char *name;
    RfCounter tolerance_us;
} RfNvmeSleep;

/**
 * RfSurroundings:
 * @psi: of /proc/pressure/memory
 * @clocksource: (nullable): in use; @clocksources: (nullable): what the kernel offers, blanks between
 * @thp_defrag: in @vmm
 * @unread: files of settings that this user may not read
 */
typedef struct {
    RfAvail psi;
    RfAvail mounts_avail;
    GPtrArray *mounts; /* of RfMount */
    RfAvail fstab_avail;
    GPtrArray *fstab;  /* of RfFstabEntry */
    GPtrArray *spaces; /* of RfSpace */
    GPtrArray *nvme;   /* of RfNvmeSleep */
    RfSwaps swaps;
    RfVmmState vmm;
    RfPrograms programs;
    char *clocksource;
    char *clocksources;
    GPtrArray *advice; /* of RfOldAdvice */
    guint unread;
} RfSurroundings;

/** rf_surroundings_read: Returns: (transfer full) */
RfSurroundings *rf_surroundings_read (RfSysroot *sysroot, const RfFacts *facts);
void rf_surroundings_free (RfSurroundings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfSurroundings, rf_surroundings_free)

/** rf_surroundings_parse_tolerance: "100000\n", "any\n" (RF_SLEEP_UNLIMITED), "auto\n" (OFF: no limit was set) */
RfCounter rf_surroundings_parse_tolerance (const char *text, gsize length);

G_END_DECLS
