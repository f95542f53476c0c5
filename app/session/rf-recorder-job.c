#define G_LOG_DOMAIN "rf-recorder-job"
#include "config.h"

#include "rf-error.h"
#include "rf-array.h"
#include "rf-recorder-job.h"
#include "rf-recorder-stream.h"
#include "rf-session-machine.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* A line reaches its file at most this long after it came. */
#define FLUSH_MS 500
#define OWN_INTERVAL_MS 250 /* when there is no helper */
#define CHUNK 65536
#define MARKS_MAX 1000

typedef enum {
    MESSAGE_WRITE,
    MESSAGE_MARK,
    MESSAGE_EVENT,
    MESSAGE_ROW,
    MESSAGE_STOP,
} MessageKind;

typedef struct {
    MessageKind kind;
    gint64 time_ns;
    RfEvent event;
    char *text; /* mark, table or reason */
    char *header;
    char *line;
    guint patience_ms;
} Message;

struct _RfRecorderJob {
    RfRecorderJobConfig config;
    GThread *thread;
    GAsyncQueue *messages;
    int wake;

    /* of the thread alone */
    GPtrArray *streams; /* samples and events first */
    RfRecorderStream *samples;
    RfRecorderStream *events;
    char *id;
    int folder; /* locked as long as it is open; -1 until something is written */
    gint64 stop_at_ms;
    gint64 flush_at_ms;
    gint64 look_at_ms;
    gint64 begin_boot_us; /* CLOCK_BOOTTIME at the beginning: the length is told by it, as it goes on in a sleep */
    char *stream_reason; /* of "# end" */
    gboolean checked;
    gboolean trusted;
    GPtrArray *differing;
    RfSysroot *keeping;
    RfSnapshot *before;
    char **disks;
    gboolean over;
    char *reason;
    GError *error;
};

static void
message_free (gpointer data)
{
    Message *self = data;
    g_free (self->text);
    g_free (self->header);
    g_free (self->line);
    g_free (self);
}

static gint64
boot_us (void)
{
    struct timespec now;
    (void)clock_gettime (CLOCK_BOOTTIME, &now);
    return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
now_ms (void)
{
    return g_get_monotonic_time () / 1000;
}

static void
end (RfRecorderJob *self, const char *reason, const GError *error)
{
    if (self->over)
        return;
    self->over = TRUE;
    g_free (self->reason);
    self->reason = g_strdup (reason);
    self->error = error != NULL ? g_error_copy (error) : NULL;
}

static void
fail (RfRecorderJob *self, const GError *error)
{
    end (self, g_error_matches (error, RF_ERROR, RF_ERROR_LIMIT) ? "disk-full" : "write-failed", error);
}

static void
comment_cb (const RfSampleComment *comment, gpointer data)
{
    RfRecorderJob *self = data;
    RfSessionInfo *info = self->config.info;
    if (comment->kind == RF_SAMPLE_ANCHOR && comment->wall_us > 0) {
        info->anchor_monotonic_ns = comment->from_ns;
        info->anchor_wall_us = comment->wall_us;
    } else if (comment->kind == RF_SAMPLE_END) {
        g_free (self->stream_reason);
        self->stream_reason = g_strdup (comment->word);
    } else if (comment->kind == RF_SAMPLE_CHECK && comment->result == RF_SAMPLE_DIFFERS)
        g_ptr_array_add (self->differing,
                         g_strdup_printf ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT, comment->word,
                                          comment->found, comment->expected));
    else if (comment->kind == RF_SAMPLE_VERDICT) {
        self->checked = TRUE;
        self->trusted = comment->trusted;
    }
}

static RfRecorderStream *
add_stream (RfRecorderJob *self, const char *name)
{
    RfRecorderStream *stream = rf_recorder_stream_new (name, g_str_equal (name, "samples") ? comment_cb : NULL, self);
    g_ptr_array_add (self->streams, stream);
    return stream;
}

