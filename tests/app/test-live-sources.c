#include "config.h"

#include "rf-fake-nvml.h"
#include "rf-fake-xplane.h"
#include "rf-live-private.h"
#include "rf-test-tree.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
    guint cards, tables, gpu_rows, frame_rows, gaps, falls, freezes;
    guint gpu_columns;
    gint64 first_ns, last_ns, last_frame_ns;
    double gpu[64];
    RfEvent event;
    gint64 gap_from_ns, gap_to_ns;
    GThread *thread;
    RfLive *stop_in_row;
} Seen;

static void
cards_cb (const RfGpu *cards, const RfGpuSample *first, guint n, gpointer data)
{
    Seen *seen = data;
    g_assert_true (g_thread_self () == seen->thread);
    g_assert_cmpuint (seen->cards++, ==, 0);
    g_assert_cmpuint (seen->gpu_rows, ==, 0);
    for (guint i = 0; i < n; i++)
        g_assert_true ((cards[i].state == RF_GPU_READY) == (first[i].avail[RF_GPU_UTILISATION] == RF_AVAIL_OK));
}

static void
table_cb (const char *table, const char *const *columns, gpointer data)
{
    Seen *seen = data;
    seen->tables++;
    if (g_str_equal (table, "frames")) {
        g_autofree char *all = g_strjoinv (" ", (char **)columns);
        g_assert_cmpstr (all, ==, "frame_ms gpu_ms pause_ms");
        g_assert_cmpuint (seen->frame_rows, ==, 0);
        return;
    }
    g_assert_cmpstr (table, ==, "gpu");
    g_assert_cmpstr (columns[0], ==, "gpu0.utilisation");
    seen->gpu_columns = g_strv_length ((char **)columns);
}

static void
row_cb (const char *table, gint64 time_ns, const double *values, guint n, gpointer data)
{
    Seen *seen = data;
    g_assert_true (g_thread_self () == seen->thread);
    if (g_str_equal (table, "frames")) {
        g_assert_cmpuint (n, ==, 3);
        g_assert_cmpfloat_with_epsilon (values[0], 19.8, 1e-4);
        g_assert_cmpint (time_ns, >, seen->last_frame_ns);
        seen->last_frame_ns = time_ns;
        seen->frame_rows++;
    } else {
        g_assert_cmpuint (n, ==, seen->gpu_columns);
        g_assert_cmpint (time_ns, >, seen->last_ns);
        seen->first_ns = seen->gpu_rows == 0 ? time_ns : seen->first_ns;
        seen->last_ns = time_ns;
        memcpy (seen->gpu, values, n * sizeof *values);
        seen->gpu_rows++;
    }
    g_clear_pointer (&seen->stop_in_row, rf_live_stop);
}

static void
gap_cb (const char *table, gint64 from_ns, gint64 to_ns, const char *reason, gpointer data)
{
    Seen *seen = data;
    g_assert_cmpstr (table, ==, "frames");
    g_assert_cmpstr (reason, ==, "away");
    seen->gap_from_ns = from_ns;
    seen->gap_to_ns = to_ns;
    seen->gaps++;
}

static void
event_cb (const RfEvent *event, gpointer data)
{
    Seen *seen = data;
    seen->event = *event;
    seen->falls += event->kind == RF_EVENT_GPU_FALL;
    seen->freezes += event->kind == RF_EVENT_FREEZE;
}

static const RfLiveSink sink = {cards_cb, table_cb, row_cb, gap_cb, event_cb};

static gboolean
wake_cb (gpointer data)
{
    return G_SOURCE_CONTINUE;
}

#define wait_for(condition)                                                                                            \
    G_STMT_START                                                                                                       \
    {                                                                                                                  \
        guint wake = g_timeout_add (5, wake_cb, NULL);                                                                 \
        gint64 deadline_us = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;                                            \
        while (!(condition)) {                                                                                         \
            g_main_context_iteration (NULL, TRUE);                                                                     \
            g_assert_cmpint (g_get_monotonic_time (), <, deadline_us);                                                 \
        }                                                                                                              \
        g_source_remove (wake);                                                                                        \
    }                                                                                                                  \
    G_STMT_END

