#define G_LOG_DOMAIN "rf-recommender-memory"
#include "config.h"

#include "rf-recommender-private.h"

#include "rf-catalogue.h"

/* In our runs 72 MB between low and min left stalls, 144 MB left none: about 30 ms of a burst of 5 GB/s have to be
 * bridged until kswapd runs. The share of RAM is for large machines, which burst faster. */
#define HEAD_START_BYTES (150 * RF_MIB)
#define HEAD_START_PER_1000 6
/* low and high lie one distance each above min, so twice the distance can stay free; never more than 5 % of RAM */
#define HEAD_START_TWICE_MAX_PERCENT 5
#define SCALE_FACTOR_MIN 10
#define SCALE_FACTOR_MAX 300
#define SCALE_FACTOR_BASE 10000
/* an assumption needs no more digits */
#define DIRTY_STEP (8 * RF_MIB)

static guint64
managed_bytes (const RfFacts *facts)
{
    return facts->managed_bytes != 0 ? facts->managed_bytes : facts->ram_bytes;
}

guint64
rf_recommend_head_start_target (const RfFacts *facts)
{
    g_return_val_if_fail (facts != NULL, 0);
    guint64 wanted = MAX (HEAD_START_BYTES, facts->ram_bytes / 1000 * HEAD_START_PER_1000);
    return MIN (wanted, facts->ram_bytes / 200 * HEAD_START_TWICE_MAX_PERCENT);
}

static gboolean
current_int (const RfCurrentSet *current, const char *id, gint64 *number)
{
    const RfTunable *tunable = rf_tunable_find (id);
    RfValue value;
    if (tunable == NULL || !rf_current_set_get (current, tunable, "", &value, NULL) || value.kind != RF_VALUE_INT)
        return FALSE;
    *number = value.n[0];
    return TRUE;
}

/* mm/page_alloc.c, __setup_per_zone_wmarks(): low = min + max (min / 4, managed * factor / 10000). The zones share min
 * by their size, so the sum follows the same formula. */
static guint64
distance (guint64 min_bytes, guint64 managed, guint64 factor)
{
    return MAX (min_bytes / 4, managed / SCALE_FACTOR_BASE * factor);
}

guint64
rf_recommend_head_start (const RfFacts *facts, const RfCurrentSet *current, const RfSnapshot *snapshot)
{
    g_return_val_if_fail (facts != NULL && current != NULL, 0);
    if (snapshot != NULL && rf_counter_ok (snapshot->zoneinfo.min) && rf_counter_ok (snapshot->zoneinfo.low)
        && snapshot->zoneinfo.low.value > snapshot->zoneinfo.min.value)
        return (snapshot->zoneinfo.low.value - snapshot->zoneinfo.min.value) * snapshot->page_size;

    gint64 min_kib = 0, factor = 0;
    if (!current_int (current, "vm.min_free_kbytes", &min_kib)
        || !current_int (current, "vm.watermark_scale_factor", &factor) || min_kib < 0 || factor < 0)
        return 0;
    return distance ((guint64)min_kib * 1024, managed_bytes (facts), (guint64)factor);
}

guint64
rf_advice_scale_factor_cost (const RfAdvice *advice, gint64 factor)
{
    guint64 then = managed_bytes (advice->facts) / SCALE_FACTOR_BASE * (guint64)factor;
    return then > advice->head_start ? then - advice->head_start : 0;
}

void
rf_advice_scale_factor (const RfAdvice *advice, RfRecommendation *row)
{
    const RfFacts *facts = advice->facts;
    guint64 target = rf_recommend_head_start_target (facts);
    guint64 managed = managed_bytes (facts);
    row->evidence_bytes = advice->head_start;
    row->target_bytes = target;
    if (managed == 0) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_DEFAULT_IS_FINE);
        return;
    }
    guint64 factor = (target * SCALE_FACTOR_BASE + managed - 1) / managed;
    /* in shares of 10000, so that nothing is lost by rounding */
    guint64 most = facts->ram_bytes * (SCALE_FACTOR_BASE / 100 * HEAD_START_TWICE_MAX_PERCENT);
    while (factor > SCALE_FACTOR_MIN && 2 * factor * managed > most)
        factor--;
    factor = CLAMP (factor, SCALE_FACTOR_MIN, SCALE_FACTOR_MAX);

    /* never lowered; and a distance that comes from a large reserve is as good. Zones round down, hence the 2 % */
    if (row->current.n[0] >= (gint64)factor || advice->head_start >= target / 100 * 98) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_HEAD_START_ENOUGH);
        if (advice->head_start == 0)
            row->why = RF_WHY_DEFAULT_IS_FINE;
        return;
    }
    rf_advice_propose (row, RF_VERDICT_RECOMMENDED, RF_WHY_HEAD_START, rf_value_int ((gint64)factor));
    row->cost = RF_COST_MEMORY;
    row->cost_bytes = rf_advice_scale_factor_cost (advice, (gint64)factor);
    row->doubt = RF_DOUBT_ONE_MACHINE;
}

