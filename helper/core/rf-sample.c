#define G_LOG_DOMAIN "rf-sample"
#include "config.h"

#include "rf-sample.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "rf-clock.h"
#include "rf-delta.h"
#include "rf-disk-sample.h"
#include "rf-loadavg.h"
#include "rf-queue.h"

/* How a column comes from the counter at the offset. */
typedef enum {
    FROM_LEVEL_PAGES, /* pages, shown in bytes */
    FROM_LEVEL_BYTES,
    FROM_RATE,
    FROM_RATE_PAGES, /* pages, shown in bytes per second */
    FROM_DELTA,
    FROM_SHARE_US, /* microseconds of the interval */
    FROM_HUNDREDTHS,
    FROM_ELSEWHERE, /* more than one counter, see the functions below */
} Origin;

typedef struct {
    RfColumnInfo info;
    Origin origin;
    gsize offset;
} Column;

#define AT(member) G_STRUCT_OFFSET (RfSnapshot, member)

static const Column columns[RF_N_COLUMNS] = {
    [RF_COLUMN_ALLOCSTALLS] = {{"allocstalls_per_s", RF_MEASURE_PER_SECOND}, FROM_RATE, AT (vmstat.allocstall)},
    [RF_COLUMN_DIRECT_RECLAIM]
    = {{"direct_reclaim_pages_per_s", RF_MEASURE_PAGES_PER_SECOND}, FROM_RATE, AT (vmstat.pgsteal_direct)},
    [RF_COLUMN_DIRECT_SCAN]
    = {{"direct_scan_pages_per_s", RF_MEASURE_PAGES_PER_SECOND}, FROM_RATE, AT (vmstat.pgscan_direct)},
    [RF_COLUMN_KSWAPD] = {{"kswapd_pages_per_s", RF_MEASURE_PAGES_PER_SECOND}, FROM_RATE, AT (vmstat.pgsteal_kswapd)},
    [RF_COLUMN_FREE] = {{"free_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (vmstat.nr_free_pages)},
    [RF_COLUMN_WATERMARK_MIN] = {{"watermark_min_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (zoneinfo.min)},
    [RF_COLUMN_WATERMARK_LOW] = {{"watermark_low_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (zoneinfo.low)},
    [RF_COLUMN_WATERMARK_HIGH] = {{"watermark_high_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (zoneinfo.high)},
    [RF_COLUMN_AVAILABLE] = {{"available_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_BYTES, AT (meminfo.available)},
    [RF_COLUMN_DIRTY] = {{"dirty_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (vmstat.nr_dirty)},
    [RF_COLUMN_WRITEBACK] = {{"writeback_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (vmstat.nr_writeback)},
    [RF_COLUMN_DIRTY_LIMIT]
    = {{"dirty_limit_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (vmstat.nr_dirty_threshold)},
    [RF_COLUMN_DIRTY_BACKGROUND_LIMIT]
    = {{"dirty_background_limit_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_PAGES, AT (vmstat.nr_dirty_background_threshold)},
    [RF_COLUMN_PSI_MEMORY_SOME]
    = {{"psi_memory_some_ratio", RF_MEASURE_RATIO}, FROM_SHARE_US, AT (pressure_memory.some.total_us)},
    [RF_COLUMN_PSI_MEMORY_FULL]
    = {{"psi_memory_full_ratio", RF_MEASURE_RATIO}, FROM_SHARE_US, AT (pressure_memory.full.total_us)},
    [RF_COLUMN_PSI_IO_SOME] = {{"psi_io_some_ratio", RF_MEASURE_RATIO}, FROM_SHARE_US, AT (pressure_io.some.total_us)},
    [RF_COLUMN_PSI_IO_FULL] = {{"psi_io_full_ratio", RF_MEASURE_RATIO}, FROM_SHARE_US, AT (pressure_io.full.total_us)},
    [RF_COLUMN_PSI_CPU_SOME]
    = {{"psi_cpu_some_ratio", RF_MEASURE_RATIO}, FROM_SHARE_US, AT (pressure_cpu.some.total_us)},
    [RF_COLUMN_SWAP_USED] = {{"swap_used_bytes", RF_MEASURE_BYTES}, FROM_LEVEL_BYTES, AT (meminfo.swap_used)},
    [RF_COLUMN_SWAP_IN] = {{"swap_in_bytes_per_s", RF_MEASURE_BYTES_PER_SECOND}, FROM_RATE_PAGES, AT (vmstat.pswpin)},
    [RF_COLUMN_SWAP_OUT]
    = {{"swap_out_bytes_per_s", RF_MEASURE_BYTES_PER_SECOND}, FROM_RATE_PAGES, AT (vmstat.pswpout)},
    [RF_COLUMN_ZRAM_RATIO] = {{"zram_ratio", RF_MEASURE_PLAIN}, FROM_ELSEWHERE, 0},
    [RF_COLUMN_MAJOR_FAULTS] = {{"major_faults_per_s", RF_MEASURE_PER_SECOND}, FROM_RATE, AT (vmstat.pgmajfault)},
    [RF_COLUMN_REFAULTS]
    = {{"refault_pages_per_s", RF_MEASURE_PAGES_PER_SECOND}, FROM_RATE, AT (vmstat.workingset_refault)},
    [RF_COLUMN_OOM_KILLS] = {{"oom_kills", RF_MEASURE_COUNT}, FROM_DELTA, AT (vmstat.oom_kill)},
    [RF_COLUMN_CPU_BUSY] = {{"cpu_busy_ratio", RF_MEASURE_RATIO}, FROM_ELSEWHERE, 0},
    [RF_COLUMN_CPU_IOWAIT] = {{"cpu_iowait_ratio", RF_MEASURE_RATIO}, FROM_ELSEWHERE, 0},
    [RF_COLUMN_CPU_STEAL] = {{"cpu_steal_ratio", RF_MEASURE_RATIO}, FROM_ELSEWHERE, 0},
    [RF_COLUMN_TLB_SHOOTDOWNS]
    = {{"tlb_shootdowns_per_s", RF_MEASURE_PER_SECOND}, FROM_RATE, AT (interrupts.tlb_shootdowns)},
    [RF_COLUMN_LOAD] = {{"load_1min", RF_MEASURE_PLAIN}, FROM_HUNDREDTHS, AT (load1_x100)},
};

const RfColumnInfo *
rf_column_info (RfColumn column)
{
    g_return_val_if_fail ((guint)column < RF_N_COLUMNS, NULL);
    return &columns[column].info;
}

static RfCounter
read_number (RfSysroot *sysroot, const char *path)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    return text != NULL ? rf_queue_parse_number (text, length) : RF_COUNTER_MISSING (avail);
}

/* zram devices are found by their rows, which costs no walk through sysfs */
static void
read_zram (RfSysroot *sysroot, const RfDiskstats *diskstats, RfZramTotals *out)
{
    rf_zram_totals_init (out);
    for (guint i = 0; i < diskstats->rows->len; i++) {
        const RfDiskRow *row = &g_array_index (diskstats->rows, RfDiskRow, i);
        if (row->kind != RF_DISK_ROW_ZRAM)
            continue;
        RfZramStat stat;
        g_autofree char *path = g_strconcat ("sys/block/", row->name, "/disksize", NULL);
        RfCounter disksize = read_number (sysroot, path);
        if (rf_counter_ok (disksize) && disksize.value == 0)
            continue;
        rf_zram_stat_read (sysroot, row->name, &stat);
        rf_zram_totals_add (out, disksize, &stat);
    }
}

/* Only rows that have done something: without IO there is nothing that a re-created device could falsify. */
static void
read_diskseqs (RfSysroot *sysroot, RfDiskstats *diskstats)
{
    for (guint i = 0; i < diskstats->rows->len; i++) {
        RfDiskRow *row = &g_array_index (diskstats->rows, RfDiskRow, i);
        gboolean shown = row->kind == RF_DISK_ROW_WHOLE || row->kind == RF_DISK_ROW_PATH;
        if (!shown || (row->reads == 0 && row->writes == 0))
            continue;
        char name[sizeof row->name];
        memcpy (name, row->name, sizeof name);
        g_strdelimit (name, "/", '!');
        g_autofree char *path = g_strconcat ("sys/block/", name, "/diskseq", NULL);
        RfCounter diskseq = read_number (sysroot, path);
        row->diskseq = rf_counter_ok (diskseq) ? diskseq.value : 0;
    }
}

RfSnapshot *
rf_snapshot_read (RfSysroot *sysroot)
{
    g_return_val_if_fail (RF_IS_SYSROOT (sysroot), NULL);
    RfSnapshot *self = g_new0 (RfSnapshot, 1);
    RfLoadavg load;
    self->monotonic_us = g_get_monotonic_time ();
    self->asleep_us = rf_clock_asleep ();
    self->page_size = (guint)sysconf (_SC_PAGESIZE);
    rf_vmstat_read (sysroot, &self->vmstat);
    rf_diskstats_read (sysroot, &self->diskstats);
    rf_pressure_read (sysroot, "memory", &self->pressure_memory);
    rf_pressure_read (sysroot, "io", &self->pressure_io);
    rf_pressure_read (sysroot, "cpu", &self->pressure_cpu);
    rf_cpu_stat_read (sysroot, &self->cpu);
    rf_meminfo_read (sysroot, &self->meminfo);
    rf_zoneinfo_read (sysroot, &self->zoneinfo);
    rf_interrupts_read (sysroot, &self->interrupts);
    rf_loadavg_read (sysroot, &load);
    self->load1_x100 = load.load1_x100;
    read_zram (sysroot, &self->diskstats, &self->zram);
    read_diskseqs (sysroot, &self->diskstats);
    return self;
}

void
rf_snapshot_free (RfSnapshot *self)
{
    if (self == NULL)
        return;
    rf_zoneinfo_clear (&self->zoneinfo);
    rf_diskstats_clear (&self->diskstats);
    g_free (self);
}

static void
set (RfSample *sample, RfColumn column, RfAvail avail, double value)
{
    sample->avail[column] = avail;
    sample->value[column] = avail == RF_AVAIL_OK ? value : NAN;
}

static gboolean
is_level (Origin origin)
{
    return origin == FROM_LEVEL_PAGES || origin == FROM_LEVEL_BYTES || origin == FROM_HUNDREDTHS;
}

static double
level_factor (Origin origin, const RfSnapshot *now)
{
    if (origin == FROM_LEVEL_PAGES)
        return now->page_size;
    return origin == FROM_HUNDREDTHS ? 0.01 : 1;
}

static void
derive_level (RfSample *sample, RfColumn column, const RfSnapshot *now)
{
    RfCounter level = G_STRUCT_MEMBER (RfCounter, now, columns[column].offset);
    set (sample, column, level.avail, (double)level.value * level_factor (columns[column].origin, now));
}

static void
derive_change (RfSample *sample, RfColumn column, const RfSnapshot *before, const RfSnapshot *now)
{
    const Column *info = &columns[column];
    RfCounter none = RF_COUNTER_MISSING (RF_AVAIL_NO_BASELINE);
    RfCounter old = before != NULL ? G_STRUCT_MEMBER (RfCounter, before, info->offset) : none;
    guint64 delta = 0;
    double seconds = sample->interval_s;
    RfAvail avail = rf_counter_delta (old, G_STRUCT_MEMBER (RfCounter, now, info->offset), seconds, &delta);
    double value = (double)delta;
    if (info->origin == FROM_RATE)
        value /= seconds;
    else if (info->origin == FROM_RATE_PAGES)
        value = value * now->page_size / seconds;
    else if (info->origin == FROM_SHARE_US)
        /* the kernel's clock and ours are read at slightly different times */
        value = MIN (value / (seconds * 1e6), 1);
    set (sample, column, avail, value);
}

/* Idle and iowait may fall a little (see proc(5)); such a step back counts as no progress. */
static double
ticks_since (RfCounter before, RfCounter now)
{
    return rf_counter_ok (before) && now.value > before.value ? (double)(now.value - before.value) : 0;
}

static void
set_share (RfSample *sample, RfColumn column, RfCounter part, double ticks, double total)
{
    set (sample, column, part.avail, MIN (ticks / total, 1));
}

static void
derive_cpu (RfSample *sample, const RfSnapshot *before, const RfSnapshot *now)
{
    static const RfColumn shares[] = {RF_COLUMN_CPU_BUSY, RF_COLUMN_CPU_IOWAIT, RF_COLUMN_CPU_STEAL};
    const RfCpuStat *cpu = &now->cpu, *old = before != NULL ? &before->cpu : NULL;
    RfAvail avail = cpu->total.avail;
    if (avail == RF_AVAIL_OK && (old == NULL || !rf_counter_ok (old->total)))
        avail = RF_AVAIL_NO_BASELINE;
    /* a CPU that comes or goes takes its past along; busy time and steal never fall otherwise */
    if (avail == RF_AVAIL_OK
        && (cpu->busy.value < old->busy.value || old->n_cpus != cpu->n_cpus
            || (rf_counter_ok (cpu->steal) && cpu->steal.value < old->steal.value)))
        avail = RF_AVAIL_NO_BASELINE;
    for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
        set (sample, shares[i], avail == RF_AVAIL_OK ? RF_AVAIL_NO_BASELINE : avail, NAN);
    if (avail != RF_AVAIL_OK)
        return;
    double busy = ticks_since (old->busy, cpu->busy), iowait = ticks_since (old->iowait, cpu->iowait);
    double steal = ticks_since (old->steal, cpu->steal);
    double total = busy + iowait + steal + ticks_since (old->idle, cpu->idle);
    if (!(total > 0))
        return;
    set_share (sample, RF_COLUMN_CPU_BUSY, cpu->busy, busy, total);
    set_share (sample, RF_COLUMN_CPU_IOWAIT, cpu->iowait, iowait, total);
    set_share (sample, RF_COLUMN_CPU_STEAL, cpu->steal, steal, total);
}

static void
derive_swap (RfSample *sample, const RfSnapshot *now)
{
    if (!rf_counter_ok (now->meminfo.swap_total) || now->meminfo.swap_total.value > 0)
        return;
    set (sample, RF_COLUMN_SWAP_USED, RF_AVAIL_NO_DEVICE, NAN);
    set (sample, RF_COLUMN_SWAP_IN, RF_AVAIL_NO_DEVICE, NAN);
    set (sample, RF_COLUMN_SWAP_OUT, RF_AVAIL_NO_DEVICE, NAN);
}

RfSample *
rf_sample_derive (const RfSnapshot *before, const RfSnapshot *now)
{
    g_return_val_if_fail (now != NULL, NULL);
    RfSample *self = g_new0 (RfSample, 1);
    self->monotonic_us = now->monotonic_us;
    if (before != NULL && now->monotonic_us > before->monotonic_us
        && now->asleep_us - before->asleep_us <= RF_CLOCK_SLEPT_US)
        self->interval_s = (double)(now->monotonic_us - before->monotonic_us) / G_USEC_PER_SEC;
    else
        before = NULL;
    for (guint i = 0; i < RF_N_COLUMNS; i++) {
        if (is_level (columns[i].origin))
            derive_level (self, i, now);
        else if (columns[i].origin != FROM_ELSEWHERE)
            derive_change (self, i, before, now);
    }
    double ratio = NAN;
    RfAvail avail = rf_zram_ratio (now->zram.stored, now->zram.mem_used, &ratio);
    set (self, RF_COLUMN_ZRAM_RATIO, avail, ratio);
    derive_cpu (self, before, now);
    derive_swap (self, now);
    if (before != NULL && before->interrupts.n_cpus != now->interrupts.n_cpus
        && rf_counter_ok (now->interrupts.tlb_shootdowns))
        set (self, RF_COLUMN_TLB_SHOOTDOWNS, RF_AVAIL_NO_BASELINE, NAN);
    self->disks
        = rf_disk_samples_derive (before != NULL ? &before->diskstats : NULL, &now->diskstats, self->interval_s);
    return self;
}

void
rf_sample_free (RfSample *self)
{
    if (self == NULL)
        return;
    g_clear_pointer (&self->disks, g_array_unref);
    g_free (self);
}
