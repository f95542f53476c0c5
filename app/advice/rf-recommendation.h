/* What is proposed for this machine: one row per tunable and instance, with its reason, cost and doubt as data. The
 * sentences are made by rf-tunable-text. Pure: the same facts, current values and samples give the same rows. */
#pragma once

#include "rf-current.h"
#include "rf-plan.h"
#include "rf-sample.h"

G_BEGIN_DECLS

/**
 * RfVerdict:
 * @RF_VERDICT_RECOMMENDED: ticked by default
 * @RF_VERDICT_OPTIONAL: offered, not ticked
 * @RF_VERDICT_TRY: "worth trying, measure it", not ticked
 * @RF_VERDICT_FINE: already as it should be; nothing to do
 * @RF_VERDICT_EXPERT: only for those who search for it; not ticked
 * @RF_VERDICT_REFUSED: not for this machine; the reason says why
 */
typedef enum {
    RF_VERDICT_RECOMMENDED,
    RF_VERDICT_OPTIONAL,
    RF_VERDICT_TRY,
    RF_VERDICT_FINE,
    RF_VERDICT_EXPERT,
    RF_VERDICT_REFUSED,
    RF_N_VERDICTS,
} RfVerdict;

typedef enum {
    RF_PRESET_MACHINE,    /* computed for this machine */
    RF_PRESET_CASE_STUDY, /* X-Plane, 94 GiB: one machine's values, clamped to what is sane here */
    RF_PRESET_AUDIO,      /* low-latency audio: small dirty limits */
    RF_N_PRESETS,
} RfPreset;

/** RfReasonId: why; rf-tunable-text has one sentence for each. Extend together with it. */
typedef enum {
    RF_WHY_NONE,
    RF_WHY_HEAD_START,          /* distance low-min is below the larger of 150 MiB and 0.6 % of RAM */
    RF_WHY_HEAD_START_ENOUGH,
    RF_WHY_LEFT_ALONE,          /* min_free_kbytes: the scale factor does it for a quarter of the memory */
    RF_WHY_WRITE_STORM,         /* dirty limits: what the drive writes in 1 s / 5 s */
    RF_WHY_LIMIT_ALREADY_LOW,
    RF_WHY_DEFAULT_IS_FINE,
    RF_WHY_SCHEDULER_ALREADY,
    RF_WHY_SCHEDULER_TRY,
    RF_WHY_WBT_PROTECTS,
    RF_WHY_NO_NVME,
    RF_WHY_ZRAM_TRY,            /* swap lies on the data disk, memory and cores suffice */
    RF_WHY_ZRAM_NOT_NEEDED,     /* swap does not lie on the data disk */
    RF_WHY_ZRAM_NO_SWAP,
    RF_WHY_ZRAM_FOREIGN,
    RF_WHY_ZRAM_HIBERNATION,
    RF_WHY_ZRAM_MEMORY,
    RF_WHY_ZRAM_CORES,
    RF_WHY_ZRAM_MODULE,         /* the kernel has no zram */
    RF_WHY_PAGE_CLUSTER_ZRAM,   /* only zram swap: reading ahead costs CPU and brings nothing */
    RF_WHY_PAGE_CLUSTER_DISK,
    RF_WHY_SWAPPINESS_BOTH,     /* both schools, 1 and 180 */
    RF_WHY_NO_SWAP,
    RF_WHY_BOOST,
    RF_WHY_READAHEAD_RULES,
    RF_WHY_READAHEAD_BELOW,     /* a layer above decides */
    RF_WHY_NO_STUTTER_EFFECT,   /* network values: nothing to do with stutter */
    RF_WHY_PRESET,              /* part of the chosen preset */
    RF_WHY_PRESET_CLAMPED,      /* the preset's value would not be sane here */
    RF_WHY_32BIT,
    RF_WHY_CONTAINER,
    RF_WHY_UNAVAILABLE,         /* detail in the error text of rf_catalogue_available() */
    RF_WHY_SWAPPINESS_DISK,     /* swap on a drive: the kernel's value is left alone */
    RF_WHY_READAHEAD_HUGE,      /* larger than anything that makes sense, often a bogus io_opt */
    RF_WHY_ZRAM_OURS,           /* set up by Ruckelfrei already */
    RF_WHY_ZRAM_ZSWAP,          /* zswap already compresses in front of swap; both together mislead */
    RF_WHY_LIMIT_UNKNOWN,       /* the limit in force cannot be read, so nothing may be proposed */
    RF_WHY_ZRAM_OFF,            /* systemd.zram=0 on the kernel's command line: it would not come back at the next start */
    RF_N_REASONS,
} RfReasonId;

