#define G_LOG_DOMAIN "rf-work-plan"
#include "config.h"

#include "rf-work-plan.h"

#include "rf-error.h"
#include "rf-text.h"

#define MIB (1024 * 1024)
#define TERA_MIB (1024 * 1024)
/* threads, buffers, the file of the frame loop, frames in memory */
#define OVERHEAD 48
#define WARM_UP_S 5
#define LONGEST_TEXT 1024

/* what is sane; the machine's own limits come on top (rf-work-limits) */
static const struct {
    const char *name;
    gsize offset;
    guint min;
    guint max;
} fields[] = {
    {"base", G_STRUCT_OFFSET (RfWorkPlan, base), 0, 64 * TERA_MIB},
    {"working", G_STRUCT_OFFSET (RfWorkPlan, working), 1, TERA_MIB},
    {"idle", G_STRUCT_OFFSET (RfWorkPlan, idle), 1, TERA_MIB},
    {"ballast", G_STRUCT_OFFSET (RfWorkPlan, ballast), 0, 64 * TERA_MIB},
    {"set", G_STRUCT_OFFSET (RfWorkPlan, set), 1, 65536},
    {"kept", G_STRUCT_OFFSET (RfWorkPlan, kept), 1, 16},
    {"loaders", G_STRUCT_OFFSET (RfWorkPlan, loaders), 1, 16},
    {"tiles", G_STRUCT_OFFSET (RfWorkPlan, tiles), 1, 65536},
    {"pool", G_STRUCT_OFFSET (RfWorkPlan, pool), 1, 65536},
    {"cache", G_STRUCT_OFFSET (RfWorkPlan, cache), 0, 65536},
    {"image", G_STRUCT_OFFSET (RfWorkPlan, image), 1, 65536},
    {"rate", G_STRUCT_OFFSET (RfWorkPlan, rate), 0, 2000},
    {"surge", G_STRUCT_OFFSET (RfWorkPlan, surge), 0, 10000},
    {"period-ms", G_STRUCT_OFFSET (RfWorkPlan, period_ms), 100, 60000},
    {"hz", G_STRUCT_OFFSET (RfWorkPlan, hz), 1, 240},
    {"frame-kib", G_STRUCT_OFFSET (RfWorkPlan, frame_kib), 4, 10240},
    {"seed", G_STRUCT_OFFSET (RfWorkPlan, seed), 1, G_MAXUINT},
};

static guint *
field_of (RfWorkPlan *plan, gsize i)
{
    return &G_STRUCT_MEMBER (guint, plan, fields[i].offset);
}

gboolean
rf_work_plan_base (const RfMeminfo *memory, guint *out)
{
    if (!rf_counter_ok (memory->free) || !rf_counter_ok (memory->cached) || !rf_counter_ok (memory->buffers)
        || !rf_counter_ok (memory->shmem))
        return FALSE;
    guint64 cache = memory->cached.value + memory->buffers.value;
    guint64 files = cache > memory->shmem.value ? cache - memory->shmem.value : 0;
    *out = (guint)MIN ((memory->free.value + files) / MIB, 64 * TERA_MIB);
    return TRUE;
}

gboolean
rf_work_plan_compute (const RfMeminfo *memory, guint n_cpus, guint share, RfWorkPlan *out, GError **error)
{
    guint base;
    g_return_val_if_fail (share >= RF_WORK_SHARE_MIN && share <= RF_WORK_SHARE_MAX, FALSE);
    if (!rf_counter_ok (memory->available) || !rf_work_plan_base (memory, &base)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "/proc/meminfo does not tell what is available");
        return FALSE;
    }
    guint64 available = memory->available.value / MIB;
    guint limit = (guint)(MIN ((guint64)base, available) * share / 100);
    RfWorkPlan plan = {
        .base = base,
        .working = CLAMP (limit / 8, 1, 600),
        .idle = CLAMP (limit / 4, 1, 1536),
        .set = CLAMP (limit / 12, 1, 512),
        .kept = 3,
        .loaders = CLAMP (n_cpus + 1, 2, 3),
        .rate = 40,
        .surge = 100,
        .period_ms = 2500,
        .hz = 60,
        .frame_kib = 4096,
        .seed = 42,
    };
    /* what a set brings into the file cache has to be more than what the oldest set gives back, or no page is ever
     * reclaimed: the next set would find the memory of the last one */
    plan.tiles = plan.set + plan.set / 5;
    plan.cache = plan.tiles;
    plan.pool = 4 * plan.tiles;
    plan.image = 2 * plan.set;
    if (rf_work_plan_memory (&plan) > limit) {
        g_set_error (error, RF_ERROR, RF_ERROR_NO_MEMORY, "%u MiB are too little for a plan", limit);
        return FALSE;
    }
    plan.ballast = limit - rf_work_plan_memory (&plan);
    *out = plan;
    return TRUE;
}

