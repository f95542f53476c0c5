#define G_LOG_DOMAIN "rf-trace"
#include "config.h"

#include "rf-trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rf-array.h"
#include "rf-error.h"
#include "rf-file.h"
#include "rf-text.h"
#include "rf-trace-lookup.h"
#include "rf-trace-merge.h"

#define INSTANCE_PREFIX "ruckelfrei-"
/* of a file of tracefs that is read */
#define TEXT_MAX (128 * 1024)
/* see rf-trace.h */
#define BUFFERS_KIB (16 * 1024)
#define BUFFER_MIN_KIB 128
#define BUFFER_MAX_KIB 2048
#define CPUS_MAX 512
/* A record gets its time before it is in the buffer, and between both the writer can be interrupted, in a virtual
 * machine for longer. An event is late by this, at most by one more drain. */
#define HOLD_BACK_NS (20 * G_GINT64_CONSTANT (1000000))
#define PAGES_PER_DRAIN 1024
/* All that the buffers can hold is read at the end; recording has been switched off by then. */
#define FLUSH_ROUNDS 128

typedef struct {
    int pages; /* trace_pipe_raw */
    int stats;
} Cpu;

struct _RfTrace {
    char *path; /* of the instance */
    int folder; /* the instance, opened */
    int switch_fd;
    Cpu *cpus;
    guint n_cpus;
    RfTraceLookup *lookup;
    RfTraceMerge *merge;
    RfTracePair *pair;
    guint64 lost, lost_told, lost_pages_seen;
    gint64 stats_ns; /* when they are read again, whatever happens */
};

static gint64
now_ns (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static gboolean
fail (GError **error, int errnum, const char *what)
{
    RfError code = rf_error_from_errno (errnum);
    const char *hint = "";
    if (errnum == EACCES || errnum == EPERM) {
        /* security/lockdown: LOCKDOWN_TRACEFS refuses to open, root or not */
        code = RF_ERROR_NOT_AUTHORIZED;
        hint = geteuid () == 0 ? " (the kernel is locked down?)" : " (only root may)";
    } else if (errnum == ENOMEM) {
        code = RF_ERROR_NO_MEMORY;
    }
    g_set_error (error, RF_ERROR, code, "Tracing: '%s': %s%s", what, g_strerror (errnum), hint);
    return FALSE;
}

static gboolean
write_text (const RfTrace *self, const char *name, const char *text, GError **error)
{
    g_auto (RfAutoFd) fd = openat (self->folder, name, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0)
        return fail (error, errno, name);
    gsize length = strlen (text);
    gssize written;
    do
        written = write (fd, text, length);
    while (written < 0 && errno == EINTR);
    return written == (gssize)length || fail (error, written < 0 ? errno : EIO, name);
}

static char *
read_text (const RfTrace *self, const char *name, gsize *length, GError **error)
{
    g_auto (RfAutoFd) fd = openat (self->folder, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail (error, errno, name);
        return NULL;
    }
    g_autofree char *text = rf_new0 (char, TEXT_MAX);
    for (gsize used = 0; used < TEXT_MAX;) {
        gssize got = read (fd, text + used, TEXT_MAX - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        used += (gsize)got;
        *length = used;
        if (got == 0)
            return g_steal_pointer (&text);
    }
    fail (error, EIO, name);
    return NULL;
}

/* Where tracefs is mounted, relative to the root; never mounted by us. */
static const char *
find_tracefs (RfSysroot *sysroot, GError **error)
{
    static const char *const places[] = {"sys/kernel/tracing", "sys/kernel/debug/tracing"};
    gboolean denied = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
        g_autofree char *instances = g_build_filename (places[i], "instances", NULL);
        g_autofree char *path = rf_sysroot_path (sysroot, instances);
        struct stat info;
        if (stat (path, &info) == 0 && S_ISDIR (info.st_mode))
            return places[i];
        denied = denied || errno == EACCES || errno == EPERM;
    }
    if (denied)
        fail (error, EACCES, places[0]);
    else
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNAVAILABLE,
                             "Tracing: no tracefs is mounted at /sys/kernel/tracing, or this kernel has no tracing");
    return NULL;
}

/* What a helper has left that did not end well. The kernel refuses (EBUSY) while somebody has a file of it open, and a
 * helper that lives has. */