/* From here on there is a folder, and what comes goes into it. */
static void
begin (RfRecorderJob *self)
{
    RfSessionInfo *info = self->config.info;
    g_autoptr (GError) error = NULL;
    if (self->folder >= 0 || self->over)
        return;
    gint64 first_ns = rf_recorder_stream_first_ns (self->samples);
    gint64 from_ns = rf_recorder_stream_last_ns (self->samples) - RF_PRE_ROLL_NS;
    gint64 now_us = g_get_monotonic_time (), first_us = first_ns > 0 ? first_ns / 1000 : now_us;
    info->created_us = info->anchor_wall_us + first_us - info->anchor_monotonic_ns / 1000;
    self->begin_boot_us = boot_us () - MAX (0, now_us - first_us);
    self->id = rf_recordings_create (self->config.recordings, info->created_us, &self->folder, &error);
    g_autofree char *path = self->id != NULL ? rf_recordings_path (self->config.recordings, self->id) : NULL;
    gboolean ok = self->id != NULL && rf_session_info_save (info, path, FALSE, &error);
    for (guint i = 0; ok && i < self->streams->len; i++)
        ok = rf_recorder_stream_open (self->streams->pdata[i], self->folder, from_ns, &error);
    if (ok)
        self->config.notice (RF_RECORDER_NOTICE_WRITING, self->id, NULL, self->config.data);
    else
        fail (self, error);
}

static void
add_event (RfRecorderJob *self, const RfEvent *event)
{
    char line[RF_EVENT_LINE_MAX];
    gsize length = rf_event_format (event, line, sizeof line);
    rf_recorder_stream_line (self->events, line, length);
}

static void
mark (RfRecorderJob *self, gint64 time_ns, const char *text)
{
    RfEvent event = {.time_ns = time_ns, .kind = RF_EVENT_MARK, .amount = NAN};
    rf_event_set_text (event.subject, sizeof event.subject, text, strlen (text));
    add_event (self, &event);
    if (self->config.info->marks->len < MARKS_MAX)
        rf_session_info_add_mark (self->config.info, time_ns, text);
    begin (self);
    self->config.notice (RF_RECORDER_NOTICE_MARKED, text, NULL, self->config.data);
}

static void
add_row (RfRecorderJob *self, const Message *message)
{
    g_autoptr (GError) error = NULL;
    RfRecorderStream *stream = NULL;
    for (guint i = 0; i < self->streams->len && stream == NULL; i++)
        if (g_str_equal (rf_recorder_stream_name (self->streams->pdata[i]), message->text))
            stream = self->streams->pdata[i];
    if (stream == NULL) {
        stream = add_stream (self, message->text);
        rf_recorder_stream_line (stream, message->header, strlen (message->header));
        if (self->folder >= 0 && !rf_recorder_stream_open (stream, self->folder, 0, &error))
            fail (self, error);
    }
    rf_recorder_stream_line (stream, message->line, strlen (message->line));
}

static void
take_messages (RfRecorderJob *self)
{
    guint64 count;
    (void)!read (self->wake, &count, sizeof count);
    Message *message;
    while ((message = g_async_queue_try_pop (self->messages)) != NULL) {
        switch (message->kind) {
        case MESSAGE_WRITE:
            begin (self);
            break;
        case MESSAGE_MARK:
            mark (self, message->time_ns, message->text);
            break;
        case MESSAGE_EVENT:
            add_event (self, &message->event);
            break;
        case MESSAGE_ROW:
            add_row (self, message);
            break;
        case MESSAGE_STOP:
        default:
            if (self->reason == NULL)
                self->reason = g_strdup (message->text);
            self->stop_at_ms = now_ms () + message->patience_ms;
        }
        message_free (message);
    }
}

/* Reads what is there. Returns: FALSE at the end of the stream */
static gboolean
drain (RfRecorderJob *self, int fd, RfRecorderStream *stream)
{
    g_autofree char *chunk = rf_new0 (char, CHUNK);
    gssize got = read (fd, chunk, CHUNK);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got > 0 && !rf_recorder_stream_feed (stream, chunk, (gsize)got)) {
        end (self, "damaged", NULL);
        return FALSE;
    }
    return got > 0;
}

/* A look of our own, four times a second. What comes late is said to be late, not made up. */
static void
look (RfRecorderJob *self)
{
    g_autoptr (RfSnapshot) now = rf_snapshot_read (self->keeping);
    g_autoptr (RfSample) sample = rf_sample_derive (self->before, now);
    gint64 time_ns = sample->monotonic_us * 1000;
    if (self->disks == NULL) {
        self->disks = rf_sample_line_disks (sample);
        g_autofree char *header = rf_sample_line_header ((const char *const *)self->disks);
        rf_recorder_stream_line (self->samples, header, strlen (header));
    } else if (sample->interval_s > 2.5 * OWN_INTERVAL_MS / 1000) {
        char text[256];
        RfSampleComment gap = {.kind = RF_SAMPLE_GAP,
                               .from_ns = self->before->monotonic_us * 1000,
                               .to_ns = time_ns,
                               .word = "late"};
        gsize length = rf_sample_comment_format (&gap, text, sizeof text);
        rf_recorder_stream_line (self->samples, text, length);
    }
    const char *const *disks = (const char *const *)self->disks;
    gsize size = rf_sample_line_max (g_strv_length (self->disks));
    g_autofree char *line = rf_new0 (char, size);
    gsize length = rf_sample_line_format (sample, time_ns, disks, NULL, line, size);
    rf_recorder_stream_line (self->samples, line, length);
    g_clear_pointer (&self->before, rf_snapshot_free);
    self->before = g_steal_pointer (&now);
}