gboolean
rf_work_plan_adapt (RfWorkPlan *plan, const RfMeminfo *memory, GError **error)
{
    guint base;
    if (plan->ballast == 0)
        return TRUE;
    if (!rf_work_plan_base (memory, &base)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "/proc/meminfo does not tell what is free");
        return FALSE;
    }
    gint64 ballast = (gint64)plan->ballast + base - plan->base;
    if (ballast < 1) {
        g_set_error (error, RF_ERROR, RF_ERROR_CONFLICT,
                     "%" G_GINT64_FORMAT " MiB less free than when the plan was made", (gint64)plan->base - base);
        return FALSE;
    }
    plan->ballast = (guint)ballast;
    plan->base = base;
    return TRUE;
}

guint
rf_work_plan_memory (const RfWorkPlan *plan)
{
    guint64 sum = (guint64)plan->working + plan->idle + plan->ballast + (guint64)plan->set * (plan->kept + 1) + OVERHEAD
                  + 3 * plan->frame_kib / 1024;
    return (guint)MIN (sum, G_MAXUINT);
}

guint
rf_work_plan_disk (const RfWorkPlan *plan)
{
    return plan->pool + plan->image + OVERHEAD;
}

guint64
rf_work_plan_written (const RfWorkPlan *plan, guint seconds)
{
    guint64 s = (guint64)seconds + WARM_UP_S;
    return plan->pool + s * plan->rate + s / 5 * plan->surge;
}

char *
rf_work_plan_to_text (const RfWorkPlan *plan)
{
    GString *text = g_string_new (NULL);
    RfWorkPlan copy = *plan;
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
        g_string_append_printf (text, "%s%s=%u", i > 0 ? "," : "", fields[i].name, *field_of (&copy, i));
    return g_string_free (text, FALSE);
}

/* "name=number" into its place; @seen has a bit for each */
static gboolean
parse_pair (const char *pair, RfWorkPlan *plan, guint32 *seen, GError **error)
{
    const char *equals = strchr (pair, '=');
    guint64 number;
    for (gsize i = 0; equals != NULL && i < G_N_ELEMENTS (fields); i++) {
        if (!rf_text_word_is (pair, (gsize)(equals - pair), fields[i].name))
            continue;
        if ((*seen & (1u << i)) != 0 || !rf_text_to_uint64 (equals + 1, &number))
            break;
        if (number < fields[i].min || number > fields[i].max) {
            g_set_error (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "%s: %u to %u", fields[i].name, fields[i].min,
                         fields[i].max);
            return FALSE;
        }
        *seen |= 1u << i;
        *field_of (plan, i) = (guint)number;
        return TRUE;
    }
    g_autofree char *shown = rf_text_printable (pair);
    g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "“%s”", shown);
    return FALSE;
}

gboolean
rf_work_plan_parse (const char *text, RfWorkPlan *out, GError **error)
{
    G_STATIC_ASSERT (G_N_ELEMENTS (fields) < 32);
    RfWorkPlan plan = {0};
    guint32 seen = 0;
    if (strlen (text) > LONGEST_TEXT) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_INVALID, "too long");
        return FALSE;
    }
    g_auto (GStrv) pairs = g_strsplit (text, ",", -1);
    for (char **pair = pairs; *pair != NULL; pair++)
        if (!parse_pair (*pair, &plan, &seen, error))
            return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
        if ((seen & (1u << i)) == 0) {
            g_set_error (error, RF_ERROR, RF_ERROR_INVALID, "%s=?", fields[i].name);
            return FALSE;
        }
    }
    if (plan.tiles > plan.pool || plan.loaders > plan.tiles || plan.loaders > plan.set) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_OUT_OF_RANGE, "loaders ≤ set, loaders ≤ tiles ≤ pool");
        return FALSE;
    }
    *out = plan;
    return TRUE;
}
