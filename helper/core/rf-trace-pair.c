#define G_LOG_DOMAIN "rf-trace-pair"
#include "config.h"

#include "rf-trace-pair.h"

#include <math.h>
#include <string.h>

#include "rf-trace-flight.h"
#include "rf-trace-histogram.h"

/* What a disk can have in work: NVMe queues of all processors together, with room. 8192 take 900 KiB. */
#define REQUESTS_MAX 8192
#define RECLAIMS_MAX 1024
#define SECTOR_BYTES 512
/* the kernel's own numbering, include/linux/kdev_t.h; what user space has is another */
#define MINOR_BITS 20

typedef enum {
    RECLAIM_BEGIN,
    RECLAIM_END,
    OOM_VICTIM,
    ISSUE,
    COMPLETE,
    REQUEUE,
    N_KINDS,
} Kind;

typedef enum {
    FIELD_TID,
    FIELD_ORDER,
    FIELD_RECLAIMED,
    FIELD_VICTIM,
    FIELD_NAME,
    FIELD_DEVICE,
    FIELD_SECTOR,
    FIELD_SECTORS,
    FIELD_OPERATION,
    N_FIELDS,
} Field;

static const char *const field_names[N_FIELDS] = {
    "common_pid", "order", "nr_reclaimed", "pid", "comm", "dev", "sector", "nr_sector", "rwbs",
};

#define NEEDS(field) (1u << (field))
#define NEEDS_REQUEST (NEEDS (FIELD_DEVICE) | NEEDS (FIELD_SECTOR) | NEEDS (FIELD_SECTORS) | NEEDS (FIELD_OPERATION))

/* include/trace/events/vmscan.h, oom.h, block.h. mark_victim tells the name since 6.9; before that only the pid. */
static const struct {
    const char *path;
    guint needs;
} kinds[N_KINDS] = {
    {"vmscan/mm_vmscan_direct_reclaim_begin", NEEDS (FIELD_TID) | NEEDS (FIELD_ORDER)},
    {"vmscan/mm_vmscan_direct_reclaim_end", NEEDS (FIELD_TID) | NEEDS (FIELD_RECLAIMED)},
    {"oom/mark_victim", NEEDS (FIELD_VICTIM)},
    {"block/block_rq_issue", NEEDS (FIELD_TID) | NEEDS_REQUEST},
    {"block/block_rq_complete", NEEDS_REQUEST},
    {"block/block_rq_requeue", NEEDS_REQUEST},
};

typedef enum {
    OPERATION_READ,
    OPERATION_WRITE,
    OPERATION_FLUSH,
    OPERATION_DISCARD,
    N_OPERATIONS,
} Operation;

static const char *const operation_names[N_OPERATIONS] = {"read", "write", "flush", "discard"};

typedef struct {
    guint32 device;
    char name[RF_TRACE_DISK_NAME];
    guint64 bytes[N_OPERATIONS];
    guint64 counts[N_OPERATIONS][RF_TRACE_BUCKETS];
    gboolean changed[N_OPERATIONS][RF_TRACE_BUCKETS];
} Disk;

struct _RfTracePair {
    RfTracePairOptions options;
    RfTraceField type; /* of the record; at the same place in all events */
    gboolean learnt[N_KINDS];
    guint16 ids[N_KINDS];
    RfTraceField fields[N_KINDS][N_FIELDS];
    gboolean has[N_KINDS][N_FIELDS];
    RfTraceFlights *requests, *reclaims;
    Disk *disks;
    guint n_disks;
    guint64 n_reclaims, orphans, orphans_told;
    gint64 report_ns;
};

/* one record, and where its news goes */
typedef struct {
    RfTracePair *self;
    const RfTraceRecord *record;
    Kind kind;
    RfTraceSink sink;
    gpointer user_data;
} Feed;

typedef struct {
    RfTraceFlight flight;
    Disk *disk;
    Operation operation;
} Request;

