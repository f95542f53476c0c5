/* The trace on the real kernel: real requests to a real disk, compared with our own clock and with what the kernel
 * itself prints of the same buffers; and what it costs. Changes no setting; the instance is gone afterwards. Needs
 * root. */
#define G_LOG_DOMAIN "test-live-trace"
#include "config.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rf-diskstats.h"
#include "rf-error.h"
#include "rf-file.h"
#include "rf-test-live.h"
#include "rf-trace-lookup.h"
#include "rf-trace-merge.h"
#include "rf-trace.h"

#define TRACING "/sys/kernel/tracing"
#define READS 60
/* a size that hardly anybody else reads */
#define READ_BYTES (28 * 1024)
#define MS G_GINT64_CONSTANT (1000000)

typedef struct {
    gint64 begin_ns, end_ns;
} Span;

static gint64
clock_ns (clockid_t clock)
{
    struct timespec now;
    g_assert_cmpint (clock_gettime (clock, &now), ==, 0);
    return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
collect (const RfEvent *event, gpointer user_data)
{
    g_array_append_vals (user_data, event, 1);
}

static void
ignore (const RfEvent *event, gpointer user_data)
{
}

/* our instances */
static char **
instances (void)
{
    g_autoptr (RfSysroot) kernel = rf_sysroot_new (NULL);
    g_auto (GStrv) all = rf_sysroot_list (kernel, "sys/kernel/tracing/instances");
    g_autoptr (GStrvBuilder) ours = g_strv_builder_new ();
    for (char **name = all; *name != NULL; name++)
        if (g_str_has_prefix (*name, "ruckelfrei-"))
            g_strv_builder_add (ours, *name);
    return g_strv_builder_end (ours);
}

/* Skips where the kernel has no tracing: in a container, or locked down. */
static RfTrace *
new_trace (guint32 slow_io_us)
{
    g_autoptr (GError) error = NULL;
    RfTraceOptions options = {.block = TRUE, .slow_io_us = slow_io_us};
    if (rf_test_live_needs_root ())
        return NULL;
    RfTrace *trace = rf_trace_new (&options, &error);
    if (g_error_matches (error, RF_ERROR, RF_ERROR_UNAVAILABLE)
        || g_error_matches (error, RF_ERROR, RF_ERROR_NOT_AUTHORIZED)) {
        g_test_skip (error->message);
        return NULL;
    }
    g_assert_no_error (error);
    return trace;
}

/* A file on a disk, opened past the page cache. */
static int
open_file (char **path)
{
    static const char *const folders[] = {"/var/tmp", "/home", "/tmp"};
    g_autofree char *bytes = g_malloc0 (READS * 4096 + READ_BYTES);
    for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *name = g_strdup_printf ("%s/rf-test-trace-%d", folders[i], (int)getpid ());
        int fd = open (name, O_CREAT | O_EXCL | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
        struct stat info;
        /* major 0 has no disk below it: tmpfs, overlay, btrfs */
        if (fd >= 0 && fstat (fd, &info) == 0 && major (info.st_dev) != 0
            && g_file_set_contents (name, bytes, READS * 4096 + READ_BYTES, NULL)) {
            rf_file_close_fd (&fd);
            fd = open (name, O_RDWR | O_DIRECT | O_CLOEXEC);
            g_assert_cmpint (fsync (fd), ==, 0);
            *path = g_steal_pointer (&name);
            return fd;
        }
        rf_file_close_fd (&fd);
        g_unlink (name);
    }
    g_test_skip ("no file system here lies on a disk and can be read directly");
    return -1;
}

/* what encrypts or mirrors hands on requests in threads of its own */
static gboolean
is_stacked (int fd)
{
    struct stat info;
    g_assert_cmpint (fstat (fd, &info), ==, 0);
    g_autofree char *link = g_strdup_printf ("/sys/dev/block/%u:%u", major (info.st_dev), minor (info.st_dev));
    g_autofree char *target = g_file_read_link (link, NULL);
    return target == NULL || strstr (target, "/virtual/") != NULL;
}

static void
read_file (int fd, guint count, Span *spans)
{
    g_autofree char *room = g_malloc (READ_BYTES + 4096);
    char *aligned = (char *)(((gsize)room + 4095) & ~(gsize)4095);
    for (guint i = 0; i < count; i++) {
        Span span = {.begin_ns = clock_ns (CLOCK_MONOTONIC)};
        g_assert_cmpint (pread (fd, aligned, READ_BYTES, (off_t)(i % READS) * 4096), ==, READ_BYTES);
        span.end_ns = clock_ns (CLOCK_MONOTONIC);
        if (spans != NULL)
            spans[i] = span;
    }
}

static void
test_requests (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL;
    g_autoptr (RfTrace) trace = new_trace (0);
    if (trace == NULL || (fd = open_file (&path)) < 0)
        return;
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    Span spans[READS];
    prctl (PR_SET_NAME, "rf,reader");
    read_file (fd, READS, spans);
    rf_trace_drain (trace, collect, events);
    rf_trace_flush (trace, collect, events);
    g_unlink (path);

    /* each of our reads is there, begins and ends while we waited for it, and is most of what we waited for */
    gint64 traced_ns = 0, waited_ns = 0;
    guint named = 0;
    for (guint i = 0; i < READS; i++) {
        const RfEvent *found = NULL;
        for (guint k = 0; k < events->len; k++) {
            const RfEvent *event = &g_array_index (events, RfEvent, k);
            if (event->kind == RF_EVENT_IO && g_str_has_suffix (event->subject, " read")
                && (guint)event->amount == READ_BYTES && event->time_ns >= spans[i].begin_ns
                && event->time_ns + event->duration_ns <= spans[i].end_ns)
                found = event;
        }
        g_assert_nonnull (found);
        traced_ns += found->duration_ns;
        waited_ns += spans[i].end_ns - spans[i].begin_ns;
        /* another thread may issue what we have queued */
        named += found->tid == (gint32)syscall (SYS_gettid) && found->pid == getpid ()
                 && g_str_equal (found->process, "rf,reader");
    }
    g_test_message ("%d reads: %.1f µs traced of %.1f µs waited on average; %u issued by ourselves", READS,
                    (double)traced_ns / 1000 / READS, (double)waited_ns / 1000 / READS, named);
    if (!is_stacked (fd))
        g_assert_cmpuint (named, >, READS / 2);

    /* the histogram has them, too, and the bytes are counted */
    guint64 counted = 0, read_bytes = 0;
    for (guint k = 0; k < events->len; k++) {
        const RfEvent *event = &g_array_index (events, RfEvent, k);
        if (event->kind == RF_EVENT_IO_HISTOGRAM && g_str_has_suffix (event->subject, " read"))
            counted += (guint64)event->amount;
    }
    for (guint i = 0; i < rf_trace_n_disks (trace); i++) {
        guint64 reads, writes;
        const char *name = rf_trace_disk (trace, i, &reads, &writes);
        g_autofree char *folder = g_strdup_printf ("/sys/block/%s", name);
        g_test_message ("%s: %" G_GUINT64_FORMAT " bytes read, %" G_GUINT64_FORMAT " written", name, reads, writes);
        g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
        read_bytes += reads;
    }
    g_assert_cmpuint (counted, >=, READS);
    g_assert_cmpuint (read_bytes, >=, READS * READ_BYTES);
    g_assert_cmpuint (rf_trace_lost (trace), ==, 0);
    g_test_message ("%" G_GUINT64_FORMAT " orphans", rf_trace_orphans (trace));
}

/* what /proc/diskstats has counted of that disk */
static guint64
counted_bytes (RfSysroot *kernel, const char *disk)
{
    g_auto (RfDiskstats) stats = {0};
    rf_diskstats_read (kernel, &stats);
    const RfDiskRow *row = rf_diskstats_find (&stats, disk);
    return row != NULL ? (row->read_sectors + row->write_sectors) * RF_SECTOR_BYTES : 0;
}

/* The self-check of a recording: as many bytes as /proc/diskstats has counted, between just before and just after. */
static void
test_bytes (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL;
    g_autoptr (RfSysroot) kernel = rf_sysroot_new (NULL);
    g_autoptr (RfTrace) first = new_trace (0);
    guint64 reads, writes;
    if (first == NULL || (fd = open_file (&path)) < 0)
        return;
    /* which disk it is */
    g_unlink (path);
    read_file (fd, 1, NULL);
    rf_trace_flush (first, ignore, NULL);
    g_assert_cmpuint (rf_trace_n_disks (first), >, 0);
    g_autofree char *disk = g_strdup (rf_trace_disk (first, 0, &reads, &writes));
    g_clear_pointer (&first, rf_trace_free);

    guint64 outer = counted_bytes (kernel, disk);
    g_autoptr (RfTrace) trace = new_trace (0);
    guint64 inner = counted_bytes (kernel, disk);
    read_file (fd, 5 * READS, NULL);
    inner = counted_bytes (kernel, disk) - inner;
    rf_trace_flush (trace, ignore, NULL);
    outer = counted_bytes (kernel, disk) - outer;
    guint64 traced = 0;
    for (guint i = 0; i < rf_trace_n_disks (trace); i++)
        if (g_str_equal (rf_trace_disk (trace, i, &reads, &writes), disk))
            traced += reads + writes;
    g_test_message ("%s: %" G_GUINT64_FORMAT " bytes traced, %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " counted",
                    disk, traced, inner, outer);
    g_assert_cmpuint (inner, <=, traced);
    g_assert_cmpuint (traced, <=, outer);
}

static void
test_leaves_nothing (void)
{
    RfTrace *trace = new_trace (5000);
    if (trace == NULL)
        return;
    g_auto (GStrv) during = instances ();
    g_assert_cmpuint (g_strv_length (during), ==, 1);
    /* it is in use: a second one does not take it away */
    RfTraceOptions options = {.slow_io_us = 5000};
    g_autoptr (GError) error = NULL;
    g_assert_null (rf_trace_new (&options, &error));
    g_assert_nonnull (error);
    g_auto (GStrv) still = instances ();
    g_assert_cmpuint (g_strv_length (still), ==, 1);
    rf_trace_free (trace);
    g_auto (GStrv) after = instances ();
    g_assert_cmpuint (g_strv_length (after), ==, 0);

    /* what a dead helper has left goes; what is not ours stays */
    g_assert_cmpint (g_mkdir (TRACING "/instances/ruckelfrei-1", 0700), ==, 0);
    g_assert_cmpint (g_mkdir (TRACING "/instances/ruckelfrei-x", 0700), ==, 0);
    trace = new_trace (5000);
    g_auto (GStrv) taken = instances ();
    g_autofree char *mine = g_strdup_printf ("ruckelfrei-%d", (int)getpid ());
    g_assert_cmpuint (g_strv_length (taken), ==, 2);
    g_assert_true (g_strv_contains ((const char *const *)taken, mine));
    g_assert_true (g_strv_contains ((const char *const *)taken, "ruckelfrei-x"));
    rf_trace_free (trace);
    g_assert_cmpint (g_rmdir (TRACING "/instances/ruckelfrei-x"), ==, 0);
}

static void
put (const char *instance, const char *file, const char *text)
{
    g_autofree char *path = g_build_filename (instance, file, NULL);
    g_auto (RfAutoFd) fd = open (path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
}

static char *
get (const char *instance, const char *file, gsize *length)
{
    g_autofree char *path = g_build_filename (instance, file, NULL);
    char *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, length, NULL));
    return text;
}

