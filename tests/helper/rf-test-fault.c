#define G_LOG_DOMAIN "rf-test-fault"
#include "config.h"

#include "rf-test-fault.h"
#include "rf-error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* as first argument of prctl(): a call of the fixture's kernel begins and ends; the second is its name */
#define MAGIC_BEGIN 0x52464201
#define MAGIC_END 0x52464202

/* how the file is found among the arguments */
typedef enum {
    BY_FD,      /* descriptor */
    BY_PATH,    /* path */
    BY_AT,      /* descriptor of a folder, path */
    BY_AT_LAST, /* symlinkat: target, folder, path */
} Way;

static const struct {
    int number;
    const char *name;
    Way way;
} calls[] = {
    {SYS_write, "write", BY_FD},
    {SYS_pwrite64, "pwrite64", BY_FD},
    {SYS_writev, "writev", BY_FD},
    {SYS_pwritev, "pwritev", BY_FD},
    {SYS_sendfile, "sendfile", BY_FD},
    {SYS_fallocate, "fallocate", BY_FD},
    {SYS_ftruncate, "ftruncate", BY_FD},
    {SYS_truncate, "truncate", BY_PATH},
    {SYS_fsync, "fsync", BY_FD},
    {SYS_fdatasync, "fdatasync", BY_FD},
    {SYS_syncfs, "syncfs", BY_FD},
    {SYS_fchmod, "fchmod", BY_FD},
    {SYS_fchmodat, "fchmodat", BY_AT},
    {SYS_fchown, "fchown", BY_FD},
    {SYS_fchownat, "fchownat", BY_AT},
    {SYS_openat, "openat", BY_AT},
    {SYS_mkdirat, "mkdirat", BY_AT},
    {SYS_mknodat, "mknodat", BY_AT},
    {SYS_unlinkat, "unlinkat", BY_AT},
    {SYS_symlinkat, "symlinkat", BY_AT_LAST},
    {SYS_linkat, "linkat", BY_AT},
    {SYS_renameat2, "renameat2", BY_AT},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", BY_AT},
#endif
#ifdef SYS_open /* the old calls, which newer machines do not have */
    {SYS_open, "open", BY_PATH},
    {SYS_creat, "creat", BY_PATH},
    {SYS_mkdir, "mkdir", BY_PATH},
    {SYS_rmdir, "rmdir", BY_PATH},
    {SYS_mknod, "mknod", BY_PATH},
    {SYS_unlink, "unlink", BY_PATH},
    {SYS_rename, "rename", BY_PATH},
    {SYS_link, "link", BY_PATH},
    {SYS_symlink, "symlink", BY_PATH},
    {SYS_chmod, "chmod", BY_PATH},
    {SYS_chown, "chown", BY_PATH},
#endif
    {SYS_swapon, "swapon", BY_PATH},
    {SYS_swapoff, "swapoff", BY_PATH},
};

static gboolean in_child;

/* ---- in the child ---- */

static guint
add_filter (struct sock_filter *code, guint n, int number, int argument, guint32 mask)
{
    const guint32 nr = offsetof (struct seccomp_data, nr);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, nr);
    if (argument < 0) {
        code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (guint32)number, 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
        return n;
    }
    /* the low word of the argument; all machines that we build for are little-endian */
    guint32 low = (guint32)(offsetof (struct seccomp_data, args) + 8 * (guint)argument);
    code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, (guint32)number, 0, 3);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, low);
    code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, mask, 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    return n;
}

