#define G_LOG_DOMAIN "rf-interrupts"
#include "config.h"

#include "rf-interrupts.h"

#include "rf-delta.h"
#include "rf-text.h"

/* "TLB:       3865       2910   TLB shootdowns" */
static void
parse_row (const char *cursor, const char *end, RfInterrupts *out)
{
    guint64 value;
    while (rf_text_scan_uint64 (&cursor, end, &value)) {
        rf_counter_add (&out->tlb_shootdowns, value);
        out->n_cpus++;
    }
    /* the label follows; digits that did not fit or have letters behind them do not make a count */
    const char *word;
    gsize length;
    gboolean blank = cursor < end && (*cursor == ' ' || *cursor == '\t');
    gboolean label = rf_text_next_word (&cursor, end, &word, &length);
    if (out->n_cpus == 0 || (label && (!blank || !g_ascii_isalpha (word[0]))))
        rf_interrupts_missing (RF_AVAIL_MALFORMED, out);
}

void
rf_interrupts_missing (RfAvail why, RfInterrupts *out)
{
    out->tlb_shootdowns = RF_COUNTER_MISSING (why);
    out->n_cpus = 0;
}

void
rf_interrupts_parse (const char *text, gsize length, RfInterrupts *out)
{
    rf_interrupts_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *word;
    gsize word_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        if (rf_text_next_word (&line, line_end, &word, &word_length) && rf_text_word_is (word, word_length, "TLB:")) {
            parse_row (line, line_end, out);
            return;
        }
    }
}

void
rf_interrupts_read (RfSysroot *sysroot, RfInterrupts *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *text = rf_sysroot_read_avail (sysroot, "proc/interrupts", &length, &avail);
    if (text != NULL)
        rf_interrupts_parse (text, length, out);
    else
        rf_interrupts_missing (avail, out);
}
