/* From records to events: what belongs together, what is left over, and how long it took. Each case with the formats of
 * Linux 6.18 and of 6.1. */
#include "config.h"

#include <string.h>

#include "rf-test-page.h"
#include "rf-trace-flight.h"
#include "rf-trace-histogram.h"
#include "rf-trace-merge.h"
#include "rf-trace-pair.h"

#define MS G_GINT64_CONSTANT (1000000)
#define DISK_A (8u << 20)
#define DISK_B (259u << 20 | 3)

typedef struct {
    RfTracePair *pair;
    RfTraceFormat begin, end, victim, issue, complete, requeue;
    GString *events; /* a line for each */
    guint asked;
} Rig;

static gboolean
find_thread (gpointer user_data, gint32 tid, RfTraceThread *out)
{
    Rig *rig = user_data;
    rig->asked++;
    if (tid < 100)
        return FALSE;
    out->pid = tid / 10 * 10;
    g_snprintf (out->name, sizeof out->name, "thread\n%d", tid);
    return TRUE;
}

static gboolean
find_disk (gpointer user_data, guint major, guint minor, char name[RF_TRACE_DISK_NAME])
{
    if (major != 8)
        return FALSE;
    g_snprintf (name, RF_TRACE_DISK_NAME, "sd%c", 'a' + minor / 16);
    return TRUE;
}

static void
sink (const RfEvent *event, gpointer user_data)
{
    static const char *const kinds[] = {"reclaim", "io", "histogram", "oom", "fault", "swap", "orphan", "lost"};
    Rig *rig = user_data;
    g_assert_true (g_utf8_validate (event->process, -1, NULL));
    g_assert_cmpint (event->duration_ns, >=, 0);
    g_string_append_printf (rig->events, "%s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT " %d/%d %s|%s %.0f\n",
                            kinds[event->kind], event->time_ns, event->duration_ns, event->pid, event->tid,
                            event->process, event->subject, event->amount);
}

static void
learn (Rig *rig, RfTraceFormat *format, const char *event, gboolean old)
{
    const char *missing = NULL;
    (old ? rf_test_trace_old_format : rf_test_trace_format) (event, format);
    g_assert_true (rf_trace_pair_learn (rig->pair, format, &missing));
    g_assert_null (missing);
}

static Rig *
rig_new (gboolean old)
{
    Rig *self = g_new0 (Rig, 1);
    RfTracePairOptions options = {5 * MS, find_thread, find_disk, self};
    self->events = g_string_new (NULL);
    self->pair = rf_trace_pair_new (&options);
    learn (self, &self->begin, "mm_vmscan_direct_reclaim_begin", old);
    learn (self, &self->end, "mm_vmscan_direct_reclaim_end", old);
    learn (self, &self->victim, "mark_victim", old);
    learn (self, &self->issue, "block_rq_issue", old);
    learn (self, &self->complete, "block_rq_complete", old);
    learn (self, &self->requeue, "block_rq_requeue", old);
    return self;
}

static void
rig_free (Rig *self)
{
    rf_trace_pair_free (self->pair);
    g_string_free (self->events, TRUE);
    g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Rig, rig_free)

/* what has been told since the last time */
static void
assert_events (Rig *self, const char *expected)
{
    g_assert_cmpstr (self->events->str, ==, expected);
    g_string_truncate (self->events, 0);
}

static void
feed (Rig *self, const RfTestRecord *record, gint64 time_ns)
{
    g_autofree guint8 *copy = g_memdup2 (record->bytes, record->length);
    rf_trace_pair_feed (self->pair, &(RfTraceRecord){time_ns, copy, record->length}, sink, self);
}

static void
reclaim (Rig *self, gint64 time_ns, const RfTraceFormat *format, guint tid, const char *field, guint64 value)
{
    RfTestRecord record;
    rf_test_record_begin (&record, format);
    rf_test_record_number (&record, "common_pid", tid);
    rf_test_record_number (&record, field, value);
    feed (self, &record, time_ns);
}

