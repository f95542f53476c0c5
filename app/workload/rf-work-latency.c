/* The periodic mode: one thread that wants to be woken in time and writes a little each time, as a sound recorder does,
 * while one load after another runs. */
#define G_LOG_DOMAIN "rf-work-latency"
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <glib/gi18n.h>

#include "rf-work-data.h"
#include "rf-array.h"
#include "rf-work-job.h"
#include "rf-work-loads.h"
#include "rf-work-stats.h"

/* what is written each time: 4 KiB a millisecond are 24 tracks of a recording */
#define WRITTEN RF_WORK_PAGE
#define WRITTEN_FILE ((gint64)32 * 1024 * 1024)
#define FIFO_PRIORITY 10
/* µs of processor time without a pause, after which the kernel ends a real-time thread that ran wild */
#define FIFO_LONGEST 500000
#define MOST_TICKS 1000000
#define PAUSE (300 * RF_WORK_MS)

typedef struct {
    gint64 time_ns; /* when it was due */
    float wake_us;
    float write_us;
} Tick;

/* @load: (atomic): whose ticks are kept now, -1: nobody's */
typedef struct {
    RfWorkJob *job;
    Tick *ticks[RF_WORK_N_LOADS];
    gsize capacity;
    gint n[RF_WORK_N_LOADS]; /* (atomic): finished ones */
    gint in_table[RF_WORK_N_LOADS];
    guint64 skipped[RF_WORK_N_LOADS];
    gint load;
} Pulse;

gboolean
rf_work_latency_limit (guint seconds, guint period_us)
{
    return (guint64)seconds * G_USEC_PER_SEC / period_us * RF_WORK_N_LOADS <= MOST_TICKS;
}

gboolean
rf_work_latency_may_fifo (void)
{
    const struct sched_param fifo = {.sched_priority = FIFO_PRIORITY}, other = {.sched_priority = 0};
    if (sched_setscheduler (0, SCHED_FIFO, &fifo) != 0)
        return FALSE;
    return sched_setscheduler (0, SCHED_OTHER, &other) == 0;
}

static gboolean
become_fifo (void)
{
    const struct rlimit limit = {FIFO_LONGEST, FIFO_LONGEST};
    const struct sched_param parameter = {.sched_priority = FIFO_PRIORITY};
    (void)setrlimit (RLIMIT_RTTIME, &limit);
    /* 0 is the calling thread, despite the name: sched_setscheduler(2) */
    if (sched_setscheduler (0, SCHED_FIFO, &parameter) == 0)
        return TRUE;
    rf_work_fail ("--fifo", errno);
    return FALSE;
}

static void
keep_tick (Pulse *self, gint load, gint64 due, gint64 woken, gint64 written)
{
    const gint n = load >= 0 ? g_atomic_int_get (&self->n[load]) : 0;
    if (load < 0 || (gsize)n >= self->capacity)
        return;
    self->ticks[load][n]
        = (Tick){due, (float)((double)(woken - due) / 1000), (float)((double)(written - woken) / 1000)};
    g_atomic_int_set (&self->n[load], n + 1);
}

static gpointer
pulse_thread (gpointer data)
{
    Pulse *self = data;
    const gint64 period = self->job->period_us * G_GINT64_CONSTANT (1000);
    guint64 state = self->job->plan.seed + 13;
    char buffer[WRITTEN];
    gint64 at = 0;
    rf_work_fill (&state, buffer, sizeof buffer);
    gboolean go = !self->job->fifo || become_fifo ();
    gint64 due = rf_work_now ();
    while (go && !rf_work_stopped ()) {
        due += period;
        const gint load = g_atomic_int_get (&self->load);
        gint64 late = rf_work_now () - due;
        if (late > 0) {
            gint64 missed = late / period + 1;
            due += missed * period;
            if (load >= 0)
                self->skipped[load] += (guint64)missed;
        }
        struct timespec time = {due / RF_WORK_S, due % RF_WORK_S};
        clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
        gint64 woken = rf_work_now ();
        if (!rf_work_write_all (self->job->files->log, buffer, sizeof buffer, at))
            rf_work_fail ("write", errno);
        at = (at + (gint64)sizeof buffer) % WRITTEN_FILE;
        keep_tick (self, load, due, woken, rf_work_now ());
    }
    return NULL;
}

