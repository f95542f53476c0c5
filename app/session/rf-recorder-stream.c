#define G_LOG_DOMAIN "rf-recorder-stream"
#include "config.h"

#include "rf-csv.h"
#include "rf-error.h"
#include "rf-recorder-stream.h"
#include "rf-table-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* longer than a header of 250 disks */
#define LINE_MAX_BYTES (256 * 1024)

typedef struct {
    gint64 time_ns;
    gsize length;
    char text[];
} Kept;

struct _RfRecorderStream {
    char *name;
    RfRecorderStreamComment comment;
    gpointer data;
    gboolean damaged;
    GString *partial; /* a line without its end */
    GString *header;
    GString *pending; /* whole lines that the file does not have yet */
    GQueue kept;      /* of Kept, as long as there is no file */
    gsize kept_bytes;
    gint64 first_ns;
    gint64 last_ns;
    int fd;
};

RfRecorderStream *
rf_recorder_stream_new (const char *name, RfRecorderStreamComment comment, gpointer data)
{
    RfRecorderStream *self = g_new0 (RfRecorderStream, 1);
    self->name = g_strdup (name);
    self->comment = comment;
    self->data = data;
    self->partial = g_string_new (NULL);
    self->header = g_string_new (NULL);
    self->pending = g_string_new (NULL);
    g_queue_init (&self->kept);
    self->fd = -1;
    return self;
}

void
rf_recorder_stream_free (RfRecorderStream *self)
{
    if (self->fd >= 0)
        close (self->fd);
    g_free (self->name);
    g_string_free (self->partial, TRUE);
    g_string_free (self->header, TRUE);
    g_string_free (self->pending, TRUE);
    g_queue_clear_full (&self->kept, g_free);
    g_free (self);
}

const char *
rf_recorder_stream_name (const RfRecorderStream *self)
{
    return self->name;
}

gint64
rf_recorder_stream_first_ns (const RfRecorderStream *self)
{
    const Kept *kept = g_queue_peek_head ((GQueue *)&self->kept);
    return kept != NULL ? kept->time_ns : self->first_ns;
}

gint64
rf_recorder_stream_last_ns (const RfRecorderStream *self)
{
    return self->last_ns;
}

/* What is too old for the pre-roll goes; a comment is as old as the line before it. */
static void
keep (RfRecorderStream *self, const char *line, gsize length)
{
    Kept *kept = g_malloc (sizeof *kept + length);
    kept->time_ns = self->last_ns;
    kept->length = length;
    memcpy (kept->text, line, length);
    g_queue_push_tail (&self->kept, kept);
    self->kept_bytes += length;
    while ((kept = g_queue_peek_head (&self->kept)) != NULL
           && (self->last_ns - kept->time_ns > RF_PRE_ROLL_NS || self->kept_bytes > RF_PRE_ROLL_BYTES)) {
        self->kept_bytes -= kept->length;
        g_free (g_queue_pop_head (&self->kept));
    }
}

static void
take_line (RfRecorderStream *self, const char *line, gsize length)
{
    RfSampleComment comment;
    if (self->header->len == 0) {
        g_string_append_len (self->header, line, (gssize)length);
        if (self->fd >= 0)
            g_string_append_len (self->pending, line, (gssize)length);
        return;
    }
    if (length == self->header->len && memcmp (line, self->header->str, length) == 0)
        return;
    if (*line == '#') {
        if (self->comment != NULL && rf_sample_comment_parse (line, length - 1, &comment))
            self->comment (&comment, self->data);
    } else {
        gint64 time_ns;
        const char *comma = memchr (line, ',', length);
        if (comma != NULL && rf_csv_to_integer (line, (gsize)(comma - line), &time_ns)) {
            self->last_ns = MAX (self->last_ns, time_ns);
            if (self->first_ns == 0)
                self->first_ns = time_ns;
        }
    }
    if (self->fd >= 0)
        g_string_append_len (self->pending, line, (gssize)length);
    else
        keep (self, line, length);
}

gboolean
rf_recorder_stream_feed (RfRecorderStream *self, const char *bytes, gsize length)
{
    while (length > 0 && !self->damaged) {
        const char *stop = memchr (bytes, '\n', length);
        gsize part = stop != NULL ? (gsize)(stop - bytes) + 1 : length;
        g_string_append_len (self->partial, bytes, (gssize)part);
        self->damaged = self->partial->len > LINE_MAX_BYTES;
        if (stop != NULL && !self->damaged) {
            take_line (self, self->partial->str, self->partial->len);
            g_string_truncate (self->partial, 0);
        }
        bytes += part;
        length -= part;
    }
    return !self->damaged;
}

void
rf_recorder_stream_line (RfRecorderStream *self, const char *line, gsize length)
{
    take_line (self, line, length);
}

gboolean
rf_recorder_stream_open (RfRecorderStream *self, int folder, gint64 from_ns, GError **error)
{
    g_autofree char *file = g_strconcat (self->name, ".csv", NULL);
    self->fd = openat (folder, file, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (self->fd < 0) {
        int code = errno;
        g_set_error (error, RF_ERROR, code == ENOSPC ? RF_ERROR_LIMIT : (gint)rf_error_from_errno (code), "'%s': %s", file,
                     g_strerror (code));
        return FALSE;
    }
    g_string_append_len (self->pending, self->header->str, (gssize)self->header->len);
    self->first_ns = 0;
    Kept *kept;
    while ((kept = g_queue_pop_head (&self->kept)) != NULL) {
        if (kept->time_ns >= from_ns) {
            g_string_append_len (self->pending, kept->text, (gssize)kept->length);
            self->first_ns = self->first_ns == 0 ? kept->time_ns : self->first_ns;
        }
        g_free (kept);
    }
    self->kept_bytes = 0;
    return rf_recorder_stream_flush (self, error);
}

gboolean
rf_recorder_stream_flush (RfRecorderStream *self, GError **error)
{
    if (self->fd < 0 || self->pending->len == 0)
        return TRUE;
    off_t before = lseek (self->fd, 0, SEEK_END);
    if (rf_fd_write_all (self->fd, self->pending->str, self->pending->len, error)) {
        g_string_truncate (self->pending, 0);
        return TRUE;
    }
    /* whole lines that fitted stay; half of one would be all that a reader has to doubt */
    off_t after = lseek (self->fd, 0, SEEK_END);
    gsize written = after > before ? (gsize)(after - before) : 0;
    while (written > 0 && self->pending->str[written - 1] != '\n')
        written--;
    (void)!ftruncate (self->fd, before + (off_t)written);
    g_string_erase (self->pending, 0, (gssize)written);
    return FALSE;
}

gboolean
rf_recorder_stream_sync (RfRecorderStream *self, GError **error)
{
    if (self->fd < 0 || fdatasync (self->fd) == 0)
        return TRUE;
    int code = errno;
    g_set_error (error, RF_ERROR, code == ENOSPC || code == EDQUOT ? RF_ERROR_LIMIT : RF_ERROR_IO, "'%s.csv': %s",
                 self->name, g_strerror (code));
    return FALSE;
}
