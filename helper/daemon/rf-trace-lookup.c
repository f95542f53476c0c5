#define G_LOG_DOMAIN "rf-trace-lookup"
#include "config.h"

#include "rf-trace-lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "rf-blocks.h"
#include "rf-file.h"
#include "rf-text.h"

#define REMEMBERED 64
#define REMEMBER_NS G_GINT64_CONSTANT (1000000000)
/* the table holds some thousand names at most (saved_cmdlines_size) */
#define SAVED_MAX (512 * 1024)
#define MINOR_BITS 20

typedef struct {
    gint32 tid;
    gboolean found;
    RfTraceThread thread;
    gint64 time_ns;
} Known;

struct _RfTraceLookup {
    int proc, block, saved; /* /proc, /sys/dev/block, the kernel's table of names; -1 where there is none */
    char hidden[RF_TRACE_DISK_NAME];
    Known known[REMEMBERED];
    guint next;
    gint64 now_ns;
    guint left, late_left;
};

static int
open_below (RfSysroot *sysroot, const char *relative, int flags)
{
    g_autofree char *path = rf_sysroot_path (sysroot, relative);
    return open (path, flags | O_RDONLY | O_CLOEXEC);
}

/* The paths to an NVMe drive (nvme0c0n1) have numbers, which the requests bear, but no files that tell them
 * (GENHD_FL_HIDDEN). Where there is one such drive only, it is clear which is meant. */
static void
find_hidden (RfSysroot *sysroot, char name[RF_TRACE_DISK_NAME])
{
    g_autoptr (RfBlocks) blocks = rf_blocks_new (sysroot);
    for (guint i = 0; i < blocks->all->len; i++) {
        const RfBlock *block = g_ptr_array_index (blocks->all, i);
        g_autofree char *head = NULL;
        if (!block->hidden || !rf_blocks_nvme_path (block->name, &head) || strcmp (head, name) == 0)
            continue;
        if (name[0] != '\0') {
            name[0] = '\0';
            return;
        }
        g_strlcpy (name, head, RF_TRACE_DISK_NAME);
    }
}

RfTraceLookup *
rf_trace_lookup_new (RfSysroot *sysroot, const char *tracefs)
{
    RfTraceLookup *self = g_new0 (RfTraceLookup, 1);
    g_autofree char *saved = g_build_filename (tracefs, "saved_cmdlines", NULL);
    self->proc = open_below (sysroot, "proc", O_DIRECTORY);
    self->block = open_below (sysroot, "sys/dev/block", O_DIRECTORY);
    self->saved = open_below (sysroot, saved, O_NONBLOCK);
    find_hidden (sysroot, self->hidden);
    return self;
}

void
rf_trace_lookup_free (RfTraceLookup *self)
{
    if (self == NULL)
        return;
    rf_file_close_fd (&self->proc);
    rf_file_close_fd (&self->block);
    rf_file_close_fd (&self->saved);
    g_free (self);
}

void
rf_trace_lookup_begin_round (RfTraceLookup *self, gint64 now_ns)
{
    self->now_ns = now_ns;
    self->left = RF_TRACE_LOOKUPS;
    self->late_left = RF_TRACE_LATE_LOOKUPS;
}

static void
set_name (RfTraceThread *thread, const char *name, gsize length)
{
    length = MIN (length, sizeof thread->name - 1);
    memset (thread->name, 0, sizeof thread->name);
    memcpy (thread->name, name, length);
}

