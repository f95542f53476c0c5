#define G_LOG_DOMAIN "rf-vmstat"
#include "config.h"

#include "rf-vmstat.h"

#include <string.h>

#include "rf-delta.h"
#include "rf-text.h"

static const char *const any_suffix[] = {NULL};
static const char *const zone_suffixes[] = {"dma", "dma32", "normal", "high", "movable", "device", NULL};
static const char *const kind_suffixes[] = {"anon", "file", NULL};
/* who clears memory; the other family, anon and file, counts the same pages */
static const char *const actor_suffixes[] = {"kswapd", "direct", "khugepaged", "proactive", NULL};

typedef struct {
    const char *name;
    gsize length;
    const char *const *suffixes; /* names that are summed when the plain name is not there; NULL: plain only */
    gsize offset;
} Field;

#define FIELD(member, suffixes)                                                                                        \
    {                                                                                                                  \
#member, sizeof #member - 1, suffixes, G_STRUCT_OFFSET(RfVmstat, member)                                       \
    }

static const Field fields[] = {
    FIELD (allocstall, any_suffix),
    FIELD (pgsteal_direct, zone_suffixes),
    FIELD (pgsteal_kswapd, zone_suffixes),
    FIELD (pgscan_direct, zone_suffixes),
    FIELD (pgscan_kswapd, zone_suffixes),
    FIELD (pgsteal, actor_suffixes),
    FIELD (pgscan, actor_suffixes),
    FIELD (nr_free_pages, NULL),
    FIELD (nr_dirty, NULL),
    FIELD (nr_writeback, NULL),
    FIELD (nr_dirty_threshold, NULL),
    FIELD (nr_dirty_background_threshold, NULL),
    FIELD (pswpin, NULL),
    FIELD (pswpout, NULL),
    FIELD (pgmajfault, NULL),
    FIELD (workingset_refault, kind_suffixes),
    FIELD (oom_kill, NULL),
};

G_STATIC_ASSERT (sizeof (RfVmstat) == G_N_ELEMENTS (fields) * sizeof (RfCounter));

typedef enum {
    MATCH_NOT,
    MATCH_PLAIN,
    MATCH_PART,
} Match;

static gboolean
in_list (const char *const *list, const char *word, gsize length)
{
    for (; *list != NULL; list++)
        if (rf_text_word_is (word, length, *list))
            return TRUE;
    return FALSE;
}

/* Two hundred lines against twenty names, four times a second: one letter tells most of them apart. */
static inline Match
match (const Field *field, const char *key, gsize length)
{
    const gsize stem = field->length;
    if (length < stem || key[stem - 1] != field->name[stem - 1] || memcmp (key, field->name, stem) != 0)
        return MATCH_NOT;
    if (length == stem)
        return MATCH_PLAIN;
    if (field->suffixes == NULL || key[stem] != '_')
        return MATCH_NOT;
    gboolean ours = field->suffixes == any_suffix || in_list (field->suffixes, key + stem + 1, length - stem - 1);
    return ours ? MATCH_PART : MATCH_NOT;
}

static gboolean
scan_value (const char *cursor, const char *end, guint64 *value)
{
    const char *rest;
    gsize length;
    return rf_text_scan_uint64 (&cursor, end, value) && !rf_text_next_word (&cursor, end, &rest, &length);
}

void
rf_vmstat_missing (RfAvail why, RfVmstat *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
        G_STRUCT_MEMBER (RfCounter, out, fields[i].offset) = RF_COUNTER_MISSING (why);
}

/* Before 3.5 the kernel counted per zone only: pgsteal_normal. */
static void
fall_back_to_zones (RfCounter *total, RfCounter zones)
{
    if (total->avail == RF_AVAIL_NO_FIELD)
        *total = zones;
}

static void
add_part (const Field *field, const char *key, gsize length, const char *rest, const char *end, RfCounter *sum)
{
    guint64 value;
    if (match (field, key, length) == MATCH_PART && scan_value (rest, end, &value))
        rf_counter_add (sum, value);
}

void
rf_vmstat_parse (const char *text, gsize length, RfVmstat *out)
{
    static const Field old_steal = {"pgsteal", strlen ("pgsteal"), zone_suffixes, 0},
                       old_scan = {"pgscan", strlen ("pgscan"), zone_suffixes, 0};
    RfVmstat parts;
    RfCounter old_steals = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD), old_scans = old_steals;
    rf_vmstat_missing (RF_AVAIL_NO_FIELD, out);
    rf_vmstat_missing (RF_AVAIL_NO_FIELD, &parts);
    if (length == 0)
        return;

    const char *cursor = text, *end = text + length, *line, *line_end, *key;
    gsize key_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (!rf_text_next_word (&line, line_end, &key, &key_length))
            continue;
        for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
            Match found = match (&fields[i], key, key_length);
            if (found == MATCH_NOT)
                continue;
            RfVmstat *target = found == MATCH_PLAIN ? out : &parts;
            RfCounter *sum = &G_STRUCT_MEMBER (RfCounter, target, fields[i].offset);
            guint64 value;
            if (found == MATCH_PLAIN && sum->avail != RF_AVAIL_NO_FIELD)
                continue;
            if (scan_value (line, line_end, &value))
                rf_counter_add (sum, value);
            else
                *sum = RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
        }
        add_part (&old_steal, key, key_length, line, line_end, &old_steals);
        add_part (&old_scan, key, key_length, line, line_end, &old_scans);
    }
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
        fall_back_to_zones (&G_STRUCT_MEMBER (RfCounter, out, fields[i].offset),
                            G_STRUCT_MEMBER (RfCounter, &parts, fields[i].offset));
    /* zone-suffixed actors: pgsteal_kswapd_normal and so on (before 4.8) */
    fall_back_to_zones (&out->pgsteal, rf_counter_sum (out->pgsteal_direct, out->pgsteal_kswapd));
    fall_back_to_zones (&out->pgscan, rf_counter_sum (out->pgscan_direct, out->pgscan_kswapd));
    fall_back_to_zones (&out->pgsteal, old_steals);
    fall_back_to_zones (&out->pgscan, old_scans);
}

void
rf_vmstat_read (RfSysroot *sysroot, RfVmstat *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/vmstat", &length, &avail);
    if (text != NULL)
        rf_vmstat_parse (text, length, out);
    else
        rf_vmstat_missing (avail, out);
}