/* Returns: the longest, µs */
static double
say_summary (const char *load, const char *what, float *values, gsize n)
{
    RfWorkHist hist = rf_work_hist (values, n);
    RfWorkSummary found = rf_work_summarise (values, n);
    const struct {
        const char *name;
        double value;
    } all[] = {{"p50", found.p50}, {"p95", found.p95}, {"p99", found.p99}, {"max", found.max}};
    for (gsize i = 0; i < G_N_ELEMENTS (all); i++) {
        g_autofree char *key = g_strdup_printf ("load.%s.%s_%s_us", load, what, all[i].name);
        rf_work_say_double (key, all[i].value, 1);
    }
    g_autofree char *key = g_strdup_printf ("load.%s.%s_hist_us", load, what);
    g_autofree char *text = rf_work_hist_to_text (&hist);
    rf_work_say (key, text);
    return found.max;
}

static void
tell_load (const char *load, double wake_us, double write_us, double mib_per_s)
{
    char wake[G_ASCII_DTOSTR_BUF_SIZE], written[G_ASCII_DTOSTR_BUF_SIZE], rate[G_ASCII_DTOSTR_BUF_SIZE];
    g_snprintf (wake, sizeof wake, "%.1f", wake_us / 1000);
    g_snprintf (written, sizeof written, "%.1f", write_us / 1000);
    g_snprintf (rate, sizeof rate, "%.0f", mib_per_s);
    if (isfinite (mib_per_s))
        /* TRANSLATORS: first the name of a load (memory, proc, write, copy, read), then worst cases */
        g_printerr (_ ("%s: woken up to %s ms late, wrote for up to %s ms, %s MiB/s\n"), load, wake, written, rate);
    else
        g_printerr (_ ("%s: woken up to %s ms late, wrote for up to %s ms\n"), load, wake, written);
}

static void
say_load (Pulse *self, RfWorkLoad *load)
{
    const gsize n = (gsize)self->n[load->kind];
    const char *nick = rf_work_load_nick (load->kind);
    g_autofree float *values = rf_new0 (float, MAX (n, 1));
    g_autofree char *wakeups = g_strdup_printf ("load.%s.wakeups", nick);
    g_autofree char *skipped = g_strdup_printf ("load.%s.skipped", nick);
    g_autofree char *rate = g_strdup_printf ("load.%s.mib_per_s", nick);
    rf_work_say_uint (wakeups, n);
    rf_work_say_uint (skipped, self->skipped[load->kind]);
    for (gsize i = 0; i < n; i++)
        values[i] = self->ticks[load->kind][i].wake_us;
    double wake_us = say_summary (nick, "wake", values, n);
    for (gsize i = 0; i < n; i++)
        values[i] = self->ticks[load->kind][i].write_us;
    double write_us = say_summary (nick, "write", values, n);
    /* without a load there is no throughput, and none is not zero */
    gboolean known = load->kind != RF_WORK_LOAD_NONE && load->seconds > 0;
    double mib_per_s = known ? (double)load->bytes / RF_WORK_MIB / load->seconds : NAN;
    rf_work_say_double (rate, mib_per_s, 1);
    if (!self->job->quiet && n > 0)
        tell_load (nick, wake_us, write_us, mib_per_s);
}

