/* How things are, in one word for memory, drives and swap, and in one sentence for the whole: judged from what the last
 * minutes brought. rf_health_judge() is pure; the words are the same in the window and in the terminal. No GTK.
 * (Not to be mixed up with RfVerdict, which is about a setting.) */
#pragma once

#include "rf-facts.h"
#include "rf-sampler.h"

G_BEGIN_DECLS

/** RF_HEALTH_PERIOD: seconds that are looked back at, at most */
#define RF_HEALTH_PERIOD 300
/** RF_HEALTH_ENOUGH: seconds that must be known before anything is said */
#define RF_HEALTH_ENOUGH 5
#define RF_HEALTH_MAX_DISKS 16

/**
 * RfHealthDisk:
 * @busy_s: seconds with at least one request
 * @slow_s: of these, seconds whose mean latency was above what is usual for the kind of drive
 * @mean_ms: mean over the busy seconds; NAN if there was none
 * @worst_ms: the worst second
 */
typedef struct {
    char name[32];
    gboolean rotational;
    double busy_s;
    double slow_s;
    double mean_ms;
    double worst_ms;
} RfHealthDisk;

/** RfHealthInput: sums over the period; NAN where the kernel does not tell. Plain data, nothing to free. */
typedef struct {
    double seconds;       /* really covered */
    double stalls;        /* how often programs were held up to clear memory */
    double memory_some_s; /* seconds in which some program waited for memory */
    double memory_full_s; /* … in which all that wanted to run did */
    double io_full_s;
    double oom_kills;
    double swap_in_bytes;
    double swap_out_bytes;
    double swap_used_bytes;  /* now */
    double swap_total_bytes; /* 0: there is none */
    double cpu_busy;         /* mean ratio, 0..1 */
    double cpu_steal;        /* … that other virtual machines had */
    RfHealthDisk disk[RF_HEALTH_MAX_DISKS];
    guint n_disks;
} RfHealthInput;

typedef enum {
    RF_HEALTH_UNKNOWN, /* nothing known yet, or the kernel does not tell */
    RF_HEALTH_NONE,    /* there is no such thing here (no swap, no drive) */
    RF_HEALTH_CALM,
    RF_HEALTH_NOTICE,  /* worth a look, hardly felt */
    RF_HEALTH_TROUBLE, /* felt */
} RfHealthLevel;

/** RfFinding: what the sentence is about, the gravest first */
typedef enum {
    RF_FINDING_OOM,
    RF_FINDING_THRASHING,
    RF_FINDING_STALLS,
    RF_FINDING_SLOW_DISK,
    RF_FINDING_FEW_STALLS,
    RF_FINDING_SLOW_AT_TIMES,
    RF_FINDING_SWAP_FULL,
    RF_FINDING_CALM,
    RF_FINDING_LOOKING, /* not enough seconds yet */
    RF_FINDING_UNKNOWN, /* this kernel does not tell */
} RfFinding;

typedef struct {
    RfFinding finding;
    RfHealthLevel memory;
    RfHealthLevel disks;
    RfHealthLevel swap;
    RfHealthLevel cpu; /* never part of the finding: a busy processor is not what Ruckelfrei mends */
    guint worst_disk; /* index into the input's disks; G_MAXUINT if none had a request */
} RfHealth;

/** rf_health_read: @facts: (nullable): tells which drives rotate. @out: filled from the newest samples of @sampler */
void rf_health_read (RfSampler *sampler, const RfFacts *facts, RfHealthInput *out);
/** rf_health_read_seconds: the same, looking back at @seconds instead of RF_HEALTH_PERIOD */
void rf_health_read_seconds (RfSampler *sampler, const RfFacts *facts, double seconds, RfHealthInput *out);
void rf_health_judge (const RfHealthInput *input, RfHealth *out);

/**
 * rf_health_needs_tuning: whether the guided tuning has something to do about it. A slow drive whose queue Ruckelfrei does
 * not change is none of its business.
 * @facts: (nullable): tells which drives can be tuned
 */
gboolean rf_health_needs_tuning (const RfHealth *self, const RfHealthInput *input, const RfFacts *facts);

/** rf_health_swap_full: whether nine tenths of the swap are in use */
gboolean rf_health_swap_full (const RfHealthInput *input);

/* Words: translated, (transfer full) unless const. */
const char *rf_health_headline (const RfHealth *self);
char *rf_health_detail (const RfHealth *self, const RfHealthInput *input);
/** rf_health_instead: what can be done where the guided tuning cannot; NULL where it can or there is nothing to do */
char *rf_health_instead (const RfHealth *self, const RfHealthInput *input, const RfFacts *facts);
const char *rf_health_memory_word (const RfHealth *self); /* for a pill: "stalls", "calm" */
const char *rf_health_disks_word (const RfHealth *self);
const char *rf_health_swap_word (const RfHealth *self);
char *rf_health_memory_text (const RfHealth *self, const RfHealthInput *input);
char *rf_health_disks_text (const RfHealth *self, const RfHealthInput *input);
char *rf_health_swap_text (const RfHealth *self, const RfHealthInput *input);
/** rf_health_period_text: what stands after "in": "the last 5 minutes" */
char *rf_health_period_text (const RfHealthInput *input);
/* One line a group, which says it all: "Memory: calm", "Programs are waiting for memory: 214 stalls in the last minute" */
char *rf_health_memory_line (const RfHealth *self, const RfHealthInput *input);
char *rf_health_drives_line (const RfHealth *self, const RfHealthInput *input); /* drives and swap */
char *rf_health_cpu_line (const RfHealth *self, const RfHealthInput *input);
const char *rf_finding_nick (RfFinding finding); /* "stalls": for programs, never translated */
const char *rf_health_level_nick (RfHealthLevel level);

G_END_DECLS
