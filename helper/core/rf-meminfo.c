#define G_LOG_DOMAIN "rf-meminfo"
#include "config.h"

#include "rf-meminfo.h"

#include "rf-text.h"

static const struct {
    const char *key;
    gsize offset;
} fields[] = {
    {"MemTotal:", G_STRUCT_OFFSET (RfMeminfo, total)},
    {"MemFree:", G_STRUCT_OFFSET (RfMeminfo, free)},
    {"MemAvailable:", G_STRUCT_OFFSET (RfMeminfo, available)},
    {"Buffers:", G_STRUCT_OFFSET (RfMeminfo, buffers)},
    {"Cached:", G_STRUCT_OFFSET (RfMeminfo, cached)},
    {"AnonPages:", G_STRUCT_OFFSET (RfMeminfo, anon_pages)},
    {"Shmem:", G_STRUCT_OFFSET (RfMeminfo, shmem)},
    {"SReclaimable:", G_STRUCT_OFFSET (RfMeminfo, slab_reclaimable)},
    {"Dirty:", G_STRUCT_OFFSET (RfMeminfo, dirty)},
    {"Writeback:", G_STRUCT_OFFSET (RfMeminfo, writeback)},
    {"SwapTotal:", G_STRUCT_OFFSET (RfMeminfo, swap_total)},
    {"SwapFree:", G_STRUCT_OFFSET (RfMeminfo, swap_free)},
    {"SwapCached:", G_STRUCT_OFFSET (RfMeminfo, swap_cached)},
    {"Zswap:", G_STRUCT_OFFSET (RfMeminfo, zswap)},
    {"Zswapped:", G_STRUCT_OFFSET (RfMeminfo, zswapped)},
    {"LowTotal:", G_STRUCT_OFFSET (RfMeminfo, low_total)},
    {"HighTotal:", G_STRUCT_OFFSET (RfMeminfo, high_total)},
};

/* every line read here is in kB, which the kernel uses for KiB; without the unit it is something else */
static RfCounter
scan_kib (const char *cursor, const char *end)
{
    guint64 kib;
    const char *unit, *rest;
    gsize length;
    if (!rf_text_scan_uint64 (&cursor, end, &kib) || !rf_text_next_word (&cursor, end, &unit, &length)
        || !rf_text_word_is (unit, length, "kB") || rf_text_next_word (&cursor, end, &rest, &length)
        || kib > G_MAXUINT64 / 1024)
        return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    return RF_COUNTER (kib * 1024);
}

static RfCounter
swap_used (RfCounter total, RfCounter available)
{
    if (!rf_counter_ok (total))
        return total;
    if (!rf_counter_ok (available))
        return available;
    if (available.value > total.value)
        return RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    return RF_COUNTER (total.value - available.value);
}

void
rf_meminfo_missing (RfAvail why, RfMeminfo *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
        G_STRUCT_MEMBER (RfCounter, out, fields[i].offset) = RF_COUNTER_MISSING (why);
    out->swap_used = RF_COUNTER_MISSING (why);
}

void
rf_meminfo_parse (const char *text, gsize length, RfMeminfo *out)
{
    rf_meminfo_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *key;
    gsize key_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (!rf_text_next_word (&line, line_end, &key, &key_length))
            continue;
        for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
            RfCounter *field = &G_STRUCT_MEMBER (RfCounter, out, fields[i].offset);
            if (field->avail == RF_AVAIL_NO_FIELD && rf_text_word_is (key, key_length, fields[i].key))
                *field = scan_kib (line, line_end);
        }
    }
    out->swap_used = swap_used (out->swap_total, out->swap_free);
}

void
rf_meminfo_read (RfSysroot *sysroot, RfMeminfo *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/meminfo", &length, &avail);
    if (text != NULL)
        rf_meminfo_parse (text, length, out);
    else
        rf_meminfo_missing (avail, out);
}