static void
write_ticks (Pulse *self, RfWorkLoadKind kind)
{
    char wake[G_ASCII_DTOSTR_BUF_SIZE], written[G_ASCII_DTOSTR_BUF_SIZE];
    const gint n = g_atomic_int_get (&self->n[kind]);
    if (self->job->table == NULL)
        return;
    for (; self->in_table[kind] < n; self->in_table[kind]++) {
        const Tick *tick = &self->ticks[kind][self->in_table[kind]];
        rf_work_table_line (self->job->table, "%" G_GINT64_FORMAT ",%s,%s,%s", tick->time_ns, rf_work_load_nick (kind),
                            g_ascii_formatd (wake, sizeof wake, "%.1f", (double)tick->wake_us),
                            g_ascii_formatd (written, sizeof written, "%.1f", (double)tick->write_us));
    }
    if (!rf_work_table_flush (self->job->table))
        rf_work_fail ("--series", errno);
}

/* One load for its time; @load has the throughput afterwards. */
static void
run_load (Pulse *self, RfWorkLoad *load)
{
    const guint seconds = self->job->seconds;
    GThread *thread = g_thread_new ("rf-load", rf_work_load_thread, load);
    gint64 begin = rf_work_now ();
    g_atomic_int_set (&self->load, (gint)load->kind);
    for (gint64 now = begin; now < begin + seconds * RF_WORK_S && !rf_work_stopped (); now = rf_work_now ()) {
        double share = (double)(now - begin) / (double)(seconds * RF_WORK_S);
        rf_work_say_progress ("measure", ((double)load->kind + share) / RF_WORK_N_LOADS);
        (void)rf_work_sleep_until (MIN (now + 100 * RF_WORK_MS, begin + seconds * RF_WORK_S));
    }
    g_atomic_int_set (&self->load, -1);
    g_atomic_int_set (&load->stop, 1);
    g_thread_join (thread);
    /* what the load has left must not be the burden of the next one */
    (void)rf_work_sleep_until (rf_work_now () + PAUSE);
    write_ticks (self, load->kind);
}

static gboolean
pulse_init (Pulse *self)
{
    const RfWorkJob *job = self->job;
    self->capacity = (gsize)((guint64)job->seconds * G_USEC_PER_SEC / job->period_us) + 16;
    for (guint i = 0; i < RF_WORK_N_LOADS; i++) {
        self->ticks[i] = rf_work_map (self->capacity * sizeof (Tick), FALSE);
        if (self->ticks[i] == NULL)
            return FALSE;
        (void)madvise (self->ticks[i], self->capacity * sizeof (Tick), MADV_POPULATE_WRITE);
    }
    return TRUE;
}

static void
pulse_clear (Pulse *self)
{
    for (guint i = 0; i < RF_WORK_N_LOADS; i++)
        if (self->ticks[i] != NULL)
            munmap (self->ticks[i], self->capacity * sizeof (Tick));
}

void
rf_work_latency (RfWorkJob *job)
{
    G_STATIC_ASSERT (RF_WORK_N_LOADS == (int)RF_WORK_N_LOAD_KINDS);
    g_autoptr (GPtrArray) threads = g_ptr_array_new ();
    Pulse self = {.job = job, .load = -1};
    RfWorkLoad loads[RF_WORK_N_LOADS] = {0};
    guint done = 0;
    if (rf_work_job_prepare (job) && pulse_init (&self)) {
        rf_work_job_fill_cache (job);
        g_ptr_array_add (threads, g_thread_new ("rf-pulse", pulse_thread, &self));
        for (; done < RF_WORK_N_LOADS && !rf_work_stopped (); done++) {
            loads[done] = (RfWorkLoad){.kind = (RfWorkLoadKind)done, .plan = &job->plan, .files = job->files};
            run_load (&self, &loads[done]);
        }
        rf_work_stop (RF_WORK_END_TIME);
    }
    rf_work_stop (RF_WORK_END_FAILED);
    rf_work_join (threads);
    if (done > 0)
        rf_work_say_progress ("measure", 1);
    for (guint i = 0; i < done; i++) {
        write_ticks (&self, (RfWorkLoadKind)i);
        say_load (&self, &loads[i]);
    }
    pulse_clear (&self);
}