typedef struct {
    guint n;
    int fds[512];
} Buffers;

static void
open_buffers (const char *instance, Buffers *buffers)
{
    for (buffers->n = 0; buffers->n < G_N_ELEMENTS (buffers->fds); buffers->n++) {
        g_autofree char *path = g_strdup_printf ("%s/per_cpu/cpu%u/trace_pipe_raw", instance, buffers->n);
        buffers->fds[buffers->n] = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (buffers->fds[buffers->n] < 0)
            return;
    }
}

static void
close_buffers (Buffers *buffers)
{
    for (guint i = 0; i < buffers->n; i++)
        rf_file_close_fd (&buffers->fds[i]);
}

static gsize
read_page (gpointer user_data, guint cpu, guint8 *buffer, gsize size)
{
    gssize got = read (((Buffers *)user_data)->fds[cpu], buffer, size);
    return got > 0 ? (gsize)got : 0;
}

static guint64
number (const RfTraceFormat *format, const char *field, const RfTraceRecord *record)
{
    guint64 value;
    g_assert_true (rf_trace_field_number (rf_trace_format_find (format, field), record->data, record->length, &value));
    return value;
}

/* One line of the kernel's text: "dd-23963   [001] ..... 15509.028175: block_rq_issue: 254,0 RS 28672 () 180676536 + 56
 * …" */