static void
request (Rig *self, gint64 time_ns, const RfTraceFormat *format, guint device, guint64 sector, guint sectors,
         const char *rwbs)
{
    RfTestRecord record;
    rf_test_record_begin (&record, format);
    rf_test_record_number (&record, "common_pid", 123);
    rf_test_record_number (&record, "dev", device);
    rf_test_record_number (&record, "sector", sector);
    rf_test_record_number (&record, "nr_sector", sectors);
    rf_test_record_text (&record, "rwbs", rwbs);
    if (format == &self->issue)
        rf_test_record_text (&record, "comm", "dd,\"x\"");
    feed (self, &record, time_ns);
}

static void
reclaims (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    reclaim (rig, 1000, &rig->begin, 123, "order", 0);
    reclaim (rig, 1500, &rig->begin, 45, "order", 9);
    reclaim (rig, 3000, &rig->end, 123, "nr_reclaimed", 49);
    assert_events (rig, "reclaim 1000+2000 120/123 thread\\x0a123|order 0 49\n");
    reclaim (rig, 1500 + 204 * MS, &rig->end, 45, "nr_reclaimed", 32);
    assert_events (rig, "reclaim 1500+204000000 0/45 |order 9 32\n");
    g_assert_cmpuint (rf_trace_pair_reclaims (rig->pair), ==, 2);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 0);

    /* an end without a beginning, a beginning whose end was lost, one that never ends */
    reclaim (rig, 5000, &rig->end, 123, "nr_reclaimed", 1);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 1);
    reclaim (rig, 6000, &rig->begin, 123, "order", 0);
    reclaim (rig, 7000, &rig->begin, 123, "order", 3);
    reclaim (rig, 9000, &rig->end, 123, "nr_reclaimed", 2);
    assert_events (rig, "reclaim 7000+2000 120/123 thread\\x0a123|order 3 2\n");
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 2);
    reclaim (rig, 10000, &rig->begin, 123, "order", 0);
    rf_trace_pair_end (rig->pair, 20000, sink, rig);
    assert_events (rig, "orphan 20000+0 0/0 | 3\n");
    g_assert_cmpuint (rf_trace_pair_reclaims (rig->pair), ==, 5);
}

static void
victims (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    RfTestRecord record;
    rf_test_record_begin (&record, &rig->victim);
    rf_test_record_number (&record, "common_pid", 1);
    rf_test_record_number (&record, "pid", 777);
    if (old == NULL)
        rf_test_record_text (&record, "comm", "Web Content");
    feed (rig, &record, 1000);
    assert_events (rig,
                   old != NULL ? "oom 1000+0 777/777 thread\\x0a777| nan\n" : "oom 1000+0 777/777 Web Content| nan\n");
}

static void
requests (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    guint64 read_bytes, write_bytes;
    /* a fast one is in the histogram only */
    request (rig, 0, &rig->issue, DISK_A, 100, 8, "RS");
    request (rig, 2048, &rig->complete, DISK_A, 100, 8, "RS");
    assert_events (rig, "");
    /* two at the same place of two disks, one of them slow */
    request (rig, 1000, &rig->issue, DISK_A, 200, 16, "W");
    request (rig, 1500, &rig->issue, DISK_B, 200, 8, "WS");
    request (rig, 3000, &rig->complete, DISK_A, 200, 16, "W");
    request (rig, 1500 + 5 * MS, &rig->complete, DISK_B, 200, 8, "WS");
    assert_events (rig, "io 1500+5000000 120/123 dd,\"x\"|259:3 write 4096\n");
    /* just below what is slow */
    request (rig, 0, &rig->issue, DISK_A, 300, 2048, "D");
    request (rig, 5 * MS - 1, &rig->complete, DISK_A, 300, 2048, "D");
    assert_events (rig, "");
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 0);
    g_assert_cmpuint (rf_trace_pair_n_disks (rig->pair), ==, 2);
    g_assert_cmpstr (rf_trace_pair_disk (rig->pair, 0, &read_bytes, &write_bytes), ==, "sda");
    g_assert_cmpuint (read_bytes, ==, 4096);
    g_assert_cmpuint (write_bytes, ==, 8192);
    g_assert_cmpstr (rf_trace_pair_disk (rig->pair, 1, &read_bytes, &write_bytes), ==, "259:3");
    g_assert_cmpuint (read_bytes, ==, 0);
    g_assert_cmpuint (write_bytes, ==, 4096);

    rf_trace_pair_end (rig->pair, 9, sink, rig);
    g_autofree char *expected = g_strdup_printf (
        "histogram 9+%" G_GINT64_FORMAT " 0/0 |sda read 1\nhistogram 9+%" G_GINT64_FORMAT
        " 0/0 |sda write 1\nhistogram 9+%" G_GINT64_FORMAT " 0/0 |sda discard 1\nhistogram 9+%" G_GINT64_FORMAT
        " 0/0 |259:3 write 1\n",
        rf_trace_bucket_edge (rf_trace_bucket (2048)), rf_trace_bucket_edge (rf_trace_bucket (2000)),
        rf_trace_bucket_edge (rf_trace_bucket (5 * MS - 1)), rf_trace_bucket_edge (rf_trace_bucket (5 * MS)));
    assert_events (rig, expected);
}