static RfFakeNvml *
script (guint busy_percent)
{
    void *handle = dlopen (RF_FAKE_NVML, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    g_assert_nonnull (handle);
    RfFakeNvmlFunc func = NULL;
    void *symbol = dlsym (handle, "rf_fake_nvml");
    memcpy (&func, &symbol, sizeof func);
    RfFakeNvml *fake = func ();
    dlclose (handle);
    *fake = (RfFakeNvml){.count = 1, .gpu[0] = {.name = "Card", .bus = 1, .busy_percent = busy_percent, .total = 100}};
    return fake;
}

static void
set_busy (RfFakeNvml *fake, guint percent)
{
    g_atomic_int_set ((gint *)&fake->gpu[0].busy_percent, (gint)percent);
}

static RfTestTree *
machine (void)
{
    RfTestTree *tree = rf_test_tree_new (NULL);
    g_autofree char *program
        = g_strdup_printf ("= proc/31/comm X-Plane-x86_64\n"
                           "= proc/31/stat 31 (X-Plane-x86_64) S 1 1 1 0 -1 4 1 0 0 0 1 1 0 0 20 0 1 0 200 1\n"
                           "== proc/31/status\nUid:\t%u\t0\t0\t0\n",
                           getuid ());
    rf_test_tree_apply (tree, program);
    rf_test_tree_apply (tree, "=> sys/bus/pci/drivers/nvidia/0000:01:00.0 -> ../../../../devices/x\n"
                              "=> sys/class/drm/card0/device -> ../../../devices/virtio1\n"
                              "=> sys/devices/virtio1/driver -> ../../bus/virtio/drivers/virtio_gpu\n");
    return tree;
}

static void
cards (void)
{
    Seen seen = {.thread = g_thread_self ()};
    g_autoptr (RfTestTree) tree = machine ();
    RfFakeNvml *fake = script (83);
    RfLiveOptions options = {.sysroot = rf_test_tree_sysroot (tree), .gpu_interval_ms = 100};
    RfLive *live = rf_live_start_for_test (&options, RF_FAKE_NVML, &sink, &seen);
    wait_for (seen.gpu_rows >= 3);
    rf_live_stop (live);
    g_assert_cmpuint (seen.cards, ==, 1);
    g_assert_cmpuint (seen.tables, ==, 1);
    g_assert_cmpuint (seen.gpu_columns, ==, RF_GPU_N_COLUMNS); /* of the one that can be read */
    g_assert_cmpfloat_with_epsilon (seen.gpu[RF_GPU_UTILISATION], 0.83, 1e-9);
    g_assert_true (isnan (seen.gpu[RF_GPU_AWAKE]));
    g_assert_cmpint (fake->shutdowns, ==, 1);
    guint rows = seen.gpu_rows;
    while (g_main_context_iteration (NULL, FALSE))
        ;
    g_assert_cmpuint (seen.gpu_rows, ==, rows); /* nothing comes after the end */
}

static void
falls (void)
{
    Seen seen = {.thread = g_thread_self ()};
    g_autoptr (RfTestTree) tree = machine ();
    RfFakeNvml *fake = script (90);
    RfLiveOptions options = {.sysroot = rf_test_tree_sysroot (tree), .gpu_interval_ms = 100};
    g_autoptr (RfLive) live = rf_live_start_for_test (&options, RF_FAKE_NVML, &sink, &seen);
    wait_for (seen.last_ns - seen.first_ns >= 5 * G_GINT64_CONSTANT (1000000000));
    gint64 before_ns = seen.last_ns;
    set_busy (fake, 0);
    wait_for (seen.last_ns - before_ns >= G_GINT64_CONSTANT (1000000000));
    g_assert_cmpuint (seen.falls, ==, 0); /* not over yet */
    set_busy (fake, 90);
    wait_for (seen.falls == 1);
    g_assert_cmpstr (seen.event.subject, ==, "Card");
    g_assert_cmpstr (seen.event.process, ==, "X-Plane-x86_64");
    g_assert_cmpint (seen.event.pid, ==, 31);
    g_assert_cmpfloat (seen.event.amount, <=, 0.1);
    g_assert_cmpint (seen.event.time_ns, >, before_ns);
    g_assert_cmpint (seen.event.duration_ns, >=, 500000000);
    /* the same again, and the program ends meanwhile */
    before_ns = seen.last_ns;
    wait_for (seen.last_ns - before_ns >= 5 * G_GINT64_CONSTANT (1000000000));
    rf_test_tree_remove (tree, "proc/31");
    set_busy (fake, 0);
    before_ns = seen.last_ns;
    wait_for (seen.last_ns - before_ns >= G_GINT64_CONSTANT (1000000000));
    set_busy (fake, 90);
    before_ns = seen.last_ns;
    wait_for (seen.last_ns - before_ns >= G_GINT64_CONSTANT (300000000));
    g_assert_cmpuint (seen.falls, ==, 1);
}

static void
frames (void)
{
    Seen seen = {.thread = g_thread_self ()};
    g_autoptr (RfTestTree) tree = rf_test_tree_new (NULL);
    RfFakeXplane *xplane = rf_fake_xplane_new (0);
    RfLiveOptions options = RF_LIVE_OPTIONS (rf_test_tree_sysroot (tree));
    options.xplane_port = rf_fake_xplane_port (xplane);
    g_autoptr (RfLive) live = rf_live_start (&options, &sink, &seen);
    wait_for (seen.frame_rows >= 5 && seen.cards == 1);
    g_assert_cmpuint (seen.tables, ==, 1); /* no card, no table of cards */
    g_assert_cmpuint (seen.gaps, ==, 0);
    rf_fake_xplane_freeze (xplane, 800);
    wait_for (seen.freezes >= 1 && seen.event.duration_ns >= 750000000);
    g_assert_cmpstr (seen.event.subject, ==, "X-Plane");
    g_assert_cmpint (seen.event.time_ns + seen.event.duration_ns, <=, seen.last_frame_ns + 1000000000);
    rf_fake_xplane_free (xplane);
    gint64 last_ns = seen.last_frame_ns;
    guint rows = seen.frame_rows;
    /* in four seconds its absence has shown */
    for (gint64 until = g_get_monotonic_time () + 4 * G_USEC_PER_SEC; g_get_monotonic_time () < until;)
        g_main_context_iteration (NULL, FALSE);
    xplane = rf_fake_xplane_new (options.xplane_port);
    wait_for (seen.frame_rows >= rows + 3);
    g_assert_cmpuint (seen.gaps, ==, 1);
    g_assert_cmpint (seen.gap_from_ns, >=, last_ns);
    g_assert_cmpint (seen.gap_to_ns, >, seen.gap_from_ns);
    rf_fake_xplane_free (xplane);
}

/* Stopped at once, stopped in a function of the sink, and nothing to listen to. */
static void
stops (void)
{
    Seen seen = {.thread = g_thread_self ()};
    g_autoptr (RfTestTree) tree = machine ();
    RfLiveOptions options = {.sysroot = rf_test_tree_sysroot (tree), .gpu_interval_ms = 100};
    script (50);
    for (guint i = 0; i < 20; i++) {
        seen = (Seen){.thread = g_thread_self ()};
        rf_live_stop (rf_live_start_for_test (&options, RF_FAKE_NVML, &sink, &seen));
        g_assert_cmpuint (seen.cards, ==, 1);
    }
    seen = (Seen){.thread = g_thread_self ()};
    seen.stop_in_row = rf_live_start_for_test (&options, RF_FAKE_NVML, &sink, &seen);
    wait_for (seen.gpu_rows > 0 && seen.stop_in_row == NULL);
    RfLiveSink none = {NULL};
    options.gpu_interval_ms = 0;
    rf_live_stop (rf_live_start (&options, &none, NULL));
}

static double
cpu_us (void)
{
    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
           + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Cards at 1 Hz with no X-Plane there, as most recordings have it; printed. The driver's own time is not in it. */
static void
cost (void)
{
    Seen seen = {.thread = g_thread_self ()};
    g_autoptr (RfTestTree) tree = machine ();
    RfLiveOptions options = RF_LIVE_OPTIONS (rf_test_tree_sysroot (tree));
    options.xplane_port = 9; /* discard: nobody answers */
    script (50);
    g_autoptr (RfLive) live = rf_live_start_for_test (&options, RF_FAKE_NVML, &sink, &seen);
    while (seen.gpu_rows < 1)
        g_main_context_iteration (NULL, TRUE);
    double before = cpu_us ();
    gint64 start_us = g_get_monotonic_time ();
    while (seen.gpu_rows < 4)
        g_main_context_iteration (NULL, TRUE);
    g_test_message ("both threads: %.4f %% of a core",
                    (cpu_us () - before) / (double)(g_get_monotonic_time () - start_us) * 100);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/live-sources/cards", cards);
    g_test_add_func ("/live-sources/falls", falls);
    g_test_add_func ("/live-sources/frames", frames);
    g_test_add_func ("/live-sources/stops", stops);
    g_test_add_func ("/live-sources/cost", cost);
    return g_test_run ();
}