static int
install_filter (void)
{
    struct sock_filter code[5 * G_N_ELEMENTS (calls) + 32];
    guint n = 0;
    const guint32 nr = offsetof (struct seccomp_data, nr);
    const guint32 first = offsetof (struct seccomp_data, args);
    for (gsize i = 0; i < G_N_ELEMENTS (calls); i++) {
        gboolean opens = strstr (calls[i].name, "open") == calls[i].name;
        n = add_filter (code, n, calls[i].number, opens ? (calls[i].way == BY_AT ? 2 : 1) : -1,
                        O_ACCMODE | O_CREAT | O_TRUNC);
    }
    code[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, nr);
    code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS, first);
    code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, MAGIC_BEGIN, 1, 0);
    code[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, MAGIC_END, 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    code[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
    if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

static void
send_fd (int socket_fd, int fd)
{
    char byte = 0, control[CMSG_SPACE (sizeof fd)] = {0};
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message
        = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR (&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN (sizeof fd);
    memcpy (CMSG_DATA (head), &fd, sizeof fd);
    if (sendmsg (socket_fd, &message, 0) != 1)
        _exit (125);
}

static int
receive_fd (int socket_fd)
{
    int fd = -1;
    char byte = 0, control[CMSG_SPACE (sizeof fd)] = {0};
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message
        = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    g_assert_cmpint (recvmsg (socket_fd, &message, MSG_CMSG_CLOEXEC), ==, 1);
    const struct cmsghdr *head = CMSG_FIRSTHDR (&message);
    g_assert_nonnull (head);
    memcpy (&fd, CMSG_DATA (head), sizeof fd);
    return fd;
}

static void G_GNUC_NORETURN
child_main (int socket_fd, RfFaultFunc func, gpointer data, RfFaultResult *shared)
{
    int listener = install_filter ();
    if (listener < 0)
        _exit (126);
    send_fd (socket_fd, listener);
    close (listener);
    close (socket_fd);
    in_child = TRUE;
    g_autoptr (GError) error = NULL;
    shared->ok = func (data, &error);
    if (error != NULL) {
        shared->code = error->code;
        g_strlcpy (shared->message, error->message, sizeof shared->message);
    }
    /* no handlers at exit: they belong to the parent's test */
    _exit (0);
}

int
rf_fault_kernel (const char *what)
{
    return !in_child || prctl (MAGIC_BEGIN, what, 0, 0, 0) == 0 ? 0 : errno;
}

void
rf_fault_kernel_end (void)
{
    if (in_child)
        prctl (MAGIC_END, 0, 0, 0, 0);
}

/* ---- in the parent ---- */

typedef struct {
    int listener;
    pid_t pid;
    const RfFault *fault;
    const char *const *roots;
    RfFaultResult *result;
    guint depth; /* within a call of the fixture's kernel */
} Watch;

static char *
read_text (pid_t pid, guint64 address)
{
    char text[4096];
    struct iovec local = {.iov_base = text, .iov_len = sizeof text - 1};
    /* not beyond the page, which may be the last one */
    gsize length = MIN (local.iov_len, 4096 - (address & 4095));
    GString *out = g_string_new (NULL);
    while (address != 0) {
        struct iovec remote = {.iov_base = (void *)(gsize)address, .iov_len = length};
        ssize_t got = process_vm_readv (pid, &local, 1, &remote, 1, 0);
        if (got <= 0)
            break;
        gsize used = strnlen (text, (gsize)got);
        g_string_append_len (out, text, (gssize)used);
        if (used < (gsize)got)
            break;
        address += (guint64)got;
        length = sizeof text - 1;
    }
    return g_string_free (out, FALSE);
}

static char *
path_of_fd (pid_t pid, int fd)
{
    g_autofree char *link = fd == AT_FDCWD ? g_strdup_printf ("/proc/%d/cwd", (int)pid)
                                           : g_strdup_printf ("/proc/%d/fd/%d", (int)pid, fd);
    char *path = g_file_read_link (link, NULL);
    return path != NULL ? path : g_strdup ("");
}

static char *
path_of (pid_t pid, Way way, const __u64 *args)
{
    int folder_fd = AT_FDCWD;
    g_autofree char *name = NULL;
    switch (way) {
    case BY_FD:
        return path_of_fd (pid, (int)args[0]);
    case BY_PATH:
        name = read_text (pid, args[0]);
        break;
    case BY_AT_LAST:
        folder_fd = (int)args[1];
        name = read_text (pid, args[2]);
        break;
    case BY_AT:
    default:
        folder_fd = (int)args[0];
        name = read_text (pid, args[1]);
        break;
    }
    if (name[0] == '/')
        return g_steal_pointer (&name);
    g_autofree char *folder = path_of_fd (pid, folder_fd);
    return g_build_filename (folder, name, NULL);
}

static gboolean
is_below (const char *path, const char *const *roots)
{
    for (guint i = 0; roots[i] != NULL; i++)
        if (g_str_has_prefix (path, roots[i]))
            return TRUE;
    return FALSE;
}

/* Returns: (nullable): what is called, NULL if it is no point */
static char *
describe (Watch *self, const struct seccomp_notif *notice)
{
    const struct seccomp_data *data = &notice->data;
    if (data->nr == SYS_prctl) {
        g_autofree char *what = read_text ((pid_t)notice->pid, data->args[1]);
        return data->args[0] == MAGIC_BEGIN ? g_strdup_printf ("kernel %s", what) : NULL;
    }
    for (gsize i = 0; i < G_N_ELEMENTS (calls); i++) {
        if (calls[i].number != data->nr)
            continue;
        g_autofree char *path = path_of ((pid_t)notice->pid, calls[i].way, data->args);
        return is_below (path, self->roots) ? g_strdup_printf ("%s %s", calls[i].name, path) : NULL;
    }
    return NULL;
}

/* Half of the bytes of a write(): carried out here, on the same open file. */
static gssize
write_half (const struct seccomp_notif *notice)
{
    gsize length = (gsize)notice->data.args[2] / 2;
    g_autofree char *bytes = g_malloc (length + 1);
    struct iovec local = {.iov_base = bytes, .iov_len = length};
    struct iovec remote = {.iov_base = (void *)(gsize)notice->data.args[1], .iov_len = length};
    int pid_fd = (int)syscall (SYS_pidfd_open, (pid_t)notice->pid, 0);
    int fd = (int)syscall (SYS_pidfd_getfd, pid_fd, (int)notice->data.args[0], 0);
    gssize done = -1;
    if (fd >= 0 && process_vm_readv ((pid_t)notice->pid, &local, 1, &remote, 1, 0) == (ssize_t)length)
        done = write (fd, bytes, length);
    g_assert_cmpint (done, ==, (gssize)length);
    close (fd);
    close (pid_fd);
    return done;
}

static void
answer (Watch *self, const struct seccomp_notif *notice, struct seccomp_notif_resp *reply)
{
    reply->id = notice->id;
    reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    g_autofree char *what = describe (self, notice);
    gboolean kernel = what != NULL && g_str_has_prefix (what, "kernel ");
    gboolean end = notice->data.nr == SYS_prctl && !kernel;
    if (notice->data.nr == SYS_prctl)
        reply->flags = 0; /* answered here, with success */
    if (end) {
        self->depth--;
        return;
    }
    if (what == NULL || self->depth > 0)
        return;
    guint number = ++self->result->points;
    RfFaultKind kind = self->fault->kind;
    gboolean hit = number == self->fault->at
                   || (kind == RF_FAULT_ERRORS && number > self->fault->at && !kernel && !strstr (what, " /proc/sys/"));
    if (number == self->fault->at)
        g_strlcpy (self->result->call, what, sizeof self->result->call);
    gboolean writes = notice->data.nr == SYS_write && !strstr (what, " /proc/sys/");
    if (number < RF_FAULT_MAX_NOTED)
        self->result->writes[number] = writes;
    if (!hit || kind == RF_FAULT_NONE || (kind == RF_FAULT_SHORT && !writes)) {
        self->depth += kernel;
    } else if (kind == RF_FAULT_KILL || kind == RF_FAULT_TORN) {
        if (kind == RF_FAULT_TORN && writes)
            write_half (notice);
        self->result->killed = TRUE;
        kill (self->pid, SIGKILL);
    } else if (kind == RF_FAULT_SHORT) {
        reply->flags = 0;
        reply->val = write_half (notice);
    } else {
        reply->flags = 0;
        reply->error = -self->fault->errnum;
    }
}

static void
watch (Watch *self)
{
    for (;;) {
        struct pollfd poll_fd = {.fd = self->listener, .events = POLLIN};
        struct seccomp_notif notice = {0};
        struct seccomp_notif_resp reply = {0};
        if (poll (&poll_fd, 1, -1) < 0 && errno == EINTR)
            continue;
        if ((poll_fd.revents & POLLIN) == 0)
            return; /* nobody has the filter any more */
        if (ioctl (self->listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0)
            continue;
        answer (self, &notice, &reply);
        if (self->result->killed)
            return;
        ioctl (self->listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
    }
}

void
rf_fault_run (const RfFault *fault, const char *const *roots, RfFaultFunc func, gpointer data, RfFaultResult *result)
{
    int sockets[2], status = 0;
    RfFaultResult *shared
        = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    g_assert_true (shared != MAP_FAILED);
    g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), ==, 0);
    fflush (NULL);
    pid_t pid = fork ();
    g_assert_cmpint (pid, >=, 0);
    if (pid == 0)
        child_main (sockets[1], func, data, shared);
    close (sockets[1]);
    memset (result, 0, sizeof *result);
    Watch self = {receive_fd (sockets[0]), pid, fault, roots, result, 0};
    close (sockets[0]);
    watch (&self);
    close (self.listener);
    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    if (!result->killed && (!WIFEXITED (status) || WEXITSTATUS (status) != 0))
        g_error ("the work ended with status %d at '%s'", status, result->call);
    result->ok = shared->ok && !result->killed;
    result->code = shared->code;
    g_strlcpy (result->message, shared->message, sizeof result->message);
    munmap (shared, sizeof *shared);
}

/* ---- the fixture's kernel, one point for each of its calls ---- */

static int
fault_write_value (const RfOps *self, RfSysroot *kernel, const char *relative, const char *text)
{
    g_autofree char *what = g_strdup_printf ("write /%s", relative);
    int errnum = rf_fault_kernel (what);
    if (errnum != 0)
        return errnum;
    errnum = rf_ops_fixture ()->write_value (self, kernel, relative, text);
    rf_fault_kernel_end ();
    return errnum;
}

static int
fault_hot_add (const RfOps *self, RfSysroot *kernel, guint *number)
{
    int errnum = rf_fault_kernel ("hot_add");
    if (errnum != 0)
        return errnum;
    errnum = rf_ops_fixture ()->hot_add (self, kernel, number);
    if (errnum == 0) {
        /* newer kernels number their disks */
        g_autofree char *relative = g_strdup_printf ("sys/block/zram%u/diskseq", *number);
        g_autofree char *path = rf_sysroot_path (kernel, relative);
        g_assert_true (g_file_set_contents (path, "77\n", -1, NULL));
    }
    rf_fault_kernel_end ();
    return errnum;
}

static int
fault_swap_on (const RfOps *self, RfSysroot *kernel, const char *device, int priority)
{
    int errnum = rf_fault_kernel ("swapon");
    if (errnum != 0)
        return errnum;
    errnum = rf_ops_fixture ()->swap_on (self, kernel, device, priority);
    rf_fault_kernel_end ();
    return errnum;
}

static int
fault_swap_off (const RfOps *self, RfSysroot *kernel, const char *device)
{
    int errnum = rf_fault_kernel ("swapoff");
    if (errnum != 0)
        return errnum;
    errnum = rf_ops_fixture ()->swap_off (self, kernel, device);
    rf_fault_kernel_end ();
    return errnum;
}

static gboolean
fault_run (const RfOps *self, RfSysroot *kernel, const char *const *argv, GError **error)
{
    int errnum = rf_fault_kernel (argv[0]);
    if (errnum == 0)
        rf_fault_kernel_end ();
    else
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot start '%s': %s", argv[0], g_strerror (errnum));
    return errnum == 0;
}

static gboolean
fault_load_zram (const RfOps *self, RfSysroot *kernel, GError **error)
{
    int errnum = rf_fault_kernel ("modprobe zram");
    if (errnum != 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot load: %s", g_strerror (errnum));
        return FALSE;
    }
    gboolean ok = rf_ops_fixture ()->load_zram (self, kernel, error);
    rf_fault_kernel_end ();
    return ok;
}

RfOps
rf_fault_ops (void)
{
    return (RfOps){
        .write_value = fault_write_value,
        .hot_add = fault_hot_add,
        .swap_on = fault_swap_on,
        .swap_off = fault_swap_off,
        .run = fault_run,
        .load_zram = fault_load_zram,
    };
}
