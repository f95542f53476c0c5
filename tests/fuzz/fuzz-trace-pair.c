#include "rf-fuzz.h"

#include <string.h>

#include "rf-trace-merge.h"
#include "rf-trace-pair.h"

#define CPUS 3
#define PAGE 512

typedef struct {
    const char *data;
    gsize left;
} Input;

static const RfTraceLayout layout
    = {.time_offset = 0, .commit_offset = 8, .commit_size = 8, .data_offset = 16, .size = PAGE};

/* short records and small numbers, so that what belongs together is soon found */
#define COMMON                                                                                                         \
    "\tfield:unsigned char common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:int "                                  \
    "common_pid;\toffset:2;\tsize:1;\tsigned:1;\n"
#define REQUEST                                                                                                        \
    "\tfield:u8 dev;\toffset:4;\tsize:1;\tsigned:0;\n\tfield:u8 sector;\toffset:5;\tsize:1;\tsigned:0;\n"              \
    "\tfield:u8 nr_sector;\toffset:6;\tsize:1;\tsigned:0;\n\tfield:char rwbs[2];\toffset:7;\tsize:2;\tsigned:0;\n"     \
    "\tfield:__data_loc char[] comm;\toffset:12;\tsize:4;\tsigned:0;\n"
static const char *const formats[] = {
    "name: mm_vmscan_direct_reclaim_begin\nID: 1\nformat:\n" COMMON
    "\tfield:u8 order;\toffset:4;\tsize:1;\tsigned:1;\n",
    "name: mm_vmscan_direct_reclaim_end\nID: 2\nformat:\n" COMMON
    "\tfield:u8 nr_reclaimed;\toffset:4;\tsize:1;\tsigned:0;\n",
    "name: mark_victim\nID: 3\nformat:\n" COMMON
    "\tfield:int pid;\toffset:4;\tsize:4;\tsigned:1;\n\tfield:char comm[];\toffset:8;\tsize:16;\tsigned:0;\n",
    "name: block_rq_issue\nID: 4\nformat:\n" COMMON REQUEST,
    "name: block_rq_complete\nID: 5\nformat:\n" COMMON REQUEST,
    "name: block_rq_requeue\nID: 6\nformat:\n" COMMON REQUEST,
};

static gsize
read_page (gpointer user_data, guint cpu, guint8 *buffer, gsize size)
{
    Input *input = user_data;
    gsize got = MIN (size, input->left);
    if (got == 0)
        return 0;
    memcpy (buffer, input->data, got);
    input->data += got;
    input->left -= got;
    return got;
}

static void
sink (const RfEvent *event, gpointer user_data)
{
    guint *count = user_data;
    g_assert_cmpuint (event->kind, <, RF_N_EVENTS);
    g_assert_cmpint (event->duration_ns, >=, 0);
    g_assert_true (g_utf8_validate (event->process, -1, NULL));
    g_assert_true (g_utf8_validate (event->subject, -1, NULL));
    g_assert_false (event->amount < 0);
    ++*count;
}

RF_FUZZ (data, size)
{
    Input input = {data, size};
    RfTracePairOptions options = {.slow_ns = 1000};
    g_autoptr (RfTracePair) pair = rf_trace_pair_new (&options);
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&layout, CPUS, read_page, &input);
    RfTraceRecord record;
    guint events = 0, records = 0;
    for (gsize i = 0; i < G_N_ELEMENTS (formats); i++) {
        RfTraceFormat format;
        g_assert_true (rf_trace_format_parse (formats[i], strlen (formats[i]), &format));
        g_assert_true (rf_trace_pair_learn (pair, &format, NULL));
    }
    for (guint round = 1; round <= 4; round++) {
        rf_trace_merge_begin (merge, round < 4 ? (gint64)round << 61 : G_MAXINT64, CPUS);
        for (; rf_trace_merge_next (merge, &record); records++)
            rf_trace_pair_feed (pair, &record, sink, &events);
        rf_trace_pair_tick (pair, (gint64)round << 60, sink, &events);
    }
    g_assert_cmpuint (rf_trace_merge_pages (merge), <=, 4 * CPUS + size / PAGE);
    rf_trace_pair_end (pair, 1, sink, &events);
    g_assert_cmpuint (rf_trace_pair_orphans (pair), <=, 2 * (guint64)records);
}
