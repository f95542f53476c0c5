#define G_LOG_DOMAIN "rf-zram"
#include "config.h"

#include "rf-zram.h"

#include "rf-delta.h"
#include "rf-text.h"

static const gsize columns[] = {
    G_STRUCT_OFFSET (RfZramStat, stored),           G_STRUCT_OFFSET (RfZramStat, compressed),
    G_STRUCT_OFFSET (RfZramStat, mem_used),         G_STRUCT_OFFSET (RfZramStat, mem_limit),
    G_STRUCT_OFFSET (RfZramStat, mem_used_max),     G_STRUCT_OFFSET (RfZramStat, same_pages),
    G_STRUCT_OFFSET (RfZramStat, pages_compacted),  G_STRUCT_OFFSET (RfZramStat, huge_pages),
    G_STRUCT_OFFSET (RfZramStat, huge_pages_since),
};

void
rf_zram_stat_missing (RfAvail why, RfZramStat *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
        G_STRUCT_MEMBER (RfCounter, out, columns[i]) = RF_COUNTER_MISSING (why);
}

void
rf_zram_stat_parse (const char *text, gsize length, RfZramStat *out)
{
    rf_zram_stat_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *word;
    gsize word_length;
    if (!rf_text_next_whole_line (&cursor, end, &line, &line_end))
        return;
    for (gsize i = 0; i < G_N_ELEMENTS (columns); i++) {
        if (!rf_text_next_word (&line, line_end, &word, &word_length))
            return;
        const char *digits = word;
        guint64 value;
        gboolean good = rf_text_scan_uint64 (&digits, word + word_length, &value) && digits == word + word_length;
        G_STRUCT_MEMBER (RfCounter, out, columns[i])
            = good ? RF_COUNTER (value) : RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    }
}

void
rf_zram_stat_read (RfSysroot *sysroot, const char *device, RfZramStat *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *path = g_strconcat ("sys/block/", device, "/mm_stat", NULL);
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    if (text != NULL)
        rf_zram_stat_parse (text, length, out);
    else
        rf_zram_stat_missing (avail, out);
}

void
rf_zram_totals_init (RfZramTotals *self)
{
    self->devices = 0;
    self->disksize = self->stored = self->compressed = self->mem_used = RF_COUNTER_MISSING (RF_AVAIL_NO_DEVICE);
}

void
rf_zram_totals_add (RfZramTotals *self, RfCounter disksize, const RfZramStat *stat)
{
    if (rf_counter_ok (disksize) && disksize.value == 0)
        return;
    gboolean first = self->devices++ == 0;
    self->disksize = first ? disksize : rf_counter_sum (self->disksize, disksize);
    self->stored = first ? stat->stored : rf_counter_sum (self->stored, stat->stored);
    self->compressed = first ? stat->compressed : rf_counter_sum (self->compressed, stat->compressed);
    self->mem_used = first ? stat->mem_used : rf_counter_sum (self->mem_used, stat->mem_used);
}

RfAvail
rf_zram_ratio (RfCounter stored, RfCounter mem_used, double *ratio)
{
    if (!rf_counter_ok (stored))
        return stored.avail;
    if (!rf_counter_ok (mem_used))
        return mem_used.avail;
    if (stored.value == 0 || mem_used.value == 0)
        return RF_AVAIL_NO_FIELD;
    *ratio = (double)stored.value / (double)mem_used.value;
    return RF_AVAIL_OK;
}

gboolean
rf_zram_can_empty (guint64 stored, guint64 available, guint64 ram_bytes)
{
    const guint64 margin = MAX (G_GUINT64_CONSTANT (64) << 20, ram_bytes / 50);
    return available > margin && available - margin > stored;
}