/* as Linux writes a file with fsync: the flush has another place at its end, and one more end is told that no disk has
 * seen */
static void
flushes (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    request (rig, 0, &rig->issue, DISK_A, 0, 0, "FF");
    request (rig, 6 * MS, &rig->complete, DISK_A, G_MAXUINT64, 0, "FF");
    request (rig, 6 * MS, &rig->complete, DISK_A, 0, 0, "WS");
    assert_events (rig, "io 0+6000000 120/123 dd,\"x\"|sda flush 0\n");
    /* a write with a flush before it; a command of the driver is no request that we know */
    request (rig, 0, &rig->issue, DISK_A, 50, 8, "FWFS");
    request (rig, 7 * MS, &rig->complete, DISK_A, 50, 8, "FWFS");
    request (rig, 8 * MS, &rig->issue, DISK_A, 0, 0, "N");
    request (rig, 9 * MS, &rig->complete, DISK_A, 0, 0, "N");
    assert_events (rig, "io 0+7000000 120/123 dd,\"x\"|sda write 4096\n");
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 0);
    request (rig, 9 * MS, &rig->complete, DISK_A, G_MAXUINT64, 0, "FF");
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 1);
}

static void
unusual_requests (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    guint64 read_bytes, write_bytes;
    /* the same place twice: the first that began ends first */
    request (rig, 0, &rig->issue, DISK_A, 1, 8, "R");
    request (rig, 10 * MS, &rig->issue, DISK_A, 1, 8, "R");
    request (rig, 20 * MS, &rig->complete, DISK_A, 1, 8, "R");
    request (rig, 21 * MS, &rig->complete, DISK_A, 1, 8, "R");
    assert_events (rig, "io 0+20000000 120/123 dd,\"x\"|sda read 4096\n"
                        "io 10000000+11000000 120/123 dd,\"x\"|sda read 4096\n");
    /* put back into the queue and issued once more */
    request (rig, 0, &rig->issue, DISK_A, 2, 8, "R");
    request (rig, 10 * MS, &rig->requeue, DISK_A, 2, 8, "R");
    request (rig, 20 * MS, &rig->issue, DISK_A, 2, 8, "R");
    request (rig, 27 * MS, &rig->complete, DISK_A, 2, 8, "R");
    assert_events (rig, "io 20000000+7000000 120/123 dd,\"x\"|sda read 4096\n");
    /* completed in two parts */
    request (rig, 0, &rig->issue, DISK_A, 16, 24, "R");
    request (rig, 1 * MS, &rig->complete, DISK_A, 16, 8, "R");
    request (rig, 8 * MS, &rig->complete, DISK_A, 24, 16, "R");
    assert_events (rig, "io 0+8000000 120/123 dd,\"x\"|sda read 8192\n");
    rf_trace_pair_disk (rig->pair, 0, &read_bytes, &write_bytes);
    g_assert_cmpuint (read_bytes, ==, 3 * 4096 + 24 * 512);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 0);
    /* in the wrong order: never a negative time, and its bytes are counted */
    request (rig, 9 * MS, &rig->issue, DISK_A, 3, 8, "R");
    request (rig, 8 * MS, &rig->complete, DISK_A, 3, 8, "R");
    request (rig, 8 * MS, &rig->complete, DISK_A, 4, 8, "R");
    assert_events (rig, "");
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 2);
    rf_trace_pair_disk (rig->pair, 0, &read_bytes, &write_bytes);
    g_assert_cmpuint (read_bytes, ==, 5 * 4096 + 24 * 512);
    /* never completed, and forgotten after a while */
    request (rig, 9 * MS, &rig->issue, DISK_A, 5, 8, "R");
    rf_trace_pair_tick (rig->pair, 9 * MS + RF_TRACE_GIVE_UP_NS, sink, rig);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 2);
    rf_trace_pair_tick (rig->pair, 9 * MS + RF_TRACE_GIVE_UP_NS + 1, sink, rig);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 3);
}

