#define G_LOG_DOMAIN "rf-zoneinfo"
#include "config.h"

#include "rf-zoneinfo.h"

#include <string.h>

#include "rf-delta.h"
#include "rf-text.h"

/* the labels inside a zone; "high:" with a colon belongs to a page set and is another word */
static const struct {
    const char *key;
    gsize offset;
} fields[] = {
    {"min", G_STRUCT_OFFSET (RfZone, min)},
    {"low", G_STRUCT_OFFSET (RfZone, low)},
    {"high", G_STRUCT_OFFSET (RfZone, high)},
    {"managed", G_STRUCT_OFFSET (RfZone, managed)},
};

/* "Node 0, zone    DMA32" */
static gboolean
parse_heading (const char *cursor, const char *end, RfZone *zone)
{
    const char *word;
    gsize length;
    guint64 node;
    if (!rf_text_next_word (&cursor, end, &word, &length) || !rf_text_word_is (word, length, "Node")
        || !rf_text_scan_uint64 (&cursor, end, &node) || node > G_MAXUINT || cursor == end || *cursor++ != ','
        || !rf_text_next_word (&cursor, end, &word, &length) || !rf_text_word_is (word, length, "zone")
        || !rf_text_next_word (&cursor, end, &word, &length) || length >= sizeof zone->name)
        return FALSE;
    memset (zone, 0, sizeof *zone);
    zone->node = (guint)node;
    memcpy (zone->name, word, length);
    zone->free = zone->min = zone->low = zone->high = zone->managed = RF_COUNTER_MISSING (RF_AVAIL_NO_FIELD);
    return TRUE;
}

static void
set_once (RfCounter *field, const char *cursor, const char *end)
{
    guint64 value;
    const char *rest;
    gsize length;
    if (field->avail != RF_AVAIL_NO_FIELD)
        return;
    if (rf_text_scan_uint64 (&cursor, end, &value) && !rf_text_next_word (&cursor, end, &rest, &length))
        *field = RF_COUNTER (value);
    else
        *field = RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
}

static void
parse_line (const char *line, const char *line_end, RfZone *zone)
{
    const char *word;
    gsize length;
    if (!rf_text_next_word (&line, line_end, &word, &length))
        return;
    if (rf_text_word_is (word, length, "pages") && rf_text_next_word (&line, line_end, &word, &length)
        && rf_text_word_is (word, length, "free")) {
        set_once (&zone->free, line, line_end);
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
        if (rf_text_word_is (word, length, fields[i].key))
            set_once (&G_STRUCT_MEMBER (RfCounter, zone, fields[i].offset), line, line_end);
}

static void
sum_up (RfZoneinfo *self)
{
    gboolean first = TRUE;
    for (guint i = 0; i < self->zones->len; i++) {
        const RfZone *zone = &g_array_index (self->zones, RfZone, i);
        /* a zone without memory can still print thresholds, which nothing is ever measured against */
        if (rf_counter_ok (zone->managed) && zone->managed.value == 0)
            continue;
        self->free = first ? zone->free : rf_counter_sum (self->free, zone->free);
        self->min = first ? zone->min : rf_counter_sum (self->min, zone->min);
        self->low = first ? zone->low : rf_counter_sum (self->low, zone->low);
        self->high = first ? zone->high : rf_counter_sum (self->high, zone->high);
        self->managed = first ? zone->managed : rf_counter_sum (self->managed, zone->managed);
        first = FALSE;
    }
}

void
rf_zoneinfo_missing (RfAvail why, RfZoneinfo *out)
{
    out->zones = g_array_new (FALSE, FALSE, sizeof (RfZone));
    out->free = out->min = out->low = out->high = out->managed = RF_COUNTER_MISSING (why);
}

void
rf_zoneinfo_parse (const char *text, gsize length, RfZoneinfo *out)
{
    rf_zoneinfo_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end;
    RfZone zone;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        /* what belongs to a zone is indented */
        if (line < line_end && *line != ' ' && parse_heading (line, line_end, &zone))
            g_array_append_val (out->zones, zone);
        else if (out->zones->len > 0)
            parse_line (line, line_end, &g_array_index (out->zones, RfZone, out->zones->len - 1));
    }
    sum_up (out);
}

void
rf_zoneinfo_read (RfSysroot *sysroot, RfZoneinfo *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/zoneinfo", &length, &avail);
    if (text != NULL)
        rf_zoneinfo_parse (text, length, out);
    else
        rf_zoneinfo_missing (avail, out);
}

void
rf_zoneinfo_clear (RfZoneinfo *self)
{
    g_clear_pointer (&self->zones, g_array_unref);
}
