#define G_LOG_DOMAIN "rf-measure"
#include "config.h"

#include "rf-measurer.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "rf-array.h"
#include "rf-clock.h"
#include "rf-measure-backlog.h"
#include "rf-trace.h"

/* Room for the end and the self-check, also when the reader has let everything run full. */
#define SAMPLES_RESERVE (16 * 1024)
/* A minute of the worst that was seen: 700 reclaims a second. */
#define EVENTS_TRACED (4 * 1024 * 1024)
#define EVENTS_NONE (8 * 1024)
#define COMMENT_MAX 256
#define NS_PER_SEC G_GINT64_CONSTANT (1000000000)
#define WARM_UP_ROUNDS 10

/* Below these 5 % would be a matter of what was under way at the start and at the end. */
#define LEAST_SAMPLES 20
#define LEAST_RECLAIMS 100
#define LEAST_BYTES (64 * 1024 * 1024)

/* what the thread has used so far */
typedef struct {
    gint64 cpu_us;
    gint64 minor_faults;
    gint64 major_faults;
} Usage;

struct _RfMeasurer {
    RfMeasureOptions options;
    RfSysroot *kernel; /* keeps its files open */
    RfTrace *trace;    /* NULL: not wanted */
    RfMeasureBacklog *samples;
    RfMeasureBacklog *events;
    char **disks;
    char *line;
    gsize line_size;
    char event_line[RF_EVENT_LINE_MAX];

    RfSnapshot *first; /* when the trace began: what it is compared with */
    RfSnapshot *before;
    gint64 begin_ns;
    gint64 sent_ns; /* time of the last sample that was not dropped */
    gint64 due_ns;  /* of the tick before; 0: there was none */
    gint64 asleep_us;
    const char *gap; /* why there is none between the last sample and the next; NULL: there is no gap */
    guint64 sent;
    guint64 dropped; /* since the last one that was not */

    Usage usage;     /* at the last sample that was not dropped */
    gint32 tid;      /* of this thread */
    gint64 reclaims; /* of this thread since then */
    guint64 events_dropped;
};

static void
read_usage (Usage *out)
{
    struct rusage usage = {0};
    struct timespec cpu = {0};
    getrusage (RUSAGE_THREAD, &usage);
    clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
    out->cpu_us = (gint64)cpu.tv_sec * G_USEC_PER_SEC + cpu.tv_nsec / 1000;
    out->minor_faults = usage.ru_minflt;
    out->major_faults = usage.ru_majflt;
}

static gsize
format_sample (RfMeasurer *self, const RfSnapshot *before, const RfSnapshot *now, gint64 time_ns,
               const RfSampleCost *cost)
{
    g_autoptr (RfSample) sample = rf_sample_derive (before, now);
    return rf_sample_line_format (sample, time_ns, (const char *const *)self->disks, cost, self->line, self->line_size);
}

/* What a tick does, until nothing of it is new: files are open, allocations have found their place, code is in memory.
 */
static void
warm_up (RfMeasurer *self)
{
    for (guint i = 0; i < WARM_UP_ROUNDS; i++) {
        const RfEvent event = {.kind = RF_EVENT_LOST, .amount = 0.5 + i};
        RfSnapshot *now = rf_snapshot_read (self->kernel);
        Usage usage;
        read_usage (&usage);
        rf_clock_asleep ();
        rf_event_format (&event, self->event_line, sizeof self->event_line);
        format_sample (self, self->before, now, 0, &(RfSampleCost){0});
        rf_measure_backlog_flush (self->samples);
        rf_snapshot_free (self->before);
        self->before = now;
    }
}