static void
remove_left_over (RfSysroot *sysroot, const char *instances)
{
    g_auto (GStrv) names = rf_sysroot_list (sysroot, instances);
    for (char **name = names; *name != NULL; name++) {
        guint64 number;
        if (!g_str_has_prefix (*name, INSTANCE_PREFIX)
            || !rf_text_to_uint64 (*name + strlen (INSTANCE_PREFIX), &number))
            continue;
        g_autofree char *relative = g_build_filename (instances, *name, NULL);
        g_autofree char *path = rf_sysroot_path (sysroot, relative);
        if (rmdir (path) != 0)
            g_debug ("'%s' stays: %s", path, g_strerror (errno));
    }
}

static gboolean
make_instance (RfTrace *self, RfSysroot *sysroot, const char *tracefs, GError **error)
{
    g_autofree char *instances = g_build_filename (tracefs, "instances", NULL);
    g_autofree char *name = g_strdup_printf ("%s/" INSTANCE_PREFIX "%d", instances, (int)getpid ());
    g_autofree char *path = rf_sysroot_path (sysroot, name);
    remove_left_over (sysroot, instances);
    if (mkdir (path, 0700) != 0)
        return fail (error, errno, path);
    self->path = g_steal_pointer (&path);
    self->folder = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return self->folder >= 0 || fail (error, errno, self->path);
}

static gboolean
set_up_buffers (RfTrace *self, GError **error)
{
    glong online = CLAMP (sysconf (_SC_NPROCESSORS_ONLN), 1, CPUS_MAX);
    g_autofree char *size
        = g_strdup_printf ("%ld", CLAMP (BUFFERS_KIB / online, (glong)BUFFER_MIN_KIB, (glong)BUFFER_MAX_KIB));
    return write_text (self, "tracing_on", "0", error) && write_text (self, "trace_clock", "mono", error)
           && write_text (self, "buffer_size_kb", size, error);
}

static gboolean
enable_event (RfTrace *self, const char *event, const char *filter, GError **error)
{
    g_autofree char *format_file = g_strdup_printf ("events/%s/format", event);
    g_autofree char *enable_file = g_strdup_printf ("events/%s/enable", event);
    g_autofree char *filter_file = g_strdup_printf ("events/%s/filter", event);
    g_autoptr (GError) reason = NULL;
    gsize length = 0;
    RfTraceFormat format;
    const char *missing;
    g_autofree char *text = read_text (self, format_file, &length, &reason);
    if (text == NULL && rf_trace_pair_is_optional (event))
        return TRUE;
    if (text == NULL) {
        g_propagate_error (error, g_steal_pointer (&reason));
        return FALSE;
    }
    if (!rf_trace_format_parse (text, length, &format)) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "Tracing: '%s' is not understood", format_file);
        return FALSE;
    }
    if (!rf_trace_pair_learn (self->pair, &format, &missing)) {
        g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "Tracing: '%s' has no field '%s'", format_file, missing);
        return FALSE;
    }
    /* without its filter an event still tells the truth, only more of it */
    if (filter != NULL && !write_text (self, filter_file, filter, &reason))
        g_debug ("%s", reason->message);
    return write_text (self, enable_file, "1", error);
}

static gboolean
enable_events (RfTrace *self, RfSysroot *sysroot, gboolean block, GError **error)
{
    g_autofree char *filter = rf_trace_lookup_filter (sysroot);
    for (const char *const *event = rf_trace_pair_events (block); *event != NULL; event++)
        if (!enable_event (self, *event, g_str_has_prefix (*event, "block/") ? filter : NULL, error))
            return FALSE;
    return TRUE;
}

static gsize
read_page (gpointer user_data, guint cpu, guint8 *buffer, gsize size)
{
    RfTrace *self = user_data;
    gssize got;
    do
        got = read (self->cpus[cpu].pages, buffer, size);
    while (got < 0 && errno == EINTR);
    /* EAGAIN: nothing there; ENODEV: the processor has no buffer, because it was never online */
    return got > 0 ? (gsize)got : 0;
}

