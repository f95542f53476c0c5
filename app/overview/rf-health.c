#define G_LOG_DOMAIN "rf-health"

#include "config.h"

#include "rf-health.h"

#include <math.h>

/* Where "felt" begins. One stall in a minute is normal on any machine that uses its memory; one every five seconds is
 * what people report as micro-stutter. PSI counts the same waits as time: half a percent of the period is 1.5 s in
 * five minutes. */
#define STALLS_PER_MINUTE_NOTICE 1.0
#define STALLS_PER_MINUTE_TROUBLE 12.0
#define MEMORY_SOME_TROUBLE 0.02
#define MEMORY_FULL_TROUBLE 0.005
/* Fetching back what was swapped out a moment ago: both directions at once, and programs wait for it. */
#define THRASH_BYTES_PER_S (1024.0 * 1024.0)
#define THRASH_FULL 0.02
#define SWAP_IN_NOTICE_BYTES_PER_S (256.0 * 1024.0)
#define SWAP_FULL 0.9
/* A mean above this is unusual for the kind: a flash drive answers in well under 5 ms, a rotating one in 10 to 20. */
#define SLOW_FLASH_MS 25.0
#define SLOW_ROTATING_MS 120.0
#define SLOW_SECONDS_NOTICE 3.0
#define SLOW_SHARE_TROUBLE 0.3
#define IO_FULL_TROUBLE 0.05
/* A processor that is busy throughout leaves no moment for a sound buffer; one in twenty moments taken is heard. */
#define CPU_BUSY_NOTICE 0.9
#define CPU_STEAL_TROUBLE 0.05

static double
mean_of (RfSampler *sampler, RfColumn column, double seconds)
{
    double covered = 0;
    const double sum = rf_sampler_sum (sampler, column, seconds, &covered);

    return covered > 0 ? sum / covered : NAN;
}

static void
read_disk (RfSampler *sampler, const RfFacts *facts, const char *name, double seconds, RfHealthDisk *out)
{
    RfSeries *latency = rf_sampler_get_disk_series (sampler, name, RF_DISK_COLUMN_LATENCY);
    const RfDisk *fact = facts != NULL ? rf_facts_find_disk (facts, name) : NULL;
    const double interval_s = rf_sampler_get_interval_ms (sampler) / 1000.0;
    /* a virtual drive often calls itself rotating, whatever lies below */
    const gboolean rotational = fact != NULL && fact->rotational && fact->kind != RF_DISK_VIRTIO;
    double sum = 0;

    *out = (RfHealthDisk){.mean_ms = NAN, .worst_ms = NAN, .rotational = rotational};
    g_strlcpy (out->name, name, sizeof out->name);
    for (guint back = 0; back < seconds / interval_s; back++) {
        const double ms = rf_series_get (latency, back);

        if (!isfinite (ms))
            continue;
        out->busy_s += interval_s;
        if (ms > (out->rotational ? SLOW_ROTATING_MS : SLOW_FLASH_MS))
            out->slow_s += interval_s;
        sum += ms * interval_s;
        out->worst_ms = fmax (out->worst_ms, ms);
    }
    if (out->busy_s > 0)
        out->mean_ms = sum / out->busy_s;
}

void
rf_health_read (RfSampler *sampler, const RfFacts *facts, RfHealthInput *out)
{
    rf_health_read_seconds (sampler, facts, RF_HEALTH_PERIOD, out);
}

