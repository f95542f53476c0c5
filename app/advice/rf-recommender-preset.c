#define G_LOG_DOMAIN "rf-recommender-preset"
#include "config.h"

#include "rf-recommender-private.h"

#include "rf-catalogue.h"

#define AVAILABLE_MAX_PERCENT 15

/* The case study's values (X-Plane 12, 94 GiB, NVMe). Its zram is left to the rule for zram, which knows what was
 * measured since, and its scheduler and WBT keep their own words. */
typedef struct {
    const char *id;
    RfVerdict verdict;
    RfValue value;
    RfDoubtId doubt;
    gboolean only_zram; /* the value suits compressed swap only */
} PresetRow;

#define INT(number)                                                                                                    \
    {                                                                                                                  \
        .kind = RF_VALUE_INT, .n = { number }                                                                          \
    }
#define RATIO(number)                                                                                                  \
    {                                                                                                                  \
        .kind = RF_VALUE_DIRTY, .n = { number, RF_DIRTY_RATIO }                                                        \
    }
#define BYTES(number)                                                                                                  \
    {                                                                                                                  \
        .kind = RF_VALUE_DIRTY, .n = { number, RF_DIRTY_BYTES }                                                        \
    }

static const PresetRow case_study[] = {
    {"vm.min_free_kbytes", RF_VERDICT_RECOMMENDED, INT (1024 * 1024), RF_DOUBT_ONE_MACHINE, FALSE},
    {"vm.watermark_scale_factor", RF_VERDICT_RECOMMENDED, INT (125), RF_DOUBT_ONE_MACHINE, FALSE},
    {"vm.dirty_background", RF_VERDICT_RECOMMENDED, RATIO (1), RF_DOUBT_ONE_MACHINE, FALSE},
    {"vm.dirty", RF_VERDICT_RECOMMENDED, RATIO (5), RF_DOUBT_ONE_MACHINE, FALSE},
    {"vm.dirty_expire_centisecs", RF_VERDICT_RECOMMENDED, INT (1500), RF_DOUBT_ONE_MACHINE, FALSE},
    {"vm.dirty_writeback_centisecs", RF_VERDICT_RECOMMENDED, INT (500), RF_DOUBT_ONE_MACHINE, FALSE},
    {"block.wbt_lat_usec", RF_VERDICT_EXPERT, INT (0), RF_DOUBT_NO_EFFECT_SHOWN, FALSE},
    {"vm.page-cluster", RF_VERDICT_RECOMMENDED, INT (0), RF_DOUBT_ONE_MACHINE, TRUE},
    {"vm.swappiness", RF_VERDICT_OPTIONAL, INT (180), RF_DOUBT_DISPUTED, TRUE},
    {"vm.watermark_boost_factor", RF_VERDICT_OPTIONAL, INT (0), RF_DOUBT_NO_EFFECT_SHOWN, FALSE},
    {"block.read_ahead_kb", RF_VERDICT_OPTIONAL, INT (256), RF_DOUBT_NO_EFFECT_SHOWN, FALSE},
};

static const PresetRow audio[] = {
    {"vm.dirty_background", RF_VERDICT_RECOMMENDED, BYTES (32 * 1024 * 1024), RF_DOUBT_NO_EFFECT_SHOWN, FALSE},
    {"vm.dirty", RF_VERDICT_RECOMMENDED, BYTES (128 * 1024 * 1024), RF_DOUBT_NO_EFFECT_SHOWN, FALSE},
};

static const PresetRow *
find_row (const PresetRow *rows, gsize n, const char *id)
{
    for (gsize i = 0; i < n; i++)
        if (g_str_equal (rows[i].id, id))
            return &rows[i];
    return NULL;
}

static gboolean
has_btrfs (const RfFacts *facts)
{
    for (guint i = 0; i < facts->disks->len; i++) {
        const RfDisk *disk = g_ptr_array_index (facts->disks, i);
        if (disk->layers != NULL && g_strv_contains ((const char *const *)disk->layers, "btrfs"))
            return TRUE;
    }
    return FALSE;
}

/* Whether a dirty limit would rise above the one in force. A share of memory is compared with a share; against a fixed
 * amount it is taken of all memory, which is more than the kernel counts with. */
static gboolean
raises_limit (const RfAdvice *advice, const RfRecommendation *row, const RfValue *value)
{
    RfCounter limit = g_str_equal (row->tunable->id, "vm.dirty") ? advice->limit : advice->background_limit;
    if (value->n[1] == RF_DIRTY_RATIO && row->current.n[1] == RF_DIRTY_RATIO)
        return value->n[0] >= row->current.n[0];
    if (!rf_counter_ok (limit))
        return TRUE;
    guint64 bytes = (guint64)value->n[0];
    if (value->n[1] == RF_DIRTY_RATIO)
        bytes *= advice->facts->ram_bytes / 100;
    return bytes >= limit.value;
}