static gboolean
open_cpu (RfTrace *self, const char *name, GError **error)
{
    g_autofree char *pages = g_strdup_printf ("per_cpu/%s/trace_pipe_raw", name);
    g_autofree char *stats = g_strdup_printf ("per_cpu/%s/stats", name);
    Cpu *cpu = &self->cpus[self->n_cpus++];
    cpu->pages = openat (self->folder, pages, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (cpu->pages < 0)
        return fail (error, errno, pages);
    cpu->stats = openat (self->folder, stats, O_RDONLY | O_CLOEXEC);
    return cpu->stats >= 0 || fail (error, errno, stats);
}

static gboolean
open_cpus (RfTrace *self, RfSysroot *sysroot, const char *tracefs, GError **error)
{
    g_autofree char *name = g_path_get_basename (self->path);
    g_autofree char *folder = g_build_filename (tracefs, "instances", name, "per_cpu", NULL);
    g_auto (GStrv) names = rf_sysroot_list (sysroot, folder);
    g_autofree char *layout_text = NULL;
    gsize length = 0;
    RfTraceLayout layout;
    self->cpus = g_new (Cpu, g_strv_length (names) + 1);
    for (char **cpu = names; *cpu != NULL; cpu++) {
        guint64 number;
        if (!g_str_has_prefix (*cpu, "cpu") || !rf_text_to_uint64 (*cpu + 3, &number))
            continue;
        if (self->n_cpus == CPUS_MAX) {
            g_set_error (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "Tracing: more than %d processors", CPUS_MAX);
            return FALSE;
        }
        self->cpus[self->n_cpus] = (Cpu){-1, -1};
        if (!open_cpu (self, *cpu, error))
            return FALSE;
    }
    layout_text = read_text (self, "events/header_page", &length, error);
    if (layout_text == NULL)
        return FALSE;
    if (self->n_cpus == 0 || !rf_trace_layout_parse (layout_text, length, &layout)) {
        g_set_error_literal (error, RF_ERROR, RF_ERROR_UNAVAILABLE, "Tracing: 'events/header_page' is not understood");
        return FALSE;
    }
    self->merge = rf_trace_merge_new (&layout, self->n_cpus, read_page, self);
    return TRUE;
}

static gboolean
start (RfTrace *self, GError **error)
{
    self->switch_fd = openat (self->folder, "tracing_on", O_WRONLY | O_CLOEXEC);
    if (self->switch_fd < 0)
        return fail (error, errno, "tracing_on");
    self->stats_ns = now_ns () + RF_TRACE_REPORT_NS;
    return write (self->switch_fd, "1", 1) == 1 || fail (error, errno, "tracing_on");
}

RfTrace *
rf_trace_new (const RfTraceOptions *options, GError **error)
{
    g_autoptr (RfTrace) self = rf_new0 (RfTrace, 1);
    g_autoptr (RfSysroot) sysroot = options->sysroot != NULL ? g_object_ref (options->sysroot) : rf_sysroot_new (NULL);
    self->folder = self->switch_fd = -1;
    const char *tracefs = find_tracefs (sysroot, error);
    if (tracefs == NULL)
        return NULL;
    self->lookup = rf_trace_lookup_new (sysroot, tracefs);
    RfTracePairOptions pair_options = {
        .slow_ns = (gint64)options->slow_io_us * 1000,
        .find_thread = rf_trace_lookup_thread,
        .find_disk = rf_trace_lookup_disk,
        .user_data = self->lookup,
    };
    self->pair = rf_trace_pair_new (&pair_options);
    if (!make_instance (self, sysroot, tracefs, error) || !set_up_buffers (self, error)
        || !enable_events (self, sysroot, options->block, error) || !open_cpus (self, sysroot, tracefs, error)
        || !start (self, error))
        return NULL;
    return g_steal_pointer (&self);
}

/* "overrun: 12\ncommit overrun: 0\n…dropped events: 0\n" (kernel/trace/trace.c, tracing_stats_read()): what was
 * overwritten, what an interrupted writer had no room for, what was not taken because the buffer was full */
static guint64
read_lost (int fd)
{
    static const char *const keys[] = {"overrun: ", "commit overrun: ", "dropped events: "};
    char text[512];
    gssize length = pread (fd, text, sizeof text, 0);
    const char *cursor = text, *line, *line_end;
    guint64 sum = 0, number;
    while (length > 0 && rf_text_next_whole_line (&cursor, text + length, &line, &line_end))
        for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
            gsize key_length = strlen (keys[i]);
            if ((gsize)(line_end - line) <= key_length || memcmp (line, keys[i], key_length) != 0)
                continue;
            const char *value = line + key_length;
            if (rf_text_scan_uint64 (&value, line_end, &number))
                sum += number;
        }
    return sum;
}