static void
compare_line (const char *line, const RfTraceFormat *format, const RfTraceRecord *record)
{
    const char *operation = NULL;
    gint64 us = (record->time_ns + 500) / 1000;
    guint device = (guint)number (format, "dev", record);
    gsize n = rf_trace_field_bytes (rf_trace_format_find (format, "rwbs"), record->data, record->length, &operation);
    g_autofree char *begin
        = g_strdup_printf (" %" G_GINT64_FORMAT ".%06u: %s: %u,%u %.*s ", us / 1000000, (guint)(us % 1000000),
                           format->name, device >> 20, device & 0xfffff, (int)n, operation);
    g_autofree char *end = g_strdup_printf (" %" G_GUINT64_FORMAT " + %u ", number (format, "sector", record),
                                            (guint)number (format, "nr_sector", record));
    g_autofree char *who = g_strdup_printf ("-%d ", (int)number (format, "common_pid", record));
    if (strstr (line, begin) == NULL || strstr (line, end) == NULL || strstr (line, who) == NULL)
        g_error ("the kernel says '%s', not '%s', '%s', '%s'", line, begin, end, who);
}

static guint
compare (const char *instance)
{
    static const char *const events[] = {"block_rq_issue", "block_rq_complete"};
    RfTraceFormat formats[2];
    RfTraceLayout layout;
    RfTraceRecord record;
    Buffers buffers;
    gsize length = 0;
    guint count = 0, at = 0;
    for (guint i = 0; i < 2; i++) {
        g_autofree char *file = g_strdup_printf ("events/block/%s/format", events[i]);
        g_autofree char *text = get (instance, file, &length);
        g_assert_true (rf_trace_format_parse (text, length, &formats[i]));
    }
    g_autofree char *head = get (instance, "events/header_page", &length);
    g_assert_true (rf_trace_layout_parse (head, length, &layout));
    g_autofree char *text = get (instance, "trace", &length);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    open_buffers (instance, &buffers);
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&layout, buffers.n, read_page, &buffers);
    for (rf_trace_merge_begin (merge, G_MAXINT64, G_MAXUINT); rf_trace_merge_next (merge, &record); count++) {
        while (lines[at] != NULL && lines[at][0] == '#')
            at++;
        g_assert_nonnull (lines[at]);
        guint type = (guint)number (&formats[0], "common_type", &record);
        g_assert_true (type == formats[0].id || type == formats[1].id);
        compare_line (lines[at++], &formats[type == formats[1].id], &record);
    }
    g_assert_cmpstr (lines[at], ==, "");
    g_assert_cmpuint (rf_trace_merge_broken_pages (merge) + rf_trace_merge_lost_pages (merge), ==, 0);
    close_buffers (&buffers);
    return count;
}

