#include "rf-fuzz.h"

#include "rf-ini.h"

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) lines = rf_tmpfiles_parse (data, size);
    guint last = 0;
    for (guint i = 0; i < lines->len; i++) {
        const RfTmpfilesLine *line = g_ptr_array_index (lines, i);
        g_assert_cmpuint (line->line, >, last);
        last = line->line;
        g_assert_true (line->path[0] == '/' && g_utf8_validate (line->text, -1, NULL));
    }
}
