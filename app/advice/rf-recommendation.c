#define G_LOG_DOMAIN "rf-recommendation"
#include "config.h"

#include "rf-recommendation.h"

static const char *const preset_nicks[] = {"machine", "case-study", "audio"};
static const char *const verdict_nicks[] = {"recommended", "optional", "try", "fine", "expert", "refused"};

static const char *const why_nicks[] = {
    [RF_WHY_NONE] = "none",
    [RF_WHY_HEAD_START] = "head-start",
    [RF_WHY_HEAD_START_ENOUGH] = "head-start-enough",
    [RF_WHY_LEFT_ALONE] = "left-alone",
    [RF_WHY_WRITE_STORM] = "write-storm",
    [RF_WHY_LIMIT_ALREADY_LOW] = "limit-already-low",
    [RF_WHY_DEFAULT_IS_FINE] = "default-is-fine",
    [RF_WHY_SCHEDULER_ALREADY] = "scheduler-already",
    [RF_WHY_SCHEDULER_TRY] = "scheduler-try",
    [RF_WHY_WBT_PROTECTS] = "wbt-protects",
    [RF_WHY_NO_NVME] = "no-nvme",
    [RF_WHY_ZRAM_TRY] = "zram-try",
    [RF_WHY_ZRAM_NOT_NEEDED] = "zram-not-needed",
    [RF_WHY_ZRAM_NO_SWAP] = "zram-no-swap",
    [RF_WHY_ZRAM_FOREIGN] = "zram-foreign",
    [RF_WHY_ZRAM_HIBERNATION] = "zram-hibernation",
    [RF_WHY_ZRAM_MEMORY] = "zram-memory",
    [RF_WHY_ZRAM_CORES] = "zram-cores",
    [RF_WHY_ZRAM_MODULE] = "zram-module",
    [RF_WHY_PAGE_CLUSTER_ZRAM] = "page-cluster-zram",
    [RF_WHY_PAGE_CLUSTER_DISK] = "page-cluster-disk",
    [RF_WHY_SWAPPINESS_BOTH] = "swappiness-both",
    [RF_WHY_NO_SWAP] = "no-swap",
    [RF_WHY_BOOST] = "boost",
    [RF_WHY_READAHEAD_RULES] = "readahead-rules",
    [RF_WHY_READAHEAD_BELOW] = "readahead-below",
    [RF_WHY_NO_STUTTER_EFFECT] = "no-stutter-effect",
    [RF_WHY_PRESET] = "preset",
    [RF_WHY_PRESET_CLAMPED] = "preset-clamped",
    [RF_WHY_32BIT] = "32bit",
    [RF_WHY_CONTAINER] = "container",
    [RF_WHY_UNAVAILABLE] = "unavailable",
    [RF_WHY_SWAPPINESS_DISK] = "swappiness-disk",
    [RF_WHY_READAHEAD_HUGE] = "readahead-huge",
    [RF_WHY_ZRAM_OURS] = "zram-ours",
    [RF_WHY_ZRAM_ZSWAP] = "zram-zswap",
    [RF_WHY_ZRAM_OFF] = "zram-off",
    [RF_WHY_LIMIT_UNKNOWN] = "limit-unknown",
};
static const char *const cost_nicks[] = {
    [RF_COST_NONE] = "none",
    [RF_COST_MEMORY] = "memory",
    [RF_COST_THROUGHPUT] = "throughput",
    [RF_COST_LATENCY_UNDER_SWAP] = "latency-under-swap",
    [RF_COST_POWER_CUT] = "power-cut",
    [RF_COST_CPU] = "cpu",
};
static const char *const doubt_nicks[] = {
    [RF_DOUBT_NONE] = "none",
    [RF_DOUBT_ONE_MACHINE] = "one-machine",
    [RF_DOUBT_NO_EFFECT_SHOWN] = "no-effect-shown",
    [RF_DOUBT_DISPUTED] = "disputed",
    [RF_DOUBT_DRIVE_SPEED] = "drive-speed",
    [RF_DOUBT_BTRFS] = "btrfs",
};

G_STATIC_ASSERT (G_N_ELEMENTS (why_nicks) == RF_N_REASONS);
G_STATIC_ASSERT (G_N_ELEMENTS (cost_nicks) == RF_N_COSTS);
G_STATIC_ASSERT (G_N_ELEMENTS (doubt_nicks) == RF_N_DOUBTS);
G_STATIC_ASSERT (G_N_ELEMENTS (preset_nicks) == RF_N_PRESETS);
G_STATIC_ASSERT (G_N_ELEMENTS (verdict_nicks) == RF_N_VERDICTS);

void
rf_recommendation_free (RfRecommendation *self)
{
    if (self == NULL)
        return;
    g_free (self->instance);
    g_free (self->detail);
    g_free (self);
}

const char *
rf_preset_nick (RfPreset preset)
{
    g_return_val_if_fail ((guint)preset < RF_N_PRESETS, "");
    return preset_nicks[preset];
}

gboolean
rf_preset_from_nick (const char *nick, RfPreset *out)
{
    g_return_val_if_fail (nick != NULL && out != NULL, FALSE);
    for (guint i = 0; i < RF_N_PRESETS; i++)
        if (g_str_equal (preset_nicks[i], nick)) {
            *out = (RfPreset)i;
            return TRUE;
        }
    return FALSE;
}

const char *
rf_verdict_nick (RfVerdict verdict)
{
    g_return_val_if_fail ((guint)verdict < RF_N_VERDICTS, "");
    return verdict_nicks[verdict];
}

const char *
rf_why_nick (RfReasonId why)
{
    g_return_val_if_fail ((guint)why < RF_N_REASONS, "");
    return why_nicks[why];
}

const char *
rf_cost_nick (RfCostId cost)
{
    g_return_val_if_fail ((guint)cost < RF_N_COSTS, "");
    return cost_nicks[cost];
}

const char *
rf_doubt_nick (RfDoubtId doubt)
{
    g_return_val_if_fail ((guint)doubt < RF_N_DOUBTS, "");
    return doubt_nicks[doubt];
}