/* The kernel prints the same buffers as text: the same records, in the same order, with the same fields. */
static void
test_as_the_kernel_prints (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL;
    g_autofree char *instance = g_strdup_printf (TRACING "/instances/rf-test-%d", (int)getpid ());
    g_autoptr (RfTrace) works = new_trace (5000);
    if (works == NULL || (fd = open_file (&path)) < 0)
        return;
    g_assert_cmpint (g_mkdir (instance, 0700), ==, 0);
    put (instance, "tracing_on", "0");
    put (instance, "trace_clock", "mono");
    put (instance, "buffer_size_kb", "2048");
    put (instance, "events/block/block_rq_issue/enable", "1");
    put (instance, "events/block/block_rq_complete/enable", "1");
    put (instance, "tracing_on", "1");
    read_file (fd, 2 * READS, NULL);
    /* so long that the time between two records does not fit into their heads */
    g_usleep (300000);
    read_file (fd, READS, NULL);
    g_assert_cmpint (fsync (fd), ==, 0);
    put (instance, "tracing_on", "0");
    guint count = compare (instance);
    g_test_message ("%u records are as the kernel prints them", count);
    g_assert_cmpuint (count, >=, 2 * 3 * READS);
    g_assert_cmpint (g_rmdir (instance), ==, 0);
    g_unlink (path);
}