const char *const *
rf_trace_pair_events (gboolean block)
{
    static const char *const memory[]
        = {"vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end", "oom/mark_victim", NULL};
    static const char *const all[] = {"vmscan/mm_vmscan_direct_reclaim_begin",
                                      "vmscan/mm_vmscan_direct_reclaim_end",
                                      "oom/mark_victim",
                                      "block/block_rq_issue",
                                      "block/block_rq_complete",
                                      "block/block_rq_requeue",
                                      NULL};
    return block ? all : memory;
}

gboolean
rf_trace_pair_is_optional (const char *event)
{
    return strcmp (event, kinds[REQUEUE].path) == 0 || strcmp (event, kinds[OOM_VICTIM].path) == 0;
}

RfTracePair *
rf_trace_pair_new (const RfTracePairOptions *options)
{
    RfTracePair *self = g_new0 (RfTracePair, 1);
    self->options = *options;
    self->requests = rf_trace_flights_new (REQUESTS_MAX);
    self->reclaims = rf_trace_flights_new (RECLAIMS_MAX);
    self->disks = g_new0 (Disk, RF_TRACE_DISKS);
    return self;
}

void
rf_trace_pair_free (RfTracePair *self)
{
    if (self == NULL)
        return;
    rf_trace_flights_free (self->requests);
    rf_trace_flights_free (self->reclaims);
    g_free (self->disks);
    g_free (self);
}

gboolean
rf_trace_pair_learn (RfTracePair *self, const RfTraceFormat *format, const char **missing)
{
    const RfTraceField *type = rf_trace_format_find (format, "common_type");
    const char *lacks = "common_type";
    for (guint kind = 0; kind < N_KINDS; kind++) {
        if (strcmp (strchr (kinds[kind].path, '/') + 1, format->name) != 0)
            continue;
        gboolean good = type != NULL && type->size == 2;
        for (guint i = 0; good && i < N_FIELDS; i++) {
            const RfTraceField *field = rf_trace_format_find (format, field_names[i]);
            self->has[kind][i] = field != NULL;
            if (field != NULL)
                self->fields[kind][i] = *field;
            else if ((kinds[kind].needs & NEEDS (i)) != 0) {
                lacks = field_names[i];
                good = FALSE;
            }
        }
        if (!good)
            break;
        self->type = *type;
        self->ids[kind] = format->id;
        return self->learnt[kind] = TRUE;
    }
    if (missing != NULL)
        *missing = lacks;
    return FALSE;
}

static gboolean
read_number (const Feed *feed, Field field, guint64 *out)
{
    return rf_trace_field_number (&feed->self->fields[feed->kind][field], feed->record->data, feed->record->length,
                                  out);
}

static gsize
read_bytes (const Feed *feed, Field field, const char **out)
{
    if (!feed->self->has[feed->kind][field])
        return 0;
    return rf_trace_field_bytes (&feed->self->fields[feed->kind][field], feed->record->data, feed->record->length, out);
}

/* Who that thread is, if it is known and was not yet. */
static void
look_up (RfTracePair *self, RfTraceFlight *flight)
{
    RfTraceThread thread = {0};
    if (flight->pid != 0 || self->options.find_thread == NULL
        || !self->options.find_thread (self->options.user_data, flight->tid, &thread))
        return;
    flight->pid = thread.pid;
    if (flight->name[0] == '\0')
        memcpy (flight->name, thread.name, sizeof flight->name);
}

static void
set_name (RfEvent *event, const char *bytes, gsize length)
{
    rf_event_set_text (event->process, sizeof event->process, bytes, length);
}

static void
begin_reclaim (const Feed *feed, guint64 tid)
{
    RfTracePair *self = feed->self;
    RfTraceFlight flight = {.number = tid, .begin_ns = feed->record->time_ns, .tid = (gint32)tid}, old;
    if (!read_number (feed, FIELD_ORDER, &flight.amount)) {
        self->orphans++;
        return;
    }
    self->n_reclaims++;
    /* a thread in reclaim does not begin another (PF_MEMALLOC), so the end of the first was lost */
    self->orphans += rf_trace_flights_take (self->reclaims, &flight, TRUE, &old);
    /* now and not at the end: a thread that was stalled for long may end soon after */
    look_up (self, &flight);
    self->orphans += rf_trace_flights_add (self->reclaims, &flight);
}

