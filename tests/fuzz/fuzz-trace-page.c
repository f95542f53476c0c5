#include "rf-fuzz.h"

#include "rf-trace-page.h"

/* with the head of machines of 64 and of 32 bits */
static const RfTraceLayout layouts[] = {
    {.time_offset = 0, .commit_offset = 8, .commit_size = 8, .data_offset = 16, .size = 4096},
    {.time_offset = 0, .commit_offset = 8, .commit_size = 4, .data_offset = 12, .size = 4096},
};

RF_FUZZ (data, size)
{
    for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++) {
        const guint8 *bytes = (const guint8 *)data;
        RfTracePage page;
        RfTraceRecord record;
        gsize count = 0;
        guint sum = 0;
        rf_trace_page_open (&page, &layouts[i], bytes, size);
        while (rf_trace_page_next (&page, &record)) {
            g_assert_true (record.data >= bytes && record.data + record.length <= bytes + size);
            g_assert_cmpint (record.time_ns, >=, 0);
            for (gsize k = 0; k < record.length; k++)
                sum += record.data[k];
            count++;
        }
        /* each has a head at least */
        g_assert_cmpuint (4 * count, <=, size);
        g_assert_false (rf_trace_page_next (&page, &record));
        g_assert_cmpuint (sum, <=, 255 * size);
    }
}
