/* One look at the machine: a snapshot of all readers, and the numbers derived from two snapshots. The columns here are
 * the columns of a recording, of the monitor's graphs and of `ruckelfreictl watch`; one table for all.
 * rf_snapshot_read() reads about ten small files and needs no root; rf_sample_derive() is pure. */
#pragma once

#include "rf-avail.h"
#include "rf-cpu-stat.h"
#include "rf-diskstats.h"
#include "rf-interrupts.h"
#include "rf-meminfo.h"
#include "rf-pressure.h"
#include "rf-swaps.h"
#include "rf-sysroot.h"
#include "rf-vmstat.h"
#include "rf-zoneinfo.h"
#include "rf-zram.h"

G_BEGIN_DECLS

typedef enum {
    RF_COLUMN_ALLOCSTALLS,          /* 1/s, sum of all allocstall_* */
    RF_COLUMN_DIRECT_RECLAIM,       /* pages/s, pgsteal_direct */
    RF_COLUMN_DIRECT_SCAN,          /* pages/s, pgscan_direct */
    RF_COLUMN_KSWAPD,               /* pages/s, pgsteal_kswapd */
    RF_COLUMN_FREE,                 /* bytes, nr_free_pages */
    RF_COLUMN_WATERMARK_MIN,        /* bytes, sum over all zones */
    RF_COLUMN_WATERMARK_LOW,
    RF_COLUMN_WATERMARK_HIGH,
    RF_COLUMN_AVAILABLE,            /* bytes, MemAvailable */
    RF_COLUMN_DIRTY,                /* bytes */
    RF_COLUMN_WRITEBACK,            /* bytes */
    RF_COLUMN_DIRTY_LIMIT,          /* bytes, nr_dirty_threshold: the limit in force now */
    RF_COLUMN_DIRTY_BACKGROUND_LIMIT,
    RF_COLUMN_PSI_MEMORY_SOME,      /* ratio 0..1 of the interval, from the total counters */
    RF_COLUMN_PSI_MEMORY_FULL,
    RF_COLUMN_PSI_IO_SOME,
    RF_COLUMN_PSI_IO_FULL,
    RF_COLUMN_PSI_CPU_SOME,
    RF_COLUMN_SWAP_USED,            /* bytes */
    RF_COLUMN_SWAP_IN,              /* bytes/s, pswpin */
    RF_COLUMN_SWAP_OUT,             /* bytes/s, pswpout */
    RF_COLUMN_ZRAM_RATIO,           /* stored / memory used, over all zram devices; not available when empty */
    RF_COLUMN_MAJOR_FAULTS,         /* 1/s */
    RF_COLUMN_REFAULTS,             /* pages/s, workingset_refault_anon + _file */
    RF_COLUMN_OOM_KILLS,            /* count in the interval */
    RF_COLUMN_CPU_BUSY,             /* ratio 0..1 over all CPUs */
    RF_COLUMN_CPU_IOWAIT,
    RF_COLUMN_CPU_STEAL,
    RF_COLUMN_TLB_SHOOTDOWNS,       /* 1/s */
    RF_COLUMN_LOAD,                 /* 1-minute load average */
    RF_N_COLUMNS,
} RfColumn;

typedef enum {
    RF_MEASURE_PER_SECOND,
    RF_MEASURE_PAGES_PER_SECOND,
    RF_MEASURE_BYTES,
    RF_MEASURE_BYTES_PER_SECOND,
    RF_MEASURE_RATIO,
    RF_MEASURE_COUNT,
    RF_MEASURE_PLAIN,
} RfMeasure;

typedef struct {
    const char *name; /* CSV and JSON name with unit: "allocstalls_per_s" */
    RfMeasure measure;
} RfColumnInfo;

/** rf_column_info: Returns: (transfer none): name and unit of @column */
const RfColumnInfo *rf_column_info (RfColumn column);

/** RfSnapshot: everything read at one instant; owns its arrays. */
typedef struct {
    gint64 monotonic_us;
    gint64 asleep_us; /* see rf_clock_asleep() */
    guint page_size;
    RfVmstat vmstat;
    RfMeminfo meminfo;
    RfZoneinfo zoneinfo;
    RfPressure pressure_memory;
    RfPressure pressure_io;
    RfPressure pressure_cpu;
    RfDiskstats diskstats;
    RfZramTotals zram;
    RfCpuStat cpu;
    RfInterrupts interrupts;
    RfCounter load1_x100; /* load average times 100 */
} RfSnapshot;

RfSnapshot *rf_snapshot_read (RfSysroot *sysroot);
void rf_snapshot_free (RfSnapshot *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfSnapshot, rf_snapshot_free)

/** RfDiskSample: one whole disk over the interval; NAN with @avail where there was no IO or no baseline. */
typedef struct {
    char name[32];
    double read_iops;
    double write_iops;
    double read_bytes_per_s;
    double write_bytes_per_s;
    double read_latency_ms;  /* mean of the requests completed in the interval; NAN if there was none */
    double write_latency_ms;
    double utilisation; /* ratio 0..1 */
    double in_flight;
    RfAvail avail;
} RfDiskSample;

/**
 * RfSample:
 * @value: NAN where @avail is not RF_AVAIL_OK
 * @disks: (element-type RfDiskSample): sorted by name; zram, loop, ram and partitions left out, multipath heads get the
 *   sum of their paths
 */
typedef struct {
    gint64 monotonic_us;
    double interval_s; /* 0 for the first */
    double value[RF_N_COLUMNS];
    RfAvail avail[RF_N_COLUMNS];
    GArray *disks;
} RfSample;

/**
 * rf_sample_derive:
 * @before: (nullable): NULL for the first: levels are there, rates are NO_BASELINE
 *
 * A counter that went backwards (device re-created) gives NO_BASELINE, never a negative or huge rate; a 32-bit wrap of
 * a diskstats counter is recognised. Between two snapshots with a sleep between them there is no rate either.
 */
RfSample *rf_sample_derive (const RfSnapshot *before, const RfSnapshot *now);
void rf_sample_free (RfSample *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfSample, rf_sample_free)

G_END_DECLS
