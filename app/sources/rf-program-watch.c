#define G_LOG_DOMAIN "rf-program-watch"
#include "config.h"

#include "rf-program-watch.h"
#include "rf-text.h"

#include <string.h>
#include <unistd.h>

#define COMM_MAX 15 /* TASK_COMM_LEN without its NUL */
#define AGAIN_NS (5 * G_GINT64_CONSTANT (1000000000))
#define STARTTIME 22 /* fields of stat are counted from 1 */

struct _RfProgramWatch {
    RfSysroot *sysroot;
    char *name; /* (nullable): by number then */
    gint32 pid; /* 0: none */
    guint64 start_ticks;
    gint64 looked_ns;
    gboolean looked;
};

gboolean
rf_proc_stat_parse (const char *text, gsize length, RfProcStat *out)
{
    const char *end = text + length, *word;
    gsize word_length;
    guint64 pid, start;
    *out = (RfProcStat){0};
    const char *open = memchr (text, '(', length), *close = memrchr (text, ')', length), *cursor = text;
    if (open == NULL || close == NULL || close < open || (gsize)(close - open - 1) >= sizeof out->name
        || memchr (text, '\0', length) != NULL)
        return FALSE;
    if (!rf_text_scan_uint64 (&cursor, open, &pid) || cursor + 1 != open || *cursor != ' ' || pid == 0
        || pid > G_MAXINT32)
        return FALSE;
    cursor = close + 1;
    if (!rf_text_next_word (&cursor, end, &word, &word_length) || word_length != 1)
        return FALSE;
    char state = *word;
    for (guint field = 4; field <= STARTTIME; field++)
        if (!rf_text_next_word (&cursor, end, &word, &word_length))
            return FALSE;
    const char *digits = word;
    if (!rf_text_scan_uint64 (&digits, word + word_length, &start) || digits != word + word_length)
        return FALSE;
    memcpy (out->name, open + 1, (gsize)(close - open - 1));
    out->pid = (gint32)pid;
    out->state = state;
    out->start_ticks = start;
    return TRUE;
}

static gboolean
look_at (RfSysroot *sysroot, const char *pid, RfProcStat *out)
{
    gsize length = 0;
    g_autofree char *path = g_strconcat ("proc/", pid, "/stat", NULL);
    g_autofree char *text = rf_sysroot_read (sysroot, path, &length, NULL);
    return text != NULL && rf_proc_stat_parse (text, length, out) && out->state != 'Z' && out->state != 'X';
}

/* "Uid:" of status: real, effective, saved, file system. */
static gboolean
is_own (RfSysroot *sysroot, const char *pid)
{
    gsize length = 0;
    g_autofree char *path = g_strconcat ("proc/", pid, "/status", NULL);
    g_autofree char *text = rf_sysroot_read (sysroot, path, &length, NULL);
    const char *cursor = text, *line, *line_end;
    guint64 uid;
    while (text != NULL && rf_text_next_whole_line (&cursor, text + length, &line, &line_end)) {
        if (line_end - line < 4 || memcmp (line, "Uid:", 4) != 0)
            continue;
        line += 4;
        return rf_text_scan_uint64 (&line, line_end, &uid) && uid == getuid ();
    }
    return FALSE;
}

/* As the kernel calls it, or as its file is called: a program may give its first thread another name, as X-Plane does.
 * Where others' programs lie cannot be read. */
static gboolean
has_name (RfSysroot *sysroot, const char *pid, const char *name)
{
    g_autofree char *comm_path = g_strconcat ("proc/", pid, "/comm", NULL);
    g_autofree char *comm = rf_sysroot_read_line (sysroot, comm_path);
    if (comm != NULL && strncmp (comm, name, COMM_MAX) == 0 && strlen (comm) == MIN (strlen (name), COMM_MAX))
        return TRUE;
    g_autofree char *exe_path = g_strconcat ("proc/", pid, "/exe", NULL);
    g_autofree char *exe = rf_sysroot_readlink (sysroot, exe_path);
    const char *base = exe != NULL ? strrchr (exe, '/') : NULL;
    return base != NULL && g_str_equal (base + 1, name);
}

static void
find (RfProgramWatch *self)
{
    g_auto (GStrv) names = rf_sysroot_list (self->sysroot, "proc");
    for (char **pid = names; *pid != NULL; pid++) {
        RfProcStat stat;
        if (!g_ascii_isdigit (**pid) || !has_name (self->sysroot, *pid, self->name) || !is_own (self->sysroot, *pid)
            || !look_at (self->sysroot, *pid, &stat))
            continue;
        if (self->pid == 0 || stat.start_ticks < self->start_ticks) {
            self->pid = stat.pid;
            self->start_ticks = stat.start_ticks;
        }
    }
}

RfProgramWatch *
rf_program_watch_new_pid (RfSysroot *sysroot, gint32 pid)
{
    RfProgramWatch *self = g_new0 (RfProgramWatch, 1);
    RfProcStat stat;
    g_autofree char *text = g_strdup_printf ("%d", pid);
    self->sysroot = g_object_ref (sysroot);
    if (pid > 0 && look_at (sysroot, text, &stat)) {
        self->pid = stat.pid;
        self->start_ticks = stat.start_ticks;
    }
    return self;
}

RfProgramWatch *
rf_program_watch_new_name (RfSysroot *sysroot, const char *name)
{
    RfProgramWatch *self = g_new0 (RfProgramWatch, 1);
    self->sysroot = g_object_ref (sysroot);
    self->name = g_strdup (name);
    return self;
}

void
rf_program_watch_free (RfProgramWatch *self)
{
    if (self == NULL)
        return;
    g_object_unref (self->sysroot);
    g_free (self->name);
    g_free (self);
}

gboolean
rf_program_watch_running (RfProgramWatch *self, gint64 now_ns)
{
    if (self->pid != 0) {
        RfProcStat stat;
        g_autofree char *pid = g_strdup_printf ("%d", self->pid);
        if (look_at (self->sysroot, pid, &stat) && stat.start_ticks == self->start_ticks)
            return TRUE;
        self->pid = 0;
    }
    if (self->name != NULL && self->name[0] != '\0' && (!self->looked || now_ns - self->looked_ns >= AGAIN_NS)) {
        self->looked = TRUE;
        self->looked_ns = now_ns;
        find (self);
    }
    return self->pid != 0;
}

gint32
rf_program_watch_pid (RfProgramWatch *self)
{
    return self->pid;
}
