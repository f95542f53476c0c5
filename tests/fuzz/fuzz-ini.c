#include "rf-fuzz.h"

#include "rf-ini.h"

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) lines = rf_ini_parse (data, size);
    guint last = 0;
    for (guint i = 0; i < lines->len; i++) {
        const RfIniLine *line = g_ptr_array_index (lines, i);
        g_assert_cmpuint (line->line, >, last);
        last = line->line;
        g_assert_true (line->section != NULL && line->value != NULL && line->key != NULL);
        g_assert_true (g_utf8_validate (line->text, -1, NULL));
    }
}
