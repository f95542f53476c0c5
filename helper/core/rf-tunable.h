/* One row of the catalogue: everything the program knows about a kernel setting, except words for people
 * (those are in app/advice/rf-tunable-text). Static, immutable, shared by all threads. */
#pragma once

#include "rf-facts.h"
#include "rf-value.h"

G_BEGIN_DECLS

/** RfGroup: the step of the wizard a tunable belongs to. */
typedef enum {
    RF_GROUP_MEMORY,
    RF_GROUP_NVME,
    RF_GROUP_SWAP,
    RF_GROUP_SWAP_TUNING,
    RF_GROUP_EXPERT,
    RF_N_GROUPS,
} RfGroup;

typedef enum {
    RF_BACKEND_SYSCTL, /* plain values, dirty pairs and vectors below /proc/sys */
    RF_BACKEND_QUEUE,  /* an attribute of a block queue or a bdi, kept by a udev rule */
    RF_BACKEND_ZRAM,
    RF_N_BACKENDS,
} RfBackendKind;

typedef enum {
    RF_INSTANCE_NONE,      /* the only instance is "" */
    RF_INSTANCE_NVME,      /* disks for which rf_disk_is_tunable() holds */
    RF_INSTANCE_READAHEAD, /* RfFacts.readahead */
} RfInstanceKind;

typedef enum {
    RF_UNIT_NONE,
    RF_UNIT_KIB,
    RF_UNIT_PER_10000,    /* of a zone's memory */
    RF_UNIT_DIRTY,        /* percent or bytes, by mode */
    RF_UNIT_CENTISECONDS,
    RF_UNIT_MICROSECONDS,
    RF_UNIT_PAGES_LOG2,
    RF_UNIT_BYTES,
    RF_UNIT_SECONDS,
    RF_UNIT_PERCENT,
} RfUnit;

/** RfRisk: LOW: worst case is a little memory or throughput; MEDIUM: can slow the machine visibly;
 * HIGH: can make programs fail when set badly, so the range is narrow. */
typedef enum {
    RF_RISK_LOW,
    RF_RISK_MEDIUM,
    RF_RISK_HIGH,
} RfRisk;

typedef enum {
    RF_NEEDS_NOTHING = 0,
    RF_NEEDS_64BIT = 1 << 0,
    RF_NEEDS_SWAP = 1 << 1, /* without swap the value has no effect */
    RF_NEEDS_EXPERT = 1 << 2, /* shown only among expert settings */
} RfNeeds;

/**
 * RfTunable:
 * @id: what goes over D-Bus and into the journal: "vm.swappiness", "vm.dirty", "block.scheduler", "swap.zram"
 * @path: SYSCTL: sysroot-relative file, for a dirty pair without "_ratio"/"_bytes"; QUEUE: attribute name; ZRAM: NULL
 * @kernel_min: oldest kernel that has it, 0 for all
 * @hard_min: own limit, narrower than the kernel's (the kernel accepts nonsense); for a pair: of the ratio
 */
typedef struct {
    const char *id;
    RfGroup group;
    RfBackendKind backend;
    RfInstanceKind instances;
    RfValueKind kind;
    RfUnit unit;
    RfRisk risk;
    RfNeeds needs;
    guint kernel_min;
    const char *path;
    gint64 hard_min;
    gint64 hard_max;
} RfTunable;

/** rf_tunable_find: Returns: (transfer none) (nullable): the row with this id; compared whole. */
const RfTunable *rf_tunable_find (const char *id);

/** rf_tunable_list: Returns: (transfer none) (array length=n): all rows, in the order of the wizard. */
const RfTunable *rf_tunable_list (gsize *n);

const char *rf_group_nick (RfGroup group);

G_END_DECLS