static void
flush (RfRecorderJob *self)
{
    for (guint i = 0; i < self->streams->len; i++) {
        g_autoptr (GError) error = NULL;
        if (!rf_recorder_stream_flush (self->streams->pdata[i], &error))
            fail (self, error);
    }
}

static void
take_marks (RfRecorderJob *self)
{
    gint64 time_ns;
    char *text;
    while ((text = rf_active_receive (self->config.active, &time_ns)) != NULL) {
        mark (self, time_ns, text);
        g_free (text);
    }
}

static int
wait_ms (const RfRecorderJob *self, gboolean looks)
{
    gint64 at = self->flush_at_ms;
    if (looks)
        at = MIN (at, self->look_at_ms);
    if (self->stop_at_ms > 0)
        at = MIN (at, self->stop_at_ms);
    return (int)CLAMP (at - now_ms (), 0, FLUSH_MS);
}

static void
close_fd (int *fd)
{
    if (*fd >= 0)
        close (*fd);
    *fd = -1;
}

static void
turn (RfRecorderJob *self, gboolean looks)
{
    RfRecorderJobConfig *config = &self->config;
    struct pollfd fds[] = {
        {.fd = self->wake, .events = POLLIN},
        {.fd = rf_active_fd (config->active), .events = POLLIN},
        {.fd = config->samples, .events = POLLIN},
        {.fd = config->events, .events = POLLIN},
    };
    (void)poll (fds, G_N_ELEMENTS (fds), wait_ms (self, looks));
    if (fds[2].revents != 0 && !drain (self, config->samples, self->samples))
        close_fd (&config->samples);
    if (fds[3].revents != 0 && !drain (self, config->events, self->events))
        close_fd (&config->events);
    if (fds[0].revents != 0)
        take_messages (self);
    if (fds[1].revents != 0)
        take_marks (self);
    gint64 now = now_ms ();
    if (looks && now >= self->look_at_ms) {
        look (self);
        self->look_at_ms = MAX (self->look_at_ms + OWN_INTERVAL_MS, now);
    }
    if (now >= self->flush_at_ms) {
        flush (self);
        self->flush_at_ms = now + FLUSH_MS;
    }
    gboolean streams_over = !looks && config->samples < 0 && config->events < 0;
    gboolean stopped = self->stop_at_ms > 0 && (looks || now >= self->stop_at_ms);
    if (!self->over && (streams_over || stopped)) {
        g_autofree char *why = g_steal_pointer (&self->reason);
        if (why == NULL)
            why = g_strdup (self->stream_reason != NULL ? self->stream_reason : "helper-gone");
        end (self, why, NULL);
    }
}

/* session.ini as it was at the start stays, if not even that much can be written. */
static void
finish (RfRecorderJob *self)
{
    RfSessionInfo *info = self->config.info;
    g_autoptr (GError) error = NULL;
    if (self->folder < 0)
        return;
    flush (self);
    for (guint i = 0; i < self->streams->len; i++)
        if (!rf_recorder_stream_sync (self->streams->pdata[i], &error) && self->error == NULL)
            self->error = g_error_copy (error);
    g_autoptr (RfFacts) facts = rf_facts_read (self->config.sysroot);
    info->settings_end = rf_session_settings (self->config.sysroot, facts);
    rf_recording_set (&info->end_reason, self->reason);
    /* not by the clock of the day, which somebody may have set meanwhile */
    info->ended_us = info->created_us + boot_us () - self->begin_boot_us;
    if (self->checked) {
        info->trust = self->trusted ? RF_TRUST_YES : RF_TRUST_NO;
        for (guint i = 0; !self->trusted && i < self->differing->len; i++)
            g_ptr_array_add (info->untrusted, g_strdup (self->differing->pdata[i]));
        if (!self->trusted && info->untrusted->len == 0)
            g_ptr_array_add (info->untrusted, g_strdup ("not-stated"));
    }
    g_autofree char *path = rf_recordings_path (self->config.recordings, self->id);
    g_clear_error (&error);
    if (!rf_session_info_save (info, path, TRUE, &error) && self->error == NULL)
        self->error = g_error_copy (error);
}

