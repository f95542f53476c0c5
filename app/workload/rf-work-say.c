#define G_LOG_DOMAIN "rf-work-say"
#include "config.h"

#include "rf-work-say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-work-result.h"
#include "rf-work-stop.h"

#define PROGRESS_EVERY (500 * RF_WORK_MS)

struct _RfWorkTable {
    int fd;
    GString *pending;
    gboolean failed;
};

static void
print (const char *text)
{
    if (fputs (text, stdout) < 0 || fflush (stdout) != 0)
        rf_work_stop (RF_WORK_END_PARENT);
}

void
rf_work_say (const char *key, const char *value)
{
    g_autofree char *line = g_strdup_printf ("%s=%s\n", key, value);
    print (line);
}

void
rf_work_say_uint (const char *key, guint64 value)
{
    g_autofree char *line = g_strdup_printf ("%s=%" G_GUINT64_FORMAT "\n", key, value);
    print (line);
}

void
rf_work_say_double (const char *key, double value, guint decimals)
{
    g_autofree char *line = rf_work_line_double (key, value, decimals);
    print (line);
}

void
rf_work_say_progress (const char *phase, double share)
{
    static gint64 last = 0;
    gint64 now = rf_work_now ();
    if (share < 1 && now - last < PROGRESS_EVERY)
        return;
    last = now;
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *value
        = g_strdup_printf ("%s %s", phase, g_ascii_formatd (number, sizeof number, "%.3f", CLAMP (share, 0, 1)));
    rf_work_say ("progress", value);
}

/* Only what is new or what cannot be destroyed. */
static int
open_new (const char *path)
{
    struct stat status;
    int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0 || errno != EEXIST)
        return fd;
    fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0 && (fstat (fd, &status) != 0 || S_ISREG (status.st_mode) || S_ISBLK (status.st_mode))) {
        close (fd);
        errno = EEXIST;
        return -1;
    }
    return fd;
}

RfWorkTable *
rf_work_table_new (const char *path, const char *header, GError **error)
{
    int fd = open_new (path);
    if (fd < 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "%s: %s", path, g_strerror (errno));
        return NULL;
    }
    RfWorkTable *self = g_new0 (RfWorkTable, 1);
    self->fd = fd;
    self->pending = g_string_new (header);
    g_string_append_c (self->pending, '\n');
    return self;
}

void
rf_work_table_line (RfWorkTable *self, const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    g_string_append_vprintf (self->pending, format, arguments);
    va_end (arguments);
    g_string_append_c (self->pending, '\n');
}

gboolean
rf_work_table_flush (RfWorkTable *self)
{
    const char *from = self->pending->str, *end = from + self->pending->len;
    while (from < end && !self->failed) {
        gssize n = write (self->fd, from, (gsize)(end - from));
        if (n > 0)
            from += n;
        else if (n == 0 || errno != EINTR)
            self->failed = TRUE;
    }
    g_string_truncate (self->pending, 0);
    return !self->failed;
}

void
rf_work_table_free (RfWorkTable *self)
{
    close (self->fd);
    g_string_free (self->pending, TRUE);
    g_free (self);
}
