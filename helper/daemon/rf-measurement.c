#define G_LOG_DOMAIN "rf-measure"
#include "config.h"

#include "rf-measurement.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "rf-clock.h"
#include "rf-error.h"
#include "rf-file.h"
#include "rf-measure-memory.h"

#define NS_PER_SEC G_GINT64_CONSTANT (1000000000)
/* How soon a stop is heard. */
#define NAP_NS (NS_PER_SEC / 10)
#define PIPE_BYTES (64 * 1024)

struct _RfMeasurement {
    RfMeasureOptions options;
    RfSysroot *kernel;
    RfMeasurementFuncs funcs;
    gpointer data;
    RfAutoFd readers[2];
    int writers[2]; /* the thread's from its start on */
    RfAutoFd kept[2]; /* so that who has read to the end may start the next one: the end comes when this one is gone */
    GThread *thread;
    gint why;            /* atomic: an RfMeasureEnd */
    gint hurry;          /* atomic: nobody will read what waits, or it cannot be waited for */
    GError *error;       /* written by the thread before it tells */
    GSource *sources[2]; /* what the thread tells: started, ended */
};

const char *
rf_measure_end_nick (RfMeasureEnd end)
{
    static const char *const nicks[] = {
        [RF_MEASURE_RUNS] = "runs",
        [RF_MEASURE_STOPPED] = "stopped",
        [RF_MEASURE_CALLER_LEFT] = "caller-left",
        [RF_MEASURE_LIMIT] = "limit",
        [RF_MEASURE_READER_GONE] = "reader-gone",
        [RF_MEASURE_FAILED] = "failed",
    };
    return nicks[end];
}

static gint64
read_clock (void)
{
    struct timespec now = {0};
    clock_gettime (CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

static void
sleep_until (gint64 time_ns)
{
    const struct timespec then = {.tv_sec = time_ns / NS_PER_SEC, .tv_nsec = time_ns % NS_PER_SEC};
    while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) == EINTR)
        continue;
}

static RfMeasureEnd
ended (RfMeasurement *self)
{
    return (RfMeasureEnd)g_atomic_int_get (&self->why);
}

void
rf_measurement_stop (RfMeasurement *self, RfMeasureEnd why)
{
    if (why == RF_MEASURE_CALLER_LEFT || why == RF_MEASURE_FAILED)
        g_atomic_int_set (&self->hurry, TRUE);
    g_atomic_int_compare_and_exchange (&self->why, RF_MEASURE_RUNS, (gint)why);
}

/* Until it is due, or over. In pieces, so that a stop is heard at one sample a second, too. */
static void
wait_for (RfMeasurement *self, gint64 due_ns)
{
    for (gint64 now = read_clock (); now < due_ns && ended (self) == RF_MEASURE_RUNS; now = read_clock ())
        sleep_until (MIN (due_ns, now + NAP_NS));
}

static void
measure (RfMeasurement *self, RfMeasurer *measurer)
{
    const gint64 period_ns = NS_PER_SEC / self->options.hz;
    RfMeasureTime time = {.now_ns = read_clock (), .wall_us = g_get_real_time (), .asleep_us = rf_clock_asleep ()};
    const gint64 begin_ns = time.now_ns, limit_ns = begin_ns + self->options.limit_s * NS_PER_SEC;
    rf_measurer_begin (measurer, &time);
    for (time.due_ns = begin_ns; ended (self) == RF_MEASURE_RUNS;) {
        time.now_ns = read_clock ();
        time.wall_us = g_get_real_time ();
        time.asleep_us = rf_clock_asleep ();
        if (!rf_measurer_tick (measurer, &time))
            rf_measurement_stop (self, RF_MEASURE_READER_GONE);
        /* times that have passed meanwhile are left out, not made up for */
        time.due_ns += ((read_clock () - time.due_ns) / period_ns + 1) * period_ns;
        wait_for (self, MIN (time.due_ns, limit_ns));
        if (read_clock () >= limit_ns)
            rf_measurement_stop (self, RF_MEASURE_LIMIT);
    }
}

/* The reader may still read what waits for it. */
static void
linger (RfMeasurement *self, RfMeasurer *measurer)
{
    gint64 deadline = read_clock () + RF_MEASURE_BACKLOG_SECONDS * NS_PER_SEC;
    while (!rf_measurer_flush (measurer) && read_clock () < deadline && !g_atomic_int_get (&self->hurry))
        sleep_until (read_clock () + NAP_NS / 5);
}

