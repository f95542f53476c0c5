#include "rf-fuzz.h"

#include <string.h>

#include "rf-trace-format.h"
#include "rf-trace-page.h"

RF_FUZZ (data, size)
{
    static const guint8 record[32] = {1, 2, 3, 4, 250, 251, 252, 253, 0xff, 0xff, 4, 0, 0xff, 0xff, 0xff, 0xff};
    RfTraceFormat format;
    RfTraceLayout layout;
    if (rf_trace_layout_parse (data, size, &layout)) {
        g_assert_cmpuint (layout.size, <=, RF_TRACE_PAGE_MAX);
        g_assert_cmpuint (layout.data_offset, <, layout.size);
        g_assert_cmpuint (layout.commit_offset + layout.commit_size, <=, layout.data_offset);
    }
    if (!rf_trace_format_parse (data, size, &format))
        return;
    g_assert_cmpuint (format.n_fields, >, 0);
    g_assert_cmpuint (format.n_fields, <=, RF_TRACE_FIELDS_MAX);
    g_assert_cmpuint (strnlen (format.name, sizeof format.name), <, sizeof format.name);
    for (guint i = 0; i < format.n_fields; i++) {
        const RfTraceField *field = &format.fields[i];
        const char *bytes = NULL;
        guint64 number;
        g_assert_cmpuint (strnlen (field->name, sizeof field->name), <, sizeof field->name);
        g_assert_true (rf_trace_format_find (&format, field->name) != NULL);
        for (gsize length = 0; length <= sizeof record; length += 4) {
            g_autofree guint8 *copy = g_memdup2 (record, MAX (length, 1));
            rf_trace_field_number (field, copy, length, &number);
            gsize n = rf_trace_field_bytes (field, copy, length, &bytes);
            g_assert_cmpuint (n, <=, length);
        }
    }
}
