#define G_LOG_DOMAIN "rf-recommender-swap"
#include "config.h"

#include "rf-recommender-private.h"

#include "rf-catalogue.h"

/* On two cores all four zram sets made everything wait 4.6 to 6.6 times as long; fewer than four is not tried. */
#define ZRAM_MIN_CPUS 4
#define ZRAM_MIN_RAM (4 * RF_GIB)
#define ZRAM_MAX_SIZE (4 * RF_GIB)
#define ZRAM_STEP (256 * RF_MIB)
#define ZRAM_PRIORITY 100

static gboolean
swap_on_data_disk (const RfFacts *facts)
{
    for (guint i = 0; i < facts->swaps->len; i++) {
        const RfSwapDevice *swap = g_ptr_array_index (facts->swaps, i);
        if (swap->kind != RF_SWAP_ZRAM && swap->on_data_disk)
            return TRUE;
    }
    return FALSE;
}

/* lz4 costs the least time per page; where the kernel's list is not known yet, its long-standing default is safe. */
static const char *
zram_algorithm (const RfFacts *facts)
{
    static const char *const preferred[] = {"lz4", "lzo-rle", "zstd"};
    const char *const *offered = (const char *const *)facts->zram_algorithms;
    if (offered == NULL || offered[0] == NULL)
        return "lzo-rle";
    for (gsize i = 0; i < G_N_ELEMENTS (preferred); i++)
        if (g_strv_contains (offered, preferred[i]))
            return preferred[i];
    return offered[0];
}

static RfReasonId
zram_refusal (const RfAdvice *advice, guint64 size)
{
    const RfFacts *facts = advice->facts;
    if (facts->zram_owner != RF_ZRAM_OWNER_NONE)
        return RF_WHY_ZRAM_FOREIGN;
    if (!facts->zram_available)
        return RF_WHY_ZRAM_MODULE;
    if (facts->zram_switched_off)
        return RF_WHY_ZRAM_OFF;
    if (facts->swaps->len == 0)
        return RF_WHY_ZRAM_NO_SWAP;
    if (facts->hibernation)
        return RF_WHY_ZRAM_HIBERNATION;
    if (!swap_on_data_disk (facts))
        return RF_WHY_ZRAM_NOT_NEEDED;
    if (facts->zswap == RF_AVAIL_OK && facts->zswap_enabled)
        return RF_WHY_ZRAM_ZSWAP;
    if (facts->n_cpus < ZRAM_MIN_CPUS)
        return RF_WHY_ZRAM_CORES;
    /* even what does not compress at all must fit into what is available now */
    if (facts->ram_bytes < ZRAM_MIN_RAM || (rf_counter_ok (advice->available) && advice->available.value < size))
        return RF_WHY_ZRAM_MEMORY;
    return RF_WHY_NONE;
}

void
rf_advice_zram (const RfAdvice *advice, RfRecommendation *row)
{
    const RfFacts *facts = advice->facts;
    guint64 size = MIN (facts->ram_bytes / 4, ZRAM_MAX_SIZE) / ZRAM_STEP * ZRAM_STEP;
    size = MAX (size, ZRAM_STEP);
    if (facts->zram_owner == RF_ZRAM_OWNER_OURS) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_ZRAM_OURS);
        return;
    }
    RfReasonId refusal = zram_refusal (advice, size);
    if (refusal != RF_WHY_NONE) {
        rf_advice_set (row, RF_VERDICT_REFUSED, refusal);
        return;
    }
    RfValue value = rf_value_zram ((gint64)size, zram_algorithm (facts), ZRAM_PRIORITY);
    if (value.kind == RF_VALUE_ABSENT) { /* an algorithm name that the contract cannot carry */
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_ZRAM_MODULE);
        return;
    }
    rf_advice_propose (row, RF_VERDICT_TRY, RF_WHY_ZRAM_TRY, value);
    row->target_bytes = size;
    row->cost = RF_COST_LATENCY_UNDER_SWAP;
    row->doubt = RF_DOUBT_ONE_MACHINE;
}

void
rf_advice_page_cluster (const RfAdvice *advice, RfRecommendation *row)
{
    if (rf_advice_has_swap (advice->facts, FALSE, TRUE)) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_PAGE_CLUSTER_DISK);
        return;
    }
    rf_advice_propose (row, RF_VERDICT_OPTIONAL, RF_WHY_PAGE_CLUSTER_ZRAM, rf_value_int (0));
    row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
}

void
rf_advice_swappiness (const RfAdvice *advice, RfRecommendation *row)
{
    gboolean zram = rf_advice_has_swap (advice->facts, TRUE, FALSE);
    gboolean disk = rf_advice_has_swap (advice->facts, FALSE, TRUE);
    gint64 now = row->current.n[0], min, max;
    rf_catalogue_range (row->tunable, advice->facts, RF_DIRTY_RATIO, &min, &max);
    if (zram && disk) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_DEFAULT_IS_FINE);
    } else if (disk && now > 100) {
        rf_advice_propose (row, RF_VERDICT_OPTIONAL, RF_WHY_SWAPPINESS_DISK, rf_value_int (60));
        row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
    } else if (disk) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_SWAPPINESS_DISK);
    } else if (now >= 100 || max < 180 || advice->facts->n_cpus < ZRAM_MIN_CPUS) {
        /* with few cores the low school fared better; a high value is there already, or the kernel takes none */
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_SWAPPINESS_BOTH);
    } else {
        rf_advice_propose (row, RF_VERDICT_OPTIONAL, RF_WHY_SWAPPINESS_BOTH, rf_value_int (180));
        row->cost = RF_COST_CPU;
        row->doubt = RF_DOUBT_DISPUTED;
    }
}