RfMeasurer *
rf_measurer_new (RfSysroot *kernel, const RfMeasureOptions *options, int samples_fd, int events_fd, GError **error)
{
    g_autoptr (RfMeasurer) self = rf_new0 (RfMeasurer, 1);
    self->options = *options;
    self->tid = (gint32)gettid ();
    self->kernel = rf_sysroot_new_keeping (kernel);
    self->events = rf_measure_backlog_new (events_fd, options->trace ? EVENTS_TRACED : EVENTS_NONE, RF_EVENT_LINE_MAX);
    self->before = rf_snapshot_read (self->kernel);
    g_autoptr (RfSample) sample = rf_sample_derive (NULL, self->before);
    self->disks = rf_sample_line_disks (sample);
    self->line_size = rf_sample_line_max (g_strv_length (self->disks)) + COMMENT_MAX;
    self->line = g_malloc0 (self->line_size);
    gsize backlog = MIN (self->line_size * options->hz * RF_MEASURE_BACKLOG_SECONDS, RF_MEASURE_BACKLOG_MAX);
    self->samples = rf_measure_backlog_new (samples_fd, backlog + SAMPLES_RESERVE, SAMPLES_RESERVE);
    if (options->trace) {
        const RfTraceOptions trace = {.block = TRUE,
                                      .slow_io_us = options->slow_io_us,
                                      .sysroot = rf_sysroot_is_machine (kernel) ? NULL : kernel};
        self->trace = rf_trace_new (&trace, error);
        if (self->trace == NULL)
            return NULL;
    }
    self->first = rf_snapshot_read (self->kernel);
    warm_up (self);
    return g_steal_pointer (&self);
}

void
rf_measurer_free (RfMeasurer *self)
{
    if (self == NULL)
        return;
    g_clear_pointer (&self->trace, rf_trace_free);
    g_clear_pointer (&self->samples, rf_measure_backlog_free);
    g_clear_pointer (&self->events, rf_measure_backlog_free);
    g_clear_pointer (&self->first, rf_snapshot_free);
    g_clear_pointer (&self->before, rf_snapshot_free);
    g_clear_object (&self->kernel);
    g_strfreev (self->disks);
    g_free (self->line);
    g_free (self);
}

static void
push_comment (RfMeasurer *self, const RfSampleComment *comment)
{
    char text[COMMENT_MAX];
    gsize length = rf_sample_comment_format (comment, text, sizeof text);
    rf_measure_backlog_push_last (self->samples, text, length);
}

static void
push_anchor (RfMeasurer *self, const RfMeasureTime *time)
{
    const RfSampleComment anchor = {.kind = RF_SAMPLE_ANCHOR, .from_ns = time->now_ns, .wall_us = time->wall_us};
    push_comment (self, &anchor);
}

void
rf_measurer_begin (RfMeasurer *self, const RfMeasureTime *time)
{
    g_autofree char *header = rf_sample_line_header ((const char *const *)self->disks);
    rf_measure_backlog_push_last (self->samples, header, strlen (header));
    rf_measure_backlog_push_last (self->events, RF_EVENT_HEADER "\n", strlen (RF_EVENT_HEADER "\n"));
    push_anchor (self, time);
    g_clear_pointer (&self->before, rf_snapshot_free);
    self->begin_ns = time->now_ns;
    self->asleep_us = time->asleep_us;
    read_usage (&self->usage);
}

/* Sends the line that was formatted, with the gap before it if there is one; both or none. */
static gboolean
send_sample (RfMeasurer *self, gsize length, gint64 now_ns)
{
    char gap[COMMENT_MAX];
    RfSampleComment comment = {.kind = RF_SAMPLE_GAP, .from_ns = self->sent_ns, .to_ns = now_ns};
    gsize gap_length = 0;
    if (self->gap != NULL) {
        g_strlcpy (comment.word, self->gap, sizeof comment.word);
        gap_length = rf_sample_comment_format (&comment, gap, sizeof gap);
    }
    if (!rf_measure_backlog_fits (self->samples, gap_length + length))
        return FALSE;
    return rf_measure_backlog_push (self->samples, gap, gap_length)
           && rf_measure_backlog_push (self->samples, self->line, length);
}

