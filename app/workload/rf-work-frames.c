#define G_LOG_DOMAIN "rf-work-frames"
#include "config.h"

#include "rf-work-frames.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rf-array.h"
#include "rf-text.h"
#include "rf-work-data.h"
#include "rf-work-stop.h"

/* one frame: pages of its own memory that are touched, blocks of the hot file that are read, steps of arithmetic (some
 * tenths of a millisecond); every 10th frame takes three times the memory, every 30th writes a line */
#define TOUCHED 128
#define BLOCKS 4
#define BLOCK ((gsize)65536)
#define STEPS 200000

typedef struct {
    RfWorkFrameLoop *loop;
    guint64 state;
    guint64 *working;
    gsize n_pages;
    int memory;
    int schedstat;
    char *data;
    char *block;
    double queued; /* ms, since the thread began */
    gsize count;
} Maker;

RfWorkFrameLoop *
rf_work_frame_loop_new (const RfWorkPlan *plan, RfWorkFiles *files, guint seconds)
{
    g_autoptr (RfWorkFrameLoop) self = rf_new0 (RfWorkFrameLoop, 1);
    self->plan = plan;
    self->files = files;
    self->capacity = (gsize)plan->hz * (seconds + 10);
    self->frames = rf_work_map (self->capacity * sizeof *self->frames, FALSE);
    if (self->frames == NULL)
        return NULL;
    /* so that writing down a frame is no fault in the next one; without the right to do so there is one in 256 frames
     */
    (void)mlock (self->frames, self->capacity * sizeof *self->frames);
    return g_steal_pointer (&self);
}

void
rf_work_frame_loop_free (RfWorkFrameLoop *self)
{
    if (self->frames != NULL)
        munmap (self->frames, self->capacity * sizeof *self->frames);
    g_free (self);
}

void
rf_work_frame_loop_measure (RfWorkFrameLoop *self)
{
    self->from_ns = rf_work_now ();
    g_atomic_int_set (&self->measuring, 1);
}

/* Time in which this thread could have run and had no processor, ms: the second number of schedstat
 * (Documentation/scheduler/sched-stats.rst). */
static double
read_queued (int fd)
{
    char text[96];
    guint64 number[2];
    gssize n = fd >= 0 ? pread (fd, text, sizeof text, 0) : -1;
    const char *cursor = text, *end = text + MAX (n, 0);
    for (guint i = 0; i < 2; i++)
        if (!rf_text_scan_uint64 (&cursor, end, &number[i]))
            return NAN;
    return (double)number[1] / RF_WORK_MS;
}

static guint64
read_faults (void)
{
    struct rusage usage;
    return getrusage (RUSAGE_THREAD, &usage) == 0 ? (guint64)usage.ru_majflt : 0;
}

static void
touch_working (Maker *self)
{
    for (guint i = 0; i < TOUCHED; i++) {
        gsize page = rf_work_random (&self->state) % self->n_pages;
        self->working[page * RF_WORK_PAGE / sizeof *self->working + 8] += page;
    }
}

static void
take_memory (Maker *self)
{
    const gsize factor = self->count % 10 == 9 ? 3 : 1;
    gsize length = (gsize)self->loop->plan->frame_kib * 1024 * factor;
    for (gsize at = 0; at < length; at += RF_WORK_MIB)
        if (!rf_work_write_all (self->memory, self->data, MIN (RF_WORK_MIB, length - at), (gint64)at))
            rf_work_fail ("memory of a frame", errno);
    if (ftruncate (self->memory, 0) != 0)
        rf_work_fail ("memory of a frame", errno);
}

static void
read_blocks (Maker *self)
{
    for (guint i = 0; i < BLOCKS; i++) {
        gint64 at = (gint64)(rf_work_random (&self->state) % (RF_WORK_HOT / BLOCK) * BLOCK);
        if (pread (self->loop->files->hot, self->block, BLOCK, at) < 0)
            rf_work_fail ("read", errno);
    }
}

static void
write_line (Maker *self)
{
    char line[200];
    if (self->count % 30 != 0)
        return;
    memset (line, 'x', sizeof line);
    if (!rf_work_write_all (self->loop->files->log, line, sizeof line, (gint64)(self->count / 30 * sizeof line)))
        rf_work_fail ("write", errno);
}

