/* Threads that are stalled on purpose: they time their own calls, memory is scarce, and what the helper has traced of
 * them meanwhile is compared with what they measured themselves. Memory is back, and all is as before, within some
 * seconds. */
#define G_LOG_DOMAIN "test-live-stall"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rf-test-live.h"
#include "rf-test-scarce.h"
#include "rf-test-taking.h"

#define MIB (1024 * 1024)
#define LEFT 3000
/* before what else runs here, behind the helper */
#define PRIORITY -5
/* free memory that is not filled with cache before the threads begin */
#define FREE 150
#define TOTAL 900
#define THREADS 3
#define SCARCE_S 40
/* A call takes only few pages, so that what a stalled one waits for is the clearing and hardly anything else. */
#define CHUNK (16 * 1024)
#define CALLS (TOTAL * (MIB / CHUNK) / THREADS)
#define NAME "rf,stalled %u"
/* from the longest, how many are looked at */
#define LONGEST 20
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

typedef struct {
    gint64 begin_ns, end_ns;
    gint64 traced_ns; /* filled in afterwards */
} Call;

typedef struct {
    gint32 tid;
    guint number;
    guint n; /* calls that were made */
    Call calls[CALLS];
} Stalled;

static gint64
now_ns (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static gpointer
stall (gpointer data)
{
    Stalled *self = data;
    char name[16];
    char *memory = mmap (NULL, (gsize)CHUNK * CALLS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    g_snprintf (name, sizeof name, NAME, self->number);
    prctl (PR_SET_NAME, name);
    self->tid = (gint32)syscall (SYS_gettid);
    madvise (memory, (gsize)CHUNK * CALLS, MADV_NOHUGEPAGE);
    for (guint i = 0; memory != MAP_FAILED && i < CALLS; i++, self->n++) {
        self->calls[i].begin_ns = now_ns ();
        if (madvise (memory + (gsize)i * CHUNK, CHUNK, MADV_POPULATE_WRITE) != 0)
            break;
        self->calls[i].end_ns = now_ns ();
    }
    return NULL;
}

/* Nothing of a file with a hole comes from a disk, but every page of it takes memory, which can be cleared again: page
 * by page, as they are read at random, and with much work, as they are mapped. The kernel's own thread has no time to
 * keep ahead of that. */
static void
fill_cache (int file)
{
    char *map = mmap (NULL, (gsize)LEFT * MIB, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED || madvise (map, (gsize)LEFT * MIB, MADV_RANDOM) != 0)
        _exit (1);
    for (guint i = 0; i < LEFT && rf_test_scarce_meminfo ("MemFree:") > FREE; i++)
        if (madvise (map + (gsize)i * MIB, MIB, MADV_POPULATE_READ) != 0)
            _exit (1);
}

/* In a process of its own, the first one that the kernel ends if memory is gone. Returns: its exit code */
static int
stall_in_child (Stalled *stalled, int file, pid_t *out)
{
    int status = -1;
    *out = fork ();
    g_assert_cmpint (*out, >=, 0);
    if (*out == 0) {
        pthread_t threads[THREADS];
        int score = open ("/proc/self/oom_score_adj", O_WRONLY);
        if (score < 0 || write (score, "1000", 4) != 4)
            _exit (1);
        prctl (PR_SET_PDEATHSIG, SIGKILL);
        /* the kernel shares out the processors by sessions (sched_autogroup_enabled); the helper has another one */
        setsid ();
        setpriority (PRIO_PROCESS, 0, PRIORITY);
        fill_cache (file);
        for (guint i = 0; i < THREADS; i++)
            if (pthread_create (&threads[i], NULL, stall, &stalled[i]) != 0)
                _exit (1);
        for (guint i = 0; i < THREADS; i++)
            pthread_join (threads[i], NULL);
        _exit (0);
    }
    while (waitpid (*out, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* the call in which the event lies, whole; there must be one */
static Call *
find_call (Stalled *self, const RfEvent *event)
{
    guint low = 0, high = self->n;
    while (high - low > 1) {
        guint middle = (low + high) / 2;
        *(self->calls[middle].begin_ns <= event->time_ns ? &low : &high) = middle;
    }
    Call *call = &self->calls[low];
    g_assert_cmpint (event->time_ns, >=, call->begin_ns);
    g_assert_cmpint (event->time_ns + event->duration_ns, <=, call->end_ns);
    return call;
}

static int
by_number (const void *a, const void *b)
{
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return x < y ? -1 : x > y;
}

static int
longest_first (const void *a, const void *b)
{
    const Call *x = *(Call *const *)a, *y = *(Call *const *)b;
    return x->traced_ns > y->traced_ns ? -1 : x->traced_ns < y->traced_ns;
}

/* what a call takes in which nothing was cleared */
static gint64
usual_ns (Stalled *stalled)
{
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
    for (guint i = 0; i < THREADS; i++)
        for (guint k = 0; k < stalled[i].n; k++) {
            gint64 ns = stalled[i].calls[k].end_ns - stalled[i].calls[k].begin_ns;
            if (stalled[i].calls[k].traced_ns == 0)
                g_array_append_val (all, ns);
        }
    g_assert_cmpuint (all->len, >, 100);
    qsort (all->data, all->len, sizeof (gint64), by_number);
    return g_array_index (all, gint64, all->len / 2);
}

/* What was traced of the threads lies within the calls that they have timed. */
static guint
assign (Stalled *stalled, const GArray *events, pid_t pid)
{
    guint found = 0;
    for (guint k = 0; k < events->len; k++) {
        const RfEvent *event = &g_array_index (events, RfEvent, k);
        for (guint i = 0; i < THREADS; i++) {
            g_autofree char *name = g_strdup_printf (NAME, i);
            if (event->kind != RF_EVENT_RECLAIM || event->tid != stalled[i].tid)
                continue;
            g_assert_cmpstr (event->process, ==, name);
            /* 0: it had ended when the helper asked */
            g_assert_true (event->pid == pid || event->pid == 0);
            g_assert_cmpstr (event->subject, ==, "order 0");
            find_call (&stalled[i], event)->traced_ns += event->duration_ns;
            found++;
        }
    }
    return found;
}

static void
judge (Stalled *stalled)
{
    g_autoptr (GPtrArray) calls = g_ptr_array_new ();
    double traced = 0, excess = 0;
    gint64 usual = usual_ns (stalled);
    for (guint i = 0; i < THREADS; i++)
        for (guint k = 0; k < stalled[i].n; k++)
            if (stalled[i].calls[k].traced_ns > 0)
                g_ptr_array_add (calls, &stalled[i].calls[k]);
    qsort (calls->pdata, calls->len, sizeof (gpointer), longest_first);
    for (guint i = 0; i < calls->len; i++) {
        const Call *call = calls->pdata[i];
        traced += (double)call->traced_ns;
        excess += (double)(call->end_ns - call->begin_ns - usual);
    }
    g_test_message ("%u calls were stalled: %.1f ms traced of %.1f ms that they took longer than the usual %.1f us",
                    calls->len, traced / 1e6, excess / 1e6, (double)usual / 1e3);
    g_assert_cmpuint (calls->len, >, 0);
    /* The longest, and what is not far shorter: of a short one the clock and the call itself are too great a part. On a
     * busy machine a thread waits for its turn, too, outside of what is traced; hardly in most of them. */
    guint judged = 0, within = 0;
    const gint64 longest_ns = ((const Call *)calls->pdata[0])->traced_ns;
    for (guint i = 0; i < MIN (calls->len, LONGEST); i++) {
        const Call *call = calls->pdata[i];
        gint64 whole_ns = call->end_ns - call->begin_ns;
        g_assert_cmpint (call->traced_ns, <=, whole_ns);
        if (call->traced_ns < longest_ns / 10)
            break;
        double share = (double)call->traced_ns / (double)MAX (whole_ns - usual, 1);
        g_test_message ("%.3f ms measured by the thread, %.3f ms traced: %.1f %%", (double)whole_ns / 1e6,
                        (double)call->traced_ns / 1e6, 100 * share);
        judged++;
        within += share >= 0.9 && share <= 1.1;
    }
    g_assert_cmpuint (2 * within, >, judged);
}

static void
test_stall (void)
{
    char path[] = "/var/tmp/rf-test-hole-XXXXXX";
    const gsize size = THREADS * sizeof (Stalled);
    RfTestTaking taking;
    RfTestTaken taken;
    pid_t child = 0;
    if (rf_test_live_needs_root ())
        return;
    g_autoptr (RfTestLive) live = rf_test_live_new ();
    g_autofree char *files = g_dir_make_tmp ("ruckelfrei-XXXXXX", NULL);
    g_autoptr (RfTestProgram) program = rf_test_program_new (NULL, files);
    Stalled *stalled = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    g_assert_true (stalled != MAP_FAILED);
    for (guint i = 0; i < THREADS; i++)
        stalled[i].number = i;
    int file = g_mkstemp (path);
    g_assert_cmpint (file, >=, 0);
    unlink (path);
    g_assert_cmpint (ftruncate (file, (off_t)LEFT * MIB), ==, 0);
    rf_test_program_start (program);
    /* before memory is scarce: its buffers would find none */
    if (!rf_test_taking_start (&taking, program, SCARCE_S + 60))
        return;
    g_usleep (1200 * 1000);
    RfTestScarce *scarce = rf_test_scarce_new (live->machine->kernel, LEFT, SCARCE_S);
    if (scarce == NULL) {
        rf_test_taking_stop (&taking, &taken);
        rf_test_taken_clear (&taken);
        return;
    }
    g_test_message ("%u MiB are left", rf_test_scarce_left (live->machine->kernel));
    int status = stall_in_child (stalled, file, &child);
    close (file);
    gboolean was_scarce = rf_test_scarce_end (scarce);
    rf_test_live_assert_as_before (live);
    rf_test_taking_stop (&taking, &taken);
    g_assert_true (was_scarce);
    g_assert_cmpint (status, ==, 0);
    guint found = assign (stalled, taken.recording->events, child);
    g_test_message ("%u reclaims of the threads", found);
    rf_test_taken_check (&taken);
    judge (stalled);
    g_assert_cmpuint (taken.reclaim.found, >=, found);
    g_assert_cmpint (taken.reclaim.result, !=, RF_SAMPLE_DIFFERS);
    rf_test_taken_clear (&taken);
    munmap (stalled, size);
    g_assert_true (rf_test_program_end (program, SIGTERM));
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live/stall", test_stall);
    return g_test_run ();
}