/* A sleep, or a time in which nothing was measured. */
static void
find_gap (RfMeasurer *self, const RfMeasureTime *time)
{
    gboolean slept = time->asleep_us - self->asleep_us > RF_CLOCK_SLEPT_US;
    gint64 next_ns = self->due_ns + 2 * (NS_PER_SEC / self->options.hz);
    gboolean first = self->due_ns == 0;
    self->asleep_us = time->asleep_us;
    self->due_ns = time->due_ns;
    if (first)
        return;
    if (slept)
        push_anchor (self, time);
    if (self->gap == NULL && slept)
        self->gap = "suspend";
    else if (self->gap == NULL && time->now_ns >= next_ns)
        self->gap = "late";
}

static void
sink_cb (const RfEvent *event, gpointer data)
{
    rf_measurer_add_event (data, event);
}

gboolean
rf_measurer_tick (RfMeasurer *self, const RfMeasureTime *time)
{
    find_gap (self, time);
    RfSnapshot *now = rf_snapshot_read (self->kernel);
    now->monotonic_us = time->now_ns / 1000;
    now->asleep_us = time->asleep_us;
    if (self->trace != NULL)
        rf_trace_drain (self->trace, sink_cb, self);
    Usage usage;
    read_usage (&usage);
    const RfSampleCost cost = {
        .cpu_us = usage.cpu_us - self->usage.cpu_us,
        .minor_faults = usage.minor_faults - self->usage.minor_faults,
        .major_faults = usage.major_faults - self->usage.major_faults,
        .reclaims = self->trace != NULL ? self->reclaims : -1,
        .late_us = MAX ((time->now_ns - time->due_ns) / 1000, 0),
        .dropped = (gint64)self->dropped,
    };
    gsize length = format_sample (self, self->before, now, time->now_ns, &cost);
    rf_snapshot_free (self->before);
    self->before = now;
    /* first what waits, then the new line: a reader that has caught up loses nothing */
    RfMeasureFlow flow = rf_measure_backlog_flush (self->samples);
    if (send_sample (self, length, time->now_ns)) {
        self->sent++;
        self->sent_ns = time->now_ns;
        self->dropped = 0;
        self->reclaims = 0;
        self->usage = usage;
        self->gap = NULL;
    } else {
        self->dropped++;
        self->gap = "backlog";
    }
    if (flow == RF_MEASURE_FLOW_EMPTY)
        flow = rf_measure_backlog_flush (self->samples);
    /* whoever does not want the events may close them */
    rf_measure_backlog_flush (self->events);
    return flow != RF_MEASURE_FLOW_GONE;
}

static gboolean
send_event (RfMeasurer *self, const RfEvent *event)
{
    gsize length = rf_event_format (event, self->event_line, sizeof self->event_line);
    return rf_measure_backlog_push (self->events, self->event_line, length);
}

/* What was dropped is said before the next event that is not. */
static gboolean
send_events_dropped (RfMeasurer *self, gint64 time_ns)
{
    if (self->events_dropped == 0)
        return TRUE;
    const RfEvent lost = {.time_ns = time_ns, .kind = RF_EVENT_LOST, .amount = (double)self->events_dropped};
    if (!send_event (self, &lost))
        return FALSE;
    self->events_dropped = 0;
    return TRUE;
}

void
rf_measurer_add_event (RfMeasurer *self, const RfEvent *event)
{
    if (event->kind == RF_EVENT_RECLAIM && event->tid == self->tid)
        self->reclaims++;
    if (!send_events_dropped (self, event->time_ns) || !send_event (self, event))
        self->events_dropped++;
}

RfSampleCheckResult
rf_measure_check (guint64 found, guint64 expected, guint64 least)
{
    guint64 larger = MAX (found, expected), difference = larger - MIN (found, expected);
    if (larger < least)
        return RF_SAMPLE_TOO_FEW;
    return (double)difference <= 0.05 * (double)expected ? RF_SAMPLE_AGREES : RF_SAMPLE_DIFFERS;
}

static gboolean
check (RfMeasurer *self, const char *what, guint64 found, guint64 expected, guint64 least)
{
    RfSampleComment comment = {.kind = RF_SAMPLE_CHECK, .found = found, .expected = expected};
    g_strlcpy (comment.word, what, sizeof comment.word);
    comment.result = rf_measure_check (found, expected, least);
    push_comment (self, &comment);
    return comment.result != RF_SAMPLE_DIFFERS;
}