/* What a drive of this kind writes in a second without its fast cache; an assumption, and said as one. */
static guint64
assumed_speed (const RfDisk *disk)
{
    switch (disk->kind) {
    case RF_DISK_NVME:
    case RF_DISK_NVME_HEAD:
        return 800 * RF_MIB;
    case RF_DISK_SATA:
        return disk->rotational ? 100 * RF_MIB : 300 * RF_MIB;
    case RF_DISK_VIRTIO:
        return 200 * RF_MIB;
    case RF_DISK_USB:
    case RF_DISK_MMC:
        return 50 * RF_MIB;
    case RF_DISK_OTHER:
        return 100 * RF_MIB;
    case RF_DISK_NVME_PATH:
    case RF_DISK_ZRAM:
    case RF_DISK_DM:
    case RF_DISK_MD:
    case RF_DISK_LOOP:
    default:
        return 0; /* layers, not drives */
    }
}

static guint64
slowest_of (const RfFacts *facts, gboolean pluggable)
{
    guint64 slowest = 0;
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = g_ptr_array_index (facts->disks, i);
        guint64 speed = assumed_speed (disk);
        gboolean mounted = disk->mount_points != NULL && disk->mount_points[0] != NULL;
        gboolean plugged = disk->removable || disk->kind == RF_DISK_USB;
        if (speed != 0 && mounted && !disk->hidden && plugged == pluggable && (slowest == 0 || speed < slowest))
            slowest = speed;
    }
    return slowest;
}

/* The limit is one for all drives, so the slowest that is always there decides; a stick must not slow the system's own
 * drive down, unless the system lives on one. */
static guint64
slowest_drive (const RfFacts *facts)
{
    guint64 fixed = slowest_of (facts, FALSE);
    return fixed != 0 ? fixed : slowest_of (facts, TRUE);
}

void
rf_advice_dirty (const RfAdvice *advice, RfRecommendation *row)
{
    gboolean background = g_str_equal (row->tunable->id, "vm.dirty_background");
    RfCounter limit = background ? advice->background_limit : advice->limit;
    guint64 per_second = slowest_drive (advice->facts);
    gint64 min, max, hard_min, hard_max;
    if (per_second == 0) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_DEFAULT_IS_FINE);
        return;
    }
    if (!rf_counter_ok (limit)) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_LIMIT_UNKNOWN);
        return;
    }
    rf_catalogue_range (row->tunable, advice->facts, RF_DIRTY_BYTES, &min, &max);
    rf_catalogue_range (rf_tunable_find ("vm.dirty"), advice->facts, RF_DIRTY_BYTES, &hard_min, &hard_max);
    guint64 hard = CLAMP (5 * per_second, (guint64)hard_min, (guint64)hard_max);
    guint64 target = background ? MIN (per_second, hard / 4) : hard;
    target = MAX (target / DIRTY_STEP * DIRTY_STEP, (guint64)min);
    row->evidence_bytes = limit.value;
    row->target_bytes = target;
    /* fixed amounts raised the limit in our runs, because it falls with free memory: never above what is in force */
    if (target >= limit.value) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_LIMIT_ALREADY_LOW);
        return;
    }
    rf_advice_propose (row, RF_VERDICT_OPTIONAL, RF_WHY_WRITE_STORM, rf_value_dirty (RF_DIRTY_BYTES, (gint64)target));
    row->cost = RF_COST_THROUGHPUT;
    row->doubt = RF_DOUBT_DRIVE_SPEED;
}
