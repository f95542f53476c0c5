#define G_LOG_DOMAIN "rf-recommender"
#include "config.h"

#include "rf-recommender-private.h"

#include "rf-catalogue.h"
#include "rf-error.h"

#define READ_AHEAD_HUGE_KIB (64 * 1024)
#define READ_AHEAD_SANE_KIB 4096

typedef void (*Rule) (const RfAdvice *advice, RfRecommendation *row);

void
rf_advice_set (RfRecommendation *row, RfVerdict verdict, RfReasonId why)
{
    row->verdict = verdict;
    row->why = why;
    row->has_proposed = FALSE;
}

void
rf_advice_propose (RfRecommendation *row, RfVerdict verdict, RfReasonId why, RfValue value)
{
    row->verdict = verdict;
    row->why = why;
    row->has_proposed = TRUE;
    row->proposed = value;
}

gboolean
rf_advice_has_swap (const RfFacts *facts, gboolean zram, gboolean disk)
{
    for (guint i = 0; i < facts->swaps->len; i++) {
        const RfSwapDevice *swap = g_ptr_array_index (facts->swaps, i);
        if (swap->kind == RF_SWAP_ZRAM ? zram : disk)
            return TRUE;
    }
    return FALSE;
}

static void
min_free (const RfAdvice *advice, RfRecommendation *row)
{
    rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_LEFT_ALONE);
}

static void
default_is_fine (const RfAdvice *advice, RfRecommendation *row)
{
    rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_DEFAULT_IS_FINE);
}

/* "none" is a performance hint, never a must: on multi-queue NVMe it is the kernel's own default, and only some
 * distributions set another. */
static void
scheduler (const RfAdvice *advice, RfRecommendation *row)
{
    const char *const *choices = rf_current_set_choices (advice->current, row->tunable, row->instance);
    if (g_str_equal (row->current.token, "none")) {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_SCHEDULER_ALREADY);
        return;
    }
    if (choices == NULL || !g_strv_contains (choices, "none")) {
        default_is_fine (advice, row);
        return;
    }
    rf_advice_propose (row, RF_VERDICT_TRY, RF_WHY_SCHEDULER_TRY, rf_value_choice ("none"));
    row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
}

static void
wbt (const RfAdvice *advice, RfRecommendation *row)
{
    rf_advice_set (row, RF_VERDICT_EXPERT, RF_WHY_WBT_PROTECTS);
    row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
}

static void
boost (const RfAdvice *advice, RfRecommendation *row)
{
    rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_BOOST);
}

static void
read_ahead (const RfAdvice *advice, RfRecommendation *row)
{
    const RfReadahead *readahead = rf_facts_find_readahead (advice->facts, row->instance);
    if (readahead != NULL && !readahead->rules) {
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_READAHEAD_BELOW);
    } else if (row->current.n[0] > READ_AHEAD_HUGE_KIB) {
        rf_advice_propose (row, RF_VERDICT_OPTIONAL, RF_WHY_READAHEAD_HUGE, rf_value_int (READ_AHEAD_SANE_KIB));
        row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
    } else {
        rf_advice_set (row, RF_VERDICT_FINE, RF_WHY_READAHEAD_RULES);
    }
}

static void
expert (const RfAdvice *advice, RfRecommendation *row)
{
    rf_advice_set (row, RF_VERDICT_EXPERT, RF_WHY_NO_STUTTER_EFFECT);
    row->doubt = RF_DOUBT_NO_EFFECT_SHOWN;
}

static const struct {
    const char *id;
    Rule rule;
} rules[] = {
    {"vm.min_free_kbytes", min_free},
    {"vm.watermark_scale_factor", rf_advice_scale_factor},
    {"vm.dirty", rf_advice_dirty},
    {"vm.dirty_background", rf_advice_dirty},
    {"vm.dirty_expire_centisecs", default_is_fine},
    {"vm.dirty_writeback_centisecs", default_is_fine},
    {"block.scheduler", scheduler},
    {"block.wbt_lat_usec", wbt},
    {"swap.zram", rf_advice_zram},
    {"vm.page-cluster", rf_advice_page_cluster},
    {"vm.swappiness", rf_advice_swappiness},
    {"vm.watermark_boost_factor", boost},
    {"block.read_ahead_kb", read_ahead},
};