static void
storm (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    /* beginnings only, on more disks than are told apart */
    for (guint i = 0; i < 100000; i++)
        request (rig, i, &rig->issue, (i % (RF_TRACE_DISKS + 1)) << 20, i, 8, "R");
    g_assert_cmpuint (rf_trace_pair_n_disks (rig->pair), ==, RF_TRACE_DISKS);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 100000 - 8192);
    /* the last ones are still known */
    request (rig, 6 * MS, &rig->complete, (99999 % (RF_TRACE_DISKS + 1)) << 20, 99999, 8, "R");
    g_assert_nonnull (strstr (rig->events->str, "io 99999+5900001 "));
    g_string_truncate (rig->events, 0);
    for (guint i = 0; i < 100000; i++)
        reclaim (rig, i, &rig->begin, i, "order", 0);
    rf_trace_pair_end (rig->pair, 7, sink, rig);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 100000 - 1 + 100000);
    g_assert_cmpuint (rf_trace_pair_reclaims (rig->pair), ==, 100000);
}

static void
cut_records (gconstpointer old)
{
    g_autoptr (Rig) rig = rig_new (old != NULL);
    const RfTraceFormat *formats[] = {&rig->begin, &rig->end, &rig->victim, &rig->issue, &rig->complete, &rig->requeue};
    for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
        RfTestRecord record;
        rf_test_record_begin (&record, formats[i]);
        for (gsize length = 0; length <= record.length; length++) {
            g_autofree guint8 *copy = g_memdup2 (record.bytes, MAX (length, 1));
            rf_trace_pair_feed (rig->pair, &(RfTraceRecord){1, copy, length}, sink, rig);
        }
    }
    /* an event that was not learnt */
    rf_trace_pair_feed (rig->pair, &(RfTraceRecord){1, (const guint8 *)"\377\377\0\0\0\0\0\0", 8}, sink, rig);
    rf_trace_pair_end (rig->pair, 2, sink, rig);
}

/* each 10 s, and only what has changed */
static void
reports (void)
{
    g_autoptr (Rig) rig = rig_new (FALSE);
    g_autofree char *one = g_strdup_printf ("+%" G_GINT64_FORMAT " 0/0 |sda read 1\n", rf_trace_bucket_edge (0));
    rf_trace_pair_tick (rig->pair, 1, sink, rig);
    request (rig, 2, &rig->issue, DISK_A, 1, 8, "R");
    request (rig, 3, &rig->complete, DISK_A, 1, 8, "R");
    request (rig, 3, &rig->complete, DISK_A, 2, 8, "R");
    rf_trace_pair_tick (rig->pair, RF_TRACE_REPORT_NS, sink, rig);
    assert_events (rig, "");
    rf_trace_pair_tick (rig->pair, RF_TRACE_REPORT_NS + 1, sink, rig);
    g_assert_nonnull (strstr (rig->events->str, one));
    g_assert_nonnull (strstr (rig->events->str, "orphan "));
    g_string_truncate (rig->events, 0);
    rf_trace_pair_tick (rig->pair, 3 * RF_TRACE_REPORT_NS, sink, rig);
    assert_events (rig, "");
}

