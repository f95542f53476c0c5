#define G_LOG_DOMAIN "rf-pressure"
#include "config.h"

#include "rf-pressure.h"

#include <string.h>

#include "rf-text.h"

static const struct {
    const char *key;
    gboolean hundredths;
    gsize offset;
} fields[] = {
    {"avg10=", TRUE, G_STRUCT_OFFSET (RfPressureLine, avg10_x100)},
    {"avg60=", TRUE, G_STRUCT_OFFSET (RfPressureLine, avg60_x100)},
    {"avg300=", TRUE, G_STRUCT_OFFSET (RfPressureLine, avg300_x100)},
    {"total=", FALSE, G_STRUCT_OFFSET (RfPressureLine, total_us)},
};

static void
parse_field (const char *word, gsize length, RfPressureLine *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
        gsize stem = strlen (fields[i].key);
        if (length < stem || memcmp (word, fields[i].key, stem) != 0)
            continue;
        const char *cursor = word + stem, *end = word + length;
        guint64 value;
        gboolean good = fields[i].hundredths ? rf_text_scan_x100 (&cursor, end, &value)
                                             : rf_text_scan_uint64 (&cursor, end, &value);
        RfCounter *field = &G_STRUCT_MEMBER (RfCounter, out, fields[i].offset);
        *field = good && cursor == end ? RF_COUNTER (value) : RF_COUNTER_MISSING (RF_AVAIL_MALFORMED);
    }
}

void
rf_pressure_missing (RfAvail why, RfPressure *out)
{
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
        G_STRUCT_MEMBER (RfCounter, &out->some, fields[i].offset) = RF_COUNTER_MISSING (why);
        G_STRUCT_MEMBER (RfCounter, &out->full, fields[i].offset) = RF_COUNTER_MISSING (why);
    }
}

void
rf_pressure_parse (const char *text, gsize length, RfPressure *out)
{
    rf_pressure_missing (RF_AVAIL_NO_FIELD, out);
    if (length == 0)
        return;
    const char *cursor = text, *end = text + length, *line, *line_end, *word;
    gsize word_length;
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        RfPressureLine *target = NULL;
        if (!rf_text_next_word (&line, line_end, &word, &word_length))
            continue;
        if (rf_text_word_is (word, word_length, "some"))
            target = &out->some;
        else if (rf_text_word_is (word, word_length, "full"))
            target = &out->full;
        while (target != NULL && rf_text_next_word (&line, line_end, &word, &word_length))
            parse_field (word, word_length, target);
    }
}

void
rf_pressure_read (RfSysroot *sysroot, const char *resource, RfPressure *out)
{
    gsize length = 0;
    RfAvail avail;
    g_autofree char *path = g_strconcat ("proc/pressure/", resource, NULL);
    g_autofree char *text = rf_sysroot_read_avail (sysroot, path, &length, &avail);
    if (text != NULL)
        rf_pressure_parse (text, length, out);
    else
        rf_pressure_missing (avail, out);
}