/* A control group for memory of so few MiB. Returns: (transfer full) (nullable): its folder; skips where there is none
 */
static char *
make_group (guint mebibytes)
{
    static const struct {
        const char *folder, *limit;
    } versions[] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}};
    for (guint i = 0; i < G_N_ELEMENTS (versions); i++) {
        g_autofree char *group = g_strdup_printf ("%s/rf-test-%d", versions[i].folder, (int)getpid ());
        g_autofree char *limit = g_build_filename (group, versions[i].limit, NULL);
        g_autofree char *bytes = g_strdup_printf ("%u", mebibytes << 20);
        if (g_mkdir (group, 0700) != 0)
            continue;
        if (g_file_test (limit, G_FILE_TEST_EXISTS)) {
            put (group, versions[i].limit, bytes);
            return g_steal_pointer (&group);
        }
        g_rmdir (group);
    }
    g_test_skip ("no control groups for memory here");
    return NULL;
}

static void
remove_group (const char *group)
{
    /* the kernel may still be putting away who was in it */
    for (guint i = 0; i < 500 && g_rmdir (group) != 0; i++)
        g_usleep (10000);
    g_assert_false (g_file_test (group, G_FILE_TEST_EXISTS));
}

static void
enter_group (const char *group)
{
    g_autofree char *pid = g_strdup_printf ("%d", (int)getpid ());
    put (group, "cgroup.procs", pid);
}

enum { CHUNK = 1 << 20, CHUNKS = 192 };

typedef struct {
    int file;
    gint32 tid;
    Span spans[CHUNKS];
} Stalled;

static gpointer
stall (gpointer data)
{
    Stalled *stalled = data;
    g_autofree char *room = g_malloc (CHUNK);
    prctl (PR_SET_NAME, "rf,stalled");
    stalled->tid = (gint32)syscall (SYS_gettid);
    for (guint i = 0; i < CHUNKS; i++) {
        stalled->spans[i].begin_ns = clock_ns (CLOCK_MONOTONIC);
        g_assert_cmpint (pread (stalled->file, room, CHUNK, (off_t)i * CHUNK), ==, CHUNK);
        stalled->spans[i].end_ns = clock_ns (CLOCK_MONOTONIC);
    }
    return NULL;
}

