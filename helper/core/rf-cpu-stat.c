#define G_LOG_DOMAIN "rf-cpu-stat"
#include "config.h"

#include "rf-cpu-stat.h"

#include <string.h>

#include "rf-delta.h"
#include "rf-text.h"

/* the order of the line */
static const gsize columns[] = {
    G_STRUCT_OFFSET (RfCpuStat, user),    G_STRUCT_OFFSET (RfCpuStat, nice),   G_STRUCT_OFFSET (RfCpuStat, system),
    G_STRUCT_OFFSET (RfCpuStat, idle),    G_STRUCT_OFFSET (RfCpuStat, iowait), G_STRUCT_OFFSET (RfCpuStat, irq),
    G_STRUCT_OFFSET (RfCpuStat, softirq), G_STRUCT_OFFSET (RfCpuStat, steal),
};

static void
parse_totals (const char *cursor, const char *end, RfCpuStat *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (columns); i++) {
        const char *word;
        gsize length;
        if (!rf_text_next_word (&cursor, end, &word, &length))
            break;
        const char *digits = word;
        guint64 value;
        gboolean good = rf_text_scan_uint64 (&digits, word + length, &value) && digits == word + length;
        G_STRUCT_MEMBER (RfCounter, out, columns[i])
            = good ? RF_COUNTER (value) : RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    }
    RfCounter busy = rf_counter_sum (rf_counter_sum (out->user, out->nice), out->system);
    /* 2.4 kernels have four columns; what they lack is inside "system" */
    if (out->irq.avail != RF_AVAIL_NO_FIELD)
        busy = rf_counter_sum (busy, rf_counter_sum (out->irq, out->softirq));
    RfCounter total = rf_counter_sum (busy, out->idle);
    if (out->iowait.avail != RF_AVAIL_NO_FIELD)
        total = rf_counter_sum (total, out->iowait);
    if (out->steal.avail != RF_AVAIL_NO_FIELD)
        total = rf_counter_sum (total, out->steal);
    out->busy = busy;
    out->total = total;
}

void
rf_cpu_stat_missing (RfAvail why, RfCpuStat *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
        G_STRUCT_MEMBER (RfCounter, out, columns[i]) = RF_COUNTER_MISSING (why);
    out->busy = out->total = RF_COUNTER_MISSING (why);
    out->n_cpus = 0;
}

void
rf_cpu_stat_parse (const char *text, gsize length, RfCpuStat *out)
{
    rf_cpu_stat_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *word;
    gsize word_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        /* the CPUs come first; what follows is long and not needed */
        if (!rf_text_next_word (&line, line_end, &word, &word_length) || word_length < 3
            || memcmp (word, "cpu", 3) != 0)
            break;
        if (word_length > 3)
            out->n_cpus++;
        else if (out->total.avail == RF_AVAIL_NO_FIELD)
            parse_totals (line, line_end, out);
    }
}

void
rf_cpu_stat_read (RfSysroot *sysroot, RfCpuStat *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/stat", &length, &avail);
    if (text != NULL)
        rf_cpu_stat_parse (text, length, out);
    else
        rf_cpu_stat_missing (avail, out);
}