static void
missing_fields (void)
{
    static const struct {
        const char *event, *field;
        gboolean needed;
    } table[] = {
        {"block_rq_issue", "common_type", TRUE},
        {"block_rq_issue", "sector", TRUE},
        {"block_rq_issue", "comm", FALSE},
        {"block_rq_complete", "dev", TRUE},
        {"block_rq_complete", "error", FALSE},
        {"mm_vmscan_direct_reclaim_end", "nr_reclaimed", TRUE},
        {"mm_vmscan_direct_reclaim_begin", "gfp_flags", FALSE},
    };
    RfTracePairOptions options = {0};
    for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
        g_autoptr (RfTracePair) pair = rf_trace_pair_new (&options);
        const char *missing = NULL;
        RfTraceFormat format;
        rf_test_trace_format (table[i].event, &format);
        strcpy (((RfTraceField *)rf_trace_format_find (&format, table[i].field))->name, "other");
        g_assert_cmpint (rf_trace_pair_learn (pair, &format, &missing), ==, !table[i].needed);
        g_assert_cmpstr (missing, ==, table[i].needed ? table[i].field : NULL);
    }
}

static void
histogram (void)
{
    gint64 before = 0;
    for (guint bucket = 0; bucket < RF_TRACE_BUCKETS; bucket++) {
        gint64 edge = rf_trace_bucket_edge (bucket);
        g_assert_cmpint (edge, >, before);
        g_assert_cmpuint (rf_trace_bucket (edge - 1), ==, bucket);
        g_assert_cmpuint (rf_trace_bucket (before), ==, bucket);
        if (bucket > 0)
            g_assert_cmpfloat ((double)edge, <=, (double)before * 1.05 + 1);
        before = edge;
    }
    g_assert_cmpint (before, ==, (gint64)1 << 40);
    g_assert_cmpuint (rf_trace_bucket (G_MAXINT64), ==, RF_TRACE_BUCKETS - 1);
    g_assert_cmpuint (rf_trace_bucket (-1), ==, 0);

    /* the 99th percentile of 100,000 durations, by the counts and by sorting them */
    g_autofree guint *counts = g_new0 (guint, RF_TRACE_BUCKETS);
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
    g_autoptr (GRand) rand = g_rand_new_with_seed (1);
    for (guint i = 0; i < 100000; i++) {
        gint64 duration = 20000 + (gint64)(g_rand_double_range (rand, 0, 1) * g_rand_int_range (rand, 1, 9000000));
        g_array_append_val (all, duration);
        counts[rf_trace_bucket (duration)]++;
    }
    guint64 seen = 0;
    guint bucket = 0;
    while ((seen += counts[bucket]) < 99000)
        bucket++;
    guint64 longer = 0, least = G_MAXUINT64;
    for (guint i = 0; i < all->len; i++) {
        gint64 duration = g_array_index (all, gint64, i);
        longer += duration >= rf_trace_bucket_edge (bucket);
        if (duration >= rf_trace_bucket_edge (bucket - 1))
            least = MIN (least, (guint64)duration);
    }
    g_assert_cmpuint (longer, <=, 1000);
    g_assert_cmpfloat ((double)rf_trace_bucket_edge (bucket), <=, 1.05 * (double)least + 1);
}