/* Nothing of a file with a hole comes from a disk, but every page of it takes memory, and the group has little. */
static void
stall_in_group (const char *group, Stalled *shared)
{
    char path[] = "/var/tmp/rf-test-hole-XXXXXX";
    shared->file = g_mkstemp (path);
    g_assert_cmpint (shared->file, >=, 0);
    g_unlink (path);
    g_assert_cmpint (ftruncate (shared->file, (off_t)CHUNK * CHUNKS), ==, 0);
    pid_t child = fork ();
    if (child == 0) {
        pthread_t thread;
        enter_group (group);
        _exit (pthread_create (&thread, NULL, stall, shared) == 0 && pthread_join (thread, NULL) == 0 ? 0 : 1);
    }
    int status = 1;
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpint (status, ==, 0);
    rf_file_close_fd (&shared->file);
}

static void
learn_group_reclaim (const char *instance, RfTracePair *pair, const char *end)
{
    g_autofree char *folder = g_strdup_printf ("events/vmscan/mm_vmscan_memcg_reclaim_%s", end);
    g_autofree char *file = g_build_filename (folder, "format", NULL),
                    *enable = g_build_filename (folder, "enable", NULL);
    gsize length = 0;
    RfTraceFormat format;
    g_autofree char *text = get (instance, file, &length);
    g_assert_true (rf_trace_format_parse (text, length, &format));
    g_snprintf (format.name, sizeof format.name, "mm_vmscan_direct_reclaim_%s", end);
    g_assert_true (rf_trace_pair_learn (pair, &format, NULL));
    put (instance, enable, "1");
}

/* A thread that clears memory itself. That the whole machine runs out of memory would hit everybody on it, so it is a
 * control group that does; its reclaim is traced by the same two events (one event class in
 * include/trace/events/vmscan.h) under another name. */
static void
test_reclaim (void)
{
    g_autofree char *instance = g_strdup_printf (TRACING "/instances/rf-test-%d", (int)getpid ());
    g_autoptr (RfTrace) works = new_trace (5000);
    g_autofree char *group = works != NULL ? make_group (32) : NULL;
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    g_autoptr (RfTracePair) pair = rf_trace_pair_new (&(RfTracePairOptions){0});
    Stalled *shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    RfTraceLayout layout;
    RfTraceRecord record;
    Buffers buffers;
    gsize length = 0;
    if (group == NULL)
        return;
    g_assert_cmpint (g_mkdir (instance, 0700), ==, 0);
    put (instance, "trace_clock", "mono");
    put (instance, "buffer_size_kb", "2048");
    learn_group_reclaim (instance, pair, "begin");
    learn_group_reclaim (instance, pair, "end");
    g_autofree char *head = get (instance, "events/header_page", &length);
    g_assert_true (rf_trace_layout_parse (head, length, &layout));
    open_buffers (instance, &buffers);
    stall_in_group (group, shared);
    put (instance, "tracing_on", "0");
    g_autoptr (RfTraceMerge) merge = rf_trace_merge_new (&layout, buffers.n, read_page, &buffers);
    rf_trace_merge_begin (merge, G_MAXINT64, G_MAXUINT);
    while (rf_trace_merge_next (merge, &record))
        rf_trace_pair_feed (pair, &record, collect, events);
    close_buffers (&buffers);
    g_assert_cmpint (g_rmdir (instance), ==, 0);
    remove_group (group);

    /* each of them lies within one of the calls that the thread has timed */
    gint64 traced_ns = 0, called_ns = 0, longest_ns = 0;
    guint count = 0;
    double pages = 0;
    for (guint i = 0; i < CHUNKS; i++)
        called_ns += shared->spans[i].end_ns - shared->spans[i].begin_ns;
    for (guint k = 0; k < events->len; k++) {
        const RfEvent *event = &g_array_index (events, RfEvent, k);
        if (event->tid != shared->tid)
            continue;
        guint i = 0;
        while (i < CHUNKS
               && (event->time_ns < shared->spans[i].begin_ns
                   || event->time_ns + event->duration_ns > shared->spans[i].end_ns))
            i++;
        g_assert_cmpuint (i, <, CHUNKS);
        g_assert_cmpint (event->kind, ==, RF_EVENT_RECLAIM);
        g_assert_cmpstr (event->subject, ==, "order 0");
        traced_ns += event->duration_ns;
        longest_ns = MAX (longest_ns, event->duration_ns);
        pages += event->amount;
        count++;
    }
    g_test_message ("%u reclaims of the thread, %.0f pages, %.1f ms of %.1f ms, the longest %.2f ms", count, pages,
                    (double)traced_ns / MS, (double)called_ns / MS, (double)longest_ns / MS);
    g_assert_cmpuint (count, >, 0);
    g_assert_cmpint (traced_ns, <=, called_ns);
    g_assert_cmpuint (rf_trace_pair_orphans (pair), ==, 0);
    munmap (shared, sizeof *shared);
}