/* What no rule can change. zram has its own words for most of it and is asked only where it could be ours to change. */
static gboolean
refused_from_the_start (const RfAdvice *advice, RfRecommendation *row)
{
    g_autoptr (GError) error = NULL;
    const char *reason = NULL;
    if (advice->facts->container != NULL || advice->facts->sysctl_read_only) {
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_CONTAINER);
    } else if (!advice->facts->is_64bit) {
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_32BIT);
    } else if (row->tunable->backend == RF_BACKEND_ZRAM) { /* NOLINT(bugprone-branch-clone): not asked what follows */
        return FALSE;
    } else if (!rf_catalogue_available (row->tunable, row->instance, advice->facts, &error)) {
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_UNAVAILABLE);
        row->detail = g_strdup (error->message);
    } else if (!row->has_current) {
        rf_current_set_get (advice->current, row->tunable, row->instance, &row->current, &reason);
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_UNAVAILABLE);
        row->detail = g_strdup (reason);
    } else if ((row->tunable->needs & RF_NEEDS_SWAP) != 0 && advice->facts->swaps->len == 0) {
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_NO_SWAP);
    } else {
        return FALSE;
    }
    return TRUE;
}

static void
apply_rule (const RfAdvice *advice, RfRecommendation *row)
{
    Rule rule = row->tunable->group == RF_GROUP_EXPERT ? expert : default_is_fine;
    for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
        if (g_str_equal (rules[i].id, row->tunable->id))
            rule = rules[i].rule;
    rule (advice, row);
    rf_advice_preset (advice, row);

    /* nothing is proposed that is so already, and a row without a proposal has no price */
    if (row->has_proposed && row->has_current && rf_value_equal (&row->proposed, &row->current)) {
        row->has_proposed = FALSE;
        row->verdict = RF_VERDICT_FINE;
        if (row->why == RF_WHY_PRESET_CLAMPED)
            row->why = RF_WHY_PRESET;
    }
    if (!row->has_proposed) {
        row->cost = RF_COST_NONE;
        row->cost_bytes = 0;
        if (row->verdict != RF_VERDICT_EXPERT)
            row->doubt = RF_DOUBT_NONE;
    }
}

static RfRecommendation *
make_row (const RfAdvice *advice, const RfTunable *tunable, const char *instance)
{
    RfRecommendation *row = g_new0 (RfRecommendation, 1);
    row->tunable = tunable;
    row->instance = g_strdup (instance);
    row->verdict = RF_VERDICT_FINE;
    row->has_current = rf_current_set_get (advice->current, tunable, instance, &row->current, NULL);
    if (!refused_from_the_start (advice, row))
        apply_rule (advice, row);
    return row;
}

/* A setting of a device that this machine does not have: said once, so that nobody wonders where it went. */
static RfRecommendation *
make_row_without_device (const RfAdvice *advice, const RfTunable *tunable)
{
    RfRecommendation *row = g_new0 (RfRecommendation, 1);
    row->tunable = tunable;
    row->instance = g_strdup ("");
    if (advice->facts->container != NULL || advice->facts->sysctl_read_only)
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_CONTAINER);
    else if (!advice->facts->is_64bit)
        rf_advice_set (row, RF_VERDICT_REFUSED, RF_WHY_32BIT);
    else
        rf_advice_set (row, RF_VERDICT_REFUSED,
                       tunable->instances == RF_INSTANCE_NVME ? RF_WHY_NO_NVME : RF_WHY_UNAVAILABLE);
    return row;
}

static RfCounter
pages_to_bytes (RfCounter pages, guint page_size)
{
    return rf_counter_ok (pages) ? RF_COUNTER (pages.value * page_size) : pages;
}

GPtrArray *
rf_recommend (const RfFacts *facts, const RfCurrentSet *current, const RfSnapshot *snapshot, RfPreset preset)
{
    g_return_val_if_fail (facts != NULL && current != NULL && (guint)preset < RF_N_PRESETS, NULL);
    RfAdvice advice = {
        .facts = facts,
        .current = current,
        .preset = preset,
        .head_start = rf_recommend_head_start (facts, current, snapshot),
        .limit = RF_COUNTER_MISSING (RF_AVAIL_NO_BASELINE),
        .background_limit = RF_COUNTER_MISSING (RF_AVAIL_NO_BASELINE),
        .available = RF_COUNTER_MISSING (RF_AVAIL_NO_BASELINE),
    };
    if (snapshot != NULL) {
        advice.limit = pages_to_bytes (snapshot->vmstat.nr_dirty_threshold, snapshot->page_size);
        advice.background_limit = pages_to_bytes (snapshot->vmstat.nr_dirty_background_threshold, snapshot->page_size);
        advice.available = snapshot->meminfo.available;
    }

    GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_recommendation_free);
    gsize n = 0;
    const RfTunable *table = rf_tunable_list (&n);
    for (gsize i = 0; i < n; i++) {
        g_auto (GStrv) instances = rf_catalogue_instances (&table[i], facts);
        if (instances[0] == NULL)
            g_ptr_array_add (rows, make_row_without_device (&advice, &table[i]));
        for (char **instance = instances; *instance != NULL; instance++)
            g_ptr_array_add (rows, make_row (&advice, &table[i], *instance));
    }
    return rows;
}