static gpointer
thread_func (gpointer data)
{
    RfMeasurement *self = data;
    sigset_t pipe;
    sigemptyset (&pipe);
    sigaddset (&pipe, SIGPIPE);
    pthread_sigmask (SIG_BLOCK, &pipe, NULL);
    rf_measure_memory_lock ();
    g_autoptr (RfMeasurer) measurer
        = rf_measurer_new (self->kernel, &self->options, self->writers[0], self->writers[1], &self->error);
    if (measurer == NULL)
        rf_measurement_stop (self, RF_MEASURE_FAILED);
    g_source_attach (self->sources[0], NULL);
    if (measurer != NULL) {
        measure (self, measurer);
        rf_measurer_end (measurer, read_clock (), rf_measure_end_nick (ended (self)));
        linger (self, measurer);
    }
    g_clear_pointer (&measurer, rf_measurer_free);
    rf_measure_memory_unlock ();
    g_source_attach (self->sources[1], NULL);
    return NULL;
}

static gboolean
started_cb (gpointer data)
{
    RfMeasurement *self = data;
    self->funcs.started (self, self->error, self->data);
    return G_SOURCE_REMOVE;
}

static gboolean
ended_cb (gpointer data)
{
    RfMeasurement *self = data;
    self->funcs.ended (self, ended (self), self->data);
    return G_SOURCE_REMOVE;
}

/* Both ends close at exec; only ours does not wait. */
static gboolean
make_pipe (int *reader, int *writer, int *kept)
{
    int ends[2];
    if (pipe2 (ends, O_CLOEXEC) != 0)
        return FALSE;
    *reader = ends[0];
    *writer = ends[1];
    fcntl (*writer, F_SETPIPE_SZ, PIPE_BYTES);
    *kept = fcntl (*writer, F_DUPFD_CLOEXEC, 0);
    return *kept >= 0 && fcntl (*writer, F_SETFL, O_NONBLOCK) == 0;
}

RfMeasurement *
rf_measurement_start (RfSysroot *kernel, const RfMeasureOptions *options, const RfMeasurementFuncs *funcs,
                      gpointer data, GError **error)
{
    RfMeasurement *self = g_new0 (RfMeasurement, 1);
    self->options = *options;
    self->kernel = g_object_ref (kernel);
    self->funcs = *funcs;
    self->data = data;
    for (guint i = 0; i < 2; i++) {
        self->readers[i] = self->writers[i] = self->kept[i] = -1;
        self->sources[i] = g_idle_source_new ();
        g_source_set_priority (self->sources[i], G_PRIORITY_DEFAULT);
        g_source_set_callback (self->sources[i], i == 0 ? started_cb : ended_cb, self, NULL);
    }
    gboolean made = make_pipe (&self->readers[0], &self->writers[0], &self->kept[0])
                    && make_pipe (&self->readers[1], &self->writers[1], &self->kept[1]);
    if (!made)
        g_set_error (error, RF_ERROR, RF_ERROR_FAILED, "cannot make a pipe: %s", g_strerror (errno));
    else
        self->thread = g_thread_try_new ("rf-measure", thread_func, self, error);
    if (self->thread != NULL)
        return self;
    if (made)
        g_prefix_error (error, "cannot start a thread: ");
    rf_file_close_fd (&self->writers[0]);
    rf_file_close_fd (&self->writers[1]);
    rf_measurement_free (self);
    return NULL;
}

int
rf_measurement_take_reader (RfMeasurement *self, gboolean events)
{
    int fd = self->readers[events ? 1 : 0];
    self->readers[events ? 1 : 0] = -1;
    return fd;
}

void
rf_measurement_free (RfMeasurement *self)
{
    if (self == NULL)
        return;
    rf_measurement_stop (self, RF_MEASURE_FAILED);
    if (self->thread != NULL)
        g_thread_join (self->thread);
    for (guint i = 0; i < 2; i++) {
        g_source_destroy (self->sources[i]);
        g_source_unref (self->sources[i]);
        rf_file_close_fd (&self->readers[i]);
        rf_file_close_fd (&self->kept[i]);
    }
    g_clear_object (&self->kernel);
    g_clear_error (&self->error);
    g_free (self);
}