static void
count_lost (RfTrace *self, gint64 now, gboolean always, RfTraceSink sink, gpointer user_data)
{
    guint64 pages = rf_trace_merge_lost_pages (self->merge) + rf_trace_merge_broken_pages (self->merge);
    if (!always && pages == self->lost_pages_seen && now < self->stats_ns)
        return;
    self->lost_pages_seen = pages;
    self->stats_ns = now + RF_TRACE_REPORT_NS;
    /* of a page that is not understood nobody knows how much was on it */
    guint64 lost = rf_trace_merge_broken_pages (self->merge);
    for (guint i = 0; i < self->n_cpus; i++)
        lost += read_lost (self->cpus[i].stats);
    self->lost = MAX (self->lost, lost);
    if (self->lost == self->lost_told)
        return;
    RfEvent event = {.kind = RF_EVENT_LOST, .time_ns = now, .amount = (double)(self->lost - self->lost_told)};
    self->lost_told = self->lost;
    sink (&event, user_data);
}

/* Returns: whether anything was read */
static gboolean
drain (RfTrace *self, gint64 limit_ns, RfTraceSink sink, gpointer user_data)
{
    guint64 pages = rf_trace_merge_pages (self->merge);
    RfTraceRecord record;
    rf_trace_lookup_begin_round (self->lookup, now_ns ());
    rf_trace_merge_begin (self->merge, limit_ns, PAGES_PER_DRAIN);
    while (rf_trace_merge_next (self->merge, &record))
        rf_trace_pair_feed (self->pair, &record, sink, user_data);
    return rf_trace_merge_pages (self->merge) != pages;
}

void
rf_trace_drain (RfTrace *self, RfTraceSink sink, gpointer user_data)
{
    gint64 now = now_ns ();
    drain (self, now - HOLD_BACK_NS, sink, user_data);
    rf_trace_pair_tick (self->pair, now, sink, user_data);
    count_lost (self, now, FALSE, sink, user_data);
}

void
rf_trace_flush (RfTrace *self, RfTraceSink sink, gpointer user_data)
{
    if (write (self->switch_fd, "0", 1) != 1)
        g_debug ("tracing_on: %s", g_strerror (errno));
    for (guint round = 0; round < FLUSH_ROUNDS && drain (self, G_MAXINT64, sink, user_data); round++)
        ;
    rf_trace_pair_end (self->pair, now_ns (), sink, user_data);
    count_lost (self, now_ns (), TRUE, sink, user_data);
}

guint64
rf_trace_reclaims (const RfTrace *self)
{
    return rf_trace_pair_reclaims (self->pair);
}

guint64
rf_trace_lost (const RfTrace *self)
{
    return self->lost;
}

guint64
rf_trace_orphans (const RfTrace *self)
{
    return rf_trace_pair_orphans (self->pair);
}

guint
rf_trace_n_disks (const RfTrace *self)
{
    return rf_trace_pair_n_disks (self->pair);
}

const char *
rf_trace_disk (const RfTrace *self, guint index, guint64 *read_bytes, guint64 *write_bytes)
{
    return rf_trace_pair_disk (self->pair, index, read_bytes, write_bytes);
}

void
rf_trace_free (RfTrace *self)
{
    if (self == NULL)
        return;
    rf_file_close_fd (&self->switch_fd);
    for (guint i = 0; i < self->n_cpus; i++) {
        rf_file_close_fd (&self->cpus[i].pages);
        rf_file_close_fd (&self->cpus[i].stats);
    }
    rf_file_close_fd (&self->folder);
    /* switches the events off, too, and gives the memory back */
    if (self->path != NULL && rmdir (self->path) != 0)
        g_debug ("'%s' stays: %s", self->path, g_strerror (errno));
    rf_trace_merge_free (self->merge);
    rf_trace_pair_free (self->pair);
    rf_trace_lookup_free (self->lookup);
    g_free (self->path);
    g_free (self->cpus);
    g_free (self);
}