static void
compute (Maker *self)
{
    volatile guint64 sink = self->state;
    for (guint i = 0; i < STEPS; i++)
        sink = sink + i * sink;
}

static double
ms_since (gint64 *last)
{
    gint64 now = rf_work_now ();
    double ms = (double)(now - *last) / RF_WORK_MS;
    *last = now;
    return ms;
}

static void
keep_frame (RfWorkFrameLoop *loop, gint64 due, double ms, const double *phase, double queued)
{
    gsize n = (gsize)g_atomic_int_get (&loop->n);
    if (!g_atomic_int_get (&loop->measuring) || due < loop->from_ns || n >= loop->capacity)
        return;
    loop->frames[n] = (RfWorkFrame){due, (float)ms, (guint8)rf_work_cause_of (ms, phase, queued)};
    if (ms > RF_WORK_SLOW_MS) {
        for (guint i = 0; i < RF_WORK_N_CAUSES; i++)
            loop->stall_ms[i] += phase[i];
        loop->queued_ms += queued;
    }
    g_atomic_int_set (&loop->n, (gint)n + 1);
}

static void
make_frame (Maker *self, gint64 due)
{
    double phase[RF_WORK_N_CAUSES] = {0};
    gint64 last = due;
    guint64 faults = read_faults ();
    phase[RF_WORK_CAUSE_LATE] = ms_since (&last);
    touch_working (self);
    phase[RF_WORK_CAUSE_FAULT] = ms_since (&last);
    take_memory (self);
    phase[RF_WORK_CAUSE_ALLOC] = ms_since (&last);
    read_blocks (self);
    phase[RF_WORK_CAUSE_READ] = ms_since (&last);
    write_line (self);
    phase[RF_WORK_CAUSE_WRITE] = ms_since (&last);
    compute (self);
    phase[RF_WORK_CAUSE_CPU] = ms_since (&last);
    if (g_atomic_int_get (&self->loop->measuring) && due >= self->loop->from_ns)
        self->loop->major_faults += read_faults () - faults;
    double queued = read_queued (self->schedstat);
    keep_frame (self->loop, due, (double)(last - due) / RF_WORK_MS, phase, queued - self->queued);
    self->queued = queued;
    self->count++;
}

static gboolean
maker_init (Maker *self, RfWorkFrameLoop *loop)
{
    const gsize size = (gsize)loop->plan->working * RF_WORK_MIB;
    *self = (Maker){.loop = loop, .state = loop->plan->seed + 1, .n_pages = size / RF_WORK_PAGE};
    self->memory = rf_work_memory_file ("rf-frame");
    self->schedstat = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    self->working = rf_work_map (size, FALSE);
    self->data = g_malloc (RF_WORK_MIB);
    self->block = g_malloc (BLOCK);
    rf_work_fill (&self->state, self->data, RF_WORK_MIB);
    for (gsize at = 0; self->working != NULL && at < size && !rf_work_stopped (); at += RF_WORK_MIB)
        rf_work_fill (&self->state, (char *)self->working + at, RF_WORK_MIB);
    self->queued = read_queued (self->schedstat);
    loop->queued_ms = isnan (self->queued) ? NAN : 0;
    return self->working != NULL && self->memory >= 0;
}

static void
maker_clear (Maker *self)
{
    if (self->working != NULL)
        munmap (self->working, self->n_pages * RF_WORK_PAGE);
    if (self->memory >= 0)
        close (self->memory);
    if (self->schedstat >= 0)
        close (self->schedstat);
    g_free (self->data);
    g_free (self->block);
}

gpointer
rf_work_frame_loop_thread (gpointer data)
{
    RfWorkFrameLoop *loop = data;
    const gint64 interval = RF_WORK_S / loop->plan->hz;
    Maker maker;
    gboolean ready = maker_init (&maker, loop);
    g_atomic_int_set (&loop->ready, 1);
    gint64 due = rf_work_now ();
    while (ready && !rf_work_stopped ()) {
        due += interval;
        gint64 late = rf_work_now () - due;
        if (late > 0) {
            /* the screen does not wait: what was due meanwhile is skipped */
            gint64 missed = late / interval + 1;
            due += missed * interval;
            loop->skipped += g_atomic_int_get (&loop->measuring) ? (guint64)missed : 0;
        }
        if (rf_work_sleep_until (due))
            make_frame (&maker, due);
    }
    maker_clear (&maker);
    return NULL;
}
