#define G_LOG_DOMAIN "rf-work-loads"
#include "config.h"

#include "rf-work-loads.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "rf-work-data.h"
#include "rf-work-stop.h"

#define PIECE ((gsize)256 * 1024)
#define NOTHING_TO_DO (20 * RF_WORK_MS)

typedef struct {
    RfWorkLoad *load;
    guint64 state;
    gint64 begin;
    guint64 number; /* of the MiB */
    char *buffer;   /* 1 MiB */
} Worker;

const char *
rf_work_load_nick (RfWorkLoadKind kind)
{
    static const char *const nicks[RF_WORK_N_LOAD_KINDS] = {"none", "memory", "proc", "write", "copy", "read"};
    g_return_val_if_fail ((guint)kind < RF_WORK_N_LOAD_KINDS, "none");
    return nicks[kind];
}

static gboolean
goes_on (const RfWorkLoad *load)
{
    return !g_atomic_int_get (&load->stop) && !rf_work_stopped ();
}

/* takes a set of memory, fills it, gives it back */
static void
do_memory (Worker *self)
{
    const gint64 size = (gint64)(self->load->plan->set * RF_WORK_MIB);
    int fd = rf_work_memory_file ("rf-memory");
    for (gint64 at = 0; fd >= 0 && at < size && goes_on (self->load); at += (gint64)PIECE) {
        rf_work_fill (&self->state, self->buffer, PIECE);
        if (!rf_work_write_all (fd, self->buffer, PIECE, at))
            rf_work_fail ("memory", errno);
        self->load->bytes += PIECE;
    }
    if (fd >= 0)
        close (fd);
}

static void
read_text (Worker *self, const char *path)
{
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    gssize n;
    while (fd >= 0 && (n = read (fd, self->buffer, PIECE)) > 0)
        self->load->bytes += (guint64)n;
    if (fd >= 0)
        close (fd);
}

/* what monitors read: of the machine and of every process */
static void
do_proc (Worker *self)
{
    static const char *const of_machine[] = {"meminfo", "vmstat", "stat", "interrupts", "diskstats", "mounts"};
    static const char *const of_process[] = {"stat", "status", "statm"};
    for (gsize i = 0; i < G_N_ELEMENTS (of_machine); i++) {
        g_autofree char *path = g_build_filename ("/proc", of_machine[i], NULL);
        read_text (self, path);
    }
    g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
    const char *name;
    while (folder != NULL && goes_on (self->load) && (name = g_dir_read_name (folder)) != NULL) {
        for (gsize i = 0; g_ascii_isdigit (name[0]) && i < G_N_ELEMENTS (of_process); i++) {
            g_autofree char *path = g_build_filename ("/proc", name, of_process[i], NULL);
            read_text (self, path);
        }
    }
}

static void
write_one (Worker *self)
{
    const gint64 at = (gint64)(self->number % self->load->plan->image * RF_WORK_MIB);
    if (!rf_work_write_all (self->load->files->image, self->buffer, RF_WORK_MIB, at))
        rf_work_fail ("write", errno);
    self->load->bytes += RF_WORK_MIB;
    gint64 earliest = self->begin + (gint64)(self->load->bytes / RF_WORK_MIB) * (RF_WORK_S / RF_WORK_LOAD_MIB_PER_S);
    while (goes_on (self->load) && rf_work_now () < earliest)
        (void)rf_work_sleep_until (MIN (earliest, rf_work_now () + NOTHING_TO_DO));
}

static void
read_one (Worker *self)
{
    const guint64 n = self->load->plan->pool;
    /* all of it from the drive: nothing is in the cache when a round begins */
    if (self->number % n == 0)
        rf_work_files_drop (self->load->files, 0, 0);
    if (pread (self->load->files->pool, self->buffer, RF_WORK_MIB, (gint64)(self->number % n * RF_WORK_MIB)) < 0)
        rf_work_fail ("read", errno);
}

static void
work_once (Worker *self)
{
    switch (self->load->kind) {
    case RF_WORK_LOAD_MEMORY:
        do_memory (self);
        break;
    case RF_WORK_LOAD_PROC:
        do_proc (self);
        break;
    case RF_WORK_LOAD_WRITE:
        write_one (self);
        break;
    case RF_WORK_LOAD_COPY:
        read_one (self);
        write_one (self);
        break;
    case RF_WORK_LOAD_READ:
        read_one (self);
        self->load->bytes += RF_WORK_MIB;
        break;
    case RF_WORK_LOAD_NONE:
    case RF_WORK_N_LOAD_KINDS:
    default:
        (void)rf_work_sleep_until (rf_work_now () + NOTHING_TO_DO);
        break;
    }
    self->number++;
}

gpointer
rf_work_load_thread (gpointer data)
{
    RfWorkLoad *load = data;
    Worker self = {.load = load, .state = load->plan->seed + 11, .begin = rf_work_now ()};
    self.buffer = g_malloc (RF_WORK_MIB);
    rf_work_fill (&self.state, self.buffer, RF_WORK_MIB);
    rf_work_in_background ();
    while (goes_on (load))
        work_once (&self);
    load->seconds = (double)(rf_work_now () - self.begin) / RF_WORK_S;
    g_free (self.buffer);
    return NULL;
}