static void
preset_dirty (const RfAdvice *advice, RfRecommendation *row, const PresetRow *preset)
{
    RfCounter limit = g_str_equal (row->tunable->id, "vm.dirty") ? advice->limit : advice->background_limit;
    row->evidence_bytes = rf_counter_ok (limit) ? limit.value : 0;
    row->target_bytes = 0;
    row->cost = RF_COST_NONE;
    row->doubt = RF_DOUBT_NONE;
    if (raises_limit (advice, row, &preset->value)) {
        rf_advice_set (row, RF_VERDICT_FINE, rf_counter_ok (limit) ? RF_WHY_LIMIT_ALREADY_LOW : RF_WHY_LIMIT_UNKNOWN);
        return;
    }
    rf_advice_propose (row, preset->verdict, RF_WHY_PRESET, preset->value);
    row->cost = RF_COST_THROUGHPUT;
    row->doubt = advice->preset == RF_PRESET_AUDIO && has_btrfs (advice->facts) ? RF_DOUBT_BTRFS : preset->doubt;
}

/* Only ever raised, and capped: beyond 5 % of RAM or 15 % of what is available programs died under pressure. */
static void
preset_min_free (const RfAdvice *advice, RfRecommendation *row, const PresetRow *preset)
{
    gint64 min, max;
    rf_catalogue_range (row->tunable, advice->facts, RF_DIRTY_RATIO, &min, &max);
    if (rf_counter_ok (advice->available))
        max = MIN (max, (gint64)(advice->available.value / 100 * AVAILABLE_MAX_PERCENT / 1024));
    gint64 value = MIN (preset->value.n[0], max);
    if (value <= row->current.n[0] || value < min)
        return;
    rf_advice_propose (row, preset->verdict, value == preset->value.n[0] ? RF_WHY_PRESET : RF_WHY_PRESET_CLAMPED,
                       rf_value_int (value));
    row->cost = RF_COST_MEMORY;
    row->cost_bytes = (guint64)(value - row->current.n[0]) * 1024;
    row->doubt = preset->doubt;
}

/* Raising a distance, shortening a time, enlarging a read-ahead: never the other way round. */
static gboolean
preset_goes_backwards (const RfRecommendation *row, gint64 value)
{
    if (g_str_equal (row->tunable->id, "vm.watermark_scale_factor")
        || g_str_equal (row->tunable->id, "block.read_ahead_kb") || g_str_equal (row->tunable->id, "vm.swappiness"))
        return value < row->current.n[0];
    return value > row->current.n[0];
}

static void
preset_int (const RfAdvice *advice, RfRecommendation *row, const PresetRow *preset)
{
    gint64 min, max;
    rf_catalogue_range (row->tunable, advice->facts, RF_DIRTY_RATIO, &min, &max);
    gint64 value = CLAMP (preset->value.n[0], min, max);
    if (preset_goes_backwards (row, value)) {
        if (row->has_proposed)
            rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_PRESET);
        return;
    }
    RfReasonId why = preset->verdict == RF_VERDICT_EXPERT ? row->why
                     : value == preset->value.n[0]        ? RF_WHY_PRESET
                                                          : RF_WHY_PRESET_CLAMPED;
    rf_advice_propose (row, preset->verdict, why, rf_value_int (value));
    row->cost = RF_COST_NONE;
    row->doubt = preset->doubt;
    if (g_str_equal (row->tunable->id, "vm.watermark_scale_factor")) {
        row->cost = RF_COST_MEMORY;
        row->cost_bytes = rf_advice_scale_factor_cost (advice, value);
    } else if (g_str_equal (row->tunable->id, "vm.swappiness")) {
        row->cost = RF_COST_CPU;
    }
}

void
rf_advice_preset (const RfAdvice *advice, RfRecommendation *row)
{
    const PresetRow *preset = NULL;
    if (advice->preset == RF_PRESET_CASE_STUDY)
        preset = find_row (case_study, G_N_ELEMENTS (case_study), row->tunable->id);
    else if (advice->preset == RF_PRESET_AUDIO)
        preset = find_row (audio, G_N_ELEMENTS (audio), row->tunable->id);
    if (preset == NULL || row->verdict == RF_VERDICT_REFUSED)
        return;
    if (preset->only_zram && rf_advice_has_swap (advice->facts, FALSE, TRUE))
        return;
    if (row->tunable->kind == RF_VALUE_DIRTY)
        preset_dirty (advice, row, preset);
    else if (g_str_equal (row->tunable->id, "vm.min_free_kbytes"))
        preset_min_free (advice, row, preset);
    else
        preset_int (advice, row, preset);
}
