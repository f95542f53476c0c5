#include "rf-fuzz.h"

#include "rf-sysctl-files.h"

#include <string.h>

RF_FUZZ (data, size)
{
    g_autoptr (GPtrArray) lines = rf_sysctl_lines_parse (data, size);
    guint last = 0;
    for (guint i = 0; i < lines->len; i++) {
        const RfSysctlLine *line = g_ptr_array_index (lines, i);
        g_assert_cmpuint (line->line, >, last);
        last = line->line;
        g_assert_true (g_utf8_validate (line->text, -1, NULL) && strpbrk (line->text, "\n\r") == NULL);
        g_assert_true ((line->key == NULL) == (line->state == RF_SYSCTL_BROKEN));
        g_assert_true (line->key == NULL || (line->key[0] != '/' && strstr (line->key, "//") == NULL));
        gint64 number;
        if (line->value != NULL && rf_sysctl_number (line->value, &number))
            g_assert_null (strchr (line->value, '"') == line->value ? line->value : NULL);
    }
}