static void
end_reclaim (const Feed *feed, guint64 tid)
{
    RfTracePair *self = feed->self;
    RfTraceFlight flight = {.number = tid};
    guint64 reclaimed;
    if (!rf_trace_flights_take (self->reclaims, &flight, TRUE, &flight) || feed->record->time_ns < flight.begin_ns
        || !read_number (feed, FIELD_RECLAIMED, &reclaimed)) {
        self->orphans++;
        return;
    }
    look_up (self, &flight);
    RfEvent event = {
        .kind = RF_EVENT_RECLAIM,
        .time_ns = flight.begin_ns,
        .duration_ns = feed->record->time_ns - flight.begin_ns,
        .pid = flight.pid,
        .tid = flight.tid,
        .amount = (double)reclaimed,
    };
    set_name (&event, flight.name, strnlen (flight.name, sizeof flight.name));
    g_snprintf (event.subject, sizeof event.subject, "order %d", (int)flight.amount);
    feed->sink (&event, feed->user_data);
}

static void
mark_victim (const Feed *feed)
{
    guint64 pid;
    const char *name = NULL;
    RfTraceThread thread = {0};
    if (!read_number (feed, FIELD_VICTIM, &pid)) {
        feed->self->orphans++;
        return;
    }
    const RfTracePairOptions *options = &feed->self->options;
    RfEvent event = {
        .kind = RF_EVENT_OOM_KILL,
        .time_ns = feed->record->time_ns,
        .pid = (gint32)pid,
        .tid = (gint32)pid,
        .amount = NAN,
    };
    gsize length = read_bytes (feed, FIELD_NAME, &name);
    if (length > 0)
        set_name (&event, name, length);
    else if (options->find_thread != NULL && options->find_thread (options->user_data, event.pid, &thread))
        set_name (&event, thread.name, strnlen (thread.name, sizeof thread.name));
    feed->sink (&event, feed->user_data);
}

/* kernel/trace/blktrace.c, blk_fill_rwbs(): an "F" for a flush that goes before, then the operation, then flags */
static gboolean
parse_operation (const char *text, gsize length, Operation *out)
{
    gboolean flush = length > 0 && text[0] == 'F';
    char letter = '\0';
    if (length > (gsize)flush)
        letter = text[flush];
    if (letter == 'R')
        *out = OPERATION_READ;
    else if (letter == 'W')
        *out = OPERATION_WRITE;
    else if (letter == 'D')
        *out = OPERATION_DISCARD;
    else if (flush)
        *out = OPERATION_FLUSH;
    else
        return FALSE;
    return TRUE;
}

static Disk *
find_disk (RfTracePair *self, guint32 device)
{
    guint major = device >> MINOR_BITS, minor = device & ((1u << MINOR_BITS) - 1);
    for (guint i = 0; i < self->n_disks; i++)
        if (self->disks[i].device == device)
            return &self->disks[i];
    if (self->n_disks == RF_TRACE_DISKS)
        return NULL;
    Disk *disk = &self->disks[self->n_disks];
    disk->device = device;
    if (self->options.find_disk == NULL || !self->options.find_disk (self->options.user_data, major, minor, disk->name))
        g_snprintf (disk->name, sizeof disk->name, "%u:%u", major, minor);
    disk->name[sizeof disk->name - 1] = '\0';
    self->n_disks++;
    return disk;
}