typedef enum {
    RF_COST_NONE,
    RF_COST_MEMORY,     /* cost_bytes are kept free all the time */
    RF_COST_THROUGHPUT, /* copying large files may show a lower speed */
    RF_COST_LATENCY_UNDER_SWAP, /* zram: raised the time everything waits 4.6 to 6.6 fold on two cores */
    RF_COST_POWER_CUT,  /* more may be lost at a power cut */
    RF_COST_CPU,
    RF_N_COSTS,
} RfCostId;

typedef enum {
    RF_DOUBT_NONE,
    RF_DOUBT_ONE_MACHINE, /* from one machine's measurements */
    RF_DOUBT_NO_EFFECT_SHOWN,
    RF_DOUBT_DISPUTED,
    RF_DOUBT_DRIVE_SPEED, /* the drive's write speed was assumed, not measured */
    RF_DOUBT_BTRFS,       /* small dirty limits have crushed writing on btrfs */
    RF_N_DOUBTS,
} RfDoubtId;

typedef struct {
    const RfTunable *tunable;
    char *instance;
    RfVerdict verdict;
    gboolean has_current;
    RfValue current;
    gboolean has_proposed;
    RfValue proposed;
    RfReasonId why;
    RfCostId cost;
    RfDoubtId doubt;
    guint64 cost_bytes;     /* RF_COST_MEMORY: additional bytes kept free */
    guint64 evidence_bytes; /* the number the reason speaks of: distance low-min now, limit in force now, 0: unknown */
    guint64 target_bytes;   /* the distance or limit that is aimed at, 0: none */
    char *detail;           /* untranslated, only for RF_WHY_UNAVAILABLE */
} RfRecommendation;

void rf_recommendation_free (RfRecommendation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfRecommendation, rf_recommendation_free)

/** RfCurrentSet: current values of every tunable and instance here; read once by rf_current_set_read(). */
typedef struct _RfCurrentSet RfCurrentSet;
RfCurrentSet *rf_current_set_read (RfSysroot *sysroot, const RfFacts *facts);
/** rf_current_set_new: an empty one, to be filled with rf_current_set_put() by somebody who knows the values already. */
RfCurrentSet *rf_current_set_new (void);
/** rf_current_set_put: @choices (nullable): what a CHOICE can be set to; copied */
void rf_current_set_put (RfCurrentSet *self, const RfTunable *tunable, const char *instance, const RfValue *value,
                         const char *const *choices);
void rf_current_set_free (RfCurrentSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RfCurrentSet, rf_current_set_free)
/** rf_current_set_get: Returns: FALSE if it could not be read; then @reason (transfer none) says why. */
gboolean rf_current_set_get (const RfCurrentSet *self, const RfTunable *tunable, const char *instance, RfValue *out,
                             const char **reason);
/** rf_current_set_choices: Returns: (transfer none) (nullable): what a CHOICE can be set to. */
const char *const *rf_current_set_choices (const RfCurrentSet *self, const RfTunable *tunable, const char *instance);

/**
 * rf_recommend:
 * @snapshot: (nullable): the last look at the machine: watermarks and limits in force
 *
 * Returns: (transfer full) (element-type RfRecommendation): in catalogue order, every tunable and instance of the
 * machine once, also those refused, so that a person sees why
 */
GPtrArray *rf_recommend (const RfFacts *facts, const RfCurrentSet *current, const RfSnapshot *snapshot,
                         RfPreset preset);

/** rf_recommend_head_start: the distance low-min in force now, bytes: from the watermarks of @snapshot, else by the
 * kernel's formula from the current values. 0: unknown. */
guint64 rf_recommend_head_start (const RfFacts *facts, const RfCurrentSet *current, const RfSnapshot *snapshot);
/** rf_recommend_head_start_target: the distance aimed at on this machine, bytes */
guint64 rf_recommend_head_start_target (const RfFacts *facts);

const char *rf_preset_nick (RfPreset preset); /* "machine", "case-study", "audio" */
gboolean rf_preset_from_nick (const char *nick, RfPreset *out);
const char *rf_verdict_nick (RfVerdict verdict);
/* stable machine words for --json: "head-start", "memory", "one-machine" */
const char *rf_why_nick (RfReasonId why);
const char *rf_cost_nick (RfCostId cost);
const char *rf_doubt_nick (RfDoubtId doubt);

G_END_DECLS