static void
test_victim (void)
{
    g_autoptr (RfTrace) trace = new_trace (5000);
    g_autofree char *group = trace != NULL ? make_group (16) : NULL;
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (RfEvent));
    guint found = 0;
    int status = 0;
    if (group == NULL)
        return;
    pid_t child = fork ();
    if (child == 0) {
        prctl (PR_SET_NAME, "rf,victim");
        enter_group (group);
        /* nothing of it can be put anywhere, but into swap */
        char *memory = mmap (NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mlockall (MCL_CURRENT) == 0)
            memset (memory, 1, 64 << 20);
        _exit (1);
    }
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_true (WIFSIGNALED (status));
    rf_trace_flush (trace, collect, events);
    remove_group (group);
    for (guint k = 0; k < events->len; k++) {
        const RfEvent *event = &g_array_index (events, RfEvent, k);
        if (event->kind != RF_EVENT_OOM_KILL || event->pid != child)
            continue;
        /* before Linux 6.9 the event does not tell the name, and the process is gone by now */
        if (event->process[0] != '\0')
            g_assert_cmpstr (event->process, ==, "rf,victim");
        found++;
    }
    g_assert_cmpuint (found, ==, 1);
}

/* A program that was stalled and has ended before anybody could ask for its name. */
static void
test_name_of_the_dead (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL, *recorded = NULL;
    g_autoptr (RfTrace) trace = new_trace (5000);
    g_autoptr (RfSysroot) kernel = rf_sysroot_new (NULL);
    RfTraceThread thread = {0};
    int status = 1;
    if (trace == NULL || (fd = open_file (&path)) < 0)
        return;
    g_unlink (path);
    recorded = get (TRACING, "options/record-cmd", NULL);
    if (recorded[0] != '1') {
        g_test_skip ("somebody has switched off that the kernel notes names");
        return;
    }
    pid_t child = fork ();
    if (child == 0) {
        prctl (PR_SET_NAME, "rf dead,1");
        /* whoever is traced is noted when it goes to sleep */
        read_file (fd, 20, NULL);
        _exit (0);
    }
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpint (status, ==, 0);
    g_autoptr (RfTraceLookup) lookup = rf_trace_lookup_new (kernel, "sys/kernel/tracing");
    rf_trace_lookup_begin_round (lookup, clock_ns (CLOCK_MONOTONIC));
    g_assert_true (rf_trace_lookup_thread (lookup, child, &thread));
    g_assert_cmpstr (thread.name, ==, "rf dead,1");
    g_assert_cmpint (thread.pid, ==, 0);
    g_assert_true (rf_trace_lookup_thread (lookup, getpid (), &thread));
    g_assert_cmpint (thread.pid, ==, getpid ());
}

