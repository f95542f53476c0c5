/* The quick test: all parts of the load at the same time. */
#define G_LOG_DOMAIN "rf-work-quick"
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>

#include <glib/gi18n.h>

#include "rf-clock.h"
#include "rf-pressure.h"
#include "rf-vmstat.h"
#include "rf-work-frames.h"
#include "rf-work-job.h"
#include "rf-work-loader.h"
#include "rf-work-writer.h"

#define LOOK_EVERY (250 * RF_WORK_MS)

/* Everything that runs, and what the kernel had counted when measuring began. */
typedef struct {
    RfWorkJob *job;
    RfWorkFrameLoop *frames;
    GPtrArray *loaders; /* RfWorkLoader */
    RfWorkWriter writer;
    GPtrArray *threads;
    gsize written; /* frames in the table */
    gint64 slept;
    RfVmstat vmstat;
    RfPressure pressure;
    struct rusage usage;
} Quick;

static void
add_thread (Quick *self, const char *name, GThreadFunc function, gpointer data)
{
    g_ptr_array_add (self->threads, g_thread_new (name, function, data));
}

static void
start_all (Quick *self)
{
    RfWorkJob *job = self->job;
    for (guint i = 0; i < job->plan.loaders; i++) {
        RfWorkLoader *loader = rf_work_loader_new (&job->plan, job->files, i, job->seconds);
        g_ptr_array_add (self->loaders, loader);
        add_thread (self, "rf-loader", rf_work_loader_thread, loader);
    }
    self->writer = (RfWorkWriter){.plan = &job->plan, .files = job->files};
    add_thread (self, "rf-writer", rf_work_writer_thread, &self->writer);
    add_thread (self, "rf-idle", rf_work_idle_thread, job->idle);
}

static void
read_counters (RfSysroot *sysroot, RfVmstat *vmstat, RfPressure *pressure, struct rusage *usage)
{
    rf_vmstat_read (sysroot, vmstat);
    rf_pressure_read (sysroot, "memory", pressure);
    (void)getrusage (RUSAGE_SELF, usage);
}

static void
begin_measuring (Quick *self)
{
    self->slept = rf_clock_asleep ();
    read_counters (self->job->sysroot, &self->vmstat, &self->pressure, &self->usage);
    for (guint i = 0; i < self->loaders->len; i++)
        g_atomic_int_set (&((RfWorkLoader *)self->loaders->pdata[i])->measuring, 1);
    g_atomic_int_set (&self->writer.measuring, 1);
    g_atomic_int_set (&self->job->idle->measuring, 1);
    rf_work_frame_loop_measure (self->frames);
}

static void
write_frames (Quick *self)
{
    const gsize n = (gsize)g_atomic_int_get (&self->frames->n);
    char ms[G_ASCII_DTOSTR_BUF_SIZE];
    if (self->job->table == NULL)
        return;
    for (; self->written < n; self->written++) {
        const RfWorkFrame *frame = &self->frames->frames[self->written];
        rf_work_table_line (self->job->table, "%" G_GINT64_FORMAT ",%s,%s", frame->time_ns,
                            g_ascii_formatd (ms, sizeof ms, "%.3f", (double)frame->ms),
                            rf_work_cause_nick ((RfWorkCause)frame->cause));
    }
    if (!rf_work_table_flush (self->job->table))
        rf_work_fail ("--frames", errno);
}

/* TRUE when the whole time has gone by */
static gboolean
wait_phase (Quick *self, const char *phase, guint seconds)
{
    const gint64 begin = rf_work_now (), length = seconds * RF_WORK_S;
    for (gint64 now = begin; now < begin + length; now = rf_work_now ()) {
        rf_work_say_progress (phase, (double)(now - begin) / (double)length);
        if (!rf_work_sleep_until (MIN (now + LOOK_EVERY, begin + length)))
            return FALSE;
        write_frames (self);
    }
    rf_work_say_progress (phase, 1);
    return TRUE;
}

static void
tell_frames (const RfWorkFrames *found)
{
    char longest[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf (longest, sizeof longest, "%.1f", found->time.max);
    g_printerr (_ ("Frames that took longer than a 60th of a second: %u of %u; the longest: %s ms\n"),
                (guint)found->over_16, (guint)found->time.n, longest);
}

static void
say_frames (Quick *self)
{
    const RfWorkFrameLoop *loop = self->frames;
    RfWorkFrames found = rf_work_summarise_frames (loop->frames, (gsize)loop->n);
    rf_work_say_uint ("frames", found.time.n);
    rf_work_say_uint ("frames_skipped", loop->skipped);
    rf_work_say_uint ("frames_over_16_7_ms", found.over_16);
    rf_work_say_uint ("frames_over_33_ms", found.over_33);
    rf_work_say_uint ("frames_over_100_ms", found.over_100);
    rf_work_say_uint ("frames_over_1000_ms", found.over_1000);
    rf_work_say_double ("frame_p50_ms", found.time.p50, 3);
    rf_work_say_double ("frame_p95_ms", found.time.p95, 3);
    rf_work_say_double ("frame_p99_ms", found.time.p99, 3);
    rf_work_say_double ("frame_max_ms", found.time.max, 3);
    rf_work_say_double ("frame_mean_ms", found.time.mean, 3);
    rf_work_say_double ("lost_ms", found.lost_ms, 1);
    for (RfWorkCause i = RF_WORK_CAUSE_LATE; i < RF_WORK_N_CAUSES; i++) {
        g_autofree char *key = g_strdup_printf ("slow_frames_%s", rf_work_cause_nick (i));
        g_autofree char *stall = g_strdup_printf ("stall_%s_ms", rf_work_cause_nick (i));
        rf_work_say_uint (key, found.by_cause[i]);
        rf_work_say_double (stall, loop->stall_ms[i], 1);
    }
    rf_work_say_double ("stall_queued_ms", loop->queued_ms, 1);
    rf_work_say_uint ("frame_major_faults", loop->major_faults);
    if (!self->job->quiet && found.time.n > 0)
        tell_frames (&found);
}

static void
say_bursts (Quick *self)
{
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (float));
    const RfWorkPlan *plan = &self->job->plan;
    for (guint i = 0; i < self->loaders->len; i++) {
        const GArray *one = ((RfWorkLoader *)self->loaders->pdata[i])->seconds;
        g_array_append_vals (all, one->data, one->len);
    }
    RfWorkSummary found = rf_work_summarise ((float *)all->data, all->len);
    rf_work_say_uint ("bursts", found.n);
    rf_work_say_double ("burst_mean_s", found.mean, 3);
    rf_work_say_double ("burst_p95_s", found.p95, 3);
    rf_work_say_double ("burst_max_s", found.max, 3);
    rf_work_say_double ("burst_mib_per_s", (plan->set + plan->tiles + plan->cache) / found.mean, 0);
}