void
rf_health_read_seconds (RfSampler *sampler, const RfFacts *facts, double seconds, RfHealthInput *out)
{
    static const RfColumn witnesses[] = {RF_COLUMN_ALLOCSTALLS, RF_COLUMN_PSI_MEMORY_SOME, RF_COLUMN_CPU_BUSY};
    const RfSnapshot *snapshot = rf_sampler_get_snapshot (sampler);
    g_auto (GStrv) disks = rf_sampler_get_disks (sampler);
    double covered = 0;

    g_return_if_fail (RF_IS_SAMPLER (sampler));

    *out = (RfHealthInput){0};
    /* how long we have looked is how long any of these is known: a kernel may lack one or the other */
    for (guint i = 0; i < G_N_ELEMENTS (witnesses); i++) {
        rf_sampler_sum (sampler, witnesses[i], seconds, &covered);
        out->seconds = fmax (out->seconds, covered);
    }
    out->stalls = rf_sampler_sum (sampler, RF_COLUMN_ALLOCSTALLS, seconds, NULL);
    out->memory_some_s = rf_sampler_sum (sampler, RF_COLUMN_PSI_MEMORY_SOME, seconds, NULL);
    out->memory_full_s = rf_sampler_sum (sampler, RF_COLUMN_PSI_MEMORY_FULL, seconds, NULL);
    out->io_full_s = rf_sampler_sum (sampler, RF_COLUMN_PSI_IO_FULL, seconds, NULL);
    out->oom_kills = rf_sampler_sum (sampler, RF_COLUMN_OOM_KILLS, seconds, NULL);
    out->swap_in_bytes = rf_sampler_sum (sampler, RF_COLUMN_SWAP_IN, seconds, NULL);
    out->swap_out_bytes = rf_sampler_sum (sampler, RF_COLUMN_SWAP_OUT, seconds, NULL);
    out->swap_used_bytes = out->swap_total_bytes = NAN;
    if (snapshot != NULL && rf_counter_ok (snapshot->meminfo.swap_total)) {
        out->swap_total_bytes = (double)snapshot->meminfo.swap_total.value;
        if (rf_counter_ok (snapshot->meminfo.swap_used))
            out->swap_used_bytes = (double)snapshot->meminfo.swap_used.value;
    }
    out->cpu_busy = mean_of (sampler, RF_COLUMN_CPU_BUSY, seconds);
    out->cpu_steal = mean_of (sampler, RF_COLUMN_CPU_STEAL, seconds);
    for (guint i = 0; disks[i] != NULL && out->n_disks < RF_HEALTH_MAX_DISKS; i++)
        read_disk (sampler, facts, disks[i], seconds, &out->disk[out->n_disks++]);
}

static RfHealthLevel
judge_memory (const RfHealthInput *input)
{
    const double per_minute = input->stalls / input->seconds * 60;

    if (input->oom_kills > 0)
        return RF_HEALTH_TROUBLE;
    if (isnan (input->stalls) && isnan (input->memory_some_s))
        return RF_HEALTH_UNKNOWN;
    if (per_minute >= STALLS_PER_MINUTE_TROUBLE || input->memory_some_s / input->seconds >= MEMORY_SOME_TROUBLE
        || input->memory_full_s / input->seconds >= MEMORY_FULL_TROUBLE)
        return RF_HEALTH_TROUBLE;
    if (per_minute >= STALLS_PER_MINUTE_NOTICE)
        return RF_HEALTH_NOTICE;
    return RF_HEALTH_CALM;
}

static RfHealthLevel
judge_disk (const RfHealthInput *input, const RfHealthDisk *disk)
{
    if (disk->slow_s < SLOW_SECONDS_NOTICE)
        return RF_HEALTH_CALM;
    /* slow alone may be one big copy that nobody waits for; it is felt when programs wait, too */
    if (disk->slow_s / input->seconds >= SLOW_SHARE_TROUBLE || input->io_full_s / input->seconds >= IO_FULL_TROUBLE)
        return RF_HEALTH_TROUBLE;
    return RF_HEALTH_NOTICE;
}

static RfHealthLevel
judge_disks (const RfHealthInput *input, guint *worst)
{
    RfHealthLevel level = input->n_disks > 0 ? RF_HEALTH_CALM : RF_HEALTH_NONE;

    *worst = G_MAXUINT;
    for (guint i = 0; i < input->n_disks; i++) {
        const RfHealthDisk *disk = &input->disk[i];

        if (!(disk->busy_s > 0))
            continue;
        level = MAX (level, judge_disk (input, disk));
        if (*worst == G_MAXUINT || disk->slow_s > input->disk[*worst].slow_s
            || (disk->slow_s == input->disk[*worst].slow_s && disk->mean_ms > input->disk[*worst].mean_ms))
            *worst = i;
    }
    return level;
}

static gboolean
is_thrashing (const RfHealthInput *input)
{
    return input->swap_in_bytes / input->seconds >= THRASH_BYTES_PER_S
           && input->swap_out_bytes / input->seconds >= THRASH_BYTES_PER_S
           && input->memory_full_s / input->seconds >= THRASH_FULL;
}

gboolean
rf_health_swap_full (const RfHealthInput *input)
{
    return input->swap_total_bytes > 0 && input->swap_used_bytes / input->swap_total_bytes >= SWAP_FULL;
}