/* More than the buffers hold before anybody reads them: it is said how much was lost, and nothing grows. */
static void
test_storm (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL;
    g_autoptr (RfTrace) trace = new_trace (G_MAXUINT32);
    if (trace == NULL || (fd = open_file (&path)) < 0)
        return;
    g_autoptr (GArray) events = g_array_sized_new (FALSE, FALSE, sizeof (RfEvent), 20000);
    g_autofree char *room = g_malloc (2 * 4096);
    char *aligned = (char *)(((gsize)room + 4095) & ~(gsize)4095);
    gint64 until_ns = clock_ns (CLOCK_MONOTONIC) + 20000 * MS;
    guint count = 0;
    /* 2 MiB for each processor, and at least 100 bytes for each read */
    for (; count < 60000 && clock_ns (CLOCK_MONOTONIC) < until_ns; count++)
        g_assert_cmpint (pread (fd, aligned, 4096, 0), ==, 4096);
    g_unlink (path);
    struct mallinfo2 before = mallinfo2 ();
    for (guint i = 0; i < 10; i++)
        rf_trace_drain (trace, collect, events);
    struct mallinfo2 after = mallinfo2 ();
    g_assert_cmpuint (after.uordblks, ==, before.uordblks);
    rf_trace_flush (trace, collect, events);
    double lost = 0;
    for (guint k = 0; k < events->len; k++)
        if (g_array_index (events, RfEvent, k).kind == RF_EVENT_LOST)
            lost += g_array_index (events, RfEvent, k).amount;
    g_test_message ("of %u reads %" G_GUINT64_FORMAT " events were lost, %" G_GUINT64_FORMAT " orphans", count,
                    rf_trace_lost (trace), rf_trace_orphans (trace));
    g_assert_cmpuint (rf_trace_lost (trace), ==, (guint64)lost);
    if (count == 60000)
        g_assert_cmpuint (rf_trace_lost (trace), >, 0);
    else
        g_test_skip ("this disk is too slow for a storm");
}

/* Printed, not judged: what it costs depends on the machine. */
static void
test_cost (void)
{
    g_auto (RfAutoFd) fd = -1;
    g_autofree char *path = NULL;
    gint64 empty_ns = 0, busy_ns = 0, start = clock_ns (CLOCK_MONOTONIC);
    g_autoptr (RfTrace) trace = new_trace (G_MAXUINT32);
    gint64 new_ns = clock_ns (CLOCK_MONOTONIC) - start;
    if (trace == NULL || (fd = open_file (&path)) < 0)
        return;
    enum { ROUNDS = 20, EACH = 500 };
    rf_trace_drain (trace, ignore, NULL);
    for (guint round = 0; round < ROUNDS; round++) {
        start = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
        for (guint i = 0; i < 10; i++)
            rf_trace_drain (trace, ignore, NULL);
        empty_ns += clock_ns (CLOCK_PROCESS_CPUTIME_ID) - start;
        read_file (fd, EACH, NULL);
        g_usleep (25000);
        start = clock_ns (CLOCK_PROCESS_CPUTIME_ID);
        rf_trace_drain (trace, ignore, NULL);
        busy_ns += clock_ns (CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    g_unlink (path);
    g_test_message ("a drain with (nearly) nothing takes %.1f µs, one event %.2f µs of processor time",
                    (double)empty_ns / 1000 / (10 * ROUNDS),
                    (double)(busy_ns - empty_ns / 10) / 1000 / (2.0 * EACH * ROUNDS));
    g_assert_cmpuint (rf_trace_lost (trace), ==, 0);
    start = clock_ns (CLOCK_MONOTONIC);
    g_clear_pointer (&trace, rf_trace_free);
    g_test_message ("%.1f ms to begin, %.1f ms to end", (double)new_ns / MS,
                    (double)(clock_ns (CLOCK_MONOTONIC) - start) / MS);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/trace/requests", test_requests);
    g_test_add_func ("/live/trace/bytes", test_bytes);
    g_test_add_func ("/live/trace/leaves-nothing", test_leaves_nothing);
    g_test_add_func ("/live/trace/as-the-kernel-prints", test_as_the_kernel_prints);
    g_test_add_func ("/live/trace/reclaim", test_reclaim);
    g_test_add_func ("/live/trace/victim", test_victim);
    g_test_add_func ("/live/trace/name-of-the-dead", test_name_of_the_dead);
    g_test_add_func ("/live/trace/storm", test_storm);
    g_test_add_func ("/live/trace/cost", test_cost);
    return g_test_run ();
}
