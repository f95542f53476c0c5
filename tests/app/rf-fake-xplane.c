#include "config.h"

#include "rf-fake-xplane.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FRAME_MS 5
#define MAX_SUBSCRIBED 8

typedef struct {
    struct sockaddr_in who;
    gint32 hz;
    gint32 number;
    float value;
    gint64 due_us;
} Subscription;

struct _RfFakeXplane {
    int fd;
    guint16 port;
    GThread *thread;
    GMutex mutex;
    gboolean stop;
    gboolean split;
    guint freeze_ms;
    Subscription subscribed[MAX_SUBSCRIBED];
    guint n;
    guint answers;
};

static float
known_value (const char *name)
{
    if (strcmp (name, "sim/operation/misc/frame_rate_period") == 0)
        return 0.0198f;
    if (strcmp (name, "sim/time/gpu_time_per_frame_sec_approx") == 0)
        return 0.0017f;
    return -1;
}

static void
asked (RfFakeXplane *self, const char *bytes, const struct sockaddr_in *who)
{
    gint32 hz, number;
    guint i = 0;
    memcpy (&hz, bytes + 5, 4);
    memcpy (&number, bytes + 9, 4);
    g_assert_cmpint (bytes[412], ==, '\0');
    float value = known_value (bytes + 13);
    g_assert_cmpfloat (value, >=, 0);
    while (i < self->n && (self->subscribed[i].number != number || self->subscribed[i].who.sin_port != who->sin_port))
        i++;
    if (hz == 0) {
        if (i < self->n)
            self->subscribed[i] = self->subscribed[--self->n];
        return;
    }
    g_assert_cmpuint (i, <, MAX_SUBSCRIBED);
    self->subscribed[i] = (Subscription){*who, hz, number, value, g_get_monotonic_time ()};
    self->n = MAX (self->n, i + 1);
}

static void
listen_once (RfFakeXplane *self)
{
    char bytes[600];
    struct sockaddr_in who;
    socklen_t size = sizeof who;
    ssize_t length;
    while ((length = recvfrom (self->fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&who, &size)) >= 0) {
        g_assert_cmpint (length, ==, 413);
        g_assert_cmpmem (bytes, 5, "RREF", 5);
        asked (self, bytes, &who);
    }
}

static void
say (RfFakeXplane *self, const char *bytes, gsize length, const struct sockaddr_in *who)
{
    (void)sendto (self->fd, bytes, length, MSG_DONTWAIT, (const struct sockaddr *)who, sizeof *who);
}

static void
answer (RfFakeXplane *self)
{
    char bytes[5 + 8 * MAX_SUBSCRIBED] = "RREF,";
    gsize length = 5;
    const struct sockaddr_in *who = NULL;
    gint64 now_us = g_get_monotonic_time ();
    for (guint i = 0; i < self->n; i++) {
        Subscription *one = &self->subscribed[i];
        if (one->due_us > now_us)
            continue;
        who = &one->who;
        one->due_us = now_us + G_USEC_PER_SEC / one->hz;
        memcpy (bytes + length, &one->number, 4);
        memcpy (bytes + length + 4, &one->value, 4);
        length += 8;
        if (self->split) {
            say (self, bytes, length, who);
            say (self, "RREF,\0\0", 7, who);
            say (self, "DATA*12345678", 13, who);
            say (self, "", 0, who);
            length = 5;
        }
    }
    if (length > 5)
        say (self, bytes, length, who);
    self->answers += who != NULL;
}

static gpointer
run (gpointer data)
{
    RfFakeXplane *self = data;
    gboolean stop = FALSE;
    while (!stop) {
        g_mutex_lock (&self->mutex);
        guint ms = self->freeze_ms > 0 ? self->freeze_ms : FRAME_MS;
        self->freeze_ms = 0;
        listen_once (self);
        answer (self);
        stop = self->stop;
        g_mutex_unlock (&self->mutex);
        g_usleep ((gulong)ms * 1000);
    }
    return NULL;
}

RfFakeXplane *
rf_fake_xplane_new (guint16 port)
{
    RfFakeXplane *self = g_new0 (RfFakeXplane, 1);
    struct sockaddr_in own
        = {.sin_family = AF_INET, .sin_port = htons (port), .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    self->fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    g_assert_cmpint (self->fd, >=, 0);
    g_assert_cmpint (bind (self->fd, (struct sockaddr *)&own, size), ==, 0);
    g_assert_cmpint (getsockname (self->fd, (struct sockaddr *)&own, &size), ==, 0);
    self->port = ntohs (own.sin_port);
    g_mutex_init (&self->mutex);
    self->thread = g_thread_new ("fake-xplane", run, self);
    return self;
}

void
rf_fake_xplane_free (RfFakeXplane *self)
{
    if (self == NULL)
        return;
    g_mutex_lock (&self->mutex);
    self->stop = TRUE;
    g_mutex_unlock (&self->mutex);
    g_thread_join (self->thread);
    close (self->fd);
    g_mutex_clear (&self->mutex);
    g_free (self);
}

guint16
rf_fake_xplane_port (RfFakeXplane *self)
{
    return self->port;
}

void
rf_fake_xplane_freeze (RfFakeXplane *self, guint ms)
{
    g_mutex_lock (&self->mutex);
    self->freeze_ms = ms;
    g_mutex_unlock (&self->mutex);
}

void
rf_fake_xplane_split (RfFakeXplane *self)
{
    g_mutex_lock (&self->mutex);
    self->split = TRUE;
    g_mutex_unlock (&self->mutex);
}

guint
rf_fake_xplane_answers (RfFakeXplane *self)
{
    g_mutex_lock (&self->mutex);
    guint answers = self->answers;
    g_mutex_unlock (&self->mutex);
    return answers;
}

guint
rf_fake_xplane_subscribed (RfFakeXplane *self)
{
    g_mutex_lock (&self->mutex);
    guint n = self->n;
    g_mutex_unlock (&self->mutex);
    return n;
}