static RfHealthLevel
judge_swap (const RfHealthInput *input)
{
    if (input->swap_total_bytes == 0)
        return RF_HEALTH_NONE;
    if (isnan (input->swap_in_bytes))
        return RF_HEALTH_UNKNOWN;
    if (is_thrashing (input))
        return RF_HEALTH_TROUBLE;
    if (rf_health_swap_full (input) || input->swap_in_bytes / input->seconds >= SWAP_IN_NOTICE_BYTES_PER_S)
        return RF_HEALTH_NOTICE;
    return RF_HEALTH_CALM;
}

static RfHealthLevel
judge_cpu (const RfHealthInput *input)
{
    if (isnan (input->cpu_busy))
        return RF_HEALTH_UNKNOWN;
    if (input->cpu_steal >= CPU_STEAL_TROUBLE)
        return RF_HEALTH_TROUBLE;
    return input->cpu_busy >= CPU_BUSY_NOTICE ? RF_HEALTH_NOTICE : RF_HEALTH_CALM;
}

static RfFinding
find (const RfHealthInput *input, const RfHealth *health)
{
    if (input->oom_kills > 0)
        return RF_FINDING_OOM;
    if (is_thrashing (input))
        return RF_FINDING_THRASHING;
    if (health->memory == RF_HEALTH_TROUBLE)
        return RF_FINDING_STALLS;
    if (health->disks == RF_HEALTH_TROUBLE)
        return RF_FINDING_SLOW_DISK;
    if (health->memory == RF_HEALTH_NOTICE)
        return RF_FINDING_FEW_STALLS;
    if (health->disks == RF_HEALTH_NOTICE)
        return RF_FINDING_SLOW_AT_TIMES;
    if (rf_health_swap_full (input))
        return RF_FINDING_SWAP_FULL;
    return health->memory == RF_HEALTH_UNKNOWN ? RF_FINDING_UNKNOWN : RF_FINDING_CALM;
}

void
rf_health_judge (const RfHealthInput *input, RfHealth *out)
{
    RfHealth health = {.finding = RF_FINDING_LOOKING, .worst_disk = G_MAXUINT};

    if (input->seconds >= RF_HEALTH_ENOUGH) {
        health.memory = judge_memory (input);
        health.disks = judge_disks (input, &health.worst_disk);
        health.swap = judge_swap (input);
        health.cpu = judge_cpu (input);
        health.finding = find (input, &health);
    }
    *out = health;
}

/* The head of a multipath drive has no queue of its own; its paths have. */
static gboolean
drive_is_ours (const RfHealth *self, const RfHealthInput *input, const RfFacts *facts)
{
    const RfDisk *disk = NULL;

    if (facts != NULL && self->worst_disk < input->n_disks)
        disk = rf_facts_find_disk (facts, input->disk[self->worst_disk].name);
    return disk == NULL || disk->kind == RF_DISK_NVME_HEAD || rf_disk_is_tunable (disk);
}

gboolean
rf_health_needs_tuning (const RfHealth *self, const RfHealthInput *input, const RfFacts *facts)
{
    if (self->finding == RF_FINDING_SLOW_DISK || self->finding == RF_FINDING_SLOW_AT_TIMES)
        return drive_is_ours (self, input, facts);
    return self->finding < RF_FINDING_CALM;
}

const char *
rf_finding_nick (RfFinding finding)
{
    static const char *const nicks[] = {
        [RF_FINDING_OOM] = "oom",
        [RF_FINDING_THRASHING] = "thrashing",
        [RF_FINDING_STALLS] = "stalls",
        [RF_FINDING_SLOW_DISK] = "slow-disk",
        [RF_FINDING_FEW_STALLS] = "few-stalls",
        [RF_FINDING_SLOW_AT_TIMES] = "slow-at-times",
        [RF_FINDING_SWAP_FULL] = "swap-full",
        [RF_FINDING_CALM] = "calm",
        [RF_FINDING_LOOKING] = "looking",
        [RF_FINDING_UNKNOWN] = "unknown",
    };

    g_return_val_if_fail (finding < G_N_ELEMENTS (nicks), "unknown");

    return nicks[finding];
}

const char *
rf_health_level_nick (RfHealthLevel level)
{
    static const char *const nicks[] = {
        [RF_HEALTH_UNKNOWN] = "unknown", [RF_HEALTH_NONE] = "none",       [RF_HEALTH_CALM] = "calm",
        [RF_HEALTH_NOTICE] = "notice",   [RF_HEALTH_TROUBLE] = "trouble",
    };

    g_return_val_if_fail (level < G_N_ELEMENTS (nicks), "unknown");

    return nicks[level];
}
