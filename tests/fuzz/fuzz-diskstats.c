#include "rf-fuzz.h"

#include <string.h>

#include "rf-diskstats.h"

RF_FUZZ (data, size)
{
    g_auto (RfDiskstats) out = {0};
    rf_diskstats_parse (data, size, &out);
    g_assert_cmpint (out.avail == RF_AVAIL_OK, ==, out.rows->len > 0);
    for (guint i = 0; i < out.rows->len; i++) {
        const RfDiskRow *row = &g_array_index (out.rows, RfDiskRow, i);
        g_assert_cmpuint (strnlen (row->name, sizeof row->name), <, sizeof row->name);
        g_assert_cmpuint (strnlen (row->head, sizeof row->head), <, sizeof row->head);
        g_assert_cmpint (row->kind == RF_DISK_ROW_PATH, ==, row->head[0] != '\0');
        g_assert_true (rf_diskstats_find (&out, row->name) != NULL);
        rf_fuzz_check (&row->discards, sizeof *row - G_STRUCT_OFFSET (RfDiskRow, discards));
    }
}