static void
flights (void)
{
    g_autoptr (RfTraceFlights) table = rf_trace_flights_new (4);
    RfTraceFlight out;
    g_assert_false (rf_trace_flights_take (table, &(RfTraceFlight){.number = 1}, FALSE, &out));
    for (guint i = 0; i < 4; i++)
        g_assert_false (rf_trace_flights_add (table, &(RfTraceFlight){.number = i / 2, .begin_ns = i}));
    g_assert_true (rf_trace_flights_add (table, &(RfTraceFlight){.number = 9, .begin_ns = 4}));
    g_assert_cmpuint (rf_trace_flights_count (table), ==, 4);
    /* 0 was the oldest */
    g_assert_true (rf_trace_flights_take (table, &(RfTraceFlight){.number = 0}, FALSE, &out));
    g_assert_cmpint (out.begin_ns, ==, 1);
    g_assert_false (rf_trace_flights_take (table, &(RfTraceFlight){.number = 0}, FALSE, &out));
    g_assert_true (rf_trace_flights_take (table, &(RfTraceFlight){.number = 1}, TRUE, &out));
    g_assert_cmpint (out.begin_ns, ==, 3);
    g_assert_false (rf_trace_flights_take (table, &(RfTraceFlight){.number = 1, .device = 1}, TRUE, &out));
    g_assert_false (rf_trace_flights_take (table, &(RfTraceFlight){.number = 1, .kind = 1}, TRUE, &out));
    g_assert_cmpuint (rf_trace_flights_expire (table, 4), ==, 1);
    g_assert_cmpuint (rf_trace_flights_count (table), ==, 1);
    g_assert_true (rf_trace_flights_take (table, &(RfTraceFlight){.number = 9}, FALSE, &out));
    g_assert_cmpuint (rf_trace_flights_expire (table, G_MAXINT64), ==, 0);
}

/* what a kernel has recorded: 17 issues, 17 completions and the end that no disk has seen; nothing is left over */
static void
recorded (void)
{
    RfTestRecording recording;
    RfTraceRecord record;
    guint64 read_bytes, write_bytes;
    g_autoptr (Rig) rig = rig_new (FALSE);
    rf_test_recording_open (&recording);
    g_autoptr (RfTraceMerge) merge
        = rf_trace_merge_new (&rf_test_page_layout, RF_TEST_RECORDING_CPUS, rf_test_recording_read, &recording);
    rf_trace_merge_begin (merge, G_MAXINT64, 99);
    while (rf_trace_merge_next (merge, &record))
        rf_trace_pair_feed (rig->pair, &record, sink, rig);
    g_assert_cmpuint (rf_trace_pair_orphans (rig->pair), ==, 0);
    g_assert_cmpuint (rf_trace_pair_n_disks (rig->pair), ==, 1);
    g_assert_cmpstr (rf_trace_pair_disk (rig->pair, 0, &read_bytes, &write_bytes), ==, "254:0");
    g_assert_cmpuint (read_bytes, ==, (6 * 56 + 4 * 8 + 3 * 16 + 64) * 512);
    g_assert_cmpuint (write_bytes, ==, (16 + 8) * 512);
    assert_events (rig, "");
    rf_trace_pair_end (rig->pair, 1, sink, rig);
    /* the flush took 15509.030853 − 15509.030194 s */
    g_autofree char *flush = g_strdup_printf ("histogram 1+%" G_GINT64_FORMAT " 0/0 |254:0 flush 1\n",
                                              rf_trace_bucket_edge (rf_trace_bucket (659000)));
    g_assert_nonnull (strstr (rig->events->str, flush));
    rf_test_recording_close (&recording);
}

static void
add (const char *name, void (*test) (gconstpointer old))
{
    static const char *const kernels[] = {"6.18", "6.1"};
    for (guint i = 0; i < G_N_ELEMENTS (kernels); i++) {
        g_autofree char *path = g_strdup_printf ("/core/trace-pair/%s/%s", name, kernels[i]);
        g_test_add_data_func (path, GUINT_TO_POINTER (i), test);
    }
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    add ("reclaims", reclaims);
    add ("victims", victims);
    add ("requests", requests);
    add ("flushes", flushes);
    add ("unusual", unusual_requests);
    add ("storm", storm);
    add ("cut", cut_records);
    g_test_add_func ("/core/trace-pair/reports", reports);
    g_test_add_func ("/core/trace-pair/missing-fields", missing_fields);
    g_test_add_func ("/core/trace-pair/histogram", histogram);
    g_test_add_func ("/core/trace-pair/flights", flights);
    g_test_add_func ("/core/trace-pair/recorded", recorded);
    return g_test_run ();
}