/* Returns: FALSE if it is none of those that are told apart (commands of a driver, zones), or an orphan */
static gboolean
read_request (const Feed *feed, Request *out)
{
    const char *text = NULL;
    guint64 device, sector, sectors;
    gsize length = read_bytes (feed, FIELD_OPERATION, &text);
    *out = (Request){.flight = {.begin_ns = feed->record->time_ns}};
    if (length == 0 || !read_number (feed, FIELD_DEVICE, &device) || !read_number (feed, FIELD_SECTOR, &sector)
        || !read_number (feed, FIELD_SECTORS, &sectors)) {
        feed->self->orphans++;
        return FALSE;
    }
    if (!parse_operation (text, length, &out->operation))
        return FALSE;
    out->disk = find_disk (feed->self, (guint32)device);
    if (out->disk == NULL) {
        feed->self->orphans++;
        return FALSE;
    }
    /* a flush has no place on the disk: it is issued at 0 and completed at -1 (blk_rq_trace_sector(),
     * blk_update_request()) */
    out->flight.number = out->operation == OPERATION_FLUSH ? 0 : sector;
    out->flight.device = (guint32)device;
    out->flight.kind = out->operation;
    out->flight.amount = sectors;
    return TRUE;
}

static void
issue (const Feed *feed)
{
    Request request;
    const char *name = NULL;
    guint64 tid;
    if (!read_request (feed, &request))
        return;
    if (read_number (feed, FIELD_TID, &tid))
        request.flight.tid = (gint32)tid;
    gsize length = MIN (read_bytes (feed, FIELD_NAME, &name), sizeof request.flight.name - 1);
    if (length > 0)
        memcpy (request.flight.name, name, length);
    feed->self->orphans += rf_trace_flights_add (feed->self->requests, &request.flight);
}

static void
requeue (const Feed *feed)
{
    Request request;
    RfTraceFlight old;
    /* it will be issued once more; the kernel, too, counts its time from then on */
    if (read_request (feed, &request))
        rf_trace_flights_take (feed->self->requests, &request.flight, TRUE, &old);
}

static void
tell_slow (const Feed *feed, const Request *request, RfTraceFlight *flight, gint64 duration_ns)
{
    RfEvent event = {
        .kind = RF_EVENT_IO,
        .time_ns = flight->begin_ns,
        .duration_ns = duration_ns,
        .tid = flight->tid,
        .amount = (double)flight->amount * SECTOR_BYTES,
    };
    look_up (feed->self, flight);
    event.pid = flight->pid;
    set_name (&event, flight->name, strnlen (flight->name, sizeof flight->name));
    g_snprintf (event.subject, sizeof event.subject, "%s %s", request->disk->name, operation_names[request->operation]);
    feed->sink (&event, feed->user_data);
}

static void
complete (const Feed *feed)
{
    RfTracePair *self = feed->self;
    Request request;
    RfTraceFlight flight;
    if (!read_request (feed, &request))
        return;
    guint64 sectors = request.flight.amount;
    /* blk_account_io_completion() counts at the same place, with or without an issue that we have seen */
    request.disk->bytes[request.operation] += sectors * SECTOR_BYTES;
    gint64 now_ns = request.flight.begin_ns;
    if (!rf_trace_flights_take (self->requests, &request.flight, FALSE, &flight)) {
        /* Who asks for a flush around a write is told of its end by one more completion, of 0 sectors, which no disk
         * has seen (block/blk-flush.c, blk_flush_complete_seq()). */
        self->orphans += sectors > 0 || request.operation == OPERATION_FLUSH;
        return;
    }
    if (now_ns < flight.begin_ns) {
        self->orphans++;
        return;
    }
    if (sectors > 0 && sectors < flight.amount) {
        /* only a part: the rest comes with its first sector, and the request has ended with its last part */
        flight.number += sectors;
        flight.amount -= sectors;
        self->orphans += rf_trace_flights_add (self->requests, &flight);
        return;
    }
    gint64 duration_ns = now_ns - flight.begin_ns;
    guint bucket = rf_trace_bucket (duration_ns);
    request.disk->counts[request.operation][bucket]++;
    request.disk->changed[request.operation][bucket] = TRUE;
    if (duration_ns >= self->options.slow_ns)
        tell_slow (feed, &request, &flight, duration_ns);
}