static const RfDiskRow *
find_row (const RfDiskstats *stats, const char *name)
{
    for (guint i = 0; i < stats->rows->len; i++) {
        const RfDiskRow *row = &g_array_index (stats->rows, RfDiskRow, i);
        if (g_str_equal (row->name, name))
            return row;
    }
    return NULL;
}

/* The bytes of one disk. Stacked devices (device mapper, multipath heads) hand their requests on and have no queue of
 * requests, so nothing is traced for them; those with one have the folder "mq". */
static gboolean
check_disk (RfMeasurer *self, const RfDiskRow *now)
{
    const RfDiskRow *then = find_row (&self->first->diskstats, now->name);
    g_autofree char *queues = g_strconcat ("sys/block/", now->name, "/mq", NULL);
    if (then == NULL || then->diskseq != now->diskseq || now->read_sectors < then->read_sectors
        || now->write_sectors < then->write_sectors || !rf_sample_line_may_name (now->name)
        || !rf_sysroot_exists (self->kernel, queues))
        return TRUE;
    guint64 sectors = now->read_sectors - then->read_sectors + now->write_sectors - then->write_sectors;
    guint64 found = 0;
    for (guint i = 0; i < rf_trace_n_disks (self->trace); i++) {
        guint64 read_bytes = 0, write_bytes = 0;
        if (g_str_equal (rf_trace_disk (self->trace, i, &read_bytes, &write_bytes), now->name))
            found = read_bytes + write_bytes;
    }
    g_autofree char *what = g_strconcat ("bytes:", now->name, NULL);
    return check (self, what, found, sectors * RF_SECTOR_BYTES, LEAST_BYTES);
}

static gboolean
check_trace (RfMeasurer *self, const RfSnapshot *last)
{
    gboolean trusted = TRUE;
    RfCounter then = self->first->vmstat.allocstall, now = last->vmstat.allocstall;
    if (rf_counter_ok (then) && rf_counter_ok (now) && now.value >= then.value)
        trusted = check (self, "reclaim", rf_trace_reclaims (self->trace), now.value - then.value, LEAST_RECLAIMS);
    for (guint i = 0; i < last->diskstats.rows->len; i++) {
        const RfDiskRow *row = &g_array_index (last->diskstats.rows, RfDiskRow, i);
        if (row->kind == RF_DISK_ROW_WHOLE && row->reads + row->writes > 0)
            trusted = check_disk (self, row) && trusted;
    }
    return trusted;
}

void
rf_measurer_end (RfMeasurer *self, gint64 now_ns, const char *reason)
{
    g_autoptr (RfSnapshot) last = rf_snapshot_read (self->kernel);
    if (self->trace != NULL)
        rf_trace_flush (self->trace, sink_cb, self);
    send_events_dropped (self, now_ns);
    if (self->gap != NULL) {
        RfSampleComment gap = {.kind = RF_SAMPLE_GAP, .from_ns = self->sent_ns, .to_ns = now_ns};
        g_strlcpy (gap.word, self->gap, sizeof gap.word);
        push_comment (self, &gap);
    }
    RfSampleComment end = {.kind = RF_SAMPLE_END};
    g_strlcpy (end.word, reason, sizeof end.word);
    push_comment (self, &end);
    guint64 due = (guint64)((now_ns - self->begin_ns) / (NS_PER_SEC / self->options.hz)) + 1;
    gboolean trusted = check (self, "samples", self->sent, due, LEAST_SAMPLES);
    if (self->trace != NULL)
        trusted = check_trace (self, last) && trusted;
    push_comment (self, &(RfSampleComment){.kind = RF_SAMPLE_VERDICT, .trusted = trusted});
    rf_measurer_flush (self);
}

gboolean
rf_measurer_flush (RfMeasurer *self)
{
    RfMeasureFlow samples = rf_measure_backlog_flush (self->samples);
    RfMeasureFlow events = rf_measure_backlog_flush (self->events);
    return samples != RF_MEASURE_FLOW_FULL && events != RF_MEASURE_FLOW_FULL;
}
