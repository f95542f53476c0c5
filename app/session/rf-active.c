#define G_LOG_DOMAIN "rf-active"
#include "config.h"

#include "rf-active.h"
#include "rf-array.h"
#include "rf-csv.h"
#include "rf-error.h"
#include "rf-session-info.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LOCK "recording.lock"
#define SOCKET "recording"
#define MESSAGE_MAX 1024
#define OLD_NS (G_GINT64_CONSTANT (60) * 1000000000) /* a mark of another time than now is none */

struct _RfActive {
    int folder;
    int lock;
    int socket;
};

static void
fail_errno (const char *what, GError **error)
{
    int code = errno;
    g_set_error (error, RF_ERROR, RF_ERROR_IO, "'%s': %s", what, g_strerror (code));
}

/* Returns: a descriptor of the folder, -1 */
static int
open_folder (const char *runtime, gboolean make, GError **error)
{
    g_autofree char *path = g_build_filename (runtime != NULL ? runtime : g_get_user_runtime_dir (), "ruckelfrei", NULL);
    struct stat info;
    if (make)
        (void)g_mkdir_with_parents (path, 0700);
    int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat (fd, &info) != 0) {
        fail_errno (path, error);
        if (fd >= 0)
            close (fd);
        return -1;
    }
    if (info.st_uid == getuid () && (info.st_mode & 022) == 0)
        return fd;
    close (fd);
    g_set_error (error, RF_ERROR, RF_ERROR_IO, "'%s' belongs to somebody else or is open to others", path);
    return -1;
}

/* Through the descriptor, so that the folder cannot be exchanged on the way, and the name is short enough (unix(7)). */
static socklen_t
set_address (struct sockaddr_un *address, int folder)
{
    memset (address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    g_snprintf (address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/" SOCKET, folder);
    return sizeof *address;
}

static gboolean
claim (RfActive *self, GError **error)
{
    struct sockaddr_un address;
    int on = 1;
    self->lock = openat (self->folder, LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (self->lock < 0) {
        fail_errno (LOCK, error);
        return FALSE;
    }
    if (flock (self->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            g_set_error_literal (error, RF_ERROR, RF_ERROR_BUSY, "a recording is being made");
        else
            fail_errno (LOCK, error);
        return FALSE;
    }
    /* with the lock held, a socket that is there is of one who died */
    (void)unlinkat (self->folder, SOCKET, 0);
    self->socket = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t length = set_address (&address, self->folder);
    if (self->socket < 0 || setsockopt (self->socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0
        || bind (self->socket, (struct sockaddr *)&address, length) != 0
        || fchmodat (self->folder, SOCKET, 0600, 0) != 0) {
        fail_errno (SOCKET, error);
        return FALSE;
    }
    return TRUE;
}

RfActive *
rf_active_claim (const char *runtime, GError **error)
{
    int folder = open_folder (runtime, TRUE, error);
    if (folder < 0)
        return NULL;
    g_autoptr (RfActive) self = rf_new0 (RfActive, 1);
    *self = (RfActive) {.folder = folder, .lock = -1, .socket = -1};
    return claim (self, error) ? g_steal_pointer (&self) : NULL;
}

void
rf_active_free (RfActive *self)
{
    if (self->socket >= 0) {
        (void)unlinkat (self->folder, SOCKET, 0);
        close (self->socket);
    }
    if (self->lock >= 0)
        close (self->lock);
    close (self->folder);
    g_free (self);
}

int
rf_active_fd (const RfActive *self)
{
    return self->socket;
}

/* "mark TIME_NS TEXT" */
static char *
parse (char *text, gint64 *time_ns)
{
    gint64 now = g_get_monotonic_time () * 1000, said;
    if (!g_str_has_prefix (text, "mark "))
        return NULL;
    text += strlen ("mark ");
    gsize digits = strcspn (text, " ");
    if (text[digits] != ' ' || !rf_csv_to_integer (text, digits, &said))
        return NULL;
    *time_ns = said <= now && said >= now - OLD_NS ? said : now;
    return rf_session_clean (text + digits + 1);
}

char *
rf_active_receive (RfActive *self, gint64 *time_ns)
{
    while (TRUE) {
        char text[MESSAGE_MAX + 1];
        union {
            struct cmsghdr header;
            char space[CMSG_SPACE (sizeof (struct ucred))];
        } control;
        struct iovec part = {text, MESSAGE_MAX};
        struct msghdr message
            = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
        gssize got = recvmsg (self->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return NULL;
        const struct cmsghdr *first = CMSG_FIRSTHDR (&message);
        struct ucred sender = {.uid = (uid_t)-1};
        if (first != NULL && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_CREDENTIALS)
            memcpy (&sender, CMSG_DATA (first), sizeof sender);
        text[got] = '\0';
        char *mark = sender.uid == getuid () ? parse (text, time_ns) : NULL;
        if (mark != NULL)
            return mark;
    }
}

static gboolean
send_to (int folder, const char *message, GError **error)
{
    struct sockaddr_un address;
    socklen_t length = set_address (&address, folder);
    int fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    gboolean sent = fd >= 0
                    && sendto (fd, message, strlen (message), MSG_NOSIGNAL, (struct sockaddr *)&address, length) >= 0;
    int code = errno;
    if (fd >= 0)
        close (fd);
    if (sent)
        return TRUE;
    if (code == ENOENT || code == ECONNREFUSED)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "no recording is being made");
    else {
        errno = code;
        fail_errno (SOCKET, error);
    }
    return FALSE;
}

gboolean
rf_active_send_mark (const char *runtime, gint64 time_ns, const char *text, GError **error)
{
    g_autofree char *clean = rf_session_clean (text);
    g_autofree char *message = g_strdup_printf ("mark %" G_GINT64_FORMAT " %s", time_ns, clean);
    g_autoptr (GError) why = NULL;
    int folder = open_folder (runtime, FALSE, &why);
    if (folder < 0) {
        g_autofree char *path = g_build_filename (runtime != NULL ? runtime : g_get_user_runtime_dir (), "ruckelfrei", NULL);
        if (!g_file_test (path, G_FILE_TEST_EXISTS))
            g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "no recording is being made");
        else
            g_propagate_error (error, g_steal_pointer (&why));
        return FALSE;
    }
    struct stat info;
    gboolean ok = FALSE;
    if (fstatat (folder, SOCKET, &info, AT_SYMLINK_NOFOLLOW) != 0)
        g_set_error_literal (error, RF_ERROR, RF_ERROR_STATE, "no recording is being made");
    else if (!S_ISSOCK (info.st_mode) || info.st_uid != getuid ())
        g_set_error_literal (error, RF_ERROR, RF_ERROR_IO, "'" SOCKET "' is not ours");
    else
        ok = send_to (folder, message, error);
    close (folder);
    return ok;
}
