#define G_LOG_DOMAIN "rf-work-watch"
#include "config.h"

#include "rf-work-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "rf-error.h"
#include "rf-power.h"
#include "rf-pressure.h"
#include "rf-work-limits.h"

#define MIB (1024 * 1024)
#define LOOK_EVERY (100 * RF_WORK_MS)
/* threads stop within 50 ms where the drive lets them; after this time the process is ended with what it still holds */
#define GRACE (8 * RF_WORK_S)
#define LEAST_AVAILABLE ((guint64)128 * MIB)
#define SWAP_TAKEN ((guint64)64 * MIB)

/* What happened between the newest look and one about @seconds ago, in percent; 0 if that is not known. */
static double
full_share (const RfWorkDanger *self, const RfWorkLook *now, gint64 seconds)
{
    const RfWorkLook *then = NULL;
    for (guint i = 1; i <= self->n; i++) {
        const RfWorkLook *look = &self->looks[(self->next + RF_WORK_WATCH_N - i) % RF_WORK_WATCH_N];
        if (now->time_ns - look->time_ns >= seconds * RF_WORK_S) {
            then = look;
            break;
        }
    }
    if (then == NULL || !rf_counter_ok (then->full_us) || !rf_counter_ok (now->full_us)
        || now->full_us.value < then->full_us.value)
        return 0;
    return (double)(now->full_us.value - then->full_us.value) * 1000 / (double)(now->time_ns - then->time_ns) * 100;
}

static gboolean
swap_is_short (const RfWorkDanger *self, const RfWorkLook *look)
{
    return rf_counter_ok (look->swap_total) && rf_counter_ok (look->swap_free) && look->swap_total.value > 0
           && look->swap_free.value < look->swap_total.value / 10
           && look->swap_free.value + SWAP_TAKEN < self->swap_free_at_first;
}

RfWorkEnd
rf_work_danger_judge (RfWorkDanger *self, const RfWorkLook *look)
{
    guint64 least = LEAST_AVAILABLE;
    if (rf_counter_ok (look->total))
        least = MAX (least, MIN (look->total.value / 25, (guint64)512 * MIB));
    if (self->n == 0 && rf_counter_ok (look->swap_free))
        self->swap_free_at_first = look->swap_free.value;
    self->looks[self->next] = *look;
    self->next = (self->next + 1) % RF_WORK_WATCH_N;
    self->n = MIN (self->n + 1, RF_WORK_WATCH_N);
    if (rf_counter_ok (look->available) && look->available.value < least)
        return RF_WORK_END_MEMORY;
    if (full_share (self, look, 3) > 70 || full_share (self, look, 10) > 40)
        return RF_WORK_END_PRESSURE;
    if (swap_is_short (self, look))
        return RF_WORK_END_SWAP;
    return RF_WORK_RUNNING;
}

typedef struct {
    const RfWorkWatch *watch;
    RfWorkDanger danger;
    int meminfo;
    int pressure; /* -1: this kernel has none */
    gint64 stopped_at;
} Watcher;

/* both files are shorter than one buffer of the kernel, so that one read gives the whole of them */
static gsize
read_kept (int fd, char *buffer, gsize size)
{
    gssize n = fd >= 0 ? pread (fd, buffer, size, 0) : -1;
    return n > 0 ? (gsize)n : 0;
}

static void
look_around (Watcher *self, RfWorkLook *look)
{
    char buffer[8192];
    RfMeminfo memory;
    RfPressure pressure;
    rf_meminfo_parse (buffer, read_kept (self->meminfo, buffer, sizeof buffer), &memory);
    rf_pressure_parse (buffer, read_kept (self->pressure, buffer, sizeof buffer), &pressure);
    *look = (RfWorkLook){
        .time_ns = rf_work_now (),
        .total = memory.total,
        .available = memory.available,
        .swap_total = memory.swap_total,
        .swap_free = memory.swap_free,
        .full_us = pressure.full.total_us,
    };
}

