#include "rf-fuzz-import.h"

#include <string.h>

/* The first line, if it begins with "!", says what a column is: !COLUMN=NAME */
RF_FUZZ (data, size)
{
    g_autoptr (GHashTable) map = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    const char *end = size > 0 && data[0] == '!' ? memchr (data, '\n', size) : NULL;
    if (end != NULL) {
        g_autofree char *line = g_strndup (data + 1, (gsize)(end - data - 1));
        g_auto (GStrv) parts = g_strsplit (line, "=", 2);
        if (g_strv_length (parts) == 2)
            g_hash_table_insert (map, g_utf8_make_valid (parts[0], -1), g_utf8_make_valid (parts[1], -1));
        size -= (gsize)(end + 1 - data);
        data = end + 1;
    }
    rf_fuzz_import (data, size, RF_IMPORT_CSV, map);
}