static gpointer
run (gpointer data)
{
    RfRecorderJob *self = data;
    RfSessionInfo *info = self->config.info;
    gboolean looks = self->config.samples < 0;
    g_autoptr (RfFacts) facts = rf_facts_read (self->config.sysroot);
    rf_session_info_take_machine (info, facts);
    g_hash_table_unref (info->settings_start);
    info->settings_start = rf_session_settings (self->config.sysroot, facts);
    if (looks) {
        self->keeping = rf_sysroot_new_keeping (self->config.sysroot);
        look (self);
    }
    if (self->config.pre_roll)
        self->config.notice (RF_RECORDER_NOTICE_ARMED, NULL, NULL, self->config.data);
    else
        begin (self);
    self->look_at_ms = now_ms () + OWN_INTERVAL_MS;
    self->flush_at_ms = now_ms () + FLUSH_MS;
    while (!self->over)
        turn (self, looks);
    finish (self);
    close_fd (&self->folder);
    g_clear_pointer (&self->config.active, rf_active_free);
    self->config.notice (RF_RECORDER_NOTICE_OVER, self->reason, self->error, self->config.data);
    return NULL;
}

RfRecorderJob *
rf_recorder_job_new (const RfRecorderJobConfig *config)
{
    RfRecorderJob *self = g_new0 (RfRecorderJob, 1);
    self->config = *config;
    g_object_ref (self->config.sysroot);
    self->messages = g_async_queue_new_full (message_free);
    self->wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
    self->streams = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_recorder_stream_free);
    self->differing = g_ptr_array_new_with_free_func (g_free);
    self->folder = -1;
    config->info->anchor_monotonic_ns = g_get_monotonic_time () * 1000;
    config->info->anchor_wall_us = g_get_real_time ();
    self->samples = add_stream (self, "samples");
    self->events = add_stream (self, "events");
    /* a mark may come before the first line of the helper's */
    rf_recorder_stream_line (self->events, RF_EVENT_HEADER "\n", strlen (RF_EVENT_HEADER "\n"));
    for (int i = 0; i < 2; i++) {
        int fd = i == 0 ? config->samples : config->events;
        if (fd >= 0)
            (void)fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
    }
    self->thread = g_thread_new ("recorder", run, self);
    return self;
}

void
rf_recorder_job_free (RfRecorderJob *self)
{
    g_thread_join (self->thread);
    close_fd (&self->config.samples);
    close_fd (&self->config.events);
    close (self->wake);
    g_object_unref (self->config.sysroot);
    rf_session_info_free (self->config.info);
    g_clear_pointer (&self->before, rf_snapshot_free);
    g_clear_object (&self->keeping);
    g_strfreev (self->disks);
    g_async_queue_unref (self->messages);
    g_ptr_array_unref (self->streams);
    g_ptr_array_unref (self->differing);
    g_free (self->id);
    g_free (self->stream_reason);
    g_free (self->reason);
    g_clear_error (&self->error);
    g_free (self);
}

static void
post (RfRecorderJob *self, Message *message)
{
    static const guint64 one = 1;
    g_async_queue_push (self->messages, message);
    (void)!write (self->wake, &one, sizeof one);
}

static Message *
message_new (MessageKind kind, const char *text)
{
    Message *message = g_new0 (Message, 1);
    message->kind = kind;
    message->text = g_strdup (text);
    return message;
}

void
rf_recorder_job_write (RfRecorderJob *self)
{
    post (self, message_new (MESSAGE_WRITE, NULL));
}

void
rf_recorder_job_mark (RfRecorderJob *self, gint64 time_ns, const char *text)
{
    g_autofree char *clean = rf_session_clean (text);
    Message *message = message_new (MESSAGE_MARK, clean);
    message->time_ns = time_ns;
    post (self, message);
}

void
rf_recorder_job_event (RfRecorderJob *self, const RfEvent *event)
{
    Message *message = message_new (MESSAGE_EVENT, NULL);
    message->event = *event;
    post (self, message);
}

void
rf_recorder_job_row (RfRecorderJob *self, const char *table, const char *header, const char *line)
{
    Message *message = message_new (MESSAGE_ROW, table);
    message->header = g_strdup (header);
    message->line = g_strdup (line);
    post (self, message);
}

void
rf_recorder_job_stop (RfRecorderJob *self, const char *reason, guint patience_ms)
{
    Message *message = message_new (MESSAGE_STOP, reason);
    message->patience_ms = patience_ms;
    post (self, message);
}