static void
say_delta (const char *key, RfCounter before, RfCounter after, double factor)
{
    gboolean known = rf_counter_ok (before) && rf_counter_ok (after) && after.value >= before.value;
    rf_work_say_double (key, known ? (double)(after.value - before.value) * factor : NAN, 0);
}

static void
say_kernel (Quick *self)
{
    RfVmstat vmstat;
    RfPressure pressure;
    struct rusage usage;
    read_counters (self->job->sysroot, &vmstat, &pressure, &usage);
    rf_work_say_uint ("own_major_faults", (guint64)(usage.ru_majflt - self->usage.ru_majflt));
    say_delta ("kernel_allocstall", self->vmstat.allocstall, vmstat.allocstall, 1);
    say_delta ("kernel_pgsteal_direct", self->vmstat.pgsteal_direct, vmstat.pgsteal_direct, 1);
    say_delta ("kernel_pgsteal_kswapd", self->vmstat.pgsteal_kswapd, vmstat.pgsteal_kswapd, 1);
    say_delta ("kernel_pswpin", self->vmstat.pswpin, vmstat.pswpin, 1);
    say_delta ("kernel_pswpout", self->vmstat.pswpout, vmstat.pswpout, 1);
    say_delta ("kernel_oom_kill", self->vmstat.oom_kill, vmstat.oom_kill, 1);
    say_delta ("kernel_psi_memory_some_ms", self->pressure.some.total_us, pressure.some.total_us, 0.001);
    say_delta ("kernel_psi_memory_full_ms", self->pressure.full.total_us, pressure.full.total_us, 0.001);
    rf_work_say_double ("slept_s", (double)(rf_clock_asleep () - self->slept) / G_USEC_PER_SEC, 1);
}

static void
say_result (Quick *self, double measured_s)
{
    const RfWorkWriter *writer = &self->writer;
    rf_work_say_double ("measured_s", measured_s, 3);
    say_frames (self);
    say_bursts (self);
    rf_work_say_double ("writer_mib_per_s", writer->seconds > 0 ? (double)writer->mib / writer->seconds : NAN, 1);
    rf_work_say_double ("writer_max_ms", writer->longest_ms, 1);
    rf_work_say_double ("writer_sync_max_ms", writer->longest_sync_ms, 1);
    rf_work_say_double ("idle_page_max_ms", self->job->idle->page_ms, 3);
    rf_work_say_double ("idle_round_max_ms", self->job->idle->round_ms, 3);
}

static gboolean
get_ready (Quick *self)
{
    if (!rf_work_job_prepare (self->job))
        return FALSE;
    self->frames = rf_work_frame_loop_new (&self->job->plan, self->job->files, self->job->seconds);
    if (self->frames == NULL)
        return FALSE;
    add_thread (self, "rf-frame", rf_work_frame_loop_thread, self->frames);
    while (!g_atomic_int_get (&self->frames->ready))
        if (!rf_work_sleep_until (rf_work_now () + LOOK_EVERY))
            return FALSE;
    rf_work_job_fill_cache (self->job);
    start_all (self);
    return wait_phase (self, "warm-up", MIN (RF_WORK_WARM_UP_S, self->job->seconds));
}

void
rf_work_quick (RfWorkJob *job)
{
    g_autoptr (GPtrArray) threads = g_ptr_array_new ();
    g_autoptr (GPtrArray) loaders = g_ptr_array_new_with_free_func ((GDestroyNotify)rf_work_loader_free);
    Quick self = {.job = job, .loaders = loaders, .threads = threads};
    gboolean measured = get_ready (&self);
    gint64 begin = rf_work_now ();
    if (measured) {
        begin_measuring (&self);
        if (wait_phase (&self, "measure", job->seconds))
            rf_work_stop (RF_WORK_END_TIME);
    }
    const double measured_s = (double)(rf_work_now () - begin) / RF_WORK_S;
    /* only a stop ends the threads */
    rf_work_stop (RF_WORK_END_FAILED);
    if (measured)
        say_kernel (&self);
    rf_work_join (threads);
    if (measured) {
        write_frames (&self);
        say_result (&self, measured_s);
    }
    g_clear_pointer (&self.frames, rf_work_frame_loop_free);
}
