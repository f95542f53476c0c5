#define G_LOG_DOMAIN "rf-xplane-udp"
#include "config.h"

#include "rf-xplane-udp.h"
#include "rf-xplane.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <glib-unix.h>

#define SECOND_NS G_GINT64_CONSTANT (1000000000)
#define AT_ONCE 256 /* answers, before others have their turn */

struct _RfXplaneUdp {
    int fd;
    struct sockaddr_in xplane;
    guint hz;
    gint32 first; /* by chance: what others on this machine send here does not hit it by mistake */
    RfXplaneFunc func;
    gpointer user_data;
    GSource *readable;
    GSource *again;
    gint64 last_ns; /* 0: X-Plane is not there */
    double gpu_ms;
    gint64 gpu_ns;
};

static gint64
clock_ns (clockid_t clock)
{
    struct timespec now;
    clock_gettime (clock, &now);
    return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static void
request (RfXplaneUdp *self, guint hz)
{
    for (guint i = 0; i < RF_XPLANE_N_VALUES; i++) {
        guint8 bytes[RF_XPLANE_REQUEST];
        rf_xplane_request (bytes, (gint32)hz, self->first + (gint32)i, (RfXplaneValue)i);
        /* whether it arrives shows in the answer, or in a refusal */
        (void)sendto (self->fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&self->xplane,
                      sizeof self->xplane);
    }
}

static void
take (RfXplaneUdp *self, const RfXplaneAnswer *answer, gint64 time_ns)
{
    RfXplaneFrame frame = {.time_ns = time_ns, .gpu_ms = NAN, .pause_ms = NAN};
    if (!isnan (answer->value[RF_XPLANE_GPU])) {
        self->gpu_ms = answer->value[RF_XPLANE_GPU] * 1000;
        self->gpu_ns = time_ns;
    }
    if (isnan (answer->value[RF_XPLANE_FRAME]) || time_ns <= self->last_ns)
        return;
    frame.frame_ms = answer->value[RF_XPLANE_FRAME] * 1000;
    /* both may come in packets of their own */
    if (self->gpu_ns != 0 && time_ns - self->gpu_ns < SECOND_NS)
        frame.gpu_ms = self->gpu_ms;
    if (self->last_ns != 0) {
        frame.pause_ms = (double)(time_ns - self->last_ns) / 1e6;
        frame.freeze = rf_xplane_freeze (self->hz, time_ns - self->last_ns);
    }
    self->last_ns = time_ns;
    self->func (&frame, self->user_data);
}

/* When the kernel got it (wall clock, socket(7): SO_TIMESTAMPNS), on the clock of a recording. */
static gint64
arrival (struct msghdr *message)
{
    gint64 now_ns = clock_ns (CLOCK_MONOTONIC);
    for (struct cmsghdr *part = CMSG_FIRSTHDR (message); part != NULL; part = CMSG_NXTHDR (message, part)) {
        struct timespec stamp;
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS
            || part->cmsg_len < CMSG_LEN (sizeof stamp))
            continue;
        memcpy (&stamp, CMSG_DATA (part), sizeof stamp);
        gint64 ago_ns = clock_ns (CLOCK_REALTIME) - (stamp.tv_sec * SECOND_NS + stamp.tv_nsec);
        if (ago_ns >= 0 && ago_ns < 60 * SECOND_NS) /* else somebody has set the clock in between */
            return now_ns - ago_ns;
    }
    return now_ns;
}

/* Returns: FALSE when there is nothing more. */
static gboolean
receive (RfXplaneUdp *self, int flags)
{
    guint8 bytes[RF_XPLANE_ANSWER_MAX + 1];
    union {
        struct cmsghdr align;
        char bytes[512];
    } control;
    struct sockaddr_in from = {0};
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_name = &from,
        .msg_namelen = sizeof from,
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    ssize_t length = recvmsg (self->fd, &message, MSG_DONTWAIT | flags);
    gboolean refused = length < 0 ? errno == ECONNREFUSED : (flags & MSG_ERRQUEUE) != 0;
    if (refused) /* nobody listens there: no X-Plane, or none any more */
        self->last_ns = 0;
    if (refused || length < 0)
        return refused || errno == EINTR;
    RfXplaneAnswer answer;
    if ((message.msg_flags & MSG_TRUNC) == 0 && from.sin_family == AF_INET
        && from.sin_addr.s_addr == htonl (INADDR_LOOPBACK)
        && rf_xplane_parse (bytes, (gsize)length, self->first, &answer))
        take (self, &answer, arrival (&message));
    return TRUE;
}

static gboolean
readable_cb (gint fd, GIOCondition condition, gpointer data)
{
    /* refusals first: what has come since is of a new X-Plane */
    for (guint i = 0; i < AT_ONCE && receive (data, MSG_ERRQUEUE); i++)
        ;
    for (guint i = 0; i < AT_ONCE && receive (data, 0); i++)
        ;
    return G_SOURCE_CONTINUE;
}

static gboolean
again_cb (gpointer data)
{
    RfXplaneUdp *self = data;
    /* a request that X-Plane has already is taken in place of the old one */
    if (self->last_ns == 0 || clock_ns (CLOCK_MONOTONIC) - self->last_ns >= SECOND_NS)
        request (self, self->hz);
    return G_SOURCE_CONTINUE;
}

static gboolean
open_socket (RfXplaneUdp *self)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
    const int on = 1;
    self->fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self->fd < 0 || bind (self->fd, (struct sockaddr *)&own, sizeof own) != 0)
        return FALSE;
    /* without the first the times are those of reading, without the second an end shows only as silence */
    (void)setsockopt (self->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    (void)setsockopt (self->fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
    return TRUE;
}

RfXplaneUdp *
rf_xplane_udp_new (guint16 port, guint hz, RfXplaneFunc func, gpointer user_data, GError **error)
{
    g_return_val_if_fail (hz >= 1 && hz <= 99, NULL);
    RfXplaneUdp *self = g_new0 (RfXplaneUdp, 1);
    self->hz = hz;
    self->first = (gint32)(g_random_int () & 0x7fffff00u);
    self->func = func;
    self->user_data = user_data;
    self->xplane = (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons (port), .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
    if (!open_socket (self)) {
        int number = errno;
        g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "UDP at 127.0.0.1: %s", g_strerror (number));
        if (self->fd >= 0)
            close (self->fd);
        g_free (self);
        return NULL;
    }
    self->readable = g_unix_fd_source_new (self->fd, G_IO_IN | G_IO_ERR);
    g_source_set_callback (self->readable, G_SOURCE_FUNC (readable_cb), self, NULL);
    g_source_attach (self->readable, g_main_context_get_thread_default ());
    self->again = g_timeout_source_new_seconds (1);
    g_source_set_callback (self->again, again_cb, self, NULL);
    g_source_attach (self->again, g_main_context_get_thread_default ());
    request (self, hz);
    return self;
}

void
rf_xplane_udp_free (RfXplaneUdp *self)
{
    if (self == NULL)
        return;
    request (self, 0);
    g_source_destroy (self->readable);
    g_source_unref (self->readable);
    g_source_destroy (self->again);
    g_source_unref (self->again);
    close (self->fd);
    g_free (self);
}

gboolean
rf_xplane_udp_answers (RfXplaneUdp *self)
{
    return self->last_ns != 0 && clock_ns (CLOCK_MONOTONIC) - self->last_ns < 3 * SECOND_NS;
}