/* "Name:\tfirefox\n… Tgid:\t1234\n": fs/proc/array.c, proc_task_name() escapes newline and backslash */
static gboolean
parse_status (const char *text, gsize length, RfTraceThread *out)
{
    const char *cursor = text, *end = text + length, *line, *line_end;
    RfTraceThread thread = {0};
    while (rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
        const char *value = memchr (line, '\t', (gsize)(line_end - line));
        guint64 pid;
        if (value == NULL)
            continue;
        gsize key = (gsize)(value++ - line);
        if (rf_text_word_is (line, key, "Name:")) {
            char name[2 * sizeof thread.name];
            gsize used = 0;
            for (; value < line_end && used < sizeof name; value++) {
                gboolean escaped = *value == '\\' && value + 1 < line_end;
                value += escaped;
                char letter = *value;
                if (escaped && letter == 'n')
                    letter = '\n';
                name[used++] = letter;
            }
            set_name (&thread, name, used);
        } else if (rf_text_word_is (line, key, "Tgid:")) {
            if (!rf_text_scan_uint64 (&value, line_end, &pid) || value != line_end || pid == 0 || pid > G_MAXINT32)
                return FALSE;
            thread.pid = (gint32)pid;
            *out = thread;
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean
read_status (RfTraceLookup *self, gint32 tid, RfTraceThread *out)
{
    char path[32], text[1024];
    g_snprintf (path, sizeof path, "%d/status", tid);
    g_auto (RfAutoFd) fd = openat (self->proc, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return FALSE;
    gssize length = read (fd, text, sizeof text);
    return length > 0 && parse_status (text, (gsize)length, out);
}

/* "1234 basename\n": the threads that ran last while something was traced, also those that have ended (kernel/trace/
 * trace_sched_switch.c). Only the name: the kernel's table of processes would take 16 MiB and is not switched on. */
static gboolean
read_saved (RfTraceLookup *self, gint32 tid, RfTraceThread *out)
{
    char text[4096];
    gsize used = 0;
    off_t offset = 0;
    while (offset < SAVED_MAX) {
        gssize got = pread (self->saved, text + used, sizeof text - used, offset);
        if (got <= 0)
            return FALSE;
        offset += got;
        used += (gsize)got;
        const char *cursor = text, *end = text + used, *line, *line_end;
        while (memchr (cursor, '\n', (gsize)(end - cursor)) != NULL
               && rf_text_next_whole_line (&cursor, end, &line, &line_end)) {
            guint64 number;
            if (!rf_text_scan_uint64 (&line, line_end, &number) || number != (guint64)tid || line == line_end
                || *line != ' ')
                continue;
            set_name (out, line + 1, (gsize)(line_end - line - 1));
            return TRUE;
        }
        used = (gsize)(end - cursor);
        if (used == sizeof text)
            return FALSE;
        memmove (text, cursor, used);
    }
    return FALSE;
}

gboolean
rf_trace_lookup_thread (gpointer user_data, gint32 tid, RfTraceThread *out)
{
    RfTraceLookup *self = user_data;
    RfTraceThread thread = {0};
    /* 0 is the idle task: whoever was interrupted has nothing to do with it */
    if (tid <= 0)
        return FALSE;
    for (guint i = 0; i < REMEMBERED; i++) {
        const Known *known = &self->known[i];
        if (known->tid != tid || known->time_ns + REMEMBER_NS <= self->now_ns)
            continue;
        *out = known->thread;
        return known->found;
    }
    if (self->left == 0)
        return FALSE;
    self->left--;
    gboolean found = read_status (self, tid, &thread);
    if (!found && self->saved >= 0 && self->late_left > 0) {
        self->late_left--;
        found = read_saved (self, tid, &thread);
    }
    self->known[self->next] = (Known){tid, found, thread, self->now_ns};
    self->next = (self->next + 1) % REMEMBERED;
    *out = thread;
    return found;
}

/* /sys/dev/block/8:1 → ../../devices/pci0000:00/…/block/sda/sda1 */
gboolean
rf_trace_lookup_disk (gpointer user_data, guint major, guint minor, char name[RF_TRACE_DISK_NAME])
{
    RfTraceLookup *self = user_data;
    char number[48], target[1024];
    g_snprintf (number, sizeof number, "%u:%u", major, minor);
    gssize got = readlinkat (self->block, number, target, sizeof target - 1);
    if (got <= 0 || got == sizeof target - 1) {
        if (self->hidden[0] == '\0')
            return FALSE;
        g_strlcpy (name, self->hidden, RF_TRACE_DISK_NAME);
        return TRUE;
    }
    target[got] = '\0';
    g_strlcat (number, "/partition", sizeof number);
    char *last = strrchr (target, '/');
    if (last != NULL && faccessat (self->block, number, F_OK, 0) == 0) {
        *last = '\0';
        last = strrchr (target, '/');
    }
    const char *found = last != NULL ? last + 1 : target;
    if (found[0] == '\0' || strlen (found) >= RF_TRACE_DISK_NAME)
        return FALSE;
    g_strlcpy (name, found, RF_TRACE_DISK_NAME);
    /* drivers/base/core.c: a slash in a name cannot be one in a path */
    for (char *c = name; *c != '\0'; c++)
        if (*c == '!')
            *c = '/';
    return TRUE;
}

char *
rf_trace_lookup_filter (RfSysroot *sysroot)
{
    static const char *const left_out[] = {"ramdisk", "loop", "zram", "device-mapper", "md", "mdp"};
    gsize length = 0;
    g_autofree char *text = rf_sysroot_read (sysroot, "proc/devices", &length, NULL);
    g_autoptr (GString) filter = g_string_new (NULL);
    const char *cursor = text, *line, *line_end, *word;
    gboolean blocks = FALSE;
    while (length > 0 && rf_text_next_whole_line (&cursor, text + length, &line, &line_end)) {
        guint64 major;
        gsize word_length;
        if (rf_text_word_is (line, (gsize)(line_end - line), "Block devices:"))
            blocks = TRUE;
        if (!blocks || !rf_text_scan_uint64 (&line, line_end, &major) || major >= 1u << (32 - MINOR_BITS)
            || !rf_text_next_word (&line, line_end, &word, &word_length))
            continue;
        for (guint i = 0; i < G_N_ELEMENTS (left_out); i++)
            if (rf_text_word_is (word, word_length, left_out[i]))
                g_string_append_printf (filter, "%s(dev < %u || dev > %u)", filter->len > 0 ? " && " : "",
                                        (guint)major << MINOR_BITS, ((guint)(major + 1) << MINOR_BITS) - 1);
    }
    return filter->len > 0 ? g_string_free (g_steal_pointer (&filter), FALSE) : NULL;
}