void
rf_trace_pair_feed (RfTracePair *self, const RfTraceRecord *record, RfTraceSink sink, gpointer user_data)
{
    Feed feed = {self, record, 0, sink, user_data};
    guint64 type, tid = 0;
    if (!rf_trace_field_number (&self->type, record->data, record->length, &type))
        return;
    while (feed.kind < N_KINDS && (!self->learnt[feed.kind] || self->ids[feed.kind] != type))
        feed.kind++;
    switch (feed.kind) {
    case RECLAIM_BEGIN:
    case RECLAIM_END:
        if (!read_number (&feed, FIELD_TID, &tid))
            self->orphans++;
        else if (feed.kind == RECLAIM_BEGIN)
            begin_reclaim (&feed, tid);
        else
            end_reclaim (&feed, tid);
        break;
    case OOM_VICTIM:
        mark_victim (&feed);
        break;
    case ISSUE:
        issue (&feed);
        break;
    case COMPLETE:
        complete (&feed);
        break;
    case REQUEUE:
        requeue (&feed);
        break;
    case N_KINDS:
        break;
    }
}

static void
report (RfTracePair *self, gint64 now_ns, RfTraceSink sink, gpointer user_data)
{
    for (guint i = 0; i < self->n_disks; i++) {
        Disk *disk = &self->disks[i];
        for (guint operation = 0; operation < N_OPERATIONS; operation++) {
            RfEvent event = {.kind = RF_EVENT_IO_HISTOGRAM, .time_ns = now_ns};
            g_snprintf (event.subject, sizeof event.subject, "%s %s", disk->name, operation_names[operation]);
            for (guint bucket = 0; bucket < RF_TRACE_BUCKETS; bucket++) {
                if (!disk->changed[operation][bucket])
                    continue;
                disk->changed[operation][bucket] = FALSE;
                event.duration_ns = rf_trace_bucket_edge (bucket);
                event.amount = (double)disk->counts[operation][bucket];
                sink (&event, user_data);
            }
        }
    }
    if (self->orphans != self->orphans_told) {
        RfEvent event = {.kind = RF_EVENT_ORPHAN, .time_ns = now_ns, .amount = (double)self->orphans};
        self->orphans_told = self->orphans;
        sink (&event, user_data);
    }
}

void
rf_trace_pair_tick (RfTracePair *self, gint64 now_ns, RfTraceSink sink, gpointer user_data)
{
    self->orphans += rf_trace_flights_expire (self->requests, now_ns - RF_TRACE_GIVE_UP_NS);
    self->orphans += rf_trace_flights_expire (self->reclaims, now_ns - RF_TRACE_GIVE_UP_NS);
    if (self->report_ns == 0)
        self->report_ns = now_ns + RF_TRACE_REPORT_NS;
    if (now_ns < self->report_ns)
        return;
    self->report_ns = now_ns + RF_TRACE_REPORT_NS;
    report (self, now_ns, sink, user_data);
}

void
rf_trace_pair_end (RfTracePair *self, gint64 now_ns, RfTraceSink sink, gpointer user_data)
{
    self->orphans += rf_trace_flights_expire (self->requests, G_MAXINT64);
    self->orphans += rf_trace_flights_expire (self->reclaims, G_MAXINT64);
    report (self, now_ns, sink, user_data);
}

guint64
rf_trace_pair_reclaims (const RfTracePair *self)
{
    return self->n_reclaims;
}

guint64
rf_trace_pair_orphans (const RfTracePair *self)
{
    return self->orphans;
}

guint
rf_trace_pair_n_disks (const RfTracePair *self)
{
    return self->n_disks;
}

const char *
rf_trace_pair_disk (const RfTracePair *self, guint index, guint64 *read_bytes, guint64 *write_bytes)
{
    g_return_val_if_fail (index < self->n_disks, NULL);
    *read_bytes = self->disks[index].bytes[OPERATION_READ];
    *write_bytes = self->disks[index].bytes[OPERATION_WRITE];
    return self->disks[index].name;
}