static gboolean
stdin_is_closed (void)
{
    char ignored[256];
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll (&fd, 1, 0) <= 0)
        return FALSE;
    return (fd.revents & (POLLERR | POLLNVAL)) != 0 || read (STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static gboolean
drive_is_full (const char *folder)
{
    struct statvfs answer;
    return folder != NULL && statvfs (folder, &answer) == 0
           && !rf_work_limits_disk_left ((guint64)answer.f_blocks * answer.f_frsize,
                                         (guint64)answer.f_bavail * answer.f_frsize);
}

static RfWorkEnd
judge (Watcher *self, guint count)
{
    RfWorkLook look;
    look_around (self, &look);
    RfWorkEnd end = rf_work_danger_judge (&self->danger, &look);
    if (end != RF_WORK_RUNNING)
        return end;
    /* not PR_SET_PDEATHSIG: that tells of the end of the thread that started us, which may be one of many */
    if (getppid () != self->watch->parent)
        return RF_WORK_END_PARENT;
    if (self->watch->stdin_ends && stdin_is_closed ())
        return RF_WORK_END_STDIN;
    if (count % 10 == 0 && drive_is_full (self->watch->folder))
        return RF_WORK_END_FULL;
    if (count % 10 == 5 && !self->watch->may_use_battery && rf_power_on_battery (self->watch->sysroot))
        return RF_WORK_END_BATTERY;
    return RF_WORK_RUNNING;
}

static gpointer
watch_thread (gpointer data)
{
    Watcher *self = data;
    for (guint count = 0;; count++) {
        RfWorkEnd end = judge (self, count);
        if (end != RF_WORK_RUNNING)
            rf_work_stop (end);
        if (rf_work_stopped () && self->stopped_at == 0)
            self->stopped_at = rf_work_now ();
        if (self->stopped_at != 0 && rf_work_now () - self->stopped_at > GRACE)
            (void)kill (getpid (), SIGKILL);
        /* rf_work_sleep_until() would return at once after a stop */
        g_usleep ((gulong)(LOOK_EVERY / 1000));
    }
    return NULL;
}

static void
on_signal (int number)
{
    rf_work_stop (RF_WORK_END_SIGNAL);
}

static int
open_kept (RfSysroot *sysroot, const char *name)
{
    g_autofree char *path = rf_sysroot_path (sysroot, name);
    return open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

gboolean
rf_work_watch_start (const RfWorkWatch *watch, guint longest_s, GError **error)
{
    static Watcher self;
    /* Ctrl+Z too: a process that is stopped keeps its memory, and no timer ends it */
    static const int stops[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP};
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    self = (Watcher){.watch = watch};
    self.meminfo = open_kept (watch->sysroot, "proc/meminfo");
    self.pressure = open_kept (watch->sysroot, "proc/pressure/memory");
    if (self.meminfo < 0) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "/proc/meminfo: %s", g_strerror (errno));
        return FALSE;
    }
    sigemptyset (&stop.sa_mask);
    for (gsize i = 0; i < G_N_ELEMENTS (stops); i++)
        sigaction (stops[i], &stop, NULL);
    sigemptyset (&ignore.sa_mask);
    sigaction (SIGPIPE, &ignore, NULL);
    sigaction (SIGXFSZ, &ignore, NULL);
    /* the kernel's own timer: needs no page of ours to be in memory. SIGALRM ends the process. */
    (void)signal (SIGALRM, SIG_DFL);
    alarm (longest_s);
    g_thread_unref (g_thread_new ("rf-watch", watch_thread, &self));
    return TRUE;
}

gboolean
rf_work_first_victim (GError **error)
{
    static const char most[] = "1000";
    const struct rlimit none = {0, 0};
    int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    gssize written = fd >= 0 ? write (fd, most, strlen (most)) : -1;
    int errnum = errno;
    if (fd >= 0)
        close (fd);
    (void)setrlimit (RLIMIT_CORE, &none);
    (void)prctl (PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
    if (written != (gssize)strlen (most)) {
        g_set_error (error, RF_ERROR, RF_ERROR_IO, "/proc/self/oom_score_adj: %s", g_strerror (errnum));
        return FALSE;
    }
    return TRUE;
}
